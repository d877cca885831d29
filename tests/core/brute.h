/* The oracle: decides small problems by trying every offset of every buffer on a bitmap of time x address. It knows nothing of
 * sections, orders, bounds or rules, and reads the specs alone.
 *
 * Limits: times 0 .. BRUTE_TIMES, capacity <= 63, at most BRUTE_BUFFERS buffers; outside them the caller's test fails. */
#ifndef TESTS_BRUTE_H
#define TESTS_BRUTE_H

#include "asc/asc.h"

enum { BRUTE_TIMES = 16, BRUTE_BUFFERS = 8 };

/* True if offsets exist that fit the capacity. Exponential: capacity ^ buffers at worst. */
bool brute_feasible(const asc_problem *problem, int64_t capacity);
/* The least capacity up to `most` that is feasible, or -1. */
int64_t brute_least_height(const asc_problem *problem, int64_t most);
/* True if offsets[n] are a plan within the capacity, by the same bitmap. */
bool brute_valid(const asc_problem *problem, const int64_t *offsets, int64_t capacity);

#endif
