/* Makes a graph of three arrays (README.md). They come from outside: every count and index is looked at before it is used. */
#include "base/diag.h"
#include "graph/graph.h"

#include <string.h>

enum {
  HEAD = 3,         /* words before the tensors': tensors, operators, texts */
  TENSOR_WORDS = 5, /* id, kind, shape, dtype, axes */
  OP_WORDS = 7,     /* id, type, entries of the four lists, windows */
};

typedef struct unpacker {
  asc_context *context;
  const asc_packed_graph *from;
  asc_graph *graph;
  asc_diag diag;
  uint32_t tensors, ops, text_count;
  const char **texts;
  size_t list; /* which word the next list begins with */
} unpacker;

static asc_status complain_of(unpacker *u, const char *array, size_t is, size_t expected) {
  return asci_complain(&u->diag, ASC_BAD_INPUT, array, "are %zu, expected %zu", is, expected);
}

/* Says in the diagnostic which tensor or operator it is of: by its id, unless that is what is wrong. */
static asc_status of(unpacker *u, asc_status status, const char *what, uint32_t index, const char *id) {
  if (status != ASC_BAD_INPUT && status != ASC_TOO_LARGE) return status;
  const asc_diag was = u->diag;
  if (id && *id && strcmp(was.field, "id") != 0)
    return asci_complain(&u->diag, status, was.field, "of %s \xe2\x80\x9c%.60s\xe2\x80\x9d %s", what, id, was.message);
  return asci_complain(&u->diag, status, was.field, "of %s %u %s", what, index + 1, was.message);
}

/* ---- texts and numbers ------------------------------------------------------------------------------------------------- */

static asc_status find_texts(unpacker *u) {
  const char *at = u->from->text_bytes ? u->from->text : "", *end = at + u->from->text_bytes;
  if (u->text_count > u->from->text_bytes) return complain_of(u, "texts", u->from->text_bytes, u->text_count);
  u->texts = asci_alloc(u->context, u->text_count, sizeof *u->texts);
  if (!u->texts) return ASC_OUT_OF_MEMORY;
  for (uint32_t k = 0; k < u->text_count; k++) {
    const char *nul = memchr(at, 0, (size_t)(end - at));
    if (!nul) return complain_of(u, "texts", k, u->text_count);
    u->texts[k] = at;
    at = nul + 1;
  }
  if (at == end) return ASC_OK;
  return asci_complain(&u->diag, ASC_BAD_INPUT, "texts", "end %zu bytes early", (size_t)(end - at));
}

/* What a graph CSV cannot hold is not taken here either: what is open can always be written. */
static asc_status read_text(unpacker *u, uint32_t index, const char *field, const char **text) {
  if (index >= u->text_count)
    return asci_complain(&u->diag, ASC_BAD_INPUT, field, "is text %u, expected less than %u", index, u->text_count);
  for (const char *at = u->texts[index]; *at; at++)
    if ((unsigned char)*at < 0x20 || *at == 0x7f)
      return asci_complain(&u->diag, ASC_BAD_INPUT, field, "has control characters, expected none");
  *text = u->texts[index];
  return ASC_OK;
}

static asc_status read_number(unpacker *u, size_t index, const char *field, int64_t *value) {
  double number = u->from->numbers[index];
  bool whole = number >= -(double)ASC_MAX_BYTES && number <= (double)ASC_MAX_BYTES && (double)(int64_t)number == number;
  if (!whole) return asci_complain(&u->diag, ASC_BAD_INPUT, field, "is no whole number that a double holds exactly");
  *value = (int64_t)number;
  return ASC_OK;
}

/* ---- rows ---------------------------------------------------------------------------------------------------------------- */

static asc_status read_tensor(unpacker *u, uint32_t index) {
  const uint32_t *row = u->from->words + HEAD + (size_t)TENSOR_WORDS * index;
  asc_tensor_spec spec = {.kind = row[1]};
  asc_status status = read_text(u, row[0], "id", &spec.id);
  if (!status) status = read_text(u, row[2], "shape", &spec.shape);
  if (!status) status = read_text(u, row[3], "dtype", &spec.dtype);
  if (!status) status = read_text(u, row[4], "axes", &spec.axes);
  if (!status) status = read_number(u, 2 * (size_t)index, "bytes", &spec.bytes);
  if (!status) status = read_number(u, 2 * (size_t)index + 1, "alignment", &spec.alignment);
  if (!status) status = asc_graph_add_tensor(u->graph, &spec, &u->diag);
  return of(u, status, "tensor", index, spec.id);
}

/* The next list, of `count` entries of `size` words. */
static asc_status take_list(unpacker *u, uint32_t count, uint32_t size, const char *field, const uint32_t **list) {
  size_t left = (u->from->word_count - u->list) / size;
  *list = u->from->words + u->list;
  if (count > left)
    return asci_complain(&u->diag, ASC_BAD_INPUT, field, "are %u, expected at most the %zu that follow", count, left);
  u->list += (size_t)count * size;
  return ASC_OK;
}

static asc_status read_op(unpacker *u, uint32_t index) {
  const uint32_t *row = u->from->words + HEAD + (size_t)TENSOR_WORDS * u->tensors + (size_t)OP_WORDS * index;
  asc_op_spec spec = {.input_count = row[2], .output_count = row[3], .inplace_count = row[4], .alias_count = row[5]};
  const uint32_t *inplace = NULL, *alias = NULL;
  asc_status status = read_text(u, row[0], "id", &spec.id);
  if (!status) status = read_text(u, row[1], "type", &spec.type);
  if (!status) status = read_text(u, row[6], "windows", &spec.windows);
  if (!status) status = take_list(u, spec.input_count, 1, "inputs", &spec.inputs);
  if (!status) status = take_list(u, spec.output_count, 1, "outputs", &spec.outputs);
  if (!status) status = take_list(u, spec.inplace_count, 2, "inplace", &inplace);
  if (!status) status = take_list(u, spec.alias_count, 2, "alias", &alias);
  spec.inplace = (const asc_tensor_pair *)inplace;
  spec.alias = (const asc_tensor_pair *)alias;
  if (!status) status = read_number(u, 2 * (size_t)u->tensors + index, "workspace", &spec.workspace);
  if (!status) status = asc_graph_add_op(u->graph, &spec, &u->diag);
  return of(u, status, "operator", index, spec.id);
}

/* ---- all of it ------------------------------------------------------------------------------------------------------------ */

static asc_status read_head(unpacker *u) {
  const asc_packed_graph *from = u->from;
  if (from->word_count < HEAD) return complain_of(u, "words", from->word_count, HEAD);
  u->tensors = from->words[0];
  u->ops = from->words[1];
  u->text_count = from->words[2];
  size_t left = from->word_count - HEAD;
  if (u->tensors > left / TENSOR_WORDS || u->ops > (left - (size_t)u->tensors * TENSOR_WORDS) / OP_WORDS)
    return asci_complain(&u->diag, ASC_BAD_INPUT, "words", "are %zu, too few for %u tensors and %u operators",
                         from->word_count, u->tensors, u->ops);
  u->list = HEAD + (size_t)u->tensors * TENSOR_WORDS + (size_t)u->ops * OP_WORDS;
  size_t numbers = 2 * (size_t)u->tensors + u->ops;
  return from->number_count == numbers ? ASC_OK : complain_of(u, "numbers", from->number_count, numbers);
}

static asc_status unpack(unpacker *u) {
  asc_status status = read_head(u);
  if (!status) status = find_texts(u);
  if (!status) status = asc_graph_new(u->context, &u->graph);
  for (uint32_t k = 0; k < u->tensors && !status; k++) status = read_tensor(u, k);
  for (uint32_t k = 0; k < u->ops && !status; k++) status = read_op(u, k);
  if (!status && u->list != u->from->word_count) status = complain_of(u, "words", u->from->word_count, u->list);
  return status ? status : asc_graph_freeze(u->graph, &u->diag);
}

asc_status asc_graph_unpack(asc_context *context, const asc_packed_graph *packed, asc_graph **graph, asc_diag *diag) {
  if (!context || !packed || !graph || (packed->number_count && !packed->numbers) ||
      (packed->word_count && !packed->words) || (packed->text_bytes && !packed->text))
    return asci_complain(diag, ASC_BAD_ARGUMENT, "", "%s", asc_status_text(ASC_BAD_ARGUMENT));
  unpacker u = {.context = context, .from = packed};
  asc_status status = unpack(&u);
  asci_free(context, u.texts);
  if (status == ASC_OUT_OF_MEMORY) asci_refuse(&u.diag, status);
  if (status)
    asc_graph_free(u.graph);
  else
    *graph = u.graph;
  if (status && diag) *diag = u.diag;
  return status;
}
