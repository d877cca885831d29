#include "solve/domain.h"

#include "base/hash.h"
#include "graph/lower.h"

/* ---- buffers --------------------------------------------------------------------------------------------------------- */

static asc_context *context_of_buffers(const asc_input *input) {
  return input->of.buffers && input->of.buffers->frozen ? input->of.buffers->context : NULL;
}

static const asc_problem *buffers(const asc_input *input) {
  return input->of.buffers;
}

static uint64_t digest_buffers(const asc_input *input) {
  return asc_problem_digest(input->of.buffers);
}

static uint32_t no_turns(const asc_input *input) {
  (void)input;
  return 0;
}

static uint32_t count_buffers(const asc_input *input) {
  return input->of.buffers->count;
}

/* Traffic is no goal of theirs. */
static int64_t bound_buffers(const asc_input *input, asc_goal goal) {
  (void)goal;
  return asc_problem_lower_bound(input->of.buffers);
}

static asc_status validate_buffers(const asc_input *input, const asc_plan *plan, int64_t capacity, asc_violation *violations,
                                   size_t room, size_t *count) {
  return asc_validate(input->of.buffers, plan->offsets, capacity, violations, room, count);
}

/* Whose lifespans are given stays where it is. */
static int64_t cost_of_buffers(const asc_input *input, const asc_plan *plan, asc_goal goal) {
  return goal == ASC_GOAL_TRAFFIC ? 0 : asc_height(input->of.buffers, plan->offsets);
}

/* Where models are not read, nothing of them is linked. */
#if !defined ASC_ONLY_LEAN && !defined ASC_ONLY_FEWER
#define ASCI_HAS_GRAPHS
#endif

#ifdef ASCI_HAS_GRAPHS
/* ---- graphs ---------------------------------------------------------------------------------------------------------- */

static asc_context *context_of_graph(const asc_input *input) {
  return input->of.graph ? input->of.graph->lowered.context : NULL;
}

static const asc_problem *buffers_of_graph(const asc_input *input) {
  return asc_lowering_problem(input->of.graph);
}

static uint64_t digest_graph(const asc_input *input) {
  return asci_graph_digest(input->of.graph);
}

static uint32_t count_operators(const asc_input *input) {
  return input->of.graph->lowered.graph->op_count;
}

/* Each stay begins with a use. */
static uint32_t most_stays(const asc_input *input) {
  const asc_graph *g = input->of.graph->lowered.graph;
  size_t most = g->uses + g->tensor_count + (size_t)g->op_count;
  return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}

static int64_t bound_graph(const asc_input *input, asc_goal goal) {
  return goal == ASC_GOAL_TRAFFIC ? 0 : input->of.graph->bound;
}

static asc_status validate_graph(const asc_input *input, const asc_plan *plan, int64_t capacity, asc_violation *violations,
                                 size_t room, size_t *count) {
  return asci_graph_validate(input->of.graph, plan, capacity, violations, room, count);
}

static int64_t cost_of_graph(const asc_input *input, const asc_plan *plan, asc_goal goal) {
  return goal == ASC_GOAL_TRAFFIC ? asci_graph_traffic(input->of.graph, plan) : asci_graph_height(input->of.graph, plan);
}

/* ---- selections: a graph of which a part stays outside ------------------------------------------------------------------ */

static int64_t bound_selection(const asc_input *input, asc_goal goal) {
  (void)input;
  (void)goal;
  return 0;
}

static asc_status validate_selection(const asc_input *input, const asc_plan *plan, int64_t capacity,
                                     asc_violation *violations, size_t room, size_t *count) {
  return asci_selection_validate(input->of.graph, plan, capacity, violations, room, count);
}

static int64_t cost_of_selection(const asc_input *input, const asc_plan *plan, asc_goal goal) {
  return goal == ASC_GOAL_TRAFFIC ? asci_selection_traffic(input->of.graph, plan) : asci_graph_height(input->of.graph, plan);
}

#endif

/* ---- the table ------------------------------------------------------------------------------------------------------- */

static const asci_domain domains[ASC_DOMAIN_COUNT] = {
    [ASC_DOMAIN_BUFFERS] = {.id = "buffers",
                            .context = context_of_buffers,
                            .problem = buffers,
                            .digest = digest_buffers,
                            .turns = no_turns,
                            .most = count_buffers,
                            .bound = bound_buffers,
                            .validate = validate_buffers,
                            .cost = cost_of_buffers},
#ifdef ASCI_HAS_GRAPHS
    [ASC_DOMAIN_GRAPH] = {.id = "graph",
                          .context = context_of_graph,
                          .problem = buffers_of_graph,
                          .digest = digest_graph,
                          .turns = count_operators,
                          .most = most_stays,
                          .bound = bound_graph,
                          .validate = validate_graph,
                          .cost = cost_of_graph},
    [ASC_DOMAIN_SELECTION] = {.id = "selection",
                              .context = context_of_graph,
                              .problem = buffers_of_graph,
                              .digest = digest_graph,
                              .turns = count_operators,
                              .most = most_stays,
                              .bound = bound_selection,
                              .validate = validate_selection,
                              .cost = cost_of_selection},
#else
    [ASC_DOMAIN_GRAPH] = {.id = "graph"},
    [ASC_DOMAIN_SELECTION] = {.id = "selection"},
#endif
};

static const struct {
  const char *id;
} goals[ASC_GOAL_COUNT] = {
#define ASC_GOAL(name, id, title, text) {id},
#include "asc/goals.def"
#undef ASC_GOAL
};

const asci_domain *asci_domain_of(const asc_input *input) {
  return (size_t)input->domain < ASC_DOMAIN_COUNT && domains[input->domain].context ? &domains[input->domain] : NULL;
}

const char *asc_domain_id(asc_domain domain) {
  return (size_t)domain < ASC_DOMAIN_COUNT ? domains[domain].id : "unknown";
}

const char *asc_goal_id(asc_goal goal) {
  return (size_t)goal < ASC_GOAL_COUNT ? goals[goal].id : "unknown";
}

uint64_t asc_input_digest(const asc_input *input) {
  return asci_fold(asci_domain_of(input)->digest(input), (uint64_t)input->domain);
}

asc_status asc_plan_validate(const asc_input *input, const asc_plan *plan, int64_t capacity, asc_violation *violations,
                             size_t room, size_t *count) {
  const asci_domain *domain = input && plan && count && (violations || !room) ? asci_domain_of(input) : NULL;
  if (!domain || !domain->context(input)) return ASC_BAD_ARGUMENT;
  bool whole = domain->turns(input) ? plan->order && (plan->stays || !plan->stay_count) : plan->offsets != NULL;
  return whole ? domain->validate(input, plan, capacity, violations, room, count) : ASC_BAD_ARGUMENT;
}

void asc_plan_moves(const asc_lowering *lowering, const asc_plan *plan, int64_t *spilled, int64_t *fetched) {
  asci_graph_moves(lowering, plan, spilled, fetched);
}

int64_t asc_plan_cost(const asc_input *input, const asc_plan *plan, asc_goal goal) {
  return asci_domain_of(input)->cost(input, plan, goal);
}
