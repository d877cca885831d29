#include "base/ids.h"

#include "base/hash.h"

#include <string.h>

/* The slot that holds the id, or the free one where it belongs. Eight bytes at a time, in whatever order the machine has them: nothing but
   the place in the table depends on it. */
static asci_id *slot_of(const asci_ids *ids, const asci_id *id) {
  uint64_t hash = ASCI_HASH_SEED, word;
  size_t i = 0;
  for (; i + sizeof word <= id->length; i += sizeof word) {
    memcpy(&word, id->text + i, sizeof word);
    hash = asci_fold(hash, word);
  }
  for (; i < id->length; i++) hash = asci_fold(hash, (unsigned char)id->text[i]);
  for (size_t at = (size_t)hash & (ids->slot_count - 1);; at = (at + 1) & (ids->slot_count - 1)) {
    asci_id *slot = &ids->slots[at];
    if (!slot->text || (slot->length == id->length && memcmp(slot->text, id->text, id->length) == 0)) return slot;
  }
}

static asc_status double_slots(asc_context *context, asci_ids *ids) {
  asci_ids wider = {.slot_count = ids->slot_count ? ids->slot_count * 2 : 64, .used = ids->used};
  wider.slots = asci_calloc(context, wider.slot_count, sizeof *wider.slots);
  if (!wider.slots) return ASC_OUT_OF_MEMORY;
  for (size_t i = 0; i < ids->slot_count; i++)
    if (ids->slots[i].text) *slot_of(&wider, &ids->slots[i]) = ids->slots[i];
  asci_free(context, ids->slots);
  *ids = wider;
  return ASC_OK;
}

asc_status asci_ids_enter(asc_context *context, asci_ids *ids, asci_id id, uint32_t *first) {
  if (ids->used * 2 >= ids->slot_count) {
    asc_status status = double_slots(context, ids);
    if (status) return status;
  }
  asci_id *slot = slot_of(ids, &id);
  *first = slot->text ? slot->number : 0;
  if (slot->text) return ASC_OK;
  *slot = id;
  ids->used++;
  return ASC_OK;
}

uint32_t asci_ids_find(const asci_ids *ids, const char *text, size_t length) {
  asci_id id = {text, length, 0};
  return ids->slot_count ? slot_of(ids, &id)->number : 0;
}

void asci_ids_free(asc_context *context, asci_ids *ids) {
  asci_free(context, ids->slots);
  *ids = (asci_ids){0};
}
