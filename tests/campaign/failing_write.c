/* Loaded before the C library: the call number ASC_FAIL_AT (from 1) of those that bring a file to the disk fails, and all after it, as on a disk that
 * is full. ASC_FAIL_LOG names a file that appears if it came to that. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int fails(void) {
  static long calls;
  const char *at = getenv("ASC_FAIL_AT"), *log = getenv("ASC_FAIL_LOG");
  if (!at || ++calls < atol(at)) return 0;
  if (log) close(open(log, O_CREAT | O_WRONLY, 0600));
  errno = ENOSPC;
  return 1;
}

/* What is written to the terminal does not count. */
ssize_t write(int file, const void *bytes, size_t count) {
  ssize_t (*real)(int, const void *, size_t) = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  return file > 2 && fails() ? -1 : real(file, bytes, count);
}

int fsync(int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  return fails() ? -1 : real(file);
}

int rename(const char *from, const char *to) {
  int (*real)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
  return fails() ? -1 : real(from, to);
}

int mkstemp(char *name) {
  int (*real)(char *) = (int (*)(char *))dlsym(RTLD_NEXT, "mkstemp");
  return fails() ? -1 : real(name);
}
