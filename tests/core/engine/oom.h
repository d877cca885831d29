/* No memory: each task is done with an allocator that fails the k-th call, for every k until the task needs no more calls; once
 * with that call alone failing, once with all that follow. Whatever happens must be said by a status, and nothing may leak. */
#ifndef TESTS_OOM_H
#define TESTS_OOM_H

#include "support.h"

/* What a task found out: OUT_OF_MEMORY somewhere, or the number that tells two results apart. */
typedef struct oom_result {
  bool out_of_memory;
  uint64_t value;
} oom_result;

typedef oom_result (*oom_task)(asc_context *context, uint32_t which);

oom_result oom_none(void);
/* A status that is neither fine nor want of memory is a failure of the test. */
bool oom_lacks(asc_status status);
/* Runs the task with every call failing in turn. A result that claims to be whole must be the right one. */
void oom_fail_every_call(const char *name, oom_task body, uint32_t which);
/* The same of each call from a new place, and of at most so many others, the first and then evenly: where one task takes long. */
void oom_fail_some_calls(const char *name, oom_task body, uint32_t which, uint32_t most);
/* A test_memory's `noticed`: notes a call that comes from a place, by the functions that led to it, from which none came before in this process. So each
   place can be refused once, however seldom it is come to, where all calls would be too many. Where a C library cannot tell functions, none is new. */
void oom_notice_place(uint64_t call);
/* The calls noted since this was asked last; borrowed until the next is noted. */
const uint64_t *oom_new_places(uint32_t *count);
/* An asc_sink; user: a uint64_t that tells texts apart. */
bool oom_add_up(void *user, const char *text, size_t bytes);
/* So many buffers with ids that are long, some of them very. */
asc_status oom_problem(asc_context *context, uint32_t count, asc_problem **made);

#endif
