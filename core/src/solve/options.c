#include "solve/run.h"

#include "base/diag.h"
#include "base/options.h"

#include <string.h>

static asci_option_table table_of(const asci_solver *solver) {
  return (asci_option_table){solver->info.id, solver->info.options, solver->option_places, solver->info.option_count};
}

static size_t text_bytes(const asc_option *option, const char *value) {
  return option->type == ASC_OPTION_TEXT ? strlen(value) + 1 : 0;
}

/* The struct that the solver reads, and behind it the texts it points to: who gave them may free them. */
static bool keep(asc_run *run, const asci_option_table *table, const char **values) {
  size_t bytes = run->solver->option_bytes;
  for (uint32_t k = 0; k < table->count; k++) bytes += text_bytes(&table->options[k], values[k]);
  run->options = asci_calloc(run->context, bytes, 1);
  if (!run->options) return false;
  char *text = (char *)run->options + run->solver->option_bytes;
  for (uint32_t k = 0; k < table->count; k++) {
    run->config_digest = asci_fold_text(run->config_digest, values[k]);
    size_t length = text_bytes(&table->options[k], values[k]);
    if (!length) continue;
    values[k] = memcpy(text, values[k], length);
    text += length;
  }
  asci_options_fill(table, values, run->options);
  return true;
}

asc_status asci_run_read_options(asc_run *run, const asc_run_config *config, asc_diag *diag) {
  const asci_option_table table = table_of(run->solver);
  const char **values = asci_alloc(run->context, table.count, sizeof *values);
  if (!values) return asci_complain(diag, ASC_OUT_OF_MEMORY, "", "there is no memory for the options");
  asc_status status = asci_options_read(&table, config->options, config->option_count, values, diag);
  if (!status && !keep(run, &table, values))
    status = asci_complain(diag, ASC_OUT_OF_MEMORY, "", "there is no memory for the options");
  asci_free(run->context, values);
  return status;
}

const char *asci_option_name(const asc_run *run, size_t place) {
  const asci_option_table table = table_of(run->solver);
  for (uint32_t k = 0; k < table.count; k++)
    if (table.places[k] == place) return table.options[k].name;
  return "";
}
