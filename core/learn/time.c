/* How long the model takes for the candidates of a jump (TelaMalloc, figure 16): of so many at once, on the processor. What is scored is drawn, over the
 * ranges that features have: how long a walk through a tree is depends on little else. */
#include "learn.h"
#include "solve/telamalloc/learned.h"

#include <stdio.h>
#include <time.h>

enum { MOST_CANDIDATES = 64, BATCHES = 20000, REPEATS = 5 };

static double nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Counts are small, shares are of TELA_SHARE. */
static void draw(asci_rng *rng, int16_t features[TELA_FEATURES]) {
  static const uint32_t below[TELA_FEATURES] = {[TELA_BLAMED] = 200,
                                                [TELA_RETURNS] = 50,
                                                [TELA_SAME_PHASE] = 2,
                                                [TELA_DISTANCE] = 300,
                                                [TELA_IN_CONFLICT] = 2,
                                                [TELA_RANK] = MOST_CANDIDATES,
                                                [TELA_UNTRIED] = 16,
                                                [TELA_LEVEL_SHARE] = TELA_SHARE,
                                                [TELA_DEPTH_SHARE] = TELA_SHARE,
                                                [TELA_STUCK_RULE] = 2,
                                                [TELA_HEAT] = TELA_SHARE,
                                                [TELA_DEEPER] = MOST_CANDIDATES,
                                                [TELA_DEEPER_SHARE] = TELA_SHARE};
  for (uint32_t f = 0; f < TELA_FEATURES; f++) features[f] = (int16_t)asci_random_below(rng, below[f]);
}

/* Nanoseconds of one batch, the best of some repeats. */
static double time_of(const int16_t features[][TELA_FEATURES], uint32_t candidates, int64_t *sum) {
  const uint32_t batches = BATCHES / candidates;
  double best = 0;
  for (uint32_t repeat = 0; repeat < REPEATS; repeat++) {
    double begin = nanoseconds();
    for (uint32_t batch = 0; batch < batches; batch++)
      for (uint32_t k = 0; k < candidates; k++) *sum += asci_tela_score(features[(batch + k) % MOST_CANDIDATES]);
    double spent = (nanoseconds() - begin) / batches;
    if (repeat == 0 || spent < best) best = spent;
  }
  return best;
}

void learn_time(void) {
  static int16_t features[MOST_CANDIDATES][TELA_FEATURES];
  asci_rng rng = {1};
  int64_t sum = 0;
  for (uint32_t k = 0; k < MOST_CANDIDATES; k++) draw(&rng, features[k]);
  printf("candidates,nanoseconds\n");
  for (uint32_t candidates = 1; candidates <= MOST_CANDIDATES; candidates *= 2)
    printf("%u,%.1f\n", candidates, time_of((const int16_t(*)[TELA_FEATURES])features, candidates, &sum));
  fprintf(stderr, "scores add up to %lld\n", (long long)sum); /* so that none is left out */
}
