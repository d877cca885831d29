/* Where elements lie, for the two referees: from the layouts' definitions alone, and not from the axes that lifetimes and chunks are made of. */
#ifndef ASCI_TILE_PLACES_H
#define ASCI_TILE_PLACES_H

#include "tile/tiling.h"

/* Strides in elements. In NC32HW32 that of channels is within a block, and `block` is from one to the next. */
typedef struct asci_place_rule {
  int64_t stride[ASC_MAX_RANK], block;
  uint32_t dense; /* the dimension that is walked in runs */
} asci_place_rule;

asci_place_rule asci_place_rule_of(const asc_tiled_spec *spec);

#endif
