/* Large models as their compilers see them: nine buffers in ten are temporaries, some last longer, activations wait for their gradients one
 * inside the other, parameters are there from beginning to end; sizes of all magnitudes. */
#include "generate/draw.h"
#include "generate/maker.h"

#define GRAIN 64 /* sizes are multiples of it */

typedef int64_t (*draw_size)(asci_rng *rng, const asci_powers *powers);

static int64_t in_grains(int64_t size) {
  return (size + GRAIN - 1) / GRAIN * GRAIN;
}

static void anywhere(asci_maker *m, asci_block *block, int64_t time, int64_t width) {
  block->lower = asci_random_between(&m->rng, 0, time - width);
  block->upper = block->lower + width;
}

/* Parameters and activations first, then those that last, temporaries at the end; the shuffle hides it. The k-th activation of `nested`
   begins before the next one does and ends after it. */
static asc_status make_mix(asci_maker *m, draw_size size) {
  uint32_t lasting = m->n - (uint32_t)((uint64_t)m->n * 9 / 10);
  uint32_t parameters = (lasting + 19) / 20, nested = (uint32_t)((uint64_t)lasting * 13 / 100);
  int64_t time = 64 + (int64_t)m->n, middle = time / 2;
  asci_powers powers;
  asci_powers_make(&powers);
  m->capacity = ASCI_LOAD_BOUND;
  for (uint32_t b = 0; b < m->n; b++) {
    asci_block *block = &m->blocks[b];
    if (b < parameters) {
      *block = (asci_block){0, time, 0, 0};
    } else if (b < parameters + nested) {
      int64_t k = b - parameters, from = middle * k / nested, most = middle * (k + 1) / nested - from - 1;
      block->lower = from + asci_random_between(&m->rng, 0, most);
      block->upper = time - from - asci_random_between(&m->rng, 0, most);
    } else if (b < lasting) {
      int64_t width = asci_draw_pareto(&m->rng, &powers, 7, 4, 20);
      anywhere(m, block, time, width < time / 2 ? width : time / 2);
    } else {
      anywhere(m, block, time, asci_random_between(&m->rng, 1, 8));
    }
    block->low = 0;
    block->high = in_grains(size(&m->rng, &powers));
  }
  return ASC_OK;
}

/* 256 bytes to 4 MiB; the largest hundredth has most of the memory. */
static int64_t pareto_07(asci_rng *rng, const asci_powers *powers) {
  return asci_draw_pareto(rng, powers, 7, 8, 22);
}

asc_status asci_make_heavy_tailed(asci_maker *m) {
  return make_mix(m, pareto_07);
}

/* 256 bytes to 512 KiB, four of five rounded down to a power of two. */
static int64_t pareto_11(asci_rng *rng, const asci_powers *powers) {
  int64_t size = asci_draw_pareto(rng, powers, 11, 8, 19), power = 256;
  if (asci_random_below(rng, 5) == 0) return size;
  while (2 * power <= size) power *= 2;
  return power;
}

asc_status asci_make_powers_of_two(asci_maker *m) {
  return make_mix(m, pareto_11);
}

/* About as many alive at any time; nothing waits for anything. Sizes from 64 bytes to 16 MiB. */
asc_status asci_make_stationary(asci_maker *m) {
  int64_t time = 64 + (int64_t)m->n;
  asci_powers powers;
  asci_powers_make(&powers);
  m->capacity = ASCI_LOAD_BOUND;
  for (uint32_t b = 0; b < m->n; b++) {
    asci_block *block = &m->blocks[b];
    bool temporary = asci_random_below(&m->rng, 10) != 0;
    int64_t width = temporary ? asci_random_between(&m->rng, 1, 64) : asci_draw_pareto(&m->rng, &powers, 15, 6, 12);
    anywhere(m, block, time, width < time / 2 ? width : time / 2);
    block->low = 0;
    block->high = in_grains(asci_draw_log_uniform(&m->rng, &powers, 6, 24));
  }
  return ASC_OK;
}
