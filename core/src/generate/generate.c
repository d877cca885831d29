/* Problems made from a seed. Each kind knows the capacity that it is meant for, and all but those whose buffers have names and an
 * order of their own are shuffled, so that the order of buffers tells nothing of how they were made. Only 64-bit integers take
 * part, so that the same seed gives the same problem on every machine. */
#include "base/text/format.h"
#include "generate/maker.h"

#include <string.h>

/* ---- the kinds ------------------------------------------------------------------------------------------------------- */

/* One buffer after the other; a tenth of them after a pause. */
static asc_status make_non_overlapping(asci_maker *m) {
  int64_t time = 0;
  m->capacity = 0;
  for (uint32_t b = 0; b < m->n; b++) {
    if (asci_random_below(&m->rng, 10) == 0) time += asci_random_between(&m->rng, 1, 4);
    int64_t size = asci_random_between(&m->rng, 1, 1024) * 1024, width = asci_random_between(&m->rng, 1, 8);
    m->blocks[b] = (asci_block){time, time + width, 0, size};
    time += width;
    if (size > m->capacity) m->capacity = size;
  }
  return ASC_OK;
}

/* All alive at once; the capacity is the sum of the sizes. */
static asc_status make_full_overlap(asci_maker *m) {
  m->capacity = 0;
  for (uint32_t b = 0; b < m->n; b++) {
    int64_t size = asci_random_between(&m->rng, 1, 1024) * 1024;
    m->blocks[b] = (asci_block){0, 100, 0, size};
    m->capacity += size;
  }
  return ASC_OK;
}

/* A rectangle of time x capacity is cut into n buffers, and a quarter of them lose a little of their lifespan: a plan that fits is known
   to exist, and almost no memory is ever free. Memory is cut in units; a piece that lies k units high gives up k bytes, so that
   sizes are no round numbers. A unit is more bytes than any piece gives up. */
static asc_status make_synthetic(asci_maker *m) {
  int64_t side = 1;
  while (side * side < m->n) side++;
  int64_t time = 64 + 4 * side, units = 240 + 4 * side;
  asc_status status = asci_cut(m->context, &m->rng, time, units, m->blocks, m->n);
  if (status) return status;
  for (uint32_t b = 0; b < m->n; b++) {
    asci_block *block = &m->blocks[b];
    int64_t width = block->upper - block->lower;
    if (width < 4 || asci_random_below(&m->rng, 4) != 0) continue;
    int64_t loss = asci_random_between(&m->rng, 1, width / 4);
    if (asci_random_below(&m->rng, 2))
      block->lower += loss;
    else
      block->upper -= loss;
  }
  int64_t unit = 4096;
  while (unit < units) unit *= 2;
  for (uint32_t b = 0; b < m->n; b++) {
    asci_block *block = &m->blocks[b];
    block->high = (block->high - block->low) * unit - block->low;
    block->low = 0;
  }
  m->capacity = units * unit;
  return ASC_OK;
}

/* Many short lives, some longer, a few that last: sizes from 64 bytes to 256 KiB, small ones more often. */
static asc_status make_random(asci_maker *m) {
  int64_t time = 16 + 2 * (int64_t)m->n;
  m->capacity = ASCI_LOAD_BOUND;
  for (uint32_t b = 0; b < m->n; b++) {
    uint64_t kind = asci_random_below(&m->rng, 100);
    int64_t longest = kind < 70 ? 12 : kind < 95 ? time / 10 + 1 : time / 2;
    int64_t width = asci_random_between(&m->rng, 1, longest), lower = asci_random_between(&m->rng, 0, time - width);
    int64_t most = INT64_C(1) << asci_random_between(&m->rng, 0, 12);
    m->blocks[b] = (asci_block){lower, lower + width, 0, 64 * asci_random_between(&m->rng, 1, most)};
  }
  return ASC_OK;
}

/* A convolutional network as an accelerator sees it, three buffers an operator: the output lives until its last reader (one in six is read
   again much later: a skip connection), the weights are fetched some operators ahead, and scratch lives for one operator. In each of four
   stages maps get smaller and weights larger. */
static asc_status make_network(asci_maker *m) {
  int64_t operators = ((int64_t)m->n + 2) / 3;
  m->capacity = ASCI_LOAD_BOUND;
  for (uint32_t b = 0; b < m->n; b++) {
    int64_t op = b / 3, stage = op * 4 / operators, lower = op, upper = op + 1, units;
    if (b % 3 == 0) {
      upper += asci_random_below(&m->rng, 6) == 0 ? asci_random_between(&m->rng, 4, 24) : 1;
      units = asci_random_between(&m->rng, 24, 64) * (8 >> stage);
    } else if (b % 3 == 1) {
      lower -= asci_random_between(&m->rng, 1, 10);
      units = asci_random_between(&m->rng, 4, 48) * (1 << stage);
    } else
      units = asci_random_between(&m->rng, 1, 32) * (4 >> (stage / 2));
    if (lower < 0) lower = 0;
    m->blocks[b] = (asci_block){lower, upper < operators ? upper : operators, 0, units * 256};
  }
  return ASC_OK;
}

static void name_network(uint32_t n, uint32_t b, char id[32]) {
  static const char *const parts[] = {"out", "weights", "scratch"};
  (void)n;
  asci_format(id, 32, "op%u.%s", b / 3, parts[b % 3]);
}

static const struct kind {
  const char *name, *text;
  asc_status (*make)(asci_maker *m);
  void (*name_buffer)(uint32_t n, uint32_t b, char id[32]); /* NULL: they have no names of their own and are shuffled */
} kinds[] = {
    {"synthetic", "a rectangle cut into pieces: much overlap, no room to spare, a plan is known to exist", make_synthetic,
     NULL},
    {"network", "activations with skip connections, prefetched weights and scratch; capacity: the greatest load",
     make_network, name_network},
    {"training", "one training step: outputs wait for their gradients, weights and optimizer state for the update",
     asci_make_training, asci_name_training},
    {"heavy-tailed", "nine of ten are temporaries, the rest lasts or nests; a few large ones make the load (Pareto 0.7)",
     asci_make_heavy_tailed, NULL},
    {"powers-of-two", "lifetimes as heavy-tailed; sizes mostly powers of two, large ones rarer (Pareto 1.1)",
     asci_make_powers_of_two, NULL},
    {"stationary", "a steady load, nothing nested; as many sizes of each magnitude (log-uniform)", asci_make_stationary,
     NULL},
    {"random", "short, longer and lasting buffers of mixed sizes; capacity: the greatest load", make_random, NULL},
    {"non-overlapping", "one buffer after the other; capacity: the largest of them", make_non_overlapping, NULL},
    {"full-overlap", "all alive at once; capacity: the sum of their sizes", make_full_overlap, NULL},
};

const char *asc_generate_kind(uint32_t k, const char **text) {
  if (k >= sizeof kinds / sizeof *kinds) return NULL;
  if (text) *text = kinds[k].text;
  return kinds[k].name;
}

/* ---- from blocks to a problem ---------------------------------------------------------------------------------------- */

static void shuffle(asci_maker *m) {
  for (uint32_t b = m->n; b > 1; b--) {
    uint64_t other = asci_random_below(&m->rng, b);
    asci_block block = m->blocks[b - 1];
    m->blocks[b - 1] = m->blocks[other];
    m->blocks[other] = block;
  }
}

static asc_status build(const asci_maker *m, const struct kind *kind, asc_problem **problem) {
  asc_problem *made = NULL;
  asc_status status = asc_problem_new(m->context, &made);
  for (uint32_t b = 0; b < m->n && !status; b++) {
    const asci_block *block = &m->blocks[b];
    char id[32];
    if (kind->name_buffer)
      kind->name_buffer(m->n, b, id);
    else
      asci_format(id, 32, "b%u", b);
    asc_buffer_spec spec = {.id = id,
                            .lower = block->lower,
                            .upper = block->upper,
                            .size = block->high - block->low,
                            .alignment = 1,
                            .offset = ASC_UNPLACED,
                            .hint = ASC_UNPLACED};
    status = asc_problem_add(made, &spec, NULL);
  }
  if (!status) status = asc_problem_freeze(made, NULL);
  if (!status)
    *problem = made;
  else
    asc_problem_free(made);
  return status;
}

asc_status asc_generate(asc_context *context, const char *kind, uint32_t n, uint64_t seed, asc_problem **problem,
                        int64_t *capacity) {
  if (!context || !kind || !problem || n == 0 || n > ASC_MAX_BUFFERS) return ASC_BAD_ARGUMENT;
  size_t k = 0;
  while (k < sizeof kinds / sizeof *kinds && strcmp(kinds[k].name, kind) != 0) k++;
  if (k == sizeof kinds / sizeof *kinds) return ASC_BAD_ARGUMENT;
  asci_maker m = {.context = context, .rng = {seed}, .n = n};
  m.blocks = asci_alloc(context, n, sizeof *m.blocks);
  if (!m.blocks) return ASC_OUT_OF_MEMORY;
  asc_problem *made = NULL;
  asc_status status = kinds[k].make(&m);
  if (!status) {
    if (!kinds[k].name_buffer) shuffle(&m);
    status = build(&m, &kinds[k], &made);
  }
  asci_free(context, m.blocks);
  if (status) return status;
  if (capacity) *capacity = m.capacity == ASCI_LOAD_BOUND ? asc_problem_lower_bound(made) : m.capacity;
  *problem = made;
  return ASC_OK;
}
