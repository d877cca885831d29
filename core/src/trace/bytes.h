/* Saved states as bytes: unsigned and signed integers in 7-bit groups, low group first. Writing never fails at the call: a writer that
   found no memory says so at the end. Reading never trusts: a reader past its end or over a limit turns bad and gives zeros. */
#ifndef ASCI_TRACE_BYTES_H
#define ASCI_TRACE_BYTES_H

#include "asc/asc.h"

typedef struct asci_writer {
  asc_context *context;
  uint8_t *bytes;
  size_t count, room;
  bool failed;
} asci_writer;

void asci_write_u(asci_writer *writer, uint64_t value);
void asci_write_i(asci_writer *writer, int64_t value);

typedef struct asci_reader {
  const uint8_t *bytes;
  size_t count, at;
  bool bad;
} asci_reader;

/* A number of at most `most`, else bad. */
uint64_t asci_read_u(asci_reader *reader, uint64_t most);
int64_t asci_read_i(asci_reader *reader);

#endif
