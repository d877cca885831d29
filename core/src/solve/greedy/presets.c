/* Presets: planners of the field, replayed to the byte by configuring the shared driver.
 *
 * Each table entry below states the planner's rule, its tie-breaks and where they come from. What the originals leave to an
 * unstable sort is fixed here as a stable sort would leave it, and said so. All of them see a lifespan as one interval, so none
 * honours gaps; only TensorFlow Lite Micro knows fixed offsets. The lifespans of the originals name the last step in use
 * (inclusive); ours end one after it, which is the same set of pairs alive together.
 *
 * A buffer's own alignment is honoured by all: where a planner has one alignment for its arena, the places it finds are already
 * multiples of any alignment that divides it, and only otherwise an offset is rounded up further. Banks are none of theirs either: where
 * a buffer has one, the place is the lowest that keeps within it, and nothing else changes.
 *
 * Complexity: as place.h: O(n log n) + O(k log k) per buffer; the originals are quadratic or worse. */
#include "solve/greedy/place.h"

#define MAX_ALIGNMENT (INT64_C(1) << 20)

#define ALIGNMENT(X, T, initial, help) X(T, INT, alignment, "Arena alignment", initial, 1, MAX_ALIGNMENT, help)

#define TFLM_OPTIONS(X, T) \
  ALIGNMENT(X, T, "16", "Every size is rounded up to a multiple of it; TensorFlow Lite Micro uses 16 bytes.")
#define LITERT_OPTIONS(X, T) ALIGNMENT(X, T, "64", "Every offset is a multiple of it; LiteRT uses 64 bytes.")
#define OPENVINO_OPTIONS(X, T) \
  ALIGNMENT(X, T, "1", "Every size is rounded up to a multiple of it: the unit in which OpenVINO's caller gives sizes.")
#define XLA_OPTIONS(X, T) \
  X(T, CHOICE, order, "Order", "spatial", "spatial|temporal", \
    "Largest first and then longest lived (kSpatial), or longest lived first and then largest (kTemporal).") \
  ALIGNMENT(X, T, "1", "Ends of placed buffers are rounded up to a multiple of it; XLA's backend chooses it.")

ASCI_OPTION_VALUES(tflm_options, TFLM_OPTIONS);
ASCI_OPTION_VALUES(litert_options, LITERT_OPTIONS);
ASCI_OPTION_VALUES(openvino_options, OPENVINO_OPTIONS);
ASCI_OPTION_VALUES(xla_options, XLA_OPTIONS);
ASCI_OPTION_TABLE(tflm_options, TFLM_OPTIONS);
ASCI_OPTION_TABLE(litert_options, LITERT_OPTIONS);
ASCI_OPTION_TABLE(openvino_options, OPENVINO_OPTIONS);
ASCI_OPTION_TABLE(xla_options, XLA_OPTIONS);

#define PRESET(name, takes, ...) \
  const asci_solver asci_solver_##name = {.info = {__VA_ARGS__}, \
                                          .create = create_##name, \
                                          .destroy = asci_greedy_destroy, \
                                          .advance = asci_greedy_advance, \
                                          .view = asci_greedy_view, \
                                          .keep = asci_greedy_keep, \
                                          takes}

/* ---- TensorFlow Lite Micro ------------------------------------------------------------------------------------------- */

/* tensorflow/tflite-micro, memory_planner/greedy_memory_planner.cc: GreedyMemoryPlanner.
 * Buffers planned offline keep their offsets and come first, by index. The others by size, largest first; the planner lists them
 * from the last to the first and sorts with a stable bubble sort, so of equal sizes the HIGHER index is first. Each goes to the
 * lowest gap, in order of offset, between the placed buffers that share a step with it; else above them. Its caller
 * (micro_allocator.cc) has rounded all sizes up to 16. */
static asc_status create_tflm(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  asci_greedy_rule rule = {.order = ASCI_ORDER_TFLM,
                           .fit = ASCI_FIT_FIRST,
                           .round_size = ((const tflm_options *)run->options)->alignment,
                           .round_top = 1,
                           .round_offset = 1,
                           .line_fixed = 2,
                           .line_no_fit = 6,
                           .line_gap = 7,
                           .line_top = 8};
  return asci_greedy_create(run, &rule, state);
}

PRESET(
    tflm, ASCI_TAKES(tflm_options), .id = "tflm", .title = "TFLite Micro",
    .paper = "TensorFlow Lite Micro, greedy_memory_planner.cc",
    .summary = "TensorFlow Lite Micro's greedy planner: largest first, equal sizes from the last to the first, lowest gap.",
    .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_FIXED | ASC_SUPPORTS_BANKS, ASCI_TAKES_INFO(tflm_options),
    .pseudocode = "round all sizes up to the alignment\n"
                  "place offline planned buffers\n"
                  "for b in the others, largest first:\n"
                  "  edge = 0\n"
                  "  for p in placed with b, by offset:\n"
                  "    if p.offset - edge < size: edge = end\n"
                  "    else: place b at edge; next b\n"
                  "  place b at edge\n");

/* ---- LiteRT ---------------------------------------------------------------------------------------------------------- */

/* tensorflow/tensorflow, lite/arena_planner.cc and lite/simple_memory_arena.cc.
 * Order: tensors alive from the first to the last step (by index), then by size, largest first, then by first use; the rest is
 * left to std::sort and goes by index here. Place: of the gaps below placed tensors alive with it the smallest that holds it at an
 * aligned offset, the lowest of equal ones; else the aligned end. The arena measures a gap from the aligned offset when it compares
 * and from the unaligned edge when it remembers, which decides some ties; so does this. Alignment applies to offsets. */
static asc_status create_litert(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  asci_greedy_rule rule = {.order = ASCI_ORDER_LITERT,
                           .fit = ASCI_FIT_LITERT,
                           .round_size = 1,
                           .round_top = 1,
                           .round_offset = ((const litert_options *)run->options)->alignment,
                           .line_no_fit = 5,
                           .line_gap = 8,
                           .line_top = 9};
  return asci_greedy_create(run, &rule, state);
}

PRESET(litert, ASCI_TAKES(litert_options), .id = "litert", .title = "LiteRT", .paper = "TensorFlow Lite, arena_planner.cc",
       .summary = "LiteRT's arena planner: whole-life tensors, then largest first, each in the smallest gap that holds it.",
       .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_BANKS, ASCI_TAKES_INFO(litert_options),
       .pseudocode = "order: whole life, size, first use\n"
                     "for b in order:\n"
                     "  edge = 0\n"
                     "  for p in placed with b, by offset:\n"
                     "    if b does not fit under p: go on\n"
                     "    if gap < best gap: best = gap\n"
                     "    edge = max(edge, end of p)\n"
                     "  place b in the best gap, aligned\n"
                     "  if none: place b at edge, aligned\n");

/* ---- OpenVINO -------------------------------------------------------------------------------------------------------- */

/* openvinotoolkit/openvino, src/inference/dev_api/openvino/runtime/memory_solver.hpp: MemorySolver::solve.
 * Boxes are sorted by start and finish when they are taken in, then by size, largest first, with std::sort; equal sizes keep the
 * order by start, finish, index here. A box starts at 0 and is popped up to the end of any placed box it meets until it meets
 * none: the lowest free offset, since everything below such an end still meets that box. Sizes are in the caller's unit. */
static asc_status create_openvino(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  asci_greedy_rule rule = {.order = ASCI_ORDER_OPENVINO,
                           .fit = ASCI_FIT_FIRST,
                           .round_size = ((const openvino_options *)run->options)->alignment,
                           .round_top = 1,
                           .round_offset = 1,
                           .line_no_fit = 5,
                           .line_gap = 6,
                           .line_top = 6};
  return asci_greedy_create(run, &rule, state);
}

PRESET(openvino, ASCI_TAKES(openvino_options), .id = "openvino", .title = "OpenVINO", .paper = "OpenVINO, memory_solver.hpp",
       .summary = "OpenVINO's memory solver: largest first, popped up from 0 until nothing is in the way.",
       .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_BANKS, ASCI_TAKES_INFO(openvino_options),
       .pseudocode = "order: size, start, finish\n"
                     "for b in order:\n"
                     "  offset = 0\n"
                     "  while b meets a placed box p:\n"
                     "    offset = end of p\n"
                     "  place b at offset\n");

/* ---- TVM ------------------------------------------------------------------------------------------------------------- */

/* apache/tvm, src/tir/usmp/algo/greedy.cc, with one pool without a size hint.
 * greedy_by_size: size, then number of conflicts, then name, all of them greatest first. greedy_by_conflicts: conflicts, size,
 * name. The offset is the greatest end of all placed conflicts, each rounded up to the alignment of that conflict: holes are never
 * filled. Conflicts are counted over all buffers, placed or not; names compare byte by byte. */
static asc_status create_tvm(asc_run *run, asci_greedy_order order, void **state) {
  asci_greedy_rule rule = {.order = order,
                           .fit = ASCI_FIT_ABOVE,
                           .round_size = 1,
                           .round_top_own = true,
                           .round_top = 1,
                           .round_offset = 1,
                           .line_gap = 6,
                           .line_top = 6};
  return asci_greedy_create(run, &rule, state);
}

static asc_status create_tvm_by_size(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  return create_tvm(run, ASCI_ORDER_TVM_SIZE, state);
}

static asc_status create_tvm_by_conflicts(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  return create_tvm(run, ASCI_ORDER_TVM_CONFLICTS, state);
}

#define TVM_LOOP \
  "for b in order:\n" \
  "  offset = 0\n" \
  "  for c in placed conflicts of b:\n" \
  "    offset = max(offset, aligned end of c)\n" \
  "  place b at offset\n"

PRESET(tvm_by_size, , .id = "tvm-by-size", .title = "TVM by size", .paper = "Apache TVM, usmp/algo/greedy.cc",
       .summary = "TVM's greedy_by_size: largest first, always above everything placed that is alive with it.",
       .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_BANKS, .pseudocode = "order: size, conflicts, name\n" TVM_LOOP);

PRESET(tvm_by_conflicts, , .id = "tvm-by-conflicts", .title = "TVM by conflicts", .paper = "Apache TVM, usmp/algo/greedy.cc",
       .summary = "TVM's greedy_by_conflicts: most neighbours first, always above everything placed that is alive with it.",
       .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_BANKS, .pseudocode = "order: conflicts, size, name\n" TVM_LOOP);

/* ---- XLA ------------------------------------------------------------------------------------------------------------- */

/* openxla/xla, xla/service/heap_simulator/heap_simulator.cc: GlobalDecreasingSizeBestFitHeap, without colocations or slices.
 * kSpatial: size, then lifetime, greatest first, then buffer id; kTemporal: lifetime, then size, then buffer id. The free chunks
 * are what lies between the placed buffers alive with it, each from the end below rounded up to the alignment; the last is without
 * end. It takes the smallest that holds the buffer, of equal ones the lowest, at its start. */
static asc_status create_xla(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  const xla_options *o = run->options;
  asci_greedy_rule rule = {.order = o->order ? ASCI_ORDER_XLA_TEMPORAL : ASCI_ORDER_SIZE,
                           .fit = ASCI_FIT_BEST,
                           .round_size = 1,
                           .round_top = o->alignment,
                           .round_offset = 1,
                           .line_no_fit = 4,
                           .line_gap = 6,
                           .line_top = 7};
  return asci_greedy_create(run, &rule, state);
}

PRESET(xla, ASCI_TAKES(xla_options), .id = "xla", .title = "XLA best fit", .paper = "XLA, heap_simulator.cc",
       .summary = "XLA's global decreasing size best fit: largest (or longest lived) first, in the smallest free chunk.",
       .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_BANKS, ASCI_TAKES_INFO(xla_options),
       .pseudocode = "for b in order:\n"
                     "  chunks = space between placed with b\n"
                     "  for chunk in chunks:\n"
                     "    if chunk < size of b: skip it\n"
                     "  take the smallest, then lowest chunk\n"
                     "  place b at its start\n"
                     "  (the last chunk has no end)\n");
