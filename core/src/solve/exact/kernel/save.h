/* A saved search is its attempt, what it has learnt, and for each open node the section it asks, its candidates and how far it has come:
 * everything else follows by applying the decisions again. */

/* Its items as steps from one to the next, and the least height of each. They are most of what is saved, and keyframes are saved while a
   search runs: at once. */
static void save_nogood(asci_saver *saver, const nogood *g) {
  uint8_t *to = asci_room(saver, 2 * (size_t)g->count + 1);
  if (!to) return;
  to = asci_put(to, g->count);
  for (uint32_t j = 0, next = 0; j < g->count; j++) {
    to = asci_put(to, g->items[j] - next);
    to = asci_put(to, (uint64_t)g->least[j]);
    next = g->items[j] + 1;
  }
  saver->count = (size_t)(to - saver->bytes);
}

static bool load_nogood(const ex_model *m, asci_saver *saver, nogood *g, uint32_t room) {
  uint32_t n = m->count, next = 0;
  ASCI_KEEP(saver, g->count, room);
  memset(g->bits, 0, m->words * sizeof *g->bits);
  for (uint32_t j = 0; j < g->count; j++) {
    uint32_t step = 0;
    ASCI_KEEP(saver, step, n);
    ASCI_KEEP(saver, g->least[j], (uint64_t)BIG - 1);
    if (saver->failed || next + step >= n) return false;
    g->items[j] = next + step;
    set_bit(g->bits, g->items[j]);
    next = g->items[j] + 1;
  }
  return g->count > 0;
}

static bool keep_ring(const ex_model *m, asci_saver *saver, ring *r) {
  ASCI_KEEP(saver, r->used, r->size);
  ASCI_KEEP(saver, r->next, r->size ? r->size - 1 : 0);
  for (uint32_t k = 0; k < r->used; k++) {
    nogood *g = &r->entries[k];
    if (!saver->loads) {
      save_nogood(saver, g);
      continue;
    }
    if (!load_nogood(m, saver, g, r->room)) return false;
    r->watches[k] = (watch){g->items[0], g->least[0]};
  }
  return !saver->failed && (r->used == r->size || r->next == r->used);
}

/* The first rings name items of the whole model. The second ones name items of the glued attempt under way, or of the last one while there is something
   left of it to look at: these may be boxes. */
static bool keep_rings(search *s, asci_saver *saver) {
  const ex_model *models[] = {s->whole, s->m};
  for (unsigned k = 0; k < 2; k++)
    if (!keep_ring(models[k], saver, &s->recent[k]) || !keep_ring(models[k], saver, &s->small[k])) return false;
  return true;
}

static bool keep_numbers(search *s, asci_saver *saver) {
  uint64_t highest = (uint64_t)BIG / 2 - 1;
  ASCI_KEEP(saver, s->base, s->m->weightless_count);
  ASCI_KEEP(saver, s->cycle, ASCI_ANY);
  ASCI_KEEP(saver, s->arm_at, s->m->arm_count - 1);
  ASCI_KEEP(saver, s->limit, ASCI_ANY);
  ASCI_KEEP(saver, s->nodes_left, ASCI_ANY);
  ASCI_KEEP(saver, s->attempt_nodes, ASCI_ANY);
  ASCI_KEEP(saver, s->short_nodes, ASCI_ANY);
  ASCI_KEEP(saver, s->long_nodes, ASCI_ANY);
  ASCI_KEEP(saver, s->last_long, ASCI_ANY);
  ASCI_KEEP(saver, s->lengthy, 1);
  ASCI_KEEP(saver, s->started, 1);
  ASCI_KEEP(saver, s->gluing, 1);
  ASCI_KEEP(saver, s->boxing, 1);
  ASCI_KEEP(saver, s->drawn, ASCI_ANY);
  ASCI_KEEP(saver, s->refuted, 1);
  ASCI_KEEP(saver, s->phase, PHASE_PROBE);
  ASCI_KEEP(saver, s->order_at, FIRST_FITS - 1);
  ASCI_KEEP(saver, s->round, ASCI_ANY);
  ASCI_KEEP(saver, s->probe_left, ASCI_ANY);
  ASCI_KEEP(saver, s->probing, 1);
  ASCI_KEEP(saver, s->winner, s->m->arm_count - 1);
  ASCI_KEEP(saver, s->lowest_done, 1);
  ASCI_KEEP(saver, s->climbed, CLIMB_MOST);
  ASCI_KEEP(saver, s->elastic, 1);
  ASCI_KEEP(saver, s->pending, SOURCE_TRIES);
  ASCI_KEEP(saver, s->sweep_due, 1);
  ASCI_KEEP(saver, s->sweeping, 1);
  ASCI_KEEP(saver, s->found, 1);
  ASCI_KEEP(saver, s->swept_steps, ASCI_ANY);
  ASCI_KEEP(saver, s->sweeps, ASCI_ANY);
  ASCI_KEEP(saver, s->shown, s->m->count);
  ASCI_KEEP_OR_NONE(saver, s->swept, highest);
  ASCI_KEEP(saver, s->rng.state, ASCI_ANY);
  ASCI_KEEP_OR_NONE(saver, s->capacity, highest);
  ASCI_KEEP_OR_NONE(saver, s->asked, highest);
  ASCI_KEEP(saver, s->limited, s->m->limits);
  ASCI_KEEP_OR_NONE(saver, s->lower, highest);
  ASCI_KEEP_OR_NONE(saver, s->upper, highest);
  ASCI_KEEP_OR_NONE(saver, s->bracket, highest);
  ASCI_KEEP_OR_NONE(saver, s->nogood_capacity, highest);
  return !saver->failed;
}

static bool keep_conflict(search *s, asci_saver *saver) {
  uint32_t n = s->m->problem->count, count = !saver->loads && s->refuted ? s->run->conflict_count : 0;
  ASCI_KEEP(saver, count, n);
  ASCI_KEEP_EACH(saver, s->conflict_buffers, count, n - 1);
  for (uint32_t k = 1; k < count; k++)
    if (s->conflict_buffers[k] <= s->conflict_buffers[k - 1]) return false;
  if (asci_loaded(saver) && s->refuted) {
    s->run->conflict = s->conflict_buffers;
    s->run->conflict_count = count;
  }
  return !saver->failed && (s->refuted || count == 0);
}

/* The bounds and the plan that the engine has read say the same. proved: the bound of a new run. */
static bool is_bounded(const search *s, value proved) {
  int64_t height = s->run->stats.height, unit = s->m->unit;
  if (height > ASC_MAX_BYTES) return false; /* no solver makes such a plan: sums with it could overflow */
  int64_t upper = height < 0 ? -1 : (height + unit - 1) / unit;
  if (s->upper != upper || s->lower < proved || s->bracket < s->lower - 1) return false;
  if (s->lower == upper && height > s->run->stats.lower_bound) return false; /* nothing would be left to ask for */
  /* the end of what occupies nothing need not be a whole number of units, so it is rounded up where the capacity is rounded down */
  return upper < 0 || (s->lower <= upper && (general(s) || upper <= (s->m->most + unit - 1) / unit));
}

/* Of the attempts: whose turn it is, and what they have had. */
static bool is_turn_possible(const search *s, bool begun) {
  const ex_model *m = s->m;
  const ex_arm *arm = &m->arms[m->order[s->arm_at]];
  bool glued = arm->glued && !s->elastic;
  if (s->nodes_left > s->attempt_nodes || (m->arms[m->order[s->winner]].glued && !m->glues)) return false;
  if (glued && (!m->glues || s->lengthy || (!m->minimize && s->cycle == 0 && s->arm_at >= m->early_count))) return false;
  if (s->lengthy && !is_counted(s) && s->long_nodes >= long_allowance(s)) return false;
  if (s->gluing && (!m->glues || !begun || s->elastic)) return false;
  if (s->boxing && (!s->gluing || !m->boxable)) return false;
  return !s->started || (s->gluing == glued && s->boxing == (s->gluing && arm->boxed && m->boxable));
}

/* What occupies nothing may be fixed above all that others need: then the bound of a new run is asked for. */
static value most_capacity(const search *s, value proved) {
  return s->given_capacity > proved ? s->given_capacity : proved;
}

/* What no search has had would lead it out of its arrays or its arithmetic. nodes: as saved, the root among them. */
static bool is_possible(const search *s, value proved, uint64_t nodes) {
  bool begun = nodes > 0, dives = s->phase == PHASE_DIVE;
  value over = s->asked < 0 ? -1 : s->asked % (value)s->m->grain;
  if (over < 0 || (!s->elastic && s->capacity != (over ? s->asked + ((value)s->m->grain - over) : s->asked))) return false;
  if (s->started && nodes < 2) return false;
  if (begun && s->base < s->m->weightless_count) return false;
  if (!is_turn_possible(s, begun)) return false;
  if (!s->m->minimize)
    return s->asked == s->given_capacity && s->phase == PHASE_BOUNDS && !s->probing && !s->elastic && !s->pending &&
           !s->order_at;
  if (!is_bounded(s, proved)) return false;
  if (dives && (s->m->general || s->order_at > DIVES || s->lower != proved)) return false;
  if (s->elastic) return dives && !s->probing;
  if (s->probing && s->phase != PHASE_PROBE) return false;
  return s->asked <= most_capacity(s, proved) && (!begun || s->phase == PHASE_PROBE) && (!s->started || s->probing);
}

/* ---- nodes ----------------------------------------------------------------------------------------------------------- */

/* The candidates in order, each of them once, and what became of them. The node that is loaded has just been opened: it has all of them. */
static bool keep_candidates(search *s, asci_saver *saver, const node *f) {
  if (saver->loads) {
    for (uint32_t i = 0; i < s->m->count; i++) s->key[i] = 0;
    for (uint32_t k = 0; k < f->count; k++) s->key[candidate(s, f, k)] = 1;
  }
  for (uint32_t k = 0; k < f->count; k++) {
    uint64_t number = (uint64_t)s->list[f->list + k] << 2 | s->fates[f->list + k];
    ASCI_KEEP(saver, number, ((uint64_t)s->m->count << 2) - 1);
    if (!saver->loads) continue;
    uint32_t i = (uint32_t)(number >> 2);
    if (saver->failed || (number & 3) > SKIPPED || !s->key[i]) return false;
    s->key[i] = 0;
    s->list[f->list + k] = i;
    s->fates[f->list + k] = (uint8_t)(number & 3);
  }
  return !saver->failed;
}

static bool keep_set(search *s, asci_saver *saver, const node *f) {
  uint64_t *set = set_of(s, f), all = 0;
  ASCI_KEEP_EACH(saver, set, s->m->words, ASCI_ANY);
  for (uint32_t w = 0; w < s->m->words; w++) {
    if (saver->loads && set[w] & ~s->unplaced[w]) return false;
    all |= set[w];
  }
  return !saver->failed && all;
}

static void keep_place(const search *s, asci_saver *saver, uint32_t *section, bool *open) {
  ASCI_KEEP(saver, *section, s->m->sections ? s->m->sections - 1 : 0);
  ASCI_KEEP(saver, *open, 1);
}

/* How far a node has come. */
static bool keep_progress(search *s, asci_saver *saver, node *f) {
  uint32_t waste = f->waste;
  ASCI_KEEP(saver, f->failing, 1);
  ASCI_KEEP(saver, f->learnt, 1);
  ASCI_KEEP(saver, f->joined, 1);
  ASCI_KEEP(saver, waste, WASTE_PILED);
  ASCI_KEEP_OR_NONE(saver, f->child, UINT32_MAX);
  if (!keep_candidates(s, saver, f)) return false;
  if (f->waste != waste && (f->waste != WASTE_OPEN || waste != WASTE_FAILED)) return false;
  f->waste = (uint8_t)waste;
  return (f->child == WASTE || f->child < f->count) && (!f->joined || keep_set(s, saver, f));
}

/* Whether a child of it may be applied. */
static bool may_be_open(const search *s, const node *f) {
  bool untried = f->child == WASTE ? f->waste == WASTE_OPEN : s->fates[f->list + f->child] == UNTRIED;
  return untried && !f->failing;
}

static bool save_nodes(search *s, asci_saver *saver) {
  for (size_t k = 1; k < s->node_count; k++) {
    node *f = &s->nodes[k];
    uint32_t section = f->section;
    bool open = f->open;
    keep_place(s, saver, &section, &open);
    if (!keep_progress(s, saver, f)) return false;
  }
  return true;
}

/* Opens the next node of the save and applies its child. shown: of the last one's box, if the attempt is about to show the others; else 0. */
static asc_status load_node(search *s, asci_saver *saver, bool last, uint32_t shown) {
  uint32_t section = 0;
  bool open = false;
  keep_place(s, saver, &section, &open);
  if (saver->failed || s->m->sections == 0 || s->rest[section] <= 0) return ASC_BAD_SAVE;
  /* only the top one of an attempt under way waits for a child, or for the members of a box */
  if (open == (last && s->started && !shown)) return ASC_BAD_SAVE;
  descent opened = s->node_count == 0 ? begin(s, section) : descend(s, section);
  if (opened == DESCENT_MEMORY) return ASC_OUT_OF_MEMORY;
  if (opened != DESCENT_NODE) return ASC_BAD_SAVE;
  node *f = top_node(s);
  if (section < f->first || section >= f->end || !keep_progress(s, saver, f)) return ASC_BAD_SAVE;
  if (!open) return ASC_OK;
  if (!may_be_open(s, f)) return ASC_BAD_SAVE;
  if (f->child == WASTE)
    find_waste(s, f, 0);
  else if (s->elastic)
    yield_to(s, f, candidate(s, f, f->child));
  bool well = apply(s, f);
  if (!well) return s->out_of_memory ? ASC_OUT_OF_MEMORY : ASC_BAD_SAVE;
  uint32_t members = count_members(s, f);
  if (last && shown && shown >= members) return ASC_BAD_SAVE;
  while (s->depth - f->level < (last && shown ? shown : members)) show_member(s, f);
  return ASC_OK;
}

/* Applies the saved decisions to what is there before the first: in a dive at the capacity that it began with. */
static asc_status load_nodes(search *s, asci_saver *saver, uint64_t count, uint32_t shown) {
  value capacity = s->capacity;
  asc_status status = ASC_OK;
  if (s->elastic) ask(s, s->lower);
  if (count > 1 && (first_misfit(s) != EX_NONE || worst_section(s) != EX_NONE)) return ASC_BAD_SAVE;
  if (count == 1 && !push_node(s)) return ASC_OUT_OF_MEMORY;
  for (uint64_t k = 1; k < count && !status; k++) status = load_node(s, saver, k + 1 == count, shown);
  if (status) return status;
  return s->capacity == capacity ? ASC_OK : ASC_BAD_SAVE;
}

static void replay_weightless(search *s) {
  for (uint32_t k = 0; k < s->base; k++) {
    uint32_t buffer = s->m->weightless[k];
    int64_t fixed = s->m->problem->buffers[buffer].offset;
    s->offset[buffer] = fixed == ASC_UNPLACED ? 0 : fixed;
    s->placed[s->depth++] = buffer;
  }
}

/* How far all sweeps are, and one under way, or the plan that it found as far as it is placed. Neither of these is there beside an attempt. */
static asc_status keep_sweep(search *s, asci_saver *saver, value proved, uint64_t nodes) {
  asc_status status = asci_ex_sweep_keep_starts(&s->sweep, saver);
  if (status) return status;
  if (!s->sweeping && !s->found) return s->shown ? ASC_BAD_SAVE : ASC_OK;
  if (saver->loads) {
    uint32_t shown = s->shown;
    bool placing = s->sweeping && s->found;
    if (nodes || (s->m->minimize && s->sweeping && !s->probing)) return ASC_BAD_SAVE;
    if (s->m->options.exchange == EXCHANGE_NEVER || s->m->windows || !s->m->count) return ASC_BAD_SAVE;
    if (s->found ? placing == (shown == s->m->count) : shown > 0) return ASC_BAD_SAVE;
    if (s->sweeping ? s->sweep.capacity != s->capacity : s->sweep.capacity > most_capacity(s, proved)) return ASC_BAD_SAVE;
  }
  status = asci_ex_sweep_keep(&s->sweep, saver, s->found);
  if (status || !saver->loads) return status;
  uint32_t shown = s->shown;
  for (s->shown = 0; s->shown < shown;) show_found(s);
  return ASC_OK;
}

/* Applies what was saved to what is there before the first step. proved: the bound then. */
static asc_status load_decisions(search *s, asci_saver *saver, value proved, uint64_t count, uint32_t shown) {
  if (saver->failed || !is_possible(s, proved, count)) return ASC_BAD_SAVE;
  replay_weightless(s);
  asc_run_stats stats = s->run->stats; /* counted when it was done first */
  uint64_t left = s->nodes_left;
  if (!take_arm(s)) return ASC_OUT_OF_MEMORY;
  s->unlimited = true;
  asc_status status = load_nodes(s, saver, count, shown);
  s->run->stats = stats;
  s->nodes_left = left;
  s->unlimited = !s->m->options.restarts;
  return status;
}

EX_RARE asc_status kernel_keep(asc_run *run, void *state, asci_saver *saver) {
  search *s = state;
  value proved = s->lower;
  if (!keep_numbers(s, saver)) return asci_unkept(saver);
  if (saver->loads && s->gluing && !general(s) && s->m->glues) {
    if (s->boxing && !s->m->boxable) return ASC_BAD_SAVE;
    if (!take_arm(s) || !draw(s)) return ASC_OUT_OF_MEMORY;
  }
  if (!keep_rings(s, saver) || !keep_conflict(s, saver)) return asci_unkept(saver);
  uint64_t count = s->node_count;
  uint32_t shown = is_showing(s) ? s->depth - top_node(s)->level : 0;
  ASCI_KEEP(saver, count, saver->count); /* each takes some bytes */
  ASCI_KEEP(saver, shown, s->whole->count);
  if (shown && (!s->started || count < 2)) return asci_unkept(saver);
  if (!saver->loads && !save_nodes(s, saver)) return asci_unkept(saver);
  asc_status status = saver->loads ? load_decisions(s, saver, proved, count, shown) : ASC_OK;
  if (!status) status = keep_sweep(s, saver, proved, count);
  if (status) return status;
  ASCI_KEEP_EACH(saver, s->weight, s->m->sections, ASCI_ANY); /* behind the nodes: opening the first one sets them back */
  for (uint32_t t = 0; t < s->m->sections; t++)
    if (s->weight[t] == 0) return asci_unkept(saver);
  return saver->loads && s->depth != run->stats.depth ? ASC_BAD_SAVE : asci_kept(saver);
}
