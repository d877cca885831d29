/* Subset sums (README 6): in a section with next to no slack an item rests on a gapless pile of others, and only some heights can be piled.
 *
 * Idle space, at most the slack, is moved to the bottom of the pile, and the pile is sorted by least offset: both keep every item at or above
 * its least offset, for what rises only rises, and an item together with all of larger least offset fills no more than the room from its
 * least offset to the pile's end. So the reachable heights are: start from idle 0 .. slack, take the members by least offset, and add each
 * one's size to the reachable heights at or above its least offset. */

#define SUM_SLACK 2
#define SUM_MEMBERS 24u /* more of them pile up to anything, and the pass would take most of the time */
#define SUM_SPAN 64
#define SUM_WORDS (SUM_SPAN / 64 + 1)

/* reach |= (reach restricted to bits >= from) << by, in words 0 .. count - 1; what goes beyond is dropped. */
static void add_sums(uint64_t *reach, uint32_t count, uint32_t from, uint32_t by) {
  uint32_t words = by / 64, bits = by % 64, lowest = from / 64;
  uint64_t first = UINT64_MAX << (from % 64);
  for (uint32_t w = count; w-- > lowest + words;) {
    uint32_t source = w - words;
    uint64_t high = reach[source] & (source == lowest ? first : UINT64_MAX);
    uint64_t low = source == lowest ? 0 : reach[source - 1] & (source - 1 == lowest ? first : UINT64_MAX);
    reach[w] |= bits ? high << bits | low >> (64 - bits) : high;
  }
}

/* First reachable height >= from, or the end of the last word. */
static uint32_t next_sum(const uint64_t *reach, uint32_t count, uint32_t from) {
  uint32_t w = from / 64;
  uint64_t word = reach[w] & UINT64_MAX << (from % 64);
  while (!word && ++w < count) word = reach[w];
  return word ? w * 64 + (uint32_t)__builtin_ctzll(word) : count * 64;
}

/* The unplaced members of t by least offset; 0 if there are too many. */
static uint32_t sort_members(const search *s, uint32_t t, uint32_t *items) {
  const uint64_t *members = s->m->members + (size_t)t * s->m->words;
  uint32_t count = 0;
  for (uint32_t w = 0; w < s->m->words; w++)
    for (uint64_t word = members[w] & s->unplaced[w]; word; word &= word - 1) {
      uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(word), at = count++;
      if (count > SUM_MEMBERS) return 0;
      for (; at > 0 && s->least[items[at - 1]] > s->least[i]; at--) items[at] = items[at - 1];
      items[at] = i;
    }
  return count;
}

/* False: an item is left no offset. */
static bool raise_to_sums(search *s, uint32_t t) {
  value floor = s->floor[t], slack = s->capacity - floor - s->rest[t];
  if (windows(s) || slack > SUM_SLACK || s->capacity - floor > SUM_SPAN) return true;
  if (s->count[t] > SUM_MEMBERS) return true;
  uint32_t items[SUM_MEMBERS], count = sort_members(s, t, items);
  uint32_t words = (uint32_t)(s->capacity - floor) / 64 + 1;
  uint64_t reach[SUM_WORDS] = {(UINT64_C(2) << slack) - 1};
  for (uint32_t k = 0; k < count; k++)
    add_sums(reach, words, (uint32_t)(s->least[items[k]] - floor), (uint32_t)s->size[items[k]]);
  for (uint32_t k = 0; k < count; k++) {
    value least = s->least[items[k]], to = floor + (value)next_sum(reach, words, (uint32_t)(least - floor));
    if (to <= least) continue;
    asci_count_ahead(s->run, ASC_RULE_SUBSET_SUM);
    if (!rise(s, items[k], snap(s, items[k], to), t | SUM_BIT)) return false;
  }
  return true;
}
