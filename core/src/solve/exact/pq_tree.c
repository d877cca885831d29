/* PQ-trees in preorder; see pq_tree.h. The templates of Booth and Lueker's paper (section 3) are all here, on subtrees instead of pointers:
 *
 *     empty   none of its leaves is marked      full   all are      partial   some
 *
 * The deepest subtree with all marked leaves is rebuilt; around it nothing changes but counts. There the marked leaves become one run of a Q
 * node. A partial child is opened into a row, empty end first, by its own children: the groups of a P node, the children of a Q node; the one
 * partial child that it may have is opened in its place. */
#include "pq_tree.h"

#include <string.h>

/* What a row is made of: a subtree, or the children of a P node that are all empty or all full. */
typedef enum piece_kind { PIECE_SUBTREE, PIECE_EMPTY, PIECE_FULL, PIECE_IN } piece_kind;
typedef struct piece {
  piece_kind kind;
  uint32_t cell;
} piece;

typedef struct row {
  uint32_t count;
  piece pieces[PQ_MOST_CELLS];
} row;

typedef struct reduction {
  const pq_tree *from;
  pq_tree *into;
  uint32_t marks[PQ_MOST_CELLS + 1], leaves[PQ_MOST_CELLS + 1]; /* before each cell: those of a subtree are a difference */
  const uint32_t *in;                                           /* NULL: the marked leaves stay */
  uint32_t in_count;
} reduction;

static bool is_inner(const pq_cell *cell) {
  return cell->leaf >= PQ_P;
}

void asci_pq_any(pq_tree *tree, const uint32_t *leaves, uint32_t count) {
  tree->count = 0;
  if (count > 1) tree->cells[tree->count++] = (pq_cell){PQ_P, count + 1};
  for (uint32_t k = 0; k < count; k++) tree->cells[tree->count++] = (pq_cell){leaves[k], 1};
}

static void begin(reduction *r, const pq_tree *from, const uint8_t *marked) {
  const pq_cell *cells = from->cells;
  uint32_t marks = 0, leaves = 0, count = from->count;
  r->from = from;
  for (uint32_t c = 0; c < count; c++) {
    r->marks[c] = marks;
    r->leaves[c] = leaves;
    if (is_inner(&cells[c])) continue;
    marks += marked[cells[c].leaf];
    leaves++;
  }
  r->marks[count] = marks;
  r->leaves[count] = leaves;
}

static uint32_t end_of(const reduction *r, uint32_t cell) {
  return cell + r->from->cells[cell].cells;
}
static uint32_t marks_of(const reduction *r, uint32_t cell) {
  return r->marks[end_of(r, cell)] - r->marks[cell];
}
static bool is_empty(const reduction *r, uint32_t cell) {
  return marks_of(r, cell) == 0;
}
static bool is_full(const reduction *r, uint32_t cell) {
  return marks_of(r, cell) == r->leaves[end_of(r, cell)] - r->leaves[cell];
}

static void add_piece(row *line, piece_kind kind, uint32_t cell) {
  line->pieces[line->count++] = (piece){kind, cell};
}

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

/* Opens P node c: its empty children, then what its partial one opens to (*open), then its full ones, which wait in `after`. */
static bool open_p(const reduction *r, uint32_t c, row *line, row *after, uint32_t *open) {
  bool empty = false, full = false;
  for (uint32_t child = c + 1; child < end_of(r, c); child += r->from->cells[child].cells) {
    empty = empty || is_empty(r, child);
    full = full || is_full(r, child);
    if (is_empty(r, child) || is_full(r, child)) continue;
    if (*open) return false;
    *open = child;
  }
  if (empty) add_piece(line, PIECE_EMPTY, c);
  if (full) add_piece(after, PIECE_FULL, c);
  return true;
}

static uint32_t list_children(const reduction *r, uint32_t c, uint32_t *children) {
  uint32_t count = 0;
  for (uint32_t child = c + 1; child < end_of(r, c); child += r->from->cells[child].cells) children[count++] = child;
  return count;
}

/* Opens Q node c, from its emptier end: first the empty children, then at most one partial, then the full ones. */
static bool open_q(const reduction *r, uint32_t c, row *line, row *after, uint32_t *open) {
  uint32_t children[PQ_MOST_CELLS], count = list_children(r, c, children), full[PQ_MOST_CELLS], fulls = 0;
  bool reversed = is_full(r, children[0]) || (is_empty(r, children[count - 1]) && !is_empty(r, children[0]));
  for (uint32_t k = 0; k < count; k++) {
    uint32_t child = children[reversed ? count - 1 - k : k];
    bool begun = *open || fulls;
    if (is_full(r, child))
      full[fulls++] = child;
    else if (begun)
      return false;
    else if (is_empty(r, child))
      add_piece(line, PIECE_SUBTREE, child);
    else
      *open = child;
  }
  while (fulls) add_piece(after, PIECE_SUBTREE, full[--fulls]);
  return true;
}

/* A partial subtree as a row whose marked leaves are at its end. False: its leaves cannot lie so. What is full comes out innermost last. */
static bool open_partial(const reduction *r, uint32_t cell, row *line) {
  row after;
  after.count = 0; /* alone: to clear rows takes longer than to fill them */
  while (cell) {
    uint32_t open = 0;
    bool well =
        r->from->cells[cell].leaf == PQ_P ? open_p(r, cell, line, &after, &open) : open_q(r, cell, line, &after, &open);
    if (!well) return false;
    cell = open;
  }
  while (!r->in && after.count) line->pieces[line->count++] = after.pieces[--after.count];
  return true;
}

/* ---- writing --------------------------------------------------------------------------------------------------------- */

static void copy_subtree(reduction *r, uint32_t cell) {
  uint32_t count = r->from->cells[cell].cells;
  memcpy(&r->into->cells[r->into->count], &r->from->cells[cell], count * sizeof(pq_cell));
  r->into->count += count;
}

/* Begins an inner node of so many children, of which one alone needs none. Its count of cells is set when it ends. */
static uint32_t begin_node(reduction *r, uint32_t leaf, uint32_t children) {
  if (children < 2) return UINT32_MAX;
  r->into->cells[r->into->count] = (pq_cell){children == 2 ? PQ_P : leaf, 0};
  return r->into->count++;
}
static void end_node(reduction *r, uint32_t at) {
  if (at != UINT32_MAX) r->into->cells[at].cells = r->into->count - at;
}

static uint32_t count_children(const reduction *r, uint32_t c, piece_kind kind) {
  uint32_t count = 0;
  for (uint32_t child = c + 1; child < end_of(r, c); child += r->from->cells[child].cells)
    count += kind == PIECE_EMPTY ? is_empty(r, child) : is_full(r, child);
  return count;
}

/* The empty or full children of P node c, without a node around them. */
static void write_children(reduction *r, uint32_t c, piece_kind kind) {
  for (uint32_t child = c + 1; child < end_of(r, c); child += r->from->cells[child].cells)
    if (kind == PIECE_EMPTY ? is_empty(r, child) : is_full(r, child)) copy_subtree(r, child);
}

static void write_piece(reduction *r, piece p) {
  if (p.kind == PIECE_SUBTREE) {
    copy_subtree(r, p.cell);
    return;
  }
  uint32_t children = p.kind == PIECE_IN ? r->in_count : count_children(r, p.cell, p.kind),
           at = begin_node(r, PQ_P, children);
  for (uint32_t k = 0; p.kind == PIECE_IN && k < r->in_count; k++) r->into->cells[r->into->count++] = (pq_cell){r->in[k], 1};
  if (p.kind != PIECE_IN) write_children(r, p.cell, p.kind);
  end_node(r, at);
}

static void write_row(reduction *r, const row *line) {
  uint32_t at = begin_node(r, PQ_Q, line->count);
  for (uint32_t k = 0; k < line->count; k++) write_piece(r, line->pieces[k]);
  end_node(r, at);
}

/* ---- the deepest subtree with all marked leaves ---------------------------------------------------------------------- */

static bool append_reversed(row *line, const row *other) {
  for (uint32_t k = other->count; k-- > 0;) line->pieces[line->count++] = other->pieces[k];
  return true;
}

/* P node: its full children between the rows of at most two partial ones, in a Q node beside the empty ones. */
static bool rebuild_p(reduction *r, uint32_t c) {
  row line, other;
  line.count = other.count = 0;
  uint32_t partials = 0, empties = count_children(r, c, PIECE_EMPTY), fulls = count_children(r, c, PIECE_FULL);
  for (uint32_t child = c + 1; child < end_of(r, c); child += r->from->cells[child].cells) {
    if (is_empty(r, child) || is_full(r, child)) continue;
    if (++partials > 2 || !open_partial(r, child, partials == 1 ? &line : &other)) return false;
  }
  if (r->in)
    add_piece(&line, PIECE_IN, 0);
  else if (fulls)
    add_piece(&line, PIECE_FULL, c);
  append_reversed(&line, &other);
  uint32_t at = begin_node(r, PQ_P, empties + 1);
  write_children(r, c, PIECE_EMPTY);
  write_row(r, &line);
  end_node(r, at);
  return true;
}

/* Q node: empty children, a row, full children, a row reversed, empty children. */
static bool rebuild_q(reduction *r, uint32_t c) {
  row line, other;
  line.count = other.count = 0;
  enum { BEFORE, WITHIN, BEYOND } where = BEFORE;
  for (uint32_t child = c + 1; child < end_of(r, c); child += r->from->cells[child].cells) {
    if (is_empty(r, child)) {
      if (where == WITHIN) where = BEYOND;
      add_piece(&line, PIECE_SUBTREE, child);
      continue;
    }
    if (where == BEYOND) return false;
    bool first = where == BEFORE;
    where = WITHIN;
    if (is_full(r, child)) {
      if (!r->in) add_piece(&line, PIECE_SUBTREE, child);
    } else if (first) {
      if (!open_partial(r, child, &line)) return false;
    } else {
      if (!open_partial(r, child, &other)) return false;
      append_reversed(&line, &other);
      where = BEYOND;
    }
    if (first && r->in) add_piece(&line, PIECE_IN, 0);
  }
  write_row(r, &line);
  return true;
}

static bool rebuild(reduction *r, uint32_t c) {
  if (is_full(r, c)) {
    write_piece(r, (piece){r->in ? PIECE_IN : PIECE_SUBTREE, c});
    return true;
  }
  return r->from->cells[c].leaf == PQ_P ? rebuild_p(r, c) : rebuild_q(r, c);
}

/* That subtree; path: those around it, *depth in all. */
static uint32_t deepest(const reduction *r, uint32_t count, uint32_t *path, uint32_t *depth) {
  uint32_t root = 0;
  for (uint32_t child = 1; child < r->from->count && child < end_of(r, root) && !is_full(r, root);) {
    if (marks_of(r, child) == count) {
      path[(*depth)++] = root;
      root = child;
      child = root + 1;
    } else {
      child = end_of(r, child);
    }
  }
  return root;
}

static bool reduce(reduction *r, uint32_t count) {
  const pq_cell *cells = r->from->cells;
  uint32_t path[PQ_MOST_CELLS], depth = 0;
  uint32_t root = deepest(r, count, path, &depth);
  r->into->count = root;
  memcpy(r->into->cells, cells, root * sizeof *cells);
  if (!rebuild(r, root)) return false;
  uint32_t end = end_of(r, root), gone = cells[root].cells, made = r->into->count - root;
  memcpy(&r->into->cells[r->into->count], &cells[end], (r->from->count - end) * sizeof *cells);
  r->into->count += r->from->count - end;
  while (depth) r->into->cells[path[--depth]].cells += made - gone;
  return true;
}

bool asci_pq_exchange(const pq_tree *from, const uint8_t *marked, uint32_t count, const uint32_t *in, uint32_t in_count,
                      pq_tree *into) {
  reduction r;
  begin(&r, from, marked);
  r.into = into;
  r.in = in;
  r.in_count = in_count;
  return reduce(&r, count);
}

bool asci_pq_gather(const pq_tree *from, const uint8_t *marked, uint32_t count, pq_tree *into) {
  return asci_pq_exchange(from, marked, count, NULL, 0, into);
}

bool asci_pq_together(const pq_tree *tree, const uint8_t *marked, uint32_t count) {
  reduction r;
  uint32_t path[PQ_MOST_CELLS], depth = 0, runs = 0;
  if (tree->count == 0) return false;
  begin(&r, tree, marked);
  uint32_t root = deepest(&r, count, path, &depth);
  if (is_full(&r, root)) return true;
  if (tree->cells[root].leaf == PQ_P) return false;
  bool within = false;
  for (uint32_t child = root + 1; child < end_of(&r, root); child = end_of(&r, child)) {
    if (!is_empty(&r, child) && !is_full(&r, child)) return false;
    if (!is_empty(&r, child) && !within) runs++;
    within = !is_empty(&r, child);
  }
  return runs == 1;
}

/* ---- an order -------------------------------------------------------------------------------------------------------- */

uint32_t asci_pq_order(const pq_tree *tree, const uint32_t *place, uint32_t *order) {
  uint32_t least[PQ_MOST_CELLS], stack[PQ_MOST_CELLS], waiting = 0, count = 0;
  for (uint32_t c = tree->count; c-- > 0;) {
    least[c] = is_inner(&tree->cells[c]) ? UINT32_MAX : place[tree->cells[c].leaf];
    for (uint32_t child = c + 1; child < c + tree->cells[c].cells; child += tree->cells[child].cells)
      if (least[child] < least[c]) least[c] = least[child];
  }
  if (tree->count) stack[waiting++] = 0;
  while (waiting) {
    uint32_t c = stack[--waiting], first = waiting, last = c + 1;
    if (!is_inner(&tree->cells[c])) {
      order[count++] = tree->cells[c].leaf;
      continue;
    }
    for (uint32_t child = c + 1; child < c + tree->cells[c].cells; child += tree->cells[child].cells) last = child;
    bool forward = tree->cells[c].leaf == PQ_Q && least[last] > least[c + 1], sorts = tree->cells[c].leaf == PQ_P;
    for (uint32_t child = c + 1; child < c + tree->cells[c].cells; child += tree->cells[child].cells) {
      uint32_t at = waiting++; /* the lowest comes to the end, which is taken first */
      while (at > first && (sorts ? least[stack[at - 1]] < least[child] : forward)) {
        stack[at] = stack[at - 1];
        at--;
      }
      stack[at] = child;
    }
  }
  return count;
}
