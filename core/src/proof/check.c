/* The checker of certificates: README.md beside this file has the format, and for each step why it holds. It knows the problem by the public
 * header alone, and of the solvers nothing. Only the lemmas that a claim rests on are looked at. */
#include "base/diag.h"
#include "checker.h"

#include <string.h>

/* From lower to upper without the gaps; those are in order and apart. */
static bool take_spans(checker *c) {
  uint32_t count = asc_problem_count(c->problem);
  size_t most = 0;
  for (uint32_t b = 0; b < count; b++) most += asci_proof_spec(c, b)->gap_count + (size_t)1;
  c->first_span = asci_alloc(c->context, (size_t)count + 1, sizeof *c->first_span);
  c->spans = asci_alloc(c->context, most, sizeof *c->spans);
  if (!c->first_span || !c->spans || most > UINT32_MAX) return false;
  uint32_t at = 0;
  for (uint32_t b = 0; b < count; b++) {
    const asc_buffer_spec *spec = asci_proof_spec(c, b);
    int64_t from = spec->lower;
    c->first_span[b] = at;
    for (uint32_t g = 0; g <= spec->gap_count; g++) {
      int64_t to = g < spec->gap_count ? spec->gaps[g].lower : spec->upper;
      if (spec->size && from < to) c->spans[at++] = (span){from, to};
      if (g < spec->gap_count) from = spec->gaps[g].upper;
    }
  }
  c->first_span[count] = at;
  return true;
}

/* ---- claims ---------------------------------------------------------------------------------------------------------- */

/* Plans within so many bytes are still within the lemmas' once their sizes are rounded. */
static int64_t whole(const plans *about) {
  return about->within - about->within % about->round;
}

static int64_t covered(const plans *about) {
  return about->limit < whole(about) ? about->limit : whole(about);
}

/* Whether the buffer can end above `low` and within `high`. */
static bool may_end_between(const asc_buffer_spec *spec, int64_t low, int64_t high) {
  int64_t end = spec->size;
  if (spec->offset != ASC_UNPLACED)
    end += spec->offset;
  else if (end < high)
    end += (high - end) / spec->alignment * spec->alignment;
  return low < end && end <= high;
}

/* That there is no plan within so many bytes: what the lemma says holds of the problem as it is. */
static bool check_claim(checker *c, int64_t bytes, int64_t number) {
  if (number < 1 || (size_t)number > c->count) return asci_proof_wrong(c, "expected an earlier lemma");
  const lemma *its = &c->lemmas[number];
  int64_t most = covered(&its->about);
  const char *here = c->at;
  c->at = c->text + its->at;
  while (asci_proof_mark(c) == '0') {
    uint32_t b = 0;
    int64_t least = 0;
    if (!asci_proof_pair(c, &b, &least)) return false;
    if (may_end_between(asci_proof_spec(c, b), most, bytes))
      return asci_proof_wrong(c, "that lemma is about another capacity");
    if (asci_proof_suited(c, b, 0) < least) return asci_proof_wrong(c, "the lemma begins above where its buffers may lie");
  }
  c->at = here;
  c->wanted[number] = 1;
  return true;
}

/* ---- the whole -------------------------------------------------------------------------------------------------------- */

static void next_line(checker *c) {
  const char *end = memchr(c->at, '\n', (size_t)(c->end - c->at));
  c->at = end ? end + 1 : c->end;
}

static asc_status take_lemma(checker *c, plans about) {
  int64_t number = 0;
  if (!asci_proof_number(c, &number)) return ASC_BAD_INPUT;
  if (number < 1 || (size_t)number != c->count + 1 || about.within < 0)
    return asci_proof_wrong(c, "expected the next lemma's number, and a capacity before it"), ASC_BAD_INPUT;
  c->count++;
  if (!asci_grow(c->context, &c->lemmas, &c->room, c->count + 1, sizeof *c->lemmas) ||
      !asci_grow(c->context, &c->wanted, &c->wanted_room, c->count + 1, 1))
    return ASC_OUT_OF_MEMORY;
  c->lemmas[c->count] = (lemma){(size_t)(c->at - c->text), about};
  c->wanted[c->count] = 0;
  return ASC_OK;
}

static bool take_within(checker *c, plans *about) {
  *about = (plans){.round = 1, .limit = NOWHERE};
  if (!asci_proof_number(c, &about->within) || about->within < 0) return asci_proof_wrong(c, "expected bytes");
  if (asci_proof_word(c, " /") && (!asci_proof_number(c, &about->round) || about->round < 1))
    return asci_proof_wrong(c, "expected what sizes are rounded to");
  bool limited = !asci_proof_word(c, " <") ||
                 (asci_proof_number(c, &about->limit) && about->limit >= 0 && about->limit <= whole(about));
  if (!limited) return asci_proof_wrong(c, "expected a limit within the bytes as they are rounded");
  return asci_proof_demand(c, c->at >= c->end || *c->at == '\n', "expected the end of the line");
}

/* Reads all lines: where the lemmas are, and the claims. */
static asc_status take_lines(checker *c, int64_t *proven) {
  plans about = {.within = -1, .round = 1, .limit = NOWHERE};
  int64_t bytes = 0, number = 0;
  if (!asci_proof_word(c, "arenascope-proof 1\nbuffers ") || !asci_proof_number(c, &number) ||
      number != asc_problem_count(c->problem))
    return asci_proof_wrong(c, "expected \"arenascope-proof 1\", and the number of buffers of this problem"), ASC_BAD_INPUT;
  for (next_line(c); c->at < c->end; next_line(c)) {
    asc_status status = ASC_OK;
    if (asci_proof_word(c, "within ")) {
      if (!take_within(c, &about)) return ASC_BAD_INPUT;
    } else if (asci_proof_word(c, "lemma ")) {
      status = take_lemma(c, about);
    } else if (asci_proof_word(c, "none ")) {
      if (!asci_proof_number(c, &bytes) || bytes < 0 || !asci_proof_word(c, " L") || !asci_proof_number(c, &number))
        return asci_proof_wrong(c, "expected \"none BYTES L\" and a lemma"), ASC_BAD_INPUT;
      if (!check_claim(c, bytes, number)) return ASC_BAD_INPUT;
      if (bytes > *proven) *proven = bytes;
    } else {
      return asci_proof_wrong(c, "expected within, lemma or none"), ASC_BAD_INPUT;
    }
    if (status) return status;
  }
  return ASC_OK;
}

/* Marks what a lemma rests on: every L of its line. */
static void want_what_it_rests_on(checker *c, size_t number) {
  for (const char *at = c->text + c->lemmas[number].at; *at != '\n'; at++) {
    if (*at != 'L') continue;
    c->at = at + 1;
    int64_t other = 0;
    if (asci_proof_number(c, &other) && other >= 1 && (size_t)other < number) c->wanted[other] = 1;
  }
}

static asc_status check_all(checker *c, int64_t *proven) {
  asc_status status = take_lines(c, proven);
  for (size_t k = c->count; !status && k >= 1; k--)
    if (c->wanted[k]) want_what_it_rests_on(c, k);
  c->fault = status ? c->fault : NULL;
  for (size_t k = 1; !status && k <= c->count; k++)
    if (c->wanted[k] && !asci_proof_lemma(c, k)) status = c->no_memory ? ASC_OUT_OF_MEMORY : ASC_BAD_INPUT;
  return status;
}

static asc_status take_memory(checker *c) {
  size_t count = (size_t)asc_problem_count(c->problem) + 1;
  c->least = asci_alloc(c->context, count, sizeof *c->least);
  c->now = asci_alloc(c->context, count, sizeof *c->now);
  c->set = asci_alloc(c->context, count, sizeof *c->set);
  c->member = asci_calloc(c->context, count, sizeof *c->member);
  c->answered = asci_calloc(c->context, count, sizeof *c->answered);
  c->heights = asci_alloc(c->context, MOST_RANGES * (size_t)2, sizeof *c->heights);
  c->sorted = asci_alloc(c->context, count, sizeof *c->sorted);
  bool enough = c->least && c->now && c->set && c->member && c->answered && c->heights && c->sorted && take_spans(c);
  return enough ? ASC_OK : ASC_OUT_OF_MEMORY;
}

/* Gaps with windows and shapes let buffers nest, pools are memories of their own: the steps say nothing of these. */
static asc_status can_check(const asc_problem *problem, asc_diag *diag) {
  bool pools = asc_problem_pool_count(problem) != 1, shapes = false, windows = false;
  for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
    pools |= spec->pool != ASC_POOL_MAIN;
    shapes |= spec->shape_count != 0;
    for (uint32_t g = 0; g < spec->gap_count; g++) windows |= spec->gaps[g].window_lower < spec->gaps[g].window_upper;
  }
  if (pools) return asci_complain(diag, ASC_UNSUPPORTED, "pool", "there are no certificates for several pools");
  if (shapes) return asci_complain(diag, ASC_UNSUPPORTED, "shape", "there are no certificates for shapes");
  if (windows) return asci_complain(diag, ASC_UNSUPPORTED, "gaps", "there are no certificates for gaps with windows");
  return ASC_OK;
}

asc_status asc_proof_check(asc_context *context, const asc_problem *problem, const char *text, size_t bytes, int64_t *proven,
                           asc_diag *diag) {
  if (!context || !problem || !text || !proven)
    return asci_complain(diag, ASC_BAD_ARGUMENT, "", "there is nothing to check");
  asc_status status = can_check(problem, diag);
  if (status) return status;
  checker c = {.problem = problem,
               .context = context,
               .text = text,
               .end = text + bytes,
               .at = text,
               .about = {.round = 1},
               .placed = ASC_NONE};
  int64_t found = -1;
  status = take_memory(&c);
  if (!status) status = check_all(&c, &found);
  if (!status) *proven = found;
  if (status == ASC_BAD_INPUT) asci_complain(diag, status, "", "%s", c.fault ? c.fault : "is no certificate");
  if (status == ASC_OUT_OF_MEMORY) asci_complain(diag, status, "", "there is no memory for the check");
  if (status == ASC_BAD_INPUT && diag)
    for (const char *at = text; at < c.at || !diag->line; at++) diag->line += at == text || at[-1] == '\n';
  void *blocks[] = {c.first_span, c.spans,  c.lemmas,   c.wanted,  c.least,  c.now,
                    c.set,        c.member, c.answered, c.heights, c.sorted, c.ends};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) asci_free(c.context, blocks[k]);
  return status;
}
