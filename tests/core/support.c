#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

bool test_is_sanitized(void) {
  return SANITIZED;
}

uint32_t test_cases(uint32_t plain) {
  uint64_t cases = SANITIZED ? plain / 8 : plain;
  const char *percent = getenv("ARENASCOPE_TEST_PERCENT");
  if (percent) cases = cases * strtoul(percent, NULL, 10) / 100;
  return cases < 1 ? 1 : (uint32_t)cases;
}

test_shard test_part = {0, 1};

test_range test_share(uint32_t cases) {
  uint64_t index = test_part.index, count = test_part.count;
  return (test_range){(uint32_t)(cases * index / count), (uint32_t)(cases * (index + 1) / count)};
}

bool test_swallow(void *user, const char *text, size_t bytes) {
  (void)user, (void)text, (void)bytes;
  return true;
}

char *test_read_file(const char *path, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  CHECK(file, "%s cannot be opened", path);
  size_t room = 1u << 24;
  char *text = malloc(room);
  assert_non_null(text);
  *bytes = fread(text, 1, room - 1, file);
  assert_true(*bytes < room - 1);
  text[*bytes] = 0;
  fclose(file);
  return text;
}

/* ---- memory ---- */

static void *counted_resize(void *user, void *block, size_t bytes) {
  test_memory *memory = user;
  memory->calls++;
  if (memory->noticed) memory->noticed(memory->calls);
  if (memory->fail_at && (memory->calls == memory->fail_at || (memory->lasting && memory->calls > memory->fail_at)))
    return NULL;
  void *made = realloc(block, bytes);
  if (made && !block) memory->live++;
  size_t held = memory->watched ? asc_context_bytes(memory->watched) + bytes : 0;
  if (held > memory->most_bytes) memory->most_bytes = held;
  return made;
}

static void counted_release(void *user, void *block) {
  test_memory *memory = user;
  if (block) memory->live--;
  free(block);
}

asc_context *test_context_on(test_memory *memory) {
  asc_allocator allocator = {counted_resize, counted_release, memory};
  asc_context *context = NULL;
  return asc_context_new(&allocator, &context) == ASC_OK ? context : NULL;
}

asc_context *test_context(void) {
  asc_context *context = NULL;
  assert_int_equal(asc_context_new(NULL, &context), ASC_OK);
  assert_non_null(context);
  return context;
}

void test_context_end(asc_context *context) {
  assert_int_equal(asc_context_bytes(context), 0);
  asc_context_free(context);
}

/* ---- problems ---- */

asc_buffer_spec test_spec(int64_t lower, int64_t upper, int64_t size) {
  asc_buffer_spec spec = {0};
  spec.lower = lower;
  spec.upper = upper;
  spec.size = size;
  spec.alignment = 1;
  spec.offset = ASC_UNPLACED;
  spec.hint = ASC_UNPLACED;
  return spec;
}

asc_problem *test_problem(asc_context *context, const asc_buffer_spec *specs, uint32_t count) {
  asc_problem *problem = NULL;
  assert_int_equal(asc_problem_new(context, &problem), ASC_OK);
  for (uint32_t b = 0; b < count; b++) {
    asc_buffer_spec spec = specs[b];
    char id[16];
    snprintf(id, sizeof id, "b%" PRIu32, b);
    if (!spec.id) spec.id = id;
    asc_diag diag = {0};
    asc_status status = asc_problem_add(problem, &spec, &diag);
    CHECK(status == ASC_OK, "buffer %u: %s %s", b, diag.field, diag.message);
  }
  assert_int_equal(asc_problem_freeze(problem, NULL), ASC_OK);
  return problem;
}

static bool chance(asci_rng *rng, unsigned percent) {
  return asci_random_below(rng, 100) < percent;
}

static uint32_t random_gaps(asci_rng *rng, const test_shape *shape, const asc_buffer_spec *spec, asc_gap gaps[2]) {
  uint32_t count = 0;
  int64_t from = spec->lower;
  while (count < 2 && from < spec->upper && chance(rng, shape->gap)) {
    asc_gap gap = {0};
    gap.lower = asci_random_between(rng, from, spec->upper - 1);
    gap.upper = asci_random_between(rng, gap.lower + 1, spec->upper);
    if (spec->size && chance(rng, shape->window)) {
      gap.window_lower = asci_random_between(rng, 0, spec->size - 1);
      gap.window_upper = asci_random_between(rng, gap.window_lower + 1, spec->size);
    }
    from = gap.upper;
    gaps[count++] = gap;
  }
  return count;
}

/* Banks from the buffer's own size, which leaves it only their beginnings, to twice the largest. A fixed buffer that would cross gets
   the bank that it ends with. */
static int64_t random_bank(asci_rng *rng, const test_shape *shape, const asc_buffer_spec *spec) {
  int64_t bank = asci_random_between(rng, spec->size ? spec->size : 1, 2 * shape->max_size);
  bool crosses = spec->offset != ASC_UNPLACED && spec->offset % bank + spec->size > bank;
  return crosses ? spec->offset + spec->size : bank;
}

/* In each of two parts of the life nothing, all, or one or two pieces of the memory; never nothing at all. */
static uint32_t random_rects(asci_rng *rng, const asc_buffer_spec *spec, asc_rect rects[4]) {
  uint32_t count = 0;
  int64_t times[] = {spec->lower, asci_random_between(rng, spec->lower, spec->upper), spec->upper};
  for (uint32_t part = 0; part < 2; part++) {
    int64_t cuts[4] = {0, spec->size, 0, 0};
    uint64_t pieces = asci_random_below(rng, 4);
    if (times[part] == times[part + 1] || !pieces) continue;
    if (pieces > 1) cuts[0] = asci_random_between(rng, 0, spec->size - 1);
    if (pieces > 1) cuts[1] = asci_random_between(rng, cuts[0] + 1, spec->size);
    if (pieces > 2) cuts[2] = asci_random_between(rng, cuts[1], spec->size);
    if (pieces > 2) cuts[3] = asci_random_between(rng, cuts[2], spec->size);
    for (uint32_t k = 0; k < 4; k += 2)
      if (cuts[k] < cuts[k + 1]) rects[count++] = (asc_rect){times[part], times[part + 1], cuts[k], cuts[k + 1]};
  }
  if (!count) rects[count++] = (asc_rect){spec->lower, spec->upper, 0, spec->size};
  return count;
}

/* What a spec points to. */
typedef struct random_parts {
  asc_gap gaps[2];
  asc_rect rects[4];
} random_parts;

static asc_buffer_spec random_spec(asci_rng *rng, const test_shape *shape, int64_t tie, random_parts *parts) {
  int64_t lower = asci_random_between(rng, shape->min_time, shape->max_time - 1);
  if (tie < shape->max_time && chance(rng, shape->tie)) lower = tie;
  int64_t last = shape->max_time, brief = (last - shape->min_time) / 64 + 1;
  if (shape->brief && chance(rng, shape->brief) && last - lower > brief) last = lower + brief; /* 0 draws nothing */
  int64_t upper = asci_random_between(rng, lower + 1, last);
  asc_buffer_spec spec = test_spec(lower, upper, 0);
  if (!chance(rng, shape->zero)) spec.size = asci_random_between(rng, 1, shape->max_size);
  spec.alignment = asci_random_between(rng, 1, shape->max_alignment);
  if (chance(rng, shape->fixed)) {
    spec.offset = asci_random_between(rng, 0, shape->max_fixed);
    spec.offset -= spec.offset % spec.alignment;
  }
  if (chance(rng, shape->hint)) spec.hint = asci_random_between(rng, 0, shape->max_fixed + 2);
  spec.gap_count = random_gaps(rng, shape, &spec, parts->gaps);
  spec.gaps = spec.gap_count ? parts->gaps : NULL;
  if (shape->bank && chance(rng, shape->bank)) spec.bank = random_bank(rng, shape, &spec);      /* 0 draws nothing */
  if (spec.gap_count || !spec.size || !shape->rects || !chance(rng, shape->rects)) return spec; /* likewise */
  spec.shape_count = random_rects(rng, &spec, parts->rects);
  spec.shape = parts->rects;
  return spec;
}

void test_vary(test_shape *shape, uint64_t variety) {
  if (!(variety & 1)) shape->max_alignment = 1;
  if (!(variety & 2)) shape->fixed = 0;
  if (!(variety & 4)) shape->gap = 0;
  if ((variety & 12) != 12) shape->window = 0;
  if (!(variety & 16)) shape->bank = 0;
}

asc_problem *test_random_problem(asc_context *context, asci_rng *rng, const test_shape *shape) {
  uint32_t count = (uint32_t)asci_random_between(rng, shape->min_buffers, shape->max_buffers);
  asc_buffer_spec *specs = calloc(count ? count : 1, sizeof *specs);
  random_parts *parts = calloc(count ? count : 1, sizeof *parts);
  assert_non_null(specs);
  assert_non_null(parts);
  for (uint32_t b = 0; b < count; b++) {
    int64_t tie = b ? specs[asci_random_below(rng, b)].upper : shape->max_time;
    if (b && chance(rng, 50)) tie = specs[asci_random_below(rng, b)].lower;
    specs[b] = random_spec(rng, shape, tie, &parts[b]);
  }
  asc_problem *problem = test_problem(context, specs, count);
  free(specs);
  free(parts);
  return problem;
}

uint32_t test_needs(const asc_problem *problem) {
  uint32_t needs = 0;
  for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
    if (spec->alignment > 1) needs |= ASC_SUPPORTS_ALIGNMENT;
    if (spec->offset != ASC_UNPLACED) needs |= ASC_SUPPORTS_FIXED;
    if (spec->gap_count) needs |= ASC_SUPPORTS_GAPS;
    if (spec->bank) needs |= ASC_SUPPORTS_BANKS;
    if (spec->shape_count) needs |= ASC_SUPPORTS_SHAPES;
    for (uint32_t g = 0; g < spec->gap_count; g++)
      if (spec->gaps[g].window_lower < spec->gaps[g].window_upper) needs |= ASC_SUPPORTS_WINDOWS;
  }
  return needs;
}

void test_meet(test_met *met, const asc_problem *problem) {
  uint32_t needs = test_needs(problem);
  met->alignment += (needs & ASC_SUPPORTS_ALIGNMENT) != 0;
  met->fixed += (needs & ASC_SUPPORTS_FIXED) != 0;
  met->gaps += (needs & ASC_SUPPORTS_GAPS) != 0;
  met->windows += (needs & ASC_SUPPORTS_WINDOWS) != 0;
  met->banks += (needs & ASC_SUPPORTS_BANKS) != 0;
  met->mixed += (needs & ASC_SUPPORTS_FIXED) && (needs & ASC_SUPPORTS_GAPS) && (needs & ASC_SUPPORTS_BANKS);
}

void test_has_met(const test_met *met, uint32_t least) {
  CHECK(met->alignment >= least, "alignment in %u problems", met->alignment);
  CHECK(met->fixed >= least, "fixed offsets in %u problems", met->fixed);
  CHECK(met->gaps >= least, "gaps in %u problems", met->gaps);
  CHECK(met->windows >= least, "windows in %u problems", met->windows);
  CHECK(met->banks >= least, "banks in %u problems", met->banks);
  CHECK(met->mixed >= least, "fixed offsets, gaps and banks at once in %u problems", met->mixed);
}

void test_print_problem(const asc_problem *problem, int64_t capacity) {
  fprintf(stderr, "# capacity %" PRId64 "\nid,lower,upper,size,alignment,bank,hint,gaps,shape,offset\n", capacity);
  for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
    fprintf(stderr, "%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",", spec->id, spec->lower,
            spec->upper, spec->size, spec->alignment, spec->bank, spec->hint);
    for (uint32_t g = 0; g < spec->gap_count; g++) {
      const asc_gap *gap = &spec->gaps[g];
      fprintf(stderr, "%s%" PRId64 "-%" PRId64, g ? " " : "", gap->lower, gap->upper);
      if (gap->window_lower < gap->window_upper)
        fprintf(stderr, "@%" PRId64 ":%" PRId64, gap->window_lower, gap->window_upper);
    }
    fputc(',', stderr);
    for (uint32_t r = 0; r < spec->shape_count; r++)
      fprintf(stderr, "%s%" PRId64 "-%" PRId64 "@%" PRId64 ":%" PRId64, r ? " " : "", spec->shape[r].lower,
              spec->shape[r].upper, spec->shape[r].low, spec->shape[r].high);
    if (spec->offset == ASC_UNPLACED)
      fprintf(stderr, ",\n");
    else
      fprintf(stderr, ",%" PRId64 "\n", spec->offset);
  }
}

/* ---- options ---- */

void test_option_set(test_options *options, const char *name, const char *value) {
  assert_true(options->count < TEST_OPTIONS);
  assert_true(strlen(value) < TEST_OPTION_TEXT);
  strcpy(options->text[options->count], value);
  options->values[options->count].name = name;
  options->values[options->count].value = NULL; /* set when read: the struct may be copied */
  options->count++;
}

static uint32_t choice_count(const char *choices) {
  uint32_t count = 1;
  for (const char *c = choices; *c; c++) count += *c == '|';
  return count;
}

static void choice_at(const char *choices, uint32_t k, char text[TEST_OPTION_TEXT]) {
  while (k--) choices = strchr(choices, '|') + 1;
  size_t length = strcspn(choices, "|");
  assert_true(length < TEST_OPTION_TEXT);
  memcpy(text, choices, length);
  text[length] = 0;
}

/* Of minimalloc's preordering heuristics and of the exact solver's portfolio. */
static const char *const orders[] = {"W", "ZLCOUA", "TAW,WAT", "OUT,CLAW,Z,WAT,LUZ"};
static const char *const portfolios[] = {"0W", "10WATK", "2ZAR,12TZHR", "4WATK,14ATZR,0ZHR"};

_Static_assert(COUNT(orders) == COUNT(portfolios), "as many texts for each");

static const char *const *texts_of(const asc_option *option) {
  return (strcmp(option->name, "portfolio") == 0 || strcmp(option->name, "bound_arms") == 0) ? portfolios : orders;
}

/* Values that an option can take in the matrix, the default among them. */
static uint32_t value_count(const asc_option *option) {
  switch (option->type) {
  case ASC_OPTION_BOOL:
    return 2;
  case ASC_OPTION_CHOICE:
    return choice_count(option->choices);
  case ASC_OPTION_INT:
    return 2;
  case ASC_OPTION_TEXT:
    return COUNT(orders);
  }
  return 0;
}

/* Of attempts and patience no more than a matrix of runs has time for. */
static int64_t greatest(const asc_option *option) {
  bool endless = strcmp(option->name, "attempts") == 0 || strcmp(option->name, "patience") == 0;
  return endless && option->max > 600 ? 600 : option->max;
}

static void value_at(const asc_option *option, uint32_t k, char text[TEST_OPTION_TEXT]) {
  switch (option->type) {
  case ASC_OPTION_BOOL:
    strcpy(text, k ? "true" : "false");
    break;
  case ASC_OPTION_CHOICE:
    choice_at(option->choices, k, text);
    break;
  case ASC_OPTION_INT:
    snprintf(text, TEST_OPTION_TEXT, "%" PRId64, k ? greatest(option) : option->min);
    break;
  case ASC_OPTION_TEXT:
    snprintf(text, TEST_OPTION_TEXT, "%s", texts_of(option)[k]);
    break;
  }
}

const char test_two_branches[] = "tensor,x,4,input\ntensor,a,8\ntensor,b,5\ntensor,c,8\ntensor,d,5\ntensor,y,2,output\n"
                                 "op,a0,Conv,x,a,,,3\nop,c0,Conv,x,c\nop,a1,Pool,a,b\nop,c1,Pool,c,d\nop,end,Add,b;d,y\n";

const char test_four_axes[] =
    "tensor,x,48,input,1,1x2x4x6,i8,NCHW\ntensor,a,48,,1,1x2x4x6,i8,NCHW\ntensor,b,48,,1,1x2x4x6,i8,NCHW\n"
    "tensor,c,96,,1,1x4x4x6,i8,NCHW\ntensor,o,96,output,1,1x4x4x6,i8,NCHW\nop,f,Relu,x,a,,,,1 1 1 1\n"
    "op,g,Relu,x,b,,,,1 1 1 1\nop,h,Concat,a;b,c,,,,1 + 1 1;1 + 1 1\nop,k,Relu,c,o,,,,1 1 1 1\n";

uint32_t test_solver_count(void) {
  uint32_t count = 0;
  while (count < asc_solver_count() && asc_solver_at(count)->domain == ASC_DOMAIN_BUFFERS) count++;
  for (uint32_t s = count; s < asc_solver_count(); s++) assert_int_not_equal(asc_solver_at(s)->domain, ASC_DOMAIN_BUFFERS);
  return count;
}

bool test_minimises(const test_options *options) {
  return options->goal != ASC_GOAL_FIT;
}

void test_option_spare(const asc_solver_info *solver, test_options *options) {
  bool given = false, has = false;
  for (uint32_t k = 0; k < options->count; k++) given = given || strcmp(options->values[k].name, "attempts") == 0;
  for (uint32_t o = 0; o < solver->option_count; o++) has = has || strcmp(solver->options[o].name, "attempts") == 0;
  if (has && !given) test_option_set(options, "attempts", "200");
}

uint32_t test_single_count(const asc_solver_info *solver) {
  uint32_t count = 0;
  for (uint32_t o = 0; o < solver->option_count; o++) count += value_count(&solver->options[o]);
  for (uint32_t g = 1; g < ASC_GOAL_COUNT; g++) count += solver->goals >> g & 1;
  return count;
}

void test_single(const asc_solver_info *solver, uint32_t k, test_options *options) {
  options->count = 0;
  options->goal = ASC_GOAL_FIT;
  for (uint32_t o = 0; o < solver->option_count; o++) {
    uint32_t count = value_count(&solver->options[o]);
    if (k < count) {
      char text[TEST_OPTION_TEXT];
      value_at(&solver->options[o], k, text);
      test_option_set(options, solver->options[o].name, text);
      return;
    }
    k -= count;
  }
  for (uint32_t g = 1; g < ASC_GOAL_COUNT; g++)
    if ((solver->goals >> g & 1) && k-- == 0) options->goal = (asc_goal)g;
}

void test_all_off(const asc_solver_info *solver, test_options *options) {
  options->count = 0;
  options->goal = ASC_GOAL_FIT;
  for (uint32_t o = 0; o < solver->option_count; o++)
    if (solver->options[o].type == ASC_OPTION_BOOL) test_option_set(options, solver->options[o].name, "false");
}

void test_random_options(const asc_solver_info *solver, asci_rng *rng, test_options *options) {
  options->count = 0;
  for (uint32_t o = 0; o < solver->option_count; o++) {
    char text[TEST_OPTION_TEXT];
    value_at(&solver->options[o], (uint32_t)asci_random_below(rng, value_count(&solver->options[o])), text);
    test_option_set(options, solver->options[o].name, text);
  }
  bool least = (solver->goals >> ASC_GOAL_HEIGHT & 1) && asci_random_below(rng, 2);
  options->goal = least ? ASC_GOAL_HEIGHT : ASC_GOAL_FIT;
}

const char *test_options_text(const test_options *options) {
  static char text[TEST_OPTIONS * (TEST_OPTION_TEXT + 32)];
  size_t at = 0;
  text[0] = 0;
  if (options && options->goal) at = (size_t)snprintf(text, sizeof text, "goal=%s ", asc_goal_id(options->goal));
  for (uint32_t k = 0; options && k < options->count; k++)
    at += (size_t)snprintf(text + at, sizeof text - at, "%s%s=%s", k ? " " : "", options->values[k].name, options->text[k]);
  return text;
}

bool test_append(void *user, const char *text, size_t bytes) {
  test_output *out = user;
  assert_true(out->used + bytes < sizeof out->text);
  memcpy(out->text + out->used, text, bytes);
  out->used += bytes;
  out->text[out->used] = 0;
  return true;
}
