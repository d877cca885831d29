/* The least height, with proof (README 8): plans by first fit and by dives give an upper bound, the load a lower one; then probes:
 *
 *     lower ...... bracket ...... probe ...... upper          a round: first at lower, then halving what is left above what gave no result;
 *       |  no plan  |   unknown     |            | plan       the next round gives each probe four times the nodes
 *
 * A probe that finds a plan lowers upper to its height, one that is refuted raises lower, one whose nodes are spent says nothing. */

static const ex_arm first_fits[] = {
    {.letters = "TZ"}, {.letters = "ZW"}, {.letters = "AT"}, {.letters = "WA"}, {.letters = "TZ", .mirrored = true}};
#define FIRST_FITS ((uint32_t)(sizeof first_fits / sizeof *first_fits))
#define DIVES 2u

enum { PURPOSE_LOWEST, PURPOSE_BISECT, PURPOSE_REST }; /* of PROBE */
enum { SOURCE_GREEDY = 1, SOURCE_DIVE, SOURCE_SEARCH, SOURCE_PROOF, SOURCE_TRIES };

static int64_t upper_bytes(const search *s) {
  return s->run->stats.height;
}

/* s->plan is a plan: kept if it is the best. False: the run ends, for the engine found it wrong. */
static bool take_plan(search *s, const int64_t *plan) {
  int64_t height = asc_height(s->m->problem, plan);
  if (s->upper >= 0 && height >= upper_bytes(s)) return true;
  memcpy(s->run->best, plan, s->m->problem->count * sizeof *plan);
  if (asci_incumbent(s->run)) return false;
  s->upper = (value)((height + s->m->unit - 1) / s->m->unit);
  return true;
}

/* What the tries before the search have found is lower than first fits and dives would be. */
EX_RARE void kernel_adopt(asc_run *run, void *state) {
  search *s = state;
  s->sweep_due = false; /* first an arm: what the tries left is taken back by no step */
  if (!s->m->minimize || run->stats.height < 0) return;
  s->upper = (value)((run->stats.height + s->m->unit - 1) / s->m->unit);
  s->phase = PHASE_PROBE;
  s->pending = SOURCE_TRIES;
}

static bool is_closed(const search *s) {
  return s->upper >= 0 && upper_bytes(s) <= s->run->stats.lower_bound;
}

/* What was found about the least height is a step of its own, after the one that found it. */
static asc_outcome tell_bound(search *s) {
  asc_run *run = s->run;
  uint32_t source = s->pending;
  s->pending = 0;
  asci_step_other(run, ASC_EVENT_BOUND, source, upper_bytes(s), s->depth);
  if (asci_traced(run)) {
    ASC_TELL(run, BOUND, LINE_SEARCH, .lower = run->stats.lower_bound, .upper = upper_bytes(s), .source = source);
    if (source != SOURCE_PROOF && s->upper >= 0) ASC_TELL(run, INCUMBENT, LINE_DESCEND, .height = upper_bytes(s));
  }
  return is_closed(s) ? ASC_OUTCOME_OPTIMAL : ASC_OUTCOME_RUNNING;
}

static asc_outcome try_first_fit(search *s) {
  bool made;
  if (asci_ex_first_fit(s->m, &first_fits[s->order_at], s->plan, &made)) return ASC_OUTCOME_OUT_OF_MEMORY;
  if (made && !take_plan(s, s->plan)) return ASC_OUTCOME_EXHAUSTED;
  if (++s->order_at == FIRST_FITS) {
    s->order_at = 0;
    s->phase = s->m->general ? PHASE_PROBE : PHASE_DIVE;
  }
  s->pending = SOURCE_GREEDY;
  return ASC_OUTCOME_RUNNING;
}

/* Nodes of a probe: enough for most arms at the lowest height, where a plan often is; elsewhere a few arms, the last winner first. */
static uint64_t probe_limit(const search *s, int64_t purpose) {
  uint64_t nodes = (purpose == PURPOSE_LOWEST ? 8 : 5) * (uint64_t)s->m->count + 100;
  return s->round < 20 ? nodes << (2 * s->round) : UINT64_MAX / 2;
}

/* The next whole grain, where only rounded sizes count, if that is below the best plan. */
static value in_grains(const search *s, value capacity) {
  value grain = (value)s->m->grain, over = capacity % grain, up = over ? capacity + (grain - over) : capacity;
  return up < s->upper ? up : capacity;
}

/* How far above the lowest height the next probe is: nowhere, but where many in a row were refuted twice as far each time, up to half way. So a bound
   that is far too low, as it is where fixed offsets or banks decide, takes few steps. */
static value leap(const search *s) {
  if (s->climbed < CLIMB_STEADY) return 0;
  value most = (s->upper - s->lower) / 2, up = (value)1 << (s->climbed - CLIMB_STEADY);
  return up < most ? up : most;
}

/* The capacity of the next probe. In the first round the lowest comes first, in the others last: it is the hardest. After a proof it is
   the next one above, which a proof may reach as well. */
static value next_probe(search *s, int64_t *purpose) {
  *purpose = PURPOSE_REST;
  if (s->upper < 0) return s->given_capacity;
  bool closed = s->bracket >= s->upper - 1, first = s->round == 0;
  *purpose = PURPOSE_LOWEST;
  if (!s->lowest_done && (first || closed || s->climbed)) {
    value up = leap(s);
    s->lowest_done = true;
    if (up) *purpose = PURPOSE_BISECT;
    return in_grains(s, s->lower + up);
  }
  if (closed) {
    s->round++;
    s->lowest_done = false;
    s->bracket = s->lower - 1;
    if (s->upper - s->lower < 2) return next_probe(s, purpose);
  }
  *purpose = PURPOSE_BISECT;
  return in_grains(s, s->bracket + (s->upper - s->bracket) / 2);
}

/* What the attempt before left to look at goes: it was made at another capacity. */
static void begin_probe(search *s) {
  int64_t purpose;
  reset(s);
  ask(s, next_probe(s, &purpose));
  if (s->asked > s->nogood_capacity) forget_nogoods(s, false);
  s->nogood_capacity = s->asked;
  s->probing = s->sweep_due = true;
  s->probe_left = s->upper < 0 ? UINT64_MAX : probe_limit(s, purpose);
  s->cycle = s->round;
  s->arm_at = s->winner;
  s->limit = first_limit(s);
  s->short_nodes = s->long_nodes = s->last_long = 0;
  s->lengthy = false;
  asci_step_other(s->run, ASC_EVENT_PROBE, (uint32_t)purpose, bytes_of(s, s->asked), s->depth);
  ASC_EMIT(s->run, PROBE, LINE_SEARCH, .capacity = bytes_of(s, s->asked), .limit = s->upper < 0 ? 0 : (int64_t)s->probe_left,
           .lower = s->run->stats.lower_bound, .upper = upper_bytes(s), .purpose = purpose);
}

/* A dive's attempt has no way back: where every candidate overflows, the capacity yields to the one that needs least. */
static asc_outcome begin_dive(search *s) {
  if (s->order_at == DIVES) {
    s->elastic = false;
    s->phase = PHASE_PROBE;
    begin_probe(s);
    return ASC_OUTCOME_RUNNING;
  }
  s->elastic = true;
  ask(s, s->lower);
  s->arm_at = s->order_at++ % s->m->arm_count;
  return begin_arm(s, UINT64_MAX / 2);
}

static asc_outcome solved_minimising(search *s) {
  s->started = s->probing = false;
  if (!s->elastic) s->winner = s->arm_at;
  s->climbed = 0;
  if (!take_plan(s, s->offset)) return ASC_OUTCOME_EXHAUSTED;
  s->pending = s->elastic ? SOURCE_DIVE : SOURCE_SEARCH;
  return ASC_OUTCOME_RUNNING;
}

/* What an attempt without a plan has refuted: where no item was above what was asked alone, all of the last grain. */
static value refuted_height(const search *s) {
  return s->limited ? s->asked : s->capacity;
}

/* The least height above it that a plan can have: items end at whole grains, but for their tails. */
static value height_after(const search *s) {
  const ex_model *m = s->m;
  value grain = (value)m->grain, from = refuted_height(s) + 1, least = s->upper;
  if (grain == 1) return from;
  for (uint32_t i = 0; i < m->count; i++) {
    value tail = (value)m->tail[i], over = (from + tail) % grain, height = over ? from + (grain - over) : from;
    if (height < least) least = height;
  }
  return least;
}

static asc_outcome refuted_minimising(search *s) {
  s->started = s->probing = false;
  if (s->elastic) return ASC_OUTCOME_RUNNING; /* the next dive */
  if (s->upper < 0) return ASC_OUTCOME_INFEASIBLE;
  s->lower = height_after(s);
  if (s->climbed < CLIMB_MOST) s->climbed++;
  s->lowest_done = false;
  if (s->bracket < s->lower - 1) s->bracket = s->lower - 1;
  /* no plan is as low as this capacity or up to the next height in units */
  asci_raise_bound(s->run, bytes_of(s, s->lower));
  s->pending = SOURCE_PROOF;
  return ASC_OUTCOME_RUNNING;
}

static asc_outcome begin_checked(search *s, uint64_t most);

static asc_outcome begin_minimising(search *s) {
  switch (s->phase) {
  case PHASE_BOUNDS:
    return try_first_fit(s);
  case PHASE_DIVE:
    return begin_dive(s);
  default:
    if (s->probing && s->probe_left == 0) {
      s->probing = false;
      s->climbed = 0;
      if (s->bracket < s->asked) s->bracket = s->asked;
    }
    if (s->probing) return begin_checked(s, s->probe_left);
    begin_probe(s);
    return ASC_OUTCOME_RUNNING;
  }
}
