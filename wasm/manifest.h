/* The tables that are fixed at build time, as JSON in an output's text. */
#ifndef ASC_WASM_MANIFEST_H
#define ASC_WASM_MANIFEST_H

#include "asc/asc.h"
#include "json.h"

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
    put_member(out, k ? ",{\"id\":" : "{\"id\":", info->id);
    put_member(out, ",\"title\":", info->title);
    put_member(out, ",\"paper\":", info->paper);
    put_member(out, ",\"summary\":", info->summary);
    put_member(out, ",\"domain\":", asc_domain_id(info->domain));
    put_integer_member(out, ",\"goals\":", info->goals);
    put_integer_member(out, ",\"supports\":", info->supports);
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

#endif
