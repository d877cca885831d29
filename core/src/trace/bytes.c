#include "trace/bytes.h"

#include "base/memory.h"

#include <string.h>

static void put(asci_writer *writer, uint8_t byte) {
  if (writer->failed) return;
  if (!asci_grow(writer->context, &writer->bytes, &writer->room, writer->count + 1, 1)) {
    writer->failed = true;
    return;
  }
  writer->bytes[writer->count++] = byte;
}

void asci_write_u(asci_writer *writer, uint64_t value) {
  while (value >= 0x80) {
    put(writer, (uint8_t)(value | 0x80));
    value >>= 7;
  }
  put(writer, (uint8_t)value);
}

/* Zigzag: small magnitudes of either sign take few bytes. */
void asci_write_i(asci_writer *writer, int64_t value) {
  uint64_t twice = (uint64_t)value << 1;
  asci_write_u(writer, value < 0 ? ~twice : twice);
}

static uint64_t get(asci_reader *reader) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (reader->at >= reader->count) break;
    uint8_t byte = reader->bytes[reader->at++];
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80)) return value;
  }
  reader->bad = true;
  return 0;
}

uint64_t asci_read_u(asci_reader *reader, uint64_t most) {
  uint64_t value = reader->bad ? 0 : get(reader);
  if (value > most) {
    reader->bad = true;
    return 0;
  }
  return value;
}

int64_t asci_read_i(asci_reader *reader) {
  uint64_t value = reader->bad ? 0 : get(reader);
  return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

/* ---- numbers of a struct --------------------------------------------------------------------------------------------- */

static uint64_t number_at(const char *place, size_t size) {
  uint64_t number = 0;
  uint32_t word = 0;
  bool flag = false;
  if (size == sizeof number) memcpy(&number, place, size);
  if (size == sizeof word) memcpy(&word, place, size);
  if (size == sizeof flag) memcpy(&flag, place, size);
  return number + word + flag;
}

static void set_number(char *place, size_t size, uint64_t number) {
  uint32_t word = (uint32_t)number;
  bool flag = number;
  memcpy(place, size == sizeof number ? (void *)&number : size == sizeof word ? (void *)&word : (void *)&flag, size);
}

static uint64_t greatest(size_t size) {
  return size == sizeof(bool) ? 1 : size == sizeof(uint32_t) ? UINT32_MAX : UINT64_MAX;
}

void asci_write_numbers(asci_writer *writer, const asci_saved *table, size_t rows, const void *from) {
  for (size_t k = 0; k < rows; k++)
    asci_write_u(writer, number_at((const char *)from + table[k].at, table[k].size) + table[k].none);
}

void asci_read_numbers(asci_reader *reader, const asci_saved *table, size_t rows, const uint64_t *most, void *to) {
  for (size_t k = 0; k < rows; k++) {
    const asci_saved *saved = &table[k];
    uint64_t limit = most[saved->most], own = greatest(saved->size);
    uint64_t number = asci_read_u(reader, (limit < own ? limit : own) + saved->none);
    set_number((char *)to + saved->at, saved->size, number - saved->none);
  }
}
