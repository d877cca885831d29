#include "damage.h"

#include <stdlib.h>
#include <string.h>

/* The bytes with those at from .. end - 1 replaced by what is put in. */
static void look_at(const char *bytes, size_t count, size_t from, size_t end, const char *put, size_t put_count,
                    damage_look look, void *user) {
  size_t made = count - (end - from) + put_count;
  char *copy = malloc(made ? made : 1);
  assert_non_null(copy);
  memcpy(copy, bytes, from);
  memcpy(copy + from, put, put_count);
  memcpy(copy + from + put_count, bytes + end, count - end);
  look(user, copy, made);
  free(copy);
}

void damage_each(const char *bytes, size_t count, const char *others, size_t other_count, size_t stride, damage_look look,
                 void *user) {
  for (size_t at = 0; at < count; at += stride) {
    look_at(bytes, count, at, count, "", 0, look, user);
    look_at(bytes, count, at, at + 1, "", 0, look, user);
    look_at(bytes, count, at, at, bytes + at, 1, look, user);
    for (size_t k = 0; k < other_count; k++)
      if (others[k] != bytes[at]) look_at(bytes, count, at, at + 1, others + k, 1, look, user);
  }
}
