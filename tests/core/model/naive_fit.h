/* Who is in whose way and where is the lowest free address, by the words of the format alone: from the buffers as they were given, moment by
   moment, looking at everyone. What the fit tree's answers are compared with. */
#ifndef TESTS_NAIVE_FIT_H
#define TESTS_NAIVE_FIT_H

#include "support.h"

/* Whether two buffers occupy addresses at one moment. */
bool naive_alive_together(const asc_buffer_spec *a, const asc_buffer_spec *b);
/* Whether one moment lies within both lifespans, gaps included. */
bool naive_lifespans_meet(const asc_buffer_spec *a, const asc_buffer_spec *b);
/* The least offset >= from that is a multiple of the buffer's alignment and crosses no bank, at which it takes no address of those placed
   (offsets: ASC_UNPLACED for others) and ends at or below `most`; ASC_UNPLACED if there is none. */
int64_t naive_lowest(const asc_problem *problem, const int64_t *offsets, uint32_t buffer, int64_t from, int64_t most);

#endif
