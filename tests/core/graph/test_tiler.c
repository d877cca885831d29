/* From graphs to tiles: those worked out by hand, and what is refused. */
#include "asc/tile.h"
#include "support.h"
#include "tiler/tiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define Q(text) "\xe2\x80\x9c" text "\xe2\x80\x9d"

static asc_graph *graph_of(asc_context *context, const char *text) {
  asc_graph *graph = NULL;
  asc_diag diag = {0};
  size_t count = 0;
  asc_status status = asc_graph_csv_read(context, text, strlen(text), &graph, &diag, 1, &count);
  CHECK(!status, "%u:%u %s %s", diag.line, diag.column, diag.field, diag.message);
  return graph;
}

typedef struct wish {
  const char *order, *layout, *channels, *concat;
  int64_t capacity;
} wish;

static asc_status tile(const asc_graph *graph, wish w, asc_tiling **tiling, asc_diag *diag) {
  const asc_option_value options[] = {{"order", w.order ? w.order : "layer"},
                                      {"layout", w.layout ? w.layout : "graph"},
                                      {"channels", w.channels ? w.channels : "1"},
                                      {"concat", w.concat ? w.concat : "place"}};
  return asc_graph_tile(graph, options, COUNT(options), w.capacity, tiling, diag);
}

/* The task CSV of the graph's tiles. */
static void expect_tasks(const char *text, wish w, const char *expected) {
  asc_context *context = test_context();
  asc_graph *graph = graph_of(context, text);
  asc_tiling *tiling = NULL;
  asc_diag diag = {0};
  CHECK(tile(graph, w, &tiling, &diag) == ASC_OK, "%s %s", diag.field, diag.message);
  test_output out = {.used = 0};
  assert_int_equal(asc_task_csv_write(tiling, test_append, &out), ASC_OK);
  const char *tasks = strncmp(out.text, "task", 4) == 0 ? out.text : strstr(out.text, "\ntask") + 1;
  if (strncmp(expected, "tiled", 5) == 0) tasks = out.text;
  CHECK(strcmp(tasks, expected) == 0, "got\n%sexpected\n%s", tasks, expected);
  asc_tiling_free(tiling);
  asc_graph_free(graph);
  test_context_end(context);
}

static void expect_refusal(const char *text, wish w, asc_status status, const char *expected) {
  asc_context *context = test_context();
  asc_graph *graph = graph_of(context, text);
  asc_tiling *tiling = NULL;
  asc_diag diag = {0};
  char got[300];
  asc_status refused = tile(graph, w, &tiling, &diag);
  snprintf(got, sizeof got, "%s %s", diag.field, diag.message);
  CHECK(refused == status && !tiling && strcmp(got, expected) == 0, "%d, got\n%s\nexpected\n%s", (int)refused, got,
        expected);
  asc_tiling *again = NULL;
  assert_int_equal(asc_graph_tile(graph, NULL, 0, w.capacity, &again, NULL), status);
  asc_graph_free(graph);
  test_context_end(context);
}

/* ---- by hand ----------------------------------------------------------------------------------------------------------- */

/* 7 rows of one column: a row above and below. Two rows of the output need four of the input, 6 in all; in the last tile there is one. */
#define CONV "tensor,x,7,input,1,1x1x7x1,i8,NCHW\ntensor,y,7,output,1,1x1x7x1,i8,NCHW\nop,c,Conv,x,y,,,,1 * 3/1-1 1\n"

static void halo_and_a_ragged_last_tile(void **state) {
  (void)state;
  expect_tasks(CONV, (wish){.capacity = 6},
               "task,c:0,x@0:1x0:1x0:3x0:1,y@0:1x0:1x0:2x0:1\ntask,c:1,x@0:1x0:1x1:5x0:1,y@0:1x0:1x2:4x0:1\n"
               "task,c:2,x@0:1x0:1x3:7x0:1,y@0:1x0:1x4:6x0:1\ntask,c:3,x@0:1x0:1x5:7x0:1,y@0:1x0:1x6:7x0:1\n");
  expect_tasks(CONV, (wish){.capacity = 14}, "task,c:0,x,y\n");
  /* five rows need six or, at the end, three: all but one byte fits */
  expect_tasks(CONV, (wish){.capacity = 13}, "task,c:0,x,y@0:1x0:1x0:6x0:1\ntask,c:1,x@0:1x0:1x5:7x0:1,y@0:1x0:1x6:7x0:1\n");
}

/* 3x3 at stride 2 with one pixel of padding at the front: row i needs 2i - 1 to 2i + 1. Rows of 8 columns and 2 channels. */
static void strides_and_pads(void **state) {
  (void)state;
  expect_tasks("tensor,x,128,input,1,1x8x8x2,i8,NHWC\ntensor,y,96,output,1,1x4x4x6,i8,NHWC\n"
               "op,c,Conv,x,y,,,,1 3/2-1 3/2-1 *\n",
               (wish){.capacity = 72},
               "tiled,x,1,1x2x8x8,NHWC,input\ntiled,y,1,1x6x4x4,NHWC,output\n"
               "task,c:0,x@0:1x0:2x0:2x0:8,y@0:1x0:6x0:1x0:4\ntask,c:1,x@0:1x0:2x1:4x0:8,y@0:1x0:6x1:2x0:4\n"
               "task,c:2,x@0:1x0:2x3:6x0:8,y@0:1x0:6x2:3x0:4\ntask,c:3,x@0:1x0:2x5:8x0:8,y@0:1x0:6x3:4x0:4\n");
}

/* When not even a row fits, rows are cut into columns, and these into blocks of channels. */
#define WIDE "tensor,x,512,input,1,1x64x2x4,i8,NCHW\ntensor,y,320,output,1,1x40x2x4,i8,NCHW\nop,c,Conv,x,y,,,,1 * 1 1\n"

static void columns_and_blocks_of_channels(void **state) {
  (void)state;
  expect_tasks(WIDE, (wish){.capacity = 256, .layout = "NC32HW32"},
               "tiled,x,1,1x64x2x4,NC32HW32,input\ntiled,y,1,1x40x2x4,NC32HW32,output\n"
               "task,c:0,x@0:1x0:64x0:1x0:2,y@0:1x0:40x0:1x0:2\ntask,c:1,x@0:1x0:64x0:1x2:4,y@0:1x0:40x0:1x2:4\n"
               "task,c:2,x@0:1x0:64x1:2x0:2,y@0:1x0:40x1:2x0:2\ntask,c:3,x@0:1x0:64x1:2x2:4,y@0:1x0:40x1:2x2:4\n");
  expect_tasks("tensor,x,64,input,1,1x64x1x1,i8,NCHW\ntensor,y,40,output,1,1x40x1x1,i8,NCHW\nop,c,Conv,x,y,,,,1 * 1 1\n",
               (wish){.capacity = 96, .layout = "NC32HW32"},
               "task,c:0,x,y@0:1x0:32x0:1x0:1\ntask,c:1,x,y@0:1x32:40x0:1x0:1\n");
  /* 64 channels of the input and 40, which take 48, of the output a pixel */
  expect_tasks(WIDE, (wish){.capacity = 448, .channels = "16"},
               "tiled,x,1,1x64x2x4,NCHW,input\ntiled,y,1,1x48x2x4,NCHW,output\n"
               "task,c:0,x@0:1x0:64x0:1x0:4,y@0:1x0:48x0:1x0:4\ntask,c:1,x@0:1x0:64x1:2x0:4,y@0:1x0:48x1:2x0:4\n");
}

/* a and b joined in c: a tile may have to hold as much of both; of what is a matrix rows are cut first, for columns need all of the input again. */
static void joined_and_multiplied(void **state) {
  (void)state;
  expect_tasks("tensor,a,4,input,1,4,i8\ntensor,b,6,input,1,6,i8\ntensor,c,10,output,1,10,i8\nop,j,Concat,a;b,c,,,,+\n",
               (wish){.capacity = 12}, "task,j:0,a,c@0:4\ntask,j:1,b@0:4,c@4:8\ntask,j:2,b@4:6,c@8:10\n");
  expect_tasks(
      "tensor,a,8,input,1,2x4,i8\ntensor,b,12,constant,1,4x3,i8\ntensor,c,6,output,1,2x3,i8\nop,m,MatMul,a;b,c,,,,1 *;* 1\n",
      (wish){.capacity = 7}, "task,m:0,a@0:1x0:4,c@0:1x0:3\ntask,m:1,a@1:2x0:4,c@1:2x0:3\n");
  expect_tasks(
      "tensor,a,8,input,1,2x4,i8\ntensor,b,12,input,1,4x3,i8\ntensor,c,6,output,1,2x3,i8\nop,m,MatMul,a;b,c,,,,1 *;* 1\n",
      (wish){.capacity = 19}, "task,m:0,a@0:1x0:4;b,c@0:1x0:3\ntask,m:1,a@1:2x0:4;b,c@1:2x0:3\n");
}

/* a is written where c has it, and read from there; b, which is made of it, behind it. */
#define JOINED \
  "tensor,x,4,input,1,4,i8\ntensor,a,4,,1,4,i8\ntensor,b,4,,1,4,i8\ntensor,c,8,,1,8,i8\ntensor,d,8,output,1,8,i8\n" \
  "op,f,F,x,a,,,,1\nop,g,G,a,b,,,,1\nop,j,Concat,a;b,c,,,,+\nop,h,H,c,d,,,,1\n"

static void concatenated_in_place(void **state) {
  (void)state;
  expect_tasks(JOINED, (wish){.capacity = 4},
               "tiled,x,1,4,NCHW,input\ntiled,c,1,8\ntiled,d,1,8,NCHW,output\n"
               "task,f:0,x@0:2,c@0:2\ntask,f:1,x@2:4,c@2:4\ntask,g:0,c@0:2,c@4:6\ntask,g:1,c@2:4,c@6:8\n"
               "task,h:0,c@0:2,d@0:2\ntask,h:1,c@2:4,d@2:4\ntask,h:2,c@4:6,d@4:6\ntask,h:3,c@6:8,d@6:8\n");
  expect_tasks(JOINED, (wish){.capacity = 4, .order = "depth"},
               "task,f:0,x@0:2,c@0:2\ntask,h:0,c@0:2,d@0:2\ntask,g:0,c@0:2,c@4:6\ntask,f:1,x@2:4,c@2:4\n"
               "task,h:1,c@2:4,d@2:4\ntask,h:2,c@4:6,d@4:6\ntask,g:1,c@2:4,c@6:8\ntask,h:3,c@6:8,d@6:8\n");
  expect_tasks(
      JOINED, (wish){.capacity = 8, .concat = "copy"},
      "task,f:0,x,a\ntask,g:0,a,b\ntask,j:0,a@0:2,c@0:2\ntask,j:1,a@2:4,c@2:4\ntask,j:2,b@0:2,c@4:6\ntask,j:3,b@2:4,c@6:8\n"
      "task,h:0,c@0:4,d@0:4\ntask,h:1,c@4:8,d@4:8\n");
  /* a part of a whole that is itself a part */
  expect_tasks(
      "tensor,x,2,input,1,2,i8\ntensor,a,2,,1,2,i8\ntensor,b,2,,1,2,i8\ntensor,c,4,,1,4,i8\ntensor,d,2,,1,2,i8\n"
      "tensor,e,6,,1,6,i8\ntensor,o,6,output,1,6,i8\nop,f,F,x,a,,,,1\nop,g,G,x,b,,,,1\nop,j,CONCATENATION,a;b,c,,,,+\n"
      "op,h,H,x,d,,,,1\nop,k,Concat,d;c,e,,,,+\nop,l,L,e,o,,,,1\n",
      (wish){.capacity = 99}, "task,f:0,x,e@2:4\ntask,g:0,x,e@4:6\ntask,h:0,x,e@0:2\ntask,l:0,e,o\n");
}

/* What is there twice, is an input, or has another name has to be copied. */
static void concatenated_by_copies(void **state) {
  (void)state;
  expect_tasks(
      "tensor,x,2,input,1,2,i8\ntensor,a,2,,1,2,i8\ntensor,c,4,output,1,4,i8\nop,f,F,x,a,,,,1\nop,j,Concat,a;x,c,,,,+\n",
      (wish){.capacity = 99}, "task,f:0,x,a\ntask,j:0,a;x,c\n");
  expect_tasks(
      "tensor,x,2,input,1,2,i8\ntensor,a,2,,1,2,i8\ntensor,b,2,,1,1x2,i8\ntensor,d,2,,1,2,i8\ntensor,c,4,output,1,4,i8\n"
      "tensor,e,2,output,1,1x2,i8\nop,f,F,x,a,,,,1\nop,r,Reshape,a,b,,b=a\nop,g,G,x,d,,,,1\nop,j,Concat,d;a,c,,,,+\n"
      "op,h,H,b,e,,,,1 1\n",
      (wish){.capacity = 99}, "task,f:0,x,a\ntask,g:0,x,d\ntask,j:0,d;a,c\ntask,h:0,a,e\n");
}

/* What repeats each element twice reads half of it; padding alone is read from nowhere. */
static void spread_and_padded(void **state) {
  (void)state;
  expect_tasks("tensor,a,3,input,1,3,i8\ntensor,b,6,output,1,6,i8\nop,u,Resize,a,b,,,,2^2\n", (wish){.capacity = 5},
               "task,u:0,a@0:2,b@0:3\ntask,u:1,a@1:3,b@3:6\n");
  expect_tasks("tensor,a,2,input,1,2,i8\ntensor,b,8,output,1,8,i8\nop,p,Pad,a,b,,,,1/1-3\n", (wish){.capacity = 4},
               "task,p:0,,b@0:2\ntask,p:1,a@0:1,b@2:4\ntask,p:2,a@1:2,b@4:6\ntask,p:3,,b@6:8\n");
}

/* A reshape is no task: rows of b are read from where they lie in a. Of an operator without windows all is done at once. */
static void aliases_lie_where_their_input_does(void **state) {
  (void)state;
  expect_tasks("tensor,x,12,input,1,12,i8\ntensor,a,12,,1,3x4,i8\ntensor,b,12,,1,6x2,i8\ntensor,c,12,,1,6x2,i8\n"
               "tensor,d,12,output,1,6x2,i8\nop,f,F,x,a\nop,r,Reshape,a,b,,b=a\nop,g,G,b,c,,,,1 1\nop,s,Reshape,c,d,,d=c\n",
               (wish){.capacity = 24},
               "tiled,x,1,12,NCHW,input\ntiled,a,1,3x4\ntiled,c,1,6x2,NCHW,output\ntask,f:0,x,a\ntask,g:0,a,c\n");
  expect_tasks("tensor,x,12,input,1,6x2,i8\ntensor,b,12,,1,3x4,i8\ntensor,c,12,output,1,3x4,i8\n"
               "op,r,Reshape,x,b,,b=x\nop,g,G,b,c,,,,1 1\n",
               (wish){.capacity = 8},
               "task,g:0,x@0:2x0:2,c@0:1x0:4\ntask,g:1,x@2:4x0:2,c@1:2x0:4\ntask,g:2,x@4:6x0:2,c@2:3x0:4\n");
}

/* What only has another name is no task, with windows or without; what is empty, or a part of what is, lies nowhere. */
static void views_and_what_is_empty(void **state) {
  (void)state;
  expect_tasks("tensor,x,4,input,1,4,i8\ntensor,a,4,,1,4,i8\ntensor,y,4,output,1,4,i8\n"
               "op,r,Reshape,x,a,,a=x,,1\nop,f,F,a,y,,,,1\n",
               (wish){.capacity = 8}, "tiled,x,1,4,NCHW,input\ntiled,y,1,4,NCHW,output\ntask,f:0,x,y\n");
  expect_tasks("tensor,x,4,input,1,4,i8\ntensor,e,0\ntensor,v,0\ntensor,y,4,output,1,4,i8\n"
               "op,f,F,x,e;y\nop,r,Reshape,e,v,,v=e\n",
               (wish){.capacity = 8}, "tiled,x,1,4,NCHW,input\ntiled,y,1,4,NCHW,output\ntask,f:0,x,y\n");
}

/* Of a view that cannot be followed into its store all is needed: the store is a row of bytes, or has another number of elements. */
static void views_of_other_shapes(void **state) {
  (void)state;
  static const char *const stores[] = {"scalar,i8", "8,i16"};
  for (uint32_t k = 0; k < COUNT(stores); k++) {
    char text[300];
    snprintf(text, sizeof text,
             "tensor,x,16,input,1,%s\ntensor,a,16,,1,4x4,i8\ntensor,y,16,output,1,4x4,i8\n"
             "op,r,Reshape,x,a,,a=x\nop,f,F,a,y,,,,1 1\n",
             stores[k]);
    expect_tasks(text, (wish){.capacity = 24}, "task,f:0,x,y@0:3x0:4\ntask,f:1,x,y@3:4x0:4\n");
  }
}

/* A shape that says nothing: the tensor is a row of bytes. */
static void shapes_that_are_none(void **state) {
  (void)state;
  static const char *const shapes[] = {"1x1x1x1x1x1x5000", "99999999999", "50y100", "1", "0", "3", "5000x"};
  for (uint32_t k = 0; k < COUNT(shapes); k++) {
    char text[300];
    snprintf(text, sizeof text, "tensor,x,5000,input,1,%s,i8\ntensor,y,1,output,1,1,i8\nop,f,F,x,y\n", shapes[k]);
    expect_tasks(text, (wish){.capacity = 5001}, "tiled,x,1,5000,NCHW,input\ntiled,y,1,1,NCHW,output\ntask,f:0,x,y\n");
  }
}

/* A constant lies elsewhere, and so its window may have dimensions that it has not. */
static void windows_of_constants(void **state) {
  (void)state;
  expect_tasks("tensor,x,8,input,1,2x4,i8\ntensor,k,12,constant\ntensor,y,6,output,1,2x3,i8\nop,m,MatMul,x;k,y,,,,1 *;+ 2\n",
               (wish){.capacity = 7}, "task,m:0,x@0:1x0:4,y@0:1x0:3\ntask,m:1,x@1:2x0:4,y@1:2x0:3\n");
}

/* A chain of three rows with a halo of one, row by row. */
#define CHAIN \
  "tensor,a,3,input,1,1x1x3x1,i8,NCHW\ntensor,b,3,,1,1x1x3x1,i8,NCHW\ntensor,c,3,output,1,1x1x3x1,i8,NCHW\n" \
  "op,f,Conv,a,b,,,,1 * 3/1-1 1\nop,g,Conv,b,c,,,,1 * 3/1-1 1\n"
#define ROW(t, from, to) #t "@0:1x0:1x" #from ":" #to "x0:1"

static void orders(void **state) {
  (void)state;
  static const char f[] = "task,f:0," ROW(a, 0, 2) "," ROW(b, 0, 1) "\ntask,f:1,a," ROW(b, 1, 2) "\n";
  char text[600];
  snprintf(text, sizeof text, "%s%s", f,
           "task,f:2," ROW(a, 1, 3) "," ROW(b, 2, 3) "\ntask,g:0," ROW(b, 0, 2) "," ROW(
               c, 0, 1) "\n"
                        "task,g:1,b," ROW(c, 1, 2) "\ntask,g:2," ROW(b, 1, 3) "," ROW(c, 2, 3) "\n");
  expect_tasks(CHAIN, (wish){.capacity = 4}, text);
  snprintf(text, sizeof text, "%s%s", f,
           "task,g:0," ROW(b, 0, 2) "," ROW(c, 0, 1) "\ntask,f:2," ROW(a, 1, 3) "," ROW(
               b, 2, 3) "\n"
                        "task,g:1,b," ROW(c, 1, 2) "\ntask,g:2," ROW(b, 1, 3) "," ROW(c, 2, 3) "\n");
  expect_tasks(CHAIN, (wish){.capacity = 4, .order = "depth"}, text);
  snprintf(text, sizeof text, "%s%s", f,
           "task,f:2," ROW(a, 1, 3) "," ROW(b, 2, 3) "\ntask,g:0," ROW(b, 1, 3) "," ROW(
               c, 2, 3) "\n"
                        "task,g:1,b," ROW(c, 1, 2) "\ntask,g:2," ROW(b, 0, 2) "," ROW(c, 0, 1) "\n");
  expect_tasks(CHAIN, (wish){.capacity = 4, .order = "alternating"}, text);
}

/* Each against who makes the part that it reads, though that lies in a whole: f forward, g backward, i forward, k backward. Of a whole inside of another
   the maker of the first part counts: l goes against f. */
static void alternating_in_a_whole(void **state) {
  (void)state;
  expect_tasks(
      "tensor,x,2,input,1,2,i8\ntensor,a,2,,1,2,i8\ntensor,b,2,,1,2,i8\ntensor,c,4,,1,4,i8\ntensor,d,2,,1,2,i8\n"
      "tensor,e,6,output,1,6,i8\ntensor,y,2,output,1,2,i8\ntensor,z,4,output,1,4,i8\nop,f,F,x,a,,,,1\nop,g,F,a,b,,,,1\n"
      "op,h,Concat,a;b,c,,,,+\nop,i,F,b,d,,,,1\nop,j,Concat,c;d,e,,,,+\nop,k,F,d,y,,,,1\nop,l,F,c,z,,,,1\n",
      (wish){.capacity = 2, .order = "alternating"},
      "task,f:0,x@0:1,e@0:1\ntask,f:1,x@1:2,e@1:2\ntask,g:0,e@1:2,e@3:4\ntask,g:1,e@0:1,e@2:3\n"
      "task,i:0,e@2:3,e@4:5\ntask,i:1,e@3:4,e@5:6\ntask,k:0,e@5:6,y@1:2\ntask,k:1,e@4:5,y@0:1\n"
      "task,l:0,e@3:4,z@3:4\ntask,l:1,e@2:3,z@2:3\ntask,l:2,e@1:2,z@1:2\ntask,l:3,e@0:1,z@0:1\n");
}

/* Names that leave no room for a number are cut, and stay apart. */
static void long_names(void **state) {
  (void)state;
  char name[256], text[1200], expected[1200];
  memset(name, 'n', sizeof name);
  name[254] = 0;
  snprintf(text, sizeof text, "tensor,x,4,input\ntensor,y,4\ntensor,z,4,output\nop,%sa,F,x,y\nop,%sb,G,y,z\n", name, name);
  snprintf(expected, sizeof expected, "task,%.200s~0:0,x,y\ntask,%.200s~1:0,y,z\n", name, name);
  expect_tasks(text, (wish){.capacity = 8}, expected);
  /* no character is cut in two; what has none is cut where it may be */
  char id[256];
  memset(name, 'n', sizeof name);
  memcpy(name + 198, "\xe2\x80\x9c", 3);
  name[210] = 0;
  asci_task_id(id, name, 7, 3);
  snprintf(expected, sizeof expected, "%.198s~7:3", name);
  assert_string_equal(id, expected);
  memset(name + 150, 0x80, 60);
  asci_task_id(id, name, 7, 3);
  snprintf(expected, sizeof expected, "%.196s~7:3", name);
  assert_string_equal(id, expected);
}

/* test_four_axes with one piece of its text replaced, tiled; the tasks or what is wrong. */
static void tile_changed(const char *from, const char *to, const char *concat, const char *layout, test_output *out) {
  const char *text = test_four_axes;
  char changed[1000];
  const char *at = strstr(text, from);
  assert_non_null(at);
  int length = snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  assert_true(length > 0 && (size_t)length < sizeof changed);
  asc_context *context = test_context();
  asc_graph *graph = graph_of(context, changed);
  asc_tiling *tiling = NULL;
  asc_diag diag = {0};
  *out = (test_output){.used = 0};
  if (tile(graph, (wish){.concat = concat, .layout = layout, .capacity = 4096}, &tiling, &diag))
    test_append(out, diag.message, strlen(diag.message));
  else
    assert_int_equal(asc_task_csv_write(tiling, test_append, out), ASC_OK);
  asc_tiling_free(tiling);
  asc_graph_free(graph);
  test_context_end(context);
}

/* Each of these lets no part lie in the whole: it is copied there as if nobody had asked otherwise. */
static void what_cannot_be_joined(void **state) {
  (void)state;
  static const char *const changes[][2] = {
      {"op,h,Concat", "op,h,Stack"},
      {"a;b,c,,,,1 + 1 1;1 + 1 1", "a;b,c"},
      {"1 + 1 1;1 + 1 1", "1 + 1 1;1 1 + 1"},
      {"1 + 1 1;1 + 1 1", "1 + 1 3/1-1;1 + 1 1"},
      {"1 + 1 1;1 + 1 1", "1 + 1/2 1;1 + 1 1"},
      {"1 + 1 1;1 + 1 1", "1 + 1/1-1 1;1 + 1 1"},
      {"1 + 1 1;1 + 1 1", "1 1 1 1;1 1 1 1"},
      {"1 + 1 1;1 + 1 1", "1 + 3:1 2:1;1 + 1 1"},
      {"1 + 1 1;1 + 1 1", "1 + * 1;1 + 1 1"},
      {"Concat,a;b,c", "Concat,a;a,c"},
      {"tensor,c,96,,1,1x4x4x6,i8,NCHW", "tensor,c,96"},
      {"tensor,a,48,,1,1x2x4x6,i8,NCHW", "tensor,a,48"},
      {"tensor,a,48,,1,1x2x4x6,i8,NCHW", "tensor,a,48,,1,2x4x6,i8,CHW"},
      {"tensor,a,48,,1,1x2x4x6,i8,NCHW", "tensor,a,96,,1,1x2x4x6,i16,NCHW"},
      {"tensor,a,48,,1,1x2x4x6,i8,NCHW", "tensor,a,48,,1,1x2x4x6,i8,NHWC"},
      {"tensor,a,48,,1,1x2x4x6,i8,NCHW", "tensor,a,24,,1,1x2x2x6,i8,NCHW"},
      {"tensor,a,48,,1,1x2x4x6,i8,NCHW", "tensor,a,48,,16,1x2x4x6,i8,NCHW"},
      {"tensor,a,48,,1,1x2x4x6,i8,NCHW", "tensor,a,48,output,1,1x2x4x6,i8,NCHW"},
      {"op,f,Relu,x,a,,,,1 1 1 1", "op,f,Relu,x,a,,a=x,,"},
      {"c,,,,1 + 1 1;1 + 1 1\nop,k,Relu,c,o,,,,1 1 1 1", "c;o,,,,1 + 1 1;1 + 1 1"},
      {"tensor,c,96,,1,1x4x4x6,i8,NCHW", "tensor,c,0"},
      {"tensor,c,96,,1,1x4x4x6,i8,NCHW", "tensor,c,96,,1,96,i8"},
      {"op,k,Relu", "op,k,Relu"},
  };
  for (uint32_t k = 0; k < COUNT(changes); k++) {
    test_output placed, copied;
    bool whole = !strcmp(changes[k][0], changes[k][1]);
    tile_changed(changes[k][0], changes[k][1], "place", NULL, &placed);
    tile_changed(changes[k][0], changes[k][1], "copy", NULL, &copied);
    CHECK(whole == (strcmp(placed.text, copied.text) != 0), "%s as %s:\n%sand copied\n%s", changes[k][0], changes[k][1],
          placed.text, copied.text);
  }
  /* two channels are no block of 32 */
  test_output placed, copied;
  tile_changed("op,k", "op,k", "place", "NC32HW32", &placed);
  tile_changed("op,k", "op,k", "copy", "NC32HW32", &copied);
  assert_string_equal(placed.text, copied.text);
  /* a part of one whole is copied into the next */
  static const char two[] = "tensor,x,4,input,1,4,i8\ntensor,a,4,,1,4,i8\ntensor,b,4,,1,4,i8\ntensor,c,8,output,1,8,i8\n"
                            "tensor,d,8,output,1,8,i8\nop,f,F,x,a,,,,1\nop,g,F,x,b,,,,1\nop,h,Concat,a;b,c,,,,+\n"
                            "op,i,Concat,a;b,d,,,,+\n";
  expect_tasks(two, (wish){.capacity = 16}, "task,f:0,x,c@0:4\ntask,g:0,x,c@4:8\ntask,i:0,c@0:4;c@4:8,d\n");
}

/* ---- what a plan leaves outside ------------------------------------------------------------------------------------------ */

static void expect_copies(const asc_graph *graph, const asc_plan *plan, int64_t capacity, const char *expected) {
  asc_tiling *tiling = NULL;
  asc_diag diag = {0};
  test_output out = {.used = 0};
  CHECK(asc_plan_tile(graph, plan, NULL, 0, capacity, &tiling, &diag) == ASC_OK, "%s %s", diag.field, diag.message);
  assert_int_equal(asc_task_csv_write(tiling, test_append, &out), ASC_OK);
  CHECK(strcmp(out.text, expected) == 0, "got\n%sexpected\n%s", out.text, expected);
  asc_tiling_free(tiling);
}

/* x is there from the beginning, a copied out twice, y at the end. Each operator does nothing that copies depend on. */
static void copies_of_a_plan(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_graph *graph = graph_of(context, "tensor,x,4,input\ntensor,a,6,,,2x3,i8\ntensor,b,4\ntensor,c,1\ntensor,y,4,output\n"
                                       "tensor,a:2,1\nop,o,F,x,a;a:2\nop,p,F,x,b\nop,q,F,a;b,c\nop,r,F,a;c;x,y\n");
  const uint32_t order[] = {0, 1, 2, 3}, x = 0, a = 1, b = 2, y = 4;
  const asc_stay stays[] = {{x, ASC_POOL_OUTSIDE, 0, 4, 0}, {x, ASC_POOL_MAIN, 0, 2, 0},    {a, ASC_POOL_MAIN, 0, 1, 4},
                            {a, ASC_POOL_OUTSIDE, 1, 2, 0}, {b, ASC_POOL_MAIN, 1, 3, 4},    {a, ASC_POOL_MAIN, 2, 3, 8},
                            {b, ASC_POOL_OUTSIDE, 2, 3, 0}, {a, ASC_POOL_OUTSIDE, 3, 4, 0}, {x, ASC_POOL_MAIN, 3, 4, 0},
                            {a, ASC_POOL_MAIN, 4, 5, 0},    {y, ASC_POOL_OUTSIDE, 4, 4, 0}};
  const asc_plan plan = {.order = order, .turns = 4, .stays = stays, .stay_count = COUNT(stays)};
  static const char expected[] =
      "tiled,x,1,4,NCHW,input\ntiled,a,1,2x3\ntiled,b,1,4\ntiled,a:13,1,2x3\ntiled,y,1,4,NCHW,output\n"
      "task,a out:0,,a@0:1x0:3\ntask,a out:1,,a@1:2x0:3\n"
      "task,b out:0,,b@0:3\ntask,b out:1,,b@3:4\n"
      "task,a in 2:0,a@0:1x0:3,\ntask,a in 2:1,a@1:2x0:3,\n"
      "task,a:13 out:0,,a:13@0:1x0:3\ntask,a:13 out:1,,a:13@1:2x0:3\n"
      "task,x in 3:0,x@0:3,\ntask,x in 3:1,x@3:4,\n"
      "task,y out:0,,y@0:3\ntask,y out:1,,y@3:4\n"
      "task,a:13 in 4:0,a:13@0:1x0:3,\ntask,a:13 in 4:1,a:13@1:2x0:3,\n";
  expect_copies(graph, &plan, 3, expected);
  asc_tiling *tiling = NULL;
  asc_diag diag = {0};
  assert_int_equal(asc_plan_tile(graph, &plan, NULL, 0, 0, &tiling, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.message, "is 0, but the least tile of " Q("a") " takes 1: 0 read and 1 written");
  assert_null(tiling);
  asc_graph_free(graph);
  test_context_end(context);
}

/* An input that lies outside only later and an output that does not to the end are copied there and back like anything else; workspaces never are. */
static void copies_there_and_back(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_graph *graph = graph_of(context, "tensor,x,4,input\ntensor,y,4,output\ntensor,z,1\ntensor,w,1\nop,o,F,x,y,,,8\n"
                                       "op,p,F,,z\nop,q,F,x;y;z,w\n");
  const uint32_t order[] = {0, 1, 2}, x = 0, y = 1, z = 2, w = 3, work = 4;
  const asc_stay stays[] = {{x, ASC_POOL_MAIN, 0, 1, 0}, {work, ASC_POOL_MAIN, 0, 1, 8},    {y, ASC_POOL_MAIN, 0, 1, 4},
                            {z, ASC_POOL_MAIN, 1, 3, 0}, {work, ASC_POOL_OUTSIDE, 1, 2, 0}, {x, ASC_POOL_OUTSIDE, 1, 2, 0},
                            {w, ASC_POOL_MAIN, 2, 3, 1}, {y, ASC_POOL_OUTSIDE, 1, 2, 0},    {x, ASC_POOL_MAIN, 2, 3, 4},
                            {y, ASC_POOL_MAIN, 2, 3, 8}};
  const asc_plan plan = {.order = order, .turns = 3, .stays = stays, .stay_count = COUNT(stays)};
  static const char expected[] =
      "tiled,x,1,4\ntiled,y,1,4\ntask,x out:0,,x\ntask,y out:0,,y\ntask,x in 2:0,x,\ntask,y in 2:0,y,\n";
  expect_copies(graph, &plan, 4, expected);
  asc_graph_free(graph);
  test_context_end(context);
}

/* ---- refused ----------------------------------------------------------------------------------------------------------- */

static void refusals(void **state) {
  (void)state;
  expect_refusal(CONV, (wish){.capacity = 3}, ASC_BAD_INPUT,
                 "capacity is 3, but the least tile of " Q("c") " takes 4: 3 read and 1 written");
  expect_refusal("tensor,x,4,input\ntensor,y,4,output\nop,f,F,x,y\n", (wish){.capacity = 7}, ASC_BAD_INPUT,
                 "capacity is 7, but without windows " Q("f") " takes 8: 4 read and 4 written");
  expect_refusal("tensor,x,4,input,1,4,i8\ntensor,y,4,output\nop,f,F,x,y,,,,1\n", (wish){.capacity = 7}, ASC_BAD_INPUT,
                 "capacity is 7, but uncut " Q("f") " takes 8: 4 read and 4 written");
  expect_refusal("tensor,x,4,input,1,scalar,i8\ntensor,y,4,output,1,4,i8\nop,f,F,x,y,,,,1\n", (wish){.capacity = 9},
                 ASC_BAD_INPUT, "windows of " Q("f") " do not fit " Q("x") ": its shape is not known");
  expect_refusal("tensor,x,4,input,1,2x2,i8\ntensor,y,4,output,1,4,i8\nop,f,F,x,y,,,,1\n", (wish){.capacity = 9},
                 ASC_BAD_INPUT,
                 "windows of " Q("f") " do not fit " Q("x") ": it has another number of dimensions than its window");
  expect_refusal("tensor,x,4,input,1,2x2,i8\ntensor,y,4,output,1,4,i8\nop,f,F,x,y,,,,1 1\n", (wish){.capacity = 9},
                 ASC_BAD_INPUT,
                 "windows of " Q("f") " do not fit " Q("x") ": they follow a dimension that the output does not have");
  expect_refusal("tensor,x,3000000,input,1,3000000,i8\ntensor,y,3000000,output,1,3000000,i8\nop,f,F,x,y,,,,1\n",
                 (wish){.capacity = 2}, ASC_TOO_LARGE,
                 "capacity is too little: " Q("f") " falls into more than 1048576 tiles");
  expect_refusal("tensor,a,4,input,1,1x4,i8\ntensor,b,4,,1,1x4,i8\ntensor,c,8,output,1,8,i8\nop,f,F,a,b\n"
                 "op,j,Concat,b;b,c,,,,1 +;1 +\n",
                 (wish){.capacity = 16}, ASC_BAD_INPUT,
                 "windows of " Q("j") " do not fit " Q("b") ": they follow a dimension that the output does not have");
  expect_refusal("tensor,a,4,input,1,1x4,i8\ntensor,b,4,,1,1x4,i8\ntensor,c,4,,1,1x4,i8\ntensor,d,8,output,1,8,i8\n"
                 "op,f,F,a,b;c\nop,j,Concat,b;c,d,,,,1 +;1 +\n",
                 (wish){.capacity = 16}, ASC_BAD_INPUT,
                 "windows of " Q("j") " do not fit " Q("b") ": they follow a dimension that the output does not have");
}

/* A picture of one channel that fits takes 32 times as much in blocks: no memory has that. */
static void blocks_beyond_every_address(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_graph *graph = graph_of(context, "tensor,x,4200000000000000,input,1,1x1x60000000x70000000,i8,NCHW\ntensor,y,1,output\n"
                                       "op,f,F,x,y\n");
  asc_tiling *tiling = NULL;
  asc_diag diag = {0};
  wish in_blocks = {.layout = "NC32HW32", .capacity = ASC_MAX_BYTES};
  assert_int_equal(tile(graph, in_blocks, &tiling, &diag), ASC_TOO_LARGE);
  assert_null(tiling);
  assert_string_equal(diag.field, "shape");
  assert_string_equal(diag.message, "of " Q("x") " is of more than 9,007,199,254,740,991 bytes");
  asc_graph_free(graph);
  test_context_end(context);
}

static void arguments(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_graph *graph = graph_of(context, CONV), *open = NULL;
  asc_tiling *tiling = NULL;
  asc_diag diag;
  asc_option_value wrong = {"order", "width"}, unknown = {"halo", "1"};
  assert_int_equal(asc_graph_tile(graph, &wrong, 1, 9, &tiling, &diag), ASC_BAD_OPTION);
  assert_string_equal(diag.field, "order");
  assert_int_equal(asc_graph_tile(graph, &unknown, 1, 9, &tiling, &diag), ASC_UNKNOWN_OPTION);
  assert_int_equal(asc_graph_tile(graph, NULL, 0, -1, &tiling, &diag), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_graph_tile(NULL, NULL, 0, 9, &tiling, &diag), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_graph_new(context, &open), ASC_OK);
  assert_int_equal(asc_graph_tile(open, NULL, 0, 9, &tiling, NULL), ASC_BAD_ARGUMENT);
  asc_graph_free(open);
  asc_graph_free(graph);
  test_context_end(context);
}

int run_tiler_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(halo_and_a_ragged_last_tile),
      cmocka_unit_test(strides_and_pads),
      cmocka_unit_test(columns_and_blocks_of_channels),
      cmocka_unit_test(joined_and_multiplied),
      cmocka_unit_test(concatenated_in_place),
      cmocka_unit_test(concatenated_by_copies),
      cmocka_unit_test(spread_and_padded),
      cmocka_unit_test(aliases_lie_where_their_input_does),
      cmocka_unit_test(views_and_what_is_empty),
      cmocka_unit_test(views_of_other_shapes),
      cmocka_unit_test(shapes_that_are_none),
      cmocka_unit_test(windows_of_constants),
      cmocka_unit_test(blocks_beyond_every_address),
      cmocka_unit_test(orders),
      cmocka_unit_test(alternating_in_a_whole),
      cmocka_unit_test(long_names),
      cmocka_unit_test(what_cannot_be_joined),
      cmocka_unit_test(copies_of_a_plan),
      cmocka_unit_test(copies_there_and_back),
      cmocka_unit_test(refusals),
      cmocka_unit_test(arguments),
  };
  return cmocka_run_group_tests_name("tiler", tests, NULL, NULL);
}
