/* Windows: what of an input a part of an operator's output needs, dimension by dimension. The text is documented in core/src/io/README.md. */
#ifndef ASCI_GRAPH_WINDOW_H
#define ASCI_GRAPH_WINDOW_H

#include "asc/tile.h"

typedef enum asci_window_kind {
  ASCI_WINDOW_ALL,    /* "*": all of the dimension */
  ASCI_WINDOW_JOIN,   /* "+": the inputs lie one behind another in the output */
  ASCI_WINDOW_SLIDE,  /* "k/s-p": element i is made of the k elements from i * s - p on */
  ASCI_WINDOW_SPREAD, /* "k^s-p": element j goes into the k elements from j * s - p on */
} asci_window_kind;

typedef struct asci_window_axis {
  asci_window_kind kind;
  uint32_t dimension; /* of the output */
  int64_t kernel, stride, begin;
} asci_window_axis;

/* Of one input, an axis for each of its dimensions; rank 0: nothing is known, and all of it is needed. */
typedef struct asci_window {
  uint32_t rank;
  asci_window_axis axes[ASC_MAX_RANK];
} asci_window;

/* From low to before high. */
typedef struct asci_range {
  int64_t low, high;
} asci_range;

/* Reads the window of the next input and passes its semicolon; at the end of the text, the last one again. False: the text is no list of windows. */
bool asci_window_next(const char **at, asci_window *window);
/* Errors: BAD_INPUT of the field "windows". */
asc_status asci_windows_check(const char *text, asc_diag *diag);
/* What of an input's dimension of that size, which lies at `offset` of what is joined, the range of the output needs; it may be empty. Sizes are below
   2^31. */
asci_range asci_window_range(const asci_window_axis *axis, asci_range output, int64_t size, int64_t offset);
/* The most of the input's dimension that one of the tiles of that length needs, into which the output's dimension of `whole` is cut from its front on. Of a
   SPREAD it may be one more than any needs. O(1). */
int64_t asci_window_most(const asci_window_axis *axis, int64_t length, int64_t whole, int64_t size);

#endif
