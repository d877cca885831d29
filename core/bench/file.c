#include "file.h"

#include <stdio.h>
#include <stdlib.h>

char *read_file(const char *path, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  char *text = NULL;
  long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  if (end >= 0 && fseek(file, 0, SEEK_SET) == 0) text = malloc((size_t)end + 1);
  if (text) *bytes = fread(text, 1, (size_t)end, file);
  fclose(file);
  return text;
}
