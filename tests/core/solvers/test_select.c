/* What lives in fast memory: accesses counted by hand, the cases in which packing anew helps, and the rule against all orders of few buffers. */
#include "support.h"

#include "solve/select/select.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 6 };

typedef struct end {
  asc_select_stats stats;
  asc_select_row rows[MOST];
} end;

static end select_all(const asc_problem *problem, const uint32_t *accesses, const asc_select_config *config) {
  asc_selection *selection = NULL;
  asc_diag diag = {0};
  CHECK(asci_select_new(problem, accesses, config, &selection, &diag) == ASC_OK, "%s %s", diag.field, diag.message);
  bool over = false;
  for (uint32_t slice = 0; !over && slice < 1u << 20; slice++)
    assert_int_equal(asc_select_step(selection, 1 + slice % 3, &over), ASC_OK);
  assert_true(over);
  end e = {.stats = asc_select_stats_get(selection)};
  uint32_t count;
  const asc_select_row *rows = asc_select_rows(selection, &count);
  memcpy(e.rows, rows, count * sizeof *rows);
  /* a plan of two pools */
  asc_problem *split = NULL;
  int64_t offsets[MOST];
  size_t wrong = 0;
  assert_int_equal(asc_select_problem(selection, &split, offsets), ASC_OK);
  assert_int_equal(asc_validate(split, offsets, ASC_MAX_BYTES, NULL, 0, &wrong), ASC_OK);
  assert_int_equal(wrong, 0);
  for (uint32_t k = 0; k < count; k++) {
    bool fast = rows[k].offset != ASC_UNPLACED;
    assert_int_equal(asc_problem_buffer(split, rows[k].buffer)->pool, fast);
    if (fast) assert_int_equal(offsets[rows[k].buffer], rows[k].offset);
  }
  asc_problem_free(split);
  asc_select_free(selection);
  return e;
}

static asc_select_config config_of(int64_t capacity, const char *repacker, bool with) {
  asc_select_config config = asc_select_config_default(capacity);
  config.repacker.solver = repacker;
  config.with = with;
  return config;
}

/* ---- by hand --------------------------------------------------------------------------------------------------------- */

static void all_fit(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[] = {test_spec(2, 4, 4), test_spec(0, 4, 6), test_spec(0, 2, 4)};
  asc_problem *problem = test_problem(context, specs, 3);
  const uint32_t accesses[] = {1, 3, 2};
  asc_select_config config = config_of(10, "exact", true);
  end e = select_all(problem, accesses, &config);
  assert_int_equal(e.stats.fast, 3);
  assert_int_equal(e.stats.repacks, 0);
  assert_int_equal(e.stats.bytes, 4 + 18 + 8);
  assert_int_equal(e.stats.fast_bytes, e.stats.bytes);
  const uint32_t order[] = {1, 2, 0};
  for (uint32_t k = 0; k < 3; k++) assert_int_equal(e.rows[k].buffer, order[k]);
  asc_problem_free(problem);
  test_context_end(context);
}

/* p below q; r finds three bytes below q and two above. */
static void a_repack_makes_room(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[] = {test_spec(0, 2, 3), test_spec(1, 4, 3), test_spec(3, 6, 5)};
  asc_problem *problem = test_problem(context, specs, 3);
  const uint32_t accesses[] = {9, 8, 1};
  asc_select_config config = config_of(8, NULL, true);
  end without = select_all(problem, accesses, &config);
  assert_int_equal(without.stats.fast, 2);
  assert_int_equal(without.rows[2].verdict, ASC_SELECT_NO_ROOM);
  config.repacker = asc_run_config_default("exact", 0);
  end with = select_all(problem, accesses, &config);
  assert_int_equal(with.stats.fast, 3);
  assert_int_equal(with.stats.repacks, 1);
  assert_int_equal(with.stats.repacked, 1);
  assert_int_equal(with.rows[2].verdict, ASC_SELECT_REPACKED);
  config.most_repacks = 0;
  assert_int_equal(select_all(problem, accesses, &config).stats.fast, 2);
  asc_problem_free(problem);
  test_context_end(context);
}

static void who_is_in_nobodys_use_or_too_large_stays_out(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[] = {test_spec(0, 2, 3), test_spec(0, 2, 30), test_spec(3, 6, 0)};
  asc_problem *problem = test_problem(context, specs, 3);
  const uint32_t accesses[] = {0, 5, 1};
  asc_select_config config = config_of(8, "exact", false);
  end e = select_all(problem, accesses, &config);
  assert_int_equal(e.stats.fast, 0);
  assert_int_equal(e.stats.repacks, 0);
  assert_int_equal(e.rows[0].verdict, ASC_SELECT_NO_ROOM);
  assert_int_equal(e.rows[1].verdict, ASC_SELECT_UNUSED);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- accesses -------------------------------------------------------------------------------------------------------- */

/* x is read by both a and b; r names the bytes of s once more, which is no access of its own; c reads s and x, and has a workspace. */
static void accesses_are_counted(void **state) {
  (void)state;
  asc_context *context = test_context();
  static const char text[] = "tensor,x,16,input\ntensor,p,8\ntensor,s,8\ntensor,r,8\ntensor,y,4,output\n"
                             "op,a,A,x,p\nop,b,B,x;p,s\nop,n,N,s,r,,r=s\nop,c,C,r;x,y,,,6\n";
  asc_graph *graph = NULL;
  asc_diag diag = {0};
  size_t count = 0;
  asc_status status = asc_graph_csv_read(context, text, sizeof text - 1, &graph, &diag, 1, &count);
  CHECK(status == ASC_OK, "%u:%u %s %s", diag.line, diag.column, diag.field, diag.message);
  asc_lowering *lowering = NULL;
  assert_int_equal(asc_lower(graph, NULL, 0, &lowering, NULL), ASC_OK);
  uint32_t accesses[8] = {0};
  const asc_problem *problem = asc_lowering_problem(lowering);
  assert_int_equal(asc_problem_count(problem), 5);
  assert_int_equal(asci_count_accesses(lowering, accesses), ASC_OK);
  static const struct {
    const char *id;
    uint32_t accesses;
  } expected[] = {{"x", 3}, {"p", 2}, {"s", 2}, {"y", 1}, {"c:workspace", 2}};
  for (uint32_t k = 0; k < COUNT(expected); k++)
    CHECK(accesses[asc_problem_find(problem, expected[k].id)] == expected[k].accesses, "%s: %u", expected[k].id,
          accesses[asc_problem_find(problem, expected[k].id)]);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  test_context_end(context);
}

/* ---- the rule, against all orders ------------------------------------------------------------------------------------ */

/* Whether those of the set fit: if they do, some order finds it, each as low as it goes. Placed: the first `depth` of order. */
static bool packable(const asc_problem *problem, uint32_t set, int64_t capacity, uint32_t *order, int64_t *offsets,
                     uint32_t depth) {
  bool any = false;
  for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
    if (!(set >> b & 1) || depth == MOST) continue;
    any = true;
    const asc_buffer_spec *own = asc_problem_buffer(problem, b);
    int64_t at = 0;
    for (uint32_t moved = 1; moved;) {
      moved = 0;
      for (uint32_t k = 0; k < depth; k++) {
        const asc_buffer_spec *other = asc_problem_buffer(problem, order[k]);
        bool meet = own->lower < other->upper && other->lower < own->upper;
        if (!meet || at + own->size <= offsets[k] || at >= offsets[k] + other->size) continue;
        at = offsets[k] + other->size;
        moved = 1;
      }
    }
    if (at + own->size > capacity) continue;
    order[depth] = b;
    offsets[depth] = at;
    if (packable(problem, set & ~(1u << b), capacity, order, offsets, depth + 1)) return true;
  }
  return !any;
}

static void in_goes_what_can_be_packed(void **state) {
  (void)state;
  asc_context *context = test_context();
  asci_rng rng = {4711};
  const test_shape shape = {.min_buffers = 2, .max_buffers = MOST, .max_time = 7, .max_size = 9, .max_alignment = 1};
  uint32_t helped = 0;
  for (uint32_t k = 0; k < test_cases(600); k++) {
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    uint32_t n = asc_problem_count(problem), accesses[MOST], order[MOST], set = 0;
    int64_t offsets[MOST], capacity = 4 + (int64_t)asci_random_below(&rng, 14);
    for (uint32_t b = 0; b < n; b++) accesses[b] = (uint32_t)asci_random_below(&rng, 4);
    asc_select_config config = config_of(capacity, "exact", true);
    config.repacker.budget = 0;
    end e = select_all(problem, accesses, &config);
    for (uint32_t r = 0; r < n; r++) {
      const asc_select_row *row = &e.rows[r];
      uint32_t with = set | 1u << row->buffer;
      bool in = row->bytes && packable(problem, with, capacity, order, offsets, 0);
      CHECK(in == (row->offset != ASC_UNPLACED), "case %u, row %u: verdict %d", k, r, row->verdict);
      if (in) set = with;
      helped += row->verdict == ASC_SELECT_REPACKED;
    }
    config = config_of(capacity, "exact", false);
    select_all(problem, accesses, &config);
    asc_problem_free(problem);
  }
  CHECK(helped, "nothing was ever packed anew");
  test_context_end(context);
}

int run_select_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_fit),
      cmocka_unit_test(a_repack_makes_room),
      cmocka_unit_test(who_is_in_nobodys_use_or_too_large_stays_out),
      cmocka_unit_test(accesses_are_counted),
      cmocka_unit_test(in_goes_what_can_be_packed),
  };
  return cmocka_run_group_tests_name("select", tests, NULL, NULL);
}
