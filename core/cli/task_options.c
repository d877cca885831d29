/* What is asked of a task CSV, by whoever reads one and whoever reads arguments. */
#include "cli.h"

const asc_option *task_options(uint32_t *count) {
  static const asc_option options[] = {
      {"io", ASC_OPTION_BOOL, "Inputs and outputs", "false", 0, 0, NULL,
       "The model's inputs and outputs are in the memory too."},
      {"whole", ASC_OPTION_BOOL, "Whole tensors", "false", 0, 0, NULL,
       "A tensor is needed as a whole from first to last: what allocators see that know no tiles."},
  };
  *count = sizeof options / sizeof *options;
  return options;
}
