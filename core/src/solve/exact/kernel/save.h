/* A saved search is its attempt, what it has learnt, and for each open node the section it asks, its candidates and how far it has come:
 * everything else follows by applying the decisions again. */

#define FLAG_OPEN 1u
#define FLAG_FAILING 2u
#define FLAG_LEARNT 4u
#define FLAG_JOINED 8u

static void write_ring(asci_writer *writer, const ring *r) {
  asci_write_u(writer, r->used);
  asci_write_u(writer, r->next);
  for (uint32_t k = 0; k < r->used; k++) {
    const nogood *g = &r->entries[k];
    asci_write_u(writer, g->count);
    for (uint32_t j = 0; j < g->count; j++) {
      asci_write_u(writer, g->items[j] - (j ? g->items[j - 1] + 1 : 0));
      asci_write_u(writer, (uint64_t)g->least[j]);
    }
  }
}

static bool read_nogood(const search *s, asci_reader *reader, nogood *g, uint32_t room) {
  uint32_t n = s->m->count, next = 0;
  g->count = (uint32_t)asci_read_u(reader, room);
  if (g->count == 0) return false;
  memset(g->bits, 0, s->m->words * sizeof *g->bits);
  for (uint32_t j = 0; j < g->count; j++) {
    uint32_t item = next + (uint32_t)asci_read_u(reader, n);
    g->least[j] = (value)asci_read_u(reader, (uint64_t)BIG - 1);
    if (reader->bad || item >= n) return false;
    g->items[j] = item;
    set_bit(g->bits, item);
    next = item + 1;
  }
  return true;
}

static bool read_ring(const search *s, asci_reader *reader, ring *r) {
  r->used = (uint32_t)asci_read_u(reader, r->size);
  r->next = (uint32_t)asci_read_u(reader, r->size ? r->size - 1 : 0);
  for (uint32_t k = 0; k < r->used; k++) {
    nogood *g = &r->entries[k];
    if (!read_nogood(s, reader, g, r->room)) return false;
    r->watches[k] = (watch){g->items[0], g->least[0]};
  }
  return !reader->bad && (r->used == r->size || r->next == r->used);
}

static void write_node(search *s, asci_writer *writer, const node *f) {
  const ex_model *m = s->m;
  unsigned flags = (f->open ? FLAG_OPEN : 0) | (f->failing ? FLAG_FAILING : 0) | (f->learnt ? FLAG_LEARNT : 0) |
                   (f->joined ? FLAG_JOINED : 0);
  asci_write_u(writer, f->section);
  asci_write_u(writer, flags);
  asci_write_u(writer, f->waste);
  asci_write_u(writer, f->child == WASTE ? 0 : f->child + 1);
  for (uint32_t k = 0; k < f->count; k++) asci_write_u(writer, (uint64_t)candidate(s, f, k) << 2 | s->fates[f->list + k]);
  for (uint32_t w = 0; f->joined && w < m->words; w++) asci_write_u(writer, set_of(s, f)[w]);
}

/* A search that ran out of memory stands in the middle of a step. It never goes on: only its end is saved. */
static bool is_lost(const asc_run *run) {
  return run->stats.outcome == ASC_OUTCOME_OUT_OF_MEMORY;
}

EX_RARE void kernel_save(asc_run *run, void *state, asci_writer *writer) {
  search *s = state;
  if (is_lost(run)) return;
  const uint64_t numbers[] = {s->base,          s->cycle,      s->arm_at,  s->limit,    s->nodes_left,
                              s->attempt_nodes, s->started,    s->refuted, s->phase,    s->order_at,
                              s->round,         s->probe_left, s->probing, s->winner,   s->lowest_done,
                              s->climbing,      s->elastic,    s->pending, s->rng.state};
  const value values[] = {s->capacity, s->lower, s->upper, s->bracket, s->nogood_capacity};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) asci_write_u(writer, numbers[k]);
  for (size_t k = 0; k < sizeof values / sizeof *values; k++) asci_write_i(writer, values[k]);
  write_ring(writer, &s->recent);
  write_ring(writer, &s->small);
  uint32_t conflict = s->refuted ? run->conflict_count : 0;
  asci_write_u(writer, conflict);
  for (uint32_t k = 0; k < conflict; k++) asci_write_u(writer, s->conflict_buffers[k]);
  asci_write_u(writer, s->node_count);
  for (size_t k = 1; k < s->node_count; k++) write_node(s, writer, &s->nodes[k]);
  for (uint32_t t = 0; t < s->m->sections; t++) asci_write_u(writer, s->weight[t]);
}

/* ---- loading: numbers ------------------------------------------------------------------------------------------------ */

static bool read_numbers(search *s, asci_reader *reader) {
  s->base = (uint32_t)asci_read_u(reader, s->m->weightless_count);
  s->cycle = asci_read_u(reader, UINT64_MAX);
  s->arm_at = (uint32_t)asci_read_u(reader, s->m->arm_count - 1);
  s->limit = asci_read_u(reader, UINT64_MAX);
  s->nodes_left = asci_read_u(reader, UINT64_MAX);
  s->attempt_nodes = asci_read_u(reader, UINT64_MAX);
  s->started = asci_read_u(reader, 1);
  s->refuted = asci_read_u(reader, 1);
  s->phase = (minimise_phase)asci_read_u(reader, PHASE_PROBE);
  s->order_at = (uint32_t)asci_read_u(reader, FIRST_FITS - 1);
  s->round = asci_read_u(reader, UINT64_MAX);
  s->probe_left = asci_read_u(reader, UINT64_MAX);
  s->probing = asci_read_u(reader, 1);
  s->winner = (uint32_t)asci_read_u(reader, s->m->arm_count - 1);
  s->lowest_done = asci_read_u(reader, 1);
  s->climbing = asci_read_u(reader, 1);
  s->elastic = asci_read_u(reader, 1);
  s->pending = (uint32_t)asci_read_u(reader, SOURCE_TRIES);
  s->rng.state = asci_read_u(reader, UINT64_MAX);
  value *const values[] = {&s->capacity, &s->lower, &s->upper, &s->bracket, &s->nogood_capacity};
  for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
    int64_t number = asci_read_i(reader);
    if (number < -1 || number >= (int64_t)BIG / 2) return false;
    *values[k] = (value)number;
  }
  return !reader->bad;
}

/* The bounds and the plan that the engine has read say the same. proved: the bound of a new run. */
static bool is_bounded(const search *s, value proved) {
  int64_t height = s->run->stats.height, unit = s->m->unit;
  if (height > ASC_MAX_BYTES) return false; /* no solver makes such a plan: sums with it could overflow */
  int64_t upper = height < 0 ? -1 : (height + unit - 1) / unit;
  if (s->upper != upper || s->lower < proved || s->bracket < s->lower - 1) return false;
  /* the end of what occupies nothing need not be a whole number of units, so it is rounded up where the capacity is rounded down */
  return upper < 0 || (s->lower <= upper && (general(s) || upper <= (s->m->most + unit - 1) / unit));
}

/* What no search has had would lead it out of its arrays or its arithmetic. nodes: as saved, the root among them. */
static bool is_possible(const search *s, value proved, uint64_t nodes) {
  bool begun = nodes > 0, dives = s->phase == PHASE_DIVE;
  if (s->started && nodes < 2) return false;
  if (begun && s->base < s->m->weightless_count) return false;
  if (!s->m->minimize)
    return s->capacity == s->given_capacity && s->phase == PHASE_BOUNDS && !s->probing && !s->elastic && !s->pending &&
           !s->order_at;
  if (!is_bounded(s, proved)) return false;
  if (dives && (s->m->general || s->order_at > DIVES || s->lower != proved)) return false;
  if (s->elastic) return dives && !s->probing;
  if (s->probing && s->phase != PHASE_PROBE) return false;
  return s->capacity <= s->given_capacity && (!begun || s->phase == PHASE_PROBE) && (!s->started || s->probing);
}

static bool read_conflict(search *s, asci_reader *reader) {
  uint32_t count = (uint32_t)asci_read_u(reader, s->m->problem->count);
  for (uint32_t k = 0; k < count; k++) {
    s->conflict_buffers[k] = (uint32_t)asci_read_u(reader, s->m->problem->count - 1);
    if (k && s->conflict_buffers[k] <= s->conflict_buffers[k - 1]) return false;
  }
  if (s->refuted) {
    s->run->conflict = s->conflict_buffers;
    s->run->conflict_count = count;
  }
  return !reader->bad && (s->refuted || count == 0);
}

/* ---- loading: nodes -------------------------------------------------------------------------------------------------- */

/* The candidates of the node just opened in the order saved, each of them once. */
static bool read_candidates(search *s, asci_reader *reader, const node *f) {
  for (uint32_t i = 0; i < s->m->count; i++) s->key[i] = 0;
  for (uint32_t k = 0; k < f->count; k++) s->key[candidate(s, f, k)] = 1;
  for (uint32_t k = 0; k < f->count; k++) {
    uint64_t saved = asci_read_u(reader, (uint64_t)s->m->count << 2);
    uint32_t i = (uint32_t)(saved >> 2);
    if (reader->bad || i >= s->m->count || (saved & 3) > SKIPPED || !s->key[i]) return false;
    s->key[i] = 0;
    s->list[f->list + k] = i;
    s->fates[f->list + k] = (uint8_t)(saved & 3);
  }
  return true;
}

static bool read_set(search *s, asci_reader *reader, const node *f) {
  uint64_t *set = set_of(s, f), all = 0;
  for (uint32_t w = 0; w < s->m->words; w++) {
    set[w] = asci_read_u(reader, UINT64_MAX);
    if (set[w] & ~s->unplaced[w]) return false;
    all |= set[w];
  }
  return !reader->bad && all;
}

/* How far the node just opened has come. */
static bool read_node(search *s, asci_reader *reader, node *f, unsigned flags) {
  uint8_t waste = (uint8_t)asci_read_u(reader, WASTE_FAILED);
  uint32_t child = (uint32_t)asci_read_u(reader, f->count);
  if (!read_candidates(s, reader, f)) return false;
  f->failing = flags & FLAG_FAILING;
  f->learnt = flags & FLAG_LEARNT;
  f->joined = flags & FLAG_JOINED;
  if (f->waste != waste && (f->waste != WASTE_OPEN || waste != WASTE_FAILED)) return false;
  f->waste = waste;
  f->child = child ? child - 1 : WASTE;
  if (f->joined && !read_set(s, reader, f)) return false;
  if (!(flags & FLAG_OPEN)) return true;
  bool untried = child ? s->fates[f->list + f->child] == UNTRIED : f->waste == WASTE_OPEN;
  return untried && !f->failing;
}

/* Opens the next node of the save and applies its child. */
static asc_status replay_node(search *s, asci_reader *reader, bool last) {
  uint32_t section = (uint32_t)asci_read_u(reader, s->m->sections ? s->m->sections - 1 : 0);
  unsigned flags = (unsigned)asci_read_u(reader, FLAG_OPEN | FLAG_FAILING | FLAG_LEARNT | FLAG_JOINED);
  bool open = flags & FLAG_OPEN;
  if (reader->bad || s->m->sections == 0 || s->rest[section] <= 0) return ASC_BAD_SAVE;
  if (open == (last && s->started)) return ASC_BAD_SAVE; /* only the top one of an attempt under way waits for a child */
  descent opened = s->node_count == 0 ? begin(s, section) : descend(s, section);
  if (opened == DESCENT_MEMORY) return ASC_OUT_OF_MEMORY;
  if (opened != DESCENT_NODE) return ASC_BAD_SAVE;
  node *f = top_node(s);
  if (section < f->first || section >= f->end || !read_node(s, reader, f, flags)) return ASC_BAD_SAVE;
  if (!open) return ASC_OK;
  if (f->child == WASTE)
    find_waste(s, f, 0);
  else if (s->elastic)
    yield_to(s, f, candidate(s, f, f->child));
  bool well = apply(s, f);
  return s->out_of_memory ? ASC_OUT_OF_MEMORY : well ? ASC_OK : ASC_BAD_SAVE;
}

/* Applies the saved decisions to what is there before the first: in a dive at the capacity that it began with. */
static asc_status replay_nodes(search *s, asci_reader *reader, uint64_t count) {
  value capacity = s->capacity;
  asc_status status = ASC_OK;
  if (s->elastic) s->capacity = s->lower;
  if (count > 1 && (first_misfit(s) != EX_NONE || worst_section(s) != EX_NONE)) return ASC_BAD_SAVE;
  if (count == 1 && !push_node(s)) return ASC_OUT_OF_MEMORY;
  for (uint64_t k = 1; k < count && !status; k++) status = replay_node(s, reader, k + 1 == count);
  if (status) return status;
  return s->capacity == capacity ? ASC_OK : ASC_BAD_SAVE;
}

/* After the nodes: opening the first one sets them back. */
static bool read_weights(search *s, asci_reader *reader) {
  for (uint32_t t = 0; t < s->m->sections; t++) {
    s->weight[t] = (uint32_t)asci_read_u(reader, UINT32_MAX);
    if (s->weight[t] == 0) return false;
  }
  return !reader->bad;
}

static void replay_weightless(search *s) {
  for (uint32_t k = 0; k < s->base; k++) {
    uint32_t buffer = s->m->weightless[k];
    int64_t fixed = s->m->problem->buffers[buffer].offset;
    s->offset[buffer] = fixed == ASC_UNPLACED ? 0 : fixed;
    s->placed[s->depth++] = buffer;
  }
}

EX_RARE asc_status kernel_load(asc_run *run, void *state, asci_reader *reader) {
  search *s = state;
  value proved = s->lower;
  if (is_lost(run)) {
    run->stats.depth = 0;
    return ASC_OK;
  }
  if (!read_numbers(s, reader) || !read_ring(s, reader, &s->recent) || !read_ring(s, reader, &s->small) ||
      !read_conflict(s, reader))
    return ASC_BAD_SAVE;
  uint64_t count = asci_read_u(reader, reader->count); /* each takes some bytes */
  if (reader->bad || !is_possible(s, proved, count)) return ASC_BAD_SAVE;
  replay_weightless(s);
  asc_run_stats stats = run->stats; /* counted when it was done first */
  uint64_t left = s->nodes_left;
  s->arm = &s->m->arms[s->m->order[s->arm_at]];
  s->unlimited = true;
  asc_status status = replay_nodes(s, reader, count);
  run->stats = stats;
  s->nodes_left = left;
  s->unlimited = !s->m->options.restarts;
  if (status) return status;
  return read_weights(s, reader) && s->depth == run->stats.depth ? ASC_OK : ASC_BAD_SAVE;
}
