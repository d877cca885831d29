/* The ladder of targets, driven by tries that succeed or fail as the test wants; and the dive, step by step against the words of dive.h. */
#include "support.h"

#include "model/large/dive.h"
#include "model/large/ladder.h"

#include <stdlib.h>
#include <string.h>

/* ---- the ladder ---- */

#define NEVER ASC_MAX_BYTES
enum { TRIES = 5, BUDGET = 200, ENOUGH = 2000 };

/* Ten at once: the bound is the sum. One that is fixed rules out a dive. */
static asc_problem *ten(asc_context *context, int64_t floor, bool fixed) {
  asc_buffer_spec specs[10];
  for (uint32_t b = 0; b < 10; b++) specs[b] = test_spec(0, 5, floor / 10);
  if (fixed) specs[0].offset = 0;
  asc_problem *problem = test_problem(context, specs, 10);
  assert_int_equal(asc_problem_lower_bound(problem), floor);
  return problem;
}

static asci_ladder minimising(const asc_problem *problem, uint64_t seed) {
  return asci_ladder_new(problem, true, asc_problem_lower_bound(problem), 0, TRIES, BUDGET, seed);
}

static bool is_rung(int64_t target, int64_t floor) {
  static const int64_t above[] = {0, 1, 10, 50, 200, 400, 800, 1600, 3200, 6400};
  for (uint32_t k = 0; k < COUNT(above); k++)
    if (target == floor + floor * above[k] / 10000) return true;
  return false;
}

/* Tries that end at random: below their target or not. */
static void targets_stay_between_the_bound_and_the_best(void **state) {
  (void)state;
  asci_rng rng = {3};
  asc_context *context = test_context();
  uint32_t halves = 0, ends = 0;
  for (uint32_t round = 0; round < test_cases(800); round++) {
    int64_t floor = 10 * asci_random_between(&rng, 1, round % 4 ? 1000000 : 300);
    asc_problem *problem = ten(context, floor, round % 2);
    asci_ladder l = minimising(problem, round);
    uint32_t success = (uint32_t)asci_random_below(&rng, 100);
    int64_t best = -1;
    for (uint32_t k = 0; k < ENOUGH && asci_ladder_next(&l); k++) {
      CHECK(l.target >= floor, "target %ld below %ld", (long)l.target, (long)floor);
      bool aims = l.target != ASC_MAX_BYTES;
      bool first = l.tries == 0 && !l.known; /* no try with weights has succeeded, but perhaps a dive */
      CHECK(first || !aims || l.target < best, "target %ld, best %ld", (long)l.target, (long)best);
      if (best == floor) fail_msg("a try after the bound was reached");
      halves += aims && l.opening == ASCI_LADDER_OPENING && !is_rung(l.target, floor);
      if (asci_random_below(&rng, 100) < success) {
        int64_t height = aims ? l.target - (int64_t)asci_random_below(&rng, (uint64_t)(l.target - floor) / 8 + 1)
                              : floor + (int64_t)asci_random_below(&rng, (uint64_t)floor);
        if (best < 0 || height < best) best = height;
        asci_ladder_ended(&l, height);
        assert_int_equal(l.best, best);
      } else
        asci_ladder_failed(&l, 100);
    }
    ends += !asci_ladder_next(&l);
    asc_problem_free(problem);
  }
  CHECK(halves > test_cases(800), "%u targets half way", halves);
  CHECK(ends == test_cases(800), "%u ladders ended", ends);
  test_context_end(context);
}

/* Fails at targets below a height after so many moves, and succeeds there and above, with a plan as high as the target; without a target with
   one twice as high as need be. Returns the best; *near grows by how often all was tried once more within a thousandth of the bound. */
static int64_t climb_down(asci_ladder *l, int64_t possible, int64_t floor, uint64_t moves, uint32_t *near) {
  int64_t last = -1, best = -1, given_up = -1;
  uint32_t tries = 0, total = 0, again = 0;
  while (asci_ladder_next(l)) {
    assert_true(++total < ENOUGH);
    assert_int_equal(l->total, total);
    bool rungs = l->tries > 0, aims = l->target != ASC_MAX_BYTES;
    if (l->tries == 1) { /* another target: the one before has had its tries, or its plan */
      if (tries && last < possible) {
        assert_int_equal(tries, TRIES);
        given_up = last;
      }
      if (l->target <= given_up) { /* all is tried once more: of ten buffers for 24 moves each, near the bound for six */
        bool far = best - floor > floor / 1000;
        CHECK(best - floor > floor / 20000 + 1, "again from %ld, best %ld", (long)l->target, (long)best);
        CHECK(l->moves < (far ? 240 : 60), "again after %ld moves, best %ld", (long)l->moves, (long)best);
        *near += !far;
        again++;
        given_up = -1;
      }
      int64_t low = given_up < floor ? floor : given_up;
      if (given_up < 0)
        CHECK(is_rung(l->target, floor), "target %ld is no rung", (long)l->target);
      else
        CHECK(l->target == low + (best - low) / 2, "target %ld between %ld and %ld", (long)l->target, (long)low, (long)best);
      tries = 0;
    }
    last = rungs ? l->target : last;
    tries += rungs;
    CHECK(tries <= TRIES, "%u tries at %ld", tries, (long)l->target);
    int64_t height = aims ? l->target : 2 * possible;
    if (possible == NEVER || height < possible) {
      asci_ladder_failed(l, moves);
      continue;
    }
    asci_ladder_ended(l, height);
    if (best < 0 || height < best) best = height;
  }
  assert_true(again <= 240 / moves / TRIES);
  return best;
}

static void what_is_possible_is_found_to_an_eighth(void **state) {
  (void)state;
  asci_rng rng = {8};
  asc_context *context = test_context();
  uint32_t near = 0;
  for (uint32_t round = 0; round < test_cases(400); round++) {
    int64_t floor = 10 * asci_random_between(&rng, 1, round % 3 ? 10000000 : 2000);
    asc_problem *problem = ten(context, floor, round % 2);
    int64_t possible = floor + (int64_t)asci_random_below(&rng, (uint64_t)(round % 5 ? floor / 50 + 1 : floor * 6 / 10));
    asci_ladder l = minimising(problem, round);
    int64_t best = climb_down(&l, possible, floor, round % 4 ? 10 : 1, &near);
    int64_t fine = (best - floor) / 8, grain = floor / 20000 + 1;
    CHECK(best >= possible && best - possible <= (fine > grain ? fine : grain), "floor %ld, possible %ld, found %ld",
          (long)floor, (long)possible, (long)best);
    asc_problem_free(problem);
  }
  assert_true(near > 0 || test_cases(400) < 400);
  test_context_end(context);
}

/* Where no try succeeds there is an end too, and where each does the bound is met with the first that has it as its target. */
static void it_ends_without_a_plan_and_at_the_bound(void **state) {
  (void)state;
  asc_context *context = test_context();
  uint32_t near = 0;
  for (int fixed = 0; fixed < 2; fixed++) {
    asc_problem *problem = ten(context, 1000000, fixed);
    asci_ladder l = minimising(problem, 1);
    assert_int_equal(climb_down(&l, NEVER, 1000000, 10, &near), -1);
    assert_int_equal(l.best, -1);
    l = minimising(problem, 1);
    assert_true(asci_ladder_next(&l));
    if (!fixed) { /* a dive, without a target */
      assert_int_equal(l.config.order, ASCI_LARGE_DIVE);
      assert_int_equal(l.target, ASC_MAX_BYTES);
      asci_ladder_ended(&l, 1500000);
      assert_true(asci_ladder_next(&l));
    }
    assert_int_equal(l.target, 1000000);
    assert_int_not_equal(l.config.order, ASCI_LARGE_DIVE);
    asci_ladder_ended(&l, 1000000);
    assert_false(asci_ladder_next(&l));
    asc_problem_free(problem);
  }
  test_context_end(context);
}

static void a_capacity_is_the_only_target(void **state) {
  (void)state;
  asc_context *context = test_context();
  for (int fixed = 0; fixed < 2; fixed++) {
    asc_problem *problem = ten(context, 1000, fixed);
    asci_ladder l = asci_ladder_new(problem, false, 1000, 1234, TRIES, BUDGET, 5);
    uint32_t dives = 0, made = 0;
    for (; asci_ladder_next(&l); made++) {
      assert_int_equal(l.target, 1234);
      dives += l.config.order == ASCI_LARGE_DIVE;
      if (!made) assert_int_equal(dives, !fixed); /* first of all */
      asci_ladder_failed(&l, 10);
    }
    assert_int_equal(dives, !fixed);
    assert_int_equal(made, TRIES + !fixed);
    asc_problem_free(problem);
  }
  test_context_end(context);
}

/* Of many buffers, few alive at once: tries at the bound, and those by another order at 0.1 %, are repeated until they weigh twice as many
   buffers as there are. `moves` each: a move weighs those alive. */
static void cheap_failures_are_repeated(void **state) {
  (void)state;
  enum { N = 70000, MOVES = 3000 };
  asc_context *context = test_context();
  asc_buffer_spec *specs = malloc(N * sizeof *specs);
  assert_non_null(specs);
  for (uint32_t b = 0; b < N; b++) specs[b] = test_spec(b, b + 7, 1000);
  asc_problem *problem = test_problem(context, specs, N);
  int64_t floor = asc_problem_lower_bound(problem);
  asci_ladder l = minimising(problem, 2);
  uint32_t at_bound = 0, above = 0, other = 0, dives = 0, by_chance = 0;
  while (asci_ladder_next(&l) && !l.tries) {
    if (l.config.order == ASCI_LARGE_DIVE) {
      assert_int_equal(at_bound + above + other, 2 * ((2 * N / 7 + MOVES - 1) / MOVES) + 4); /* before the orders */
      dives++;
      by_chance += l.config.by_chance;
      asci_ladder_failed(&l, MOVES);
      continue;
    }
    bool as_order = l.config.budget == 0;
    if (as_order) assert_int_equal(l.target, ASC_MAX_BYTES); /* there is no plan that it could be below */
    CHECK(as_order || l.config.budget > 64, "budget %u", l.config.budget);
    at_bound += l.target == floor;
    above += l.target == floor + floor / 1000 && l.config.order == ASCI_LARGE_PA;
    other += l.target > floor + floor / 1000;
    asci_ladder_failed(&l, MOVES);
  }
  uint32_t repeated = (2 * N / 7 + MOVES - 1) / MOVES;
  assert_int_equal(at_bound, repeated);
  assert_int_equal(above, repeated);
  assert_int_equal(other, 4 + 5); /* four at 0.5 %, five orders */
  assert_int_equal(dives, 1 + 24);
  assert_int_equal(by_chance, 24);
  asc_problem_free(problem);
  free(specs);
  test_context_end(context);
}

typedef struct attempt {
  int64_t target;
  uint64_t seed;
  asci_large_config config;
} attempt;

static uint32_t record(asci_ladder l, attempt tries[ENOUGH]) {
  uint32_t count = 0;
  for (; asci_ladder_next(&l); count++) {
    assert_true(count < ENOUGH);
    memset(&tries[count], 0, sizeof tries[count]);
    tries[count] = (attempt){l.target, l.seed, l.config};
    if (l.target > 1003000 && count % 3)
      asci_ladder_ended(&l, l.target == ASC_MAX_BYTES ? 2000000 : l.target - 7);
    else
      asci_ladder_failed(&l, 10);
  }
  return count;
}

static void a_seed_decides_every_try(void **state) {
  (void)state;
  static attempt left[ENOUGH], right[ENOUGH];
  asc_context *context = test_context();
  asc_problem *problem = ten(context, 1000000, false);
  uint32_t count = record(minimising(problem, 7), left), again = record(minimising(problem, 7), right), differ = 0;
  assert_int_equal(count, again);
  assert_true(count > 10);
  for (uint32_t k = 0; k < count; k++) {
    const attempt *a = &left[k], *b = &right[k];
    assert_true(a->target == b->target && a->seed == b->seed && a->config.order == b->config.order);
    assert_true(a->config.alpha == b->config.alpha && a->config.beta == b->config.beta && a->config.mu == b->config.mu);
    assert_int_equal(a->config.budget, b->config.budget);
  }
  again = record(minimising(problem, 8), right);
  for (uint32_t k = 0; k < count && k < again; k++) differ += left[k].seed != right[k].seed;
  assert_int_equal(differ, count < again ? count : again);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- the dive ---- */

enum { MOST = 9, SECTIONS = 2 * MOST };

typedef struct scene { /* before a step */
  uint32_t n, sections, first[MOST], end[MOST];
  uint32_t length[MOST]; /* that counts */
  int64_t size[MOST], alignment[MOST], offset[MOST], height;
} scene;

static scene scene_of(const asc_problem *problem) {
  scene s = {.n = asc_problem_count(problem),
             .sections = asc_problem_section_count(problem),
             .height = asc_problem_lower_bound(problem)};
  const asc_section *sections = asc_problem_sections(problem);
  assert_true(s.sections <= SECTIONS);
  for (uint32_t b = 0; b < s.n; b++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
    s.size[b] = spec->size;
    s.alignment[b] = spec->alignment;
    s.offset[b] = ASC_UNPLACED;
    for (uint32_t k = 0; spec->size && k < s.sections; k++) {
      if (sections[k].upper <= spec->lower || sections[k].lower >= spec->upper) continue;
      if (!s.end[b]) s.first[b] = k;
      s.end[b] = k + 1;
    }
  }
  return s;
}

static bool waits_in(const scene *s, uint32_t b, uint32_t section) {
  return s->offset[b] == ASC_UNPLACED && s->first[b] <= section && section < s->end[b];
}

/* The greatest top of those placed that are alive with it, or the next multiple of its alignment. */
static int64_t least(const scene *s, uint32_t b) {
  int64_t top = 0;
  for (uint32_t o = 0; o < s->n; o++)
    if (s->offset[o] != ASC_UNPLACED && s->first[o] < s->end[b] && s->first[b] < s->end[o] &&
        s->offset[o] + s->size[o] > top)
      top = s->offset[o] + s->size[o];
  return (top + s->alignment[b] - 1) / s->alignment[b] * s->alignment[b];
}

static int64_t rest(const scene *s, uint32_t section) {
  int64_t sum = 0;
  for (uint32_t b = 0; b < s->n; b++) sum += waits_in(s, b, section) ? s->size[b] : 0;
  return sum;
}

static uint32_t fullest(const scene *s, uint32_t first, uint32_t end) {
  uint32_t best = first;
  for (uint32_t k = first; k < end; k++)
    if (rest(s, k) > rest(s, best)) best = k;
  return best;
}

/* What would be held above the floor over the buffer's whole life. */
static int64_t needs(const scene *s, uint32_t b) {
  return least(s, b) + rest(s, fullest(s, s->first[b], s->end[b]));
}

static bool is_longer(const scene *s, uint32_t a, uint32_t b) {
  if (s->length[a] != s->length[b]) return s->length[a] > s->length[b];
  return s->size[a] != s->size[b] ? s->size[a] > s->size[b] : a < b;
}

/* Who sits on the section's floor. */
static uint32_t sitter(const scene *s, uint32_t section) {
  int64_t floor = INT64_MAX;
  uint32_t fits = ASC_NONE, modest = ASC_NONE;
  for (uint32_t b = 0; b < s->n; b++)
    if (waits_in(s, b, section) && least(s, b) < floor) floor = least(s, b);
  for (uint32_t b = 0; b < s->n; b++) {
    if (!waits_in(s, b, section) || least(s, b) != floor) continue;
    if (needs(s, b) <= s->height && (fits == ASC_NONE || is_longer(s, b, fits))) fits = b;
    if (modest == ASC_NONE || needs(s, b) < needs(s, modest) || (needs(s, b) == needs(s, modest) && is_longer(s, b, modest)))
      modest = b;
  }
  return fits != ASC_NONE ? fits : modest;
}

/* Whether the rule can end with the buffer, from a section: which of those that slip under one is asked about is left open. */
static bool may_end_with(const scene *s, uint32_t section, uint32_t buffer, bool seen[SECTIONS], uint32_t *hops) {
  if (seen[section]) return false;
  seen[section] = true;
  uint32_t chosen = sitter(s, section);
  bool slips = false, may = false;
  for (uint32_t o = 0; o < s->n && !may; o++) {
    if (s->offset[o] != ASC_UNPLACED || !s->size[o] || o == chosen) continue;
    if (s->first[o] >= s->end[chosen] || s->first[chosen] >= s->end[o] || least(s, o) + s->size[o] > least(s, chosen))
      continue;
    slips = true;
    may = may_end_with(s, fullest(s, s->first[o], s->end[o]), buffer, seen, hops);
  }
  *hops += slips;
  return slips ? may : chosen == buffer;
}

typedef struct met {
  uint32_t steps, hops, rises, returns, lengthened;
} met;

/* What counts as lengths: sections, or 64ths of them, by chance up to half more. */
static void read_lengths(scene *s, const asci_dive *dive, bool by_chance, met *sum) {
  for (uint32_t k = 0; k < s->n; k++) {
    const asci_dive_item *item = &dive->items[k];
    uint32_t sections = s->end[item->buffer] - s->first[item->buffer], least = by_chance ? 64 * sections : sections;
    assert_in_range(item->length, least, by_chance ? least + least / 2 : least);
    s->length[item->buffer] = item->length;
    sum->lengthened += item->length > least;
  }
}

/* Where the next step begins: the section left last in which somebody waits, or the fullest. */
static uint32_t section_of(const scene *s, const asci_dive *dive, met *sum) {
  for (uint32_t k = dive->depth; k-- > 0;)
    if (rest(s, dive->path[k]) > 0) {
      sum->returns += dive->path[k] != fullest(s, 0, s->sections);
      return dive->path[k];
    }
  return s->sections ? fullest(s, 0, s->sections) : 0;
}

/* One step of the dive, which gave the buffer its offset. */
static void check_step(scene *s, uint32_t section, uint32_t buffer, int64_t offset, int64_t height, met *sum) {
  CHECK(s->offset[buffer] == ASC_UNPLACED, "b%u was placed before", buffer);
  CHECK(offset == least(s, buffer), "b%u at %d, its least offset is %d", buffer, (int)offset, (int)least(s, buffer));
  if (s->sections && rest(s, section) > 0) {
    bool seen[SECTIONS] = {false};
    CHECK(may_end_with(s, section, buffer, seen, &sum->hops), "b%u is not who sits on the floor", buffer);
    int64_t needed = needs(s, buffer) > s->height ? needs(s, buffer) : s->height;
    CHECK(height == needed, "height %d after b%u, not %d", (int)height, buffer, (int)needed);
    sum->rises += height > s->height;
  }
  assert_true(offset + s->size[buffer] <= height);
  s->offset[buffer] = offset;
  s->height = height;
  sum->steps++;
}

static void a_dive_goes_by_its_words(void **state) {
  (void)state;
  asci_rng rng = {19};
  asc_context *context = test_context();
  met sum = {0};
  uint32_t rounds = test_cases(4000), dives = 0;
  for (uint32_t round = 0; round < rounds; round++) {
    test_shape shape = {.min_buffers = 1,
                        .max_buffers = MOST,
                        .max_time = 10,
                        .max_size = round % 2 ? 4 : 30,
                        .max_alignment = round % 3 ? 1 : 5,
                        .zero = 5,
                        .tie = 40};
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    assert_true(asci_dive_can(problem));
    for (int by_chance = 0; by_chance < 2; by_chance++) {
      asci_dive dive;
      assert_int_equal(asci_dive_new(problem, by_chance ? &rng : NULL, &dive), ASC_OK);
      scene s = scene_of(problem);
      read_lengths(&s, &dive, by_chance, &sum);
      uint32_t buffer, made = 0, section = section_of(&s, &dive, &sum);
      int64_t offset;
      for (; asci_dive_next(&dive, &buffer, &offset); made++) {
        check_step(&s, section, buffer, offset, dive.height, &sum);
        section = section_of(&s, &dive, &sum);
      }
      size_t violations = 1;
      CHECK(made == s.n || dive.hops > 16 * s.n, "ended after %u of %u", made, s.n);
      if (made == s.n) {
        assert_int_equal(asc_validate(problem, s.offset, dive.height, NULL, 0, &violations), ASC_OK);
        assert_int_equal(violations, 0);
        dives++;
      }
      asci_dive_free(&dive);
    }
    asc_problem_free(problem);
  }
  CHECK(dives > rounds, "%u dives went to their end", dives);
  CHECK(sum.hops > rounds / 10 && sum.rises > rounds / 10, "%u hops, %u rises", sum.hops, sum.rises);
  CHECK((sum.returns > 0 || rounds < 4000) && sum.lengthened > rounds, "%u returns, %u lengthened", sum.returns,
        sum.lengthened);
  test_context_end(context);
}

static void who_is_not_free_cannot_dive(void **state) {
  (void)state;
  asc_context *context = test_context();
  for (int which = 0; which < 4; which++) {
    asc_buffer_spec spec = test_spec(0, 9, 4);
    asc_gap gap = {.lower = 2, .upper = 4};
    if (which == 1) spec.offset = 4;
    if (which == 2) spec.gaps = &gap, spec.gap_count = 1;
    if (which == 3) spec.bank = 8;
    asc_problem *problem = test_problem(context, &spec, 1);
    assert_int_equal(asci_dive_can(problem), which == 0);
    asc_problem_free(problem);
  }
  test_context_end(context);
}

/* The fewer are alive at once, the more may fail in a quick try of many: an eighth of all, shared out among those alive, up to a bound; also where
   nobody occupies anything. Of few it is the least. */
static void a_quick_try_has_its_bounds(void **state) {
  (void)state;
  enum { MANY = 70000 };
  static const struct {
    uint32_t count, alive;
    int64_t size;
    uint32_t quick;
  } cases[] = {{MANY, 1, 8, 1024}, {MANY, 16, 8, MANY / 8 / 16}, {MANY, 1000, 8, 64}, {MANY, 1, 0, 1024}, {1, 1, 0, 64}};
  asc_context *context = test_context();
  asc_buffer_spec *specs = malloc(MANY * sizeof *specs);
  assert_non_null(specs);
  for (uint32_t k = 0; k < COUNT(cases); k++) {
    for (uint32_t b = 0; b < cases[k].count; b++) {
      uint32_t time = b / cases[k].alive;
      specs[b] = test_spec(time, (int64_t)time + 1, cases[k].size);
    }
    asc_problem *problem = test_problem(context, specs, cases[k].count);
    assert_int_equal(minimising(problem, 1).quick, cases[k].quick);
    asc_problem_free(problem);
  }
  free(specs);
  test_context_end(context);
}

/* Of buffers that are all alive at once each looks at two for each other, and at one section; dives by chance look 2^26 times together. */
static void where_too_many_are_alive_nobody_dives(void **state) {
  (void)state;
  enum { MANY = 11700 };
  static const struct { uint32_t n, dives; } cases[] = {{500, 1 + 24}, {2000, 1 + 8}, {11500, 1}, {MANY, 0}};
  static asc_buffer_spec specs[MANY];
  asc_context *context = test_context();
  for (uint32_t b = 0; b < MANY; b++) specs[b] = test_spec(0, 3, 1);
  for (uint32_t k = 0; k < COUNT(cases); k++) {
    uint32_t n = cases[k].n, dives = 0;
    asc_problem *problem = test_problem(context, specs, n);
    assert_int_equal(asci_dive_looks(problem), (uint64_t)n * (2 * n + 1));
    assert_int_equal(asci_dive_can(problem), cases[k].dives > 0);
    asci_ladder l = minimising(problem, 1);
    for (; asci_ladder_next(&l) && !l.tries; asci_ladder_failed(&l, 10)) dives += l.config.order == ASCI_LARGE_DIVE;
    CHECK(dives == cases[k].dives, "%u dives of %u", dives, n);
    asc_problem_free(problem);
  }
  test_context_end(context);
}

int run_ladder_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(targets_stay_between_the_bound_and_the_best),
      cmocka_unit_test(what_is_possible_is_found_to_an_eighth),
      cmocka_unit_test(it_ends_without_a_plan_and_at_the_bound),
      cmocka_unit_test(a_capacity_is_the_only_target),
      cmocka_unit_test(cheap_failures_are_repeated),
      cmocka_unit_test(a_seed_decides_every_try),
      cmocka_unit_test(a_dive_goes_by_its_words),
      cmocka_unit_test(who_is_not_free_cannot_dive),
      cmocka_unit_test(a_quick_try_has_its_bounds),
      cmocka_unit_test(where_too_many_are_alive_nobody_dives),
  };
  return cmocka_run_group_tests_name("ladder", tests, NULL, NULL);
}
