#include "model/large/ladder.h"

#define QUICK 64u             /* least budget of a try that should end at once, */
#define LONGEST 1024u         /* the greatest, */
#define MANY 65536u           /* and buffers from which on it may be more than the least */
#define GRAIN 20000           /* what is left of the bound is no step worth taking, */
#define FINE 8                /* nor this part of what the best plan is above it */
#define FAR 200               /* a part of the bound: beyond it budgets are */
#define GENEROUS 4u           /* times as large */
#define NEAR 1000             /* a part of the bound: where the best plan is farther above it, all is tried once more */
#define AGAIN 24u             /* until so many moves for each buffer were made; */
#define BRIEFLY 6u            /* nearer, but by more than the grain, until so many */
#define FEW 5000u             /* buffers: of fewer a dive takes no longer than a try */
#define DIVES 24u             /* by chance, the most; */
#define LOOKS (1u << 26)      /* they take together at most */
#define NOWHERE ASC_MAX_BYTES /* no target: plain first fit */

/* The fixed list: diverse orders, each with weights that did well. Long lives that weigh little close some networks, and much others. */
static const asci_large_config list[] = {
    {ASCI_LARGE_TW, 60, 8, 28, QUICK, false},  {ASCI_LARGE_TW, 28, 36, 30, QUICK, false},
    {ASCI_LARGE_PW, 32, 36, 30, QUICK, false}, {ASCI_LARGE_QW, 28, 26, 30, QUICK, false},
    {ASCI_LARGE_PA, 32, 26, 18, QUICK, false}, {ASCI_LARGE_TZ, 48, 38, 18, QUICK, false},
    {ASCI_LARGE_PZ, 48, 38, 18, QUICK, false}, {ASCI_LARGE_Z, 38, 38, 18, QUICK, false},
    {ASCI_LARGE_LA, 48, 26, 18, QUICK, false}, {ASCI_LARGE_A, 48, 26, 18, QUICK, false},
};
#define LIST (sizeof list / sizeof *list)

/* Above the bound, in ten-thousandths. */
static const int64_t rungs[] = {6400, 3200, 1600, 800, 400, 200, 50, 10, 1, 0};

static uint32_t live_at_peak(const asc_problem *problem) {
  uint32_t live = problem->peak == ASC_NONE ? 0 : problem->sections[problem->peak].live;
  return live ? live : 1;
}

/* Who finds no place weighs all that are alive with it: together as many as an eighth of the buffers, which is little beside placing all. */
static uint32_t quick_budget(const asc_problem *problem) {
  uint32_t budget = problem->count < MANY ? 0 : problem->count / 8 / live_at_peak(problem);
  return budget < QUICK ? QUICK : budget > LONGEST ? LONGEST : budget;
}

static uint32_t most_dives(const asc_problem *problem) {
  uint64_t count = LOOKS / (asci_dive_looks(problem) + 1);
  return count < DIVES ? (uint32_t)count : DIVES;
}

asci_ladder asci_ladder_new(const asc_problem *problem, bool minimise, int64_t floor, int64_t capacity, uint32_t tries,
                            uint32_t budget, uint64_t seed) {
  bool dives = asci_dive_can(problem), at_once = dives && problem->count < FEW;
  uint32_t quick = quick_budget(problem);
  return (asci_ladder){.minimise = minimise,
                       .dives = dives,
                       .dives_at_once = at_once,
                       .opening = at_once ? 0 : 1,
                       .quick = quick,
                       .many = problem->count >= MANY,
                       .most_moves = (uint64_t)AGAIN * problem->count,
                       .most_dives = dives ? most_dives(problem) : 0,
                       .patience = quick > QUICK ? 2 * problem->count / live_at_peak(problem) : 0,
                       .floor = floor,
                       .capacity = capacity,
                       .most_tries = tries,
                       .budget = budget,
                       .best = -1,
                       .given_up = -1,
                       .target = -1,
                       .rng = {seed}};
}

/* ---- targets --------------------------------------------------------------------------------------------------------- */

static int64_t part(int64_t whole, int64_t share, int64_t of) {
  return whole / of * share + whole % of * share / of;
}

/* The highest rung below the best plan and above what was given up; half way between the two if there is none; -1: close enough. */
static int64_t lower_target(const asci_ladder *l) {
  if (l->best <= l->floor) return -1;
  for (size_t k = 0; l->given_up < 0 && k < sizeof rungs / sizeof *rungs; k++) {
    int64_t rung = l->floor + part(l->floor, rungs[k], 10000);
    if (rung < l->best) return rung;
  }
  int64_t low = l->given_up < l->floor ? l->floor : l->given_up;
  int64_t grain = l->floor / GRAIN + 1, fine = (l->best - l->floor) / FINE;
  return l->best - low <= (grain > fine ? grain : fine) ? -1 : low + (l->best - low) / 2;
}

/* ---- configurations -------------------------------------------------------------------------------------------------- */

static int32_t near(asci_ladder *l, int32_t value, int32_t by, int32_t least) {
  int32_t low = value - by < least ? least : value - by;
  return (int32_t)asci_random_between(&l->rng, low, value + by < 64 ? value + by : 64);
}

/* Weights near those it has. */
static void vary(asci_ladder *l) {
  l->config.alpha = near(l, l->config.alpha, 8, 16);
  l->config.beta = near(l, l->config.beta, 6, 2);
  l->config.mu = near(l, l->config.mu, 10, 12);
}

/* One of three, and all while none has succeeded, goes through the list; the others are like the one that succeeded last, with other weights. Far
   above the bound it is not the peak alone that is full, and a try is in trouble again and again. */
static void choose(asci_ladder *l) {
  bool alike = l->known && l->tries % 3 != 0;
  uint32_t turn = l->known ? l->tries / 3 : l->tries;
  l->config = alike ? l->success : list[turn % LIST];
  if (alike || turn >= LIST) vary(l);
  l->config.budget = !l->known && turn < LIST ? l->quick : l->budget;
  if (l->minimise && l->target - l->floor > l->floor / FAR) l->config.budget *= GENEROUS;
}

/* Where a try before the rungs is made: everywhere; of many buffers; of many of which few are alive at once; where there can be dives, and there
   has been none; or no try but dives has come near the bound. */
typedef enum place { ALWAYS, OF_MANY, OF_FEW_ALIVE, NO_DIVE_YET, NONE_KNOWN } place;

/* The tries before the rungs; with a capacity the dive alone. Above the bound in ten-thousandths; NO_TARGET; or BELOW_BEST: below the best plan,
   by first fit alone, so that no plan of such an order is better. A little above the bound, long lives that weigh much throw out too many. */
enum { NO_TARGET = -1, BELOW_BEST = -2 };
static const struct {
  asci_large_order order;
  int32_t above;
  int32_t beta;     /* of its weights, the others are always the same */
  uint32_t budgets; /* of quick tries */
  bool repeated;    /* while patience lasts; dives, while there are not enough of them */
  place place;
} opening[ASCI_LADDER_OPENING] = {
    {ASCI_LARGE_DIVE, NO_TARGET, 38, 1, false, ALWAYS},
    {ASCI_LARGE_TW, 0, 38, 1, true, ALWAYS},
    {ASCI_LARGE_TW, 10, 26, 2, false, OF_MANY},
    {ASCI_LARGE_PA, 10, 38, 1, true, OF_FEW_ALIVE},
    {ASCI_LARGE_TW, 50, 38, 1, false, ALWAYS},
    {ASCI_LARGE_LA, 50, 38, 1, false, ALWAYS},
    {ASCI_LARGE_TZ, 50, 38, 1, false, ALWAYS},
    {ASCI_LARGE_TW, 50, 38, 4, false, ALWAYS},
    {ASCI_LARGE_DIVE, NO_TARGET, 38, 1, false, NO_DIVE_YET},
    {ASCI_LARGE_DIVE, BELOW_BEST, 38, 1, true, NONE_KNOWN},
    {ASCI_LARGE_Z, BELOW_BEST, 38, 0, false, ALWAYS},
    {ASCI_LARGE_A, BELOW_BEST, 38, 0, false, ALWAYS},
    {ASCI_LARGE_W, BELOW_BEST, 38, 0, false, ALWAYS},
    {ASCI_LARGE_B, BELOW_BEST, 38, 0, false, ALWAYS},
    {ASCI_LARGE_S, BELOW_BEST, 38, 0, false, ALWAYS},
};

static bool repeats(const asci_ladder *l) {
  if (!l->opening || !opening[l->opening - 1].repeated) return false;
  if (opening[l->opening - 1].place == NONE_KNOWN) return l->dived < l->most_dives && l->best != l->floor;
  return l->spent && l->spent < l->patience;
}

/* Of the kind that is next, or of the one to be repeated. */
static int64_t opening_target(const asci_ladder *l, uint32_t k) {
  int64_t above = opening[k].above;
  if (!l->minimise) return l->capacity;
  if (above == NO_TARGET || (above == BELOW_BEST && l->best < 0)) return NOWHERE;
  if (above == BELOW_BEST) return l->best - 1;
  int64_t target = l->floor + part(l->floor, above, 10000);
  return target < NOWHERE ? target : NOWHERE;
}

static void choose_opening(asci_ladder *l, uint32_t k) {
  bool by_chance = opening[k].place == NONE_KNOWN;
  l->config = (asci_large_config){.order = opening[k].order,
                                  .alpha = 38,
                                  .beta = opening[k].beta,
                                  .mu = 18,
                                  .budget = opening[k].budgets * l->quick,
                                  .by_chance = by_chance};
  l->dived += by_chance;
}

static bool is_made(const asci_ladder *l, place where) {
  switch (where) {
  case OF_MANY:
    return l->many;
  case OF_FEW_ALIVE:
    return l->patience > 0;
  case NO_DIVE_YET:
    return l->dives && !l->dives_at_once;
  case NONE_KNOWN:
    return l->most_dives && !l->known;
  default:
    return true;
  }
}

/* False: none of them is left that could find a lower plan than there is. */
static bool open_with(asci_ladder *l) {
  uint32_t end = l->minimise ? ASCI_LADDER_OPENING : 1;
  if (repeats(l)) {
    l->target = opening_target(l, l->opening - 1);
    choose_opening(l, l->opening - 1);
    if (l->config.order != ASCI_LARGE_DIVE) vary(l);
    return true;
  }
  l->spent = 0;
  for (; l->opening < end && l->best != l->floor; l->opening++) {
    l->target = opening_target(l, l->opening);
    if ((l->known && l->best <= l->target) || !is_made(l, opening[l->opening].place)) continue;
    choose_opening(l, l->opening++);
    return true;
  }
  return false;
}

/* Some networks are packed to the bound or not at all: what nobody has reached in so many tries the next may. */
static bool goes_on(const asci_ladder *l) {
  int64_t above = l->best - l->floor;
  if (above > l->floor / NEAR) return l->moves < l->most_moves;
  return above > l->floor / GRAIN + 1 && l->moves < l->most_moves / (AGAIN / BRIEFLY);
}

/* Fills the next target of one that minimises. */
static bool aim(asci_ladder *l) {
  if (l->aimed && l->tries < l->most_tries) return true;
  if (l->aimed && l->target > l->given_up) l->given_up = l->target;
  l->target = lower_target(l);
  if (l->target < 0 && goes_on(l)) {
    l->given_up = -1;
    l->target = lower_target(l);
  }
  l->tries = 0;
  l->aimed = l->target >= 0;
  return l->aimed;
}

bool asci_ladder_next(asci_ladder *l) {
  if (!open_with(l)) {
    if (l->minimise ? !aim(l) : l->tries == l->most_tries) return false;
    if (!l->minimise) l->target = l->capacity;
    choose(l);
    l->tries++;
  }
  l->total++;
  l->seed = asci_random(&l->rng);
  return true;
}

void asci_ladder_failed(asci_ladder *l, uint64_t moves) {
  l->spent += moves;
  if (l->config.order == ASCI_LARGE_DIVE) return; /* of them there is a number */
  l->moves += moves + 1; /* one that ends before it moved anything is not for nothing: else there would be no end */
}

void asci_ladder_ended(asci_ladder *l, int64_t height) {
  l->spent = 0;
  if (l->best < 0 || height < l->best) l->best = height;
  bool weighs = l->config.order != ASCI_LARGE_DIVE && l->config.budget > 0;
  if (l->target == NOWHERE || !weighs) return; /* it says nothing of weights */
  l->known = true;
  l->success = l->config;
  l->aimed = false;
}
