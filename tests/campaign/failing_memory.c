/* Loaded before the C library: the call number ASC_FAIL_AT (from 1) that asks for memory gets none, nor do ASC_FAIL_FOR in all from there
 * (if that is not given: any after it). ASC_FAIL_LOG names a file that appears if it came to that. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* glibc's own, which need no search that asks for memory itself */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t bytes);

static int fails(void) {
  static long calls, fail_at, fail_for = 1000000000;
  if (!fail_at) {
    const char *at = getenv("ASC_FAIL_AT"), *count = getenv("ASC_FAIL_FOR");
    fail_at = at ? atol(at) : -1;
    if (count) fail_for = atol(count);
  }
  if (fail_at < 0 || ++calls < fail_at || calls - fail_at >= fail_for) return 0;
  const char *log = getenv("ASC_FAIL_LOG");
  if (calls == fail_at && log) close(open(log, O_CREAT | O_WRONLY, 0600));
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t bytes) {
  return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t size) {
  return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t bytes) {
  return fails() ? NULL : __libc_realloc(block, bytes);
}
