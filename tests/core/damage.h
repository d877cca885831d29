/* Every small damage to some bytes, in a fixed order: every beginning of them, and every byte left out, doubled, and replaced by each of some. */
#ifndef TESTS_DAMAGE_H
#define TESTS_DAMAGE_H

#include "support.h"

/* bytes: of its own block, so that a sanitizer sees who reads beyond. */
typedef void (*damage_look)(void *user, const char *bytes, size_t count);

/* others: the bytes that replace each, at every `stride`-th place. */
void damage_each(const char *bytes, size_t count, const char *others, size_t other_count, size_t stride, damage_look look,
                 void *user);

#endif
