#include "trace/bytes.h"

#include "base/memory.h"

uint8_t *asci_room(asci_saver *saver, size_t numbers) {
  if (saver->failed) return NULL;
  size_t need = numbers * ASCI_MOST_BYTES;
  bool there = saver->room - saver->count >= need; /* mostly, and without a call */
  if (!there && !asci_grow(saver->context, &saver->bytes, &saver->room, saver->count + need, 1)) {
    saver->failed = true;
    return NULL;
  }
  return saver->bytes + saver->count;
}

void asci_save_number(asci_saver *saver, uint64_t number) {
  uint8_t *to = asci_room(saver, 1);
  if (to) saver->count = (size_t)(asci_put(to, number) - saver->bytes);
}

static uint64_t get(asci_saver *saver) {
  uint64_t number = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (saver->at >= saver->count) break;
    uint8_t byte = saver->from[saver->at++];
    number |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80)) return number;
  }
  saver->failed = true;
  return 0;
}

uint64_t asci_load_number(asci_saver *saver, uint64_t most) {
  uint64_t number = saver->failed ? 0 : get(saver);
  if (number <= most) return number;
  saver->failed = true;
  return 0;
}
