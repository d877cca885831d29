/* What the suites share: contexts that count and fail, problems from literals and from a seed, runs to their end, option sets. */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asc/asc.h"
#include "base/number/rng.h"

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))

/* cmocka's assert_string_equal and friends say nothing of the case; these do, then fail. */
#define CHECK(condition, ...) \
  do { \
    if (!(condition)) { \
      print_error(__VA_ARGS__); \
      print_error("\n  %s\n", #condition); \
      fail(); \
    } \
  } while (0)

/* Number of random cases: `plain`, fewer under a sanitizer, scaled by the environment variable ARENASCOPE_TEST_PERCENT. */
uint32_t test_cases(uint32_t plain);
bool test_is_sanitized(void);

/* A long suite may be run as `count` processes, each doing the share `index` (from 0) of its numbered cases; without --shard it does all. */
typedef struct test_shard {
  uint32_t index, count;
} test_shard;
extern test_shard test_part;
/* The share of the numbers 0 .. cases - 1: first .. end - 1. */
typedef struct test_range {
  uint32_t first, end;
} test_range;
test_range test_share(uint32_t cases);

/* The bytes of a file of less than 16 MiB, ended by a NUL; the caller frees them. Fails the test if it cannot be read. */
char *test_read_file(const char *path, size_t *bytes);
/* A sink that takes everything. */
bool test_swallow(void *user, const char *text, size_t bytes);

/* ---- memory ---- */

/* An allocator that counts calls and live blocks and fails the call number fail_at (from 1; 0: never), and all later ones
   if `lasting` is set. Of a context that it watches it keeps the most bytes held at once; who grows may hold both old and new. */
typedef struct test_memory {
  uint64_t calls, fail_at, live;
  bool lasting;
  void (*noticed)(uint64_t call); /* NULL, or told of each call before it is answered */
  const asc_context *watched;
  size_t most_bytes;
} test_memory;

asc_context *test_context_on(test_memory *memory);
/* A context on the C library; test_context_end demands that every byte came back. */
asc_context *test_context(void);
void test_context_end(asc_context *context);

/* ---- problems ---- */

asc_buffer_spec test_spec(int64_t lower, int64_t upper, int64_t size);
/* Frozen problem of the specs; an id that is NULL becomes "b<index>". */
asc_problem *test_problem(asc_context *context, const asc_buffer_spec *specs, uint32_t count);

typedef struct test_shape {
  uint32_t min_buffers, max_buffers;
  int64_t min_time, max_time;
  int64_t max_size, max_alignment;
  int64_t max_fixed;                                  /* fixed offsets are drawn from 0 .. max_fixed */
  unsigned zero, fixed, gap, window, hint, tie, bank; /* percent: of buffers; window: of gaps; tie: of times that repeat */
  unsigned brief;                                     /* percent: of buffers that live a sixty-fourth of all time at most */
  unsigned rects;                                     /* percent: of buffers without gaps that have a shape */
} test_shape;

/* Leaves a shape the constraints whose bits are set in variety, from bare packing (0) to all at once (31): alignment, fixed offsets, gaps,
   windows (in gaps), banks. */
void test_vary(test_shape *shape, uint64_t variety);
asc_problem *test_random_problem(asc_context *context, asci_rng *rng, const test_shape *shape);
/* An asc_sink's user that keeps a text. */
typedef struct test_output {
  char text[4096];
  size_t used;
} test_output;
/* An asc_sink; fails the test if the text has no room. */
bool test_append(void *user, const char *text, size_t bytes);
/* ASC_SUPPORTS_* bits that a solver needs to be honest about this problem. */
uint32_t test_needs(const asc_problem *problem);
/* How many problems need each of them, and several at once: what a test of random problems must have met. */
typedef struct test_met {
  uint32_t alignment, fixed, gaps, windows, banks, mixed;
} test_met;
void test_meet(test_met *met, const asc_problem *problem);
/* Fails unless each was met `least` times. */
void test_has_met(const test_met *met, uint32_t least);
/* Prints a problem as CSV rows on stderr: the reproduction of a failed case. */
void test_print_problem(const asc_problem *problem, int64_t capacity);

/* ---- graphs ---- */

/* A graph CSV: two branches, a0 a1 and c0 c1, from one input to one output. One after the other they need 18 bytes in all; with 17
   the least that is copied is one tensor of 5 bytes, out and back. */
extern const char test_two_branches[];
/* Another: a and b, both made of x on four axes, are concatenated to c. */
extern const char test_four_axes[];

/* ---- solvers ---- */

/* How many take buffers: they are the first ones. */
uint32_t test_solver_count(void);

/* ---- options ---- */

enum { TEST_OPTIONS = 24, TEST_OPTION_TEXT = 256 };
typedef struct test_options {
  asc_option_value values[TEST_OPTIONS];
  char text[TEST_OPTIONS][TEST_OPTION_TEXT];
  uint32_t count;
  asc_goal goal;
} test_options;

void test_option_set(test_options *options, const char *name, const char *value);
/* How many single deviations from the defaults a solver offers: each BOOL flipped, each other choice, the ends of each INT, for each TEXT
   the samples known here, and each goal but FIT. */
uint32_t test_single_count(const asc_solver_info *solver);
void test_single(const asc_solver_info *solver, uint32_t k, test_options *options);
/* Bounds the attempts of a solver that would make so many that a matrix of runs took hours; it changes no more than when it gives up. */
void test_option_spare(const asc_solver_info *solver, test_options *options);
/* Every BOOL off. */
void test_all_off(const asc_solver_info *solver, test_options *options);
/* Each option drawn at random, and the goal. */
void test_random_options(const asc_solver_info *solver, asci_rng *rng, test_options *options);
/* Whether they ask for the least height, which no capacity limits. */
bool test_minimises(const test_options *options);
/* "a=b c=d", in a buffer that the next call overwrites. */
const char *test_options_text(const test_options *options);

/* ---- runs ---- */

asc_run_config test_config(const char *solver, int64_t capacity, const test_options *options);
/* A run that must be made. */
asc_run *test_run_new(const asc_problem *problem, const asc_run_config *config);
/* Steps to the end (at most 2^28 steps) and returns the outcome. */
asc_outcome test_finish(asc_run *run);
/* The digest of so many steps, 0 if they end without memory: of the calls for some from the first step on, that one is refused (0: none), and *calls is how
   many there were. Any other failure fails the test. */
uint64_t test_search_without(const asc_problem *problem, const asc_run_config *config, uint64_t steps, bool traced,
                             test_memory *memory, uint64_t refused, uint64_t *calls);
/* Fails unless the two have equal stats, the field named in the message. */
void test_same_stats(const asc_run *left, const asc_run *right, const char *what);
void test_same_view(asc_run *left, asc_run *right, uint32_t buffers, const char *what);
/* Loads a save of which one bit is turned and, every fourth time, the end is cut off. Fails unless that is fine or BAD_SAVE; whatever it was, the run must
   do after it what any run does. */
void test_load_damaged(asc_run *run, const uint8_t *bytes, size_t count, asci_rng *rng);
/* Whether a plan lies above the capacity of a pool. */
bool test_is_over(const asc_problem *problem, const int64_t *offsets, int64_t capacity);
/* Fails if the run's end contradicts itself: plan invalid, height wrong, optimal without reason; one stopped from outside may have a plan above
   the capacity. Not for a run that minimises. */
void test_sound_end(const asc_problem *problem, const asc_run *run, int64_t capacity, const char *what);
/* The same of a run that minimises: it may have a plan at any end, whatever the capacity, and closes in on the least height. */
void test_sound_least(const asc_problem *problem, const asc_run *run, const char *what);

#endif
