/* Lemmas: sets of buffers, steps, cases and what each of them ends with. README.md says why each holds. */
#include "base/number/multiple.h"
#include "checker.h"

#include <string.h>

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

/* ---- steps ------------------------------------------------------------------------------------------------------------ */

/* Those of the set that are alive then: how many, the least offset of one, the sum of their sizes. */
static uint32_t survey(const checker *c, int64_t time, int64_t *floor, int64_t *total) {
  uint32_t count = 0;
  *floor = NOWHERE;
  *total = 0;
  for (uint32_t k = 0; k < c->set_count; k++) {
    uint32_t b = c->set[k];
    if (b == c->placed || !asci_proof_lives(c, b, time)) continue;
    if (c->now[b] < *floor) *floor = c->now[b];
    *total = asci_proof_plus(*total, asci_proof_size(c, b));
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
  if (to > c->now[b]) c->now[b] = asci_proof_suited(c, b, to);
}

static bool read_at(checker *c, int64_t *time, uint32_t *buffer) {
  if (!asci_proof_number(c, time) || !asci_proof_word(c, ":") || !asci_proof_buffer(c, buffer))
    return asci_proof_wrong(c, "expected TIME:BUFFER");
  return asci_proof_demand(c, asci_proof_in(c, *buffer) && asci_proof_lives(c, *buffer, *time),
                           "the buffer is not of the set, or not alive then");
}

/* f TIME:BUFFER, not first. */
static bool step_not_first(checker *c) {
  int64_t time = 0, floor, total, to = NOWHERE;
  uint32_t buffer = 0;
  if (!read_at(c, &time, &buffer)) return false;
  survey(c, time, &floor, &total);
  if (asci_proof_plus(c->now[buffer], total) <= c->about.within)
    return asci_proof_wrong(c, "the buffer can be the lowest there");
  for (uint32_t k = 0; k < c->set_count; k++) {
    uint32_t b = c->set[k];
    if (b == buffer || !asci_proof_in(c, b) || !asci_proof_lives(c, b, time) ||
        asci_proof_plus(c->now[b], total) > c->about.within)
      continue;
    int64_t top = asci_proof_plus(c->now[b], asci_proof_size(c, b));
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
  int64_t least = c->now[b] - floor, size = asci_proof_size(c, b);
  range *old = c->heights, *made = c->heights + MOST_RANGES;
  uint32_t kept = 0, raised = 0, done = 0;
  while (raised < *count && old[raised].high < least) raised++;
  while (kept < *count || raised < *count) {
    range next = {NOWHERE, NOWHERE}, above = {NOWHERE, NOWHERE};
    if (kept < *count) next = old[kept];
    if (raised < *count)
      above = (range){asci_proof_plus(old[raised].low > least ? old[raised].low : least, size),
                      asci_proof_plus(old[raised].high, size)};
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
    if (b == without || !asci_proof_in(c, b) || !asci_proof_lives(c, b, time)) continue;
    for (; at > 0 && c->now[c->sorted[at - 1]] > c->now[b]; at--) c->sorted[at] = c->sorted[at - 1];
    c->sorted[at] = b;
    count++;
  }
  return count;
}

/* s TIME:BUFFER, sums. */
static bool step_sums(checker *c) {
  int64_t time = 0, floor, total, to = NOWHERE;
  uint32_t buffer = 0, count = 1;
  if (!read_at(c, &time, &buffer)) return false;
  survey(c, time, &floor, &total);
  int64_t slack = c->about.within - floor - total, from = c->now[buffer] - floor;
  if (slack >= 0) {
    c->heights[0] = (range){0, slack};
    uint32_t others = sort_others(c, time, buffer);
    for (uint32_t k = 0; k < others; k++)
      if (!pile_up(c, c->sorted[k], floor, &count)) return asci_proof_wrong(c, "there are too many heights");
    for (uint32_t k = 0; k < count && to == NOWHERE; k++)
      if (c->heights[k].high >= from) to = floor + (c->heights[k].low > from ? c->heights[k].low : from);
  }
  rise(c, buffer, to);
  return true;
}

/* o BUFFER, off the top of the one that is placed. */
static bool step_off(checker *c) {
  uint32_t other = 0;
  int64_t to = NOWHERE;
  if (!asci_proof_buffer(c, &other)) return false;
  if (c->placed == ASC_NONE || !asci_proof_in(c, other) || c->answered[other] != c->number ||
      !same_life(c, c->placed, other))
    return asci_proof_wrong(c, "no buffer of that lifespan had its case before");
  const asc_buffer_spec *low = asci_proof_spec(c, c->placed), *high = asci_proof_spec(c, other);
  if (c->about.limit < NOWHERE || low->bank || high->bank || low->offset != ASC_UNPLACED || high->offset != ASC_UNPLACED ||
      (c->floor + asci_proof_size(c, other)) % low->alignment ||
      (c->floor + asci_proof_size(c, c->placed)) % high->alignment)
    return asci_proof_wrong(c, "the two cannot be swapped");
  for (uint32_t k = 0; k < c->set_count; k++) {
    uint32_t b = c->set[k];
    if (b == other || b == c->placed || !meets(c, b, other)) continue;
    int64_t top = asci_proof_plus(c->now[b], asci_proof_size(c, b));
    if (top < to) to = top;
  }
  rise(c, other, to);
  return true;
}

/* ---- piles ------------------------------------------------------------------------------------------------------------ */

/* Those of the set that live at `time`. Of very many piles the tries would take very long: they are counted before they are made. */
static bool gather_pile(checker *c, int64_t time, uint32_t *members, uint32_t *count) {
  *count = 0;
  for (uint32_t k = 0; k < c->set_count; k++) {
    if (c->set[k] == c->placed || !asci_proof_lives(c, c->set[k], time)) continue;
    if (*count == MOST_PILED) return asci_proof_wrong(c, "there are too many in the pile");
    members[(*count)++] = c->set[k];
  }
  uint64_t tries = (uint64_t)*count << *count;
  c->tries += *count > SMALL_PILE ? tries : tries >> 10;
  if (c->tries > MOST_TRIES) return asci_proof_wrong(c, "there are too many piles");
  c->no_memory = !asci_grow(c->context, &c->ends, &c->ends_room, (size_t)1 << *count, sizeof *c->ends);
  return !c->no_memory;
}

/* The least end of a pile of all members in which buffer `low` (ASC_NONE: nobody) lies below `below`. By subsets: whoever is on top of one lies
   as low as it may on the others, which lie as low as they may; others that end too high already are of no use. */
static int64_t pile_end(checker *c, const uint32_t *members, uint32_t count, uint32_t low, int64_t below) {
  uint32_t all = (UINT32_C(1) << count) - 1;
  c->ends[0] = 0;
  for (uint32_t set = 1; set <= all; set++) {
    c->ends[set] = NOWHERE;
    for (uint32_t k = 0; k < count; k++) {
      if (!(set >> k & 1)) continue;
      int64_t under = c->ends[set ^ (UINT32_C(1) << k)], least = c->now[members[k]];
      if (under > c->about.within) continue;
      int64_t at = asci_proof_suited(c, members[k], under > least ? under : least);
      if (asci_proof_ends_above(c, members[k], at) || (members[k] == low && at >= below)) continue;
      int64_t end = asci_proof_plus(at, asci_proof_size(c, members[k]));
      if (end < c->ends[set]) c->ends[set] = end;
    }
  }
  return c->ends[all];
}

/* r TIME:BUFFER:TO, no pile has it lower. */
static bool step_piled(checker *c) {
  int64_t time = 0, to = 0;
  uint32_t buffer = 0, count = 0, members[MOST_PILED];
  if (!read_at(c, &time, &buffer) || !gather_pile(c, time, members, &count)) return false;
  if (!asci_proof_word(c, ":") || !asci_proof_number(c, &to)) return asci_proof_wrong(c, "expected TIME:BUFFER:OFFSET");
  if (pile_end(c, members, count, buffer, to) <= c->about.within)
    return asci_proof_wrong(c, "in some pile the buffer lies lower");
  rise(c, buffer, to);
  return true;
}

/* p TIME. */
static bool end_piled(checker *c) {
  int64_t time = 0;
  uint32_t count = 0, members[MOST_PILED];
  if (!asci_proof_number(c, &time) || !gather_pile(c, time, members, &count)) return false;
  return asci_proof_demand(c, count && pile_end(c, members, count, ASC_NONE, 0) > c->about.within, "the pile fits there");
}

/* ---- ends of cases ---------------------------------------------------------------------------------------------------- */

/* L NUMBER: what that lemma says holds of the set now. */
static bool end_known(checker *c) {
  int64_t number = 0;
  if (!asci_proof_number(c, &number)) return false;
  if (number < 1 || (size_t)number >= c->number) return asci_proof_wrong(c, "expected an earlier lemma");
  const lemma *known = &c->lemmas[number];
  if (known->about.within < c->about.within || known->about.round != c->about.round || known->about.limit < c->about.limit)
    return asci_proof_wrong(c, "that lemma is about another capacity");
  const char *here = c->at;
  bool holds = true;
  c->at = c->text + known->at;
  while (holds && asci_proof_mark(c) == '0') {
    uint32_t b = 0;
    int64_t least = 0;
    holds = asci_proof_pair(c, &b, &least) && asci_proof_in(c, b) && c->now[b] >= least;
  }
  c->at = here;
  return asci_proof_demand(c, holds, "that lemma does not hold of this set");
}

/* Whether each place of a packing pushed down suits each of the set: there are no banks, and all sizes and least offsets are multiples of all
   alignments. */
static bool all_are_aligned(const checker *c) {
  int64_t unit = 0;
  for (uint32_t k = 0; k < c->set_count; k++)
    unit = asci_common_divisor(unit, asci_common_divisor(asci_proof_size(c, c->set[k]), c->least[c->set[k]]));
  bool aligned = true;
  for (uint32_t k = 0; aligned && k < c->set_count; k++) {
    const asc_buffer_spec *spec = asci_proof_spec(c, c->set[k]);
    aligned = !spec->bank && unit % spec->alignment == 0;
  }
  return aligned;
}

/* = BUFFER: as the case of one that is alike. */
static bool end_alike(checker *c, bool fresh) {
  uint32_t other = 0;
  if (!asci_proof_buffer(c, &other)) return false;
  if (!fresh || c->placed == ASC_NONE || !asci_proof_in(c, other) || c->answered[other] != c->number)
    return asci_proof_wrong(c, "there was no case of that buffer before");
  const asc_buffer_spec *a = asci_proof_spec(c, c->placed), *b = asci_proof_spec(c, other);
  bool equal =
      a->size == b->size || (asci_proof_size(c, c->placed) == asci_proof_size(c, other) && c->about.limit == NOWHERE);
  bool alike = same_life(c, c->placed, other) && equal && a->bank == b->bank && a->offset == b->offset &&
               (a->alignment == b->alignment || all_are_aligned(c));
  return asci_proof_demand(c, alike, "the two buffers are not alike");
}

/* b BUFFER: it could drop to the floor. */
static bool end_drops(checker *c, int64_t waste) {
  uint32_t drops = 0;
  if (!asci_proof_buffer(c, &drops)) return false;
  if (c->placed != ASC_NONE || waste < 0 || !asci_proof_in(c, drops) || c->answered[drops] != c->number)
    return asci_proof_wrong(c, "there was no case of that buffer before");
  int64_t top = asci_proof_plus(c->floor, asci_proof_size(c, drops));
  for (uint32_t k = 0; k < c->set_count; k++) {
    uint32_t b = c->set[k];
    if (b != drops && !asci_proof_lives(c, b, c->time) && meets(c, b, drops) && c->least[b] < top)
      return asci_proof_wrong(c, "a neighbour is in the way of the drop");
  }
  return asci_proof_demand(c, waste >= top, "the others are in the way of the drop");
}

/* What rounding adds to one of those alive then, at most: whoever is on top may end so much above. */
static int64_t most_added(const checker *c, int64_t time) {
  int64_t most = 0;
  for (uint32_t k = 0; k < c->set_count; k++) {
    uint32_t b = c->set[k];
    if (b == c->placed) continue;
    int64_t added = asci_proof_size(c, b) - asci_proof_spec(c, b)->size;
    if (asci_proof_lives(c, b, time) && added > most) most = added;
  }
  return most;
}

static bool end_full(checker *c) {
  int64_t time = 0, floor, total;
  if (!asci_proof_number(c, &time)) return false;
  bool full = survey(c, time, &floor, &total) > 0;
  int64_t height = asci_proof_plus(floor, total);
  return asci_proof_demand(c, full && (height > c->about.within || height - most_added(c, time) > c->about.limit),
                           "everything fits there");
}

static bool end_above(checker *c) {
  uint32_t b = 0;
  if (!asci_proof_buffer(c, &b)) return false;
  return asci_proof_demand(c, asci_proof_in(c, b) && asci_proof_ends_above(c, b, c->now[b]), "the buffer fits");
}

/* The steps of a case and its end. waste: where the lowest may be if nobody is on the floor; -1: somebody is. */
static bool check_case(checker *c, int64_t waste) {
  for (bool fresh = true;; fresh = false) {
    switch (asci_proof_mark(c)) {
    case 'f':
      if (!step_not_first(c)) return false;
      break;
    case 's':
      if (!step_sums(c)) return false;
      break;
    case 'o':
      if (!step_off(c)) return false;
      break;
    case 'r':
      if (!step_piled(c)) return false;
      break;
    case '!':
      return end_full(c);
    case 'p':
      return end_piled(c);
    case '#':
      return end_above(c);
    case 'L':
      return end_known(c);
    case 'x':
      return asci_proof_exchange(c);
    case '=':
      return end_alike(c, fresh);
    case 'b':
      return end_drops(c, fresh ? waste : -1);
    default:
      return asci_proof_wrong(c, "expected a step or the end of a case");
    }
  }
}

/* ---- questions -------------------------------------------------------------------------------------------------------- */

static void begin_case(checker *c, uint32_t placed) {
  c->placed = placed;
  for (uint32_t k = 0; k < c->set_count; k++) c->now[c->set[k]] = c->least[c->set[k]];
}

static bool is_candidate(const checker *c, uint32_t b) {
  return asci_proof_lives(c, b, c->time) && c->least[b] == c->floor;
}

/* + BUFFER: it is on the floor, and all that it meets above it. */
static bool check_placed(checker *c) {
  uint32_t b = 0;
  if (!asci_proof_buffer(c, &b)) return false;
  if (c->member[b] != c->number || !is_candidate(c, b)) { /* of no account: to the next case */
    while (*c->at != '\n' && !(*c->at == ' ' && (c->at[1] == '+' || c->at[1] == '-'))) c->at++;
    return true;
  }
  begin_case(c, b);
  int64_t top = asci_proof_plus(c->floor, asci_proof_size(c, b));
  for (uint32_t k = 0; k < c->set_count; k++) {
    uint32_t other = c->set[k];
    if (other == b || !meets(c, other, b)) continue;
    if (asci_proof_plus(c->least[other], asci_proof_size(c, other)) <= c->floor)
      return asci_proof_wrong(c, "something fits under the buffer");
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
    bool alive = asci_proof_lives(c, b, c->time);
    if (alive && c->least[b] > c->floor && c->least[b] < waste) waste = c->least[b];
    if (alive) continue;
    int64_t top = asci_proof_plus(c->least[b], asci_proof_size(c, b));
    for (uint32_t l = 0; top < waste && l < c->set_count; l++)
      if (is_candidate(c, c->set[l]) && meets(c, b, c->set[l])) waste = top;
  }
  for (uint32_t k = 0; k < c->set_count; k++)
    if (is_candidate(c, c->set[k])) rise(c, c->set[k], waste);
  return check_case(c, waste);
}

/* @ TIME and its cases, one for each candidate and one for nobody. */
static bool check_question(checker *c) {
  int64_t total = 0;
  bool wasted = false;
  begin_case(c, ASC_NONE);
  if (!asci_proof_number(c, &c->time)) return false;
  if (!survey(c, c->time, &c->floor, &total)) return asci_proof_wrong(c, "nobody of the set is alive then");
  for (char mark; (mark = asci_proof_mark(c));) {
    if (mark != '+' && mark != '-') return asci_proof_wrong(c, "expected a case");
    if (!(mark == '+' ? check_placed(c) : check_waste(c))) return false;
    wasted = wasted || mark == '-';
  }
  for (uint32_t k = 0; k < c->set_count; k++)
    if (is_candidate(c, c->set[k]) && c->answered[c->set[k]] != c->number) return asci_proof_wrong(c, "a case is missing");
  return asci_proof_demand(c, wasted, "the case of nobody is missing");
}

/* ---- lemmas ----------------------------------------------------------------------------------------------------------- */

static bool take_member(checker *c) {
  uint32_t b = 0;
  int64_t least = 0;
  if (!asci_proof_pair(c, &b, &least)) return false;
  if (c->member[b] == c->number || least < 0) return asci_proof_wrong(c, "the buffer is named twice, or below 0");
  if (asci_proof_spec(c, b)->bank % c->about.round || asci_proof_spec(c, b)->alignment % c->about.round)
    return asci_proof_wrong(c, "its alignment does not allow that sizes are rounded");
  c->member[b] = c->number;
  c->set[c->set_count++] = b;
  c->least[b] = asci_proof_suited(c, b, least);
  return true;
}

bool asci_proof_lemma(checker *c, size_t number) {
  const lemma *its = &c->lemmas[number];
  c->number = number;
  c->about = its->about;
  c->set_count = 0;
  c->at = c->text + its->at;
  const char *before = c->at;
  char mark = asci_proof_mark(c);
  for (; mark == '0'; mark = asci_proof_mark(c)) {
    if (!take_member(c)) return false;
    before = c->at;
  }
  if (mark == '@') {
    if (!check_question(c)) return false;
  } else {
    c->at = before;
    begin_case(c, ASC_NONE);
    if (!check_case(c, -1)) return false;
  }
  return asci_proof_demand(c, *c->at == '\n', "expected the end of the line");
}
