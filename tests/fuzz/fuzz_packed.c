/* Any bytes as the three arrays of a packed graph: they are refused with a message, or the graph is as good as one that was read. */
#include <math.h>
#include <string.h>

#include "graph_checks.h"

typedef struct input {
  const uint8_t *data;
  size_t size, at;
} input;

static uint8_t take(input *in) {
  return in->at < in->size ? in->data[in->at++] : 0;
}

/* A byte each, that mutations make sense; the highest ones are what is hardest to bear. */
static uint32_t take_word(input *in) {
  uint8_t byte = take(in);
  return byte < 250 ? byte : UINT32_MAX >> (255 - byte) * 6;
}

static double take_number(input *in) {
  static const double odd[] = {-1, 0.5, 9007199254740991.0, 9007199254740992.0, 1e300, INFINITY, NAN};
  uint8_t byte = take(in);
  return byte < 249 ? byte : odd[byte - 249];
}

static void check(asc_context *context, const asc_packed_graph *from, uint32_t seed) {
  asc_graph *graph = NULL;
  asc_diag diag = {0};
  asc_status status = asc_graph_unpack(context, from, &graph, &diag);
  demand((status == ASC_OK) == (graph != NULL));
  if (status) {
    demand(status == ASC_BAD_INPUT || status == ASC_TOO_LARGE);
    demand(diag.status == status && diag.field[0] && diag.message[0] && diag.line == 0);
    return;
  }
  check_again(context, graph);
  check_lowering(graph, seed);
  check_tiling(graph, seed);
  asc_graph_free(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input in = {data, size, 0};
  uint32_t seed = take(&in) * 131u;
  asc_packed_graph from = {.number_count = take(&in), .word_count = take(&in)};
  /* Arrays without a value to spare, so that reading past the end is seen. */
  double *numbers = malloc(from.number_count ? from.number_count * sizeof *numbers : 1);
  uint32_t *words = malloc(from.word_count ? from.word_count * sizeof *words : 1);
  demand(numbers && words);
  for (size_t k = 0; k < from.number_count; k++) numbers[k] = take_number(&in);
  for (size_t k = 0; k < from.word_count; k++) words[k] = take_word(&in);
  from.text_bytes = size - in.at;
  char *text = malloc(from.text_bytes ? from.text_bytes : 1);
  demand(text != NULL);
  if (from.text_bytes) memcpy(text, data + in.at, from.text_bytes);
  from.numbers = numbers;
  from.words = words;
  from.text = text;
  asc_context *context = NULL;
  demand(asc_context_new(NULL, &context) == ASC_OK);
  check(context, &from, seed);
  demand(asc_context_bytes(context) == 0);
  asc_context_free(context);
  free(numbers);
  free(words);
  free(text);
  return 0;
}
