#include "saturated.h"

#include "base/number/rng.h"

#include <inttypes.h>
#include <stdio.h>

enum { LEAST_SIZE = 2, MOST_SIZE = 7, MOST_ALIVE = SATURATED_MOST_LOAD / LEAST_SIZE, LEAST_AGE = 2 };

typedef struct buffer {
  int64_t since, size;
} buffer;

typedef struct maker {
  asc_problem *problem;
  asci_rng rng;
  buffer alive[MOST_ALIVE];
  uint32_t count;  /* of those alive */
  uint32_t number; /* of those ended: the next id */
  asc_status status;
} maker;

/* Starts buffers of `amount` in all; a rest of 1 would be no size. */
static void start(maker *m, int64_t now, int64_t amount) {
  while (amount) {
    int64_t most = amount < MOST_SIZE ? amount : MOST_SIZE;
    int64_t size = asci_random_between(&m->rng, LEAST_SIZE, most);
    if (amount - size == 1) size = size < most ? size + 1 : size - 1;
    m->alive[m->count++] = (buffer){now, size};
    amount -= size;
  }
}

static void add(maker *m, const buffer *ended, int64_t now) {
  char id[16];
  snprintf(id, sizeof id, "b%" PRIu32, m->number++);
  asc_buffer_spec spec = {.id = id,
                          .lower = ended->since,
                          .upper = now,
                          .size = ended->size,
                          .alignment = 1,
                          .offset = ASC_UNPLACED,
                          .hint = ASC_UNPLACED};
  if (!m->status) m->status = asc_problem_add(m->problem, &spec, NULL);
}

/* Ends one buffer, one of age if there is any, and returns its size. */
static int64_t end_one(maker *m, int64_t now) {
  uint32_t old[MOST_ALIVE], count = 0;
  for (uint32_t k = 0; k < m->count; k++)
    if (now - m->alive[k].since >= LEAST_AGE) old[count++] = k;
  uint32_t victim = (uint32_t)asci_random_below(&m->rng, count ? count : m->count);
  if (count) victim = old[victim];
  buffer ended = m->alive[victim];
  m->alive[victim] = m->alive[--m->count];
  add(m, &ended, now);
  return ended.size;
}

asc_status saturated_problem(asc_context *context, uint32_t sections, uint64_t seed, asc_problem **problem) {
  maker m = {.rng = {seed}};
  asc_status status = asc_problem_new(context, &m.problem);
  if (status) return status;
  start(&m, 0, asci_random_between(&m.rng, SATURATED_LEAST_LOAD, SATURATED_MOST_LOAD));
  for (uint32_t now = 1; now < sections; now++) {
    int64_t amount = 0;
    /* mostly two at once: one alone can only be split, and all would soon be of size 2 and 3 */
    for (uint64_t ends = asci_random_below(&m.rng, 3) ? 2 : 1; ends; ends--) amount += end_one(&m, now);
    start(&m, now, amount);
  }
  for (uint32_t k = 0; k < m.count; k++) add(&m, &m.alive[k], sections);
  if (!m.status) m.status = asc_problem_freeze(m.problem, NULL);
  if (m.status)
    asc_problem_free(m.problem);
  else
    *problem = m.problem;
  return m.status;
}

uint32_t saturated_sections(uint64_t k) {
  asci_rng rng = {k};
  return (uint32_t)(k % 2 ? asci_random_between(&rng, 29, 90) : asci_random_between(&rng, 12, 28));
}
