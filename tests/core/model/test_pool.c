/* Pools and shapes in the model: what is taken, sections and bounds, the parts, the validator against memory filled byte by byte, the CSV, and
 * who solves or refuses them. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 12, BYTES = 24, BUFFERS = 6, RECTS = 5 };

/* ---- what is taken ---------------------------------------------------------------------------------------------------- */

static asc_buffer_spec shaped(const asc_rect *shape, uint32_t count) {
  asc_buffer_spec spec = test_spec(0, 8, 10);
  spec.id = "x";
  spec.shape = shape;
  spec.shape_count = count;
  return spec;
}

static void refuses(const asc_rect *shape, uint32_t count, const char *expected) {
  asc_context *context = test_context();
  asc_problem *problem;
  asc_diag diag;
  asc_buffer_spec spec = shaped(shape, count);
  assert_int_equal(asc_problem_new(context, &problem), ASC_OK);
  assert_int_equal(asc_problem_add(problem, &spec, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.field, "shape");
  CHECK(strstr(diag.message, expected), "\"%s\" has no \"%s\"", diag.message, expected);
  asc_problem_free(problem);
  test_context_end(context);
}

static void shapes_are_rectangles_apart(void **state) {
  (void)state;
  refuses((asc_rect[]){{3, 3, 0, 4}}, 1, "3-3@0:4, expected a rectangle that begins before it ends");
  refuses((asc_rect[]){{3, 9, 0, 4}}, 1, "inside the lifespan");
  refuses((asc_rect[]){{3, 4, 4, 4}}, 1, "addresses in order, inside the size");
  refuses((asc_rect[]){{3, 4, 4, 11}}, 1, "addresses in order, inside the size");
  refuses((asc_rect[]){{3, 5, 0, 4}, {2, 3, 0, 4}}, 2, "in order of time, then of address");
  refuses((asc_rect[]){{3, 5, 4, 6}, {3, 5, 0, 4}}, 2, "in order of time, then of address");
  refuses((asc_rect[]){{1, 5, 0, 4}, {3, 6, 3, 6}}, 2, "3-6@3:6, expected rectangles that do not overlap");
  refuses((asc_rect[]){{1, 5, 4, 6}, {2, 6, 3, 5}}, 2, "that do not overlap");
  refuses((asc_rect[]){{1, 7, 4, 6}, {2, 6, 0, 2}, {3, 4, 5, 8}}, 3, "that do not overlap");
}

/* A rectangle that begins where another ends, in time or in address, does not overlap it. */
static void sections_count_shapes(void **state) {
  (void)state;
  asc_context *context = test_context();
  /*  10 +-----+
      6  |  c  +--+         times 0..8, size 10
         +--+--+b |
      0  |a +--+--+   */
  const asc_rect shape[] = {{0, 2, 0, 6}, {0, 4, 6, 10}, {2, 6, 0, 3}, {4, 6, 3, 6}};
  asc_buffer_spec specs[] = {shaped(shape, 4), test_spec(1, 5, 7)};
  specs[1].id = "y";
  asc_problem *problem = test_problem(context, specs, 2);
  const struct {
    int64_t lower, load;
    uint32_t live;
  } expected[] = {{0, 10, 1}, {1, 17, 2}, {2, 14, 2}, {4, 13, 2}, {5, 6, 1}};
  assert_int_equal(asc_problem_section_count(problem), COUNT(expected));
  for (uint32_t k = 0; k < COUNT(expected); k++) {
    const asc_section *section = &asc_problem_sections(problem)[k];
    assert_int_equal(section->lower, expected[k].lower);
    assert_int_equal(section->load, expected[k].load);
    assert_int_equal(section->live, expected[k].live);
  }
  assert_int_equal(asc_problem_lower_bound(problem), 17);
  assert_int_equal(asc_problem_cuts(problem)[0], 1);
  assert_int_equal(asc_problem_cuts(problem)[1], 2);
  asc_problem_free(problem);
  test_context_end(context);
}

static void pools_are_named_once(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem;
  asc_diag diag;
  uint32_t index = 0;
  assert_int_equal(asc_problem_new(context, &problem), ASC_OK);
  assert_int_equal(asc_problem_add_pool(problem, &(asc_pool){"dram", 100, 4, 0}, &index, &diag), ASC_OK);
  assert_int_equal(index, 1);
  assert_int_equal(asc_problem_add_pool(problem, &(asc_pool){"dram", 100, 4, 0}, NULL, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.field, "id");
  assert_int_equal(asc_problem_add_pool(problem, &(asc_pool){"", 0, 1, 0}, NULL, &diag), ASC_BAD_INPUT);
  assert_int_equal(asc_problem_add_pool(problem, &(asc_pool){"x", -1, 1, 0}, NULL, &diag), ASC_BAD_INPUT);
  assert_int_equal(asc_problem_add_pool(problem, &(asc_pool){"x", 0, 0, 0}, NULL, &diag), ASC_BAD_INPUT);
  asc_buffer_spec spec = test_spec(0, 1, 4);
  spec.id = "a";
  spec.pool = 2;
  assert_int_equal(asc_problem_add(problem, &spec, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.field, "pool");
  char id[] = "p00";
  for (uint32_t p = 2; p < ASC_MAX_POOLS; p++) {
    id[1] = (char)('0' + p / 10);
    id[2] = (char)('0' + p % 10);
    assert_int_equal(asc_problem_add_pool(problem, &(asc_pool){id, 0, 1, 0}, NULL, &diag), ASC_OK);
  }
  assert_int_equal(asc_problem_add_pool(problem, &(asc_pool){"more", 0, 1, 0}, NULL, &diag), ASC_TOO_LARGE);
  asc_problem_free(problem);
  test_context_end(context);
}

/* A problem without buffers, of the main memory and one pool more. */
static asc_problem *with_pool(asc_context *context, asc_pool pool) {
  asc_problem *problem;
  assert_int_equal(asc_problem_new(context, &problem), ASC_OK);
  assert_int_equal(asc_problem_add_pool(problem, &pool, NULL, NULL), ASC_OK);
  return problem;
}

/* What does not fit into the bank of its pool, or has no common alignment with it, is refused by the pool's name. */
static void pool_refuses(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = with_pool(context, (asc_pool){"dram", 64, 6, 5});
  asc_diag diag;
  asc_buffer_spec spec = test_spec(0, 4, 7);
  spec.id = "a";
  spec.pool = 1;
  assert_int_equal(asc_problem_add(problem, &spec, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.field, "pool");
  assert_string_equal(diag.message, "is \xe2\x80\x9c"
                                    "dram\xe2\x80\x9d, in which bank is 5, expected at least the size, 7");
  assert_int_equal(asc_problem_add(problem, &spec, NULL), ASC_BAD_INPUT);
  spec.size = 5;
  spec.offset = 4;
  assert_int_equal(asc_problem_add(problem, &spec, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.field, "pool");
  spec.offset = 30;
  assert_int_equal(asc_problem_add(problem, &spec, &diag), ASC_OK);
  assert_int_equal(asc_problem_freeze(problem, &diag), ASC_OK);
  asc_problem_free(problem);
  test_context_end(context);
}

/* Long names are cut between characters, here before an e with an accent at the fortieth byte. */
static void pool_is_named_in_whole_characters(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = with_pool(context, (asc_pool){"123456789012345678901234567890123456789\xc3\xa9", 64, 6, 5});
  asc_diag diag;
  asc_buffer_spec spec = test_spec(0, 4, 7);
  spec.id = "a";
  spec.pool = 1;
  assert_int_equal(asc_problem_add(problem, &spec, &diag), ASC_BAD_INPUT);
  CHECK(strstr(diag.message, "6789\xe2\x80\x9d, in which bank"), "%s", diag.message);
  asc_problem_free(problem);
  test_context_end(context);
}

/* Each buffer has an alignment of 1, and all together that of their pool, which is too much. */
static void freeze_refuses_too_many_alignments(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = with_pool(context, (asc_pool){"dram", 0, ASC_MAX_BYTES, 0});
  asc_diag diag;
  char id[8];
  for (uint32_t k = 0; k < 600; k++) {
    asc_buffer_spec spec = test_spec(0, 4, 0);
    snprintf(id, sizeof id, "b%u", k);
    spec.id = id;
    spec.pool = 1;
    assert_int_equal(asc_problem_add(problem, &spec, &diag), ASC_OK);
  }
  assert_int_equal(asc_problem_freeze(problem, &diag), ASC_TOO_LARGE);
  assert_string_equal(diag.field, "alignment");
  asc_problem_free(problem);
  test_context_end(context);
}

/* Each pool is a problem of its own, with the pool's alignment and bank; heights and bounds add up. */
static void parts_are_problems(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem;
  asc_diag diag;
  assert_int_equal(asc_problem_new(context, &problem), ASC_OK);
  assert_int_equal(asc_problem_add_pool(problem, &(asc_pool){"dram", 64, 6, 32}, NULL, NULL), ASC_OK);
  asc_buffer_spec specs[] = {test_spec(0, 4, 10), test_spec(2, 6, 7), test_spec(0, 9, 5), test_spec(3, 4, 1)};
  const char *const ids[] = {"a", "b", "c", "d"};
  const uint32_t pools[] = {0, 1, 1, ASC_POOL_ANY};
  specs[1].alignment = 4;
  for (uint32_t b = 0; b < 4; b++) {
    specs[b].id = ids[b];
    specs[b].pool = pools[b];
    assert_int_equal(asc_problem_add(problem, &specs[b], &diag), ASC_OK);
  }
  assert_int_equal(asc_problem_freeze(problem, &diag), ASC_OK);
  assert_int_equal(asc_problem_pool_count(problem), 2);
  const asc_problem *part = asc_problem_part(problem, 1);
  assert_int_equal(asc_problem_count(part), 2);
  assert_int_equal(asc_problem_part_buffers(problem, 1)[0], 1);
  assert_int_equal(asc_problem_part_buffers(problem, 1)[1], 2);
  assert_null(asc_problem_part_buffers(problem, 2));
  assert_int_equal(asc_problem_buffer(part, 0)->alignment, 12);
  assert_int_equal(asc_problem_buffer(part, 1)->alignment, 6);
  assert_int_equal(asc_problem_buffer(part, 0)->bank, 32);
  assert_int_equal(asc_problem_lower_bound(part), 12);
  assert_int_equal(asc_problem_lower_bound(asc_problem_part(problem, 0)), 10);
  assert_int_equal(asc_problem_lower_bound(problem), 22);
  assert_null(asc_problem_part(problem, 2));
  assert_int_equal(asc_height(problem, (int64_t[]){0, 12, 0, ASC_UNPLACED}), 10 + 19);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- the validator ---------------------------------------------------------------------------------------------------- */

static bool takes(const asc_buffer_spec *spec, int64_t time, int64_t byte) {
  if (time < spec->lower || time >= spec->upper || byte < 0 || byte >= spec->size) return false;
  for (uint32_t r = 0; r < spec->shape_count; r++) {
    const asc_rect *rect = &spec->shape[r];
    if (rect->lower <= time && time < rect->upper && rect->low <= byte && byte < rect->high) return true;
  }
  return spec->shape_count == 0;
}

static bool clash(const asc_buffer_spec *a, int64_t at, const asc_buffer_spec *b, int64_t other) {
  if (a->pool != b->pool) return false;
  for (int64_t time = 0; time < TIMES; time++)
    for (int64_t byte = 0; byte < a->size; byte++)
      if (takes(a, time, byte) && takes(b, time, at + byte - other)) return true;
  return false;
}

static int before(const void *a, const void *b) {
  const asc_rect *x = a, *y = b;
  if (x->lower != y->lower) return x->lower < y->lower ? -1 : 1;
  return (x->low > y->low) - (x->low < y->low);
}

/* Rectangles drawn until RECTS were, those that overlap others left out. */
static uint32_t random_shape(asci_rng *rng, const asc_buffer_spec *spec, asc_rect *shape) {
  uint32_t count = 0;
  for (uint32_t draw = 0; draw < RECTS; draw++) {
    asc_rect rect = {.lower = asci_random_between(rng, spec->lower, spec->upper - 1),
                     .low = asci_random_between(rng, 0, spec->size - 1)};
    rect.upper = asci_random_between(rng, rect.lower + 1, spec->upper);
    rect.high = asci_random_between(rng, rect.low + 1, spec->size);
    bool apart = true;
    for (uint32_t r = 0; r < count; r++)
      apart &= rect.upper <= shape[r].lower || shape[r].upper <= rect.lower || rect.high <= shape[r].low ||
               shape[r].high <= rect.low;
    if (apart) shape[count++] = rect;
  }
  qsort(shape, count, sizeof *shape, before);
  return count;
}

static asc_problem *random_problem(asc_context *context, asci_rng *rng, bool pools) {
  static const char *const ids[BUFFERS] = {"a", "b", "c", "d", "e", "f"};
  asc_problem *problem;
  asc_rect shape[RECTS];
  assert_int_equal(asc_problem_new(context, &problem), ASC_OK);
  if (pools) assert_int_equal(asc_problem_add_pool(problem, &(asc_pool){"near", 0, 2, 0}, NULL, NULL), ASC_OK);
  if (pools) assert_int_equal(asc_problem_add_pool(problem, &(asc_pool){"far", BYTES + 8, 1, 12}, NULL, NULL), ASC_OK);
  for (uint32_t b = 0; b < BUFFERS; b++) {
    asc_buffer_spec spec = test_spec(asci_random_between(rng, 0, TIMES - 2), TIMES, asci_random_between(rng, 1, 12));
    spec.id = ids[b];
    spec.upper = asci_random_between(rng, spec.lower + 1, TIMES);
    if (asci_random_below(rng, 3)) spec.shape_count = random_shape(rng, &spec, shape);
    spec.shape = spec.shape_count ? shape : NULL;
    if (pools) spec.pool = (uint32_t)asci_random_below(rng, 3);
    assert_int_equal(asc_problem_add(problem, &spec, NULL), ASC_OK);
  }
  assert_int_equal(asc_problem_freeze(problem, NULL), ASC_OK);
  return problem;
}

/* Violations of a plan, each pair once. */
static size_t naive_violations(const asc_problem *problem, const int64_t *offsets, int64_t capacity) {
  size_t count = 0;
  for (uint32_t b = 0; b < BUFFERS; b++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
    const asc_pool *pool = asc_problem_pool(problem, spec->pool);
    count += offsets[b] + spec->size > (pool->capacity ? pool->capacity : capacity);
    count += offsets[b] % pool->alignment != 0;
    bool crosses = false;
    for (int64_t line = pool->bank; pool->bank && line < 2 * BYTES; line += pool->bank)
      crosses |= offsets[b] < line && line < offsets[b] + spec->size;
    count += crosses;
    for (uint32_t other = 0; other < b; other++)
      count += clash(spec, offsets[b], asc_problem_buffer(problem, other), offsets[other]);
  }
  return count;
}

static void validator_equals_bytes(void **state) {
  (void)state;
  asci_rng rng = {11};
  uint32_t valid = 0, cases = test_cases(4000);
  for (uint32_t k = 0; k < cases; k++) {
    asc_context *context = test_context();
    asc_problem *problem = random_problem(context, &rng, k % 2);
    asc_violation found[256];
    int64_t offsets[BUFFERS];
    for (uint32_t b = 0; b < BUFFERS; b++) offsets[b] = asci_random_between(&rng, 0, BYTES);
    size_t count = 0, expected = naive_violations(problem, offsets, BYTES);
    assert_int_equal(asc_validate(problem, offsets, BYTES, found, COUNT(found), &count), ASC_OK);
    CHECK(count == expected, "case %u: %zu violations, expected %zu", k, count, expected);
    for (size_t v = 0; v < count; v++)
      for (size_t w = 0; w < v; w++) assert_memory_not_equal(&found[v], &found[w], sizeof *found);
    valid += count == 0;
    asc_problem_free(problem);
    test_context_end(context);
  }
  assert_true(valid > cases / 400);
}

/* ---- who solves them -------------------------------------------------------------------------------------------------- */

/* First fit by the words: the lowest address at which nobody placed before is in the way. */
static void greedy_fits_shapes_into_each_other(void **state) {
  (void)state;
  asci_rng rng = {12};
  uint32_t nested = 0, cases = test_cases(600);
  for (uint32_t k = 0; k < cases; k++) {
    asc_context *context = test_context();
    asc_problem *problem = random_problem(context, &rng, false);
    asc_run_config config = asc_run_config_default("greedy", ASC_MAX_BYTES);
    asc_run *run = test_run_new(problem, &config);
    asc_outcome outcome = test_finish(run);
    assert_true(outcome == ASC_OUTCOME_FEASIBLE || outcome == ASC_OUTCOME_OPTIMAL);
    const int64_t *best = asc_run_best(run);
    assert_int_equal(naive_violations(problem, best, ASC_MAX_BYTES), 0);
    for (uint32_t a = 0; a < BUFFERS; a++)
      for (uint32_t b = 0; b < BUFFERS; b++) {
        const asc_buffer_spec *x = asc_problem_buffer(problem, a), *y = asc_problem_buffer(problem, b);
        bool meet = x->lower < y->upper && y->lower < x->upper;
        nested += a != b && meet && best[a] < best[b] + y->size && best[b] < best[a] + x->size;
      }
    asc_run_free(run);
    asc_problem_free(problem);
    test_context_end(context);
  }
  assert_true(nested > cases / 4);
}

static void others_refuse_by_name(void **state) {
  (void)state;
  asc_context *context = test_context();
  const asc_rect shape[] = {{0, 4, 0, 5}, {4, 8, 5, 10}};
  asc_buffer_spec spec = shaped(shape, 2);
  asc_problem *problem = test_problem(context, &spec, 1);
  for (uint32_t s = 0; s < test_solver_count(); s++) {
    const asc_solver_info *solver = asc_solver_at(s);
    if (solver->supports & ASC_SUPPORTS_SHAPES) continue;
    asc_run_config config = asc_run_config_default(solver->id, 64);
    asc_run *run;
    asc_diag diag;
    assert_int_equal(asc_run_new(asc_input_buffers(problem), &config, &run, &diag), ASC_UNSUPPORTED);
    assert_string_equal(diag.field, "shape");
  }
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- the file --------------------------------------------------------------------------------------------------------- */

static asc_csv *read_csv(asc_context *context, const char *text) {
  asc_csv *csv;
  asc_diag diag = {0};
  size_t count = 0;
  asc_status status = asc_csv_read(context, text, strlen(text), ASC_OFFSETS_FIXED, &csv, &diag, 1, &count);
  CHECK(status == ASC_OK, "line %u: %s %s", diag.line, diag.field, diag.message);
  return csv;
}

static void expect_error(const char *text, uint32_t line, const char *field, const char *message) {
  asc_context *context = test_context();
  asc_csv *csv;
  asc_diag diag = {0};
  size_t count = 0;
  assert_int_equal(asc_csv_read(context, text, strlen(text), ASC_OFFSETS_FIXED, &csv, &diag, 1, &count), ASC_BAD_INPUT);
  assert_int_equal(diag.line, line);
  assert_string_equal(diag.field, field);
  CHECK(strstr(diag.message, message), "\"%s\" has no \"%s\"", diag.message, message);
  test_context_end(context);
}

static void csv_reads_what_it_wrote(void **state) {
  (void)state;
  static const char text[] = "pool,dram,4096,64,0\n"
                             "pool,\"l2,near\",0,1,128\n"
                             "id,lower,upper,size,pool,shape,note\n"
                             "a,0,4,10,,0-2@0:6 0-4@6:10,x\n"
                             "b,1,5,7,dram,,y\n"
                             "c,1,5,7,\"l2,near\",,\n"
                             "d,1,5,7,*,,\n";
  asc_context *context = test_context();
  asc_csv *csv = read_csv(context, text), *again;
  const asc_problem *problem = asc_csv_problem(csv);
  assert_int_equal(asc_problem_pool_count(problem), 3);
  assert_string_equal(asc_problem_pool(problem, 2)->id, "l2,near");
  assert_int_equal(asc_problem_pool(problem, 1)->alignment, 64);
  assert_int_equal(asc_problem_buffer(problem, 0)->shape_count, 2);
  assert_int_equal(asc_problem_buffer(problem, 3)->pool, ASC_POOL_ANY);
  assert_string_equal(asc_csv_convention(csv), "1 unknown column kept (\xe2\x80\x9cnote\xe2\x80\x9d)");
  test_output output = {0};
  assert_int_equal(asc_csv_write(problem, csv, NULL, test_append, &output), ASC_OK);
  again = read_csv(context, output.text);
  assert_int_equal(asc_problem_digest(asc_csv_problem(again)), asc_problem_digest(problem));
  test_output bare = {0};
  assert_int_equal(asc_csv_write(problem, NULL, NULL, test_append, &bare), ASC_OK);
  asc_csv_free(again);
  again = read_csv(context, bare.text);
  assert_int_equal(asc_problem_digest(asc_csv_problem(again)), asc_problem_digest(problem));
  asc_csv_free(again);
  asc_csv_free(csv);
  test_context_end(context);
}

/* Dimensions in a column called shape stay what they were, also beside shapes; inclusive ends hold for shapes. */
static void csv_keeps_dimensions(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_csv *csv = read_csv(context, "id,lower,upper,size,shape\na,0,4,10,1x2x5\n");
  assert_int_equal(asc_problem_buffer(asc_csv_problem(csv), 0)->shape_count, 0);
  assert_string_equal(asc_csv_convention(csv), "1 unknown column kept (\xe2\x80\x9cshape\xe2\x80\x9d)");
  asc_csv_free(csv);
  csv = read_csv(context, "id,start,end,size,Shape\na,0,4,10,1x2x5\nb,0,4,10,0-4@2:3\n");
  const asc_problem *problem = asc_csv_problem(csv);
  assert_int_equal(asc_problem_buffer(problem, 1)->shape[0].upper, 5);
  test_output output = {0};
  assert_int_equal(asc_csv_write(problem, csv, NULL, test_append, &output), ASC_OK);
  assert_string_equal(output.text, "id,lower,upper,size,Shape\na,0,5,10,1x2x5\nb,0,5,10,0-5@2:3\n");
  asc_csv_free(csv);
  /* of two columns the second is one of the file's own */
  csv = read_csv(context, "id,lower,upper,size,shape,Shape\na,0,4,10,0-4@2:3,0-4@5:6\n");
  assert_int_equal(asc_problem_buffer(asc_csv_problem(csv), 0)->shape[0].low, 2);
  output = (test_output){0};
  assert_int_equal(asc_csv_write(asc_csv_problem(csv), csv, NULL, test_append, &output), ASC_OK);
  assert_string_equal(output.text, "id,lower,upper,size,shape,Shape\na,0,4,10,0-4@2:3,0-4@5:6\n");
  /* columns of another file are kept beside shapes of its own, but not those of one with more buffers */
  asc_csv *other = read_csv(context, "id,lower,upper,size,note\nx,0,4,10,n\n");
  output = (test_output){0};
  assert_int_equal(asc_csv_write(asc_csv_problem(csv), other, NULL, test_append, &output), ASC_OK);
  assert_string_equal(output.text, "id,lower,upper,size,shape,note\na,0,4,10,0-4@2:3,n\n");
  asc_csv_free(csv);
  csv = read_csv(context, "id,lower,upper,size\na,0,4,10\nb,0,4,10\n");
  assert_int_equal(asc_csv_write(asc_csv_problem(csv), other, NULL, test_append, &output), ASC_BAD_ARGUMENT);
  asc_csv_free(other);
  asc_csv_free(csv);
  /* a pool that nobody declared has the capacity of the run */
  csv = read_csv(context, "id,lower,upper,size,pool\na,0,4,10,host\nb,0,4,10,host\nc,0,4,10,\n");
  assert_int_equal(asc_problem_pool_count(asc_csv_problem(csv)), 2);
  assert_int_equal(asc_problem_pool(asc_csv_problem(csv), 1)->capacity, 0);
  asc_csv_free(csv);
  test_context_end(context);
}

static void csv_names_the_place(void **state) {
  (void)state;
  expect_error("id,lower,upper,size,shape\na,0,4,10,0-4@2:3 1-2@2\n", 2, "shape", "rectangles like 4-7@0:64");
  expect_error("id,lower,upper,size,shape\na,0,4,10,0-5@2:3\n", 2, "shape", "a rectangle inside the lifespan");
  expect_error("id,lower,upper,size,shape\na,0,4,10,0-2@2:5 1-2@4:6\n", 2, "shape", "rectangles that do not overlap");
  expect_error("id,lower,upper,size,gaps,shape\na,0,4,10,1-2,0-2@2:5\n", 2, "shape", "beside gaps");
  expect_error("pool,x,12k\nid,lower,upper,size\na,0,4,10\n", 1, "capacity", "expected a whole number");
  expect_error("pool,x,1,0\nid,lower,upper,size\na,0,4,10\n", 1, "alignment", "expected 1");
  expect_error("pool,x\npool,x\nid,lower,upper,size\na,0,4,10\n", 2, "pool", "already a pool");
  expect_error("pool,x\n", 1, "header", "is missing");
}

/* 63 pools at most, and all alignments together may be 512 times the greatest number. */
static void csv_has_too_much(void **state) {
  (void)state;
  asc_context *context = test_context();
  char text[20000] = "";
  size_t used = 0, count;
  asc_csv *csv = NULL;
  asc_diag diag;
  for (uint32_t k = 0; k < ASC_MAX_POOLS; k++) used += (size_t)snprintf(text + used, sizeof text - used, "pool,p%u\n", k);
  assert_int_equal(asc_csv_read(context, text, used, ASC_OFFSETS_FIXED, &csv, &diag, 1, &count), ASC_TOO_LARGE);
  assert_int_equal(count, 1);
  assert_int_equal(diag.line, ASC_MAX_POOLS);
  used = (size_t)snprintf(text, sizeof text, "pool,p,,9007199254740991\nid,lower,upper,size,pool\n");
  for (uint32_t k = 0; k < 600; k++) used += (size_t)snprintf(text + used, sizeof text - used, "b%u,0,4,0,p\n", k);
  assert_int_equal(asc_csv_read(context, text, used, ASC_OFFSETS_FIXED, &csv, &diag, 1, &count), ASC_TOO_LARGE);
  assert_string_equal(diag.field, "alignment");
  assert_int_equal(diag.line, 602);
  test_context_end(context);
}

int run_pool_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shapes_are_rectangles_apart),
      cmocka_unit_test(sections_count_shapes),
      cmocka_unit_test(pools_are_named_once),
      cmocka_unit_test(pool_refuses),
      cmocka_unit_test(pool_is_named_in_whole_characters),
      cmocka_unit_test(freeze_refuses_too_many_alignments),
      cmocka_unit_test(parts_are_problems),
      cmocka_unit_test(validator_equals_bytes),
      cmocka_unit_test(greedy_fits_shapes_into_each_other),
      cmocka_unit_test(others_refuse_by_name),
      cmocka_unit_test(csv_reads_what_it_wrote),
      cmocka_unit_test(csv_keeps_dimensions),
      cmocka_unit_test(csv_names_the_place),
      cmocka_unit_test(csv_has_too_much),
  };
  return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
