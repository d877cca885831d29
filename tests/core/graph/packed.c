#include "packed.h"

#include "support.h"

#include <stdlib.h>
#include <string.h>

static void put_number(packed *p, double value) {
  p->numbers = realloc(p->numbers, (p->from.number_count + 1) * sizeof *p->numbers);
  assert_non_null(p->numbers);
  p->numbers[p->from.number_count++] = value;
}

static void put_word(packed *p, uint32_t word) {
  p->words = realloc(p->words, (p->from.word_count + 1) * sizeof *p->words);
  assert_non_null(p->words);
  p->words[p->from.word_count++] = word;
}

static void put_text(packed *p, const char *text) {
  uint32_t index = 0;
  for (size_t at = 0; at < p->from.text_bytes; at += strlen(p->text + at) + 1, index++)
    if (strcmp(p->text + at, text) == 0) {
      put_word(p, index);
      return;
    }
  size_t bytes = strlen(text) + 1;
  p->text = realloc(p->text, p->from.text_bytes + bytes);
  assert_non_null(p->text);
  memcpy(p->text + p->from.text_bytes, text, bytes);
  p->from.text_bytes += bytes;
  p->words[2]++;
  put_word(p, index);
}

static void put_pairs(packed *p, const asc_tensor_pair *pairs, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    put_word(p, pairs[k].output);
    put_word(p, pairs[k].input);
  }
}

static void put_lists(packed *p, const asc_op_spec *op) {
  for (uint32_t k = 0; k < op->input_count; k++) put_word(p, op->inputs[k]);
  for (uint32_t k = 0; k < op->output_count; k++) put_word(p, op->outputs[k]);
  put_pairs(p, op->inplace, op->inplace_count);
  put_pairs(p, op->alias, op->alias_count);
}

packed test_pack(const asc_graph *graph) {
  packed p = {0};
  uint32_t tensors = asc_graph_tensor_count(graph), ops = asc_graph_op_count(graph);
  put_word(&p, tensors);
  put_word(&p, ops);
  put_word(&p, 0);
  for (uint32_t t = 0; t < tensors; t++) {
    const asc_tensor_spec *spec = asc_graph_tensor(graph, t);
    put_text(&p, spec->id);
    put_word(&p, spec->kind);
    put_text(&p, spec->shape);
    put_text(&p, spec->dtype);
    put_text(&p, spec->axes);
    put_number(&p, (double)spec->bytes);
    put_number(&p, (double)spec->alignment);
  }
  for (uint32_t k = 0; k < ops; k++) {
    const asc_op_spec *op = asc_graph_op(graph, k);
    put_text(&p, op->id);
    put_text(&p, op->type);
    put_word(&p, op->input_count);
    put_word(&p, op->output_count);
    put_word(&p, op->inplace_count);
    put_word(&p, op->alias_count);
    put_text(&p, op->windows);
    put_number(&p, (double)op->workspace);
  }
  for (uint32_t k = 0; k < ops; k++) put_lists(&p, asc_graph_op(graph, k));
  p.from.numbers = p.numbers;
  p.from.words = p.words;
  p.from.text = p.text;
  return p;
}

void test_pack_end(packed *arrays) {
  free(arrays->numbers);
  free(arrays->words);
  free(arrays->text);
  *arrays = (packed){0};
}
