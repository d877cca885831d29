#include "../cli.h"

#include <string.h>

const cli_flag stats_flags[] = {
    {"input", "FILE", "buffer CSV, of which a column offset is read as a plan, graph CSV or task CSV; - is standard input",
     NULL},
    {"loads", NULL, "prints the load of every section as CSV instead", NULL},
    {"plans", NULL,
     "of a task CSV: the plans without tiles, by the paper's orders as printed and as meant, by the best order, and the "
     "lowest one with its proof",
     NULL},
    {"steps", "N", "budget of each of these plans in search steps; 0, the default: none", NULL},
    CSV_FLAGS,
    {"profile", "ID", PROFILE_HELP "gives a capacity to compare with", NULL},
    {"json", NULL, "prints one JSON object on one line", NULL},
    {"help", NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL},
};

typedef struct figures {
  int64_t first, last; /* time */
  int64_t total, largest, alignment;
  uint32_t fixed, gaps, unplaced;
  int64_t height;
  int64_t capacity; /* of the profile, negative: none */
  size_t violations;
} figures;

static figures gather(const asc_problem *problem, const int64_t *offsets, int64_t capacity) {
  figures f = {.capacity = capacity, .first = INT64_MAX, .last = INT64_MIN, .alignment = 1};
  uint32_t count = asc_problem_count(problem);
  for (uint32_t b = 0; b < count; b++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
    if (spec->lower < f.first) f.first = spec->lower;
    if (spec->upper > f.last) f.last = spec->upper;
    if (spec->size > f.largest) f.largest = spec->size;
    if (spec->alignment > f.alignment) f.alignment = spec->alignment;
    f.total += spec->size;
    f.fixed += spec->offset != ASC_UNPLACED;
    f.gaps += spec->gap_count;
    f.unplaced += offsets && offsets[b] == ASC_UNPLACED;
  }
  if (!count) f.first = f.last = 0; /* a graph may have nothing to plan */
  if (!offsets) return f;
  f.height = asc_height(problem, offsets);
  int64_t limit = capacity < 0 ? no_capacity(problem) : capacity;
  if (asc_validate(problem, offsets, limit, NULL, 0, &f.violations) != ASC_OK) f.violations = SIZE_MAX;
  return f;
}

static double fragmentation(const asc_problem *problem, const figures *f) {
  int64_t bound = asc_problem_lower_bound(problem);
  return bound ? (double)f->height / (double)bound - 1 : 0;
}

/* Size x lifespan summed over the sections, as a share of lower bound x time: how full a perfect plan would be. */
static double occupancy(const asc_problem *problem) {
  const asc_section *sections = asc_problem_sections(problem);
  double area = 0, room = 0, bound = (double)asc_problem_lower_bound(problem);
  for (uint32_t s = 0; s < asc_problem_section_count(problem); s++) {
    double width = (double)(sections[s].upper - sections[s].lower);
    area += width * (double)sections[s].load;
    room += width * bound;
  }
  return room > 0 ? area / room : 0;
}

static bool alive(const asc_buffer_spec *spec, const asc_section *section) {
  if (spec->size == 0 || spec->lower >= section->upper || spec->upper <= section->lower) return false;
  for (uint32_t g = 0; g < spec->gap_count; g++)
    if (spec->gaps[g].lower <= section->lower && section->upper <= spec->gaps[g].upper)
      return spec->gaps[g].window_lower < spec->gaps[g].window_upper;
  return true;
}

static void print_peak(const asc_problem *problem) {
  uint32_t peak = asc_problem_peak(problem), shown = 0;
  if (peak == ASC_NONE) return;
  const asc_section *section = &asc_problem_sections(problem)[peak];
  printf("  peak           %s bytes from time %s to %s, %s alive:", commas(section->load), commas(section->lower),
         commas(section->upper), commas(section->live));
  for (uint32_t b = 0; b < asc_problem_count(problem) && shown < 12; b++) {
    if (!alive(asc_problem_buffer(problem, b), section)) continue;
    say(stdout, " %s", asc_problem_id(problem, b));
    shown++;
  }
  printf("%s\n", shown < section->live ? " ..." : "");
}

/* The load over time, in columns of equal width: the greatest load of the sections that a column touches, in eighths of the peak. */
static void print_chart(const asc_problem *problem, const figures *f) {
  enum { COLUMNS = 64 };
  static const char *const bars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const asc_section *sections = asc_problem_sections(problem);
  uint32_t count = asc_problem_section_count(problem);
  uint32_t peak = asc_problem_peak(problem);
  int64_t load[COLUMNS] = {0};
  if (peak == ASC_NONE) return;
  double scale = COLUMNS / ((double)f->last - (double)f->first);
  for (uint32_t s = 0; s < count; s++) {
    double from = ((double)sections[s].lower - (double)f->first) * scale;
    double to = ((double)sections[s].upper - (double)f->first) * scale;
    for (int c = (int)from; c < COLUMNS && c < to; c++)
      if (sections[s].load > load[c]) load[c] = sections[s].load;
  }
  printf("  load           ");
  for (int c = 0; c < COLUMNS; c++) {
    double share = (double)load[c] / (double)sections[peak].load;
    printf("%s", bars[share > 0 ? 1 + (int)(share * 7) : 0]);
  }
  putchar('\n');
}

static void print_text(const asc_problem *problem, const int64_t *offsets, const figures *f) {
  printf("  buffers        %s", commas(asc_problem_count(problem)));
  if (f->fixed) printf(", %s fixed", commas(f->fixed));
  if (f->gaps) printf(", %s gaps", commas(f->gaps));
  printf("\n  time           %s to %s, %s sections, %s partition%s\n", commas(f->first), commas(f->last),
         commas(asc_problem_section_count(problem)), commas(asc_problem_partition_count(problem)),
         asc_problem_partition_count(problem) == 1 ? "" : "s");
  printf("  sizes          %s bytes in all, the largest %s", commas(f->total), commas(f->largest));
  if (f->alignment > 1) printf(", alignment up to %s", commas(f->alignment));
  printf("\n  lower bound    %s\n", commas(asc_problem_lower_bound(problem)));
  if (f->capacity > 0)
    printf("  capacity       %s, of which the peak takes %.1f %%\n", commas(f->capacity),
           100 * (double)asc_problem_lower_bound(problem) / (double)f->capacity);
  print_peak(problem);
  print_chart(problem, f);
  print_pools(stdout, problem, offsets);
  double mean = occupancy(problem);
  /* what may lie in any pool has a load, and no part in the bound */
  if (mean <= 1) printf("  mean load      %.1f %% of the lower bound\n", 100 * mean);
  if (!offsets) return;
  printf("  height         %s\n", commas(f->height));
  if (f->unplaced) /* a height without them says nothing */
    printf("  unplaced       %s\n", commas(f->unplaced));
  else
    printf("  fragmentation  %.2f %%\n", 100 * fragmentation(problem, f));
  printf("  violations     %s\n", commas((int64_t)f->violations));
}

/* The table of --plans; whole: the same tensors without tiles. */
static bool print_plans(const cli_input *in, uint64_t steps, bool json) {
  asc_problem *whole = NULL;
  asc_diag diag = {0};
  asc_status status = asc_tiling_problem(in->tiling, in->tile_flags | ASC_TILES_WHOLE, &whole, &diag);
  if (status) complain("%s: %s %s", in->path, diag.field, asc_status_text(status));
  bool printed = !status && print_tile_plans(in->as_read, whole, steps, json);
  asc_problem_free(whole);
  return printed;
}

static void print_json(const cli_input *in, const int64_t *offsets, const figures *f) {
  const asc_problem *problem = in->problem;
  printf("{\"buffers\":%u,\"sections\":%u,\"partitions\":%u,\"first\":%lld,\"last\":%lld", asc_problem_count(problem),
         asc_problem_section_count(problem), asc_problem_partition_count(problem), (long long)f->first, (long long)f->last);
  printf(",\"totalSize\":%lld,\"largestSize\":%lld,\"fixed\":%u,\"gaps\":%u,\"lowerBound\":%lld", (long long)f->total,
         (long long)f->largest, f->fixed, f->gaps, (long long)asc_problem_lower_bound(problem));
  if (f->capacity >= 0) printf(",\"capacity\":%lld", (long long)f->capacity);
  uint32_t peak = asc_problem_peak(problem);
  if (peak != ASC_NONE) {
    const asc_section *section = &asc_problem_sections(problem)[peak];
    printf(",\"peak\":{\"lower\":%lld,\"upper\":%lld,\"load\":%lld,\"live\":%u}", (long long)section->lower,
           (long long)section->upper, (long long)section->load, section->live);
  }
  printf(",\"meanLoad\":%.6f,\"digest\":\"%016llx\"", occupancy(problem), (unsigned long long)asc_problem_digest(problem));
  print_json_pools(stdout, problem, offsets);
  if (offsets) {
    printf(",\"height\":%lld,\"unplaced\":%u,\"violations\":%zu", (long long)f->height, f->unplaced, f->violations);
    if (f->unplaced)
      printf(",\"fragmentation\":null");
    else
      printf(",\"fragmentation\":%.6f", fragmentation(problem, f));
  }
  if (in->graph) {
    asc_budgets budgets = asc_lowering_budgets(in->lowering);
    printf(",\"operators\":%u,\"tensors\":%u,\"budgets\":{\"required\":%lld,\"half\":%lld,\"peak\":%lld}",
           asc_graph_op_count(in->graph), asc_graph_tensor_count(in->graph), (long long)budgets.required,
           (long long)budgets.half, (long long)budgets.peak);
  }
}

static void print_loads(const asc_problem *problem) {
  const asc_section *sections = asc_problem_sections(problem);
  printf("lower,upper,load,live\n");
  for (uint32_t s = 0; s < asc_problem_section_count(problem); s++)
    printf("%lld,%lld,%lld,%u\n", (long long)sections[s].lower, (long long)sections[s].upper, (long long)sections[s].load,
           sections[s].live);
}

static void print_graph(const cli_input *in) {
  asc_budgets budgets = asc_lowering_budgets(in->lowering);
  printf("  graph          %s operators, %s tensors\n", commas(asc_graph_op_count(in->graph)),
         commas(asc_graph_tensor_count(in->graph)));
  printf("  budgets        required %s, half %s, peak %s\n", commas(budgets.required), commas(budgets.half),
         commas(budgets.peak));
  const char *note;
  for (uint32_t k = 0; (note = asc_lowering_note(in->lowering, k)); k++) printf("  note           %s\n", note);
}

static int stats(cli_input *in, cli_args *args, asc_context *context) {
  if (!input_take_flags(in, args) || !args_all_known(args, 1) || !input_read(in, context, ASC_OFFSETS_SOLUTION))
    return EXIT_USAGE;
  const int64_t *offsets = in->csv ? asc_csv_offsets(in->csv) : NULL;
  if (args_switch(args, "loads")) {
    print_loads(in->problem);
    return EXIT_SOLVED;
  }
  int64_t steps = 0;
  bool plans = args_switch(args, "plans"), json = args_switch(args, "json");
  if (!args_number(args, "steps", 0, &steps)) return EXIT_USAGE;
  if (plans && !in->tiling) {
    complain("--plans: is of a task CSV, and %s is none", in->path);
    return EXIT_USAGE;
  }
  figures f = gather(in->problem, offsets, profile_bytes(in->profile));
  if (json)
    print_json(in, offsets, &f);
  else {
    printf("%s\n", in->path);
    if (in->csv && *asc_csv_convention(in->csv)) printf("  read as        %s\n", asc_csv_convention(in->csv));
    if (in->graph) print_graph(in);
    print_text(in->problem, offsets, &f);
  }
  bool done = !plans || print_plans(in, (uint64_t)steps, json);
  if (json) printf("}\n");
  return done ? EXIT_SOLVED : EXIT_USAGE;
}

int cmd_stats(int argc, char **argv) {
  cli_flag flags[sizeof stats_flags / sizeof *stats_flags];
  memcpy(flags, stats_flags, sizeof flags);
  return input_command(flags, argc, argv, "a buffer CSV, a graph CSV or a task CSV", stats);
}
