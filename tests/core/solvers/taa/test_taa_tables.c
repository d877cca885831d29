/* taa: the tables of forbidden differences against the pieces they are made of, byte by byte. */
#include "base/number/multiple.h"
#include "solve/taa/tables.h"
#include "tiles.h"

#include <stdlib.h>
#include <string.h>

/* Whether a byte of each is in the same place at the same time. */
static bool collides(const asc_problem *problem, uint32_t u, uint32_t v, int64_t difference) {
  uint32_t u_count, v_count;
  const asci_piece *p = asci_pieces(problem, u, &u_count), *q = asci_pieces(problem, v, &v_count);
  for (uint32_t i = 0; i < u_count; i++)
    for (uint32_t j = 0; j < v_count; j++) {
      bool together = p[i].first < q[j].end && q[j].first < p[i].end;
      bool apart =
          p[i].window_upper <= difference + q[j].window_lower || difference + q[j].window_upper <= p[i].window_lower;
      if (together && !apart) return true;
    }
  return false;
}

static const asci_taa_pair *pair_of(const asci_taa_tables *tables, uint32_t u, uint32_t v) {
  const asci_taa_pair *found = NULL;
  for (size_t k = tables->row_begin[u]; k < tables->row_begin[u + 1]; k++) {
    if (k > tables->row_begin[u]) assert_true(tables->rows[k - 1].other < tables->rows[k].other);
    const asci_taa_pair *pair = &tables->pairs[tables->rows[k].pair];
    assert_true(pair->u == u || pair->v == u);
    if (tables->rows[k].other == v) found = pair;
  }
  return found;
}

static void check_ranges(const asci_taa_tables *tables, const asci_taa_pair *pair) {
  assert_true(pair->begin < pair->end);
  for (size_t r = pair->begin; r < pair->end; r++) {
    const asci_taa_range *range = &tables->ranges[r];
    assert_true(range->low <= range->high && range->low % pair->grain == 0 && range->high % pair->grain == 0);
    if (r > pair->begin) assert_true(range[-1].high + pair->grain < range->low);
  }
}

/* All differences at which they could touch, and a few beyond, that both alignments allow. */
static void check_pair(const asc_problem *problem, const asci_taa_tables *tables, uint32_t u, uint32_t v, uint32_t *found) {
  const asci_taa_pair *pair = pair_of(tables, u, v), *back = pair_of(tables, v, u);
  assert_ptr_equal(pair, back);
  if (pair) check_ranges(tables, pair);
  int64_t most = asc_problem_buffer(problem, u)->size + asc_problem_buffer(problem, v)->size + 3;
  int64_t grain = asci_common_divisor(asc_problem_buffer(problem, u)->alignment, asc_problem_buffer(problem, v)->alignment);
  if (pair) assert_int_equal(pair->grain, grain);
  for (int64_t d = -most / grain * grain; d <= most; d += grain) {
    bool hit = pair && asci_taa_hit(tables, pair, d), is = collides(problem, u, v, d);
    if (hit != is) test_print_problem(problem, 0);
    CHECK(hit == is, "%u and %u at %d: %d by the table, %d by definition", u, v, (int)d, hit, is);
    *found += hit;
  }
}

static uint32_t make_tables(const asc_problem *problem, const asci_taa_tiles *tiles, asci_taa_tables *tables) {
  uint32_t steps = 0;
  assert_int_equal(asci_taa_tables_new(problem, tiles, tables), ASC_OK);
  for (; tables->making; steps++) assert_int_equal(asci_taa_tables_step(tables), ASC_OK);
  return steps;
}

static void check_all(const asc_problem *problem, uint32_t *found) {
  asci_taa_tiles tiles = {0};
  asci_taa_tables tables = {0};
  assert_int_equal(asci_taa_tiles_new(problem, &tiles), ASC_OK);
  make_tables(problem, &tiles, &tables);
  for (uint32_t u = 0; u < asc_problem_count(problem); u++)
    for (uint32_t v = u + 1; v < asc_problem_count(problem); v++) check_pair(problem, &tables, u, v, found);
  asci_taa_tables_free(problem->context, &tables);
  asci_taa_tiles_free(problem->context, &tiles);
}

static void random_shapes_by_definition(void **state) {
  (void)state;
  asc_context *context = test_context();
  uint32_t found = 0;
  for (uint32_t number = 0; number < test_cases(4000); number++) {
    asci_rng rng = {number};
    test_shape shape = {.min_buffers = 2,
                        .max_buffers = 6,
                        .max_time = 8,
                        .max_size = 24,
                        .max_alignment = number % 3 ? 1 : 4,
                        .zero = 5,
                        .tie = 40,
                        .gap = 20,
                        .window = 60,
                        .rects = 80};
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    check_all(problem, &found);
    asc_problem_free(problem);
  }
  assert_true(found > 1000);
  test_context_end(context);
}

/* Evenly spaced chunks of which some are one after the other, so that every kind of pair of runs is there. */
static uint32_t comb(asci_rng *rng, asc_rect *rects, int64_t time, int64_t *size) {
  int64_t length = asci_random_between(rng, 1, 4), stride = length + asci_random_between(rng, 1, 9), at = 0;
  uint32_t count = (uint32_t)asci_random_between(rng, 1, 9);
  for (uint32_t k = 0; k < count; k++) {
    rects[k] = (asc_rect){time, time + 1 + (int64_t)asci_random_below(rng, 3), at, at + length};
    rects[k].upper = rects[0].upper;
    bool breaks = asci_random_below(rng, 8) == 0;
    at += breaks ? stride + 2 : stride;
  }
  if (rects[count - 1].high > *size) *size = rects[count - 1].high;
  return count;
}

/* A buffer of so many combs, one after the other in time. */
static asc_buffer_spec comb_buffer(asci_rng *rng, asc_rect *rects, uint32_t combs) {
  int64_t size = 1;
  uint32_t count = 0;
  for (uint32_t k = 0; k < combs; k++) count += comb(rng, rects + count, 4 * k, &size);
  asc_buffer_spec spec = test_spec(0, 4 * combs, size);
  spec.shape = rects;
  spec.shape_count = count;
  return spec;
}

static void evenly_spaced_chunks(void **state) {
  (void)state;
  asc_context *context = test_context();
  uint32_t found = 0;
  for (uint32_t number = 0; number < test_cases(4000); number++) {
    asci_rng rng = {number};
    asc_rect rects[3][32];
    asc_buffer_spec specs[3];
    for (uint32_t b = 0; b < 3; b++) {
      specs[b] = comb_buffer(&rng, rects[b], 2);
      specs[b].alignment = asci_random_below(&rng, 3) ? 1 : 2;
    }
    asc_problem *problem = test_problem(context, specs, 3);
    check_all(problem, &found);
    asc_problem_free(problem);
  }
  assert_true(found > 1000);
  test_context_end(context);
}

/* ---- one pair alone, a slice of work at a time ------------------------------------------------------------------------ */

/* Per difference, from minus v's size on, whether a byte of u and one of v are in one place at one time. To be freed. */
static uint8_t *hits_of(const asc_problem *problem) {
  uint32_t u_count, v_count;
  const asci_piece *p = asci_pieces(problem, 0, &u_count), *q = asci_pieces(problem, 1, &v_count);
  int64_t zero = asc_problem_buffer(problem, 1)->size;
  uint8_t *hits = calloc((size_t)(zero + asc_problem_buffer(problem, 0)->size) + 1, 1);
  assert_non_null(hits);
  for (uint32_t i = 0; i < u_count; i++)
    for (uint32_t j = 0; j < v_count; j++) {
      int64_t low = p[i].window_lower - q[j].window_upper + 1, high = p[i].window_upper - q[j].window_lower - 1;
      if (p[i].first < q[j].end && q[j].first < p[i].end) memset(hits + zero + low, 1, (size_t)(high - low + 1));
    }
  return hits;
}

/* That the ranges have each difference that is hit and a multiple of the grain, and no other. */
static void check_gathered(const asc_problem *problem, const asci_taa_gather *g) {
  int64_t zero = asc_problem_buffer(problem, 1)->size, end = asc_problem_buffer(problem, 0)->size;
  uint8_t *hits = hits_of(problem);
  size_t r = 0;
  for (int64_t d = -zero / g->grain * g->grain; d <= end; d += g->grain) {
    while (r < g->joined_count && g->joined[r].high < d) r++;
    bool in = r < g->joined_count && g->joined[r].low <= d;
    CHECK(in == hits[zero + d], "difference %d: %d by the ranges, %d by definition", (int)d, in, hits[zero + d]);
  }
  for (r = 1; r < g->joined_count; r++) assert_true(g->joined[r - 1].high + g->grain < g->joined[r].low);
  free(hits);
}

/* Buffers 0 and 1 of the problem, so much work at a time, which may be drawn. Returns how many ranges there are. */
static size_t gather_pair(const asc_problem *problem, int64_t slice, asci_rng *rng) {
  asci_taa_tiles tiles = {0};
  asci_taa_gather gather = {0};
  bool done = false;
  const asc_buffer_spec *u = asc_problem_buffer(problem, 0), *v = asc_problem_buffer(problem, 1);
  assert_int_equal(asci_taa_tiles_new(problem, &tiles), ASC_OK);
  assert_int_equal(asci_taa_gather_new(problem, &tiles, &gather), ASC_OK);
  gather.most = ASCI_TAA_MOST_RANGES;
  for (uint32_t twice = 0; twice < 2; twice++) {
    asci_taa_gather_begin(&gather, 0, 1, asci_common_divisor(u->alignment, v->alignment));
    for (done = false; !done;) {
      gather.left = rng ? 2 + (int64_t)asci_random_below(rng, (uint64_t)slice) : slice; /* one is for the two tiles */
      assert_int_equal(asci_taa_gather_go_on(&gather, &done), ASC_OK);
    }
    check_gathered(problem, &gather);
  }
  size_t count = gather.joined_count;
  if (count) { /* one more than there may be */
    bool full = false;
    gather.most = count - 1;
    asci_taa_gather_begin(&gather, 0, 1, asci_common_divisor(u->alignment, v->alignment));
    gather.left = INT64_MAX;
    assert_int_equal(asci_taa_gather_go_on(&gather, &full), ASC_OUT_OF_MEMORY);
  }
  asci_taa_gather_free(&gather);
  asci_taa_tiles_free(problem->context, &tiles);
  return count;
}

static void slices_of_work(void **state) {
  (void)state;
  asc_context *context = test_context();
  size_t found = 0;
  for (uint32_t number = 0; number < test_cases(3000); number++) {
    asci_rng rng = {number};
    asc_rect rects[2][64];
    asc_buffer_spec specs[2];
    for (uint32_t b = 0; b < 2; b++) {
      specs[b] = comb_buffer(&rng, rects[b], 3);
      specs[b].alignment = 1 << asci_random_below(&rng, 3);
    }
    asc_problem *problem = test_problem(context, specs, 2);
    found += gather_pair(problem, 1 + number % 9, &rng);
    asc_problem_free(problem);
  }
  assert_true(found > test_cases(3000));
  test_context_end(context);
}

/* Two buffers of so many chunks of a byte each, at these distances. */
static asc_problem *chunks_problem(asc_context *context, uint32_t chunks, int64_t (*next)(uint32_t buffer, uint32_t chunk)) {
  asc_rect *rects = calloc(2 * (size_t)chunks, sizeof *rects);
  asc_buffer_spec specs[2];
  assert_non_null(rects);
  for (uint32_t b = 0; b < 2; b++) {
    int64_t at = 0;
    for (uint32_t k = 0; k < chunks; k++, at += next(b, k)) rects[b * chunks + k] = (asc_rect){0, 1, at, at + 1};
    specs[b] = test_spec(0, 1, rects[b * chunks + chunks - 1].high);
    specs[b].shape = rects + (size_t)b * chunks;
    specs[b].shape_count = chunks;
  }
  asc_problem *problem = test_problem(context, specs, 2);
  free(rects);
  return problem;
}

static size_t gather_chunks(uint32_t chunks, int64_t (*next)(uint32_t buffer, uint32_t chunk)) {
  asc_context *context = test_context();
  asc_problem *problem = chunks_problem(context, chunks, next);
  size_t count = gather_pair(problem, 1 << 14, NULL);
  asc_problem_free(problem);
  test_context_end(context);
  return count;
}

/* More ranges than there is room for at first, and than are joined at once: chunks near each other against spacings that no other has. */
static int64_t apart(uint32_t buffer, uint32_t chunk) {
  return buffer ? 1700 + (int64_t)chunk % 7 * 2 : 3;
}

static void many_ranges(void **state) {
  (void)state;
  assert_true(gather_chunks(90, apart) > 4000);
  assert_true(gather_chunks(540, apart) > 4 * (1u << 16));
}

/* More pairs of runs than are remembered: two runs of two chunks each are hardly ever as far apart as two others, nor are their chunks. */
static int64_t uneven(uint32_t buffer, uint32_t chunk) {
  return 3 + (int64_t)((chunk * 2654435761u + buffer * 40503u) >> 25);
}

static void many_runs(void **state) {
  (void)state;
  assert_true(gather_chunks(760, uneven) > 0);
}

/* The design's count: FSRCNN's hundreds of tiles leave a few ranges for each pair. */
static void networks_leave_few_ranges(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_tiling *tiling = tile_fsrcnn(context);
  asc_problem *problem = tiles_problem(tiling, 0);
  asci_taa_tiles tiles = {0};
  asci_taa_tables tables = {0};
  assert_int_equal(asci_taa_tiles_new(problem, &tiles), ASC_OK);
  make_tables(problem, &tiles, &tables);
  assert_int_equal(tables.pair_count, 6);
  CHECK(tables.range_count == 8, "%d ranges", (int)tables.range_count);
  asci_taa_tables_free(context, &tables);
  asci_taa_tiles_free(context, &tiles);
  asc_problem_free(problem);
  asc_tiling_free(tiling);
  test_context_end(context);
}

/* ---- no memory, and nothing to do -------------------------------------------------------------------------------------- */

/* Each call of the allocator fails in turn while tables are made. */
static void tables_without_memory(void **state) {
  (void)state;
  bool failed = true;
  uint64_t at = 0;
  for (; failed; at++) {
    test_memory memory = {0};
    asc_context *context = test_context_on(&memory);
    asc_problem *problem = chunks_problem(context, 70, uneven); /* many ranges, and many pairs of runs */
    asci_taa_tiles tiles = {0};
    asci_taa_tables tables = {0};
    assert_int_equal(asci_taa_tiles_new(problem, &tiles), ASC_OK);
    memory.fail_at = memory.calls + 1 + at;
    asc_status status = asci_taa_tables_new(problem, &tiles, &tables);
    if (tables.making) assert_int_equal(asci_taa_tables_under_way(&tables), ASC_NONE); /* no pair yet */
    while (!status && tables.making) status = asci_taa_tables_step(&tables);
    failed = status == ASC_OUT_OF_MEMORY;
    assert_true(failed || (!status && tables.pair_count == 1 && tables.range_count > 500));
    asci_taa_tables_free(context, &tables);
    asci_taa_tiles_free(context, &tiles);
    asc_problem_free(problem);
    asc_context_free(context);
    assert_int_equal(memory.live, 0);
  }
  assert_true(at > 25);
}

/* A copy is as what was copied, of tables without a pair as well. */
static void copies_of_tables(void **state) {
  (void)state;
  for (uint32_t pairs = 0; pairs < 2; pairs++) {
    bool failed = true;
    for (uint64_t at = 1; failed; at++) {
      test_memory memory = {0};
      asc_context *context = test_context_on(&memory);
      const asc_buffer_spec specs[] = {test_spec(0, 2, 3), test_spec(pairs ? 1 : 2, 4, 5)};
      asc_problem *problem = test_problem(context, specs, 2);
      asci_taa_tiles tiles = {0};
      asci_taa_tables tables = {0}, copy;
      assert_int_equal(asci_taa_tiles_new(problem, &tiles), ASC_OK);
      make_tables(problem, &tiles, &tables);
      memory.fail_at = memory.calls + at;
      asc_status status = asci_taa_tables_copy(context, &tables, 2, &copy);
      failed = status == ASC_OUT_OF_MEMORY;
      assert_true(failed ? at <= 3 : !status && at == 4);
      assert_true(failed || (copy.pair_count == pairs && !copy.making && copy.row_begin[2] == 2 * (size_t)pairs));
      if (!failed && pairs) assert_true(asci_taa_hit(&copy, &copy.pairs[0], 0) && !asci_taa_hit(&copy, &copy.pairs[0], 3));
      if (!pairs) assert_int_equal(asci_taa_find_clash(&tiles, 0, 0, 1, 0).section, ASC_NONE); /* one after the other */
      asci_taa_tables_free(context, &copy);
      asci_taa_tables_free(context, &tables);
      asci_taa_tiles_free(context, &tiles);
      asc_problem_free(problem);
      asc_context_free(context);
      assert_int_equal(memory.live, 0);
    }
  }
}

int run_taa_tables_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_shapes_by_definition),
      cmocka_unit_test(evenly_spaced_chunks),
      cmocka_unit_test(slices_of_work),
      cmocka_unit_test(many_ranges),
      cmocka_unit_test(many_runs),
      cmocka_unit_test(networks_leave_few_ranges),
      cmocka_unit_test(tables_without_memory),
      cmocka_unit_test(copies_of_tables),
  };
  return cmocka_run_group_tests_name("taa_tables", tests, NULL, NULL);
}
