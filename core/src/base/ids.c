#include "base/ids.h"

#include "base/sip.h"

#include <string.h>

#define LEAST_SLOTS 64u
#define LEAST_SHIFT 26u /* of a hash of 32 bits to 64 places */

static uint32_t hash_of(const asci_ids *ids, const char *text, size_t length) {
  return (uint32_t)(asci_sip(ids->key, text, length) >> 32);
}

/* The slot that holds the id, or the free one where it belongs. Texts of another hash are not looked at: with a million ids each look would
   miss the cache. */
static asci_id_slot *slot_of(const asci_ids *ids, const char *text, size_t length, uint32_t hash) {
  for (size_t at = hash >> ids->shift;; at = (at + 1) & (ids->slot_count - 1)) {
    asci_id_slot *slot = &ids->slots[at];
    if (!slot->text) return slot;
    if (slot->hash == hash && slot->length == length && memcmp(slot->text, text, length) == 0) return slot;
  }
}

/* The upper bits of the hash are the place, so that the old slots are passed from first to last and so are the new ones. */
static asc_status double_slots(asc_context *context, asci_ids *ids) {
  bool first = !ids->slots;
  asci_ids wider = {.key = first ? asci_context_key(context) : ids->key,
                    .slot_count = first ? LEAST_SLOTS : ids->slot_count * 2,
                    .used = ids->used,
                    .shift = first ? LEAST_SHIFT : ids->shift - 1};
  wider.slots = asci_calloc(context, wider.slot_count, sizeof *wider.slots);
  if (!wider.slots) return ASC_OUT_OF_MEMORY;
  for (size_t i = 0; !first && i < ids->slot_count; i++) {
    const asci_id_slot *old = &ids->slots[i];
    if (!old->text) continue;
    size_t at = old->hash >> wider.shift;
    while (wider.slots[at].text) at = (at + 1) & (wider.slot_count - 1);
    wider.slots[at] = *old;
  }
  asci_free(context, ids->slots);
  *ids = wider;
  return ASC_OK;
}

asc_status asci_ids_enter(asc_context *context, asci_ids *ids, asci_id id, uint32_t *first) {
  if (ids->used * 2 >= ids->slot_count) {
    asc_status status = double_slots(context, ids);
    if (status) return status;
  }
  uint32_t hash = hash_of(ids, id.text, id.length);
  asci_id_slot *slot = slot_of(ids, id.text, id.length, hash);
  *first = slot->text ? slot->number : 0;
  if (slot->text) return ASC_OK;
  *slot = (asci_id_slot){.text = id.text, .length = (uint32_t)id.length, .hash = hash, .number = id.number};
  ids->used++;
  return ASC_OK;
}

uint32_t asci_ids_find(const asci_ids *ids, const char *text, size_t length) {
  return ids->slot_count ? slot_of(ids, text, length, hash_of(ids, text, length))->number : 0;
}

void asci_ids_free(asc_context *context, asci_ids *ids) {
  asci_free(context, ids->slots);
  *ids = (asci_ids){0};
}
