// The module arenascope._core: problems, runs and explanations of the library as Python objects. Arrays of numbers are NumPy's; whatever the library
// refuses becomes a ValueError with the place; between slices of steps the interpreter may run other threads and signals.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "asc/asc.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Ints = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Options = std::map<std::string, std::string>;

// between two looks at signals: some milliseconds
constexpr uint64_t SLICE = UINT64_C(1) << 15;
constexpr size_t MOST_DIAGS = 20;

std::string placed(const asc_diag &diag) {
  std::string text;
  if (diag.line > 0) text += "line " + std::to_string(diag.line) + (diag.column > 0 ? ", column " + std::to_string(diag.column) : "") + ": ";
  if (diag.field[0]) text += std::string(diag.field) + " ";
  return text + (diag.message[0] ? diag.message : asc_status_text(diag.status));
}

[[noreturn]] void refuse(asc_status status, const std::string &why) {
  if (status == ASC_OUT_OF_MEMORY) throw std::bad_alloc();
  throw nb::value_error(why.c_str());
}

void check(asc_status status, const asc_diag &diag) {
  if (status) refuse(status, diag.status ? placed(diag) : asc_status_text(status));
}

struct Free {
  void operator()(asc_problem *p) const { asc_problem_free(p); }
  void operator()(asc_csv *p) const { asc_csv_free(p); }
  void operator()(asc_graph *p) const { asc_graph_free(p); }
  void operator()(asc_lowering *p) const { asc_lowering_free(p); }
  void operator()(asc_run *p) const { asc_run_free(p); }
  void operator()(asc_log *p) const { asc_log_free(p); }
};
template <class T> using Own = std::unique_ptr<T, Free>;

// A context, which is for one thread at a time. Whoever shares it takes turns in the order in which they ask, so that nobody waits for a whole search.
class Memory {
public:
  asc_context *context = nullptr;

  Memory() {
    if (asc_context_new(nullptr, &context)) throw std::bad_alloc();
  }
  Memory(const Memory &) = delete;
  ~Memory() { asc_context_free(context); }

private:
  friend class Turn;
  std::mutex door;
  std::condition_variable called;
  uint64_t asked = 0, served = 0;
};

// While it lives the context is this thread's, and the interpreter other threads': nobody waits for one who waits for him. Not inside of another one.
class Turn {
public:
  explicit Turn(Memory &of) : memory(of) {
    std::unique_lock<std::mutex> lock(memory.door);
    const uint64_t mine = memory.asked++;
    memory.called.wait(lock, [&] { return memory.served == mine; });
  }
  ~Turn() {
    std::lock_guard<std::mutex> lock(memory.door);
    memory.served++;
    memory.called.notify_all();
  }

private:
  nb::gil_scoped_release others;
  Memory &memory;
};

template <class Call> auto alone(Memory &memory, Call call) {
  Turn turn(memory);
  return call();
}

bool append(void *user, const char *text, size_t bytes) {
  static_cast<std::string *>(user)->append(text, bytes);
  return true;
}

std::vector<asc_option_value> values(const Options &options) {
  std::vector<asc_option_value> made;
  for (const auto &[name, value] : options) made.push_back({name.c_str(), value.c_str()});
  return made;
}

// a new array that NumPy owns
nb::ndarray<nb::numpy, int64_t, nb::ndim<1>> array(std::vector<int64_t> numbers) {
  auto *kept = new std::vector<int64_t>(std::move(numbers));
  nb::capsule owner(kept, [](void *p) noexcept { delete static_cast<std::vector<int64_t> *>(p); });
  return nb::ndarray<nb::numpy, int64_t, nb::ndim<1>>(kept->data(), {kept->size()}, owner);
}

// Whatever a problem was made of lives as long as it does.
class Problem {
public:
  std::shared_ptr<Memory> memory;
  Own<asc_csv> csv;
  Own<asc_graph> graph;
  Own<asc_lowering> lowering;
  Own<asc_problem> made;
  const asc_problem *at = nullptr;

  explicit Problem(std::shared_ptr<Memory> of = std::make_shared<Memory>()) : memory(std::move(of)) {}
  ~Problem() {
    Turn turn(*memory);
    made.reset();
    lowering.reset();
    graph.reset();
    csv.reset();
  }

  uint32_t count() const { return asc_problem_count(at); }

  void need(const Ints &numbers, const char *name) const {
    if (numbers.size() != count())
      throw nb::value_error((std::string(name) + " has " + std::to_string(numbers.size()) + " numbers for " + std::to_string(count()) + " buffers").c_str());
  }

  template <class Get> nb::ndarray<nb::numpy, int64_t, nb::ndim<1>> each(Get get) const {
    std::vector<int64_t> numbers(count());
    for (uint32_t k = 0; k < count(); k++) numbers[k] = get(*asc_problem_buffer(at, k));
    return array(std::move(numbers));
  }
};

void put_csv(Problem &problem, const std::string &text, bool plan) {
  asc_diag diags[MOST_DIAGS] = {};
  size_t count = 0;
  asc_csv *csv = nullptr;
  asc_status status = asc_csv_read(problem.memory->context, text.data(), text.size(),
                                   plan ? ASC_OFFSETS_SOLUTION : ASC_OFFSETS_FIXED, &csv, diags, MOST_DIAGS, &count);
  if (status) {
    std::string why;
    for (size_t k = 0; k < count && k < MOST_DIAGS; k++) why += (k ? "\n" : "") + placed(diags[k]);
    if (count > MOST_DIAGS) why += "\nand " + std::to_string(count - MOST_DIAGS) + " others";
    refuse(status, why.empty() ? asc_status_text(status) : why);
  }
  problem.csv.reset(csv);
  problem.at = asc_csv_problem(csv);
}

void put_graph(Problem &problem, const std::string &text, const Options &options) {
  asc_diag diags[MOST_DIAGS] = {};
  size_t count = 0;
  asc_graph *graph = nullptr;
  check(asc_graph_csv_read(problem.memory->context, text.data(), text.size(), &graph, diags, MOST_DIAGS, &count), diags[0]);
  problem.graph.reset(graph);
  asc_diag diag = {};
  asc_lowering *lowering = nullptr;
  auto given = values(options);
  check(asc_lower(graph, given.data(), static_cast<uint32_t>(given.size()), &lowering, &diag), diag);
  problem.lowering.reset(lowering);
  problem.at = asc_lowering_problem(lowering);
}

std::unique_ptr<Problem> from_text(const std::string &text, const Options &options) {
  auto problem = std::make_unique<Problem>();
  if (asc_graph_csv_is(text.data(), text.size())) put_graph(*problem, text, options);
  else if (options.empty()) put_csv(*problem, text, false);
  else throw nb::value_error("options are for a graph: this is a list of buffers");
  return problem;
}

// By how many bytes at most a buffer lies above where any offset would suit it.
int64_t apart(const asc_buffer_spec &spec) {
  const int64_t bank = spec.bank ? spec.bank : 1, factor = spec.alignment / std::gcd(spec.alignment, bank);
  return factor > ASC_MAX_BYTES / bank ? ASC_MAX_BYTES : factor * bank - 1;
}

// Bytes that are enough for one memory: what is fixed, and all others piled up on it.
int64_t room_of(const asc_problem *part) {
  const auto add = [](int64_t a, int64_t b) { return std::min(a, ASC_MAX_BYTES) + std::min(b, ASC_MAX_BYTES); };
  int64_t moving = 0, fixed = 0;
  for (uint32_t k = 0; k < asc_problem_count(part); k++) {
    const asc_buffer_spec &spec = *asc_problem_buffer(part, k);
    if (spec.offset == ASC_UNPLACED)
      moving = add(moving, spec.size + apart(spec));
    else
      fixed = std::max(fixed, spec.offset + spec.size);
  }
  return std::min(add(moving, fixed), ASC_MAX_BYTES);
}

int64_t room(const Problem &problem) {
  int64_t sum = 0;
  for (uint32_t pool = 0; pool < asc_problem_pool_count(problem.at); pool++)
    sum += room_of(asc_problem_part(problem.at, pool));
  return std::min(sum, ASC_MAX_BYTES);
}

// gaps[k]: pairs of times in which buffer k is not alive.
using Gaps = std::map<uint32_t, std::vector<std::pair<int64_t, int64_t>>>;

std::unique_ptr<Problem> from_arrays(Ints lower, Ints upper, Ints size, std::optional<Ints> alignment, std::optional<Ints> offset,
                                     std::optional<std::vector<std::string>> ids, const Gaps &gaps) {
  auto problem = std::make_unique<Problem>();
  const size_t n = lower.size();
  const auto same = [n](size_t other, const char *name) {
    if (other != n) throw nb::value_error((std::string(name) + " and lower differ in length").c_str());
  };
  same(upper.size(), "upper");
  same(size.size(), "size");
  if (alignment) same(alignment->size(), "alignment");
  if (offset) same(offset->size(), "offset");
  if (ids) same(ids->size(), "ids");
  asc_problem *made = nullptr;
  if (asc_problem_new(problem->memory->context, &made)) throw std::bad_alloc();
  problem->made.reset(made);
  for (size_t k = 0; k < n; k++) {
    const std::string id = ids ? (*ids)[k] : "b" + std::to_string(k);
    std::vector<asc_gap> absent;
    if (auto found = gaps.find(static_cast<uint32_t>(k)); found != gaps.end())
      for (const auto &[from, to] : found->second) absent.push_back({from, to, 0, 0});
    asc_buffer_spec spec = {};
    spec.id = id.c_str();
    spec.lower = lower.data()[k];
    spec.upper = upper.data()[k];
    spec.size = size.data()[k];
    spec.alignment = alignment ? alignment->data()[k] : 1;
    spec.offset = offset ? offset->data()[k] : ASC_UNPLACED;
    spec.hint = ASC_UNPLACED;
    spec.gaps = absent.data();
    spec.gap_count = static_cast<uint32_t>(absent.size());
    asc_diag diag = {};
    if (asc_status status = asc_problem_add(made, &spec, &diag)) refuse(status, "buffer " + id + ": " + placed(diag));
  }
  asc_diag diag = {};
  check(asc_problem_freeze(made, &diag), diag);
  problem->at = made;
  return problem;
}

std::unique_ptr<Problem> with_profile(const Problem &problem, const std::string &id) {
  const asc_profile *profile = asc_profile_find(id.c_str());
  if (!profile) throw nb::value_error(("there is no profile “" + id + "”").c_str());
  auto applied = std::make_unique<Problem>(problem.memory);
  asc_problem *made = nullptr;
  asc_diag diag = {};
  check(alone(*problem.memory, [&] { return asc_profile_apply(problem.at, profile, &made, &diag); }), diag);
  applied->made.reset(made);
  applied->at = made;
  return applied;
}

nb::dict stats_of(const asc_run *run) {
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  nb::dict told;
  told["outcome"] = asc_outcome_id(stats.outcome);
  told["steps"] = stats.steps;
  told["nodes"] = stats.nodes;
  told["backtracks"] = stats.backtracks;
  told["restarts"] = stats.restarts;
  told["skipped"] = stats.skipped;
  told["height"] = stats.height;
  told["cost"] = stats.cost;
  told["lower_bound"] = stats.lower_bound;
  char digest[17];
  std::snprintf(digest, sizeof digest, "%016llx", static_cast<unsigned long long>(stats.digest));
  told["digest"] = digest;
  nb::dict rules;
  for (int rule = 0; rule < ASC_RULE_COUNT; rule++)
    if (stats.rules[rule]) rules[asc_rule_id(static_cast<asc_rule>(rule))] = stats.rules[rule];
  told["rules"] = rules;
  return told;
}

// A run, or an explanation, which go by slices alike. step and cancel are the library's.
template <class Step, class Cancel> asc_outcome go(Memory &memory, Step step, Cancel cancel, uint64_t most) {
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  for (uint64_t left = most; left > 0 && outcome == ASC_OUTCOME_RUNNING;) {
    const uint64_t slice = left < SLICE ? left : SLICE;
    const asc_status status = alone(memory, [&] { return step(slice, &outcome); });
    if (status) refuse(status, asc_status_text(status));
    left -= slice;
    if (PyErr_CheckSignals()) {
      cancel();
      throw nb::python_error();
    }
  }
  return outcome;
}

std::string item_id(const asc_graph *graph, uint32_t item) {
  const uint32_t tensors = asc_graph_tensor_count(graph);
  if (item < tensors) return asc_graph_tensor(graph, item)->id;
  return std::string(asc_graph_op(graph, item - tensors)->id) + ":workspace";
}

int64_t item_size(const Problem &problem, uint32_t item) {
  const uint32_t tensors = asc_graph_tensor_count(problem.graph.get());
  const asc_lowering *lowering = problem.lowering.get();
  const uint32_t buffer =
      item < tensors ? asc_lowering_buffers(lowering)[item] : asc_lowering_workspaces(lowering)[item - tensors];
  return buffer == ASC_NONE ? 0 : asc_problem_buffer(problem.at, buffer)->size;
}

// (item, turn, pool, lower, upper, size, offset), as the command's CSV of stays has them
nb::list stays_of(const Problem &problem, const asc_plan &plan) {
  using Place = std::tuple<uint32_t, uint32_t, int64_t>;
  std::vector<Place> places;
  for (uint32_t k = 0; k < plan.stay_count; k++)
    places.emplace_back(plan.stays[k].item, plan.stays[k].pool, plan.stays[k].lower);
  std::sort(places.begin(), places.end());
  const auto below = [&places](const Place &place) { return std::lower_bound(places.begin(), places.end(), place); };
  nb::list told;
  for (uint32_t k = 0; k < plan.stay_count; k++) {
    const asc_stay &stay = plan.stays[k];
    const bool outside = stay.pool == ASC_POOL_OUTSIDE;
    const auto turn = below({stay.item, stay.pool, stay.lower}) - below({stay.item, stay.pool, INT64_MIN});
    told.append(nb::make_tuple(item_id(problem.graph.get(), stay.item), turn, outside ? "outside" : "arena", stay.lower,
                               stay.upper, item_size(problem, stay.item),
                               outside ? nb::none() : nb::object(nb::int_(stay.offset))));
  }
  return told;
}

class Run {
public:
  nb::object keeps; // the problem
  const Problem *of = nullptr;
  Own<asc_log> log;
  Own<asc_run> run;

  Run(nb::object problem, const std::string &solver, int64_t capacity, const std::string &goal, uint64_t seed, uint64_t budget,
      const Options &options, bool traced)
      : keeps(problem) {
    of = &nb::cast<const Problem &>(problem);
    auto given = values(options);
    asc_run_config config = asc_run_config_default(solver.c_str(), capacity);
    config.seed = seed;
    config.budget = budget;
    config.options = given.data();
    config.option_count = static_cast<uint32_t>(given.size());
    int wanted = 0;
    while (wanted < ASC_GOAL_COUNT && goal != asc_goal_id(static_cast<asc_goal>(wanted))) wanted++;
    if (wanted == ASC_GOAL_COUNT) throw nb::value_error(("there is no goal “" + goal + "”").c_str());
    config.goal = static_cast<asc_goal>(wanted);
    asc_diag diag = {};
    asc_run *made = nullptr;
    const asc_solver_info *info = asc_solver_find(solver.c_str());
    const bool graph = info && info->domain == ASC_DOMAIN_GRAPH;
    // what it says of each tensor has no place in a Result, whose addresses are of one memory
    if (info && info->domain == ASC_DOMAIN_SELECTION)
      throw nb::value_error((solver + " chooses between two memories: see the command arenascope select").c_str());
    if (graph && !of->lowering) throw nb::value_error((solver + " needs a graph: this is a list of buffers").c_str());
    asc_log *events = nullptr;
    const asc_status status = alone(*of->memory, [&] {
      const asc_input input = graph ? asc_input_graph(of->lowering.get()) : asc_input_buffers(of->at);
      asc_status failed = asc_run_new(input, &config, &made, &diag);
      if (!failed && traced) failed = asc_log_new(of->memory->context, 0, &events);
      if (failed) asc_run_free(made);
      return failed;
    });
    if (status) refuse(status, diag.status ? placed(diag) : std::string(asc_status_text(status)) + " (" + solver + ")");
    run.reset(made);
    if (!traced) return;
    log.reset(events);
    asc_run_attach(made, events);
  }
  ~Run() {
    Turn turn(*of->memory);
    run.reset();
    log.reset();
  }

  std::string step(uint64_t steps) {
    return asc_outcome_id(go(
        *of->memory, [this](uint64_t n, asc_outcome *out) { return asc_run_step(run.get(), n, out); },
        [this] { asc_run_cancel(run.get()); }, steps));
  }

  // one for each buffer of the situation
  nb::object offsets() const {
    asc_plan plan;
    if (!asc_run_plan(run.get(), &plan)) return nb::none();
    std::vector<int64_t> offsets;
    if (plan.offsets) offsets.assign(plan.offsets, plan.offsets + of->count());
    for (uint32_t k = 0; k < plan.stay_count; k++)
      if (plan.stays[k].pool == ASC_POOL_MAIN) offsets.push_back(plan.stays[k].offset);
    return nb::cast(array(std::move(offsets)));
  }

  // of a plan of a graph: (operators in the order in which they run, stays, bytes copied out and back, its buffers)
  nb::object moves() const {
    asc_plan plan;
    if (!asc_run_plan(run.get(), &plan) || !plan.order) return nb::none();
    nb::list order;
    for (uint32_t k = 0; k < plan.turns; k++) order.append(asc_graph_op(of->graph.get(), plan.order[k])->id);
    auto situation = std::make_unique<Problem>(of->memory);
    asc_problem *made = nullptr;
    asc_diag diag = {};
    int64_t traffic = 0;
    const asc_status status = alone(*of->memory, [&] {
      const asc_input input = asc_input_graph(of->lowering.get());
      traffic = asc_plan_cost(&input, &plan, ASC_GOAL_TRAFFIC);
      return asc_lowering_situation(of->lowering.get(), plan.stays, plan.stay_count, false, &made, &diag);
    });
    check(status, diag);
    situation->made.reset(made);
    situation->at = made;
    return nb::make_tuple(order, stays_of(*of, plan), traffic, std::move(situation));
  }

  std::vector<uint32_t> conflict() const {
    uint32_t n = 0;
    const uint32_t *buffers = asc_run_conflict(run.get(), &n);
    return std::vector<uint32_t>(buffers, buffers + n);
  }

  // what happened since it was asked last: (kind, step, line, depth, arguments, list)
  nb::list events() {
    nb::list told;
    if (!log) return told;
    const asc_event *all;
    const uint32_t *lists;
    uint32_t n;
    uint64_t dropped;
    asc_log_get(log.get(), &all, &n, &lists, &dropped);
    for (uint32_t k = 0; k < n; k++) {
      const asc_event &event = all[k];
      nb::list args, list;
      for (int64_t arg : event.args) args.append(arg);
      for (uint32_t i = 0; i < event.list_count; i++) list.append(lists[event.list + i]);
      told.append(nb::make_tuple(event.kind, event.step, event.line, event.depth, args, list));
    }
    asc_log_clear(log.get());
    return told;
  }
};

class Explanation {
public:
  const Problem &of;
  asc_explain *made = nullptr;

  Explanation(const Problem &problem, int64_t capacity, uint64_t seed, uint64_t budget) : of(problem) {
    asc_diag diag = {};
    check(alone(*of.memory, [&] { return asc_explain_new(of.at, capacity, seed, budget, &made, &diag); }), diag);
  }
  Explanation(const Explanation &) = delete;
  ~Explanation() {
    Turn turn(*of.memory);
    asc_explain_free(made);
  }
};

nb::dict explain(const Problem &problem, int64_t capacity, uint64_t seed, uint64_t budget) {
  const Explanation explanation(problem, capacity, seed, budget);
  asc_explain *made = explanation.made;
  go(
      *problem.memory, [made](uint64_t n, asc_outcome *out) { return asc_explain_step(made, n, out); },
      [made] { asc_explain_cancel(made); }, UINT64_MAX);
  asc_explanation why;
  asc_explain_get(made, &why);
  nb::dict told;
  told["outcome"] = asc_outcome_id(why.outcome);
  told["buffers"] = std::vector<uint32_t>(why.buffers, why.buffers + why.count);
  told["irreducible"] = why.irreducible;
  told["steps"] = why.steps;
  return told;
}

// (name, names and types of arguments, whether it is a step), by kind, as events.def has them
nb::list event_kinds() {
  using Names = nb::list;
  Names kinds, args;
#define ASC_ARG(type, name) args.append(nb::make_tuple(#name, #type));
#define ASC_STEP(NAME, name, id, effect, roles, arguments, listed, meaning) \
  args = Names();                                                          \
  arguments kinds.append(nb::make_tuple(#name, args, true, meaning));
#define ASC_DETAIL(NAME, name, id, arguments, listed, meaning) \
  args = Names();                                              \
  arguments kinds.append(nb::make_tuple(#name, args, false, meaning));
#include "asc/events.def"
  return kinds;
}

constexpr std::pair<uint32_t, const char *> constraints[] = {
    {ASC_SUPPORTS_ALIGNMENT, "alignment"}, {ASC_SUPPORTS_FIXED, "fixed"}, {ASC_SUPPORTS_GAPS, "gaps"},
    {ASC_SUPPORTS_WINDOWS, "windows"},     {ASC_SUPPORTS_HINTS, "hints"}, {ASC_SUPPORTS_BANKS, "banks"},
    {ASC_SUPPORTS_SHAPES, "shapes"}};

nb::list solvers() {
  nb::list all;
  for (uint32_t k = 0; k < asc_solver_count(); k++) {
    const asc_solver_info *info = asc_solver_at(k);
    nb::dict told;
    told["id"] = info->id;
    told["title"] = info->title;
    told["summary"] = info->summary;
    told["paper"] = info->paper;
    told["domain"] = asc_domain_id(info->domain);
    told["complete"] = info->complete;
    nb::list goals, options, incomplete_with;
    for (auto [bit, name] : constraints)
      if (info->incomplete_with & bit) incomplete_with.append(name);
    told["incomplete_with"] = incomplete_with;
    for (int goal = 0; goal < ASC_GOAL_COUNT; goal++)
      if (asc_solver_takes_goal(info, static_cast<asc_goal>(goal))) goals.append(asc_goal_id(static_cast<asc_goal>(goal)));
    for (uint32_t i = 0; i < info->option_count; i++) options.append(info->options[i].name);
    told["goals"] = goals;
    told["options"] = options;
    all.append(told);
  }
  return all;
}

nb::list profiles() {
  nb::list all;
  for (uint32_t k = 0; k < asc_profile_count(); k++) {
    const asc_profile *profile = asc_profile_at(k);
    nb::dict told;
    told["id"] = profile->id;
    told["title"] = profile->title;
    told["vendor"] = profile->vendor;
    told["capacity"] = profile->capacity - (profile->capacity ? profile->reserved : 0);
    told["reserved"] = profile->reserved;
    told["alignment"] = profile->alignment;
    told["align_by"] = profile->align_by == ASC_ALIGN_OFFSET ? "offset" : profile->align_by == ASC_ALIGN_SIZE ? "size" : "both";
    told["bank"] = profile->bank;
    told["may_cross"] = profile->may_cross;
    all.append(told);
  }
  return all;
}

std::vector<std::tuple<std::string, int64_t, int64_t>> violations(const Problem &problem, Ints offsets, int64_t capacity) {
  problem.need(offsets, "offsets");
  size_t count = 0;
  std::vector<asc_violation> found(1024);
  const asc_status status = alone(*problem.memory, [&] {
    return asc_validate(problem.at, offsets.data(), capacity, found.data(), found.size(), &count);
  });
  if (status) refuse(status, asc_status_text(status));
  std::vector<std::tuple<std::string, int64_t, int64_t>> told;
  for (size_t k = 0; k < count && k < found.size(); k++)
    told.emplace_back(asc_violation_name(found[k].kind), found[k].buffer, found[k].other == ASC_NONE ? -1 : static_cast<int64_t>(found[k].other));
  return told;
}

std::string csv_of(const Problem &problem, std::optional<Ints> offsets) {
  if (offsets) problem.need(*offsets, "offsets");
  std::string text;
  if (asc_status status = asc_csv_write(problem.at, problem.csv.get(), offsets ? offsets->data() : nullptr, append, &text))
    refuse(status, asc_status_text(status));
  return text;
}

nb::object graph_csv(const Problem &problem) {
  if (!problem.graph) return nb::none();
  std::string text;
  if (asc_status status = asc_graph_csv_write(problem.graph.get(), append, &text)) refuse(status, asc_status_text(status));
  return nb::cast(text);
}

template <int64_t asc_buffer_spec::*member> nb::ndarray<nb::numpy, int64_t, nb::ndim<1>> column(const Problem &problem) {
  return problem.each([](const asc_buffer_spec &buffer) { return buffer.*member; });
}

void bind_problem(nb::module_ &m) {
  nb::class_<Problem>(m, "Problem")
      .def_prop_ro("count", &Problem::count)
      .def_prop_ro("lower_bound", [](const Problem &p) { return asc_problem_lower_bound(p.at); })
      .def_prop_ro("bytes",
                   [](const Problem &p) { return alone(*p.memory, [&] { return asc_context_bytes(p.memory->context); }); })
      .def_prop_ro("room", &room)
      .def_prop_ro("is_graph", [](const Problem &p) { return p.lowering != nullptr; })
      .def_prop_ro("ids",
                   [](const Problem &p) {
                     std::vector<std::string> ids;
                     for (uint32_t k = 0; k < p.count(); k++) ids.emplace_back(asc_problem_id(p.at, k));
                     return ids;
                   })
      .def_prop_ro("lower", &column<&asc_buffer_spec::lower>, nb::rv_policy::automatic)
      .def_prop_ro("upper", &column<&asc_buffer_spec::upper>, nb::rv_policy::automatic)
      .def_prop_ro("size", &column<&asc_buffer_spec::size>, nb::rv_policy::automatic)
      .def_prop_ro("alignment", &column<&asc_buffer_spec::alignment>, nb::rv_policy::automatic)
      .def_prop_ro("gaps",
                   [](const Problem &p) {
                     Gaps gaps;
                     for (uint32_t k = 0; k < p.count(); k++) {
                       const asc_buffer_spec *buffer = asc_problem_buffer(p.at, k);
                       for (uint32_t g = 0; g < buffer->gap_count; g++) {
                         const asc_gap &gap = buffer->gaps[g];
                         // in a window it occupies a part of its memory
                         if (gap.window_lower >= gap.window_upper) gaps[k].emplace_back(gap.lower, gap.upper);
                       }
                     }
                     return gaps;
                   })
      .def_prop_ro("load",
                   [](const Problem &p) {
                     std::vector<std::tuple<int64_t, int64_t, int64_t>> load;
                     const asc_section *sections = asc_problem_sections(p.at);
                     for (uint32_t k = 0; k < asc_problem_section_count(p.at); k++)
                       load.emplace_back(sections[k].lower, sections[k].upper, sections[k].load);
                     return load;
                   })
      .def_prop_ro("digest",
                   [](const Problem &p) {
                     char text[17];
                     std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(asc_problem_digest(p.at)));
                     return std::string(text);
                   })
      .def("height",
           [](const Problem &p, Ints offsets) {
             p.need(offsets, "offsets");
             return asc_height(p.at, offsets.data());
           })
      .def("violations", &violations, "offsets"_a, "capacity"_a)
      .def("graph_csv", &graph_csv)
      .def("csv", &csv_of, "offsets"_a.none() = nb::none());
  m.def("from_text", &from_text, "text"_a, "options"_a = Options());
  m.def("from_arrays", &from_arrays, "lower"_a, "upper"_a, "size"_a, "alignment"_a.none() = nb::none(), "offset"_a.none() = nb::none(),
        "ids"_a.none() = nb::none(), "gaps"_a = Gaps());
  m.def("with_profile", &with_profile);
  m.def(
      "generate",
      [](const std::string &kind, uint32_t n, uint64_t seed) {
        auto problem = std::make_unique<Problem>();
        int64_t capacity = 0;
        asc_problem *made = nullptr;
        if (asc_status status = asc_generate(problem->memory->context, kind.c_str(), n, seed, &made, &capacity))
          refuse(status, asc_status_text(status));
        problem->made.reset(made);
        problem->at = made;
        return std::make_pair(std::move(problem), capacity);
      },
      "kind"_a, "n"_a, "seed"_a);
}

} // namespace

NB_MODULE(_core, m) {
  m.attr("version") = ASC_VERSION;
  bind_problem(m);
  nb::class_<Run>(m, "Run")
      .def(nb::init<nb::object, const std::string &, int64_t, const std::string &, uint64_t, uint64_t, const Options &,
                    bool>(),
           "problem"_a, "solver"_a, "capacity"_a, "goal"_a, "seed"_a, "budget"_a, "options"_a, "traced"_a)
      .def("step", &Run::step, "steps"_a)
      .def("cancel", [](Run &r) { asc_run_cancel(r.run.get()); })
      .def("stats", [](const Run &r) { return stats_of(r.run.get()); })
      .def("offsets", &Run::offsets)
      .def("moves", &Run::moves)
      .def("conflict", &Run::conflict)
      .def("events", &Run::events);
  m.def("explain", &explain, "problem"_a, "capacity"_a, "seed"_a, "budget"_a);
  m.def("event_kinds", &event_kinds);
  m.def("solvers", &solvers);
  m.def("profiles", &profiles);
}
