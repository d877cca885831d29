/* How high those that are alive together must be piled: what alignments, banks and fixed offsets add to a load. */
#ifndef ASCI_PILE_H
#define ASCI_PILE_H

#include "model/problem.h"

#define ASCI_PILE_MOST 16u /* alive in a section: of more its pile is not looked at */

/* The greatest over sections of the least height in bytes at which the section's buffers lie on top of each other, each at an offset that
 * suits it: no plan is lower. Sections are taken by load, the greatest first, until some two million placements and pieces were looked at;
 * windows are left out of account, so there must be none. *section: the problem's section whose pile that is, ASC_NONE with a bound of 0
 * if none that was looked at is higher than `above` bytes. O(n log gaps + alive 2^alive) for a section. Errors: OUT_OF_MEMORY. */
asc_status asci_pile_bound(asc_context *context, const asc_problem *problem, int64_t above, int64_t *bound,
                           uint32_t *section);

/* By how many bytes at most a buffer lies above where it would if any offset suited it. O(log). */
int64_t asci_pile_apart(const asc_buffer_spec *spec);

#endif
