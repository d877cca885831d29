#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Half a kilobyte for each of the most buffers there may be: what is larger has no end, or is something else. */
#define MOST_FILE_BYTES (INT64_C(512) * ASC_MAX_BUFFERS)

typedef enum reading_end { READING_DONE, READING_FAILED, READING_TOO_LARGE, READING_LATE } reading_end;

double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

uint64_t next_slice(uint64_t steps, double seconds) {
  if (seconds < 0.004 && steps < (1u << 24)) return steps * 2;
  return seconds > 0.010 && steps > 1 ? steps / 2 : steps;
}

const char *commas(int64_t value) {
  static char ring[8][32];
  static unsigned turn;
  char digits[24], *out = ring[turn++ % 8];
  int count = snprintf(digits, sizeof digits, "%lld", (long long)value), used = 0;
  for (int k = 0; k < count; k++) {
    if (k > (value < 0) && (count - k) % 3 == 0) out[used++] = ',';
    out[used++] = digits[k];
  }
  out[used] = 0;
  return out;
}

/* ---- what the library is given -------------------------------------------------------------------------------------- */

bool new_context(asc_context **context) {
  uint64_t key[2] = {0};
  if (asc_context_new(NULL, context) != ASC_OK) {
    complain("out of memory");
    return false;
  }
  int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  if (file < 0 || read(file, key, sizeof key) != (ssize_t)sizeof key) { /* hard to know from afar, if not random */
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    key[0] ^= (uint64_t)time.tv_nsec << 32 ^ (uint64_t)getpid();
    key[1] ^= (uint64_t)time.tv_sec;
  }
  if (file >= 0) close(file);
  asc_context_set_key(*context, key[0], key[1]);
  return true;
}

/* ---- reading --------------------------------------------------------------------------------------------------------- */

bool is_late(double deadline) {
  return deadline >= 0 && now() >= deadline;
}

/* Waits until there is something to read; false: the deadline came first, or (errno) an error. */
static bool wait_for(int file, double deadline) {
  struct pollfd poll_file = {.fd = file, .events = POLLIN};
  for (;;) {
    double left = deadline < 0 ? -1 : (deadline - now()) * 1000;
    if (deadline >= 0 && left < 0) left = 0;
    int ready = poll(&poll_file, 1, left < 0 ? -1 : left > 60000 ? 60000 : (int)left + 1);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (ready == 0 && is_late(deadline)) return false;
  }
}

/* Bytes read into text, negative (errno) if that failed. */
static ssize_t read_some(int file, char *text, size_t room, double deadline) {
  ssize_t count;
  errno = 0;
  do {
    if (!wait_for(file, deadline)) return -1;
    count = read(file, text, room);
  } while (count < 0 && (errno == EINTR || errno == EAGAIN));
  return count;
}

static reading_end read_all(int file, double deadline, char **text, size_t *bytes) {
  size_t room = 1 << 16;
  *bytes = 0;
  *text = malloc(room);
  while (*text) {
    ssize_t count = read_some(file, *text + *bytes, room - *bytes, deadline);
    if (count < 0) return errno ? READING_FAILED : READING_LATE;
    if (count == 0) return READING_DONE;
    *bytes += (size_t)count;
    if (*bytes > MOST_FILE_BYTES) return READING_TOO_LARGE;
    if (*bytes < room) continue;
    char *more = realloc(*text, room *= 2);
    if (!more) break;
    *text = more;
  }
  errno = ENOMEM;
  return READING_FAILED;
}

const char *path_words(const char *path) {
  return *path ? path : "an empty path";
}

char *read_file(const char *path, double deadline, size_t *bytes, bool *late) {
  bool standard = strcmp(path, "-") == 0;
  int file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  char *text = NULL;
  reading_end end = file < 0 ? READING_FAILED : read_all(file, deadline, &text, bytes);
  if (end == READING_FAILED)
    complain("%s: %s", path_words(path), strerror(errno));
  else if (end == READING_TOO_LARGE)
    complain("%s: is larger than %s bytes, the most that is read", path, commas(MOST_FILE_BYTES));
  *late = end == READING_LATE;
  if (end != READING_DONE) {
    free(text);
    text = NULL;
  }
  if (file >= 0 && !standard) close(file);
  return text;
}
