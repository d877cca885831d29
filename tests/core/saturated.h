/* Problems whose every section is full: no byte is free at any time if the capacity is the load bound, so about one in ten has no plan
 * there, and the proof must find out why. The instances on which solvers in the literature are compared are all feasible; these are not.
 *
 *      load |  3  |  3  |  4     |  4        |      each boundary ends some buffers and starts others of the same sum,
 *           |  5     |  2  |  6       |             so lifespans overlap partly, and long ones cross many boundaries
 *           |  4        |  5     |  2    |  4
 *
 * Needs nothing but the public header and base/number/rng.h: the bench builds it as well. */
#ifndef TESTS_SATURATED_H
#define TESTS_SATURATED_H

#include "asc/asc.h"

enum { SATURATED_LEAST_LOAD = 12, SATURATED_MOST_LOAD = 19 };

/* A frozen problem of exactly `sections` sections (at least 2), each with the same load, 12 to 19, of sizes 2 to 7. The same seed gives
   the same problem everywhere. O(n log n). Errors: OUT_OF_MEMORY, TOO_LARGE. */
asc_status saturated_problem(asc_context *context, uint32_t sections, uint64_t seed, asc_problem **problem);

/* The size that the set number k of a series has: 12 to 90 sections, small and large ones in turn. */
uint32_t saturated_sections(uint64_t k);

#endif
