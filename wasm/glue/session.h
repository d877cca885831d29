/* The core as flat functions for WebAssembly: handles, numbers and texts cross, no structs. Nothing is decided here. What begins with glue_ is
 * exported by the modules that exports.txt says, and is left out of the others.
 *
 * A session holds one problem, one run and one explanation. Arguments that are texts or arrays lie in the session's input
 * (glue_input); results are written to its three outputs, which glue_out describes and the next call overwrites:
 *
 *     numbers   double    bytes, times, steps: exact, for all of them stay below 2^53; a 64-bit digest is two halves of 32 bits
 *     words     uint32_t  indices and counters
 *     text      char      UTF-8; several strings each end with a NUL
 *
 * Every function that can fail returns an asc_status. A message about the input is then left in the outputs, as
 * numbers = total, then line, column and length of each; text = field and message of each. */
#ifndef ASC_GLUE_SESSION_H
#define ASC_GLUE_SESSION_H

#include "asc/asc.h"
#include "asc/tile.h"
#include "outputs.h"
#include <stdlib.h>
#include <string.h>

#define MAX_DIAGS 20u

typedef struct session session;
struct session {
  asc_context *context;
  asc_csv_reading *reading; /* NULL unless one is under way */
  char *read;               /* its text */
  asc_diag diags[MAX_DIAGS];
  asc_csv *csv;     /* NULL unless the problem came as CSV */
  asc_graph *graph; /* NULL unless it was lowered from a graph */
  asc_lowering *lowering;
  /* how: glue_again has it from whatever opened a graph, so that a module which opens none has nothing of it */
  asc_status (*lower)(session *, const asc_graph *, const char *at, const char *end, asc_lowering **, asc_diag *);
  asc_tiling *tiling;           /* NULL unless the problem came as tasks on tiles */
  asc_problem *tiled;           /* its tensors as buffers */
  asc_problem *applied;         /* the csv's problem, or the tiling's, under a profile, NULL without one */
  const asc_problem *problem;   /* that one, or of the csv, the tiling or the lowering, NULL while there is none */
  asc_profile profile;          /* of the next problem */
  asc_timeline *timeline;       /* NULL while there is no run */
  asc_explain *explain;         /* NULL unless one is under way */
  asc_run *certified;           /* NULL unless a certificate is being written */
  bool selects;                 /* the run chooses between two memories */
  const asc_problem *situation; /* of the frame before, if the call before was for one, and its order */
  const uint32_t *order;
  char *input;
  size_t input_bytes;
  outputs out;
};

/* OK, or OUT_OF_MEMORY if an output could not grow. */
int32_t done(const session *s);
/* Answers with a status and what is wrong with the input. */
int32_t refuse(session *s, asc_status status, const asc_diag *diags, size_t shown, size_t total);

/* True for integers from least to ASC_MAX_BYTES: only those may be cast. */
bool whole(double value, double least);

static inline double high_half(uint64_t value) {
  return (double)(uint32_t)(value >> 32);
}

static inline double low_half(uint64_t value) {
  return (double)(uint32_t)value;
}

/* Name and value of each option from a part of the input. Returns the options (free them) or NULL without memory. */
asc_option_value *read_options(const char *at, const char *end, uint32_t *count);

/* What a run of that solver is about. */
asc_input input_of(const session *s, const char *solver);
/* What a run is to do; the input names its solver and options, name and value of each behind it. The options are to be freed. Errors:
   BAD_ARGUMENT, OUT_OF_MEMORY. */
asc_status take_config(session *s, uint32_t goal, double capacity, double seed, double budget, asc_run_config *config,
                       asc_option_value **options);

void drop_input(session *s);
void drop_reading(session *s);
void drop_explain(session *s);
void drop_certified(session *s);

static inline bool has_profile(const session *s) {
  return s->profile.alignment > 1 || s->profile.bank;
}

/* Where a problem comes from: what is read of it, and what owns it. */
typedef struct origin {
  asc_csv *csv;
  asc_graph *graph;
  asc_lowering *lowering;
  asc_tiling *tiling;
  asc_problem *tiled;
} origin;

/* Gives the session a problem, which its origin owns; what was begun on the one before is dropped. What was read may be the present. */
void replace(session *s, origin from, asc_problem *applied);

#endif
