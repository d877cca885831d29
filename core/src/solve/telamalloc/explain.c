/* Which placements made a domain empty (paper section 5.4: "it also reports conflicting variable assignments").
 *
 * Nothing is recorded while propagating but the trail. An atom is a bound at some time: "low(X) >= v before entry t". Each atom needed is
 * looked up as the earliest entry that makes it true, with the weakest value that still does; placements that only added to it later drop
 * out. Taking entries from the latest to the earliest, each is replaced by the atoms from which its rule derived it:
 *
 *     low(X) >= v through K:   low(K) >= w, and X cannot be below K:  low(X) + size(X) > high(K)
 *     high(X) <= v through K:  high(K) <= w, and K cannot be below X:  low(K) + size(K) > high(X)
 *
 * Each is implied by earlier ones, so what remains are placements and bounds that held before any decision: those placements alone derive the
 * same failure again. */
#include "engine.h"

static bool implies(uint32_t variable, int64_t bound, int64_t value) {
  return variable % 2 ? bound <= value : bound >= value;
}

static int64_t root_bound(const tela_engine *e, uint32_t variable) {
  const tela_item *root = &e->root[variable / 2];
  return variable % 2 ? root->high : root->low;
}

/* The latest entry of the variable before entry t, ASC_NONE. From one call to the next t does not rise. */
static uint32_t last_before(tela_engine *e, uint32_t variable, uint32_t t) {
  tela_trace *trace = &e->traces[variable];
  if (trace->round != e->round) *trace = (tela_trace){e->round, e->head[variable], ASC_NONE};
  while (trace->last != ASC_NONE && trace->last >= t) trace->last = e->entries[trace->last].previous;
  return trace->last;
}

/* The earliest entry before t that implies the bound, which must hold then; ASC_NONE: it held before any decision. It does not look past a
   placement: the set needs that one anyway where the placement is what counts. */
static uint32_t find(tela_engine *e, uint32_t variable, int64_t value, uint32_t t) {
  if (implies(variable, root_bound(e, variable), value)) return ASC_NONE;
  uint32_t entry = last_before(e, variable, t), *found = &e->traces[variable].found;
  if (*found < t && implies(variable, e->entries[*found].value, value)) entry = *found;
  while (e->entries[entry].by != ASC_NONE && implies(variable, e->entries[entry].old, value))
    entry = e->entries[entry].previous;
  return *found = entry;
}

/* The entry has to give at least that value. */
static void require(tela_engine *e, uint32_t entry, int64_t value) {
  if (entry == ASC_NONE) return;
  uint64_t bit = UINT64_C(1) << entry % 64, *word = &e->found[entry / 64];
  if (!(*word & bit) || !implies(e->entries[entry].variable, e->need[entry], value)) e->need[entry] = value;
  *word |= bit;
}

static void require_bound(tela_engine *e, uint32_t variable, int64_t value, uint32_t t) {
  require(e, find(e, variable, value, t), value);
}

/* Why low(lower) + distance > high(upper) before t. The high side is taken as weak as the low side allows, then the other way round. */
static void require_crossing(tela_engine *e, uint32_t lower, int64_t distance, uint32_t upper, uint32_t t) {
  uint32_t low = 2 * lower, high = 2 * upper + 1, last = last_before(e, low, t);
  int64_t now = last == ASC_NONE ? root_bound(e, low) : e->entries[last].value;
  int64_t most = now + distance - 1;
  uint32_t entry = find(e, high, most, t);
  if (entry == ASC_NONE)
    most = root_bound(e, high);
  else if (e->entries[entry].by == ASC_NONE)
    most = e->entries[entry].value;
  require(e, entry, most);
  require_bound(e, low, most - distance + 1, t);
}

static void explain_low(tela_engine *e, const tela_entry *entry, int64_t value, uint32_t t) {
  uint32_t buffer = entry->variable / 2, by = entry->by;
  /* every position above the last one that the buffer may have below the value will do */
  int64_t least = asci_tela_down(e, buffer, value - 1) + 1 - asci_tela_above(e, by, buffer, entry->edge);
  require_bound(e, 2 * by, least, t);
  if (e->tetris && e->level[by] != ASC_NONE && e->decided[by] < t && !asci_tela_is_fixed(e, buffer))
    require(e, e->decided[by], e->entries[e->decided[by]].value); /* it fell on a placed one: that is reason enough */
  else
    require_crossing(e, buffer, asci_tela_above(e, buffer, by, entry->edge), by, t);
}

static void explain_high(tela_engine *e, const tela_entry *entry, int64_t value, uint32_t t) {
  uint32_t buffer = entry->variable / 2, by = entry->by;
  int64_t most = asci_tela_up(e, buffer, value + 1) - 1 + asci_tela_above(e, buffer, by, entry->edge);
  require_bound(e, 2 * by + 1, most, t);
  require_crossing(e, by, asci_tela_above(e, by, buffer, entry->edge), buffer, t);
}

bool asci_tela_explain(tela_engine *e) {
  size_t words = e->entry_count / 64 + 1, old = e->found_room;
  e->reason_count = 0;
  e->round++;
  if (!asci_grow(e->context, &e->need, &e->need_room, e->entry_count, sizeof *e->need) ||
      !asci_grow(e->context, &e->found, &e->found_room, words, sizeof *e->found))
    return false;
  for (; old < e->found_room; old++) e->found[old] = 0; /* all others were left clear */
  require_crossing(e, e->empty, 0, e->empty, (uint32_t)e->entry_count);
  while (words--)
    while (e->found[words]) {
      uint32_t t = (uint32_t)(words * 64 + 63 - (size_t)__builtin_clzll(e->found[words]));
      e->found[words] &= ~(UINT64_C(1) << t % 64);
      const tela_entry *entry = &e->entries[t];
      uint32_t level = e->level[entry->variable / 2];
      if (entry->by != ASC_NONE)
        (entry->variable % 2 ? explain_high : explain_low)(e, entry, e->need[t], t);
      else if (!e->reason_count || e->reason[e->reason_count - 1] != level)
        e->reason[e->reason_count++] = level;
    }
  return true;
}
