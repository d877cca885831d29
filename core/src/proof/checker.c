/* What the parts of the checker share: reading the text, and asking the problem. */
#include "checker.h"

#include <string.h>

bool asci_proof_wrong(checker *c, const char *what) {
  if (!c->fault) c->fault = what;
  return false;
}

bool asci_proof_demand(checker *c, bool holds, const char *what) {
  if (!holds) asci_proof_wrong(c, what);
  return holds;
}

/* ---- reading --------------------------------------------------------------------------------------------------------- */

bool asci_proof_number(checker *c, int64_t *number) {
  bool negative = c->at < c->end && *c->at == '-';
  const char *begin = c->at += negative;
  int64_t value = 0;
  while (c->at < c->end && *c->at >= '0' && *c->at <= '9' && c->at - begin < 18) value = value * 10 + (*c->at++ - '0');
  if (c->at == begin) return asci_proof_wrong(c, "expected a number");
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
  if (*c->at != ' ') return 0;
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

bool asci_proof_pair(checker *c, uint32_t *buffer, int64_t *offset) {
  bool there = asci_proof_buffer(c, buffer) && asci_proof_word(c, ":") && asci_proof_number(c, offset);
  return asci_proof_demand(c, there, "expected BUFFER:OFFSET");
}

/* ---- the problem ----------------------------------------------------------------------------------------------------- */

/* The least k for which k steps, modulo `modulus`, end in [low, high]; -1: none up to `most`. 0 < step < modulus, 0 < low <= high < modulus,
   some multiple of the greatest common divisor of step and modulus is in [low, high], and step * most is an int64_t. Where no multiple of the
   step lies there the rounds of the modulus are looked for after which one does: each round is short of whole steps by the same, so that this
   is the same question modulo the step. O(log modulus). */
static int64_t steps_into(int64_t step, int64_t modulus, int64_t low, int64_t high, int64_t most) {
  if (step > modulus / 2) return steps_into(modulus - step, modulus, modulus - high, modulus - low, most);
  int64_t count = (low - 1) / step + 1;
  if (count <= most && count * step > high) {
    int64_t rounds = steps_into(step - modulus % step, step, low % step, high % step, step * most / modulus);
    count = rounds < 0 ? -1 : (low + rounds * modulus - 1) / step + 1;
  }
  return count <= most ? count : -1;
}

int64_t asci_proof_suited(const checker *c, uint32_t b, int64_t at) {
  const asc_buffer_spec *spec = asci_proof_spec(c, b);
  if (spec->offset != ASC_UNPLACED) return at <= spec->offset ? spec->offset : NOWHERE;
  int64_t alignment = spec->alignment, bank = spec->bank;
  if (at % alignment) at = asci_proof_plus(at, alignment - at % alignment);
  if (!bank || at >= NOWHERE || at % bank + spec->size <= bank) return at;
  int64_t missing = bank - at % bank; /* no multiple of the bank, nor then is the alignment: there everything fits */
  int64_t steps = steps_into(alignment % bank, bank, missing, missing + bank - spec->size, (NOWHERE - at) / alignment);
  return steps < 0 ? NOWHERE : at + steps * alignment;
}

int64_t asci_proof_size(const checker *c, uint32_t b) {
  int64_t size = asci_proof_spec(c, b)->size, over = size % c->about.round;
  return over ? asci_proof_plus(size, c->about.round - over) : size;
}

bool asci_proof_ends_above(const checker *c, uint32_t b, int64_t offset) {
  return asci_proof_plus(offset, asci_proof_size(c, b)) > c->about.within ||
         asci_proof_plus(offset, asci_proof_spec(c, b)->size) > c->about.limit;
}

bool asci_proof_lives(const checker *c, uint32_t b, int64_t time) {
  for (uint32_t k = c->first_span[b]; k < c->first_span[b + 1]; k++)
    if (c->spans[k].lower <= time && time < c->spans[k].upper) return true;
  return false;
}

bool asci_proof_in(const checker *c, uint32_t b) {
  return c->member[b] == c->number && b != c->placed;
}
