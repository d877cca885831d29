/* Attempts on boxes (boxes.h, README 4). They are placed as items are; the members of one are shown one after the other, a step each, before the
 * search goes on. That a plan lacks such boxes proves nothing. */

/* What no memory of this width holds is more than the capacity anyway. */
static value clamp(int64_t units) {
  int64_t most = (int64_t)(BIG / 4);
  return (value)(units < most ? units : most);
}

/* Items, and what a search begins with, are those of m from now on. */
static void use_model(search *s, ex_model *m) {
  s->m = m;
  for (uint32_t i = 0; i < m->count; i++) s->size[i] = clamp(m->size[i]);
  for (uint32_t i = 0; i < m->count; i++) s->first_least[i] = snap(s, i, 0);
  for (uint32_t t = 0; t < m->sections; t++) {
    s->weight[t] = 1;
    s->first_rest[t] = clamp(m->rest[t]);
    s->first_floor[t] = s->first_low_top[t] = BIG;
    s->first_high[t] = 0;
    for (uint32_t e = m->list_begin[t]; e < m->list_begin[t + 1]; e++) {
      uint32_t i = m->list[e];
      value low = s->first_least[i] + low_of(s, e), top = s->first_least[i] + s->size[i];
      if (low < s->first_floor[t]) {
        s->first_floor[t] = low;
        s->first_count[t] = 0;
        s->witness[t] = i;
      }
      s->first_count[t] += low == s->first_floor[t];
      if (top < s->first_low_top[t]) s->first_low_top[t] = top;
      if (low > s->first_high[t]) s->first_high[t] = low;
    }
  }
}

/* Draws the boxes of s->drawn and searches with them. False: no memory. */
static bool box_up(search *s) {
  if (!s->boxed && asci_ex_boxes_new(s->whole, &s->boxed)) return false;
  asci_ex_boxes_draw(s->whole, s->drawn, s->boxed);
  use_model(s, s->boxed);
  return true;
}

/* The buffers of an item: of a box all members. Returns how many there are. */
static uint32_t buffers_of(const search *s, uint32_t i, const uint32_t **buffers) {
  const ex_boxes *boxes = s->m->boxes;
  *buffers = boxes ? boxes->member + boxes->begin[i] : s->m->buffer + i;
  return boxes ? boxes->begin[i + 1] - boxes->begin[i] : 1;
}

/* How many buffers the child of f has placed, or is about to show. */
static uint32_t count_members(const search *s, const node *f) {
  const uint32_t *buffers;
  return f->child == WASTE ? 0 : buffers_of(s, candidate(s, f, f->child), &buffers);
}

/* Whether a box has been placed of which some members are not shown yet. */
static bool is_showing(const search *s) {
  if (!s->m->boxes || !s->started || s->node_count < 2) return false;
  const node *f = &s->nodes[s->node_count - 1];
  return f->open && s->depth - f->level < count_members(s, f);
}

/* The next member is where the box has it. */
static uint32_t show_member(search *s, const node *f) {
  const uint32_t *buffers;
  buffers_of(s, candidate(s, f, f->child), &buffers);
  uint32_t buffer = buffers[s->depth - f->level];
  s->offset[buffer] = bytes_of(s, f->floor + s->m->boxes->shift[buffer]);
  s->placed[s->depth++] = buffer;
  return buffer;
}
