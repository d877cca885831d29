/* Training data for learned backtracking (TelaMalloc, section 6; LEARNED.md beside the solver).
 *
 * The search runs, and at some of its backtracks a teacher is asked. It knows by hindsight what the search cannot know: by the exact solver, with what is
 * placed as fixed offsets, the deepest level M of the path from which there still is a plan; and, when the run has ended with a plan, the deepest level B
 * up to which the path of then and that plan agree. To go below B takes back what was right, to stay above M helps nothing: B <= x <= M is a good target.
 * A verdict that is not reached in time counts as no. Once enough is recorded the teacher leads the search to its end. */
#include "learn.h"
#include "solve/telamalloc/learned.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  NO_WORK = 60,       /* backtracks of the rules below which a case teaches nothing */
  ROOT_STEPS = 40000, /* of the exact solver, to know that there is a plan at all */
  QUERY_STEPS = 3000, /* ... and whether there still is one */
  FIRST_EVENTS = 5,   /* recorded one and all; of those after them one in four */
  MOST_LED = 300,     /* backtracks that the teacher leads before it gives up */
  PAPER_FEATURES = 9
};

typedef struct seat { /* a level of a path */
  uint32_t buffer;
  int64_t offset;
} seat;

typedef struct row { /* a candidate of a recorded event */
  uint32_t event, level;
  int16_t ours[TELA_FEATURES];
  int64_t papers[PAPER_FEATURES];
} row;

typedef struct record { /* an event */
  seat *path;
  uint32_t depth, solvable;
  bool stuck;
} record;

typedef struct teacher {
  learn *l;
  const learn_case *c;
  asci_rng rng;
  record *records;
  uint32_t count, events, led;
  row *rows;
  size_t row_count, row_room;
  uint64_t *born;                       /* by level: backtracks when its point was opened */
  seat *known;                          /* the path of the last question, */
  uint32_t known_depth, known_solvable; /* and its answer */
  bool lost;                            /* no memory, or nothing to be learned here */
} teacher;

/* ---- the oracle ------------------------------------------------------------------------------------------------------ */

/* Whether there is a plan in which the first levels of the path lie as they do. */
static bool is_solvable(teacher *t, const seat *path, uint32_t levels) {
  const asc_problem *whole = t->c->problem;
  uint32_t n = asc_problem_count(whole);
  int64_t *fixed = malloc(n * sizeof *fixed);
  asc_problem *problem = NULL;
  bool solvable = false, made = fixed && asc_problem_new(t->l->context, &problem) == ASC_OK;
  for (uint32_t b = 0; made && b < n; b++) fixed[b] = asc_problem_buffer(whole, b)->offset;
  for (uint32_t k = 0; made && k < levels; k++) fixed[path[k].buffer] = path[k].offset;
  for (uint32_t b = 0; made && b < n; b++) {
    asc_buffer_spec spec = *asc_problem_buffer(whole, b);
    spec.offset = fixed[b];
    made = asc_problem_add(problem, &spec, NULL) == ASC_OK;
  }
  if (made && asc_problem_freeze(problem, NULL) == ASC_OK) {
    learn_case c = *t->c;
    c.problem = problem;
    asc_run *run = learn_run(t->l, &c, "exact", QUERY_STEPS, 0, NULL, 0);
    solvable = learn_is_solved(learn_finish(t->l, run).outcome);
  }
  asc_problem_free(problem);
  free(fixed);
  return solvable;
}

static uint32_t common(const seat *a, uint32_t a_depth, const seat *b, uint32_t b_depth) {
  uint32_t k = 0;
  while (k < a_depth && k < b_depth && a[k].buffer == b[k].buffer && a[k].offset == b[k].offset) k++;
  return k;
}

/* The deepest level below the open one that is solvable, by bisection between what the last answer leaves open. The part's ground is. */
static uint32_t deepest_solvable(teacher *t, const seat *path, uint32_t ground, uint32_t depth) {
  uint32_t shared = common(path, depth, t->known, t->known_depth), low = ground, high = depth - 1;
  if (t->known_depth) {
    if (t->known_solvable + 1 < t->known_depth && t->known_solvable < shared && t->known_solvable < high)
      high = t->known_solvable;
    uint32_t least = t->known_solvable < shared ? t->known_solvable : shared;
    if (least > low) low = least;
    if (low > high) low = high;
  }
  while (low < high) {
    uint32_t middle = low + (high - low + 1) / 2;
    if (is_solvable(t, path, middle))
      low = middle;
    else
      high = middle - 1;
  }
  memcpy(t->known, path, depth * sizeof *path);
  t->known_depth = depth;
  t->known_solvable = low;
  return low;
}

/* ---- an event -------------------------------------------------------------------------------------------------------- */

/* What the paper says that its model is told of a block, in its order. */
static void measure_papers(const teacher *t, const tela_search *s, uint32_t level, int64_t of[PAPER_FEATURES]) {
  const asc_problem *problem = s->base.problem;
  uint32_t buffer = s->base.placed[level], sections = asc_problem_section_count(problem);
  const asc_buffer_spec *spec = asc_problem_buffer(problem, buffer);
  const asc_section *all = asc_problem_sections(problem);
  int64_t span = all[sections - 1].upper - all[0].lower;
  int64_t load = all[asc_problem_peak(problem)].load;
  of[0] = (int64_t)((double)spec->size * TELA_SHARE / (double)t->c->capacity);
  of[1] = (int64_t)((double)(spec->upper - spec->lower) * TELA_SHARE / (double)span);
  of[2] = (int64_t)((double)s->heat[buffer] * (double)load / (double)t->c->capacity);
  of[3] = level - s->ground;
  of[4] = s->blamed[buffer];
  of[5] = s->points[level].returns;
  of[6] = (int64_t)(s->backtracks - t->born[level]);
  of[7] = s->phase[buffer] == s->points[s->base.depth].phase;
  of[8] = (int64_t)s->backtracks;
}

static void add_rows(teacher *t, const tela_search *s) {
  if (!asci_grow(t->l->context, &t->rows, &t->row_room, t->row_count + s->jump.count, sizeof *t->rows)) {
    t->lost = true;
    return;
  }
  uint32_t deeper = 0;
  for (uint32_t k = s->jump.count; k-- > 0;) {
    row *r = &t->rows[t->row_count++];
    r->event = t->count;
    r->level = s->scratch[k];
    asci_tela_measure(s, k, deeper, r->ours);
    measure_papers(t, s, r->level, r->papers);
    deeper += s->flags[r->level];
  }
}

static uint32_t choose(void *user, const tela_search *s) {
  teacher *t = user;
  uint32_t depth = s->base.depth, best = s->scratch[0];
  bool full = t->count == t->l->events;
  t->events++;
  if (full && t->led++ > MOST_LED) t->lost = true;
  bool asked = full || t->events <= FIRST_EVENTS || asci_random_below(&t->rng, 4) == 0;
  if (!asked || t->lost) return s->jump.fallback;
  seat *path = calloc(depth, sizeof *path);
  if (!path) {
    t->lost = true;
    return s->jump.fallback;
  }
  for (uint32_t k = 0; k < depth; k++) path[k] = (seat){s->base.placed[k], s->base.engine.items[s->base.placed[k]].low};
  uint32_t solvable = deepest_solvable(t, path, s->ground, depth);
  for (uint32_t k = 0; k < s->jump.count; k++)
    if (s->scratch[k] <= solvable) best = s->scratch[k];
  if (full) {
    free(path);
    return best;
  }
  add_rows(t, s);
  t->records[t->count++] = (record){path, depth, solvable, s->jump.stuck};
  return asci_random_below(&t->rng, 2) ? best : s->jump.fallback;
}

/* ---- a case ---------------------------------------------------------------------------------------------------------- */

static void print_head(void) {
  printf("instance,percent,event,level,depth,good,score,stuck");
  for (uint32_t f = 0; f < TELA_FEATURES; f++) printf(",f%" PRIu32, f);
  for (uint32_t f = 0; f < PAPER_FEATURES; f++) printf(",p%" PRIu32, f);
  printf("\n");
}

/* The paper's score of a target: 10 at the deepest level that the plan shares, falling to 5 at the last that is solvable. */
static double score_of(uint32_t level, uint32_t shared, uint32_t solvable) {
  if (level < shared || level > solvable) return 0;
  return 10 - 5.0 * (level - shared) / (solvable - shared + 1);
}

static void print_rows(teacher *t, const seat *plan, uint32_t n) {
  if (!t->l->rows) print_head();
  t->l->rows = true;
  for (size_t k = 0; k < t->row_count; k++) {
    const row *r = &t->rows[k];
    const record *e = &t->records[r->event];
    uint32_t shared = common(e->path, e->depth, plan, n), solvable = e->solvable > shared ? e->solvable : shared;
    printf("%s,%g,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%d,%g,%d", t->c->instance, t->c->percent, r->event, r->level, e->depth,
           r->level >= shared && r->level <= solvable, score_of(r->level, shared, solvable), e->stuck);
    for (uint32_t f = 0; f < TELA_FEATURES; f++) printf(",%d", r->ours[f]);
    for (uint32_t f = 0; f < PAPER_FEATURES; f++) printf(",%" PRId64, r->papers[f]);
    printf("\n");
  }
}

/* One step at a time, for the sake of when points are opened. */
static void follow(teacher *t, asc_run *run) {
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  uint32_t n = asc_problem_count(t->c->problem);
  tela_search *s = run->state;
  tela_teacher hook = {choose, t};
  s->teacher = &hook;
  for (uint32_t depth = 0; outcome == ASC_OUTCOME_RUNNING && !t->lost; depth = s->base.depth) {
    if (asc_run_step(run, 1, &outcome)) t->lost = true;
    if (s->base.depth > depth) t->born[s->base.depth] = s->backtracks;
  }
  if (!learn_is_solved(outcome) || t->lost) return;
  seat *plan = t->known;
  for (uint32_t k = 0; k < n; k++) plan[k] = (seat){s->base.placed[k], s->base.engine.items[s->base.placed[k]].low};
  print_rows(t, plan, n);
}

static void teach(learn *l, const learn_case *c) {
  uint32_t n = asc_problem_count(c->problem);
  const asc_option_value options[] = {{"jump", "learned"}, {"restarts", "0"}};
  teacher t = {.l = l, .c = c, .rng = {asc_problem_digest(c->problem) ^ (uint64_t)c->capacity}};
  t.records = calloc(l->events, sizeof *t.records);
  t.born = calloc((size_t)n + 1, sizeof *t.born);
  t.known = calloc((size_t)n + 1, sizeof *t.known);
  asc_run *run = learn_run(l, c, "telamalloc", 2 * l->steps, 0, options, 2);
  if (run && t.records && t.born && t.known) follow(&t, run);
  for (uint32_t k = 0; t.records && k < t.count; k++) free(t.records[k].path);
  asci_free(l->context, t.rows);
  free(t.records);
  free(t.born);
  free(t.known);
  asc_run_free(run);
}

void learn_collect(learn *l, const learn_case *c) {
  asc_run_stats rules = learn_finish(l, learn_run(l, c, "telamalloc", l->steps, 0, NULL, 0));
  if (rules.backtracks < NO_WORK) return;
  asc_run_stats exact = learn_finish(l, learn_run(l, c, "exact", ROOT_STEPS, 0, NULL, 0));
  if (learn_is_solved(exact.outcome)) teach(l, c);
}
