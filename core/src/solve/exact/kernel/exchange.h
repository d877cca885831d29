/* The exchange at boundaries as an arm that comes first in each cycle, or probe (README 11). */

/* Exchanges for each section the first time; each later time four times as many. */
#define FIRST_SWEEPS 128u
#define FULL_SWEEPS 1024u /* where sections are full, which leaves the arms no room to be of use */
#define MOST_SWEEPS 6u    /* so often they grow */
#define EXCHANGE_FROM 16u /* items: of fewer the arms are done sooner */
/* What sweeps may have taken in exchanges a node when they go on by themselves. */
#define EXCHANGES_A_NODE 2u
#define FULL_EXCHANGES_A_NODE 32u /* where no section has more than a unit idle */

/* What the attempt before left is taken back: a step, if it is anything. Minimising, the probe has done so. */
static void clear_attempt(search *s) {
  uint32_t from = s->depth, to = s->base;
  if (from > to) {
    bool major = asci_step_backtrack(s->run, from, to, s->placed[to], 0, false);
    ASC_EMIT(s->run, BACKTRACK, LINE_FAIL, .from = from, .to = to, .buffer = s->placed[to], .major = major);
    for (uint32_t level = from; asci_traced(s->run) && level-- > to;) asci_event_list(s->run, s->placed[level]);
  }
  reset(s);
}

/* False: nothing is to be swept now. */
static bool begin_sweep(search *s) {
  uint32_t choice = s->m->options.exchange;
  if (!s->sweep_due || choice == EXCHANGE_NEVER) return false;
  s->sweep_due = false;
  uint64_t round = s->m->minimize ? s->round : s->cycle, done = s->m->minimize ? round : s->sweeps,
           times = done < MOST_SWEEPS ? done : MOST_SWEEPS;
  int64_t idle = asci_ex_most_idle(s->m, s->capacity);
  bool early = choice == EXCHANGE_ALWAYS || (idle <= 1 && s->m->count >= EXCHANGE_FROM);
  if (s->capacity == s->swept || (round == 0 && !early)) return false;
  uint64_t exchanges = (uint64_t)(idle <= 0 ? FULL_SWEEPS : FIRST_SWEEPS) * s->m->sections << (2 * times);
  if (round > 0 && choice != EXCHANGE_ALWAYS &&
      s->swept_steps + exchanges > (idle <= 1 ? FULL_EXCHANGES_A_NODE : EXCHANGES_A_NODE) * s->run->stats.nodes)
    return false;
  s->sweeping = asci_ex_sweep_begin(&s->sweep, s->capacity, exchanges);
  s->sweeps += s->sweeping;
  if (s->sweeping)
    clear_attempt(s);
  else if (!asci_ex_sweep_goes_on(&s->sweep))
    s->swept = s->capacity;
  return s->sweeping;
}

/* Places what the sweep has found, from the bottom up. */
static void show_found(search *s) {
  uint32_t i = s->sweep.order[s->shown++];
  s->offset[s->m->buffer[i]] = bytes_of(s, s->sweep.plan[i]);
  s->placed[s->depth++] = s->m->buffer[i];
}

static asc_outcome place_found(search *s) {
  uint32_t i = s->sweep.order[s->shown], buffer = s->m->buffer[i];
  show_found(s);
  asci_step_place(s->run, buffer, s->offset[buffer], s->depth);
  if (asci_traced(s->run))
    ASC_TELL(s->run, PLACE, LINE_PLACE, .buffer = buffer, .offset = s->offset[buffer],
             .support = support_of(s, i, (value)s->sweep.plan[i]), .of = 1);
  if (s->shown < s->m->count) return ASC_OUTCOME_RUNNING;
  s->sweeping = false;
  return solved(s);
}

static asc_outcome step_sweep(search *s) {
  if (s->found) return place_found(s);
  s->swept_steps++;
  switch (asci_ex_sweep_step(s->run, &s->sweep, s->depth)) {
  case EX_SWEPT_MEMORY:
    return ASC_OUTCOME_OUT_OF_MEMORY;
  case EX_SWEPT_FOUND:
    s->found = true;
    return ASC_OUTCOME_RUNNING;
  case EX_SWEPT_REFUTED:
    s->sweeping = false;
    memset(s->conflict, 0, s->m->words * sizeof *s->conflict);
    asci_ex_sweep_conflict(&s->sweep, s->conflict);
    if (proving(s)) prove_swept(s);
    if (asci_traced(s->run)) tell_conflict(s, s->conflict, 0, EX_NONE);
    return refuted(s);
  case EX_SWEPT_OVER:
    s->sweeping = false;
    if (!asci_ex_sweep_goes_on(&s->sweep)) s->swept = s->capacity;
    return ASC_OUTCOME_RUNNING;
  default:
    return ASC_OUTCOME_RUNNING;
  }
}
