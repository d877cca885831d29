/* Saved states as bytes: unsigned and signed integers in 7-bit groups, low group first. Writing never fails at the call: a writer that
   found no memory says so at the end. Reading never trusts: a reader past its end or over a limit turns bad and gives zeros. */
#ifndef ASCI_TRACE_BYTES_H
#define ASCI_TRACE_BYTES_H

#include "asc/asc.h"

#include <stddef.h>

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

/* The numbers of a struct that a save holds: one table, by which they are written and read again.
 *
 *     enum { ANY, ARMS };
 *     static const asci_saved saved[] = {ASCI_SAVED(search, round, ANY), ASCI_SAVED(search, arm, ARMS), ASCI_SAVED(search, started, ANY)};
 *     const uint64_t most[] = {UINT64_MAX, s->arm_count}; */
typedef struct asci_saved {
  uint16_t at;  /* in the struct, in bytes */
  uint8_t size; /* of a bool, a uint32_t, a uint64_t or, with `none`, an int64_t */
  uint8_t most; /* which of the limits; no number is greater than its type holds */
  bool none;    /* it may be -1: none */
} asci_saved;

#define ASCI_SAVED(T, name, most) \
  { offsetof(T, name), sizeof((T *)NULL)->name, most, false }
#define ASCI_SAVED_OR_NONE(T, name, most) \
  { offsetof(T, name), sizeof((T *)NULL)->name, most, true }

void asci_write_numbers(asci_writer *writer, const asci_saved *table, size_t rows, const void *from);
/* A number above its limit makes the reader bad and is 0. */
void asci_read_numbers(asci_reader *reader, const asci_saved *table, size_t rows, const uint64_t *most, void *to);

#endif
