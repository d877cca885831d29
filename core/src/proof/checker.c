/* What the parts of the checker share: reading the text, and asking the problem. */
#include "checker.h"

#include <string.h>

#define MOST_BANKS 4096u /* that are tried for a place that suits an alignment */

bool asci_proof_wrong(checker *c, const char *what) {
  if (!c->fault) c->fault = what;
  return false;
}

/* ---- reading --------------------------------------------------------------------------------------------------------- */

bool asci_proof_number(checker *c, int64_t *number) {
  bool negative = c->at < c->end && *c->at == '-';
  const char *begin = c->at += negative;
  int64_t value = 0;
  while (c->at < c->end && *c->at >= '0' && *c->at <= '9' && c->at - begin < 18) value = value * 10 + (*c->at++ - '0');
  if (c->at == begin || value > NOWHERE) return asci_proof_wrong(c, "expected a number");
  *number = negative ? -value : value;
  return true;
}

bool asci_proof_word(checker *c, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0) return false;
  c->at += length;
  return true;
}

char asci_proof_mark(checker *c) {
  if (c->at + 1 >= c->end || *c->at != ' ') return 0;
  c->at++;
  bool digit = *c->at >= '0' && *c->at <= '9';
  return digit ? '0' : *c->at++;
}

bool asci_proof_buffer(checker *c, uint32_t *buffer) {
  int64_t number = 0;
  if (!asci_proof_number(c, &number)) return false;
  if (number < 0 || number >= asc_problem_count(c->problem)) return asci_proof_wrong(c, "there is no such buffer");
  *buffer = (uint32_t)number;
  return true;
}

/* ---- the problem ----------------------------------------------------------------------------------------------------- */

int64_t asci_proof_suited(const checker *c, uint32_t b, int64_t at) {
  const asc_buffer_spec *spec = asci_proof_spec(c, b);
  if (spec->offset != ASC_UNPLACED) return at <= spec->offset ? spec->offset : NOWHERE;
  for (uint32_t tries = 0; tries < MOST_BANKS && at < NOWHERE; tries++) {
    if (at % spec->alignment) at = asci_proof_plus(at, spec->alignment - at % spec->alignment);
    if (!spec->bank || at >= NOWHERE || at % spec->bank + spec->size <= spec->bank) return at;
    at += spec->bank - at % spec->bank;
  }
  return at;
}

int64_t asci_proof_size(const checker *c, uint32_t b) {
  int64_t size = asci_proof_spec(c, b)->size, over = size % c->round;
  return over ? asci_proof_plus(size, c->round - over) : size;
}

bool asci_proof_lives(const checker *c, uint32_t b, int64_t time) {
  for (uint32_t k = c->first_span[b]; k < c->first_span[b + 1]; k++)
    if (c->spans[k].lower <= time && time < c->spans[k].upper) return true;
  return false;
}

bool asci_proof_in(const checker *c, uint32_t b) {
  return c->member[b] == c->number && b != c->placed;
}
