/* From where memory is asked for: the functions that led to a call, as the C library's unwinder tells them. */
#include "oom.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#ifdef __has_include
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#define TELLS_FUNCTIONS 1
#endif
#endif

enum {
  OWN = 3,
  FRAMES = 9,
  FIRST_ROOM = 1 << 12
}; /* frames of the test's own allocator; behind them those that make a place */

/* All places of the process: open addressing, a power of two of slots, 0 for none. */
static struct {
  uint64_t *slots;
  size_t room, count;
} places;

static struct {
  uint64_t *calls;
  uint32_t count, room;
} fresh;

static uint64_t *find(uint64_t *slots, size_t room, uint64_t place) {
  size_t at = (size_t)place & (room - 1);
  while (slots[at] && slots[at] != place) at = (at + 1) & (room - 1);
  return &slots[at];
}

static void make_room(void) {
  if (2 * places.count < places.room) return;
  size_t room = places.room ? 2 * places.room : FIRST_ROOM;
  uint64_t *slots = calloc(room, sizeof *slots);
  assert_non_null(slots);
  for (size_t k = 0; k < places.room; k++)
    if (places.slots[k]) *find(slots, room, places.slots[k]) = places.slots[k];
  free(places.slots);
  places.slots = slots;
  places.room = room;
}

static uint64_t place_of_call(void) {
  uint64_t place = ASCI_HASH_SEED;
#ifdef TELLS_FUNCTIONS
  void *frames[OWN + FRAMES];
  int count = backtrace(frames, OWN + FRAMES);
  for (int k = OWN; k < count; k++) place = asci_fold(place, (uint64_t)(uintptr_t)frames[k]);
#endif
  return place ? place : 1;
}

void oom_notice_place(uint64_t call) {
  make_room();
  uint64_t place = place_of_call(), *slot = find(places.slots, places.room, place);
  if (*slot == place) return;
  *slot = place;
  places.count++;
  if (fresh.count == fresh.room) {
    fresh.room = fresh.room ? 2 * fresh.room : 64;
    fresh.calls = realloc(fresh.calls, fresh.room * sizeof *fresh.calls);
    assert_non_null(fresh.calls);
  }
  fresh.calls[fresh.count++] = call;
}

const uint64_t *oom_new_places(uint32_t *count) {
  *count = fresh.count;
  fresh.count = 0;
  return fresh.calls;
}
