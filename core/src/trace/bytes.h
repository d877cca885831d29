/* Saved states as bytes. One description serves both ways: a saver that saves writes each number it is shown; one that loads reads it back
 * into its place.
 *
 *     static asc_status keep(asc_run *run, void *state, asci_saver *saver) {
 *       search *s = state;
 *       uint32_t placed = s->placed;
 *       ASCI_KEEP(saver, s->round, ASCI_ANY);
 *       ASCI_KEEP(saver, placed, run->problem->count);
 *       if (!asci_loaded(saver)) return asci_kept(saver);
 *       ... place so many again ...
 *     }
 *
 * Numbers are in 7-bit groups, low group first. Saving never fails at the call and loading never trusts: the saver has failed from the first
 * byte for which there is no memory, or the first number that is missing or over its limit. What is loaded from then on is 0. */
#ifndef ASCI_TRACE_BYTES_H
#define ASCI_TRACE_BYTES_H

#include "asc/asc.h"

#include <stddef.h>
#include <string.h>

typedef struct asci_saver {
  bool loads, failed;
  size_t count; /* bytes written, or to be read */

  asc_context *context; /* of one that saves */
  uint8_t *bytes;
  size_t room;

  const uint8_t *from; /* of one that loads */
  size_t at;
} asci_saver;

/* Whether it loads, and all is well so far: what was loaded may be relied on to be within its limits. */
static inline bool asci_loaded(const asci_saver *saver) {
  return saver->loads && !saver->failed;
}

/* What it means that something was not kept, or not as it may be. */
static inline asc_status asci_unkept(const asci_saver *saver) {
  return saver->loads ? ASC_BAD_SAVE : ASC_OUT_OF_MEMORY;
}

/* How it ended, or has come along so far. */
static inline asc_status asci_kept(const asci_saver *saver) {
  return saver->failed ? asci_unkept(saver) : ASC_OK;
}

#define ASCI_ANY UINT64_MAX

/* Keeps a number of 4 or 8 bytes, an enum or a bool, in its place; loaded, it is at most `most` and no more than its type holds. */
#define ASCI_KEEP(saver, place, most) asci_keep(saver, &(place), sizeof(place), most, false)
/* The same of one that may also be all ones: -1, ASC_NONE. */
#define ASCI_KEEP_OR_NONE(saver, place, most) asci_keep(saver, &(place), sizeof(place), most, true)
/* The same of each number of an array. */
#define ASCI_KEEP_EACH(saver, array, count, most) asci_keep_each(saver, array, sizeof *(array), count, most, false)
#define ASCI_KEEP_EACH_OR_NONE(saver, array, count, most) asci_keep_each(saver, array, sizeof *(array), count, most, true)

/* ---- what the macros call -------------------------------------------------------------------------------------------- */

#define ASCI_MOST_BYTES 10u /* of a number: 64 bits by seven */

/* Where that many numbers can be put one after the other: `saver->count` says afterwards how far. NULL: the saver has failed. */
uint8_t *asci_room(asci_saver *saver, size_t numbers);

/* Returns where the next one goes. */
static inline uint8_t *asci_put(uint8_t *to, uint64_t number) {
  for (; number >= 0x80; number >>= 7) *to++ = (uint8_t)(number | 0x80);
  *to++ = (uint8_t)number;
  return to;
}

void asci_save_number(asci_saver *saver, uint64_t number);
uint64_t asci_load_number(asci_saver *saver, uint64_t most);

static inline uint64_t asci_greatest(size_t size) {
  return UINT64_MAX >> (64 - 8 * size);
}

static inline uint64_t asci_number_at(const void *place, size_t size) {
  uint64_t number = 0;
  uint32_t word = 0;
  uint8_t byte = 0;
  if (size == sizeof number) memcpy(&number, place, sizeof number);
  if (size == sizeof word) memcpy(&word, place, sizeof word);
  if (size == sizeof byte) memcpy(&byte, place, sizeof byte);
  return number | word | byte;
}

static inline void asci_put_number(void *place, size_t size, uint64_t number) {
  uint32_t word = (uint32_t)number;
  uint8_t byte = (uint8_t)number;
  if (size == sizeof number) memcpy(place, &number, sizeof number);
  if (size == sizeof word) memcpy(place, &word, sizeof word);
  if (size == sizeof byte) memcpy(place, &byte, sizeof byte);
}

static inline void asci_keep(asci_saver *saver, void *place, size_t size, uint64_t most, bool none) {
  uint64_t greatest = size == sizeof(bool) ? 1 : asci_greatest(size) - none;
  if (!saver->loads) {
    asci_save_number(saver, (asci_number_at(place, size) + none) & asci_greatest(size));
    return;
  }
  asci_put_number(place, size, asci_load_number(saver, (most < greatest ? most : greatest) + none) - none);
}

static inline void asci_keep_each(asci_saver *saver, void *array, size_t size, size_t count, uint64_t most, bool none) {
  for (size_t k = 0; k < count; k++) asci_keep(saver, (char *)array + k * size, size, most, none);
}

#endif
