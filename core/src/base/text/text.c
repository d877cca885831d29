#include "asc/asc.h"

/* Names and texts of the enumerations, made from their manifests. */

static const char *const status_texts[] = {
#define ASC_STATUS(name, text) text,
#include "asc/status.def"
#undef ASC_STATUS
};

static const char *const outcome_ids[] = {
#define ASC_OUTCOME(name, id, title, text) id,
#include "asc/outcome.def"
#undef ASC_OUTCOME
};

static const char *const outcome_texts[] = {
#define ASC_OUTCOME(name, id, title, text) text,
#include "asc/outcome.def"
#undef ASC_OUTCOME
};

static const char *const rule_ids[] = {
#define ASC_RULE(name, id, title, source, text) id,
#include "asc/rules.def"
#undef ASC_RULE
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

const char *asc_status_text(asc_status status) {
  return (size_t)status < COUNT(status_texts) ? status_texts[status] : "unknown status";
}

const char *asc_outcome_id(asc_outcome outcome) {
  return (size_t)outcome < COUNT(outcome_ids) ? outcome_ids[outcome] : "unknown";
}

const char *asc_outcome_text(asc_outcome outcome) {
  return (size_t)outcome < COUNT(outcome_texts) ? outcome_texts[outcome] : "unknown outcome";
}

const char *asc_rule_id(asc_rule rule) {
  return (size_t)rule < COUNT(rule_ids) ? rule_ids[rule] : "unknown";
}
