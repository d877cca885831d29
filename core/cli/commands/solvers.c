#include "../cli.h"

#include <string.h>

const cli_flag solvers_flags[] = {
    {"json", NULL, "prints one JSON array on one line", NULL},
    {"help", NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL},
};

static const struct {
  uint32_t bit;
  const char *name;
} supports[] = {{ASC_SUPPORTS_ALIGNMENT, "alignment"}, {ASC_SUPPORTS_FIXED, "fixed"}, {ASC_SUPPORTS_GAPS, "gaps"},
                {ASC_SUPPORTS_WINDOWS, "windows"},     {ASC_SUPPORTS_HINTS, "hints"}, {ASC_SUPPORTS_BANKS, "banks"},
                {ASC_SUPPORTS_SHAPES, "shapes"}};

enum { SUPPORTS = sizeof supports / sizeof *supports };

/* ---- text ------------------------------------------------------------------------------------------------------------ */

static void print_range(const asc_option *option) {
  switch (option->type) {
  case ASC_OPTION_BOOL:
    printf("true|false");
    break;
  case ASC_OPTION_INT:
    printf("%lld..%lld", (long long)option->min, (long long)option->max);
    break;
  case ASC_OPTION_CHOICE:
    printf("%s", option->choices);
    break;
  case ASC_OPTION_TEXT:
    printf("TEXT");
    break;
  }
}

void print_option(const asc_option *option) {
  printf("  --%s=", option->name);
  print_range(option);
  printf("  (default %s)\n      %s\n", *option->initial ? option->initial : "empty", option->help);
}

static void print_solver(const asc_solver_info *solver) {
  printf("%s: %s\n  %s\n", solver->id, solver->title, solver->summary);
  if (*solver->paper) printf("  source: %s\n", solver->paper);
  if (solver->domain == ASC_DOMAIN_GRAPH) printf("  takes a model's graph, whose operators it puts in order\n");
  if (solver->domain == ASC_DOMAIN_SELECTION)
    printf("  takes a model's graph, and says which tensors live in fast memory\n");
  printf("  goals:");
  for (int g = 0; g < ASC_GOAL_COUNT; g++)
    if (asc_solver_takes_goal(solver, (asc_goal)g)) printf(" %s", asc_goal_id((asc_goal)g));
  printf("\n  honours:");
  for (size_t k = 0; k < SUPPORTS; k++)
    if (solver->supports & supports[k].bit) printf(" %s", supports[k].name);
  printf("%s", solver->complete  ? "; can prove infeasibility"
               : solver->refutes ? "; can prove infeasibility now and then"
                                 : "");
  for (size_t k = 0; k < SUPPORTS; k++)
    if (solver->incomplete_with & supports[k].bit) printf(", but not with %s", supports[k].name);
  putchar('\n');
  for (uint32_t k = 0; k < solver->option_count; k++) print_option(&solver->options[k]);
}

static void print_table(void) {
  for (uint32_t s = 0; s < asc_solver_count(); s++) {
    const asc_solver_info *solver = asc_solver_at(s);
    bool graph = solver->domain != ASC_DOMAIN_BUFFERS;
    printf("  %-18s %s%s\n", solver->id, solver->title, graph ? "; of a model's graph" : "");
  }
  printf("\narenascope solvers ID lists the options of one.\n");
}

/* ---- JSON ------------------------------------------------------------------------------------------------------------ */

static void print_member(const char *name, const char *value) {
  printf("\"%s\":", name);
  print_json_text(stdout, value);
  putchar(',');
}

static void print_option_json(const asc_option *option) {
  static const char *const types[] = {"bool", "int", "choice", "text"};
  putchar('{');
  print_member("name", option->name);
  print_member("type", types[option->type]);
  print_member("title", option->title);
  print_member("default", option->initial);
  if (option->type == ASC_OPTION_INT) printf("\"min\":%lld,\"max\":%lld,", (long long)option->min, (long long)option->max);
  if (option->type == ASC_OPTION_CHOICE) print_member("choices", option->choices);
  printf("\"help\":");
  print_json_text(stdout, option->help);
  putchar('}');
}

static void print_supports(uint32_t bits) {
  const char *between = "";
  for (size_t k = 0; k < SUPPORTS; k++) {
    if (!(bits & supports[k].bit)) continue;
    printf("%s\"%s\"", between, supports[k].name);
    between = ",";
  }
}

static void print_solver_json(const asc_solver_info *solver) {
  putchar('{');
  print_member("id", solver->id);
  print_member("title", solver->title);
  print_member("paper", solver->paper);
  print_member("summary", solver->summary);
  printf("\"domain\":\"%s\",\"goals\":[", asc_domain_id(solver->domain));
  const char *between = "";
  for (int g = 0; g < ASC_GOAL_COUNT; g++) {
    if (!asc_solver_takes_goal(solver, (asc_goal)g)) continue;
    printf("%s\"%s\"", between, asc_goal_id((asc_goal)g));
    between = ",";
  }
  printf("],\"supports\":[");
  print_supports(solver->supports);
  printf("],\"incomplete_with\":[");
  print_supports(solver->incomplete_with);
  printf("],\"complete\":%s,\"refutes\":%s,\"options\":[", solver->complete ? "true" : "false",
         solver->refutes ? "true" : "false");
  for (uint32_t k = 0; k < solver->option_count; k++) {
    if (k) putchar(',');
    print_option_json(&solver->options[k]);
  }
  printf("]}");
}

int cmd_solvers(int argc, char **argv) {
  cli_flag flags[sizeof solvers_flags / sizeof *solvers_flags];
  memcpy(flags, solvers_flags, sizeof flags);
  cli_args args;
  bool read = args_read(&args, flags, argc, argv) && args_all_known(&args, 1);
  const asc_solver_info *one = read && args.operand_count ? asc_solver_find(args.operands[0]) : NULL;
  if (read && args.operand_count && !one) {
    complain("there is no solver \"%s\"; see arenascope solvers", args.operands[0]);
    read = false;
  }
  if (read && args_switch(&args, "json")) {
    putchar('[');
    for (uint32_t s = 0; s < (one ? 1 : asc_solver_count()); s++) {
      if (s) putchar(',');
      print_solver_json(one ? one : asc_solver_at(s));
    }
    printf("]\n");
  } else if (one)
    print_solver(one);
  else if (read)
    print_table();
  args_free(&args);
  return read ? EXIT_SOLVED : EXIT_USAGE;
}
