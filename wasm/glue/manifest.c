/* The tables that are fixed at build time, as JSON. */
#include "session.h"

static void put_json_text(outputs *out, const char *text) {
  append(out, "\"", 1);
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') append(out, "\\", 1);
    if (c >= 0x20) {
      append(out, text, 1);
    } else {
      char escape[6] = {'\\', 'u', '0', '0', (char)('0' + (c >> 4)), "0123456789abcdef"[c & 15]};
      append(out, escape, sizeof escape);
    }
  }
  append(out, "\"", 1);
}

/* A digit sequence by hand: stdio would bring system calls into the module. */
static void put_json_integer(outputs *out, int64_t value) {
  char digits[20];
  size_t at = sizeof digits;
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  do digits[--at] = (char)('0' + rest % 10);
  while (rest /= 10);
  if (value < 0) digits[--at] = '-';
  append(out, digits + at, sizeof digits - at);
}

/* The key carries its own comma where it is not the first. */
static void put_member(outputs *out, const char *key, const char *text) {
  put(out, key);
  put_json_text(out, text ? text : "");
}

static void put_integer_member(outputs *out, const char *key, int64_t value) {
  put(out, key);
  put_json_integer(out, value);
}

/* One {...} of texts: names and values in turn. */
static void put_row(outputs *out, bool first, const char *const *members, size_t pairs) {
  put(out, first ? "{" : ",{");
  for (size_t i = 0; i < pairs; i++) {
    if (i) put(out, ",");
    put_json_text(out, members[2 * i]);
    put_member(out, ":", members[2 * i + 1]);
  }
  put(out, "}");
}

static void put_rows(outputs *out, const char *const *rows, size_t count, size_t width) {
  for (size_t k = 0; k < count; k++) put_row(out, k == 0, rows + k * width, width / 2);
}

static void put_options(outputs *out, const asc_option *options, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const asc_option *option = &options[i];
    put_member(out, i ? ",{\"name\":" : "{\"name\":", option->name);
    put_integer_member(out, ",\"type\":", option->type);
    put_member(out, ",\"title\":", option->title);
    put_member(out, ",\"initial\":", option->initial);
    put_integer_member(out, ",\"min\":", option->min);
    put_integer_member(out, ",\"max\":", option->max);
    put_member(out, ",\"choices\":", option->choices);
    put_member(out, ",\"help\":", option->help);
    put(out, "}");
  }
  put(out, "]");
}

static void put_solvers(outputs *out) {
  for (uint32_t k = 0; k < asc_solver_count(); k++) {
    const asc_solver_info *info = asc_solver_at(k);
    int64_t goals = 0;
    for (int g = 0; g < ASC_GOAL_COUNT; g++) goals |= (int64_t)asc_solver_takes_goal(info, (asc_goal)g) << g;
    put_member(out, k ? ",{\"id\":" : "{\"id\":", info->id);
    put_member(out, ",\"title\":", info->title);
    put_member(out, ",\"paper\":", info->paper);
    put_member(out, ",\"summary\":", info->summary);
    put_member(out, ",\"domain\":", asc_domain_id(info->domain));
    put_integer_member(out, ",\"goals\":", goals);
    put_integer_member(out, ",\"supports\":", info->supports);
    put_integer_member(out, ",\"incompleteWith\":", info->incomplete_with);
    put(out, info->complete ? ",\"complete\":true" : ",\"complete\":false");
    put(out, info->refutes ? ",\"refutes\":true" : ",\"refutes\":false");
    put_member(out, ",\"pseudocode\":", info->pseudocode);
    put(out, ",\"options\":[");
    put_options(out, info->options, info->option_count);
    put(out, "}");
  }
}

/* Rows of names and values in turn. */
#define ASC_RULE(name, id_, title_, source_, text_) {"id", id_, "title", title_, "source", source_, "text", text_},
static const char *const rules[][8] = {
#include "asc/rules.def"
};
#undef ASC_RULE
#define ASC_OUTCOME(name, id_, title_, text_) {"id", id_, "title", title_, "text", text_},
static const char *const outcomes[][6] = {
#include "asc/outcome.def"
};
#undef ASC_OUTCOME
#define ASC_STATUS(name_, text_) {"id", #name_, "text", text_},
static const char *const statuses[][4] = {
#include "asc/status.def"
};
#undef ASC_STATUS

#define PUT_ROWS(out, rows) put_rows(out, *(rows), sizeof(rows) / sizeof *(rows), sizeof *(rows) / sizeof **(rows))

static void put_enumerations(outputs *out) {
  put(out, ",\"rules\":[");
  PUT_ROWS(out, rules);
  put(out, "],\"outcomes\":[");
  PUT_ROWS(out, outcomes);
  put(out, "],\"statuses\":[");
  PUT_ROWS(out, statuses);
  put(out, "]");
}

/* All of it. */
static void put_manifest(outputs *out) {
  put_member(out, "{\"version\":", ASC_VERSION);
  put_enumerations(out);
  put(out, ",\"generators\":[");
  const char *kind, *text;
  for (uint32_t k = 0; (kind = asc_generate_kind(k, &text)); k++)
    put_row(out, k == 0, (const char *const[]){"kind", kind, "text", text}, 2);
  put(out, "],\"solvers\":[");
  put_solvers(out);
  put(out, "],\"graphOptions\":[");
  uint32_t count;
  const asc_option *options = asc_lower_options(&count);
  put_options(out, options, count);
  put(out, "}");
}

/* text = the tables that are fixed at build time, as JSON. Errors: OUT_OF_MEMORY. */
int32_t glue_manifest(session *s) {
  begin(&s->out);
  put_manifest(&s->out);
  return done(s);
}

/* text = the options of glue_tile, as JSON. Errors: OUT_OF_MEMORY. */
int32_t glue_tile_options(session *s) {
  uint32_t count;
  const asc_option *options = asc_tile_options(&count);
  begin(&s->out);
  put(&s->out, "[");
  put_options(&s->out, options, count);
  return done(s);
}
