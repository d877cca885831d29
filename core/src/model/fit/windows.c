#include "model/fit/windows.h"

#define MOST_WINDOWS 64u
#define FEW_BLOCKS 16u

asc_status asci_fit_windows_new(asc_context *context, uint32_t block_count, uint32_t pieces, asci_fit_windows **windows) {
  *windows = NULL;
  if (block_count < FEW_BLOCKS) return ASC_OK;
  asci_fit_windows *w = *windows = asci_calloc(context, 1, sizeof *w);
  if (!w) return ASC_OUT_OF_MEMORY;
  w->block_count = block_count;
  w->width = (block_count + MOST_WINDOWS - 1) / MOST_WINDOWS;
  w->count = (block_count + w->width - 1) / w->width;
  w->most = 64 + pieces / 256;
  w->sets = asci_calloc(context, w->count, sizeof *w->sets);
  return w->sets ? ASC_OK : ASC_OUT_OF_MEMORY;
}

void asci_fit_windows_free(asc_context *context, asci_fit_windows *windows) {
  if (!windows) return;
  for (uint32_t k = 0; windows->sets && k < windows->count; k++) asci_free(context, windows->sets[k].items);
  asci_free(context, windows->sets);
  asci_free(context, windows);
}

void asci_fit_windows_clear(asci_fit_windows *windows) {
  for (uint32_t k = 0; k < windows->count; k++) windows->sets[k].count = 0;
  windows->shut = false;
}

bool asci_fit_windows_add(asc_context *context, asci_fit_windows *windows, uint32_t first, uint32_t last, int64_t low,
                          int64_t high) {
  if (windows->shut) return true;
  for (uint32_t k = first / windows->width; k <= last / windows->width; k++) {
    asci_spans *set = &windows->sets[k];
    if (set->count < windows->most && asci_spans_add(context, set, low, high) < 0) return false;
  }
  return true;
}

uint32_t asci_fit_windows_in(const asci_fit_windows *windows, uint32_t begin, uint32_t end,
                             const asci_spans *sets[ASCI_FIT_WINDOWS_ASKED]) {
  uint32_t first = (begin + windows->width - 1) / windows->width;
  uint32_t last = end == windows->block_count ? windows->count : end / windows->width;
  if (windows->shut || first >= last) return 0;
  uint32_t asked = last - first < ASCI_FIT_WINDOWS_ASKED ? last - first : ASCI_FIT_WINDOWS_ASKED;
  for (uint32_t k = 0; k < asked; k++) sets[k] = &windows->sets[first + (last - first) * (2 * k + 1) / (2 * asked)];
  return asked;
}
