/* What the machine writes down: an entry for each step, how it ends, the solutions that it has found. */
#include "cosma.h"

#include "base/arrays.h"

#include <string.h>

/* ---- entries --------------------------------------------------------------------------------------------------------- */

bool asci_cosma_add_entry(cosma_machine *c, cosma_entry entry) {
  if (!asci_grow(c->context, &c->log, &c->log_room, c->log_count + 1, sizeof *c->log))
    return asci_cosma_end(c, ASC_OUTCOME_OUT_OF_MEMORY);
  entry.bound = c->bound;
  entry.found = (uint32_t)c->found_count;
  c->log[c->log_count++] = entry;
  return true;
}

bool asci_cosma_end(cosma_machine *c, asc_outcome outcome) {
  c->outcome = outcome;
  c->phase = COSMA_OVER;
  return true;
}

bool asci_cosma_fail(cosma_machine *c, asc_status status) {
  return asci_cosma_end(c, status == ASC_OUT_OF_MEMORY ? ASC_OUTCOME_OUT_OF_MEMORY : ASC_OUTCOME_EXHAUSTED);
}

/* ---- solutions ------------------------------------------------------------------------------------------------------- */

static const asci_array of_solution[] = {
    ASCI_OWN(cosma_solution, order),
    ASCI_OWN(cosma_solution, evict_begin),
    ASCI_OWN(cosma_solution, evicted),
};

void asci_cosma_solution_free(asc_context *context, cosma_solution *solution) {
  asci_arrays_free(context, ASCI_TABLE(of_solution), solution);
}

static bool copy_solution(cosma_machine *c, const cosma_solution *from, cosma_solution *to) {
  size_t n = c->model.op_count, evicted = from->evict_begin[n];
  *to = (cosma_solution){.cost = from->cost};
  to->order = asci_alloc(c->context, n, sizeof *to->order);
  to->evict_begin = asci_alloc(c->context, n + 1, sizeof *to->evict_begin);
  to->evicted = asci_alloc(c->context, evicted, sizeof *to->evicted);
  if (!to->order || !to->evict_begin || !to->evicted) {
    asci_cosma_solution_free(c->context, to);
    return false;
  }
  memcpy(to->order, from->order, n * sizeof *to->order);
  memcpy(to->evict_begin, from->evict_begin, (n + 1) * sizeof *to->evict_begin);
  if (evicted) memcpy(to->evicted, from->evicted, evicted * sizeof *to->evicted);
  return true;
}

asc_status asci_cosma_keep(cosma_machine *c, const cosma_solution *solution) {
  if (!asci_grow(c->context, &c->found, &c->found_room, c->found_count + 1, sizeof *c->found)) return ASC_OUT_OF_MEMORY;
  cosma_found *found = &c->found[c->found_count];
  *found = (cosma_found){.stays = {.context = c->context}};
  if (!copy_solution(c, solution, &found->solution)) return ASC_OUT_OF_MEMORY;
  c->found_count++;
  return asci_cosma_stays(&c->model, &found->solution, &found->stays);
}
