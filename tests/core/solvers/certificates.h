/* What the tests of certificates have in common. */
#ifndef TEST_CERTIFICATES_H
#define TEST_CERTIFICATES_H

#include "support.h"

typedef struct certificate {
  char *text;
  size_t used, room;
} certificate;

/* An asc_sink; user: a certificate, whose text is to be freed. */
bool certificate_gather(void *user, const char *text, size_t bytes);
/* Within how many bytes it holds that there is no plan; -1: it is refused, or holds of none. */
int64_t certificate_judge(asc_context *context, const asc_problem *problem, const certificate *all, asc_diag *diag);

/* Three of which meet at time 3: 6 bytes. */
asc_problem *six_buffers(asc_context *context);

#endif
