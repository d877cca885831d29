/* Models: a graph of operators and tensors, and the buffers that it is lowered to. asc.h says what all of it keeps to. */
#ifndef ASC_GRAPH_H
#define ASC_GRAPH_H

#include "asc/problem.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- model graphs ---------------------------------------------------------------------------------------------------- */

/* What a tensor is, as bits; 0: an activation, made by one operator and read by others. OUTPUT may stand with each of the others but
   WORKSPACE; of the rest at most one is set. */
enum {
  ASC_TENSOR_INPUT = 1,      /* the model's: there before the first operator */
  ASC_TENSOR_OUTPUT = 2,     /* the model's: must be there after the last operator */
  ASC_TENSOR_CONSTANT = 4,   /* weights and other data of the model */
  ASC_TENSOR_VARIABLE = 8,   /* state that outlives a run; any operator that names it may change it */
  ASC_TENSOR_WORKSPACE = 16, /* scratch of the operators that name it */
};

#define ASC_MAX_TENSOR_ALIGNMENT (INT64_C(1) << 30)

typedef struct asc_tensor_spec {
  const char *id;    /* any bytes but NUL, 1 to 255; unique among tensors */
  int64_t bytes;     /* 0 to ASC_MAX_BYTES, all together with the workspaces at most that, too */
  uint32_t kind;     /* ASC_TENSOR_* */
  int64_t alignment; /* 1 to ASC_MAX_TENSOR_ALIGNMENT */
  const char *shape,
      *dtype; /* to be shown, at most 255 bytes; NULL: unknown. A shape of the form 1x8x8 is what tiles are made by (asc_graph_tile) */
  const char *axes; /* what the shape's dimensions are, a letter each: "NCHW"; NULL: unknown */
} asc_tensor_spec;

/* An output and an input of one operator, as tensors. */
typedef struct asc_tensor_pair {
  uint32_t output, input;
} asc_tensor_pair;

typedef struct asc_op_spec {
  const char *id;                   /* any bytes but NUL, 1 to 255; unique among operators */
  const char *type;                 /* to be shown: "Conv"; at most 255 bytes; NULL: unknown */
  const uint32_t *inputs, *outputs; /* tensors */
  uint32_t input_count, output_count;
  const asc_tensor_pair *inplace; /* the output may be written over the input, if nobody else needs that */
  const asc_tensor_pair *alias; /* the output is the input's bytes seen in another shape; one pair at most for each output */
  uint32_t inplace_count, alias_count;
  int64_t workspace; /* scratch bytes while it runs */
  const char *
      windows; /* what of each input a part of the output needs, see README.md beside core/src/io; at most 255 bytes; NULL: unknown */
} asc_op_spec;

/* Tensors, and operators in the order of the default schedule. */
typedef struct asc_graph asc_graph;

asc_status asc_graph_new(asc_context *context, asc_graph **graph);
void asc_graph_free(asc_graph *graph);
/* Add a tensor, or an operator on tensors that were added before; everything is copied. O(bytes copied) expected. At most ASC_MAX_BUFFERS of
   each. Errors: BAD_INPUT, TOO_LARGE (diag, if not NULL, says which field), BAD_ARGUMENT, OUT_OF_MEMORY. */
asc_status asc_graph_add_tensor(asc_graph *graph, const asc_tensor_spec *spec, asc_diag *diag);
asc_status asc_graph_add_op(asc_graph *graph, const asc_op_spec *spec, asc_diag *diag);
/* Checks the graph; afterwards it never changes. There is an operator; each tensor but a variable is made at most once, each activation and
   output that is named is made, inputs, constants and workspaces are not; no operator waits for itself; operators stand behind those
   whose outputs they read; pairs name an output and an input of their operator. O(n + uses). Errors: BAD_INPUT (diag has the first
   fault, with the operator or tensor that it is of), OUT_OF_MEMORY; the graph may then be added to and frozen again. */
asc_status asc_graph_freeze(asc_graph *graph, asc_diag *diag);

uint32_t asc_graph_tensor_count(const asc_graph *graph);
uint32_t asc_graph_op_count(const asc_graph *graph);
/* Borrowed; NULL if there is none. Texts that were NULL are "". */
const asc_tensor_spec *asc_graph_tensor(const asc_graph *graph, uint32_t tensor);
const asc_op_spec *asc_graph_op(const asc_graph *graph, uint32_t op);
/* The tensor of that id or ASC_NONE; O(length) expected. */
uint32_t asc_graph_find(const asc_graph *graph, const char *id);
/* The operator that makes the tensor (of a variable: the first) or ASC_NONE. Before freeze there is none. */
uint32_t asc_graph_producer(const asc_graph *graph, uint32_t tensor);

/* ---- lowering: from a graph to buffers ------------------------------------------------------------------------------- */

/* Operator k of the schedule runs at time k. A tensor is alive from the operator that makes it until after the last one that reads it, so
   that an operator's inputs and outputs are alive together; an input from time 0, an output to the end, a variable all the time, a tensor
   that nobody reads at its operator alone. Tensors of 0 bytes and those that no operator names have no buffer. The options say the rest. */
typedef struct asc_lowering asc_lowering;

/* The table of options: constants, prefetch, preserve_inputs, inplace, alias, workspace, alignment, align_by, order, share_io,
   inplace_ops. */
const asc_option *asc_lower_options(uint32_t *count);

/* Makes a buffer problem of a frozen graph, which must outlive it. A buffer has the id of its tensor, of the one made first if several
   share it; a workspace that of its operator and ":workspace"; a constant that is loaded more than once that of the tensor, ":2" and
   so on from the second time on; a further number is added if a tensor has that name. O((n + uses) log n).
   Errors: UNKNOWN_OPTION, BAD_OPTION, TOO_LARGE, BAD_INPUT (diag, if not NULL, says what), BAD_ARGUMENT, OUT_OF_MEMORY. */
asc_status asc_lower(const asc_graph *graph, const asc_option_value *options, uint32_t count, asc_lowering **lowering,
                     asc_diag *diag);
void asc_lowering_free(asc_lowering *lowering);
/* The memory that the buffers are for, before anything is run on the lowering: the problem, and that of every plan, are then as
   asc_profile_apply makes them. NULL: none, as at first. O(n log n + uses). Errors: those of asc_profile_apply, after which the lowering is as
   before. */
asc_status asc_lowering_set_profile(asc_lowering *lowering, const asc_profile *profile, asc_diag *diag);
/* Borrowed, frozen, until the next profile is set: the buffers under the lowering's own schedule; and those without a profile. */
const asc_problem *asc_lowering_problem(const asc_lowering *lowering);
const asc_problem *asc_lowering_plain(const asc_lowering *lowering);
/* schedule[k]: the operator that runs at time k. */
const uint32_t *asc_lowering_schedule(const asc_lowering *lowering);
/* Per tensor its buffer, ASC_NONE if it is out of the plan; of a constant that is loaded several times the first. */
const uint32_t *asc_lowering_buffers(const asc_lowering *lowering);
/* Per operator the buffer of its workspace or ASC_NONE. */
const uint32_t *asc_lowering_workspaces(const asc_lowering *lowering);
/* The k-th sentence on what was left out or could not be done, NULL past the last. */
const char *asc_lowering_note(const asc_lowering *lowering, uint32_t k);

/* The three memory budgets of COSMA (section V), in bytes, under the same options. */
typedef struct asc_budgets {
  int64_t required; /* M_R: the most that one operator's inputs, outputs and workspace take */
  int64_t half;     /* M_H: half way between them, rounded down */
  int64_t peak;     /* M_P, best known: the least load among the schedules of the option "order" */
} asc_budgets;
asc_budgets asc_lowering_budgets(const asc_lowering *lowering);
/* The same as the lowering's profile takes the sizes, with the least peak of all orders, which a search finds in up to `effort` transitions (0: no
   search; M_R stands for all). proven: no order has a lower one; else it is the least that was found. Exponential in the operators that may run at the same
   place of an order. Errors: OUT_OF_MEMORY (also when not even the given order was looked through). */
asc_status asc_lowering_least_peak(const asc_lowering *lowering, uint64_t effort, asc_budgets *budgets, bool *proven);

/* Which program asc_lowering_lp writes. */
typedef enum asc_lp_model {
  ASC_LP_ADDRESSES, /* COSMA's (1) to (12): order, spills, retrievals and addresses */
  ASC_LP_CAPACITY,  /* without addresses, (9) to (11) */
  ASC_LP_GAPS,      /* the given order: which tensors are out between which of their uses */
} asc_lp_model;
/* Writes the least traffic of plans within a capacity as an integer linear program, in the text format of LP solvers. The model's inputs have a copy
   outside. O(operators * tensors^2) lines. Errors: UNSUPPORTED (diag) of what is done in place or stays in the arena, BAD_ARGUMENT, also of a
   sink that stops, OUT_OF_MEMORY. */
asc_status asc_lowering_lp(const asc_lowering *lowering, int64_t capacity, asc_lp_model kind, asc_sink sink, void *user,
                           asc_diag *diag);

/* ---- graph CSV ------------------------------------------------------------------------------------------------------- */

/* Whether a text is a graph CSV rather than a buffer CSV: its first record begins with "tensor" or "op" and does not name a
   lifespan and a size, as the columns of a buffer CSV do. O(length of that record). */
bool asc_graph_csv_is(const char *text, size_t bytes);
/* Reads a graph CSV (see README.md beside core/src/io). Reports the first `room` errors by line and the number of all; on error nothing is
   loaded. The graph is frozen. O(bytes + n). Errors: BAD_INPUT, TOO_LARGE, OUT_OF_MEMORY. */
asc_status asc_graph_csv_read(asc_context *context, const char *text, size_t bytes, asc_graph **graph, asc_diag *diags,
                              size_t room, size_t *count);
/* Writes a graph CSV that reads back as the same graph. */
asc_status asc_graph_csv_write(const asc_graph *graph, asc_sink sink, void *user);

/* ---- packed graphs --------------------------------------------------------------------------------------------------- */

/* A graph as three arrays, for who hands it over as a whole (see README.md beside core/src/io). Borrowed; nothing in them is trusted. */
typedef struct asc_packed_graph {
  const double *numbers;
  const uint32_t *words;
  const char *text;
  size_t number_count, word_count, text_bytes;
} asc_packed_graph;
/* Makes a frozen graph of them, by asc_graph_add_tensor, asc_graph_add_op and asc_graph_freeze. On error nothing is made; diag (may be NULL) has the first
   mistake and says which tensor or operator it is of. O(length of the arrays). Errors: BAD_ARGUMENT, BAD_INPUT, TOO_LARGE,
   OUT_OF_MEMORY. */
asc_status asc_graph_unpack(asc_context *context, const asc_packed_graph *packed, asc_graph **graph, asc_diag *diag);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
