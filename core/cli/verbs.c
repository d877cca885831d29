/* The verbs, and help made from their tables. */
#include "cli.h"

#include <errno.h>
#include <string.h>

static int solve_verb(int argc, char **argv) {
  return cmd_solve(argc, argv, false);
}

static const struct verb {
  const char *name, *operands, *text;
  const cli_flag *flags;
  int (*run)(int argc, char **argv);
} verbs[] = {
    {"solve", "[FILE]", "gives every buffer an offset", solve_flags, solve_verb},
    {"check", "[FILE]", "lists all that is wrong with a plan", check_flags, cmd_check},
    {"explain", "[FILE]", "names buffers that do not fit together, as few as it can", explain_flags, cmd_explain},
    {"stats", "[FILE]", "load, lower bound and, of a plan, height and fragmentation", stats_flags, cmd_stats},
    {"program", "[FILE]", "writes the packing as an integer linear program", program_flags, cmd_program},
    {"lower", "[FILE]", "makes a buffer CSV of a model's graph", lower_flags, cmd_lower},
    {"tile", "[FILE]", "makes a task CSV of a model's graph: tiles that fit on the chip", tile_flags, cmd_tile},
    {"select", "[FILE]", "chooses what of a model lives in a small fast memory", select_flags, cmd_select},
    {"solvers", "[ID]", "lists the solvers, or the options of one", solvers_flags, cmd_solvers},
    {"profiles", "[ID]", "lists the accelerator profiles, or what is known of one", profiles_flags, cmd_profiles},
    {"shrink", "[FILE]", "looks for a smaller CSV on which a command still fails in the same way", shrink_flags, cmd_shrink},
    {"generate", "KIND", "makes a problem from a seed", generate_flags, cmd_generate},
};

enum { VERBS = sizeof verbs / sizeof *verbs };

static const struct verb *verb_named(const char *name) {
  for (size_t k = 0; k < VERBS; k++)
    if (strcmp(verbs[k].name, name) == 0) return &verbs[k];
  return NULL;
}

static void print_overview(FILE *file) {
  fprintf(file, "arenascope %s: static memory allocation for ML accelerators, step by step\n\n", ASC_VERSION);
  for (size_t k = 0; k < VERBS; k++)
    fprintf(file, "  arenascope %-8s %-7s %s\n", verbs[k].name, verbs[k].operands, verbs[k].text);
  fprintf(file, "  arenascope help     [VERB]  more on one of them\n\n"
                "Without a verb it solves, taking and printing what minimalloc does.\n"
                "Exit codes: 0 feasible or optimal, 1 infeasible, 2 usage, bad input, or no memory or file for it,\n"
                "3 undecided. A file takes the place of an older one only when all of it is written.\n"
                "Ctrl-C ends a search, of which the best plan is kept; a second one ends the command at once.\n");
}

static void print_flags(const cli_flag *flags) {
  for (const cli_flag *flag = flags; flag->name; flag++) {
    if (!flag->help) continue;
    char left[48];
    snprintf(left, sizeof left, "--%s%s%s", flag->name, flag->argument ? "=" : "", flag->argument ? flag->argument : "");
    printf("  %-22s %s\n", left, flag->help);
  }
}

static void print_options(const char *title, const asc_option *(*table)(uint32_t *count)) {
  uint32_t count;
  const asc_option *options = table(&count);
  printf("\n%s:\n", title);
  for (uint32_t k = 0; k < count; k++) print_option(&options[k]);
}

static void print_help(const struct verb *verb) {
  const char *text;
  printf("arenascope %s %s: %s\n\n", verb->name, verb->operands, verb->text);
  print_flags(verb->flags);
  if (verb->run == solve_verb) {
    printf("  --OPTION=VALUE         an option of the solver; switches also as --OPTION and --noOPTION\n\nSolvers:\n");
    cmd_solvers(1, (char *[]){"solvers", NULL});
  }
  if (verb->run == cmd_shrink)
    printf("  -- COMMAND ...         the command and its arguments; {} stands for the CSV, which else comes last\n");
  if (verb->run == cmd_lower)
    print_options("Options, which all verbs take that read a graph CSV (a solver's option of the same name is then "
                  "--solver.NAME)",
                  asc_lower_options);
  if (verb->run == cmd_tile) print_options("Options", asc_tile_options);
  if (verb->run == solve_verb || verb->run == cmd_stats)
    print_options("Options, which all verbs take that read a task CSV", task_options);
  if (verb->run == cmd_generate) {
    printf("\nKinds:\n");
    for (uint32_t k = 0; asc_generate_kind(k, &text); k++) printf("  %-22s %s\n", asc_generate_kind(k, NULL), text);
  }
}

static bool asks_for_help(const char *argument) {
  const char *name = argument + (argument[0] == '-') + (argument[0] == '-' && argument[1] == '-');
  if (name == argument) return false;
  const char *given = strncmp(name, "help=", 5) == 0 ? truth(name + 5) : NULL;
  return strcmp(name, "help") == 0 || strcmp(argument, "-h") == 0 || (given && strcmp(given, "true") == 0);
}

static int help(const char *name) {
  const struct verb *verb = name ? verb_named(name) : NULL;
  if (name && !verb) {
    complain("there is no verb \"%s\"; see arenascope help", name);
    return EXIT_USAGE;
  }
  if (verb)
    print_help(verb);
  else
    print_overview(stdout);
  return EXIT_SOLVED;
}

static int dispatch(int argc, char **argv) {
  const struct verb *verb = verb_named(argv[1]);
  for (int k = 1; k < argc; k++)
    if (asks_for_help(argv[k])) return help(verb ? verb->name : NULL);
  if (strcmp(argv[1], "help") == 0) return help(argc > 2 && strcmp(argv[2], "help") != 0 ? argv[2] : NULL);
  if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "version") == 0) {
    printf("arenascope %s\n", ASC_VERSION);
    return EXIT_SOLVED;
  }
  if (verb) return verb->run(argc - 1, argv + 1);
  if (argv[1][0] == '-' && argv[1][1]) return cmd_solve(argc, argv, true);
  complain("there is no verb \"%s\"; see arenascope help", argv[1]);
  return EXIT_USAGE;
}

int command(int argc, char **argv) {
  if (argc < 2) {
    print_overview(stderr);
    return EXIT_USAGE;
  }
  int code = dispatch(argc, argv);
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) return code;
  complain("standard output: %s", errno ? strerror(errno) : "cannot be written");
  return EXIT_USAGE;
}
