/* Lowering by law: random graphs under random options, against a lowering written again from the rules. */
#include "naive_lower.h"

#include <stdio.h>
#include <string.h>

/* ---- laws ------------------------------------------------------------------------------------------------------------ */

/* A schedule has each operator once, behind those whose outputs it reads and those before it on the same variable. */
static void check_schedule(const naive_model *m, const uint32_t *schedule) {
  uint32_t at[NAIVE_OPS];
  memset(at, 0xff, sizeof at);
  for (uint32_t k = 0; k < m->ops; k++) {
    assert_true(schedule[k] < m->ops && at[schedule[k]] == ASC_NONE);
    at[schedule[k]] = k;
  }
  for (uint32_t o = 0; o < m->ops; o++)
    for (uint32_t p = 0; p < o; p++)
      for (uint32_t t = 0; t < m->tensors; t++) {
        if (m->tensor[t].kind & ASC_TENSOR_WORKSPACE) continue;
        bool makes = naive_has(m->outputs[p], m->op[p].output_count, t),
             read = naive_has(m->inputs[o], m->op[o].input_count, t);
        bool both = (makes || naive_has(m->inputs[p], m->op[p].input_count, t)) &&
                    (read || naive_has(m->outputs[o], m->op[o].output_count, t));
        if ((makes && read) || (both && (m->tensor[t].kind & ASC_TENSOR_VARIABLE))) assert_true(at[p] < at[o]);
      }
}

static int64_t load_of(const naive_buffers *e, uint32_t ops) {
  int64_t most = 0;
  for (uint32_t k = 0; k < ops; k++) {
    int64_t load = naive_load(e, k);
    if (load > most) most = load;
  }
  return most;
}

static void check_buffers(const asc_lowering *lowering, const naive_model *m, const naive_sharing *sh,
                          const naive_buffers *e, const char *what) {
  const asc_problem *problem = asc_lowering_problem(lowering);
  const uint32_t *buffers = asc_lowering_buffers(lowering), *workspaces = asc_lowering_workspaces(lowering);
  CHECK(asc_problem_count(problem) == e->count, "%s: %u buffers, expected %u", what, asc_problem_count(problem), e->count);
  for (uint32_t r = 0; r < e->count; r++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, r);
    CHECK(spec->lower == e->rows[r].lower && spec->upper == e->rows[r].upper && spec->size == e->rows[r].size &&
              spec->alignment == e->rows[r].alignment,
          "%s: %s is %d %d %d/%d, expected %d %d %d/%d", what, spec->id, (int)spec->lower, (int)spec->upper, (int)spec->size,
          (int)spec->alignment, (int)e->rows[r].lower, (int)e->rows[r].upper, (int)e->rows[r].size,
          (int)e->rows[r].alignment);
    bool again = false;
    for (uint32_t f = 0; f < r; f++) again |= e->rows[r].tensor != ASC_NONE && e->rows[f].tensor == e->rows[r].tensor;
    if (again) continue;
    if (e->rows[r].op != ASC_NONE)
      assert_int_equal(workspaces[e->rows[r].op], r);
    else {
      assert_int_equal(buffers[e->rows[r].tensor], r);
      assert_string_equal(spec->id, m->tensor[e->rows[r].tensor].id);
    }
  }
  for (uint32_t t = 0; t < m->tensors; t++) assert_int_equal(buffers[t], buffers[sh->group[t]]);
}

/* The greedy rule by definition. */
static void check_greedy(const naive_model *m, const naive_options *s, const naive_sharing *sh, const uint32_t *schedule) {
  bool done[NAIVE_OPS] = {false};
  for (uint32_t k = 0; k < m->ops; k++) {
    int64_t chosen = naive_alive_after(m, s, sh, done, schedule[k]);
    for (uint32_t o = 0; o < m->ops; o++)
      if (naive_ready(m, done, o)) CHECK(naive_alive_after(m, s, sh, done, o) >= chosen, "o%u before o%u", schedule[k], o);
    done[schedule[k]] = true;
  }
}

static const char *const orders[] = {"file", "depth-first", "breadth-first", "greedy"};

/* Under each order: the buffers, the schedule, and over all of them the budgets. */
static void check_model(asc_context *context, const naive_model *m, naive_options *s, const char *what) {
  asc_graph *graph = naive_freeze(context, m);
  naive_sharing sh;
  naive_share(m, s, &sh);
  int64_t least = INT64_MAX;
  asc_budgets budgets[COUNT(orders)];
  for (uint32_t k = 0; k < COUNT(orders); k++) {
    static naive_buffers e;
    asc_lowering *lowering = NULL;
    s->values[NAIVE_ORDER].value = orders[k];
    assert_int_equal(asc_lower(graph, s->values, COUNT(s->values), &lowering, NULL), ASC_OK);
    const uint32_t *schedule = asc_lowering_schedule(lowering);
    check_schedule(m, schedule);
    for (uint32_t o = 0; o < m->ops && k == 0; o++) assert_int_equal(schedule[o], o);
    if (k == 3) check_greedy(m, s, &sh, schedule);
    naive_lower(m, s, schedule, &sh, &e);
    check_buffers(lowering, m, &sh, &e, what);
    int64_t load = load_of(&e, m->ops);
    assert_int_equal(asc_problem_lower_bound(asc_lowering_problem(lowering)), load);
    if (load < least) least = load;
    budgets[k] = asc_lowering_budgets(lowering);
    asc_lowering_free(lowering);
  }
  for (uint32_t k = 0; k < COUNT(orders); k++) {
    assert_int_equal(budgets[k].peak, least);
    assert_int_equal(budgets[k].required, budgets[0].required);
    assert_true(budgets[k].required <= least);
    assert_int_equal(budgets[k].half, (budgets[k].required + least) / 2);
  }
  asc_graph_free(graph);
}

static void test_random_graphs(void **state) {
  (void)state;
  uint32_t cases = test_cases(4000);
  for (uint32_t seed = 0; seed < cases; seed++) {
    asci_rng rng = {seed};
    asc_context *context = test_context();
    static naive_model m;
    naive_options s;
    char what[32];
    naive_draw(&m, &rng);
    naive_draw_options(&s, &rng);
    assert_string_equal(s.values[NAIVE_ORDER].name, "order");
    snprintf(what, sizeof what, "seed %u", seed);
    check_model(context, &m, &s, what);
    test_context_end(context);
  }
}

int run_lower_laws_tests(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_graphs)};
  return cmocka_run_group_tests_name("lower_laws", tests, NULL, NULL);
}
