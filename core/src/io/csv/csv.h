/* What the reader and the writer of buffer CSV share: a problem with the file's other columns. */
#ifndef ASCI_IO_CSV_H
#define ASCI_IO_CSV_H

#include "base/memory.h"

struct asc_csv {
  asc_context *context;
  asc_problem *problem;
  int64_t *offsets; /* the plan, or NULL */
  char convention[512];
  asc_csv_end end; /* BY_NAME: it left nothing open */
  bool foreign;    /* read as other tools write it, or as it was told */

  /* The columns nobody knows. Entry k < extra_count of extra_at is column k's name, entry (row + 1) * extra_count + k its value in that
     row; each is where a text ended by NUL begins in extra_text. */
  size_t extra_count;
  char *extra_text;
  size_t extra_bytes, extra_room;
  size_t *extra_at;
  size_t extra_entries, extra_at_room;
  size_t
      shape_extra; /* which of the columns is called shape, or SIZE_MAX: its cells are a tensor's dimensions where the buffer has no shape */
};

#endif
