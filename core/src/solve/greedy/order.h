/* Orders of placement of the greedy family: total, so that every machine and C library builds the same plan. */
#ifndef ASCI_GREEDY_ORDER_H
#define ASCI_GREEDY_ORDER_H

#include "model/problem.h"

/* "Larger first" unless said otherwise; whatever is still equal goes by index, lower first. */
typedef enum asci_greedy_order {
  /* The choices of ASCI_ORDER_OPTION. */
  ASCI_ORDER_START,     /* lower (earlier first), size */
  ASCI_ORDER_SIZE,      /* size, lifetime */
  ASCI_ORDER_AREA,      /* size * lifetime, size */
  ASCI_ORDER_LIFETIME,  /* lifetime, size */
  ASCI_ORDER_BREADTH,   /* greatest load during the life, its section (earlier first), size */
  ASCI_ORDER_CONFLICTS, /* buffers alive together with it, size */
  /* Other solvers of the folder. */
  ASCI_ORDER_ARRIVAL,       /* lower (earlier first) */
  ASCI_ORDER_DEPARTURE,     /* upper (earlier first) */
  ASCI_ORDER_TFLM,          /* size, index (higher first) */
  ASCI_ORDER_LITERT,        /* alive from the first to the last time; of the others: size, lower (earlier first) */
  ASCI_ORDER_OPENVINO,      /* size, lower (earlier first), upper (earlier first) */
  ASCI_ORDER_TVM_SIZE,      /* size, conflicts, id (later in the alphabet first) */
  ASCI_ORDER_TVM_CONFLICTS, /* conflicts, size, id (later in the alphabet first) */
  ASCI_ORDER_XLA_TEMPORAL,  /* lifetime, size; XLA_SPATIAL is SIZE */
  ASCI_ORDER_CONTENTION,    /* greatest load during the life, alignment, size * lifetime^2, lifetime */
} asci_greedy_order;

/* The option of greedy and first-fit. */
#define ASCI_ORDER_OPTION(X, T) \
  X(T, CHOICE, order, "Order", "size", "start|size|area|lifetime|breadth|conflicts", \
    "Which buffer comes next: the earliest, or the one with the greatest size, size x lifetime, lifetime, " \
    "load during its life, or number of buffers alive with it.")

/* Fills order[n]: buffers with fixed offsets first (by index), then the others. *fixed_count (may be NULL): how many those are.
   O(n log n), for CONFLICTS with gaps O(pairs alive together). Errors: OUT_OF_MEMORY. */
asc_status asci_greedy_sort(const asc_problem *problem, asci_greedy_order by, uint32_t *order, uint32_t *fixed_count);

#endif
