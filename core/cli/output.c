/* Where a command writes. A regular file is made anew beside the old one, flushed to the disk and put in its place as the last thing: whatever
   fails, the old file is whole. Links are followed to the file; pipes and devices are written through. */
#define _XOPEN_SOURCE 700 /* for realpath; NOLINT(bugprone-reserved-identifier) */

#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what a path is -------------------------------------------------------------------------------------------------- */

static bool is_same_file(const struct stat *file, int descriptor) {
  struct stat other;
  return fstat(descriptor, &other) == 0 && other.st_dev == file->st_dev && other.st_ino == file->st_ino;
}

bool output_is_standard(const char *path) {
  struct stat file;
  if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) return true;
  return stat(path, &file) == 0 && !S_ISCHR(file.st_mode) && is_same_file(&file, STDOUT_FILENO);
}

/* Whether nothing can be put in its place: no regular file, or what stderr goes to. */
static bool is_stream(const struct stat *file) {
  return !S_ISREG(file->st_mode) || is_same_file(file, STDERR_FILENO);
}

/* The folder of a path with its slash, "" for the working folder; free() it. */
static char *folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return strndup(path, slash ? (size_t)(slash - path) + 1 : 0);
}

/* After stat() has failed. "" is not there either, but nothing can be put there. */
static bool may_be_made(const char *path) {
  return errno == ENOENT && *path;
}

/* A link to nothing becomes a link to an empty file, which has a path without links. */
static bool fill_link(const char *path) {
  int made = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  return made >= 0 && close(made) == 0;
}

/* The file behind all links, which there may be none of; sets errno and returns NULL if it cannot be written. free() it. */
static char *find_target(const char *path, struct stat *old, bool *is_new) {
  *is_new = stat(path, old) != 0;
  if (!*is_new) return access(path, W_OK) == 0 ? realpath(path, NULL) : NULL;
  if (!may_be_made(path)) return NULL;
  struct stat link;
  if (lstat(path, &link) == 0) return fill_link(path) ? realpath(path, NULL) : NULL;
  return strdup(path);
}

/* Whether two paths that are written lead to one file, or will. What flows on is written by both. */
static bool is_one_file(const char *a, const char *b) {
  struct stat of_a, of_b;
  if (output_is_standard(a) || output_is_standard(b)) return false;
  if (stat(a, &of_a) != 0 || stat(b, &of_b) != 0) return strcmp(a, b) == 0;
  return of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino && !is_stream(&of_a);
}

bool outputs_apart(const cli_args *args) {
  static const char *const flags[] = {"output", "proof", "trace"};
  const char *paths[sizeof flags / sizeof *flags];
  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
    paths[k] = args_text(args, flags[k], NULL);
    for (size_t j = 0; paths[k] && j < k; j++) {
      if (!paths[j] || !is_one_file(paths[j], paths[k])) continue;
      complain("--%s: is the file of --%s, which would be lost", flags[k], flags[j]);
      return false;
    }
  }
  return true;
}

bool output_check(const char *path) {
  struct stat old;
  errno = 0;
  if (!path || output_is_standard(path)) return true;
  bool is_new = stat(path, &old) != 0, fine = !is_new || may_be_made(path);
  if (!is_new && S_ISDIR(old.st_mode)) {
    errno = EISDIR;
    fine = false;
  }
  if (fine && !is_new) fine = access(path, W_OK) == 0;
  char *real = fine && !is_new && !is_stream(&old) ? realpath(path, NULL) : NULL;
  char *folder = is_new || real ? folder_of(real ? real : path) : NULL;
  if (fine && folder) fine = access(*folder ? folder : ".", W_OK | X_OK) == 0;
  if (!fine) complain("%s: %s", path_words(path), strerror(errno));
  free(real);
  free(folder);
  return fine;
}

/* ---- writing --------------------------------------------------------------------------------------------------------- */

static mode_t mode_of_new(void) {
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

/* The new file keeps owner and permissions of the old one as far as it may. */
static bool open_beside(cli_output *out, const struct stat *old) {
  static const char name[] = ".arenascope-XXXXXX"; /* short: a name beside a long one must not be longer */
  char *folder = folder_of(out->target);
  size_t room = folder ? strlen(folder) + sizeof name : 0;
  out->temporary = folder ? malloc(room) : NULL;
  if (out->temporary) snprintf(out->temporary, room, "%s%s", folder, name);
  free(folder);
  if (!out->temporary) return false;
  /* between the two a signal would leave the file behind */
  signals_hold(true);
  int made = mkstemp(out->temporary);
  if (made >= 0) signals_remove(out->temporary);
  signals_hold(false);
  if (made < 0) {
    free(out->temporary);
    out->temporary = NULL;
    return false;
  }
  if (old && fchown(made, old->st_uid, old->st_gid) != 0) errno = 0;
  fchmod(made, old ? old->st_mode & 0777 : mode_of_new());
  out->file = fdopen(made, "wb");
  if (!out->file) close(made);
  return out->file != NULL;
}

bool output_open(cli_output *out, const char *path) {
  struct stat old;
  bool is_new;
  *out = (cli_output){.path = path};
  errno = 0;
  if (output_is_standard(path)) {
    out->file = stdout;
    return true;
  }
  if (stat(path, &old) == 0 && is_stream(&old))
    out->file = fopen(path, "ab"); /* what stderr goes to has words in it already */
  else if ((out->target = find_target(path, &old, &is_new)))
    open_beside(out, is_new ? NULL : &old);
  return out->file || output_close(out, false);
}

/* After a rename the folder, too, has to reach the disk; where it cannot be asked to, nothing is lost but time. */
static void flush_folder(const char *target) {
  char *folder = folder_of(target);
  int opened = folder ? open(*folder ? folder : ".", O_RDONLY | O_CLOEXEC) : -1;
  if (opened >= 0) {
    fsync(opened);
    close(opened);
  }
  free(folder);
}

static bool is_flushed(FILE *file) {
  return fflush(file) == 0 && (fsync(fileno(file)) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP);
}

bool output_close(cli_output *out, bool written) {
  if (out->file == stdout) written = fflush(stdout) == 0 && written;
  if (out->temporary && out->file) written = written && is_flushed(out->file);
  int reason = errno;
  if (out->file && out->file != stdout && fclose(out->file) != 0 && written) {
    reason = errno;
    written = false;
  }
  bool kept = false;
  if (written && out->temporary && rename(out->temporary, out->target) != 0) {
    reason = errno;
    written = false;
    kept = true; /* all of it is on the disk, and it may have taken hours */
  }
  if (written && out->temporary) flush_folder(out->target);
  if (!written) complain("%s: %s", path_words(out->path), strerror(reason ? reason : EIO));
  if (out->file == stdout) clearerr(stdout); /* it was said */
  if (kept) complain("%s: what should be there is in %s", out->path, out->temporary);
  if (out->temporary && !written && !kept) unlink(out->temporary);
  signals_remove(NULL);
  free(out->temporary);
  free(out->target);
  return written;
}

void output_drop(cli_output *out) {
  if (out->file && out->file != stdout) fclose(out->file);
  if (out->temporary) unlink(out->temporary);
  signals_remove(NULL);
  free(out->temporary);
  free(out->target);
}

int output_end(cli_output *out, asc_status status, const asc_diag *diag) {
  if (!status || !diag->message[0]) return output_close(out, !status) ? EXIT_SOLVED : EXIT_USAGE;
  complain("%s: %s", diag->field, diag->message);
  output_drop(out);
  return EXIT_USAGE;
}

bool to_file(void *user, const char *text, size_t bytes) {
  return fwrite(text, 1, bytes, user) == bytes;
}

bool write_csv(const cli_args *args, const char *path, const asc_problem *problem, const asc_csv *extra,
               const int64_t *offsets) {
  cli_output out;
  asc_status (*write)(const asc_problem *, const asc_csv *, const int64_t *, asc_sink, void *) =
      args_switch(args, "for_sheets") ? asc_csv_write_for_sheets : asc_csv_write;
  return output_open(&out, path) && output_close(&out, write(problem, extra, offsets, to_file, out.file) == ASC_OK);
}
