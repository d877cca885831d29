/* What a writer gives out, kept. */
#ifndef FUZZ_TEXT_H
#define FUZZ_TEXT_H

#include <string.h>

#include "demand.h"

typedef struct text {
  char *bytes;
  size_t count, room;
} text;

/* An asc_sink. */
static inline bool append(void *user, const char *bytes, size_t count) {
  text *out = user;
  if (out->count + count > out->room) {
    out->room = 2 * (out->count + count);
    out->bytes = realloc(out->bytes, out->room);
    demand(out->bytes != NULL);
  }
  memcpy(out->bytes + out->count, bytes, count);
  out->count += count;
  return true;
}

#endif
