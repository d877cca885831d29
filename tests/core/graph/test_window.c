/* Windows: how they are written, and what they need, counted element by element. */
#include "graph/window.h"
#include "support.h"

#include <string.h>

static asci_window read_one(const char *text) {
  asci_window window;
  const char *at = text;
  CHECK(asci_window_next(&at, &window), "%s", text);
  return window;
}

static void entries(void **state) {
  (void)state;
  asci_window w = read_one("* + 3 5/2 3/2-1 2:4^2-1");
  const asci_window_axis expected[] = {
      {ASCI_WINDOW_ALL, 0, 0, 0, 0},   {ASCI_WINDOW_JOIN, 1, 0, 0, 0},   {ASCI_WINDOW_SLIDE, 2, 3, 1, 0},
      {ASCI_WINDOW_SLIDE, 3, 5, 2, 0}, {ASCI_WINDOW_SLIDE, 4, 3, 2, -1}, {ASCI_WINDOW_SPREAD, 2, 4, 2, -1},
  };
  assert_int_equal(w.rank, COUNT(expected));
  for (uint32_t k = 0; k < w.rank; k++) {
    const asci_window_axis *a = &w.axes[k], *b = &expected[k];
    CHECK(a->kind == b->kind && a->dimension == b->dimension && a->kernel == b->kernel && a->stride == b->stride &&
              a->begin == b->begin,
          "entry %u", k);
  }
  assert_int_equal(read_one("1/1+4").axes[0].begin, 4);
  assert_int_equal(read_one("").rank, 0);
  assert_int_equal(read_one("  1   1 ").rank, 2);
}

/* The last window is that of all further inputs; an empty one ends that. */
static void lists(void **state) {
  (void)state;
  asci_window window;
  const char *at = "1 1;*";
  const uint32_t ranks[] = {2, 1, 1, 1};
  for (uint32_t k = 0; k < COUNT(ranks); k++) {
    assert_true(asci_window_next(&at, &window));
    assert_int_equal(window.rank, ranks[k]);
  }
  at = "1;;1 1;";
  const uint32_t others[] = {1, 0, 2, 0, 0};
  for (uint32_t k = 0; k < COUNT(others); k++) {
    assert_true(asci_window_next(&at, &window));
    assert_int_equal(window.rank, others[k]);
  }
}

static void faults(void **state) {
  (void)state;
  static const char *const texts[] = {"a",
                                      "1 a",
                                      "1,1",
                                      "0",
                                      "3/0",
                                      "3/",
                                      "3-",
                                      "6:1",
                                      "1:",
                                      "1:0",
                                      ":1",
                                      "**",
                                      "1 1 1 1 1 1 1",
                                      "1000000001",
                                      "3/1000000001",
                                      "1/1+1000000001",
                                      "-1",
                                      "2:*",
                                      "3/2-1-1",
                                      "99999999999999999999"};
  for (uint32_t k = 0; k < COUNT(texts); k++) {
    asc_diag diag = {0};
    CHECK(asci_windows_check(texts[k], &diag) == ASC_BAD_INPUT && strcmp(diag.field, "windows") == 0, "%s", texts[k]);
    CHECK(strstr(diag.message, texts[k]) != NULL, "%s", diag.message);
  }
  assert_int_equal(asci_windows_check("1 1;;* +;1000000000^1000000000-1000000000", NULL), ASC_OK);
}

/* Whether element i of the output needs element j. */
static bool is_needed(const asci_window_axis *axis, int64_t i, int64_t j, int64_t offset) {
  int64_t step = 0;
  switch (axis->kind) {
  case ASCI_WINDOW_ALL:
    return true;
  case ASCI_WINDOW_JOIN:
    return i == j + offset;
  case ASCI_WINDOW_SLIDE:
    step = j - (i * axis->stride + axis->begin);
    break;
  case ASCI_WINDOW_SPREAD:
    step = i - (j * axis->stride + axis->begin);
    break;
  }
  return step >= 0 && step < axis->kernel;
}

static asci_range count_needed(const asci_window_axis *axis, asci_range output, int64_t size, int64_t offset) {
  asci_range found = {size, 0};
  for (int64_t i = output.low; i < output.high; i++)
    for (int64_t j = 0; j < size; j++) {
      if (!is_needed(axis, i, j, offset)) continue;
      if (j < found.low) found.low = j;
      if (j >= found.high) found.high = j + 1;
    }
  return found;
}

static asci_window_axis draw(asci_rng *rng) {
  asci_window_axis axis = {.kind = (asci_window_kind)asci_random_below(rng, 4)};
  axis.kernel = asci_random_between(rng, 1, 5);
  axis.stride = asci_random_between(rng, 1, 4);
  axis.begin = asci_random_between(rng, -4, 4);
  return axis;
}

static void ranges_by_counting(void **state) {
  (void)state;
  asci_rng rng = {18};
  for (uint32_t n = test_cases(4000); n-- > 0;) {
    asci_window_axis axis = draw(&rng);
    int64_t whole = asci_random_between(&rng, 1, 12), size = asci_random_between(&rng, 1, 12);
    int64_t offset = asci_random_between(&rng, 0, 5), low = asci_random_between(&rng, 0, whole - 1);
    asci_range output = {low, asci_random_between(&rng, low + 1, whole)};
    asci_range needs = asci_window_range(&axis, output, size, offset), counted = count_needed(&axis, output, size, offset);
    assert_true(0 <= needs.low && needs.low <= needs.high && needs.high <= size);
    /* kernels narrower than their stride leave elements between windows that nobody needs: at the input's edge they are not cut off */
    bool loose = axis.kind == ASCI_WINDOW_SLIDE && axis.kernel < axis.stride;
    bool exact =
        counted.low < counted.high ? needs.low == counted.low && needs.high == counted.high : needs.low == needs.high;
    bool covers = counted.low >= counted.high || (needs.low <= counted.low && needs.high >= counted.high);
    CHECK(exact || (loose && covers), "%d %d/%d%+d: %d:%d, counted %d:%d", (int)axis.kind, (int)axis.kernel,
          (int)axis.stride, (int)axis.begin, (int)needs.low, (int)needs.high, (int)counted.low, (int)counted.high);
  }
}

static void the_most_of_all_tiles(void **state) {
  (void)state;
  asci_rng rng = {81};
  for (uint32_t n = test_cases(4000); n-- > 0;) {
    asci_window_axis axis = draw(&rng);
    int64_t whole = asci_random_between(&rng, 1, 24), size = asci_random_between(&rng, 1, 24);
    int64_t length = asci_random_between(&rng, 1, whole), most = 0;
    for (int64_t low = 0; low < whole; low += length) {
      asci_range output = {low, low + length < whole ? low + length : whole};
      asci_range needs = asci_window_range(&axis, output, size, 0);
      if (needs.high - needs.low > most) most = needs.high - needs.low;
    }
    int64_t said = asci_window_most(&axis, length, whole, size);
    bool exact = axis.kind == ASCI_WINDOW_SLIDE || axis.kind == ASCI_WINDOW_ALL;
    CHECK(exact ? said == most : said >= most && said <= size, "%d %d/%d%+d, tiles of %d of %d, of %d: %d, counted %d",
          (int)axis.kind, (int)axis.kernel, (int)axis.stride, (int)axis.begin, (int)length, (int)whole, (int)size, (int)said,
          (int)most);
  }
}

int run_window_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(entries),
      cmocka_unit_test(lists),
      cmocka_unit_test(faults),
      cmocka_unit_test(ranges_by_counting),
      cmocka_unit_test(the_most_of_all_tiles),
  };
  return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}
