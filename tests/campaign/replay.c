/* A fuzz target as a program that reads files: each argument is one input. Coverage is measured with it, where libFuzzer's own counters are in the way. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
  for (int k = 1; k < argc; k++) {
    FILE *file = fopen(argv[k], "rb");
    if (!file || fseek(file, 0, SEEK_END) || ftell(file) < 0) return perror(argv[k]), 1;
    size_t size = (size_t)ftell(file);
    uint8_t *data = malloc(size + !size); /* of its very size, so that a read beyond it is seen */
    rewind(file);
    if (!data || fread(data, 1, size, file) != size) return perror(argv[k]), 1;
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
  }
  return 0;
}
