#include "graph/window.h"

#include "base/diag.h"

#include <string.h>

/* So that products with a size below 2^31 stay exact. */
#define MOST INT64_C(1000000000)

static bool read_number(const char **at, int64_t least, int64_t *value) {
  const char *begin = *at;
  for (*value = 0; **at >= '0' && **at <= '9' && *value <= MOST; ++*at) *value = *value * 10 + (**at - '0');
  return *at > begin && *value >= least && *value <= MOST;
}

/* "3", "3/2", "3/2-1", "4^2-1", perhaps behind the dimension of the output that it follows: "2:3/2". */
static bool read_slide(const char **at, asci_window_axis *axis) {
  *axis = (asci_window_axis){.kind = ASCI_WINDOW_SLIDE, .dimension = axis->dimension, .stride = 1};
  if (!read_number(at, 0, &axis->kernel)) return false;
  if (**at == ':') {
    if (axis->kernel >= ASC_MAX_RANK) return false;
    axis->dimension = (uint32_t)axis->kernel;
    ++*at;
    if (!read_number(at, 0, &axis->kernel)) return false;
  }
  if (axis->kernel < 1) return false;
  if (**at == '/' || **at == '^') {
    axis->kind = **at == '^' ? ASCI_WINDOW_SPREAD : ASCI_WINDOW_SLIDE;
    ++*at;
    if (!read_number(at, 1, &axis->stride)) return false;
  }
  if (**at != '+' && **at != '-') return true;
  bool before = *(*at)++ == '-';
  if (!read_number(at, 0, &axis->begin)) return false;
  if (before) axis->begin = -axis->begin;
  return true;
}

static bool read_axis(const char **at, asci_window_axis *axis) {
  if (**at != '*' && **at != '+') return read_slide(at, axis);
  axis->kind = *(*at)++ == '*' ? ASCI_WINDOW_ALL : ASCI_WINDOW_JOIN;
  return true;
}

static void pass_blanks(const char **at) {
  while (**at == ' ') ++*at;
}

bool asci_window_next(const char **at, asci_window *window) {
  const char *begin = *at;
  *window = (asci_window){0};
  for (pass_blanks(at); **at && **at != ';'; pass_blanks(at)) {
    if (window->rank == ASC_MAX_RANK) return false;
    asci_window_axis *axis = &window->axes[window->rank];
    axis->dimension = window->rank++;
    if (!read_axis(at, axis) || (**at && **at != ';' && **at != ' ')) return false;
  }
  if (**at == ';')
    ++*at;
  else
    *at = begin;
  return true;
}

asc_status asci_windows_check(const char *text, asc_diag *diag) {
  const char *at = text, *begin;
  asci_window window;
  do {
    begin = at;
    if (!asci_window_next(&at, &window))
      return asci_complain(
          diag, ASC_BAD_INPUT, "windows",
          "are \xe2\x80\x9c%.100s\xe2\x80\x9d, expected for each input an entry for each dimension: 1 * 3/2-1 3/2-1", text);
  } while (at != begin);
  return ASC_OK;
}

static int64_t floor_of(int64_t a, int64_t b) {
  return a / b - (a % b < 0);
}

asci_range asci_window_range(const asci_window_axis *axis, asci_range output, int64_t size, int64_t offset) {
  asci_range needs = {0, size};
  if (axis->kind == ASCI_WINDOW_JOIN) {
    needs = (asci_range){output.low - offset, output.high - offset};
  } else if (axis->kind == ASCI_WINDOW_SLIDE) {
    needs.low = output.low * axis->stride + axis->begin;
    needs.high = (output.high - 1) * axis->stride + axis->begin + axis->kernel;
  } else if (axis->kind == ASCI_WINDOW_SPREAD) {
    needs.low = floor_of(output.low - axis->begin - axis->kernel, axis->stride) + 1;
    needs.high = floor_of(output.high - 1 - axis->begin, axis->stride) + 1;
  }
  if (needs.low < 0) needs.low = 0;
  if (needs.low > size) needs.low = size;
  if (needs.high > size) needs.high = size;
  if (needs.high < needs.low) needs.high = needs.low;
  return needs;
}

int64_t asci_window_most(const asci_window_axis *axis, int64_t length, int64_t whole, int64_t size) {
  int64_t most = size;
  if (axis->kind == ASCI_WINDOW_JOIN) most = length;
  if (axis->kind == ASCI_WINDOW_SPREAD) most = (length + axis->kernel - 2) / axis->stride + 1;
  if (axis->kind == ASCI_WINDOW_SLIDE) {
    /* Of whole tiles what is needed grows from one to the next until one begins inside the input, and then shrinks; the last tile may be shorter. */
    int64_t step = length * axis->stride, last = whole / length - 1;
    int64_t inside = axis->begin < 0 ? (step - 1 - axis->begin) / step : 0;
    const int64_t tiles[] = {inside ? inside - 1 : 0, inside, last + 1};
    most = 0;
    for (size_t k = 0; k < sizeof tiles / sizeof *tiles; k++) {
      int64_t low = (k < 2 && tiles[k] > last ? last : tiles[k]) * length,
              high = low + length < whole ? low + length : whole;
      if (low >= high) continue;
      asci_range needs = asci_window_range(axis, (asci_range){low, high}, size, 0);
      if (needs.high - needs.low > most) most = needs.high - needs.low;
    }
  }
  return most < size ? most : size;
}
