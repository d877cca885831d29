/* Shared objects: slots of memory that buffers use one after the other. A slot is as large as its largest tenant; the slots are laid
 * end to end in the order in which they were opened, so every offset is provisional until the last buffer has its slot.
 *
 *      slot 2 |            [ b4 ]        |  size of b4
 *      slot 1 |[ b1 ]  [   b3   ]        |  size of b3: b1 uses a part of it
 *      slot 0 |[      b0      ] [  b2   ]|
 *             +--------------------------+ time
 */
#ifndef ASCI_GREEDY_SLOTS_H
#define ASCI_GREEDY_SLOTS_H

#include "model/problem.h"

typedef struct asci_slot {
  int64_t size, alignment; /* alignment: a common multiple of the tenants' */
  int64_t bank, banks;     /* greatest common divisor (0: none has one) and least common multiple of the tenants' banks */
  int64_t banked;          /* size of the largest tenant that has a bank */
  uint32_t *tenants;       /* in order of time */
  uint32_t count;
  size_t room;
} asci_slot;

typedef struct asci_slots {
  const asc_problem *problem;
  asci_slot *slots;
  uint32_t count;
  size_t room;
  uint32_t *slot_of; /* by buffer; ASC_NONE */
} asci_slots;

/* Time left free around a buffer by the tenants of a slot: from the end of the one before it to the begin of the one after. */
typedef struct asci_hole {
  int64_t lower, upper; /* INT64_MIN and INT64_MAX where there is no tenant */
  uint32_t rank;        /* tenants before it */
} asci_hole;

/* Errors: OUT_OF_MEMORY (nothing is kept). */
asc_status asci_slots_new(const asc_problem *problem, asci_slots *slots);
void asci_slots_free(asci_slots *slots);
/* Opens slot number slots->count - 1 with no tenant. False: no memory. */
bool asci_slots_open(asci_slots *slots);
/* True if the buffer fits into the time of the slot; the hole around it. O(log tenants). */
bool asci_slots_hole(const asci_slots *slots, uint32_t slot, uint32_t buffer, asci_hole *hole);
/* Makes the buffer a tenant at the hole's rank. O(tenants after it), at 4 bytes each. False: no memory. */
bool asci_slots_join(asci_slots *slots, uint32_t slot, uint32_t buffer, uint32_t rank);
/* Offset of a slot when they are laid out now, with `buffer` (or ASC_NONE) as a tenant of it already (slot may be slots->count: a new
   one). *top: the end of the last slot; above ASC_MAX_BYTES it is only known to be too much. O(slots). */
int64_t asci_slots_layout(const asci_slots *slots, uint32_t slot, uint32_t buffer, int64_t *top);
/* Offsets of all tenants; other entries stay. O(n). */
void asci_slots_offsets(const asci_slots *slots, int64_t *offsets);

#endif
