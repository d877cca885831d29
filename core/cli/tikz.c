/* The plan as a picture: one rectangle for each stretch of time in which a buffer holds the same bytes. */
#include "cli.h"

#include <string.h>

enum { WIDTH_MM = 170, HEIGHT_MM = 85, MARGIN_MM = 2 };

typedef struct page {
  FILE *file;
  int64_t first;
  double x, y; /* millimetres for one step, for one byte */
} page;

static void print_id(FILE *file, const char *id) {
  for (; *id; id++) {
    if (strchr("\\{}$&#^_%~", *id))
      fprintf(file, "\\char%d{}", (unsigned char)*id);
    else
      fputc(*id, file);
  }
}

static void print_stay(const page *p, int64_t lower, int64_t upper, int64_t low, int64_t high, const char *label) {
  if (lower >= upper || low >= high) return;
  double left = (double)(lower - p->first) * p->x, right = (double)(upper - p->first) * p->x;
  fprintf(p->file, "  \\draw[buffer] (%.3fmm,%.3fmm) rectangle (%.3fmm,%.3fmm);", left, (double)low * p->y, right,
          (double)high * p->y);
  if (label && right - left > 4 && (double)(high - low) * p->y > 3) {
    fprintf(p->file, " \\node[name] at (%.3fmm,%.3fmm) {", (left + right) / 2, (double)(low + high) / 2 * p->y);
    print_id(p->file, label);
    fputc('}', p->file), fputc(';', p->file);
  }
  fputc('\n', p->file);
}

static void print_buffer(const page *p, const asc_buffer_spec *spec, int64_t offset) {
  int64_t time = spec->lower;
  fputs("  % ", p->file);
  for (const char *at = spec->id; *at; at++) fputc(*at, p->file);
  fprintf(p->file, ": %lld bytes at %lld\n", (long long)spec->size, (long long)offset);
  for (uint32_t g = 0; g < spec->gap_count; g++) {
    const asc_gap *gap = &spec->gaps[g];
    print_stay(p, time, gap->lower, offset, offset + spec->size, g ? NULL : spec->id);
    print_stay(p, gap->lower, gap->upper, offset + gap->window_lower, offset + gap->window_upper, NULL);
    time = gap->upper;
  }
  print_stay(p, time, spec->upper, offset, offset + spec->size, spec->gap_count ? NULL : spec->id);
}

void print_tikz(FILE *file, const asc_problem *problem, const int64_t *offsets, int64_t capacity) {
  uint32_t count = asc_problem_count(problem);
  int64_t first = INT64_MAX, last = INT64_MIN;
  for (uint32_t b = 0; b < count; b++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
    if (spec->lower < first) first = spec->lower;
    if (spec->upper > last) last = spec->upper;
  }
  if (!count) first = 0, last = 1;
  page p = {file, first, (double)WIDTH_MM / (double)(last - first),
            (double)HEIGHT_MM / (double)(capacity > 0 ? capacity : 1)};
  /* no class of figures alone: the smallest TeX has none */
  fprintf(file,
          "\\documentclass{article}\n\\usepackage[papersize={%dmm,%dmm}, margin=%dmm]{geometry}\n\\usepackage{tikz}\n"
          "\\pagestyle{empty}\n\\setlength{\\parindent}{0pt}\n\\setlength{\\topskip}{0pt}\n\\begin{document}\n",
          WIDTH_MM + 2 * MARGIN_MM + 1, HEIGHT_MM + 2 * MARGIN_MM + 1, MARGIN_MM);
  fputs("\\begin{tikzpicture}\n"
        "  [buffer/.style={draw=darkgray,fill=lightgray,line width=0.2pt},name/.style={font=\\tiny}]\n",
        file);
  for (uint32_t b = 0; b < count; b++)
    if (offsets[b] != ASC_UNPLACED) print_buffer(&p, asc_problem_buffer(problem, b), offsets[b]);
  fprintf(file, "  \\draw[thick] (0mm,0mm) rectangle (%dmm,%dmm);\n", WIDTH_MM, HEIGHT_MM);
  fputs("\\end{tikzpicture}\n\\end{document}\n", file);
}
