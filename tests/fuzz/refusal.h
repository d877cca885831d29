/* What readers of texts have in common: a text without a byte to spare, and errors that say something. */
#ifndef FUZZ_REFUSAL_H
#define FUZZ_REFUSAL_H

#include <stdint.h>
#include <string.h>

#include "asc/asc.h"

#include "demand.h"

/* A copy, so that reading past the end is seen. */
static inline char *exact_copy(const uint8_t *data, size_t size) {
  char *bytes = malloc(size ? size : 1);
  demand(bytes != NULL);
  if (size) memcpy(bytes, data, size);
  return bytes;
}

/* A text was refused, with errors of which room have a place. */
static inline void check_refusal(const asc_diag *diags, size_t room, size_t count, asc_status status) {
  demand(status == ASC_BAD_INPUT || status == ASC_TOO_LARGE);
  demand(count > 0);
  for (size_t k = 0; k < count && k < room; k++) {
    demand(diags[k].status != ASC_OK);
    demand(memchr(diags[k].message, 0, sizeof diags[k].message) && diags[k].message[0]);
    demand(memchr(diags[k].field, 0, sizeof diags[k].field) != NULL);
  }
}

/* Each names a place, in the order of the lines. */
static inline void check_places(const asc_diag *diags, size_t room, size_t count) {
  for (size_t k = 0; k < count && k < room; k++) {
    demand(diags[k].line > 0 && diags[k].column > 0);
    demand(k == 0 || diags[k - 1].line <= diags[k].line);
  }
}

#endif
