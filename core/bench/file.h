/* Files, of the bench and of what makes learned backtracking. */
#ifndef ASC_BENCH_FILE_H
#define ASC_BENCH_FILE_H

#include <stddef.h>

/* The bytes of a file, which the caller frees; NULL: it cannot be read, errno says why. */
char *read_file(const char *path, size_t *bytes);

#endif
