#include "certificates.h"

#include <stdlib.h>
#include <string.h>

bool certificate_gather(void *user, const char *text, size_t bytes) {
  certificate *all = user;
  if (all->used + bytes > all->room) {
    all->room = (all->used + bytes) * 2;
    all->text = realloc(all->text, all->room);
    assert_non_null(all->text);
  }
  memcpy(all->text + all->used, text, bytes);
  all->used += bytes;
  return true;
}

int64_t certificate_judge(asc_context *context, const asc_problem *problem, const certificate *all, asc_diag *diag) {
  int64_t proven = -1;
  asc_status status = asc_proof_check(context, problem, all->text, all->used, &proven, diag);
  assert_true(status == ASC_OK || status == ASC_BAD_INPUT);
  return status ? -1 : proven;
}

asc_problem *six_buffers(asc_context *context) {
  const asc_buffer_spec six[] = {test_spec(4, 6, 1), test_spec(1, 4, 4), test_spec(0, 5, 1),
                                 test_spec(3, 6, 1), test_spec(7, 8, 3), test_spec(4, 8, 3)};
  return test_problem(context, six, COUNT(six));
}
