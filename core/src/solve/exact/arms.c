/* The portfolio: "10WATK,2WAT,...": for each arm a score of sections, a static order of candidates, a look-ahead, a mirror. */
#include "base/diag.h"
#include "base/number/products.h"
#include "base/sort.h"
#include "boxes.h"

#include <string.h>

/* ---- reading --------------------------------------------------------------------------------------------------------- */

static bool read_score(const char **text, ex_score *score) {
  static const struct {
    const char *name;
    ex_score score;
  } names[] = {{"10", EX_SCORE_LOAD}, {"12", EX_SCORE_MIXED},   {"14", EX_SCORE_MIXED_WEIGHT},
               {"0", EX_SCORE_FLOOR}, {"2", EX_SCORE_CHILDREN}, {"4", EX_SCORE_WEIGHTED}};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    size_t length = strlen(names[k].name);
    if (strncmp(*text, names[k].name, length) != 0) continue;
    *score = names[k].score;
    *text += length;
    return true;
  }
  return false;
}

/* One entry of `length` characters. */
static bool read_arm(const char *text, size_t length, ex_arm *arm) {
  const char *end = text + length;
  *arm = (ex_arm){0};
  if (!read_score(&text, &arm->score)) return false;
  for (size_t k = 0; text < end && strchr("WATZ", *text); text++) {
    if (k == sizeof arm->letters - 1) return false;
    arm->letters[k++] = *text;
  }
  if (!arm->letters[0]) return false;
  if (text < end && (*text == 'H' || *text == 'K')) arm->look = *text++ == 'H' ? EX_LOOK_SPAN : EX_LOOK_ALL;
  if (text < end && *text == 'R') arm->mirrored = *text++;
  if (text < end && (*text == 'G' || *text == 'B')) {
    arm->glued = true;
    arm->boxed = *text++ == 'B';
  }
  return text == end;
}

/* Appends the arms of the option at that place. */
static asc_status read_arms(ex_model *m, const char *text, size_t option, asc_diag *diag) {
  while (true) {
    size_t length = strcspn(text, ",");
    if (m->arm_count == EX_MAX_ARMS || !read_arm(text, length, &m->arms[m->arm_count]))
      return asci_complain(
          diag, ASC_BAD_OPTION, asci_option_name(m->run, option),
          "has \xe2\x80\x9c%.*s\xe2\x80\x9d, expected at most 64 arms in all, parted by commas, like 12WATKR",
          (int)(length < 32 ? length : 32), text);
    if (!m->options.look_ahead) m->arms[m->arm_count].look = EX_LOOK_NOT;
    m->arm_count++;
    if (!text[length]) return ASC_OK;
    text += length + 1;
  }
}

/* ---- static orders --------------------------------------------------------------------------------------------------- */

typedef struct order_keys {
  const ex_model *m;
  const ex_arm *arm;
} order_keys;

static int64_t width_of(const ex_model *m, uint32_t i) {
  const asc_buffer_spec *spec = &m->problem->buffers[m->buffer[i]];
  return m->boxes ? m->boxes->width[i] : spec->upper - spec->lower;
}

static int64_t size_of(const ex_model *m, uint32_t i) {
  return m->boxes ? m->size[i] * m->unit : m->problem->buffers[m->buffer[i]].size;
}

static int64_t key_of(const order_keys *keys, uint32_t i, char letter) {
  switch (letter) {
  case 'W':
    return width_of(keys->m, i);
  case 'T':
    return keys->m->loads[i];
  default:
    return size_of(keys->m, i);
  }
}

static int compare_key(const order_keys *keys, uint32_t a, uint32_t b, char letter) {
  int64_t x = key_of(keys, a, letter), y = key_of(keys, b, letter);
  return (x > y) - (x < y);
}

/* Area = size x width can exceed 64 bits. */
static int compare_area(const order_keys *keys, uint32_t a, uint32_t b) {
  if (key_of(keys, a, 'W') == key_of(keys, b, 'W')) return compare_key(keys, a, b, 'Z');
  const uint64_t x[2] = {(uint64_t)key_of(keys, a, 'Z'), (uint64_t)key_of(keys, a, 'W')};
  const uint64_t y[2] = {(uint64_t)key_of(keys, b, 'Z'), (uint64_t)key_of(keys, b, 'W')};
  return asci_compare_products(x, y, 2);
}

static bool ranks_before(const void *user, uint32_t a, uint32_t b) {
  const order_keys *keys = user;
  for (const char *letter = keys->arm->letters; *letter; letter++) {
    int order = *letter == 'A' ? compare_area(keys, a, b) : compare_key(keys, a, b, *letter);
    if (order) return order > 0;
  }
  return keys->arm->mirrored ? a > b : a < b;
}

static bool same_order(const ex_arm *a, const ex_arm *b) {
  return a->mirrored == b->mirrored && strcmp(a->letters, b->letters) == 0;
}

static uint32_t known_rank(const ex_model *m, const ex_arm *arm) {
  for (uint32_t k = 0; k < m->arm_count; k++)
    if (m->arms[k].rank != EX_NONE && same_order(&m->arms[k], arm)) return m->arms[k].rank;
  return EX_NONE;
}

void asci_ex_measure(ex_model *m) {
  int64_t size = 0, width = 1;
  for (uint32_t i = 0; i < m->count; i++) {
    if (size_of(m, i) > size) size = size_of(m, i);
    if (width_of(m, i) > width) width = width_of(m, i);
    m->loads[i] = 0;
    for (uint32_t t = m->first[i]; t < m->end[i]; t++)
      if (m->rest[t] > m->loads[i]) m->loads[i] = m->rest[t];
  }
  m->areas_fit = size <= INT64_MAX / width;
}

static bool take_keys(ex_model *m) {
  m->loads = asci_ex_take_raw(m, m->count, sizeof *m->loads);
  m->sorted = asci_ex_take(m, m->count, sizeof *m->sorted);
  m->scratch = asci_ex_take(m, m->count, sizeof *m->scratch);
  if (!m->loads || !m->sorted || !m->scratch) return false;
  asci_ex_measure(m);
  return true;
}

/* Larger first, what is equal as it was. */
static void sort_by_letter(ex_model *m, const order_keys *keys, char letter) {
  for (uint32_t i = 0; i < m->count; i++) {
    int64_t key = key_of(keys, i, letter);
    m->keys[i] = -(letter == 'A' ? key * key_of(keys, i, 'W') : key);
  }
  asci_sort_by(m->sorted, m->keys + m->count, m->count, m->keys);
}

/* By digits, from the last letter to the first, which takes a fraction of comparing; by that where an area exceeds 64 bits. */
const uint32_t *asci_ex_order(ex_model *m, const ex_arm *arm) {
  order_keys keys = {m, arm};
  for (uint32_t k = 0; k < m->count; k++) m->sorted[k] = arm->mirrored ? m->count - 1 - k : k;
  if (m->areas_fit)
    for (size_t k = strlen(arm->letters); k-- > 0;) sort_by_letter(m, &keys, arm->letters[k]);
  else
    asci_sort(m->sorted, m->scratch, m->count, ranks_before, &keys);
  return m->sorted;
}

bool asci_ex_rank(ex_model *m, uint32_t at) {
  ex_arm *arm = &m->arms[at];
  if (arm->rank == EX_NONE) arm->rank = known_rank(m, arm);
  if (arm->rank != EX_NONE) return true;
  uint32_t *rank = m->ranks[m->rank_count]; /* boxes have room for theirs */
  if (!rank) rank = asci_ex_take_raw(m, m->count, sizeof *rank);
  if (!rank) return false;
  const uint32_t *order = asci_ex_order(m, arm);
  for (uint32_t k = 0; k < m->count; k++) rank[order[k]] = k;
  arm->rank = m->rank_count;
  m->ranks[m->rank_count++] = rank;
  return true;
}

static bool is_plain(const ex_arm *arm) {
  return !arm->glued;
}
static bool is_boxed(const ex_arm *arm) {
  return arm->boxed;
}
static bool is_piled(const ex_arm *arm) {
  return arm->glued && !arm->boxed;
}

/* Puts those of the arms from .. to - 1 that are so into the order. */
static void add_arms(ex_model *m, uint32_t *count, uint32_t from, uint32_t to, bool (*is_so)(const ex_arm *)) {
  for (uint32_t k = from; k < to; k++)
    if (is_so(&m->arms[k])) m->order[(*count)++] = k;
}

/* Plain arms, those on boxes, those on piles; minimising, the first `bound` that can be early come before all others. Seed 0 takes them as they are
   written; another one shuffles the plain ones, but not when minimising, where few probes get far. */
static void order_arms(ex_model *m, uint32_t bound) {
  asci_rng rng = {m->run->seed};
  uint32_t count = 0, plain = 0;
  if (!m->boxable) bound = 0;
  add_arms(m, &count, 0, bound, is_plain);
  add_arms(m, &count, 0, bound, is_boxed);
  add_arms(m, &count, bound, m->arm_count, is_plain);
  plain = count;
  add_arms(m, &count, bound, m->arm_count, is_boxed);
  m->early_count = m->boxable ? count : plain;
  add_arms(m, &count, 0, m->arm_count, is_piled);
  for (uint32_t k = plain; m->run->seed && !m->minimize && k > 1; k--) {
    uint32_t other = (uint32_t)asci_random_below(&rng, k), last = m->order[k - 1];
    m->order[k - 1] = m->order[other];
    m->order[other] = last;
  }
}

/* In the same sections, also where there are gaps. */
static bool same_life(const ex_model *m, uint32_t i, uint32_t k) {
  uint32_t count = m->piece_begin[i + 1] - m->piece_begin[i];
  if (m->piece_begin[k + 1] - m->piece_begin[k] != count) return false;
  for (uint32_t q = 0; q < count; q++) {
    const ex_piece *a = &m->pieces[m->piece_begin[i] + q], *b = &m->pieces[m->piece_begin[k] + q];
    if (a->first != b->first || a->end != b->end) return false;
  }
  return true;
}

/* Items come in order of their first section. */
uint32_t asci_ex_lead(ex_model *m) {
  uint32_t spans = 0;
  for (uint32_t i = 0; i < m->count; i++) {
    m->leader[i] = i;
    for (uint32_t k = i; k-- > 0 && m->leader[i] == i && m->first[k] == m->first[i];)
      if (same_life(m, i, k)) m->leader[i] = m->leader[k];
    spans += m->leader[i] == i;
  }
  return spans;
}

static asc_status find_leaders(ex_model *m) {
  m->leader = asci_ex_take(m, m->count, sizeof *m->leader);
  if (!m->leader) return ASC_OUT_OF_MEMORY;
  uint32_t spans = asci_ex_lead(m);
  /* elsewhere they are left out */
  m->glues = !m->general && m->count >= EX_GLUE_FROM && (uint64_t)spans * 5 <= (uint64_t)m->count * 4;
  return ASC_OK;
}

static bool has_plain(const ex_model *m) {
  for (uint32_t k = 0; k < m->arm_count; k++)
    if (is_plain(&m->arms[k])) return true;
  return false;
}

asc_status asci_ex_arms(ex_model *m, asc_diag *diag) {
  const ex_options *o = &m->options;
  asc_status status = m->minimize ? read_arms(m, o->bound_arms, offsetof(ex_options, bound_arms), diag) : ASC_OK;
  uint32_t bound = m->arm_count;
  if (!status) status = read_arms(m, o->portfolio, offsetof(ex_options, portfolio), diag);
  if (status) return status;
  status = find_leaders(m);
  if (status) return status;
  m->boxable = m->glues && !m->gaps && m->roomy;
  order_arms(m, bound);
  for (uint32_t arm = 0; arm < m->arm_count; arm++) m->arms[arm].rank = EX_NONE;
  if (!has_plain(m))
    return asci_complain(diag, ASC_BAD_OPTION, asci_option_name(m->run, offsetof(ex_options, portfolio)),
                         "has glued arms alone, which prove nothing: one more is needed");
  return take_keys(m) ? ASC_OK : ASC_OUT_OF_MEMORY;
}
