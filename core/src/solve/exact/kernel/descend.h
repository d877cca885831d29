/* Opening nodes and parts (README 6). */

typedef enum descent {
  DESCENT_NODE,   /* a node was opened: it is the top one */
  DESCENT_SOLVED, /* every buffer is placed */
  DESCENT_LIMIT,  /* the attempt has no nodes left */
  DESCENT_MEMORY,
} descent;

static node *push_node(search *s) {
  asc_context *context = s->run->context;
  size_t need = s->node_count + 1;
  if (!asci_grow(context, &s->nodes, &s->node_room, need, sizeof *s->nodes) ||
      !asci_grow(context, &s->sets, &s->set_room, need * s->m->words, sizeof *s->sets))
    return NULL;
  node *f = &s->nodes[s->node_count++];
  *f = (node){.child = WASTE};
  if (proving(s)) prove_node(s);
  return f;
}

static bool list_candidates(search *s, node *f, uint32_t mate) {
  const ex_model *m = s->m;
  uint32_t section = f->section, count = s->count[section];
  asc_context *context = s->run->context;
  f->list = (uint32_t)s->list_count;
  if (!count) return true; /* and there may be no list yet */
  if (s->list_count + count > UINT32_MAX ||
      !asci_grow(context, &s->list, &s->list_room, s->list_count + count, sizeof *s->list) ||
      !asci_grow(context, &s->fates, &s->fate_room, s->list_count + count, sizeof *s->fates))
    return false;
  uint32_t *list = s->list + s->list_count, found = 0;
  const value *least = s->least, floor = f->floor;
  for (uint32_t e = m->list_begin[section], end = m->list_begin[section + 1]; e < end; e++)
    if (least[m->list[e]] + low_of(s, e) == floor && is_listed(s, m->list[e], mate)) list[found++] = m->list[e];
  memset(s->fates + s->list_count, UNTRIED, found);
  f->count = found;
  s->list_count += f->count;
  return true;
}

/* A node on sections [first, end) that asks `section` (EX_NONE: the arm chooses). */
static descent open_node(search *s, uint32_t first, uint32_t end, uint32_t owner, bool part_root, uint32_t section) {
  if (!s->unlimited && s->nodes_left == 0) return DESCENT_LIMIT;
  s->nodes_left -= s->unlimited ? 0 : 1;
  s->run->stats.nodes++;
  node *f = push_node(s);
  if (!f) return DESCENT_MEMORY;
  f->first = first;
  f->end = end;
  f->owner = owner;
  f->part_root = part_root;
  f->level = s->depth;
  f->list_mark = (uint32_t)s->list_count;
  f->parts_mark = (uint32_t)s->part_count;
  uint32_t mate = s->gluing ? find_mate(s, first, end) : EX_NONE;
  f->section = section != EX_NONE ? section : mate != EX_NONE ? s->m->first[mate] : choose_section(s, first, end);
  f->floor = s->floor[f->section];
  f->trail_mark = f->trail_end = s->trail_count;
  if (!list_candidates(s, f, mate) || s->out_of_memory) return DESCENT_MEMORY;
  close_waste(s, f);
  if (mate != EX_NONE) keep_mate(s, f, mate);
  if (section == EX_NONE) order_candidates(s, f);
  return DESCENT_NODE;
}

/* ---- parts ----------------------------------------------------------------------------------------------------------- */

/* How much is to place against the slack there is, at worst. */
static int64_t hardness_of(const search *s, uint32_t first, uint32_t end) {
  int64_t most = 0;
  for (uint32_t t = first; t < end; t++) {
    if (s->rest[t] == 0) continue;
    int64_t slack = (int64_t)s->capacity - s->floor[t] - s->rest[t], rest = s->rest[t];
    int64_t hardness = (rest < INT64_MAX / 1024 ? rest * 1024 : INT64_MAX) / (1 + slack);
    if (hardness > most) most = hardness;
  }
  return most;
}

/* Decomposition (README 6): the parts that the boundaries which nothing crosses make of [first, end), hardest first; ties in order of time.
   Those in which nothing is left are no parts. Sound: no buffer is in two of them, so each is packed, or fails, by itself. False: no memory. */
static bool split(search *s, uint32_t first, uint32_t end) {
  size_t base = s->part_count;
  for (uint32_t from = first; from < end;) {
    uint32_t to = from + 1;
    while (to < end && s->cross[to - 1]) to++;
    bool empty = to == from + 1 && s->rest[from] == 0;
    if (!empty) {
      if (!asci_grow(s->run->context, &s->parts, &s->part_room, s->part_count + 1, sizeof *s->parts)) return false;
      part made = {.first = from, .end = to, .hardness = hardness_of(s, from, to)};
      size_t at = s->part_count++;
      for (; at > base && s->parts[at - 1].hardness < made.hardness; at--) s->parts[at] = s->parts[at - 1];
      s->parts[at] = made;
    }
    from = to;
  }
  return true;
}

static descent open_part(search *s, uint32_t owner, uint32_t section) {
  node *and = &s->nodes[owner];
  part p = s->parts[ and->parts_mark + and->part_next++];
  return open_node(s, p.first, p.end, owner, true, section);
}

/* Whether the child of f leaves its part in one piece, as most do. */
static bool stays_whole(const search *s, const node *f) {
  if (f->child == WASTE) return true;
  uint32_t i = candidate(s, f, f->child), end = s->m->end[i];
  for (uint32_t t = s->m->first[i]; t < end; t++)
    if (s->rest[t] == 0 || (t + 1 < end && s->cross[t] == 0)) return false;
  return true;
}

/* After the top node's child was applied: the next node, in the same part, in the hardest of the parts it falls into, or, where that part is
   solved, in the next that waits. section: as for open_node. */
static descent descend(search *s, uint32_t section) {
  uint32_t at = (uint32_t)s->node_count - 1;
  node *f = &s->nodes[at];
  if (stays_whole(s, f)) return open_node(s, f->first, f->end, f->owner, false, section);
  f->part_next = 0;
  if (s->m->options.decomposition) {
    if (!split(s, f->first, f->end)) return DESCENT_MEMORY;
    f->part_count = (uint32_t)(s->part_count - f->parts_mark);
  } else {
    f->part_count = 0;
    bool left = false;
    for (uint32_t t = f->first; t < f->end; t++) left = left || s->rest[t] > 0;
    if (left) return open_node(s, f->first, f->end, f->owner, false, section);
  }
  /* a solved part goes back to whoever owns it, until one is found that waits */
  while (s->nodes[at].part_next == s->nodes[at].part_count) {
    if (at == 0) return DESCENT_SOLVED;
    at = s->nodes[at].owner;
  }
  return open_part(s, at, section);
}

/* ---- attempts -------------------------------------------------------------------------------------------------------- */

/* Everything unplaced. */
static void reset(search *s) {
  const ex_model *m = s->m;
  memcpy(s->least, s->first_least, m->count * sizeof *s->least);
  memcpy(s->floor, s->first_floor, m->sections * sizeof *s->floor);
  memcpy(s->rest, s->first_rest, m->sections * sizeof *s->rest);
  memcpy(s->low_top, s->first_low_top, m->sections * sizeof *s->low_top);
  memcpy(s->high, s->first_high, m->sections * sizeof *s->high);
  memcpy(s->count, s->first_count, m->sections * sizeof *s->count);
  memcpy(s->cross, m->cross, m->sections * sizeof *s->cross);
  memset(s->unplaced, 0, m->words * sizeof *s->unplaced);
  for (uint32_t t = 0; t < m->sections; t++) s->weight[t] = 1;
  for (uint32_t i = 0; i < m->count; i++) set_bit(s->unplaced, i);
  for (uint32_t i = 0; i < s->whole->count; i++) s->offset[s->whole->buffer[i]] = ASC_UNPLACED;
  s->depth = s->base;
  s->found = false;
  s->shown = 0;
  s->trail_count = s->node_count = s->part_count = s->list_count = s->proof.cases.used = 0;
  s->touched_first = EX_NONE;
  s->touched_end = 0;
}

/* From the start: opens the root and its first part. section: as for open_node. */
static descent begin(search *s, uint32_t section) {
  reset(s);
  node *root = push_node(s);
  if (!root) return DESCENT_MEMORY;
  root->first = 0;
  root->end = s->m->sections;
  root->part_root = true;
  if (!s->m->options.decomposition) {
    if (s->m->count == 0) return DESCENT_SOLVED;
    root->part_count = 0;
    return open_node(s, 0, s->m->sections, 0, true, section);
  }
  if (!split(s, 0, s->m->sections)) return DESCENT_MEMORY;
  s->nodes[0].part_count = (uint32_t)s->part_count;
  return s->part_count ? open_part(s, 0, section) : DESCENT_SOLVED;
}
