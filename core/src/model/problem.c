#include "model/problem.h"

#include "base/diag.h"
#include "base/hash.h"
#include "model/sweep.h"

#include <string.h>

asc_status asc_problem_new(asc_context *context, asc_problem **problem) {
  if (!context || !problem) return ASC_BAD_ARGUMENT;
  asc_problem *made = asci_calloc(context, 1, sizeof *made);
  if (!made) return ASC_OUT_OF_MEMORY;
  made->context = context;
  *problem = made;
  return ASC_OK;
}

void asc_problem_free(asc_problem *problem) {
  if (!problem) return;
  asc_context *context = problem->context;
  asci_arena_free(context, &problem->arena);
  asci_free(context, problem->buffers);
  asci_free(context, problem->pools);
  asci_ids_free(context, &problem->ids);
  asci_parts_free(problem);
  asci_sweep_free(problem);
  asci_free(context, problem);
}

/* ---- adding ---------------------------------------------------------------------------------------------------------- */

/* What is no fault of a field. */
static asc_status refuse(asc_diag *diag, asc_status status) {
  return asci_complain(diag, status, "", "%s", asc_status_text(status));
}

static bool within(int64_t value, int64_t low, int64_t high) {
  return value >= low && value <= high;
}

static asc_status check_lifespan(const asc_buffer_spec *spec, asc_diag *diag) {
  if (!within(spec->lower, -ASC_MAX_BYTES, ASC_MAX_BYTES))
    return asci_out_of_range(diag, "lower", spec->lower, -ASC_MAX_BYTES, ASC_MAX_BYTES);
  if (!within(spec->upper, -ASC_MAX_BYTES, ASC_MAX_BYTES))
    return asci_out_of_range(diag, "upper", spec->upper, -ASC_MAX_BYTES, ASC_MAX_BYTES);
  if (spec->lower < spec->upper) return ASC_OK;
  char a[ASCI_COMMAS], b[ASCI_COMMAS];
  return asci_complain(diag, ASC_BAD_INPUT, "upper", "is %s, expected more than lower, %s", asci_commas(a, spec->upper),
                       asci_commas(b, spec->lower));
}

static asc_status check_placement(const asc_buffer_spec *spec, asc_diag *diag) {
  if (!within(spec->size, 0, ASC_MAX_BYTES)) return asci_out_of_range(diag, "size", spec->size, 0, ASC_MAX_BYTES);
  if (!within(spec->alignment, 1, ASC_MAX_BYTES))
    return asci_out_of_range(diag, "alignment", spec->alignment, 1, ASC_MAX_BYTES);
  if (!within(spec->offset, ASC_UNPLACED, ASC_MAX_BYTES - spec->size))
    return asci_out_of_range(diag, "offset", spec->offset, 0, ASC_MAX_BYTES - spec->size);
  if (!within(spec->hint, ASC_UNPLACED, ASC_MAX_BYTES)) return asci_out_of_range(diag, "hint", spec->hint, 0, ASC_MAX_BYTES);
  if (spec->offset == ASC_UNPLACED || spec->offset % spec->alignment == 0) return ASC_OK;
  char a[ASCI_COMMAS], b[ASCI_COMMAS];
  return asci_complain(diag, ASC_BAD_INPUT, "offset", "is %s, expected a multiple of the alignment, %s",
                       asci_commas(a, spec->offset), asci_commas(b, spec->alignment));
}

static asc_status check_bank(const asc_buffer_spec *spec, asc_diag *diag) {
  if (!within(spec->bank, 0, ASC_MAX_BYTES)) return asci_out_of_range(diag, "bank", spec->bank, 0, ASC_MAX_BYTES);
  if (spec->bank == 0) return ASC_OK;
  char a[ASCI_COMMAS], b[ASCI_COMMAS];
  if (spec->bank < spec->size)
    return asci_complain(diag, ASC_BAD_INPUT, "bank", "is %s, expected at least the size, %s", asci_commas(a, spec->bank),
                         asci_commas(b, spec->size));
  if (spec->offset == ASC_UNPLACED || asci_in_one_bank(spec->offset, spec->size, spec->bank)) return ASC_OK;
  return asci_complain(diag, ASC_BAD_INPUT, "offset", "is %s, expected no multiple of the bank, %s, inside the buffer",
                       asci_commas(a, spec->offset), asci_commas(b, spec->bank));
}

static asc_status bad_gap(const asc_gap *gap, asc_diag *diag, const char *expected) {
  char a[ASCI_COMMAS], b[ASCI_COMMAS];
  return asci_complain(diag, ASC_BAD_INPUT, "gaps", "has %s-%s, expected %s", asci_commas(a, gap->lower),
                       asci_commas(b, gap->upper), expected);
}

static asc_status check_gaps(const asc_buffer_spec *spec, asc_diag *diag) {
  int64_t time = spec->lower;
  for (uint32_t g = 0; g < spec->gap_count; g++) {
    const asc_gap *gap = &spec->gaps[g];
    if (gap->lower >= gap->upper) return bad_gap(gap, diag, "a gap that begins before it ends");
    if (gap->lower < spec->lower || gap->upper > spec->upper) return bad_gap(gap, diag, "gaps inside the lifespan");
    if (gap->lower < time) return bad_gap(gap, diag, "gaps in order of time that do not overlap");
    bool none = gap->window_lower == 0 && gap->window_upper == 0;
    if (!none && (gap->window_lower < 0 || gap->window_lower >= gap->window_upper || gap->window_upper > spec->size))
      return bad_gap(gap, diag, "a window that begins before it ends, inside the size");
    time = gap->upper;
  }
  return ASC_OK;
}

static asc_status check_pool(const asc_problem *problem, const asc_buffer_spec *spec, asc_diag *diag) {
  if (spec->pool == ASC_POOL_ANY || spec->pool <= problem->pool_count) return ASC_OK;
  return asci_complain(diag, ASC_BAD_INPUT, "pool", "is number %u, expected one that was added", spec->pool);
}

static asc_status check_limits(const asc_problem *problem, const asc_buffer_spec *spec, asc_diag *diag) {
  if (problem->count >= ASC_MAX_BUFFERS)
    return asci_complain(diag, ASC_TOO_LARGE, "id", "is one too many, expected at most 1,048,576 buffers");
  bool sizes = spec->size <= ASC_MAX_BYTES - problem->total_size;
  if (sizes && spec->alignment <= ASCI_MAX_ALIGNMENTS - problem->total_alignment) return ASC_OK;
  return asci_complain(diag, ASC_TOO_LARGE, sizes ? "alignment" : "size",
                       "is too much: all sizes together may be at most 9,007,199,254,740,991, all "
                       "alignments 512 times that");
}

static asc_status check(const asc_problem *problem, const asc_buffer_spec *spec, asc_diag *diag) {
  asc_status status = asci_check_id(spec->id, diag);
  if (!status) status = check_lifespan(spec, diag);
  if (!status) status = check_placement(spec, diag);
  if (!status) status = check_bank(spec, diag);
  if (!status) status = check_gaps(spec, diag);
  if (!status && spec->shape_count) status = asci_check_shape(problem->context, spec, diag);
  if (!status) status = check_pool(problem, spec, diag);
  if (!status) status = check_limits(problem, spec, diag);
  return status;
}

static void note_features(asc_problem *problem, const asc_buffer_spec *spec) {
  problem->total_size += spec->size;
  problem->total_alignment += spec->alignment;
  problem->has_alignment |= spec->alignment > 1;
  problem->has_fixed |= spec->offset != ASC_UNPLACED;
  problem->has_hints |= spec->hint != ASC_UNPLACED;
  problem->has_banks |= spec->bank > 0;
  problem->has_gaps |= spec->gap_count > 0;
  problem->has_shapes |= spec->shape_count > 0;
  problem->has_any_pool |= spec->pool == ASC_POOL_ANY;
  for (uint32_t g = 0; g < spec->gap_count; g++) problem->has_windows |= spec->gaps[g].window_upper > 0;
}

/* A copy that lives as long as the problem; NULL also where there is nothing to copy. */
static void *copy(asc_problem *problem, const void *from, size_t bytes) {
  void *made = bytes ? asci_arena_alloc(problem->context, &problem->arena, bytes) : NULL;
  if (made) memcpy(made, from, bytes);
  return made;
}

asc_status asc_problem_add(asc_problem *problem, const asc_buffer_spec *spec, asc_diag *diag) {
  if (!problem || !spec || problem->frozen || (spec->gap_count && !spec->gaps) || (spec->shape_count && !spec->shape))
    return refuse(diag, ASC_BAD_ARGUMENT);
  asc_status status = check(problem, spec, diag);
  if (status) return status;
  char *id = copy(problem, spec->id, strlen(spec->id) + 1);
  asc_gap *gaps = copy(problem, spec->gaps, spec->gap_count * sizeof *gaps);
  asc_rect *shape = copy(problem, spec->shape, spec->shape_count * sizeof *shape);
  if (!id || (spec->gap_count && !gaps) || (spec->shape_count && !shape) ||
      !asci_grow(problem->context, &problem->buffers, &problem->room, (size_t)problem->count + 1, sizeof *problem->buffers))
    return refuse(diag, ASC_OUT_OF_MEMORY);
  asc_buffer_spec *buffer = &problem->buffers[problem->count++];
  *buffer = *spec;
  buffer->id = id;
  buffer->gaps = gaps;
  buffer->shape = shape;
  note_features(problem, spec);
  return ASC_OK;
}

static asc_status check_new_pool(const asc_problem *problem, const asc_pool *pool, asc_diag *diag) {
  asc_status status = asci_check_id(pool->id, diag);
  if (status) return status;
  if (problem->pool_count + 1 >= ASC_MAX_POOLS)
    return asci_complain(diag, ASC_TOO_LARGE, "pool", "is one too many, expected at most %u", ASC_MAX_POOLS - 1);
  for (uint32_t p = 0; p < problem->pool_count; p++)
    if (!strcmp(problem->pools[p].id, pool->id))
      return asci_complain(diag, ASC_BAD_INPUT, "id", "\xe2\x80\x9c%.150s\xe2\x80\x9d is already a pool", pool->id);
  if (!within(pool->capacity, 0, ASC_MAX_BYTES))
    return asci_out_of_range(diag, "capacity", pool->capacity, 0, ASC_MAX_BYTES);
  if (!within(pool->alignment, 1, ASC_MAX_BYTES))
    return asci_out_of_range(diag, "alignment", pool->alignment, 1, ASC_MAX_BYTES);
  if (!within(pool->bank, 0, ASC_MAX_BYTES)) return asci_out_of_range(diag, "bank", pool->bank, 0, ASC_MAX_BYTES);
  return ASC_OK;
}

asc_status asc_problem_add_pool(asc_problem *problem, const asc_pool *pool, uint32_t *index, asc_diag *diag) {
  if (!problem || !pool || problem->frozen) return refuse(diag, ASC_BAD_ARGUMENT);
  asc_status status = check_new_pool(problem, pool, diag);
  if (status) return status;
  if (!problem->pools) problem->pools = asci_alloc(problem->context, ASC_MAX_POOLS, sizeof *problem->pools);
  char *id = copy(problem, pool->id, strlen(pool->id) + 1);
  if (!problem->pools || !id) return refuse(diag, ASC_OUT_OF_MEMORY);
  problem->pools[problem->pool_count] = *pool;
  problem->pools[problem->pool_count++].id = id;
  if (index) *index = problem->pool_count;
  return ASC_OK;
}

/* ---- freezing -------------------------------------------------------------------------------------------------------- */

static asc_status enter_ids(asc_problem *problem, asc_diag *diag) {
  for (uint32_t b = 0; b < problem->count; b++) {
    const char *id = problem->buffers[b].id;
    uint32_t first;
    asc_status status = asci_ids_enter(problem->context, &problem->ids, (asci_id){id, strlen(id), b + 1}, &first);
    if (status) return refuse(diag, status);
    if (first) return asci_complain(diag, ASC_BAD_INPUT, "id", "\xe2\x80\x9c%.150s\xe2\x80\x9d is already used", id);
  }
  return ASC_OK;
}

/* Shape and pool, of which most buffers have none. */
static uint64_t fold_place(uint64_t hash, const asc_buffer_spec *spec) {
  if (!spec->shape_count && spec->pool == ASC_POOL_MAIN) return hash;
  hash = asci_fold(hash, ~(uint64_t)spec->pool);
  hash = asci_fold(hash, spec->shape_count);
  for (uint32_t r = 0; r < spec->shape_count; r++) {
    hash = asci_fold(hash, (uint64_t)spec->shape[r].lower);
    hash = asci_fold(hash, (uint64_t)spec->shape[r].upper);
    hash = asci_fold(hash, (uint64_t)spec->shape[r].low);
    hash = asci_fold(hash, (uint64_t)spec->shape[r].high);
  }
  return hash;
}

static uint64_t fold_pool(uint64_t hash, const asc_pool *pool) {
  hash = asci_fold_text(hash, pool->id);
  hash = asci_fold(hash, (uint64_t)pool->capacity);
  hash = asci_fold(hash, (uint64_t)pool->alignment);
  return asci_fold(hash, (uint64_t)pool->bank);
}

static uint64_t digest_of(const asc_problem *problem) {
  uint64_t hash = asci_fold(ASCI_HASH_SEED, problem->count);
  for (uint32_t b = 0; b < problem->count; b++) {
    const asc_buffer_spec *spec = &problem->buffers[b];
    hash = asci_fold_text(hash, spec->id);
    hash = asci_fold(hash, (uint64_t)spec->lower);
    hash = asci_fold(hash, (uint64_t)spec->upper);
    hash = asci_fold(hash, (uint64_t)spec->size);
    hash = asci_fold(hash, (uint64_t)spec->alignment);
    hash = asci_fold(hash, (uint64_t)spec->offset);
    hash = asci_fold(hash, (uint64_t)spec->hint);
    hash = asci_fold(hash, spec->gap_count);
    for (uint32_t g = 0; g < spec->gap_count; g++) {
      hash = asci_fold(hash, (uint64_t)spec->gaps[g].lower);
      hash = asci_fold(hash, (uint64_t)spec->gaps[g].upper);
      hash = asci_fold(hash, (uint64_t)spec->gaps[g].window_lower);
      hash = asci_fold(hash, (uint64_t)spec->gaps[g].window_upper);
    }
    /* Links carry digests from before there were banks. The complement is no byte that an id could begin with. */
    if (spec->bank) hash = asci_fold(hash, ~(uint64_t)spec->bank);
    hash = fold_place(hash, spec);
  }
  for (uint32_t p = 0; p < problem->pool_count; p++) hash = fold_pool(hash, &problem->pools[p]);
  return hash;
}

asc_status asc_problem_freeze(asc_problem *problem, asc_diag *diag) {
  if (!problem || problem->frozen) return refuse(diag, ASC_BAD_ARGUMENT);
  asc_status status = enter_ids(problem, diag);
  if (!status) {
    status = asci_sweep_new(problem);
    if (status) refuse(diag, status);
  }
  if (!status && problem->pool_count) {
    status = asci_parts_new(problem, diag);
    if (status) asci_sweep_free(problem);
  }
  if (status) {
    asci_ids_free(problem->context, &problem->ids);
    return status;
  }
  problem->digest = digest_of(problem);
  problem->frozen = true;
  return ASC_OK;
}

/* ---- looking --------------------------------------------------------------------------------------------------------- */

uint32_t asc_problem_count(const asc_problem *problem) {
  return problem->count;
}

const char *asc_problem_id(const asc_problem *problem, uint32_t buffer) {
  return buffer < problem->count ? problem->buffers[buffer].id : "";
}

const asc_buffer_spec *asc_problem_buffer(const asc_problem *problem, uint32_t buffer) {
  return buffer < problem->count ? &problem->buffers[buffer] : NULL;
}

uint32_t asc_problem_find(const asc_problem *problem, const char *id) {
  return asci_ids_find(&problem->ids, id, strlen(id)) - 1;
}

uint32_t asc_problem_pool_count(const asc_problem *problem) {
  return problem->pool_count + 1;
}

const asc_pool *asc_problem_pool(const asc_problem *problem, uint32_t pool) {
  static const asc_pool main_pool = {.id = "", .alignment = 1};
  if (pool == ASC_POOL_MAIN) return &main_pool;
  return pool <= problem->pool_count ? &problem->pools[pool - 1] : NULL;
}

const asc_problem *asc_problem_part(const asc_problem *problem, uint32_t pool) {
  if (pool > problem->pool_count) return NULL;
  return problem->parts ? problem->parts[pool].problem : problem;
}

const uint32_t *asc_problem_part_buffers(const asc_problem *problem, uint32_t pool) {
  return problem->parts && pool <= problem->pool_count ? problem->parts[pool].buffers : NULL;
}

uint64_t asc_problem_digest(const asc_problem *problem) {
  return problem->digest;
}

uint32_t asc_problem_section_count(const asc_problem *problem) {
  return problem->section_count;
}

const asc_section *asc_problem_sections(const asc_problem *problem) {
  return problem->sections;
}

uint32_t asc_problem_peak(const asc_problem *problem) {
  return problem->section_count ? problem->peak : ASC_NONE;
}

int64_t asc_problem_lower_bound(const asc_problem *problem) {
  return problem->lower_bound;
}

uint32_t asc_problem_partition_count(const asc_problem *problem) {
  return problem->partition_count;
}

const uint32_t *asc_problem_partitions(const asc_problem *problem) {
  return problem->partition;
}

const uint32_t *asc_problem_cuts(const asc_problem *problem) {
  return problem->cuts;
}
