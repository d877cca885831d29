/* What a shape must be: rectangles of time and address, apart from each other, inside their buffer. */
#include "base/diag.h"
#include "model/problem.h"

#include <string.h>

static asc_status bad_rect(const asc_rect *rect, asc_diag *diag, const char *expected) {
  char a[ASCI_COMMAS], b[ASCI_COMMAS], c[ASCI_COMMAS], d[ASCI_COMMAS];
  return asci_complain(diag, ASC_BAD_INPUT, "shape", "has %s-%s@%s:%s, expected %s", asci_commas(a, rect->lower),
                       asci_commas(b, rect->upper), asci_commas(c, rect->low), asci_commas(d, rect->high), expected);
}

/* The rectangles under way, from below. They are apart, so that a new one can only meet its neighbours. */
typedef struct front {
  asc_rect *rects;
  uint32_t count;
} front;

/* Those that have ended leave, and the others stay in order. */
static void retire(front *f, int64_t time) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < f->count; k++)
    if (f->rects[k].upper > time) f->rects[kept++] = f->rects[k];
  f->count = kept;
}

/* Puts the rectangle among those under way; false if it meets one of them. */
static bool enter(front *f, const asc_rect *rect) {
  uint32_t at = 0, end = f->count;
  while (at < end) {
    uint32_t middle = at + (end - at) / 2;
    if (f->rects[middle].low < rect->low)
      at = middle + 1;
    else
      end = middle;
  }
  if (at && f->rects[at - 1].high > rect->low) return false;
  if (at < f->count && f->rects[at].low < rect->high) return false;
  memmove(f->rects + at + 1, f->rects + at, (f->count - at) * sizeof *f->rects);
  f->rects[at] = *rect;
  f->count++;
  return true;
}

static asc_status check_apart(front *f, const asc_buffer_spec *spec, asc_diag *diag) {
  for (uint32_t r = 0; r < spec->shape_count; r++) {
    const asc_rect *rect = &spec->shape[r];
    if (r && spec->shape[r - 1].lower != rect->lower) retire(f, rect->lower);
    if (!enter(f, rect)) return bad_rect(rect, diag, "rectangles that do not overlap");
  }
  return ASC_OK;
}

static asc_status check_each(const asc_buffer_spec *spec, asc_diag *diag) {
  for (uint32_t r = 0; r < spec->shape_count; r++) {
    const asc_rect *rect = &spec->shape[r], *last = r ? rect - 1 : NULL;
    if (rect->lower >= rect->upper) return bad_rect(rect, diag, "a rectangle that begins before it ends");
    if (rect->lower < spec->lower || rect->upper > spec->upper)
      return bad_rect(rect, diag, "rectangles inside the lifespan");
    if (rect->low < 0 || rect->low >= rect->high || rect->high > spec->size)
      return bad_rect(rect, diag, "addresses in order, inside the size");
    if (last && (rect->lower < last->lower || (rect->lower == last->lower && rect->low < last->low)))
      return bad_rect(rect, diag, "rectangles in order of time, then of address");
  }
  return ASC_OK;
}

asc_status asci_check_shape(asc_context *context, const asc_buffer_spec *spec, asc_diag *diag) {
  if (spec->gap_count) return asci_complain(diag, ASC_BAD_INPUT, "shape", "stands beside gaps, expected one of them");
  if (spec->shape_count > ASC_MAX_RECTS)
    return asci_complain(diag, ASC_TOO_LARGE, "shape", "has %u rectangles, expected at most %u", spec->shape_count,
                         ASC_MAX_RECTS);
  asc_status status = check_each(spec, diag);
  if (status) return status;
  front f = {.rects = asci_alloc(context, spec->shape_count, sizeof *f.rects)};
  if (!f.rects) return asci_complain(diag, ASC_OUT_OF_MEMORY, "", "%s", asc_status_text(ASC_OUT_OF_MEMORY));
  status = check_apart(&f, spec, diag);
  asci_free(context, f.rects);
  return status;
}
