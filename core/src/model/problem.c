#include "model/problem.h"

#include "base/diag.h"
#include "model/bank.h"

#include <string.h>

asc_status asc_problem_new(asc_context *context, asc_problem **problem) {
  if (!context || !problem) return ASC_BAD_ARGUMENT;
  asc_problem *made = asci_calloc(context, 1, sizeof *made);
  if (!made) return ASC_OUT_OF_MEMORY;
  made->context = context;
  *problem = made;
  return ASC_OK;
}

static void free_parts(asc_problem *problem) {
  for (uint32_t p = 0; problem->parts && p <= problem->pool_count; p++) {
    asc_problem_free(problem->parts[p].problem);
    asci_free(problem->context, problem->parts[p].buffers);
  }
  asci_free(problem->context, problem->parts);
  problem->parts = NULL;
}

void asci_problem_thaw(asc_problem *problem) {
  asc_context *context = problem->context;
  free_parts(problem);
  asci_ids_free(context, &problem->ids);
  asci_free(context, problem->piece_begin);
  asci_free(context, problem->pieces);
  asci_free(context, problem->sections);
  asci_free(context, problem->cuts);
  asci_free(context, problem->partition);
  problem->piece_begin = NULL;
  problem->pieces = NULL;
  problem->sections = NULL;
  problem->cuts = NULL;
  problem->partition = NULL;
  problem->section_count = 0;
}

void asc_problem_free(asc_problem *problem) {
  if (!problem) return;
  asc_context *context = problem->context;
  asci_arena_free(context, &problem->arena);
  asci_free(context, problem->buffers);
  asci_free(context, problem->pools);
  asci_problem_thaw(problem);
  asci_free(context, problem);
}

/* ---- adding ---------------------------------------------------------------------------------------------------------- */

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

/* A pool has an alignment and a bank of its own, which the buffer must be able to keep as well. */
static asc_status check_pool(const asc_problem *problem, const asc_buffer_spec *spec, asc_diag *diag) {
  if (spec->pool == ASC_POOL_ANY || spec->pool == ASC_POOL_MAIN) return ASC_OK;
  if (spec->pool > problem->pool_count)
    return asci_complain(diag, ASC_BAD_INPUT, "pool", "is number %u, expected one that was added", spec->pool);
  const asc_pool *pool = &problem->pools[spec->pool - 1];
  asc_buffer_spec inside = *spec;
  asc_diag why;
  asc_status status = asci_keep_pool(&inside, pool, &why);
  if (!status) status = check_placement(&inside, &why);
  if (!status) status = check_bank(&inside, &why);
  if (!status) return ASC_OK;
  /* also of what is too large: one row's fault, behind which others may have theirs */
  return asci_complain(diag, status == ASC_TOO_LARGE ? ASC_BAD_INPUT : status, "pool",
                       "is \xe2\x80\x9c%.40s\xe2\x80\x9d, in which %s %s", pool->id, why.field, why.message);
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
    return asci_refuse(diag, ASC_BAD_ARGUMENT);
  asc_status status = check(problem, spec, diag);
  if (status) return status;
  char *id = copy(problem, spec->id, strlen(spec->id) + 1);
  asc_gap *gaps = copy(problem, spec->gaps, spec->gap_count * sizeof *gaps);
  asc_rect *shape = copy(problem, spec->shape, spec->shape_count * sizeof *shape);
  if (!id || (spec->gap_count && !gaps) || (spec->shape_count && !shape) ||
      !asci_grow(problem->context, &problem->buffers, &problem->room, (size_t)problem->count + 1, sizeof *problem->buffers))
    return asci_refuse(diag, ASC_OUT_OF_MEMORY);
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
  if (!problem || !pool || problem->frozen) return asci_refuse(diag, ASC_BAD_ARGUMENT);
  asc_status status = check_new_pool(problem, pool, diag);
  if (status) return status;
  if (!problem->pools) problem->pools = asci_alloc(problem->context, ASC_MAX_POOLS, sizeof *problem->pools);
  char *id = copy(problem, pool->id, strlen(pool->id) + 1);
  if (!problem->pools || !id) return asci_refuse(diag, ASC_OUT_OF_MEMORY);
  problem->pools[problem->pool_count] = *pool;
  problem->pools[problem->pool_count++].id = id;
  if (index) *index = problem->pool_count;
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
