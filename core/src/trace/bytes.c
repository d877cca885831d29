#include "trace/bytes.h"

#include "base/memory.h"

#define MOST_BYTES 10u /* of a number: 64 bits by seven */

void asci_save_number(asci_saver *saver, uint64_t number) {
  if (saver->failed) return;
  bool room = saver->room - saver->count >= MOST_BYTES; /* mostly, and without a call */
  if (!room && !asci_grow(saver->context, &saver->bytes, &saver->room, saver->count + MOST_BYTES, 1)) {
    saver->failed = true;
    return;
  }
  uint8_t *to = saver->bytes + saver->count;
  for (; number >= 0x80; number >>= 7) *to++ = (uint8_t)(number | 0x80);
  *to++ = (uint8_t)number;
  saver->count = (size_t)(to - saver->bytes);
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
