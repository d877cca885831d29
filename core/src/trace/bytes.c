#include "trace/bytes.h"

#include "base/memory.h"

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
