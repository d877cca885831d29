/* Arenascope: static memory allocation for ML accelerators.
 *
 * Words. A buffer lives in the half-open interval [lower, upper) of logical time, has a size and an alignment, perhaps a fixed
 * offset, a hint, gaps or a shape, and a bank whose boundaries it must not cross. A problem is a set of buffers; a solution gives each an
 * offset; its height is the greatest offset + size. The load of a time is the sum of the sizes live there; the greatest load is a
 * lower bound of every height.
 * A pool is one memory. A problem has the main one and those that were added; buffers of different pools are never in each other's way, and
 * the height and the lower bound of a problem with pools are the sums of those of its pools.
 * A section is a maximal interval of time in which the set of live buffers does not change (MiniMalloc's cross section).
 *
 * Units. Memory is in bytes, int64_t, 0 to ASC_MAX_BYTES. Time is in logical steps, int64_t, |t| <= ASC_MAX_BYTES. Effort is in
 * search steps, uint64_t: one step is one decision tried (or one group of candidates passed over by the same rule).
 *
 * Failure. Whatever can fail returns an asc_status and leaves its results untouched unless that is ASC_OK. The library never
 * aborts, prints, exits, reads a clock, an environment variable, a file or a global that can change.
 *
 * Ownership. *_new gives an object that *_free takes (NULL allowed). Getters return borrowed, constant memory that lives as
 * long as its object, or until the next call on it where that is said.
 *
 * Threads. Two threads may use the library at once on different contexts. One context belongs to one thread at a time, except
 * asc_run_cancel, which may be called from a signal handler or another thread. */
#ifndef ASC_ASC_H
#define ASC_ASC_H

#include "asc/problem.h" /* buffers, plans, CSV, accelerators, options */

#include "asc/graph.h" /* models, and their lowering to buffers */

#include "asc/run.h" /* solvers and runs, certificates */

#include "asc/steps.h" /* events, save, load, time travel, why not */

#endif
