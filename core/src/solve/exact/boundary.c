/* The boundaries of sections for sweep.c: who ends and who begins there, and which subsets of them are of which sum. */
#include "sweep.h"

int64_t asci_ex_sweep_idle(const ex_sweep *s, uint32_t section) {
  return s->capacity - s->m->rest[section];
}

static bool is_tight(const ex_sweep *s, uint32_t section) {
  const ex_model *m = s->m;
  uint32_t alive = m->list_begin[section + 1] - m->list_begin[section];
  return asci_ex_sweep_idle(s, section) >= 0 && asci_ex_sweep_idle(s, section) <= EX_SWEEP_IDLE &&
         alive + EX_SWEEP_IDLE <= PQ_MOST_LEAVES;
}

static const uint64_t *row_of(const ex_sweep *s, uint32_t section) {
  return s->m->members + (size_t)section * s->m->words;
}

/* Lists who is alive in section a and not in b, with a's idle units behind them. EX_NONE: they are too many. */
static uint32_t list_leaving(const ex_sweep *s, uint32_t a, uint32_t b, uint32_t *list) {
  const uint64_t *here = row_of(s, a), *there = row_of(s, b);
  uint32_t count = 0;
  for (uint32_t w = 0; w < s->m->words; w++)
    for (uint64_t word = here[w] & ~there[w]; word; word &= word - 1) {
      if (count == EX_SWEEP_ENDS) return EX_NONE;
      list[count++] = w * 64 + (uint32_t)__builtin_ctzll(word);
    }
  for (uint32_t k = 0; k < asci_ex_sweep_idle(s, a); k++) {
    if (count == EX_SWEEP_ENDS) return EX_NONE;
    list[count++] = s->m->count + (a % 2) * EX_SWEEP_IDLE + k;
  }
  return count;
}

int64_t asci_ex_leaf_size(const ex_sweep *s, uint32_t leaf) {
  return leaf < s->m->count ? s->m->size[leaf] : 1;
}

/* Whether the two, which begin at the same boundary, end at the same one and are of the same size. */
static bool are_alike(const ex_sweep *s, uint32_t a, uint32_t b) {
  const ex_model *m = s->m;
  if (b >= m->count) return a >= m->count; /* a is listed before b, and idle units behind all items */
  if (m->size[a] != m->size[b]) return false;
  if (m->piece_begin[a + 1] - m->piece_begin[a] > 1 || m->piece_begin[b + 1] - m->piece_begin[b] > 1) return false;
  return s->mirrored ? m->first[a] == m->first[b] : m->end[a] == m->end[b];
}

uint32_t asci_ex_sweep_section(const ex_sweep *s, uint32_t step) {
  return s->mirrored ? s->start - step : s->start + step;
}

/* Whether a sweep at section a can go on to its neighbour b. With a gap between them both may have the same buffers. */
static bool is_passable(const ex_sweep *s, uint32_t a, uint32_t b) {
  uint32_t list[EX_SWEEP_ENDS];
  if (!is_tight(s, a) || !is_tight(s, b)) return false;
  uint32_t out = list_leaving(s, a, b, list), in = list_leaving(s, b, a, list);
  return out && out != EX_NONE && in != EX_NONE; /* if somebody leaves, somebody comes: idle units do, too */
}

bool asci_ex_sweep_has_boundary(const ex_sweep *s, uint32_t step) {
  uint32_t here = asci_ex_sweep_section(s, step);
  if (s->mirrored ? here == 0 : here + 1 == s->m->sections) return false;
  return is_passable(s, here, asci_ex_sweep_section(s, step + 1));
}

static void add_up(const ex_sweep *s, const uint32_t *leaves, uint32_t count, int64_t *sums) {
  sums[0] = 0;
  for (uint32_t k = 0; k < count; k++)
    for (uint32_t set = 0; set < UINT32_C(1) << k; set++)
      sums[set | UINT32_C(1) << k] = sums[set] + asci_ex_leaf_size(s, leaves[k]);
}

void asci_ex_sweep_visit(ex_sweep *s, uint32_t step) {
  ex_boundary *at = &s->at;
  if (s->at_step == step) return;
  uint32_t here = asci_ex_sweep_section(s, step), there = asci_ex_sweep_section(s, step + 1);
  at->out_count = list_leaving(s, here, there, at->out);
  at->in_count = list_leaving(s, there, here, at->in);
  for (uint32_t k = 0; k < at->in_count; k++) {
    at->twins[k] = 0;
    for (uint32_t j = 0; j < k; j++) at->twins[k] |= are_alike(s, at->in[j], at->in[k]) ? UINT32_C(1) << j : 0;
  }
  add_up(s, at->out, at->out_count, at->out_sums);
  add_up(s, at->in, at->in_count, at->in_sums);
  s->at_step = step;
}
