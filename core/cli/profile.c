/* --profile: the flag that several commands share. */
#include "cli.h"

bool args_profile(const cli_args *args, const asc_profile **profile) {
  const char *id = args_text(args, "profile", NULL);
  *profile = id ? asc_profile_find(id) : NULL;
  if (!id || *profile) return true;
  complain("--profile: is \"%s\"; see arenascope profiles", id);
  return false;
}

int64_t profile_bytes(const asc_profile *profile) {
  return profile && profile->capacity ? profile->capacity - profile->reserved : -1;
}

void refuse_profile(const char *path, const asc_profile *profile, const asc_diag *diag) {
  complain("%s: %s%s%s", path, diag->field, *diag->field ? " " : "", diag->message);
  complain("the profile %s does not take this problem", profile->id);
}

const asc_problem *in_profile(const asc_problem *problem, const asc_profile *profile, const char *path, asc_problem **own) {
  asc_diag diag = {0};
  *own = NULL;
  if (!profile) return problem;
  asc_status status = asc_profile_apply(problem, profile, own, &diag);
  if (!status) return *own;
  refuse_profile(path, profile, &diag);
  return NULL;
}
