/* The paper's memory budgets (section V) as its definition has them: the least peak is found by a search. */
#include "kernel/passes.h"

enum { BEAM = 64, MEMORY = 1 << 30 };

asc_status asc_lowering_least_peak(const asc_lowering *lowering, uint64_t effort, asc_budgets *budgets, bool *proven) {
  cosma_model model;
  cosma_passes passes = {0};
  const cosma_settings set = {.height = true, .schedule = COSMA_LEAST_PEAK, .beam = BEAM, .most_bytes = MEMORY};
  asc_status status = asci_cosma_model_new(lowering, COSMA_COPIED, &model);
  if (status) return status;
  status = asci_cosma_passes_new(&model, &set, &passes);
  for (uint64_t k = 0; !status && k < effort && !passes.over; k++) asci_cosma_passes_step(&passes);
  if (!status && effort && passes.best.cost == ASC_UNPLACED) status = ASC_OUT_OF_MEMORY;
  if (!status) {
    budgets->required = model.required;
    budgets->peak = effort ? passes.best.cost : model.required;
    budgets->half = budgets->required + (budgets->peak - budgets->required) / 2;
    *proven = effort && passes.best.cost <= passes.bound;
  }
  asci_cosma_passes_free(&passes);
  asci_cosma_model_free(&model);
  return status;
}
