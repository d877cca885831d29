/* Packed graphs for tests. */
#ifndef TESTS_PACKED_H
#define TESTS_PACKED_H

#include "asc/asc.h"

/* Arrays that may be changed; from has them as asc_graph_unpack takes them. */
typedef struct packed {
  double *numbers;
  uint32_t *words;
  char *text;
  asc_packed_graph from;
} packed;

/* The graph as arrays, no text twice. */
packed test_pack(const asc_graph *graph);
void test_pack_end(packed *arrays);

#endif
