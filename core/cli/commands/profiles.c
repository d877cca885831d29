#include "../cli.h"

#include <string.h>

const cli_flag profiles_flags[] = {
    {"json", NULL, "prints one JSON array on one line", NULL},
    {"help", NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL},
};

static const char *const applied[] = {[ASC_ALIGN_OFFSET] = "offset", [ASC_ALIGN_SIZE] = "size", [ASC_ALIGN_BOTH] = "both"};

static void print_bytes(const char *name, int64_t bytes) {
  printf("  %-10s %s\n", name, commas(bytes));
}

static void print_profile(const asc_profile *profile) {
  printf("%s: %s, by %s\n", profile->id, profile->title, profile->vendor);
  if (profile->capacity)
    print_bytes("capacity", profile->capacity);
  else
    printf("  capacity   not public\n");
  if (profile->reserved) print_bytes("reserved", profile->reserved);
  if (profile->reserved) print_bytes("usable", profile_bytes(profile));
  printf("  alignment  %s, of the %s\n", commas(profile->alignment),
         profile->align_by == ASC_ALIGN_BOTH ? "offset and the size" : applied[profile->align_by]);
  if (profile->bank)
    printf("  banks      %s of %s, which a buffer may %s\n", commas(profile->capacity / profile->bank),
           commas(profile->bank), profile->may_cross ? "cross" : "not cross");
  printf("  cores      %s\n", commas(profile->cores));
}

static void print_table(void) {
  printf("  %-28s %13s %6s  %s\n", "id", "usable bytes", "align", "title");
  for (uint32_t k = 0; k < asc_profile_count(); k++) {
    const asc_profile *profile = asc_profile_at(k);
    int64_t bytes = profile_bytes(profile);
    printf("  %-28s %13s %6s  %s%s\n", profile->id, bytes < 0 ? "not public" : commas(bytes), commas(profile->alignment),
           profile->title, profile->bank && !profile->may_cross ? ", in banks" : "");
  }
  printf("\narenascope profiles ID says all of one. Who says so is in core/src/profile/data/ID.json.\n");
}

static void print_json(const asc_profile *profile) {
  printf("{\"id\":\"%s\",\"title\":", profile->id);
  print_json_text(stdout, profile->title);
  printf(",\"vendor\":");
  print_json_text(stdout, profile->vendor);
  if (profile->capacity)
    printf(",\"capacity\":%lld,\"usable\":%lld", (long long)profile->capacity, (long long)profile_bytes(profile));
  else
    printf(",\"capacity\":null,\"usable\":null");
  printf(",\"reserved\":%lld,\"alignment\":%lld,\"alignBy\":\"%s\",\"bank\":%lld,\"mayCross\":%s,\"cores\":%u}",
         (long long)profile->reserved, (long long)profile->alignment, applied[profile->align_by], (long long)profile->bank,
         profile->may_cross ? "true" : "false", profile->cores);
}

int cmd_profiles(int argc, char **argv) {
  cli_flag flags[sizeof profiles_flags / sizeof *profiles_flags];
  memcpy(flags, profiles_flags, sizeof flags);
  cli_args args;
  bool read = args_read(&args, flags, argc, argv) && args_all_known(&args, 1);
  const asc_profile *one = read && args.operand_count ? asc_profile_find(args.operands[0]) : NULL;
  if (read && args.operand_count && !one) {
    complain("there is no profile \"%s\"; see arenascope profiles", args.operands[0]);
    read = false;
  }
  if (read && args_switch(&args, "json")) {
    putchar('[');
    for (uint32_t k = 0; k < (one ? 1 : asc_profile_count()); k++) {
      if (k) putchar(',');
      print_json(one ? one : asc_profile_at(k));
    }
    printf("]\n");
  } else if (one)
    print_profile(one);
  else if (read)
    print_table();
  args_free(&args);
  return read ? EXIT_SOLVED : EXIT_USAGE;
}
