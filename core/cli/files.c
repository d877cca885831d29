#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void complain(const char *format, ...) {
  va_list arguments;
  fflush(stdout);
  fprintf(stderr, "arenascope: ");
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}

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

/* ---- JSON ------------------------------------------------------------------------------------------------------------ */

/* Length of the UTF-8 sequence at text, 0 if it is none. */
static size_t sequence(const unsigned char *text) {
  size_t length = *text < 0x80 ? 1 : *text < 0xc2 ? 0 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : *text < 0xf5 ? 4 : 0;
  for (size_t k = 1; k < length; k++)
    if ((text[k] & 0xc0) != 0x80) return 0;
  bool overlong = (*text == 0xe0 && text[1] < 0xa0) || (*text == 0xf0 && text[1] < 0x90);
  bool beyond = (*text == 0xed && text[1] >= 0xa0) || (*text == 0xf4 && text[1] >= 0x90);
  return length > 2 && (overlong || beyond) ? 0 : length;
}

void print_json_text(FILE *file, const char *text) {
  const unsigned char *at = (const unsigned char *)text;
  fputc('"', file);
  while (*at) {
    size_t length = sequence(at);
    if (length == 0)
      fputs("\\ufffd", file), length = 1;
    else if (*at == '"' || *at == '\\')
      fprintf(file, "\\%c", *at);
    else if (*at < 0x20)
      fprintf(file, "\\u%04x", *at);
    else
      fwrite(at, 1, length, file);
    at += length;
  }
  fputc('"', file);
}

/* ---- CSV ------------------------------------------------------------------------------------------------------------- */

static char *read_all(FILE *file, size_t *bytes) {
  size_t room = 1 << 16, used = 0;
  char *text = malloc(room);
  while (text) {
    used += fread(text + used, 1, room - used, file);
    if (used < room) break;
    char *more = realloc(text, room *= 2);
    if (!more) free(text);
    text = more;
  }
  *bytes = used;
  return text;
}

char *read_file(const char *path, size_t *bytes) {
  bool standard = strcmp(path, "-") == 0;
  errno = 0;
  FILE *file = standard ? stdin : fopen(path, "rb");
  char *text = NULL;
  if (file) text = read_all(file, bytes);
  if (!file || !text || ferror(file)) {
    complain("%s: %s", path, strerror(errno ? errno : text ? EIO : ENOMEM));
    free(text);
    text = NULL;
  }
  if (file && !standard) fclose(file);
  return text;
}

static bool to_file(void *user, const char *text, size_t bytes) {
  return fwrite(text, 1, bytes, user) == bytes;
}

bool write_csv(const char *path, const asc_problem *problem, const asc_csv *extra, const int64_t *offsets) {
  bool standard = strcmp(path, "-") == 0;
  errno = 0;
  FILE *file = standard ? stdout : fopen(path, "wb");
  bool written = file && asc_csv_write(problem, extra, offsets, to_file, file) == ASC_OK;
  if (file && !standard && fclose(file) != 0) written = false;
  if (standard && fflush(stdout) != 0) written = false;
  if (!written) complain("%s: %s", path, strerror(errno ? errno : EIO));
  return written;
}
