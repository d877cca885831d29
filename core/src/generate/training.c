/* One training step over micro-batches. An operator's output and what else its gradient needs wait from its forward to its backward pass: the
 * later it runs, the shorter. An output's gradient lives from the backward pass before to its own, a weight's from the first micro-batch to
 * the update; weights and the optimizer's state stay throughout. Operators come in blocks that repeat, and so do their sizes. */
#include "base/text/format.h"
#include "generate/draw.h"
#include "generate/maker.h"

/* An operator's buffers: first those that it has once, then those of each micro-batch. */
enum { WEIGHT, STATE, WEIGHT_GRADIENT, ONCE };
enum { OUTPUT, SAVED, GRADIENT, SCRATCH, SCRATCHES = 5, EACH = SCRATCH + SCRATCHES };
enum { STAGES = 4, BLOCK = 12, FEW = 1000 };
#define TICKS 8 /* of a pass of one operator */

/* What an operator of a block needs, in bytes. */
typedef struct sizes {
  int64_t output, saved, weight, scratch[SCRATCHES];
} sizes;

static uint32_t micro_batches(uint32_t n) {
  return n < FEW ? 1 : 4;
}

static uint32_t buffers_each(uint32_t n) {
  return ONCE + micro_batches(n) * EACH;
}

/* Outputs shrink from stage to stage, weights grow, as in a convolutional network. */
static void draw_sizes(asci_maker *m, sizes drawn[STAGES][BLOCK]) {
  asci_powers powers;
  asci_powers_make(&powers);
  for (int32_t stage = 0; stage < STAGES; stage++)
    for (int k = 0; k < BLOCK; k++) {
      sizes *s = &drawn[stage][k];
      s->output = asci_draw_log_uniform(&m->rng, &powers, 9 - stage, 16 - stage) * 64;
      s->saved = asci_draw_log_uniform(&m->rng, &powers, 2, 14 - stage) * 64;
      s->weight = asci_draw_log_uniform(&m->rng, &powers, 2 + 2 * stage, 9 + 2 * stage) * 64;
      for (int i = 0; i < SCRATCHES; i++) s->scratch[i] = asci_draw_log_uniform(&m->rng, &powers, 2, 15) * 64;
    }
}

/* Of one micro-batch, whose passes are as many as there are operators, twice: buffer `what` of operator `op`. */
static asci_block passing(asci_maker *m, const sizes *s, int64_t op, int64_t operators, int64_t batch, uint32_t what) {
  int64_t forward = (batch * 2 * operators + op) * TICKS,
          backward = (batch * 2 * operators + 2 * operators - 1 - op) * TICKS;
  if (what == OUTPUT || what == SAVED)
    return (asci_block){forward, backward + TICKS, 0, what == OUTPUT ? s->output : s->saved};
  if (what == GRADIENT) return (asci_block){backward - TICKS, backward + TICKS, 0, s->output};
  int64_t pass = what < SCRATCH + 2 ? forward : backward, width = asci_random_between(&m->rng, 1, TICKS);
  int64_t lower = pass + asci_random_between(&m->rng, 0, TICKS - width);
  return (asci_block){lower, lower + width, 0, s->scratch[what - SCRATCH]};
}

static asci_block lasting(const sizes *s, int64_t op, int64_t operators, int64_t batches, uint32_t what) {
  int64_t update = (batches * 2 * operators + op) * TICKS, end = (batches * 2 + 1) * operators * TICKS;
  if (what == WEIGHT_GRADIENT) return (asci_block){(2 * operators - 1 - op) * TICKS, update + TICKS, 0, s->weight};
  return (asci_block){0, end, 0, what == STATE ? 2 * s->weight : s->weight};
}

asc_status asci_make_training(asci_maker *m) {
  uint32_t batches = micro_batches(m->n), each = buffers_each(m->n), operators = (m->n + each - 1) / each;
  sizes drawn[STAGES][BLOCK];
  draw_sizes(m, drawn);
  m->capacity = ASCI_LOAD_BOUND;
  for (uint32_t b = 0; b < m->n; b++) {
    uint32_t op = b / each, what = b % each;
    const sizes *s = &drawn[(uint64_t)op * STAGES / operators][op % BLOCK];
    if (what < ONCE)
      m->blocks[b] = lasting(s, op, operators, batches, what);
    else
      m->blocks[b] = passing(m, s, op, operators, (what - ONCE) / EACH, (what - ONCE) % EACH);
  }
  return ASC_OK;
}

void asci_name_training(uint32_t n, uint32_t b, char id[32]) {
  static const char *const once[] = {"weight", "state", "weight-gradient"};
  static const char *const each[] = {"output",   "saved",    "gradient", "scratch1",
                                     "scratch2", "scratch3", "scratch4", "scratch5"};
  uint32_t op = b / buffers_each(n), what = b % buffers_each(n);
  if (what < ONCE)
    asci_format(id, 32, "op%u.%s", op, once[what]);
  else if (micro_batches(n) == 1)
    asci_format(id, 32, "op%u.%s", op, each[what - ONCE]);
  else
    asci_format(id, 32, "op%u.%s.%u", op, each[(what - ONCE) % EACH], (what - ONCE) / EACH);
}
