#include "../cli.h"

#include <stdlib.h>
#include <string.h>

const cli_flag solve_flags[] = {
    {"capacity", "BYTES",
     "memory that the plan may use; needed unless --minimize_capacity or a profile is given; of a graph also required, half "
     "or peak: what its largest operator needs, the least peak of all orders (for solvers of buffers of those of --order), "
     "and "
     "half way between them",
     NULL},
    CSV_FLAGS,
    {"profile", "ID", PROFILE_HELP "gives the capacity as well", NULL},
    {"input", "FILE", "buffer CSV, graph CSV or task CSV; - is standard input", NULL},
    {"output", "FILE",
     "where to write the CSV with its offsets: those of the best plan within the capacity or, with --goal=height, of the "
     "lowest, however the search ended; of solvers that copy out and back a row for each stay; - is standard output",
     NULL},
    {"for_sheets", NULL, FOR_SHEETS_HELP, NULL},
    {"solver", "ID", "see arenascope solvers", NULL},
    {"goal", "GOAL",
     "fit: within the capacity (the default); height: the lowest plan, whatever the capacity; traffic: the fewest bytes "
     "copied out and back; of solvers that can be asked for it",
     NULL},
    {"minimize", NULL, "the same as --goal=height", NULL},
    {"steps", "N", "budget in search steps; with --minimize_capacity of each run", NULL},
    {"budget", "N", "the same as --steps", NULL},
    {"seed", "N", "for solvers that choose at random, 0 if it is not given; the page begins with 1", NULL},
    {"timeout", "DURATION",
     "ends reading and search after a time like 10s, 500ms or 1m30s with the best plan by then; the outcome is time-spent",
     NULL},
    {"minimize_capacity", NULL, "looks for the least capacity, no more than --capacity", NULL},
    {"proof", "FILE",
     "where to write the certificate of what is proven, that there is no plan or none that is lower, for arenascope check; "
     "of other solvers than exact what follows from a load, once they say that there is no plan",
     NULL},
    {"trace", "FILE", "where to write what the search did, a line for each event; - is standard output", NULL},
    {"validate", NULL,
     "checks the plan once more and says PASS or FAIL; of a task CSV also that no task reads what was overwritten, and that "
     "no two tensors share a byte that both need",
     NULL},
    {"print_solution", NULL, "prints the plan as a LaTeX document", NULL},
    {"json", NULL, "prints one JSON object on one line", NULL},
    {"help", NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL},
};

typedef struct request {
  cli_args args;
  cli_input in;
  const char *output;
  asc_run_config config;
  const asc_solver_info *solver;
  asc_option_value *options; /* one for each unknown flag */
  cli_clock clock;
  cli_trace trace;
  const char *proof;
  bool drop_in;
} request;

/* ---- the command line ------------------------------------------------------------------------------------------------ */

static bool read_solver(request *r) {
  const char *id = args_text(&r->args, "solver", "minimalloc");
  r->solver = asc_solver_find(id);
  if (!r->solver) {
    complain("--solver: is \"%s\"; see arenascope solvers", id);
    return false;
  }
  if (r->solver->domain == ASC_DOMAIN_SELECTION) {
    complain("%s: chooses between two memories, see arenascope select", r->solver->id);
    return false;
  }
  r->options = solver_options_read(r->solver, &r->args);
  return r->options != NULL;
}

/* --goal=ID, or --minimize, which says the same as --goal=height and nothing else. */
static bool read_goal(const request *r, asc_goal *goal) {
  bool minimize = args_switch(&r->args, "minimize");
  const char *id = args_text(&r->args, "goal", minimize ? "height" : "fit");
  for (*goal = ASC_GOAL_FIT; *goal < ASC_GOAL_COUNT; (*goal)++)
    if (strcmp(id, asc_goal_id(*goal)) == 0) break;
  if (*goal == ASC_GOAL_COUNT) {
    complain("--goal: is \"%s\", expected fit, height or traffic", id);
    return false;
  }
  if (minimize && *goal != ASC_GOAL_HEIGHT) {
    complain("--goal: is \"%s\", and --minimize asks for the height", id);
    return false;
  }
  if (asc_solver_takes_goal(r->solver, *goal)) return true;
  complain("--goal: %s cannot be asked for \"%s\"", r->solver->id, id);
  return false;
}

/* Its plans are stays: items that come and go, at several addresses one after the other. */
static bool plans_stays(const request *r) {
  return r->solver->goals >> ASC_GOAL_TRAFFIC & 1;
}

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), of_end = strlen(end);
  return length >= of_end && strcmp(text + length - of_end, end) == 0;
}

/* What cannot be had of stays is refused by name, before the search. */
static bool can_export(const request *r) {
  if (!plans_stays(r)) return true;
  if (args_switch(&r->args, "for_sheets")) {
    complain("--for_sheets: is for a CSV of buffers; %s writes one of stays", r->solver->id);
    return false;
  }
  if (args_switch(&r->args, "minimize_capacity") && r->config.goal == ASC_GOAL_TRAFFIC) {
    complain("--minimize_capacity: looks for the least height, not for the least traffic; --goal=traffic has a capacity");
    return false;
  }
  static const char *const others[] = {".json", ".h", ".tex"};
  for (size_t k = 0; r->output && k < sizeof others / sizeof *others; k++) {
    if (!ends_with(r->output, others[k])) continue;
    complain("--output: %s is no name of a CSV, and a plan of %s is written as a CSV of stays", r->output, r->solver->id);
    return false;
  }
  return true;
}

static bool read_request(request *r, int argc, char **argv, cli_flag *flags) {
  int64_t budget = 0;
  if (!args_read(&r->args, flags, argc, argv) || !args_deadline(&r->args, &r->clock.deadline)) return false;
  const char *input = args_text(&r->args, "input", r->args.operand_count ? r->args.operands[0] : NULL);
  if (!args_no_more(&r->args, 1)) return false;
  if (!input) {
    complain("--input: is missing, expected a buffer CSV, a graph CSV or a task CSV");
    return false;
  }
  if (!outputs_apart(&r->args)) return false;
  if (args_text(&r->args, "budget", NULL) && args_text(&r->args, "steps", NULL)) {
    complain("--budget: is the same as --steps, expected one of them");
    return false;
  }
  r->output = args_text(&r->args, "output", NULL);
  r->proof = args_text(&r->args, "proof", NULL);
  if (r->proof && args_switch(&r->args, "minimize_capacity")) {
    complain("--proof: is of one search; with --minimize instead of --minimize_capacity that is all there is");
    return false;
  }
  if (!output_check(r->output) || !output_check(r->proof) || !input_load(&r->in, input, r->clock.deadline) ||
      !input_take_flags(&r->in, &r->args) || !read_solver(r) || !args_number(&r->args, "budget", 0, &budget) ||
      !args_number(&r->args, "steps", 0, &budget))
    return false;
  r->config = asc_run_config_default(r->solver->id, ASC_MAX_BYTES);
  r->config.budget = (uint64_t)budget;
  r->config.options = r->options;
  r->config.option_count = (uint32_t)r->args.other_count;
  if (!read_goal(r, &r->config.goal) || !can_export(r)) return false;
  return args_seed(&r->args, "seed", &r->config.seed);
}

static bool read_capacity(request *r) {
  int64_t capacity = -1;
  r->in.any_order = r->solver->domain == ASC_DOMAIN_GRAPH;
  if (!input_capacity(&r->in, &r->args, &capacity)) return false;
  if (args_switch(&r->args, "minimize_capacity") && has_pools(r->in.problem)) {
    complain("--minimize_capacity: does not know which pool is meant; --minimize looks for the least height of each");
    return false;
  }
  if (capacity >= 0)
    r->config.capacity = capacity;
  else if (!args_switch(&r->args, "minimize_capacity")) {
    complain("--capacity: is missing, expected bytes");
    return false;
  }
  return true;
}

/* ---- the answer ------------------------------------------------------------------------------------------------------ */

/* Where a search for the least height left it: proven from below, shown by a plan from above. */
static bool is_open(const request *r, const cli_result *result) {
  bool minimises = args_switch(&r->args, "minimize_capacity") || r->config.goal == ASC_GOAL_HEIGHT;
  return minimises && result->outcome != ASC_OUTCOME_OPTIMAL && result->height > result->lower_bound;
}

static void print_names_json(FILE *file, const request *r, const cli_result *result, const char *name) {
  fprintf(file, ",\"%s\":[", name);
  for (uint32_t k = 0; k < result->turns; k++) {
    if (k) fputc(',', file);
    print_json_text(file, asc_graph_op(r->in.graph, result->order[k])->id);
  }
  fputc(']', file);
}

/* Of a graph's plan: the bytes copied out and back, the most bytes alive at once, and the operators in the order in which they run. */
static void print_order_json(FILE *file, const request *r, const asc_problem *problem, const cli_result *result) {
  long long peak = (long long)asc_problem_lower_bound(problem);
  fprintf(file, ",\"traffic\":%lld,\"spilled\":%lld,\"fetched\":%lld,\"peak\":%lld,\"footprint\":%lld",
          (long long)result->traffic, (long long)result->spilled, (long long)result->fetched, peak, peak);
  if (r->config.goal == ASC_GOAL_TRAFFIC) fprintf(file, ",\"bound\":%lld", (long long)result->lower_bound);
  print_names_json(file, r, result, "order");
  print_names_json(file, r, result, "schedule");
}

static void print_json(FILE *file, const request *r, const asc_problem *problem, const cli_result *result,
                       const bool *valid) {
  fprintf(file, "{\"solver\":\"%s\",\"outcome\":\"%s\",\"ended\":\"%s\",\"capacity\":%lld", r->solver->id,
          ended_id(result->outcome, r->clock.late), ended_id(result->ended, r->clock.late), (long long)result->capacity);
  if (result->height >= 0)
    fprintf(file, ",\"height\":%lld,\"upperBound\":%lld", (long long)result->height,
            (long long)(r->config.goal == ASC_GOAL_TRAFFIC ? result->traffic : result->height));
  else
    fprintf(file, ",\"height\":null,\"upperBound\":null");
  fprintf(file, ",\"lowerBound\":%lld,\"steps\":%llu,\"backtracks\":%llu,\"digest\":\"%016llx\",\"seconds\":%.6f",
          (long long)result->lower_bound, (unsigned long long)result->steps, (unsigned long long)result->backtracks,
          (unsigned long long)result->digest, result->seconds);
  fprintf(file, ",\"buffers\":%u,\"sections\":%u", asc_problem_count(problem), asc_problem_section_count(problem));
  print_json_pools(file, problem, result->offsets);
  fprintf(file, ",\"rules\":{");
  bool first = true;
  for (int k = 0; k < ASC_RULE_COUNT; k++) {
    if (!result->rules[k]) continue;
    fprintf(file, "%s\"%s\":%llu", first ? "" : ",", asc_rule_id((asc_rule)k), (unsigned long long)result->rules[k]);
    first = false;
  }
  fputc('}', file);
  if (args_switch(&r->args, "minimize_capacity")) fprintf(file, ",\"runs\":%u", result->runs);
  if (r->proof && result->proven >= 0) fprintf(file, ",\"proven\":%lld", (long long)result->proven);
  if (r->proof && result->proven < 0) fprintf(file, ",\"proven\":null");
  if (result->order) print_order_json(file, r, problem, result);
  if (valid) fprintf(file, ",\"valid\":%s", *valid ? "true" : "false");
  fprintf(file, "}\n");
}

/* A row for each operator, as they run: its time, its name, and the buffers that begin with it. */
static void print_order(FILE *file, const request *r, const cli_result *result) {
  uint32_t count = asc_problem_count(result->situation);
  uint32_t *first = malloc((result->turns + 1) * sizeof *first), *next = malloc((count + 1) * sizeof *next);
  for (uint32_t k = 0; first && k < result->turns; k++) first[k] = ASC_NONE;
  for (uint32_t b = count; first && next && b-- > 0;) {
    uint32_t *head = &first[asc_problem_buffer(result->situation, b)->lower];
    next[b] = *head;
    *head = b;
  }
  fprintf(file, "\n  %6s  %-24s %s\n", "time", "operator", "begins");
  for (uint32_t k = 0; first && next && k < result->turns; k++) {
    say(file, "  %6u  %-24s", k, asc_graph_op(r->in.graph, result->order[k])->id);
    for (uint32_t b = first[k]; b != ASC_NONE; b = next[b]) say(file, " %s", asc_problem_id(result->situation, b));
    fputc('\n', file);
  }
  free(first);
  free(next);
}

/* The lowest plan may take more than the capacity; pools have each their own. */
static void print_height(FILE *file, const asc_problem *problem, const cli_result *result) {
  fprintf(file, "  height       %s", commas(result->height));
  if (result->height > result->capacity && !has_pools(problem))
    fprintf(file, ", %s more than the capacity", commas(result->height - result->capacity));
  fputc('\n', file);
}

static void print_summary(FILE *file, const request *r, const asc_problem *problem, const cli_result *result,
                          const bool *valid) {
  bool late = r->clock.late;
  fprintf(file, "%s: %s\n", ended_id(result->outcome, late), ended_text(result->outcome, late));
  fprintf(file, "  solver       %s\n", r->solver->id);
  fprintf(file, "  buffers      %s in %s sections\n", commas(asc_problem_count(problem)),
          commas(asc_problem_section_count(problem)));
  fprintf(file, "  capacity     %s\n", commas(result->capacity));
  if (result->height >= 0) print_height(file, problem, result);
  if (result->order) fprintf(file, "  peak         %s\n", commas(asc_problem_lower_bound(problem)));
  if (result->order) fprintf(file, "  traffic      %s\n", commas(result->traffic));
  print_pools(file, problem, result->offsets);
  fprintf(file, "  lower bound  %s%s\n", commas(result->lower_bound),
          r->config.goal == ASC_GOAL_TRAFFIC ? ", of the traffic" : "");
  if (is_open(r, result))
    fprintf(file, "  least height %s to %s, a gap of %s in which nothing is proven\n", commas(result->lower_bound),
            commas(result->height), commas(result->height - result->lower_bound));
  if (r->proof && result->proven >= 0) fprintf(file, "  certificate  no plan within %s\n", commas(result->proven));
  if (r->proof && result->proven < 0) fprintf(file, "  certificate  none, nothing is proven\n");
  if (result->ended != result->outcome) fprintf(file, "  ended        %s\n", ended_id(result->ended, late));
  fprintf(file, "  steps        %s\n", commas((int64_t)result->steps));
  fprintf(file, "  backtracks   %s\n", commas((int64_t)result->backtracks));
  for (int k = 0; k < ASC_RULE_COUNT; k++)
    if (result->rules[k]) fprintf(file, "    by %-18s %s\n", asc_rule_id((asc_rule)k), commas((int64_t)result->rules[k]));
  fprintf(file, "  digest       %016llx\n", (unsigned long long)result->digest);
  fprintf(file, "  seconds      %.3f\n", result->seconds);
  if (valid) fprintf(file, "  validation   %s\n", *valid ? "PASS" : "FAIL");
  if (result->order) print_order(file, r, result);
}

/* In place of minimalloc the command says what that says: the seconds on stderr, and whether the plan is valid. */
static void print_drop_in(const cli_result *result, bool late, const bool *valid) {
  fprintf(stderr, "%.3f", result->seconds);
  if (valid)
    fprintf(stderr, "%s\n", *valid ? "PASS" : "FAIL");
  else
    fprintf(stderr, result_fits(result) ? "\n" : " %s\n", ended_id(result->outcome, late));
}

static int exit_code(const cli_result *result) {
  if (result_fits(result)) return EXIT_SOLVED;
  return result->outcome == ASC_OUTCOME_INFEASIBLE ? EXIT_INFEASIBLE : EXIT_UNDECIDED;
}

/* Whether the search has what was asked for: the lowest plan is, whatever the capacity. */
static bool has_answer(const request *r, const cli_result *result) {
  return result_fits(result) || (r->config.goal == ASC_GOAL_HEIGHT && result->offsets);
}

/* Whether the plan holds, said by none of those who made it: of stays also that whatever an operator reads is there, and comes from somewhere. */
static bool is_valid(const request *r, const cli_result *result, const asc_problem *problem) {
  size_t violations = 1;
  int64_t capacity = r->config.goal == ASC_GOAL_HEIGHT ? ASC_MAX_BYTES : r->config.capacity;
  if (!result->stays) {
    asc_status status = asc_validate(problem, result->offsets, capacity, NULL, 0, &violations);
    return !status && violations == 0 && (!r->in.tiling || input_judge(&r->in, result->offsets));
  }
  asc_input input = asc_input_graph(r->in.lowering);
  asc_plan plan = {.order = result->order, .turns = result->turns, .stays = result->stays, .stay_count = result->stay_count};
  return !asc_plan_validate(&input, &plan, capacity, NULL, 0, &violations) && violations == 0;
}

/* Prints and writes all that was asked for. The buffers are written as they were read: sizes and alignments are their own, not the
   profile's. */
static int answer(const request *r, const cli_result *result) {
  const asc_problem *problem = result->situation ? result->situation : r->in.problem;
  bool check = args_switch(&r->args, "validate") && has_answer(r, result), valid = !check || is_valid(r, result, problem);
  const asc_problem *as_read = result->plain ? result->plain : r->in.as_read;
  if (r->output && has_answer(r, result)) {
    bool moves = result->stays && plans_stays(r);
    bool written =
        moves ? write_stays(r->output, &r->in, result) : write_csv(&r->args, r->output, as_read, r->in.csv, result->offsets);
    if (!written) return EXIT_USAGE;
  }
  bool csv_on_stdout = r->output && output_is_standard(r->output);
  FILE *file = csv_on_stdout || args_switch(&r->args, "print_solution") ? stderr : stdout;
  const bool *verdict = check ? &valid : NULL;
  if (args_switch(&r->args, "json"))
    print_json(file, r, problem, result, verdict);
  else if (r->drop_in)
    print_drop_in(result, r->clock.late, verdict);
  else
    print_summary(file, r, problem, result, verdict);
  if (result_fits(result) && args_switch(&r->args, "print_solution"))
    print_tikz(stdout, problem, result->offsets, result->capacity);
  return valid ? exit_code(result) : EXIT_UNDECIDED;
}

/* The search, with its certificate. A file without a claim in it is none. */
static bool search(request *r, const asc_input *input, cli_result *result) {
  cli_output proof = {0};
  if (args_switch(&r->args, "minimize_capacity")) return solve_least(input, &r->config, &r->clock, result);
  if (r->proof && !output_open(&proof, r->proof)) return false;
  r->clock.proof = r->proof ? &proof : NULL;
  bool done = solve_once(input, &r->config, &r->clock, result);
  r->clock.proof = NULL;
  if (r->proof && done && result->proven >= 0) return output_close(&proof, true);
  if (r->proof) output_drop(&proof);
  return done;
}

static int solve(request *r, asc_context *context) {
  if (!input_read(&r->in, context, ASC_OFFSETS_FIXED)) return input_code(&r->in);
  if (!read_capacity(r)) return EXIT_USAGE;
  if (!r->drop_in) input_say(&r->in);
  cli_result result = {0};
  asc_input input = asc_input_buffers(r->in.problem);
  if (r->solver->domain == ASC_DOMAIN_GRAPH) {
    if (!r->in.lowering) {
      complain(
          "%s: is a buffer CSV, whose lifespans are given; %s puts the operators of a model's graph in order, see graph CSV",
          r->in.path, r->solver->id);
      return EXIT_USAGE;
    }
    input = asc_input_graph(r->in.lowering);
  }
  r->clock.trace = &r->trace;
  r->clock.graph = r->in.graph;
  if (!trace_open(&r->trace, args_text(&r->args, "trace", NULL))) return EXIT_USAGE;
  r->trace.context = context;
  bool done = search(r, &input, &result);
  bool traced = trace_close(&r->trace);
  if (done && r->in.any_order && result.outcome == ASC_OUTCOME_INFEASIBLE) say_refused(&r->in, r->config.capacity);
  if (done && r->in.any_order && result.outcome == ASC_OUTCOME_FEASIBLE) say_unsearched(&r->in, &r->config);
  int code = done && traced ? answer(r, &result) : EXIT_USAGE;
  result_free(&result);
  return code;
}

int cmd_solve(int argc, char **argv, bool drop_in) {
  cli_flag flags[sizeof solve_flags / sizeof *solve_flags];
  memcpy(flags, solve_flags, sizeof flags);
  request r = {.drop_in = drop_in};
  int code = EXIT_USAGE;
  asc_context *context = NULL;
  if (read_request(&r, argc, argv, flags)) {
    if (new_context(&context))
      code = solve(&r, context);
    else
      complain("out of memory");
  } else
    code = input_code(&r.in);
  input_free(&r.in);
  asc_context_free(context);
  free(r.options);
  args_free(&r.args);
  return code;
}
