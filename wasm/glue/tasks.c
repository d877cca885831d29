/* A problem that is tasks on tiles, and those made of a graph. */
#include "session.h"

/* numbers = whether the text in the input, which stays, is a task CSV. */
int32_t glue_is_tasks(session *s) {
  begin(&s->out);
  put_number(&s->out, s->input && asc_task_csv_is(s->input, s->input_bytes));
  return done(s);
}

/* Reads the task CSV in the input; the problem has its tensors, without inputs and outputs of the model, as buffers with shapes, for the memory of
   the profile. Only if that is well is the problem replaced. Errors: those of asc_task_csv_read, asc_tiling_problem and asc_profile_apply. */
int32_t glue_open_tasks(session *s) {
  asc_diag diags[MAX_DIAGS];
  size_t total = 0;
  origin from = {0};
  asc_problem *applied = NULL;
  begin(&s->out);
  if (!s->input) return ASC_BAD_ARGUMENT;
  asc_status status = asc_task_csv_read(s->context, s->input, s->input_bytes, &from.tiling, diags, MAX_DIAGS, &total);
  drop_input(s);
  if (status != ASC_OK) return refuse(s, status, diags, total < MAX_DIAGS ? total : MAX_DIAGS, total);
  *diags = (asc_diag){0};
  status = asc_tiling_problem(from.tiling, 0, &from.tiled, diags);
  if (!status && has_profile(s)) status = asc_profile_apply(from.tiled, &s->profile, &applied, diags);
  if (status == ASC_OK) {
    replace(s, from, applied);
    return ASC_OK;
  }
  asc_problem_free(from.tiled);
  asc_tiling_free(from.tiling);
  return refuse(s, status, diags, 1, 1);
}

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

/* What the tasks read and write of the open problem's buffers: numbers = tasks, whether their chunks are told (they are not where there are
   MOST_CHUNKS or more), then of each chunk from and to, in bytes from its buffer's first; words = of each its task, its buffer and whether it is
   written; text = the tasks' ids. Errors: BAD_ARGUMENT (the problem did not come as tasks), OUT_OF_MEMORY. */
int32_t glue_tasks(session *s) {
  begin(&s->out);
  if (!s->tiling) return ASC_BAD_ARGUMENT;
  return put_tasks(&s->out, s->tiling) ? done(s) : ASC_OUT_OF_MEMORY;
}

/* text = the tasks on tiles of the open graph, for so many bytes on the chip, under the options in the input, as task CSV. Errors: BAD_ARGUMENT (no
   graph), those of asc_graph_tile, with a message. */
int32_t glue_tile(session *s, double capacity) {
  begin(&s->out);
  if (!s->graph || !s->input || !whole(capacity, 0)) return ASC_BAD_ARGUMENT;
  asc_diag diag = {0};
  asc_tiling *tiling = NULL;
  uint32_t count;
  asc_option_value *options = read_options(s->input, s->input + s->input_bytes, &count);
  asc_status status = ASC_OUT_OF_MEMORY;
  if (options) status = asc_graph_tile(s->graph, options, count, (int64_t)capacity, &tiling, &diag);
  free(options);
  drop_input(s);
  if (status == ASC_OK) status = asc_task_csv_write(tiling, append, &s->out);
  asc_tiling_free(tiling);
  if (s->out.short_of_memory) return ASC_OUT_OF_MEMORY;
  return status == ASC_OK ? ASC_OK : refuse(s, status, &diag, 1, 1);
}
