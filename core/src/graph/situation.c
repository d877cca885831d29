/* What stays amount to: a buffer problem. */
#include "graph/lowered.h"

#include "base/text/format.h"

#include <string.h>

typedef struct builder {
  const asci_lowered *l;
  asc_problem *problem;
  asci_arena texts; /* of names that are no tensor's */
  asci_ids names;   /* those */
  uint32_t *turns;  /* per item: its buffers so far */
  asc_diag *diag;
} builder;

/* base, ":" and what, and a further number if that is a name already. Of a long base the start, with the index that tells it from others of
   that start, cut between characters. */
static asc_status make_name(builder *b, const char *base, uint32_t index, const char *what, const char **name) {
  char text[256], long_base[224];
  size_t length = strlen(base);
  if (length > 200) {
    length = 200;
    while (length > 196 && ((unsigned char)base[length] & 0xc0) == 0x80) length--;
    asci_format(long_base, sizeof long_base, "%.*s~%u", (int)length, base, index);
    base = long_base;
  }
  for (uint32_t number = 1;; number++) {
    size_t bytes = asci_format(text, sizeof text, "%s:%s", base, what);
    if (number > 1) bytes += asci_format(text + bytes, sizeof text - bytes, ":%u", number);
    if (asci_ids_find(&b->l->graph->tensor_ids, text, bytes) || asci_ids_find(&b->names, text, bytes)) continue;
    char *copy = asci_arena_alloc(b->l->context, &b->texts, bytes + 1);
    uint32_t first;
    *name = copy;
    if (!copy) return ASC_OUT_OF_MEMORY;
    memcpy(copy, text, bytes + 1);
    return asci_ids_enter(b->l->context, &b->names, (asci_id){copy, bytes, 1}, &first);
  }
}

/* A tensor's first buffer has its name. */
static asc_status name_of(builder *b, uint32_t item, uint32_t turn, const char **name) {
  const asc_graph *g = b->l->graph;
  char what[16];
  asci_format(what, sizeof what, "%u", turn + 1);
  if (item >= g->tensor_count) {
    uint32_t op = item - g->tensor_count;
    return make_name(b, g->ops[op].id, op, turn ? what : "workspace", name);
  }
  *name = g->tensors[item].id;
  return turn ? make_name(b, *name, item, what, name) : ASC_OK;
}

static asc_status add_buffer(builder *b, const asc_stay *stay) {
  const asci_lowered *l = b->l;
  bool absent = stay->lower == stay->upper;
  asc_buffer_spec spec = {.lower = stay->lower, .upper = stay->upper + absent, .alignment = 1};
  spec.offset = spec.hint = ASC_UNPLACED;
  spec.size = absent ? 0 : asci_item_size(l, stay->item);
  if (stay->item < l->graph->tensor_count)
    spec.alignment = l->alignment[stay->item];
  else if (l->set.align_by != ASCI_ALIGN_SIZE)
    spec.alignment = l->set.alignment;
  asc_status status = name_of(b, stay->item, b->turns[stay->item]++, &spec.id);
  return status ? status : asc_problem_add(b->problem, &spec, b->diag);
}

static asc_status build(builder *b, const asc_stay *stays, uint32_t count, uint32_t *first) {
  asc_status status = asc_problem_new(b->l->context, &b->problem);
  for (uint32_t k = 0; k < count && !status; k++) {
    if (stays[k].pool != ASC_POOL_MAIN) continue;
    if (first && !b->turns[stays[k].item]) first[stays[k].item] = asc_problem_count(b->problem);
    status = add_buffer(b, &stays[k]);
  }
  return status ? status : asc_problem_freeze(b->problem, b->diag);
}

asc_status asci_situation(const asci_lowered *l, const asc_stay *stays, uint32_t count, asc_problem **problem,
                          uint32_t *first, asc_diag *diag) {
  uint32_t items = asci_item_count(l);
  builder b = {.l = l, .diag = diag};
  if (first) memset(first, 0xff, items * sizeof *first);
  b.turns = asci_calloc(l->context, items, sizeof *b.turns);
  asc_status status = b.turns ? build(&b, stays, count, first) : ASC_OUT_OF_MEMORY;
  asci_free(l->context, b.turns);
  asci_ids_free(l->context, &b.names);
  asci_arena_free(l->context, &b.texts);
  if (status)
    asc_problem_free(b.problem);
  else
    *problem = b.problem;
  return status;
}

asc_status asci_stay_keep(void *user, const asc_stay *stay) {
  asci_stay_list *list = user;
  if (!asci_grow(list->context, &list->stays, &list->room, list->count + 1, sizeof *list->stays)) return ASC_OUT_OF_MEMORY;
  list->stays[list->count++] = *stay;
  return ASC_OK;
}

bool asci_stays_copy(const asci_stay_list *from, asci_stay_list *to) {
  if (!asci_grow(to->context, &to->stays, &to->room, from->count, sizeof *to->stays)) return false;
  for (size_t k = 0; k < from->count; k++) to->stays[k] = from->stays[k];
  to->count = from->count;
  return true;
}
