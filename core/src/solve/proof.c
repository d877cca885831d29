/* Writing certificates, and those that need no search. */
#include "solve/proof.h"

#include "base/diag.h"
#include "base/number/multiple.h"
#include "model/bank.h"
#include "model/pile.h"

#include <string.h>

/* ---- text ------------------------------------------------------------------------------------------------------------ */

void asci_text_add(asci_prover *p, asci_text *text, const char *bytes, size_t count) {
  if (p->broken || !count) return;
  if (text->used + count > text->room &&
      !asci_grow(p->context, &text->bytes, &text->room, text->used + count, sizeof *text->bytes)) {
    p->broken = true;
    return;
  }
  memcpy(text->bytes + text->used, bytes, count);
  text->used += count;
}

static void add_number(asci_prover *p, asci_text *text, int64_t number) {
  char digits[20];
  size_t at = sizeof digits;
  uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
  do digits[--at] = (char)('0' + left % 10);
  while (left /= 10);
  if (number < 0) digits[--at] = '-';
  asci_text_add(p, text, digits + at, sizeof digits - at);
}

void asci_text_mark(asci_prover *p, asci_text *text, const char *mark, int64_t number) {
  asci_text_add(p, text, " ", 1);
  asci_text_add(p, text, mark, strlen(mark));
  add_number(p, text, number);
}

void asci_text_with(asci_prover *p, asci_text *text, int64_t number) {
  asci_text_add(p, text, ":", 1);
  add_number(p, text, number);
}

/* ---- lines ----------------------------------------------------------------------------------------------------------- */

static void hand_over(asci_prover *p) {
  asci_text_add(p, &p->line, "\n", 1);
  if (!p->broken) p->broken = p->stopped = !p->sink(p->user, p->line.bytes, p->line.used);
  p->line.used = 0;
}

static void say(asci_prover *p, const char *word, int64_t number) {
  p->line.used = 0;
  asci_text_add(p, &p->line, word, strlen(word));
  add_number(p, &p->line, number);
}

void asci_lemma_begin(asci_prover *p, asci_lemma_range range) {
  if (memcmp(&range, &p->range, sizeof range) != 0) {
    say(p, "within ", range.within);
    if (range.round > 1) asci_text_mark(p, &p->line, "/", range.round);
    if (range.limit < ASCI_NO_LIMIT) asci_text_mark(p, &p->line, "<", range.limit);
    hand_over(p);
    p->range = range;
  }
  say(p, "lemma ", (int64_t)++p->lemmas);
}

uint64_t asci_lemma_end(asci_prover *p) {
  hand_over(p);
  return p->lemmas;
}

void asci_proof_claim(asci_prover *p, int64_t bytes, uint64_t lemma) {
  say(p, "none ", bytes);
  asci_text_mark(p, &p->line, "L", (int64_t)lemma);
  hand_over(p);
  if (!p->broken && bytes > p->proven) p->proven = bytes;
}

/* ---- what follows from loads ------------------------------------------------------------------------------------------ */

static int64_t start_of(const asc_buffer_spec *spec) {
  return spec->offset == ASC_UNPLACED ? 0 : spec->offset;
}

static bool lives_at(const asc_buffer_spec *spec, int64_t time) {
  bool lives = spec->lower <= time && time < spec->upper;
  for (uint32_t g = 0; g < spec->gap_count; g++)
    lives = lives && (time < spec->gaps[g].lower || time >= spec->gaps[g].upper);
  return lives;
}

static asci_lemma_range plain_range(int64_t bytes) {
  return (asci_lemma_range){bytes, 1, ASCI_NO_LIMIT};
}

static void name_buffer(asci_prover *p, const asc_problem *problem, uint32_t b) {
  asci_text_mark(p, &p->line, "", b);
  asci_text_with(p, &p->line, start_of(&problem->buffers[b]));
}

/* A buffer that ends above so many bytes wherever it may lie. */
static bool claim_buffer(asci_prover *p, const asc_problem *problem, int64_t bytes) {
  for (uint32_t b = 0; b < problem->count; b++) {
    if (start_of(&problem->buffers[b]) + problem->buffers[b].size <= bytes) continue;
    asci_lemma_begin(p, plain_range(bytes));
    name_buffer(p, problem, b);
    asci_text_mark(p, &p->line, "#", b);
    asci_proof_claim(p, bytes, asci_lemma_end(p));
    return true;
  }
  return false;
}

/* Who lives at a time. */
typedef struct crowd {
  int64_t floor; /* the least start */
  int64_t round; /* what divides all that their offsets can be */
  int64_t load;  /* of sizes rounded up to multiples of that, */
  int64_t tail;  /* which adds at most so much to one of them */
} crowd;

static crowd crowd_at(const asc_problem *problem, int64_t time) {
  crowd c = {.floor = ASC_MAX_BYTES};
  for (uint32_t b = 0; b < problem->count; b++) {
    const asc_buffer_spec *spec = &problem->buffers[b];
    if (!spec->size || !lives_at(spec, time)) continue;
    int64_t places = asci_common_divisor(spec->alignment, asci_common_divisor(spec->bank, start_of(spec)));
    c.round = asci_common_divisor(c.round, places);
    if (start_of(spec) < c.floor) c.floor = start_of(spec);
  }
  for (uint32_t b = 0; b < problem->count; b++) {
    const asc_buffer_spec *spec = &problem->buffers[b];
    if (!spec->size || !lives_at(spec, time)) continue;
    int64_t size = asci_align(spec->size, c.round);
    c.load += size;
    if (size - spec->size > c.tail) c.tail = size - spec->size;
  }
  return c;
}

static bool claim_crowd(asci_prover *p, const asc_problem *problem, int64_t time, int64_t bytes) {
  crowd c = crowd_at(problem, time); /* of one at least: in every section somebody lives */
  if (c.floor + c.load - c.tail <= bytes) return false;
  asci_lemma_begin(p, (asci_lemma_range){asci_align(bytes, c.round), c.round, c.round > 1 ? bytes : ASCI_NO_LIMIT});
  for (uint32_t b = 0; b < problem->count; b++)
    if (problem->buffers[b].size && lives_at(&problem->buffers[b], time)) name_buffer(p, problem, b);
  asci_text_mark(p, &p->line, "!", time);
  asci_proof_claim(p, bytes, asci_lemma_end(p));
  return true;
}

/* A section of which the load is more, or with the least start and rounded sizes, whoever is on top. */
static bool claim_section(asci_prover *p, const asc_problem *problem, int64_t bytes) {
  for (uint32_t t = 0; t < problem->section_count; t++)
    if (problem->sections[t].load > bytes) return claim_crowd(p, problem, problem->sections[t].lower, bytes);
  if (!problem->has_fixed && !problem->has_alignment) return false;
  for (uint32_t t = 0; t < problem->section_count; t++)
    if (claim_crowd(p, problem, problem->sections[t].lower, bytes)) return true;
  return false;
}

/* The section whose buffers, each at an offset that suits it, do not lie on top of each other within so many. */
static void claim_pile(asci_prover *p, const asc_problem *problem, int64_t bytes) {
  int64_t bound = 0;
  uint32_t t = ASC_NONE;
  if (asci_pile_bound(p->context, problem, bytes, &bound, &t)) {
    p->broken = true;
    return;
  }
  if (t == ASC_NONE) return;
  asci_lemma_begin(p, plain_range(bytes));
  for (uint32_t b = 0; b < problem->count; b++)
    if (problem->buffers[b].size && lives_at(&problem->buffers[b], problem->sections[t].lower)) name_buffer(p, problem, b);
  asci_text_mark(p, &p->line, "p", problem->sections[t].lower);
  asci_proof_claim(p, bytes, asci_lemma_end(p));
}

/* The run's outcome and bound may say more than its lemmas have claimed. That follows from one buffer, from a section's load or from the pile, or it
   stays unproven here. */
static void end_proof(asc_run *run) {
  asci_prover *p = run->prover;
  int64_t bytes = -1;
  if (run->stats.outcome == ASC_OUTCOME_INFEASIBLE) bytes = run->capacity;
  if (run->stats.outcome == ASC_OUTCOME_OPTIMAL || (bytes < 0 && asci_minimises(run))) bytes = run->stats.lower_bound - 1;
  if (bytes <= p->proven) return;
  if (!claim_buffer(p, run->problem, bytes) && !claim_section(p, run->problem, bytes)) claim_pile(p, run->problem, bytes);
}

/* ---- the run's ------------------------------------------------------------------------------------------------------- */

asc_status asc_run_prove(asc_run *run, asc_sink sink, void *user, asc_diag *diag) {
  if (!run || !sink || run->prover || run->stats.steps)
    return asci_complain(diag, ASC_BAD_ARGUMENT, "", "the run has begun");
  const asc_problem *problem = run->input.domain == ASC_DOMAIN_BUFFERS ? run->problem : NULL;
  if (!problem) return asci_complain(diag, ASC_UNSUPPORTED, "", "certificates are of buffers, not of a model's graph");
  if (problem->parts) return asci_complain(diag, ASC_UNSUPPORTED, "pool", "there are no certificates for several pools");
  if (problem->has_shapes) return asci_complain(diag, ASC_UNSUPPORTED, "shape", "there are no certificates for shapes");
  if (problem->has_windows)
    return asci_complain(diag, ASC_UNSUPPORTED, "gaps", "there are no certificates for gaps with windows");
  asci_prover *p = asci_calloc(run->context, 1, sizeof *p);
  if (!p) return asci_complain(diag, ASC_OUT_OF_MEMORY, "", "there is no memory for the certificate");
  *p = (asci_prover){
      .context = run->context, .sink = sink, .user = user, .end = end_proof, .range = {.within = -1}, .proven = -1};
  run->prover = p;
  say(p, "arenascope-proof ", 1);
  hand_over(p);
  say(p, "buffers ", problem->count);
  hand_over(p);
  if (!p->broken) return ASC_OK;
  return asci_complain(diag, p->stopped ? ASC_BAD_ARGUMENT : ASC_OUT_OF_MEMORY, "", "the certificate could not be begun");
}

int64_t asc_run_proven(const asc_run *run) {
  return run->prover && !run->prover->broken ? run->prover->proven : -1;
}
