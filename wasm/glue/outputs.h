/* The three growable outputs of a session, and what fills them. */
#ifndef ASC_GLUE_OUTPUTS_H
#define ASC_GLUE_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first six members are read from outside as 32-bit words, in this order. */
typedef struct outputs {
  double *numbers;
  size_t number_count;
  uint32_t *words;
  size_t word_count;
  char *text;
  size_t text_count;
  /* Not read from outside. */
  size_t number_room, word_room, text_room; /* in bytes */
  bool short_of_memory;                     /* an output could not grow since the call began */
} outputs;

/* Empties them for the next answer. */
void begin(outputs *out);
void free_outputs(outputs *out);

/* Room for `count` more, to be filled by the caller; NULL when there is no memory, never for none. */
double *more_numbers(outputs *out, size_t count);
uint32_t *more_words(outputs *out, size_t count);

/* A sink of text (asc_write_fn); user: the outputs. */
bool append(void *user, const char *text, size_t bytes);
/* Without its NUL, and with it. */
void put(outputs *out, const char *text);
void put_string(outputs *out, const char *text);
void put_number(outputs *out, double value);
void put_offsets(outputs *out, const int64_t *offsets, size_t count);
void put_words(outputs *out, const uint32_t *words, size_t count);
/* Their number before them. */
void put_list(outputs *out, const uint32_t *items, uint32_t count);

#endif
