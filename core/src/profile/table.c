/* The table of accelerator profiles. */
#include "asc/asc.h"

#include <string.h>

static const asc_profile profiles[] = {
#include "profile/table.inc"
};

enum { PROFILES = sizeof profiles / sizeof *profiles };

uint32_t asc_profile_count(void) {
  return PROFILES;
}

const asc_profile *asc_profile_at(uint32_t index) {
  return index < PROFILES ? &profiles[index] : NULL;
}

const asc_profile *asc_profile_find(const char *id) {
  for (uint32_t k = 0; id && k < PROFILES; k++)
    if (strcmp(profiles[k].id, id) == 0) return &profiles[k];
  return NULL;
}
