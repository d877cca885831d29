#include "solve/greedy/slots.h"
#include "base/number/multiple.h"

#include "base/memory.h"
#include "model/bank.h"

#include <string.h>

#define EMPTY ((asci_slot){.alignment = 1, .banks = 1})

asc_status asci_slots_new(const asc_problem *problem, asci_slots *slots) {
  uint32_t *slot_of = asci_alloc(problem->context, problem->count, sizeof *slot_of);
  if (!slot_of) return ASC_OUT_OF_MEMORY;
  for (uint32_t b = 0; b < problem->count; b++) slot_of[b] = ASC_NONE;
  *slots = (asci_slots){.problem = problem, .slot_of = slot_of};
  return ASC_OK;
}

void asci_slots_free(asci_slots *slots) {
  if (!slots->problem) return;
  for (uint32_t s = 0; s < slots->count; s++) asci_free(slots->problem->context, slots->slots[s].tenants);
  asci_free(slots->problem->context, slots->slots);
  asci_free(slots->problem->context, slots->slot_of);
  *slots = (asci_slots){0};
}

bool asci_slots_open(asci_slots *slots) {
  if (!asci_grow(slots->problem->context, &slots->slots, &slots->room, (size_t)slots->count + 1, sizeof *slots->slots))
    return false;
  slots->slots[slots->count++] = EMPTY;
  return true;
}

bool asci_slots_hole(const asci_slots *slots, uint32_t slot, uint32_t buffer, asci_hole *hole) {
  const asc_buffer_spec *buffers = slots->problem->buffers, *spec = &buffers[buffer];
  const asci_slot *s = &slots->slots[slot];
  uint32_t low = 0, high = s->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (buffers[s->tenants[middle]].lower < spec->lower)
      low = middle + 1;
    else
      high = middle;
  }
  hole->rank = low;
  hole->lower = low ? buffers[s->tenants[low - 1]].upper : INT64_MIN;
  hole->upper = low < s->count ? buffers[s->tenants[low]].lower : INT64_MAX;
  return hole->lower <= spec->lower && spec->upper <= hole->upper;
}

static void admit(asci_slot *slot, const asc_buffer_spec *spec) {
  if (spec->size > slot->size) slot->size = spec->size;
  slot->alignment = asci_common_multiple(slot->alignment, spec->alignment);
  if (!spec->bank) return;
  slot->bank = asci_common_divisor(slot->bank, spec->bank);
  slot->banks = asci_common_multiple(slot->banks, spec->bank);
  if (spec->size > slot->banked) slot->banked = spec->size;
}

/* The lowest offset from there on that suits all tenants: one that keeps within one bank of the common divisor keeps within those of
   each; if the largest tenant is larger than that, one at which the banks of all begin. */
static int64_t suited(const asci_slot *slot, int64_t from) {
  if (slot->banked > slot->bank) return asci_align(from, asci_common_multiple(slot->alignment, slot->banks));
  return asci_next_offset(from, slot->banked, slot->alignment, slot->bank);
}

bool asci_slots_join(asci_slots *slots, uint32_t slot, uint32_t buffer, uint32_t rank) {
  asci_slot *s = &slots->slots[slot];
  if (!asci_grow(slots->problem->context, &s->tenants, &s->room, (size_t)s->count + 1, sizeof *s->tenants)) return false;
  memmove(s->tenants + rank + 1, s->tenants + rank, (s->count - rank) * sizeof *s->tenants);
  s->tenants[rank] = buffer;
  s->count++;
  admit(s, &slots->problem->buffers[buffer]);
  slots->slot_of[buffer] = slot;
  return true;
}

int64_t asci_slots_layout(const asci_slots *slots, uint32_t slot, uint32_t buffer, int64_t *top) {
  int64_t end = 0, found = 0;
  uint32_t count = slot == slots->count ? slot + 1 : slots->count;
  for (uint32_t k = 0; k < count && end <= ASC_MAX_BYTES; k++) {
    asci_slot s = k < slots->count ? slots->slots[k] : EMPTY;
    if (k == slot) admit(&s, &slots->problem->buffers[buffer]);
    int64_t offset = suited(&s, end);
    if (k == slot) found = offset;
    end = offset + s.size;
  }
  *top = end;
  return found;
}

void asci_slots_offsets(const asci_slots *slots, int64_t *offsets) {
  int64_t end = 0;
  for (uint32_t k = 0; k < slots->count; k++) {
    const asci_slot *s = &slots->slots[k];
    int64_t offset = suited(s, end);
    for (uint32_t t = 0; t < s->count; t++) offsets[s->tenants[t]] = offset;
    end = offset + s->size;
  }
}
