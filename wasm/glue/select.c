/* What of the open model lives in a small fast memory. */
#include "asc/select.h"
#include "session.h"

static void put_choice(session *s, const asc_selection *selection) {
  uint32_t count;
  const asc_select_row *rows = asc_select_rows(selection, &count);
  asc_select_stats stats = asc_select_stats_get(selection);
  const double head[] = {(double)stats.bytes, (double)stats.fast_bytes, stats.count,        stats.fast,
                         stats.repacks,       stats.repacked,           (double)stats.steps};
  for (size_t k = 0; k < sizeof head / sizeof *head; k++) put_number(&s->out, head[k]);
  for (uint32_t k = 0; k < count; k++) {
    const uint32_t words[] = {rows[k].buffer, rows[k].accesses, (uint32_t)rows[k].verdict};
    put_number(&s->out, (double)rows[k].bytes);
    put_words(&s->out, words, sizeof words / sizeof *words);
  }
}

/* Chooses what of the open graph lives in a fast memory of so many bytes, to the end: at most `most` repacks of `budget` steps each (0: no limit), with
   the newcomer or of those alone that are in. The input names the repacker, "" for nobody, and its options, name and value of each behind it. numbers =
   bytes moved in all and by fast memory, buffers, those in fast memory, repacks, those of use, steps, then the bytes that each buffer's accesses move, in
   order of priority; words = of each its buffer, accesses and verdict. Errors: BAD_ARGUMENT (no graph), those of asc_select_new, with a message, and of
   asc_select_step. */
int32_t glue_select(session *s, double capacity, bool with, double most, double seed, double budget) {
  begin(&s->out);
  if (!s->lowering || !whole(most, 0) || most > UINT32_MAX) return ASC_BAD_ARGUMENT;
  asc_select_config config = asc_select_config_default(-1);
  asc_option_value *options;
  asc_status status = take_config(s, ASC_GOAL_FIT, capacity, seed, budget, &config.repacker, &options);
  if (status != ASC_OK) return (int32_t)status;
  config.capacity = (int64_t)capacity;
  config.with = with;
  config.most_repacks = (uint32_t)most;
  if (!*config.repacker.solver) config.repacker.solver = NULL;
  asc_diag diag = {0};
  asc_selection *selection = NULL;
  bool over = false;
  status = asc_select_new(s->lowering, &config, &selection, &diag);
  const bool refused = status != ASC_OK;
  while (status == ASC_OK && !over) status = asc_select_step(selection, UINT32_MAX, &over);
  if (status == ASC_OK) put_choice(s, selection);
  asc_select_free(selection);
  free(options);
  drop_input(s);
  return refused ? refuse(s, status, &diag, 1, 1) : (int32_t)status;
}
