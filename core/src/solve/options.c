#include "solve/run.h"

#include "base/diag.h"
#include "base/options.h"

#include <string.h>

asc_status asci_options_parse(asc_run *run, const asc_run_config *config, asc_diag *diag) {
  uint32_t count = run->solver->info.option_count;
  run->options = asci_alloc(run->context, count, sizeof *run->options);
  if (!run->options) return asci_complain(diag, ASC_OUT_OF_MEMORY, "", "there is no memory for the options");
  const asc_solver_info *info = &run->solver->info;
  const asci_option_table table = {info->id, info->options, count};
  asc_status status = asci_options_read(&table, config->options, config->option_count, run->options, diag);
  if (status) return status;
  size_t bytes = 0;
  for (uint32_t k = 0; k < count; k++) bytes += strlen(run->options[k]) + 1;
  run->option_text = asci_alloc(run->context, bytes, 1);
  if (!run->option_text) return asci_complain(diag, ASC_OUT_OF_MEMORY, "", "there is no memory for the options");
  char *at = run->option_text;
  for (uint32_t k = 0; k < count; k++) {
    size_t length = strlen(run->options[k]) + 1;
    memcpy(at, run->options[k], length);
    run->options[k] = at;
    run->config_digest = asci_fold_text(run->config_digest, at);
    at += length;
  }
  return ASC_OK;
}

void asci_options_free(asc_run *run) {
  asci_free(run->context, run->option_text);
  asci_free(run->context, run->options);
}

bool asci_option_bool(const asc_run *run, uint32_t index) {
  return asci_is_true(run->options[index]);
}

int64_t asci_option_int(const asc_run *run, uint32_t index) {
  const asc_option *option = &run->solver->info.options[index];
  int64_t value = 0;
  asci_option_number(option, run->options[index], &value);
  return value;
}

const char *asci_option_text(const asc_run *run, uint32_t index) {
  return run->options[index];
}

uint32_t asci_option_choice(const asc_run *run, uint32_t index) {
  int found = asci_find_choice(run->solver->info.options[index].choices, run->options[index]);
  return found < 0 ? 0 : (uint32_t)found;
}
