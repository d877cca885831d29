/* The checker of certificates: README.md beside this file has the format, and for each step why it holds. It knows the problem by the public
 * header alone, and of the solvers nothing. Only the lemmas that a claim rests on are looked at. */
#include "base/diag.h"
#include "base/memory.h"

#include <string.h>

#define NOWHERE (INT64_C(1) << 60) /* above every address; sums stop here */
#define MOST_RANGES 4096u          /* of heights that a pile can have, in one step */
#define MOST_BANKS 4096u           /* that are tried for a place that suits an alignment */

typedef struct lemma {
  size_t at; /* of its line's first pair */
  int64_t within, round;
} lemma;

typedef struct span {
  int64_t lower, upper;
} span;

typedef struct range {
  int64_t low, high;
} range;

typedef struct checker {
  const asc_problem *problem;
  asc_context *context;
  const char *text, *end, *at; /* at: of the token that is read */
  const char *fault;
  uint32_t *first_span; /* count + 1: times at which each buffer occupies memory */
  span *spans;

  lemma *lemmas; /* from 1 */
  size_t count, room;
  uint8_t *wanted;
  size_t wanted_room;

  /* the lemma under way */
  size_t number;
  int64_t within, round;
  int64_t *least, *now;      /* of the set's: as it says, and in the case under way */
  uint32_t *set, set_count;  /* the buffers */
  size_t *member, *answered; /* the lemma in which the buffer was last of the set; in which its case was */
  uint32_t placed;           /* in the case under way, or ASC_NONE */
  int64_t time, floor;       /* of its question */
  range *heights;
  uint32_t *sorted;
} checker;

static bool wrong(checker *c, const char *what) {
  if (!c->fault) c->fault = what;
  return false;
}

static int64_t plus(int64_t a, int64_t b) {
  return a >= NOWHERE - b ? NOWHERE : a + b;
}

/* ---- reading --------------------------------------------------------------------------------------------------------- */

static bool read_number(checker *c, int64_t *number) {
  bool negative = c->at < c->end && *c->at == '-';
  const char *begin = c->at += negative;
  int64_t value = 0;
  while (c->at < c->end && *c->at >= '0' && *c->at <= '9' && c->at - begin < 19) value = value * 10 + (*c->at++ - '0');
  if (c->at == begin || value > NOWHERE) return wrong(c, "expected a number");
  *number = negative ? -value : value;
  return true;
}

static bool read_word(checker *c, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0) return false;
  c->at += length;
  return true;
}

/* The mark of the line's next word, 0 at its end: the word's number is to be read then. Pairs of the set begin with a digit. */
static char next_mark(checker *c) {
  if (c->at + 1 >= c->end || *c->at != ' ') return 0;
  c->at++;
  bool digit = *c->at >= '0' && *c->at <= '9';
  return digit ? '0' : *c->at++;
}

static bool read_buffer(checker *c, uint32_t *buffer) {
  int64_t number;
  if (!read_number(c, &number)) return false;
  if (number < 0 || number >= asc_problem_count(c->problem)) return wrong(c, "there is no such buffer");
  *buffer = (uint32_t)number;
  return true;
}

/* ---- the problem ------------------------------------------------------------------------------------------------------ */

static const asc_buffer_spec *spec_of(const checker *c, uint32_t b) {
  return asc_problem_buffer(c->problem, b);
}

static int64_t size_of(const checker *c, uint32_t b) {
  int64_t size = spec_of(c, b)->size, over = size % c->round;
  return over ? plus(size, c->round - over) : size;
}

static bool lives(const checker *c, uint32_t b, int64_t time) {
  for (uint32_t k = c->first_span[b]; k < c->first_span[b + 1]; k++)
    if (c->spans[k].lower <= time && time < c->spans[k].upper) return true;
  return false;
}

static bool meets(const checker *c, uint32_t a, uint32_t b) {
  for (uint32_t k = c->first_span[a], l = c->first_span[b]; k < c->first_span[a + 1] && l < c->first_span[b + 1];) {
    if (c->spans[k].lower < c->spans[l].upper && c->spans[l].lower < c->spans[k].upper) return true;
    if (c->spans[k].upper <= c->spans[l].upper)
      k++;
    else
      l++;
  }
  return false;
}

/* The least offset from `at` on that the buffer may have, or less, if it takes long to find: that is sound. */
static int64_t suited(const checker *c, uint32_t b, int64_t at) {
  const asc_buffer_spec *spec = spec_of(c, b);
  if (spec->offset != ASC_UNPLACED) return at <= spec->offset ? spec->offset : NOWHERE;
  for (uint32_t tries = 0; tries < MOST_BANKS && at < NOWHERE; tries++) {
    if (at % spec->alignment) at = plus(at, spec->alignment - at % spec->alignment);
    if (!spec->bank || at >= NOWHERE || at % spec->bank + spec->size <= spec->bank) return at;
    at += spec->bank - at % spec->bank;
  }
  return at;
}

/* From lower to upper without the gaps; those are in order and apart. */
static bool take_spans(checker *c) {
  uint32_t count = asc_problem_count(c->problem);
  size_t most = 0;
  for (uint32_t b = 0; b < count; b++) most += spec_of(c, b)->gap_count + (size_t)1;
  c->first_span = asci_alloc(c->context, (size_t)count + 1, sizeof *c->first_span);
  c->spans = asci_alloc(c->context, most, sizeof *c->spans);
  if (!c->first_span || !c->spans || most > UINT32_MAX) return false;
  uint32_t at = 0;
  for (uint32_t b = 0; b < count; b++) {
    const asc_buffer_spec *spec = spec_of(c, b);
    int64_t from = spec->lower;
    c->first_span[b] = at;
    for (uint32_t g = 0; g <= spec->gap_count; g++) {
      int64_t to = g < spec->gap_count ? spec->gaps[g].lower : spec->upper;
      if (spec->size && from < to) c->spans[at++] = (span){from, to};
      if (g < spec->gap_count && spec->gaps[g].upper > from) from = spec->gaps[g].upper;
    }
  }
  c->first_span[count] = at;
  return true;
}

/* ---- steps ------------------------------------------------------------------------------------------------------------ */

static bool is_in(const checker *c, uint32_t b) {
  return c->member[b] == c->number && b != c->placed;
}

/* Those of the set that are alive then: how many, the least offset of one, the sum of their sizes. */
static uint32_t survey(const checker *c, int64_t time, int64_t *floor, int64_t *total) {
  uint32_t count = 0;
  *floor = NOWHERE;
  *total = 0;
  for (uint32_t k = 0; k < c->set_count; k++) {
    uint32_t b = c->set[k];
    if (b == c->placed || !lives(c, b, time)) continue;
    if (c->now[b] < *floor) *floor = c->now[b];
    *total = plus(*total, size_of(c, b));
    count++;
  }
  return count;
}

/* Whether the same of the set meet either: the two can be swapped. */
static bool same_life(const checker *c, uint32_t a, uint32_t b) {
  bool same = meets(c, a, b);
  for (uint32_t k = 0; same && k < c->set_count; k++) {
    uint32_t other = c->set[k];
    same = other == a || other == b || meets(c, a, other) == meets(c, b, other);
  }
  return same;
}

static void rise(checker *c, uint32_t b, int64_t to) {
  if (to > c->now[b]) c->now[b] = suited(c, b, to);
}

static bool read_at(checker *c, int64_t *time, uint32_t *buffer) {
  if (!read_number(c, time) || !read_word(c, ":") || !read_buffer(c, buffer)) return wrong(c, "expected TIME:BUFFER");
  return (is_in(c, *buffer) && lives(c, *buffer, *time)) || wrong(c, "the buffer is not of the set, or not alive then");
}

/* f TIME:BUFFER, not first. */
static bool step_not_first(checker *c) {
  int64_t time, floor, total, to = NOWHERE;
  uint32_t buffer;
  if (!read_at(c, &time, &buffer)) return false;
  survey(c, time, &floor, &total);
  if (plus(c->now[buffer], total) <= c->within) return wrong(c, "the buffer can be the lowest there");
  for (uint32_t k = 0; k < c->set_count; k++) {
    uint32_t b = c->set[k];
    if (b == buffer || !is_in(c, b) || !lives(c, b, time) || plus(c->now[b], total) > c->within) continue;
    int64_t top = plus(c->now[b], size_of(c, b));
    if (top < to) to = top;
  }
  rise(c, buffer, to);
  return true;
}

/* Joins a range to those that are in order of their beginnings. False: there are too many. */
static bool add_range(range *list, uint32_t *count, range added) {
  range *last = *count ? &list[*count - 1] : NULL;
  if (last && added.low <= last->high) {
    if (added.high > last->high) last->high = added.high;
    return true;
  }
  if (*count == MOST_RANGES) return false;
  list[(*count)++] = added;
  return true;
}

/* The heights that a pile can have once `b` may be in it, too: where it was high enough for b, b is on it. */
static bool pile_up(checker *c, uint32_t b, int64_t floor, uint32_t *count) {
  int64_t least = c->now[b] - floor, size = size_of(c, b);
  range *old = c->heights, *made = c->heights + MOST_RANGES;
  uint32_t kept = 0, raised = 0, done = 0;
  while (raised < *count && old[raised].high < least) raised++;
  while (kept < *count || raised < *count) {
    range next = {NOWHERE, NOWHERE}, above = {NOWHERE, NOWHERE};
    if (kept < *count) next = old[kept];
    if (raised < *count) above = (range){plus(old[raised].low > least ? old[raised].low : least, size), plus(old[raised].high, size)};
    bool first = next.low <= above.low;
    if (!add_range(made, &done, first ? next : above)) return false;
    kept += first;
    raised += !first;
  }
  memcpy(old, made, done * sizeof *old);
  *count = done;
  return true;
}

/* The set's others that are alive then, by least offset. O(n^2): few are. */
static uint32_t sort_others(checker *c, int64_t time, uint32_t without) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < c->set_count; k++) {
    uint32_t b = c->set[k], at = count;
    if (b == without || !is_in(c, b) || !lives(c, b, time)) continue;
    for (; at > 0 && c->now[c->sorted[at - 1]] > c->now[b]; at--) c->sorted[at] = c->sorted[at - 1];
    c->sorted[at] = b;
    count++;
  }
  return count;
}

/* s TIME:BUFFER, sums. */
static bool step_sums(checker *c) {
  int64_t time, floor, total, to = NOWHERE;
  uint32_t buffer, count = 1;
  if (!read_at(c, &time, &buffer)) return false;
  survey(c, time, &floor, &total);
  int64_t slack = c->within - floor - total, from = c->now[buffer] - floor;
  if (slack >= 0) {
    c->heights[0] = (range){0, slack};
    uint32_t others = sort_others(c, time, buffer);
    for (uint32_t k = 0; k < others; k++)
      if (!pile_up(c, c->sorted[k], floor, &count)) return wrong(c, "there are too many heights");
    for (uint32_t k = 0; k < count && to == NOWHERE; k++)
      if (c->heights[k].high >= from) to = floor + (c->heights[k].low > from ? c->heights[k].low : from);
  }
  rise(c, buffer, to);
  return true;
}

/* o BUFFER, off the top of the one that is placed. */
static bool step_off(checker *c) {
  uint32_t other;
  int64_t to = NOWHERE;
  if (!read_buffer(c, &other)) return false;
  if (c->placed == ASC_NONE || !is_in(c, other) || c->answered[other] != c->number || !same_life(c, c->placed, other))
    return wrong(c, "no buffer of that lifespan had its case before");
  const asc_buffer_spec *low = spec_of(c, c->placed), *high = spec_of(c, other);
  if (low->bank || high->bank || low->offset != ASC_UNPLACED || high->offset != ASC_UNPLACED ||
      (c->floor + size_of(c, other)) % low->alignment || (c->floor + size_of(c, c->placed)) % high->alignment)
    return wrong(c, "the two cannot be swapped");
  for (uint32_t k = 0; k < c->set_count; k++) {
    uint32_t b = c->set[k];
    if (b == other || b == c->placed || !meets(c, b, other)) continue;
    int64_t top = plus(c->now[b], size_of(c, b));
    if (top < to) to = top;
  }
  rise(c, other, to);
  return true;
}

/* ---- ends of cases ---------------------------------------------------------------------------------------------------- */

/* L NUMBER: what that lemma says holds of the set now. */
static bool end_known(checker *c) {
  int64_t number;
  if (!read_number(c, &number)) return false;
  if (number < 1 || (size_t)number >= c->number) return wrong(c, "expected an earlier lemma");
  const lemma *known = &c->lemmas[number];
  if (known->within < c->within || known->round != c->round) return wrong(c, "that lemma is about another capacity");
  const char *here = c->at;
  bool holds = true;
  c->at = c->text + known->at;
  for (char mark; holds && (mark = next_mark(c)) == '0';) {
    uint32_t b;
    int64_t least;
    holds = read_buffer(c, &b) && read_word(c, ":") && read_number(c, &least) && is_in(c, b) && c->now[b] >= least;
  }
  c->at = here;
  return holds || wrong(c, "that lemma does not hold of this set");
}

/* = BUFFER: as the case of one that is alike. */
static bool end_alike(checker *c, bool fresh) {
  uint32_t other;
  if (!read_buffer(c, &other)) return false;
  if (!fresh || c->placed == ASC_NONE || !is_in(c, other) || c->answered[other] != c->number)
    return wrong(c, "there was no case of that buffer before");
  const asc_buffer_spec *a = spec_of(c, c->placed), *b = spec_of(c, other);
  return (same_life(c, c->placed, other) && a->size == b->size && a->alignment == b->alignment && a->bank == b->bank &&
          a->offset == b->offset) ||
         wrong(c, "the two buffers are not alike");
}

/* b BUFFER: it could drop to the floor. */
static bool end_drops(checker *c, int64_t waste) {
  uint32_t drops;
  if (!read_buffer(c, &drops)) return false;
  if (c->placed != ASC_NONE || waste < 0 || !is_in(c, drops) || c->answered[drops] != c->number)
    return wrong(c, "there was no case of that buffer before");
  int64_t top = plus(c->floor, size_of(c, drops));
  for (uint32_t k = 0; k < c->set_count; k++) {
    uint32_t b = c->set[k];
    if (b != drops && !lives(c, b, c->time) && meets(c, b, drops) && c->least[b] < top)
      return wrong(c, "a neighbour is in the way of the drop");
  }
  return waste >= top || wrong(c, "the others are in the way of the drop");
}

static bool end_full(checker *c) {
  int64_t time, floor, total;
  if (!read_number(c, &time)) return false;
  return (survey(c, time, &floor, &total) && plus(floor, total) > c->within) || wrong(c, "everything fits there");
}

static bool end_above(checker *c) {
  uint32_t b;
  if (!read_buffer(c, &b)) return false;
  return (is_in(c, b) && plus(c->now[b], size_of(c, b)) > c->within) || wrong(c, "the buffer fits");
}

/* The steps of a case and its end. waste: where the lowest may be if nobody is on the floor; -1: somebody is. */
static bool check_case(checker *c, int64_t waste) {
  for (bool fresh = true;; fresh = false) {
    switch (next_mark(c)) {
    case 'f':
      if (!step_not_first(c)) return false;
      break;
    case 's':
      if (!step_sums(c)) return false;
      break;
    case 'o':
      if (!step_off(c)) return false;
      break;
    case '!':
      return end_full(c);
    case '#':
      return end_above(c);
    case 'L':
      return end_known(c);
    case '=':
      return end_alike(c, fresh);
    case 'b':
      return end_drops(c, fresh ? waste : -1);
    default:
      return wrong(c, "expected a step or the end of a case");
    }
  }
}

/* ---- questions -------------------------------------------------------------------------------------------------------- */

static void begin_case(checker *c, uint32_t placed) {
  c->placed = placed;
  for (uint32_t k = 0; k < c->set_count; k++) c->now[c->set[k]] = c->least[c->set[k]];
}

static bool is_candidate(const checker *c, uint32_t b) {
  return lives(c, b, c->time) && c->least[b] == c->floor;
}

/* + BUFFER: it is on the floor, and all that it meets above it. */
static bool check_placed(checker *c) {
  uint32_t b;
  if (!read_buffer(c, &b)) return false;
  if (c->member[b] != c->number || !is_candidate(c, b)) { /* of no account: to the next case */
    while (c->at < c->end && *c->at != '\n' && !(*c->at == ' ' && c->at + 1 < c->end && (c->at[1] == '+' || c->at[1] == '-')))
      c->at++;
    return true;
  }
  begin_case(c, b);
  int64_t top = plus(c->floor, size_of(c, b));
  for (uint32_t k = 0; k < c->set_count; k++) {
    uint32_t other = c->set[k];
    if (other == b || !meets(c, other, b)) continue;
    if (plus(c->least[other], size_of(c, other)) <= c->floor) return wrong(c, "something fits under the buffer");
    rise(c, other, top);
  }
  if (!check_case(c, -1)) return false;
  c->answered[b] = c->number;
  return true;
}

/* -: nobody is on the floor. Pushed down, the lowest then begins where another member does, or on what a candidate can rest on. */
static bool check_waste(checker *c) {
  int64_t waste = NOWHERE;
  begin_case(c, ASC_NONE);
  for (uint32_t k = 0; k < c->set_count; k++) {
    uint32_t b = c->set[k];
    bool alive = lives(c, b, c->time);
    if (alive && c->least[b] > c->floor && c->least[b] < waste) waste = c->least[b];
    if (alive) continue;
    int64_t top = plus(c->least[b], size_of(c, b));
    for (uint32_t l = 0; top < waste && l < c->set_count; l++)
      if (is_candidate(c, c->set[l]) && meets(c, b, c->set[l])) waste = top;
  }
  for (uint32_t k = 0; k < c->set_count; k++)
    if (is_candidate(c, c->set[k])) rise(c, c->set[k], waste);
  return check_case(c, waste);
}

/* @ TIME and its cases, one for each candidate and one for nobody. */
static bool check_question(checker *c) {
  int64_t total;
  bool wasted = false;
  begin_case(c, ASC_NONE);
  if (!read_number(c, &c->time)) return false;
  if (!survey(c, c->time, &c->floor, &total)) return wrong(c, "nobody of the set is alive then");
  for (char mark; (mark = next_mark(c));) {
    if (mark != '+' && mark != '-') return wrong(c, "expected a case");
    if (!(mark == '+' ? check_placed(c) : check_waste(c))) return false;
    wasted = wasted || mark == '-';
  }
  for (uint32_t k = 0; k < c->set_count; k++)
    if (is_candidate(c, c->set[k]) && c->answered[c->set[k]] != c->number) return wrong(c, "a case is missing");
  return wasted || wrong(c, "the case of nobody is missing");
}

/* ---- lemmas ----------------------------------------------------------------------------------------------------------- */

static bool take_member(checker *c) {
  uint32_t b;
  int64_t least;
  if (!read_buffer(c, &b) || !read_word(c, ":") || !read_number(c, &least)) return wrong(c, "expected BUFFER:OFFSET");
  if (c->member[b] == c->number || least < 0) return wrong(c, "the buffer is named twice, or below 0");
  if (c->round > 1 && (spec_of(c, b)->bank || spec_of(c, b)->alignment % c->round))
    return wrong(c, "its alignment does not allow that sizes are rounded");
  c->member[b] = c->number;
  c->set[c->set_count++] = b;
  c->least[b] = suited(c, b, least);
  return true;
}

static bool check_lemma(checker *c, size_t number) {
  const lemma *its = &c->lemmas[number];
  c->number = number;
  c->within = its->within;
  c->round = its->round;
  c->set_count = 0;
  c->at = c->text + its->at;
  const char *before;
  char mark;
  while (before = c->at, (mark = next_mark(c)) == '0')
    if (!take_member(c)) return false;
  if (mark == '@') {
    if (!check_question(c)) return false;
  } else {
    c->at = before;
    begin_case(c, ASC_NONE);
    if (!check_case(c, -1)) return false;
  }
  return c->at >= c->end || *c->at == '\n' || wrong(c, "expected the end of the line");
}

/* That there is no plan within so many bytes: what the lemma says holds of the problem as it is. */
static bool check_claim(checker *c, int64_t bytes, int64_t number) {
  if (number < 1 || (size_t)number > c->count) return wrong(c, "expected an earlier lemma");
  const lemma *its = &c->lemmas[number];
  int64_t over = bytes % its->round;
  if ((over ? plus(bytes, its->round - over) : bytes) > its->within) return wrong(c, "that lemma is about another capacity");
  const char *here = c->at;
  c->at = c->text + its->at;
  while (next_mark(c) == '0') {
    uint32_t b;
    int64_t least;
    if (!read_buffer(c, &b) || !read_word(c, ":") || !read_number(c, &least)) return false;
    if (suited(c, b, 0) < least) return wrong(c, "the lemma begins above where its buffers may lie");
  }
  c->at = here;
  c->wanted[number] = 1;
  return true;
}

/* ---- the whole -------------------------------------------------------------------------------------------------------- */

static void next_line(checker *c) {
  const char *end = memchr(c->at, '\n', (size_t)(c->end - c->at));
  c->at = end ? end + 1 : c->end;
}

static asc_status take_lemma(checker *c, int64_t within, int64_t round) {
  int64_t number;
  if (!read_number(c, &number)) return ASC_BAD_INPUT;
  if (number < 1 || (size_t)number != c->count + 1 || within < 0)
    return wrong(c, "expected the next lemma's number, and a capacity before it"), ASC_BAD_INPUT;
  c->count++;
  if (!asci_grow(c->context, &c->lemmas, &c->room, c->count + 1, sizeof *c->lemmas) ||
      !asci_grow(c->context, &c->wanted, &c->wanted_room, c->count + 1, 1))
    return ASC_OUT_OF_MEMORY;
  c->lemmas[c->count] = (lemma){(size_t)(c->at - c->text), within, round};
  c->wanted[c->count] = 0;
  return ASC_OK;
}

static bool take_within(checker *c, int64_t *within, int64_t *round) {
  *round = 1;
  if (!read_number(c, within) || *within < 0) return wrong(c, "expected bytes");
  if (!read_word(c, " /")) return true;
  return (read_number(c, round) && *round >= 1) || wrong(c, "expected what sizes are rounded to");
}

/* Reads all lines: where the lemmas are, and the claims. */
static asc_status take_lines(checker *c, int64_t *proven) {
  int64_t within = -1, round = 1, bytes, number;
  if (!read_word(c, "arenascope-proof 1\nbuffers ") || !read_number(c, &number) ||
      number != asc_problem_count(c->problem))
    return wrong(c, "expected \"arenascope-proof 1\", and the number of buffers of this problem"), ASC_BAD_INPUT;
  for (next_line(c); c->at < c->end; next_line(c)) {
    asc_status status = ASC_OK;
    if (read_word(c, "within ")) {
      if (!take_within(c, &within, &round)) return ASC_BAD_INPUT;
    } else if (read_word(c, "lemma ")) {
      status = take_lemma(c, within, round);
    } else if (read_word(c, "none ")) {
      if (!read_number(c, &bytes) || bytes < 0 || !read_word(c, " L") || !read_number(c, &number))
        return wrong(c, "expected \"none BYTES L\" and a lemma"), ASC_BAD_INPUT;
      if (!check_claim(c, bytes, number)) return ASC_BAD_INPUT;
      if (bytes > *proven) *proven = bytes;
    } else {
      return wrong(c, "expected within, lemma or none"), ASC_BAD_INPUT;
    }
    if (status) return status;
  }
  return ASC_OK;
}

/* Marks what a lemma rests on: every L of its line. */
static void want_what_it_rests_on(checker *c, size_t number) {
  for (const char *at = c->text + c->lemmas[number].at; at < c->end && *at != '\n'; at++) {
    if (*at != 'L') continue;
    c->at = at + 1;
    int64_t other;
    if (read_number(c, &other) && other >= 1 && (size_t)other < number) c->wanted[other] = 1;
  }
}

static asc_status check_all(checker *c, int64_t *proven) {
  asc_status status = take_lines(c, proven);
  for (size_t k = c->count; !status && k >= 1; k--)
    if (c->wanted[k]) want_what_it_rests_on(c, k);
  c->fault = status ? c->fault : NULL;
  for (size_t k = 1; !status && k <= c->count; k++)
    if (c->wanted[k] && !check_lemma(c, k)) status = ASC_BAD_INPUT;
  return status;
}

static asc_status take_memory(checker *c) {
  size_t count = (size_t)asc_problem_count(c->problem) + 1;
  c->least = asci_alloc(c->context, count, sizeof *c->least);
  c->now = asci_alloc(c->context, count, sizeof *c->now);
  c->set = asci_alloc(c->context, count, sizeof *c->set);
  c->member = asci_calloc(c->context, count, sizeof *c->member);
  c->answered = asci_calloc(c->context, count, sizeof *c->answered);
  c->heights = asci_alloc(c->context, MOST_RANGES * (size_t)2, sizeof *c->heights);
  c->sorted = asci_alloc(c->context, count, sizeof *c->sorted);
  bool enough = c->least && c->now && c->set && c->member && c->answered && c->heights && c->sorted && take_spans(c);
  return enough ? ASC_OK : ASC_OUT_OF_MEMORY;
}

/* Gaps with windows and shapes let buffers nest, pools are memories of their own: the steps say nothing of these. */
static asc_status can_check(const asc_problem *problem, asc_diag *diag) {
  bool plain = asc_problem_pool_count(problem) == 1;
  for (uint32_t b = 0; plain && b < asc_problem_count(problem); b++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
    plain = !spec->shape_count && spec->pool == ASC_POOL_MAIN;
    for (uint32_t g = 0; plain && g < spec->gap_count; g++) plain = spec->gaps[g].window_lower >= spec->gaps[g].window_upper;
  }
  if (plain) return ASC_OK;
  return asci_complain(diag, ASC_UNSUPPORTED, "", "there are no certificates for pools, gaps with windows and shapes");
}

asc_status asc_proof_check(asc_context *context, const asc_problem *problem, const char *text, size_t bytes, int64_t *proven, asc_diag *diag) {
  if (!context || !problem || !text || !proven) return asci_complain(diag, ASC_BAD_ARGUMENT, "", "there is nothing to check");
  asc_status status = can_check(problem, diag);
  if (status) return status;
  checker c = {.problem = problem,
               .context = context,
               .text = text,
               .end = text + bytes,
               .at = text,
               .round = 1,
               .placed = ASC_NONE};
  int64_t found = -1;
  status = take_memory(&c);
  if (!status) status = check_all(&c, &found);
  if (!status) *proven = found;
  if (status == ASC_BAD_INPUT) asci_complain(diag, status, "", "%s", c.fault ? c.fault : "is no certificate");
  if (status == ASC_OUT_OF_MEMORY) asci_complain(diag, status, "", "there is no memory for the check");
  if (status == ASC_BAD_INPUT && diag)
    for (const char *at = text; at < c.at || !diag->line; at++) diag->line += at == text || at[-1] == '\n';
  void *blocks[] = {c.first_span, c.spans, c.lemmas, c.wanted, c.least, c.now, c.set, c.member, c.answered, c.heights, c.sorted};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) asci_free(c.context, blocks[k]);
  return status;
}
