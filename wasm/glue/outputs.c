#include "outputs.h"
#include <stdlib.h>
#include <string.h>

/* An output above this many bytes is given back at the next call, so that one large answer does not stay in memory. */
#define KEEP_BYTES (size_t)(4u << 20)

void begin(outputs *out) {
  if (out->number_room > KEEP_BYTES) free(out->numbers), out->numbers = NULL, out->number_room = 0;
  if (out->word_room > KEEP_BYTES) free(out->words), out->words = NULL, out->word_room = 0;
  if (out->text_room > KEEP_BYTES) free(out->text), out->text = NULL, out->text_room = 0;
  out->number_count = out->word_count = out->text_count = 0;
  out->short_of_memory = false;
}

void free_outputs(outputs *out) {
  free(out->numbers);
  free(out->words);
  free(out->text);
}

/* The block with room for `used + more` items of `size` bytes, NULL (and the old block as it was) when there is no memory. Doubles, so
   that appending one by one stays linear. Never NULL for no items: NULL means failure alone. */
__attribute__((noinline)) static void *make_room(outputs *out, void *block, size_t *room, size_t used, size_t more,
                                                 size_t size) {
  if (more > SIZE_MAX / size - used) return out->short_of_memory = true, NULL;
  size_t need = (used + more) * size;
  if (block && need <= *room) return block;
  size_t grown = *room > SIZE_MAX / 2 ? need : *room * 2;
  if (grown < need) grown = need;
  if (grown < 256) grown = 256;
  void *bigger = realloc(block, grown);
  if (!bigger && grown > need && need > 0) bigger = realloc(block, grown = need);
  if (!bigger) return out->short_of_memory = true, NULL;
  *room = grown;
  return bigger;
}

double *more_numbers(outputs *out, size_t count) {
  double *block = make_room(out, out->numbers, &out->number_room, out->number_count, count, sizeof(double));
  if (!block) return NULL;
  out->numbers = block;
  out->number_count += count;
  return block + (out->number_count - count);
}

uint32_t *more_words(outputs *out, size_t count) {
  uint32_t *block = make_room(out, out->words, &out->word_room, out->word_count, count, sizeof(uint32_t));
  if (!block) return NULL;
  out->words = block;
  out->word_count += count;
  return block + (out->word_count - count);
}

bool append(void *user, const char *text, size_t bytes) {
  outputs *out = user;
  char *block = make_room(out, out->text, &out->text_room, out->text_count, bytes, 1);
  if (!block) return false;
  out->text = block;
  if (bytes) memcpy(out->text + out->text_count, text, bytes);
  out->text_count += bytes;
  return true;
}

void put(outputs *out, const char *text) {
  append(out, text, strlen(text));
}

void put_string(outputs *out, const char *text) {
  append(out, text, strlen(text) + 1);
}

void put_number(outputs *out, double value) {
  double *number = more_numbers(out, 1);
  if (number) *number = value;
}

void put_words(outputs *out, const uint32_t *words, size_t count) {
  uint32_t *row = more_words(out, count);
  if (row && count) memcpy(row, words, count * sizeof *words);
}

void put_list(outputs *out, const uint32_t *items, uint32_t count) {
  uint32_t *row = more_words(out, count + 1);
  if (!row) return;
  row[0] = count;
  if (count) memcpy(row + 1, items, count * sizeof *items);
}

void put_offsets(outputs *out, const int64_t *offsets, size_t count) {
  double *row = more_numbers(out, count);
  for (size_t i = 0; row && i < count; i++) row[i] = (double)offsets[i];
}
