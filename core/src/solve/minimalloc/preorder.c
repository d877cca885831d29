#include "search.h"

#include "base/number/products.h"
#include "base/sort.h"

#include <string.h>

bool asci_mm_valid_heuristic(const char *text, size_t length) {
  if (length < 1 || length > 8) return false;
  for (size_t k = 0; k < length; k++)
    if (!memchr("ACLOTUWZ", text[k], 8)) return false;
  return true;
}

/* A tree of maxima over the totals of sections first .. first + count - 1: leaf k is tree[count + k], node i the larger of 2i and
   2i + 1. */
static void grow_tree(mm_search *s, uint32_t first, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) s->tree[count + k] = s->total[first + k];
  for (uint32_t i = count; i-- > 1;) s->tree[i] = s->tree[2 * i] > s->tree[2 * i + 1] ? s->tree[2 * i] : s->tree[2 * i + 1];
}

static int64_t largest_between(const mm_search *s, uint32_t count, uint32_t from, uint32_t to) {
  int64_t largest = 0;
  for (from += count, to += count; from < to; from /= 2, to /= 2) {
    if (from % 2 && s->tree[from++] > largest) largest = s->tree[from - 1];
    if (to % 2 && s->tree[--to] > largest) largest = s->tree[to];
  }
  return largest;
}

/* Largest total over the sections of each member, at this moment. */
static void find_largest_totals(mm_search *s, const uint32_t *members, uint32_t count) {
  uint32_t first = UINT32_MAX, end = 0;
  for (uint32_t k = 0; k < count; k++) {
    mm_span span = s->span[members[k]];
    if (span.first < first) first = span.first;
    if (span.end > end) end = span.end;
  }
  if (!count) return;
  grow_tree(s, first, end - first);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t b = members[k];
    s->key_total[b] = 0;
    for (uint32_t p = s->problem->piece_begin[b]; p < s->problem->piece_begin[b + 1]; p++) {
      int64_t largest = largest_between(s, end - first, s->piece_first[p] - first, s->piece_end[p] - first);
      if (largest > s->key_total[b]) s->key_total[b] = largest;
    }
  }
}

static uint32_t sections_spanned(const mm_search *s, uint32_t buffer) {
  uint32_t sum = 0;
  for (uint32_t p = s->problem->piece_begin[buffer]; p < s->problem->piece_begin[buffer + 1]; p++)
    sum += s->piece_end[p] - s->piece_first[p];
  return sum;
}

/* -1, 0, 1 as a is smaller, equal, larger. */
static int compare(int64_t a, int64_t b) {
  return (a > b) - (a < b);
}

/* size * width exceeds 64 bits for huge inputs. */
static int compare_areas(const asc_buffer_spec *a, const asc_buffer_spec *b) {
  const uint64_t x[2] = {(uint64_t)a->size, (uint64_t)a->upper - (uint64_t)a->lower};
  const uint64_t y[2] = {(uint64_t)b->size, (uint64_t)b->upper - (uint64_t)b->lower};
  return asci_compare_products(x, y, 2);
}

static int compare_by(const mm_search *s, char letter, uint32_t a, uint32_t b) {
  const asc_buffer_spec *x = &s->problem->buffers[a], *y = &s->problem->buffers[b];
  switch (letter) {
  case 'A':
    return compare_areas(x, y);
  case 'C':
    return compare(sections_spanned(s, a), sections_spanned(s, b));
  case 'L':
    return compare(x->lower, y->lower);
  case 'O':
    return compare(s->overlap_count[a], s->overlap_count[b]);
  case 'T':
    return compare(s->key_total[a], s->key_total[b]);
  case 'U':
    return compare(x->upper, y->upper);
  case 'W':
    return compare(x->upper - x->lower, y->upper - y->lower);
  default:
    return compare(x->size, y->size);
  }
}

static bool before(const void *keys, uint32_t a, uint32_t b) {
  const mm_search *s = keys;
  for (const char *letter = s->arms[s->arm]; *letter; letter++) {
    int order = compare_by(s, *letter, a, b);
    if (order) return order > 0;
  }
  return a < b;
}

/* The order in which a sweep over time meets the buffers: what the reference program has when it does not preorder. */
static bool starts_before(const void *keys, uint32_t a, uint32_t b) {
  const asc_buffer_spec *buffers = keys;
  return buffers[a].lower != buffers[b].lower ? buffers[a].lower < buffers[b].lower : a < b;
}

void asci_mm_preorder(mm_search *s, uint32_t *members, uint32_t count) {
  if (!s->options.static_preordering) {
    asci_sort(members, s->scratch, count, starts_before, s->problem->buffers);
    return;
  }
  find_largest_totals(s, members, count);
  asci_sort(members, s->scratch, count, before, s);
}
