/* x UNIT:TIME:TIME..., exchanges at boundaries (README.md beside this file): from time to time those that end are exchanged for those that
 * begin, in every way there is, and each way ends in a contradiction.
 *
 * A way is a list of equalities between truths "a lies below b". A class of truths that must be equal, or opposite, is a tree; equalities are
 * only added to the trees' roots, and taken off again in the reverse order. */
#include "checker.h"

#define MOST_ENDS 10u   /* that end or begin at a boundary, idle units among them */
#define MOST_IDLE 3u    /* units at a time */
#define MOST_ALIVE 256u /* at a time */

/* Between a time and the next: leaves are buffers, and from their number on idle units. */
typedef struct boundary {
  uint32_t out_count, in_count;
  uint32_t out[MOST_ENDS], in[MOST_ENDS];
  uint32_t alike[MOST_ENDS]; /* of each that begins, those before it that could change places with it */
} boundary;

/* A truth in a class: is it that of its root, or the opposite? */
typedef struct truth {
  uint32_t root, size;
  bool opposite;
} truth;

/* An exchange that is made or looked for. */
typedef struct level {
  uint32_t step, ends, begins;  /* those left to exchange there, as bits */
  uint32_t out, in;             /* who for whom */
  bool apart;                   /* those of `out` cannot lie side by side */
  uint32_t count;               /* leaves alive */
  size_t leaves, pairs;         /* where they begin in the ways' lists: count, and count x count */
  uint32_t truths, joined_base; /* how many there were before, */
  uint32_t joined;              /* and when those of `out` lay side by side */
} level;

typedef struct ways {
  checker *c;
  int64_t unit, capacity; /* bytes; units */
  int64_t *times;
  size_t time_count, time_room;
  boundary *boundaries;
  level *levels;
  uint32_t depth;
  uint32_t *leaves, *pairs; /* pair: truth * 2 + whether it is the opposite */
  truth *truths;
  uint32_t truth_count;
  uint32_t *joined; /* roots that are none any more, in the order of their joining */
  uint32_t joined_count;
  size_t boundary_room, level_room, leaf_room, pair_room, truth_room, joined_room;
} ways;

static bool no_memory(checker *c) {
  c->no_memory = true;
  return false;
}

/* ---- truths ----------------------------------------------------------------------------------------------------------- */

static uint32_t root_of(const ways *w, uint32_t pair) {
  uint32_t at = pair / 2, opposite = pair % 2;
  while (w->truths[at].root != at) {
    opposite ^= w->truths[at].opposite;
    at = w->truths[at].root;
  }
  return at * 2 + opposite;
}

/* The two are equal. False: they are opposite already. */
static bool join(ways *w, uint32_t one, uint32_t other) {
  uint32_t a = root_of(w, one), b = root_of(w, other);
  if (a / 2 == b / 2) return a == b;
  bool first = w->truths[a / 2].size < w->truths[b / 2].size;
  uint32_t low = first ? a / 2 : b / 2, high = first ? b / 2 : a / 2;
  w->truths[low].root = high;
  w->truths[low].opposite = (a ^ b) % 2;
  w->truths[high].size += w->truths[low].size;
  w->joined[w->joined_count++] = low;
  return true;
}

static void take_apart(ways *w, uint32_t joined) {
  while (w->joined_count > joined) {
    truth *low = &w->truths[w->joined[--w->joined_count]];
    w->truths[low->root].size -= low->size;
    low->root = (uint32_t)(low - w->truths);
  }
}

static uint32_t new_truth(ways *w) {
  w->truths[w->truth_count] = (truth){w->truth_count, 1, false};
  return w->truth_count++ * 2;
}

/* ---- the way ---------------------------------------------------------------------------------------------------------- */

static int64_t units_of(const ways *w, uint32_t leaf) {
  uint32_t count = asc_problem_count(w->c->problem);
  return leaf < count ? asci_proof_size(w->c, leaf) / w->unit : 1;
}

/* What is in a whole number of units stays so when a packing is pushed down. */
static bool is_whole(const ways *w, uint32_t b) {
  const asc_buffer_spec *spec = asci_proof_spec(w->c, b);
  return asci_proof_size(w->c, b) % w->unit == 0 && (spec->alignment % w->unit == 0 || w->unit % spec->alignment == 0) &&
         spec->bank % w->unit == 0 && asci_proof_suited(w->c, b, 0) % w->unit == 0;
}

/* ":TIME" after ":TIME", as far as there are. */
static bool take_times(ways *w) {
  while (asci_proof_word(w->c, ":")) {
    if (!asci_grow(w->c->context, &w->times, &w->time_room, w->time_count + 1, sizeof *w->times)) return no_memory(w->c);
    if (!asci_proof_number(w->c, &w->times[w->time_count++])) return false;
  }
  return asci_proof_demand(w->c, w->time_count > 1, "expected UNIT:TIME:TIME");
}

/* Whether the two, which begin behind boundary `at`, live at the same of the times, and at none of them before or again. */
static bool are_alike(const ways *w, size_t at, uint32_t a, uint32_t b) {
  const checker *c = w->c;
  uint32_t count = asc_problem_count(c->problem);
  if (b >= count) return a >= count; /* a is listed before b, and idle units behind all buffers */
  if (asci_proof_size(c, a) != asci_proof_size(c, b)) return false;
  bool over = false;
  for (size_t k = 0; k < w->time_count; k++) {
    bool lives = asci_proof_lives(c, a, w->times[k]);
    over = over || (k > at && !lives);
    if (lives != asci_proof_lives(c, b, w->times[k]) || (lives && (over || k <= at))) return false;
  }
  return true;
}

/* How many units are idle at time number `at`; -1, and the fault: too many. */
static int64_t idle_at(ways *w, size_t at) {
  checker *c = w->c;
  int64_t total = 0;
  uint32_t alive = 0;
  for (uint32_t k = 0; k < c->set_count; k++) {
    if (!asci_proof_in(c, c->set[k]) || !asci_proof_lives(c, c->set[k], w->times[at])) continue;
    total = asci_proof_plus(total, units_of(w, c->set[k]));
    alive++;
  }
  int64_t idle = w->capacity - total;
  if (idle >= 0 && idle <= MOST_IDLE && alive <= MOST_ALIVE) return idle;
  asci_proof_wrong(c,
                   idle < 0 ? "expected ! where more is alive than fits" : "too much is idle, or too many are alive there");
  return -1;
}

/* Those for which there is no room are counted, too. */
static void list_leaf(uint32_t *list, uint32_t *count, uint32_t leaf) {
  if (*count < MOST_ENDS) list[*count] = leaf;
  ++*count;
}

/* Idle units of a time and of the next are different leaves. */
static uint32_t idle_leaf(const ways *w, size_t at, uint32_t k) {
  return asc_problem_count(w->c->problem) + (uint32_t)(at % 2) * MOST_IDLE + k;
}

static bool take_boundary(ways *w, size_t at) {
  checker *c = w->c;
  boundary *its = &w->boundaries[at];
  int64_t here = idle_at(w, at), there = here < 0 ? -1 : idle_at(w, at + 1);
  if (there < 0) return false;
  *its = (boundary){0};
  for (uint32_t k = 0; k < c->set_count; k++) {
    uint32_t b = c->set[k];
    if (!asci_proof_in(c, b)) continue;
    bool before = asci_proof_lives(c, b, w->times[at]), behind = asci_proof_lives(c, b, w->times[at + 1]);
    if (before && !behind) list_leaf(its->out, &its->out_count, b);
    if (behind && !before) list_leaf(its->in, &its->in_count, b);
  }
  for (uint32_t k = 0; k < here; k++) list_leaf(its->out, &its->out_count, idle_leaf(w, at, k));
  for (uint32_t k = 0; k < there; k++) list_leaf(its->in, &its->in_count, idle_leaf(w, at + 1, k));
  if (its->out_count > MOST_ENDS || its->in_count > MOST_ENDS) return asci_proof_wrong(c, "too many end or begin at once");
  for (uint32_t k = 0; k < its->in_count; k++)
    for (uint32_t j = 0; j < k; j++) its->alike[k] |= are_alike(w, at, its->in[j], its->in[k]) ? UINT32_C(1) << j : 0;
  return asci_proof_demand(c, its->out_count > 0, "nobody ends"); /* somebody does: idle units or others come instead */
}

/* ---- levels ------------------------------------------------------------------------------------------------------------ */

static bool grow(ways *w, const level *next) {
  asc_context *context = w->c->context;
  size_t count = next->count, pairs = next->pairs + count * count;
  /* each truth is joined to another once at most */
  bool well = asci_grow(context, &w->levels, &w->level_room, (size_t)w->depth + 1, sizeof *w->levels) &&
              asci_grow(context, &w->leaves, &w->leaf_room, next->leaves + count, sizeof *w->leaves) &&
              asci_grow(context, &w->pairs, &w->pair_room, pairs, sizeof *w->pairs) &&
              asci_grow(context, &w->truths, &w->truth_room, w->truth_count + count * count, sizeof *w->truths) &&
              asci_grow(context, &w->joined, &w->joined_room, w->truth_count + count * count, sizeof *w->joined);
  w->c->no_memory = !well;
  return well;
}

/* Nothing is known yet of leaf a and those before it that `fresh` names; the pair of a leaf with itself is never asked for. */
static void add_truth(ways *w, const level *of, uint32_t a, uint32_t b) {
  uint32_t *pairs = w->pairs + of->pairs, pair = new_truth(w);
  pairs[a * of->count + b] = pair;
  pairs[b * of->count + a] = pair ^ 1;
}

static bool push_first(ways *w) {
  checker *c = w->c;
  level first = {.count = 0};
  const boundary *its = &w->boundaries[0];
  uint32_t idle = (uint32_t)idle_at(w, 0);
  for (uint32_t k = 0; k < c->set_count; k++)
    first.count += asci_proof_in(c, c->set[k]) && asci_proof_lives(c, c->set[k], w->times[0]);
  first.count += idle;
  first.ends = (UINT32_C(1) << its->out_count) - 1;
  first.begins = (UINT32_C(1) << its->in_count) - 1;
  if (!grow(w, &first)) return false;
  uint32_t at = 0;
  for (uint32_t k = 0; k < c->set_count; k++)
    if (asci_proof_in(c, c->set[k]) && asci_proof_lives(c, c->set[k], w->times[0])) w->leaves[at++] = c->set[k];
  for (uint32_t k = 0; k < idle; k++) w->leaves[at++] = idle_leaf(w, 0, k);
  for (uint32_t a = 0; a < first.count; a++)
    for (uint32_t b = 0; b < a; b++) add_truth(w, &first, a, b);
  first.truths = w->truth_count;
  w->levels[w->depth++] = first;
  return true;
}

static bool is_of(const uint32_t *list, uint32_t set, uint32_t leaf) {
  for (; set; set &= set - 1)
    if (list[__builtin_ctz(set)] == leaf) return true;
  return false;
}

/* Those of x->out lie side by side: each of the others is below all of them or above. */
static bool gather(ways *w, const level *x) {
  const uint32_t *leaves = w->leaves + x->leaves, *out = w->boundaries[x->step].out, *pairs = w->pairs + x->pairs;
  uint32_t first = 0;
  while (!is_of(out, x->out, leaves[first])) first++;
  for (uint32_t a = first + 1; a < x->count; a++) {
    if (!is_of(out, x->out, leaves[a])) continue;
    for (uint32_t b = 0; b < x->count; b++)
      if (!is_of(out, x->out, leaves[b]) && !join(w, pairs[first * x->count + b], pairs[a * x->count + b])) return false;
  }
  return true;
}

/* Those of x->in take the place of those of x->out: what is below one is below the other. Of each other nothing is known. */
static bool push_exchanged(ways *w) {
  level x = w->levels[w->depth - 1], next = {.step = x.step, .ends = x.ends & ~x.out, .begins = x.begins & ~x.in};
  const boundary *its = &w->boundaries[x.step];
  next.leaves = x.leaves + x.count;
  next.pairs = x.pairs + (size_t)x.count * x.count;
  next.count = x.count - (uint32_t)__builtin_popcount(x.out) + (uint32_t)__builtin_popcount(x.in);
  if (!grow(w, &next)) return false;
  const uint32_t *old = w->leaves + x.leaves, *pairs = w->pairs + x.pairs;
  uint32_t *leaves = w->leaves + next.leaves, count = 0, from[MOST_ALIVE + 2 * MOST_ENDS], place = ASC_NONE;
  for (uint32_t a = 0; a < x.count; a++) {
    bool goes = is_of(its->out, x.out, old[a]);
    if (goes && place == ASC_NONE) place = a;
    if (goes) continue;
    from[count] = a;
    leaves[count++] = old[a];
  }
  uint32_t stay = count;
  for (uint32_t set = x.in; set; set &= set - 1) {
    from[count] = place;
    leaves[count++] = its->in[__builtin_ctz(set)];
  }
  for (uint32_t a = 0; a < count; a++)
    for (uint32_t b = 0; b < count; b++)
      if (a != b && (a < stay || b < stay)) w->pairs[next.pairs + a * count + b] = pairs[from[a] * x.count + from[b]];
  for (uint32_t a = stay; a < count; a++)
    for (uint32_t b = stay; b < a; b++) add_truth(w, &next, a, b);
  if (!next.ends) {
    its = &w->boundaries[++next.step];
    if (next.step + 1 == w->time_count) return asci_proof_wrong(w->c, "there is a way through all exchanges");
    next.ends = (UINT32_C(1) << its->out_count) - 1;
    next.begins = (UINT32_C(1) << its->in_count) - 1;
  }
  next.truths = w->truth_count;
  next.joined_base = next.joined = w->joined_count;
  w->levels[w->depth++] = next;
  return true;
}

/* ---- every way --------------------------------------------------------------------------------------------------------- */

static int64_t sum_of(const ways *w, const uint32_t *leaves, uint32_t set) {
  int64_t sum = 0;
  for (; set; set &= set - 1) sum += units_of(w, leaves[__builtin_ctz(set)]);
  return sum;
}

/* Of several alike the first that are left: who of them it is makes no difference. */
static bool takes_first(const boundary *its, const level *x) {
  for (uint32_t set = x->in; set; set &= set - 1)
    if (its->alike[__builtin_ctz(set)] & x->begins & ~x->in) return false;
  return true;
}

/* The next of those that begin with the sum of those of x->out. */
static bool next_in(const ways *w, level *x) {
  const boundary *its = &w->boundaries[x->step];
  int64_t sum = sum_of(w, its->out, x->out);
  while (!x->apart && x->in) {
    x->in = (x->in - 1) & x->begins;
    if (x->in && sum_of(w, its->in, x->in) == sum && takes_first(its, x)) return true;
  }
  return false;
}

/* The next of those that end, the first of them always among them. The subsets of the others go down from all to none. */
static bool next_out(ways *w, level *x) {
  uint32_t first = x->ends & -x->ends, others = x->ends ^ first;
  take_apart(w, x->joined_base);
  if (x->out == first) return false;
  x->out = x->out ? first | (((x->out ^ first) - 1) & others) : x->ends;
  x->apart = !gather(w, x);
  x->joined = w->joined_count;
  return true;
}

/* `in` begins above all subsets, so that the first that is tried is all of those that begin. */
static bool next_exchange(ways *w, level *x) {
  take_apart(w, x->joined);
  w->truth_count = x->truths;
  if (x->out && next_in(w, x)) return true;
  while (next_out(w, x)) {
    x->in = x->begins;
    const boundary *its = &w->boundaries[x->step];
    if (!x->apart && sum_of(w, its->out, x->out) == sum_of(w, its->in, x->in)) return true;
    if (next_in(w, x)) return true;
  }
  return false;
}

static bool try_all(ways *w) {
  if (!push_first(w)) return false;
  while (w->depth) {
    level *x = &w->levels[w->depth - 1];
    if (!next_exchange(w, x))
      w->depth--;
    else if (!push_exchanged(w))
      return false;
  }
  return true;
}

static bool check_ways(ways *w) {
  const checker *c = w->c;
  if (!take_times(w)) return false;
  for (uint32_t k = 0; k < c->set_count; k++)
    if (asci_proof_in(c, c->set[k]) && !is_whole(w, c->set[k]))
      return asci_proof_wrong(w->c, "the set is not of whole units");
  if (!asci_grow(c->context, &w->boundaries, &w->boundary_room, w->time_count, sizeof *w->boundaries))
    return no_memory(w->c);
  for (size_t at = 0; at + 1 < w->time_count; at++)
    if (!take_boundary(w, at)) return false;
  return try_all(w);
}

bool asci_proof_exchange(checker *c) {
  int64_t unit = 0;
  if (!asci_proof_number(c, &unit) || unit < 1) return asci_proof_wrong(c, "expected UNIT:TIME:TIME");
  ways w = {.c = c, .unit = unit, .capacity = c->about.within / unit};
  bool well = check_ways(&w);
  void *blocks[] = {w.times, w.boundaries, w.levels, w.leaves, w.pairs, w.truths, w.joined};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) asci_free(c->context, blocks[k]);
  return well;
}
