/* The tasks of a tiling in the outputs, as glue_tasks says. */
#ifndef ASC_WASM_TASKS_H
#define ASC_WASM_TASKS_H

#include "asc/tile.h"
#include "outputs.h"

#define MOST_CHUNKS (1u << 18)

typedef struct task_chunks {
  outputs *out;
  uint32_t task, buffer, writes;
  size_t count;
} task_chunks;

static void put_chunk(void *user, int64_t offset, int64_t size) {
  task_chunks *chunks = user;
  if (chunks->count++ >= MOST_CHUNKS) return;
  const uint32_t words[3] = {chunks->task, chunks->buffer, chunks->writes};
  put_number(chunks->out, (double)offset);
  put_number(chunks->out, (double)(offset + size));
  put_words(chunks->out, words, 3);
}

static void put_boxes(task_chunks *chunks, const asc_tiling *tiling, const uint32_t *buffers, const asc_box *boxes,
                      uint32_t count) {
  for (uint32_t k = 0; k < count && chunks->count < MOST_CHUNKS; k++) {
    chunks->buffer = buffers[boxes[k].tensor];
    if (chunks->buffer != ASC_NONE) asc_tiling_chunks(tiling, &boxes[k], put_chunk, chunks);
  }
}

/* False when there is no memory. */
static bool put_tasks(outputs *out, const asc_tiling *tiling) {
  uint32_t tensors = asc_tiling_tensor_count(tiling), tasks = asc_tiling_task_count(tiling);
  uint32_t *buffers = malloc((tensors ? tensors : 1) * sizeof *buffers);
  if (!buffers) return false;
  asc_tiling_buffers(tiling, 0, buffers);
  put_number(out, tasks);
  put_number(out, 1);
  task_chunks chunks = {.out = out};
  for (uint32_t k = 0; k < tasks; k++) {
    const asc_task_spec *task = asc_tiling_task(tiling, k);
    put_string(out, task->id);
    chunks.task = k;
    chunks.writes = 0;
    put_boxes(&chunks, tiling, buffers, task->reads, task->read_count);
    chunks.writes = 1;
    put_boxes(&chunks, tiling, buffers, task->writes, task->write_count);
  }
  free(buffers);
  if (chunks.count >= MOST_CHUNKS && !out->short_of_memory) {
    out->numbers[1] = 0;
    out->number_count = 2;
    out->word_count = 0;
  }
  return !out->short_of_memory;
}

#endif
