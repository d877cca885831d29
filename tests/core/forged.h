/* Saves with other numbers in them: a save is a row of numbers, seven bits a byte (trace/bytes.h). */
#ifndef TESTS_FORGED_H
#define TESTS_FORGED_H

#include "cases.h"

/* The number at a byte, and where it ends. */
uint64_t forged_number(const test_saved *saved, size_t at, size_t *end);
/* The save with another number from `at` to `end`; its bytes: to be freed. */
test_saved forged_with(const test_saved *saved, size_t at, size_t end, uint64_t number);
/* Where number `nth` begins, and ends. */
size_t forged_place(const test_saved *saved, size_t nth, size_t *end);
uint64_t forged_nth(const test_saved *saved, size_t nth);
/* Another number as number `nth`, in the place of the save, whose bytes are freed. */
void forged_set(test_saved *saved, size_t nth, uint64_t number);

/* Which number of a save is what the engine keeps; what the solver keeps begins behind those and the plan, if there is one. */
enum {
  SAVED_OUTCOME = 3,
  SAVED_DEPTH,
  SAVED_HEIGHT, /* one more than it is */
  SAVED_COST,   /* likewise */
  SAVED_LOWER_BOUND,
  SAVED_STEPS,
  SAVED_PLAN = SAVED_STEPS + 8 + ASC_RULE_COUNT
};

#endif
