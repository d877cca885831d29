/* From a model's graph to tasks on tiles. What the parts share. */
#ifndef ASCI_TILER_TILER_H
#define ASCI_TILER_TILER_H

#include "base/options.h"
#include "graph/graph.h"
#include "graph/window.h"
#include "tile/tiling.h"

enum { ASCI_TILES_LAYER, ASCI_TILES_DEPTH, ASCI_TILES_ALTERNATING };
enum { ASCI_TILES_IN_PLACE, ASCI_TILES_COPY };

#define ASCI_TILE_OPTIONS(X, T) \
  X(T, CHOICE, order, "Order of tiles", "layer", "layer|depth|alternating", \
    "Operator by operator; the last operator whose next tile can be made; operator by operator, each through its tiles " \
    "against the direction of the one before it (the order that section III of the paper takes as given).") \
  X(T, CHOICE, layout, "Layout", "graph", "graph|NCHW|NHWC|NC32HW32", \
    "Where an element of a picture lies (the strides of section II.B): as the graph has its dimensions, or otherwise.") \
  X(T, INT, channels, "Channel padding", "1", 1, 4096, \
    "Channels of pictures are rounded up to a multiple of it, as accelerators store them (table 3 of the paper).") \
  X(T, CHOICE, concat, "Concatenations", "place", "place|copy", \
    "Parts are written where they belong in the whole, as compilers have it, or copied there by an operator of its own.")
ASCI_OPTION_VALUES(asci_tile_settings, ASCI_TILE_OPTIONS);

/* What is known of a tensor of the graph. */
typedef struct asci_form {
  uint32_t store; /* the tensor whose bytes it is: itself, or that it is an alias or a part of; ASC_NONE: it is in no tile */
  bool inside;    /* it is a part of its store, and made there */
  bool aliased;   /* it is an alias, or has one */
  uint32_t tiled; /* of a store: its number in the tiling */
  bool known;     /* its shape is; else it is a row of bytes */
  uint32_t rank;
  int64_t sizes[ASC_MAX_RANK];  /* as in the graph, below 2^31 if they are known */
  uint32_t place[ASC_MAX_RANK]; /* by dimension: which one of the tiling's it is */
  uint32_t channels;            /* the dimension of channels, ASC_NONE if it is no picture */
  int64_t granule;              /* channels are cut at multiples of it */
  int64_t padded;               /* channels in memory */
  int64_t element;
  int64_t shift[ASC_MAX_RANK]; /* by dimension: where it begins in the store that it is inside of */
} asci_form;

/* Into which tiles an operator's output is cut. */
typedef struct asci_cut {
  uint32_t output; /* the tensor that is cut, ASC_NONE: the operator makes nothing that is in a tile */
  uint32_t rank;
  uint32_t loops[ASC_MAX_RANK]; /* its dimensions, the outermost first */
  int64_t tile[ASC_MAX_RANK];   /* by dimension */
  int64_t counts[ASC_MAX_RANK];
  uint64_t tiles; /* 0: nothing to do */
  bool backward;  /* the last tile first */
  bool in_place;  /* it joins what is there already: nothing to do */
} asci_cut;

typedef struct asci_tiler {
  asc_context *context;
  const asc_graph *graph;
  asci_tile_settings set;
  int64_t capacity;
  asc_tiling *tiling;
  asci_form *forms;                 /* per tensor */
  asci_cut *cuts;                   /* per operator */
  uint32_t *member_begin, *members; /* compressed rows: per store what operators make of it, itself or what is inside */
  asc_diag *diag;
} asci_tiler;

/* The table of options as they were read. Errors: those of asci_options_read. */
asc_status asci_tile_settings_read(const asc_option_value *options, uint32_t count, asci_tile_settings *set, asc_diag *diag);

/* ---- forms.c ---- */

/* Learns the forms of all tensors. Errors: OUT_OF_MEMORY. */
asc_status asci_forms(asci_tiler *t);
/* Adds a tensor of that form to the tiling under a name; form->tiled says which it is. Errors: those of asc_tiling_add_tensor. */
asc_status asci_form_add(asci_tiler *t, uint32_t tensor, const char *id, uint32_t kind);
/* Bytes that a part takes on the chip, padding of channels included. */
int64_t asci_form_bytes(const asci_form *form, const int64_t lengths[ASC_MAX_RANK]);
/* The part as a box of the tiling, whose channels are whole granules. */
asc_box asci_form_box(const asci_form *form, const asci_range ranges[ASC_MAX_RANK]);
/* "op:3": unique among operators and numbers, in a buffer of 256. */
void asci_task_id(char id[256], const char *base, uint32_t index, uint64_t number);

/* ---- join.c ---- */

/* Puts the parts of concatenations where they belong; the forms are known, and nothing is chosen yet. O(tensors + uses, squared in one operator). */
void asci_join(asci_tiler *t);
/* Whether the operator whose output it is writes it: it is no alias. */
bool asci_is_made(const asci_tiler *t, uint32_t tensor);
/* Lists who makes what. Errors: OUT_OF_MEMORY. */
asc_status asci_members(asci_tiler *t);
/* What a part of a store has of a member, as ranges of that. False: nothing. */
bool asci_part_in(const asci_form *member, const asci_range ranges[ASC_MAX_RANK], asci_range own[ASC_MAX_RANK]);
/* The part of a tensor that is made as a box of its store. */
asc_box asci_box_in(const asci_tiler *t, uint32_t tensor, const asci_range ranges[ASC_MAX_RANK]);

/* ---- choose.c ---- */

/* Chooses the tiles of an operator: the largest that fits. Errors: BAD_INPUT (its least one does not; its windows do not fit the shapes). */
asc_status asci_choose(asci_tiler *t, uint32_t op);
/* The same of a tensor that is moved as it is. */
asc_status asci_choose_move(asci_tiler *t, uint32_t tensor, asci_cut *cut);
/* The n-th tile, by dimension of the output. */
void asci_cut_tile(const asci_form *form, const asci_cut *cut, uint64_t n, asci_range ranges[ASC_MAX_RANK]);
/* The last tile that has a part of that. */
uint64_t asci_cut_last(const asci_cut *cut, const asci_range ranges[ASC_MAX_RANK]);

/* ---- reads.c ---- */

/* What a tile needs of an operator's inputs, one after the other. */
typedef struct asci_reads {
  const asci_tiler *t;
  const asc_op_spec *op;
  const asci_range *tile; /* by dimension of the output; NULL: all is done at once */
  const char *at;         /* in the windows */
  uint32_t next;
  int64_t joined; /* of the inputs before it, in the dimension that is joined */
} asci_reads;
asci_reads asci_reads_begin(const asci_tiler *t, uint32_t op, const asci_range *tile);
/* The next input that is in tiles and of which something is needed: which store, and which part of it. False: there is no further one. */
bool asci_reads_next(asci_reads *r, uint32_t *store, asci_range ranges[ASC_MAX_RANK]);

/* ---- tasks.c ---- */

/* Adds the tasks of all operators, in the order that is asked for. Errors: those of asc_tiling_add_task. */
asc_status asci_tasks(asci_tiler *t);

#endif
