/* Lowering by hand: each rule on a small graph, with the buffers that it must give. */
#include "support.h"

#include <stdio.h>
#include <string.h>

static asc_graph *read_graph(asc_context *context, const char *text) {
  asc_graph *graph = NULL;
  asc_diag diag = {0};
  size_t count = 0;
  asc_status status = asc_graph_csv_read(context, text, strlen(text), &graph, &diag, 1, &count);
  CHECK(status == ASC_OK, "%s: %u:%u %s %s", text, diag.line, diag.column, diag.field, diag.message);
  return graph;
}

/* "a=b c=d" as options; the text is cut up. */
static uint32_t read_options(char *text, asc_option_value values[16]) {
  uint32_t count = 0;
  for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
    char *equals = strchr(word, '=');
    *equals = 0;
    values[count++] = (asc_option_value){word, equals + 1};
  }
  return count;
}

static asc_lowering *lower(const asc_graph *graph, const char *options) {
  char text[256];
  asc_option_value values[16];
  snprintf(text, sizeof text, "%s", options);
  uint32_t count = read_options(text, values);
  asc_lowering *lowering = NULL;
  asc_diag diag = {0};
  asc_status status = asc_lower(graph, values, count, &lowering, &diag);
  CHECK(status == ASC_OK, "%s: %s %s", options, diag.field, diag.message);
  return lowering;
}

/* Buffers are given without the header, notes behind them, each on a line after "> ". */
static void expect(const char *graph_text, const char *options, const char *expected) {
  asc_context *context = test_context();
  asc_graph *graph = read_graph(context, graph_text);
  asc_lowering *lowering = lower(graph, options);
  test_output out = {.used = 0};
  assert_int_equal(asc_csv_write(asc_lowering_problem(lowering), NULL, NULL, test_append, &out), ASC_OK);
  const char *note;
  for (uint32_t k = 0; (note = asc_lowering_note(lowering, k)); k++) {
    test_append(&out, "> ", 2);
    test_append(&out, note, strlen(note));
    test_append(&out, "\n", 1);
  }
  const char *rows = strchr(out.text, '\n') + 1;
  CHECK(strcmp(rows, expected) == 0, "%s\nfor\n%sgot\n%sexpected\n%s", options, graph_text, rows, expected);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  test_context_end(context);
}

/* ---- lifetimes ------------------------------------------------------------------------------------------------------- */

/* x -> a -> b -> y, and a is read again at the end. */
#define CHAIN \
  "tensor,x,8,input\ntensor,a,7\ntensor,b,6\ntensor,y,5,output\n" \
  "op,o0,,x,a\nop,o1,,a,b\nop,o2,,b;a,y\n"

static void test_intermediate(void **state) {
  (void)state;
  expect(CHAIN, "", "x,0,1,8\na,0,3,7\nb,1,3,6\ny,2,3,5\n");
  /* an input and output of one operator are alive together, an output that nobody reads at its operator */
  expect("tensor,x,8,input\ntensor,a,7\ntensor,b,6\nop,o0,,x,a\nop,o1,,x,b\nop,o2,,b,\n", "", "x,0,2,8\na,0,1,7\nb,1,3,6\n");
}

#define LOWER_PEAK(order, best, here) \
  "> The schedule \xe2\x80\x9c" order "\xe2\x80\x9d would have a lower peak: " best " bytes instead of " here ".\n"

static void test_inputs_and_outputs(void **state) {
  (void)state;
  static const char text[] = "tensor,late,8,input\ntensor,idle,7,input\ntensor,through,6,input+output\ntensor,y,5,output\n"
                             "tensor,z,4\nop,o0,,,y\nop,o1,,late,z\nop,o2,,z;y,\n";
  expect(text, "", "late,0,2,8\nidle,0,1,7\nthrough,0,3,6\ny,0,3,5\nz,1,3,4\n" LOWER_PEAK("greedy", "25", "26"));
  expect(text, "order=greedy", "late,0,1,8\nidle,0,1,7\nthrough,0,3,6\ny,1,3,5\nz,0,3,4\n");
  expect(text, "preserve_inputs=true", "late,0,3,8\nidle,0,3,7\nthrough,0,3,6\ny,0,3,5\nz,1,3,4\n");
}

static void test_variables(void **state) {
  (void)state;
  expect("tensor,s,8,variable\ntensor,idle,2,variable\ntensor,x,7,input\ntensor,y,5,output\n"
         "op,o0,,x,y\nop,o1,,x;s,s\n",
         "", "s,0,2,8\nidle,0,2,2\nx,0,2,7\ny,0,2,5\n");
}

static void test_left_out(void **state) {
  (void)state;
  expect("tensor,x,0,input\ntensor,w,0,constant\ntensor,left,3\ntensor,y,5,output\nop,o,,x;w,y\n", "",
         "y,0,1,5\n> 2 tensors of 0 bytes: no buffer.\n> 1 tensor that no operator names: no buffer.\n");
  expect("tensor,x,0,input\ntensor,y,0,output\nop,o,,x,y\n", "",
         "> 2 tensors of 0 bytes: no buffer.\n> No tensor has a buffer: there is nothing to plan.\n");
}

/* ---- constants ------------------------------------------------------------------------------------------------------- */

#define WEIGHTS \
  "tensor,x,1,input\ntensor,w,10,constant\ntensor,v,20,constant\ntensor,u,30,constant\n" \
  "tensor,a,1\ntensor,b,1\ntensor,c,1\ntensor,d,1\ntensor,e,1\ntensor,y,1,output\n" \
  "op,o0,,x;v,a\nop,o1,,a,b\nop,o2,,b;w,c\nop,o3,,c,d\nop,o4,,d;v,e\nop,o5,,e;v,y\n"
#define REST "a,0,2,1\nb,1,3,1\nc,2,4,1\nd,3,5,1\ne,4,6,1\ny,5,6,1\n"

static void test_constants(void **state) {
  (void)state;
  expect(WEIGHTS, "", "x,0,1,1\n" REST "> 3 constants out of the arena: 60 bytes.\n");
  expect(WEIGHTS, "constants=resident",
         "x,0,1,1\nw,0,6,10\nv,0,6,20\n" REST "> 1 tensor that no operator names: no buffer.\n");
}

static void test_streamed(void **state) {
  (void)state;
#define IDLE "> 1 tensor that no operator names: no buffer.\n"
#define AGAIN "> Streamed constants are loaded again 1 time: between two uses they are gone.\n"
  expect(WEIGHTS, "constants=streamed prefetch=0", "x,0,1,1\nw,2,3,10\nv,0,1,20\n" REST "v:2,4,6,20\n" AGAIN IDLE);
  expect(WEIGHTS, "constants=streamed prefetch=2", "x,0,1,1\nw,0,3,10\nv,0,1,20\n" REST "v:2,2,6,20\n" AGAIN IDLE);
  /* the second loading would begin where the first use ends: it stays */
  expect(WEIGHTS, "constants=streamed", "x,0,1,1\nw,0,3,10\nv,0,6,20\n" REST IDLE);
  expect(WEIGHTS, "constants=streamed prefetch=1048576", "x,0,1,1\nw,0,3,10\nv,0,6,20\n" REST IDLE);
  /* an output of the model must be there at the end */
  expect("tensor,w,9,constant+output\ntensor,a,1\nop,o0,,w,a\nop,o1,,a,\nop,o2,,,\n", "constants=streamed prefetch=0",
         "w,0,1,9\na,0,2,1\nw:2,2,3,9\n" AGAIN);
}

/* ---- in place and alias ---------------------------------------------------------------------------------------------- */

#define REFUSED_INPLACE(n) "> " n " not used: the input has other readers or another size, or is not an activation.\n"
#define REFUSED_ALIAS(n) "> " n " not used: their bytes or alignments do not match, or one is a variable or a workspace.\n"

static void test_inplace(void **state) {
  (void)state;
  static const char text[] = "tensor,x,8,input\ntensor,a,8\ntensor,b,8\ntensor,y,8,output\n"
                             "op,o0,,x,a,a=x\nop,o1,,a,b,b=a\nop,o2,,b,y,y=b\n";
  expect(text, "", "x,0,1,8\na,0,2,8\nb,1,3,8\ny,2,3,8\n");
  expect(text, "inplace=true", "x,0,1,8\na,0,3,8\n" REFUSED_INPLACE("1 in-place pair"));
  /* two readers of a; b of another size; of the binary operator the first input does not do, the second does */
  expect("tensor,x,8,input\ntensor,a,8\ntensor,b,8\ntensor,c,9\ntensor,d,9\ntensor,y,9,output\n"
         "op,o0,,x,a\nop,o1,,a,b,b=a\nop,o2,,a;b,c,c=b\nop,o3,,c,d\nop,o4,,c;d,y,y=c;y=d\n",
         "inplace=true", "x,0,1,8\na,0,3,8\nb,1,3,8\nc,2,5,9\nd,3,5,9\n" REFUSED_INPLACE("2 in-place pairs"));
  /* two outputs cannot both be written over one input */
  expect("tensor,x,8,input\ntensor,a,8\ntensor,b,8\ntensor,c,8\nop,o0,,x,a\nop,o1,,a,b;c,b=a;c=a\nop,o2,,b;c,\n",
         "inplace=true", "x,0,1,8\na,0,3,8\nc,1,3,8\n" REFUSED_INPLACE("1 in-place pair"));
  /* what is an output, a variable or a constant is not written over, nor is a variable over something */
  expect("tensor,s,8,variable\ntensor,w,8,constant\ntensor,a,8,output\ntensor,b,8\ntensor,c,8\ntensor,d,8\n"
         "op,o0,,,a\nop,o1,,a,b,b=a\nop,o2,,s,c,c=s\nop,o3,,w,d,d=w\nop,o4,,b,s,s=b\nop,o5,,c;d,\n",
         "inplace=true constants=resident",
         "s,0,6,8\nw,0,6,8\na,0,6,8\nb,1,5,8\nc,2,6,8\nd,3,6,8\n" REFUSED_INPLACE("4 in-place pairs")
             LOWER_PEAK("depth-first", "40", "48"));
}

static void test_alias(void **state) {
  (void)state;
  static const char text[] = "tensor,x,8,input\ntensor,a,8\ntensor,b,8\ntensor,c,1\ntensor,y,8,output\n"
                             "op,o0,,x,a\nop,o1,,a,b,,b=a\nop,o2,,a,c\nop,o3,,b;c,y,,y=b\nop,o4,,,\n";
  expect(text, "alias=false", "x,0,1,8\na,0,3,8\nb,1,4,8\nc,2,4,1\ny,3,5,8\n");
  expect(text, "", "x,0,1,8\na,0,5,8\nc,2,4,1\n");
  /* a view of the input is there from the start; one of a constant leaves the plan with it, or stays in it */
  static const char given[] = "tensor,x,8,input\ntensor,w,4,constant\ntensor,a,8\ntensor,v,4\ntensor,y,1,output\n"
                              "op,o0,,,\nop,o1,,x,a,,a=x\nop,o2,,w,v,,v=w\nop,o3,,,\nop,o4,,a;v,y\n";
  expect(given, "", "x,0,5,8\ny,4,5,1\n> 1 constant out of the arena: 4 bytes.\n");
  expect(given, "constants=resident", "x,0,5,8\nw,0,5,4\ny,4,5,1\n");
  /* the operator that gives it another shape needs none of its bytes */
  expect(given, "constants=streamed prefetch=1", "x,0,5,8\nw,3,5,4\ny,4,5,1\n");
  expect("tensor,x,8,input\ntensor,a,7\ntensor,s,8,variable\ntensor,b,8\nop,o0,,x;s,a;b,,a=x;b=s\n", "",
         "x,0,1,8\na,0,1,7\ns,0,1,8\nb,0,1,8\n" REFUSED_ALIAS("2 alias pairs"));
}

/* LiteRT's rule: nothing takes over an input of the model, and an output takes over nothing. */
static void test_share_io(void **state) {
  (void)state;
  static const char text[] = "tensor,x,8,input\ntensor,a,8\ntensor,b,8\ntensor,c,8\ntensor,y,8,output\n"
                             "op,o0,,x,a,,a=x\nop,o1,,a,b,b=a\nop,o2,,b,c,,c=b\nop,o3,,c,y,y=c\n";
  expect(text, "inplace=true", "x,0,2,8\nb,1,4,8\n" REFUSED_INPLACE("1 in-place pair"));
  expect(text, "inplace=true share_io=false", "x,0,1,8\na,0,4,8\ny,3,4,8\n" REFUSED_INPLACE("1 in-place pair"));
}

/* LiteRT's kernels: of those that could write in place few do, none over a tensor that it reads twice, nor over a scalar. */
static void test_inplace_ops(void **state) {
  (void)state;
#define PAIR_OF(type, size, reads) \
  "tensor,x," size ",input\ntensor,a," size "\ntensor,b," size "\ntensor,y,9,output\n" \
  "op,o0,RELU,x,a\nop,o1," type "," reads ",b,b=a\nop,o2,CONV_2D,b,y\n"
  static const char taken[] = "x,0,1,8\na,0,3,8\ny,2,3,9\n", apart[] = "x,0,1,8\na,0,2,8\nb,1,3,8\ny,2,3,9\n";
  expect(PAIR_OF("ADD", "8", "a"), "inplace=true inplace_ops=arithmetic", taken);
  expect(PAIR_OF("RELU", "8", "a"), "inplace=true inplace_ops=arithmetic", apart);
  expect(PAIR_OF("RELU", "8", "a"), "inplace=true inplace_ops=any", taken);
  expect(PAIR_OF("MUL", "8", "a;a"), "inplace=true", taken);
  expect(PAIR_OF("MUL", "8", "a;a"), "inplace=true inplace_ops=arithmetic", apart);
  expect(PAIR_OF("MUL", "4", "a"), "inplace=true inplace_ops=arithmetic", "x,0,1,4\na,0,2,4\nb,1,3,4\ny,2,3,9\n");
}

/* A view that is still read keeps its bytes from being written over; one that is not does not. */
static void test_inplace_of_aliases(void **state) {
  (void)state;
#define VIEWS \
  "tensor,x,8,input\ntensor,a,8\ntensor,b,8\ntensor,c,8\ntensor,y,1,output\n" \
  "op,o0,,x,a\nop,o1,,a,b,,b=a\nop,o2,,b,c,c=b\n"
  expect(VIEWS "op,o3,,c,y\n", "inplace=true", "x,0,1,8\na,0,4,8\ny,3,4,1\n");
  expect(VIEWS "op,o3,,c;a,y\n", "inplace=true", "x,0,1,8\na,0,4,8\nc,2,4,8\ny,3,4,1\n" REFUSED_INPLACE("1 in-place pair"));
  expect(VIEWS "op,o3,,c;a,y\n", "inplace=true alias=false", "x,0,1,8\na,0,4,8\nb,1,4,8\ny,3,4,1\n");
}

/* ---- workspaces, alignment, names ------------------------------------------------------------------------------------ */

static void test_workspaces(void **state) {
  (void)state;
  static const char text[] = "tensor,x,8,input\ntensor,t,5,workspace\ntensor,y,7,output\n"
                             "op,o0,,x,y,,,3\nop,o1,,t,\nop,o2,,,,,,4\n";
  expect(text, "", "x,0,1,8\nt,1,2,5\ny,0,3,7\no0:workspace,0,1,3\no2:workspace,2,3,4\n");
  expect(text, "workspace=false", "x,0,1,8\ny,0,3,7\n> 3 workspaces left out.\n");
}

static void test_alignment(void **state) {
  (void)state;
  static const char text[] = "tensor,x,9,input,6\ntensor,a,8,activation,32\ntensor,y,1,output\nop,o0,,x,a,,,5\nop,o1,,a,y\n";
  expect(text, "", "x,0,1,9,6\na,0,2,8,32\ny,1,2,1,1\no0:workspace,0,1,5,1\n");
  expect(text, "alignment=16", "x,0,1,9,48\na,0,2,8,32\ny,1,2,1,16\no0:workspace,0,1,5,16\n");
  expect(text, "alignment=16 align_by=size", "x,0,1,16,6\na,0,2,16,32\ny,1,2,16,1\no0:workspace,0,1,16,1\n");
  expect(text, "alignment=16 align_by=both", "x,0,1,16,48\na,0,2,16,32\ny,1,2,16,16\no0:workspace,0,1,16,16\n");
  /* what shares a store has the stricter alignment, if one suits both */
  expect("tensor,x,8,input,2\ntensor,a,8,activation,8\ntensor,b,8,activation,3\nop,o,,x,a;b,,a=x;b=x\n", "",
         "x,0,1,8,8\nb,0,1,8,3\n" REFUSED_ALIAS("1 alias pair"));
}

static void test_names(void **state) {
  (void)state;
  expect("tensor,x,1,input\ntensor,o:workspace,2\ntensor,o:workspace:2,3\nop,o,,x,o:workspace;o:workspace:2,,,9\n", "",
         "x,0,1,1\no:workspace,0,1,2\no:workspace:2,0,1,3\no:workspace:3,0,1,9\n");
  char text[2048], expected[2048], base[231];
  memset(base, 'n', sizeof base - 1);
  base[sizeof base - 1] = 0;
  memcpy(base + 198, "\xe2\x82\xac", 3); /* the cut would go through it */
  snprintf(text, sizeof text, "op,%sa,,,,,,1\nop,%sb,,,,,,2\n", base, base);
  snprintf(expected, sizeof expected, "%.198s~0:workspace,0,1,1\n%.198s~1:workspace,1,2,2\n", base, base);
  expect(text, "", expected);
  memset(base + 190, '\x80', 20); /* no character is so long */
  snprintf(text, sizeof text, "op,%s,,,,,,1\n", base);
  snprintf(expected, sizeof expected, "%.196s~0:workspace,0,1,1\n", base);
  expect(text, "", expected);
  /* what one of them is called for the second time another is as well */
  expect("tensor,w,1,constant\ntensor,w:2,2,constant\ntensor,a,1\nop,o0,,w;w:2,a\nop,o1,,a,\nop,o2,,w;w:2;a,\n",
         "constants=streamed prefetch=0",
         "w,0,1,1\nw:2,0,1,2\na,0,3,1\nw:2:2,2,3,1\nw:2:2:2,2,3,2\n> Streamed constants are loaded again 2 times: between "
         "two uses they are gone.\n");
}

/* ---- schedules and budgets ------------------------------------------------------------------------------------------- */

/* Two branches of two operators each behind x, joined at the end. */
#define FORK \
  "tensor,x,4,input\ntensor,a,8\ntensor,b,1\ntensor,c,8\ntensor,d,1\ntensor,y,2,output\n" \
  "op,a0,,x,a\nop,c0,,x,c\nop,a1,,a,b\nop,c1,,c,d\nop,end,,b;d,y\n"

static void expect_schedule(const char *text, const char *options, const char *expected, asc_budgets budgets) {
  asc_context *context = test_context();
  asc_graph *graph = read_graph(context, text);
  asc_lowering *lowering = lower(graph, options);
  char got[256] = "";
  for (uint32_t k = 0; k < asc_graph_op_count(graph); k++) {
    if (k) strcat(got, " ");
    strcat(got, asc_graph_op(graph, asc_lowering_schedule(lowering)[k])->id);
  }
  CHECK(strcmp(got, expected) == 0, "%s: got %s", options, got);
  asc_budgets is = asc_lowering_budgets(lowering);
  CHECK(is.required == budgets.required && is.half == budgets.half && is.peak == budgets.peak, "%s: %d, %d, %d", options,
        (int)is.required, (int)is.half, (int)is.peak);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  test_context_end(context);
}

static void test_schedules(void **state) {
  (void)state;
  /* file: x a c = 20 at c0; one branch after the other: x a, a b x, x b c, b c d = 13 */
  const asc_budgets budgets = {12, 12, 13};
  expect_schedule(FORK, "", "a0 c0 a1 c1 end", budgets);
  expect_schedule(FORK, "order=breadth-first", "a0 c0 a1 c1 end", budgets);
  expect_schedule(FORK, "order=depth-first", "a0 a1 c0 c1 end", budgets);
  expect_schedule(FORK, "order=greedy", "a0 a1 c0 c1 end", budgets);
  /* constants do not move, but count where they are */
  expect_schedule(FORK "tensor,w,9,constant\nop,more,,w;b,\n", "constants=resident", "a0 c0 a1 c1 end more",
                  (asc_budgets){12, 17, 22});
}

static void test_greedy(void **state) {
  (void)state;
  /* what frees most comes first, then what needs less while it runs, then the first in the file */
  static const char text[] = "tensor,x,4,input\ntensor,z,9,input\ntensor,a,5\ntensor,b,5\ntensor,c,5\ntensor,y,1,output\n"
                             "op,p,,x,a,,,7\nop,q,,x,b,,,6\nop,r,,x,c,,,6\nop,s,,z,\nop,end,,a;b;c,y\n";
  expect_schedule(text, "order=greedy", "s q r p end", (asc_budgets){16, 21, 26});
  /* without their workspaces p is the first of its like */
  expect_schedule(text, "order=greedy workspace=false", "s p q r end", (asc_budgets){16, 17, 19});
}

/* A store counts once: in place nothing is added. */
static void test_greedy_with_stores(void **state) {
  (void)state;
  static const char text[] = "tensor,x,4,input\ntensor,a,6\ntensor,b,6\ntensor,c,1\ntensor,y,1,output\n"
                             "op,a0,,x,a\nop,c0,,x,c\nop,b0,,a,b,b=a\nop,end,,b;c,y\n";
  expect_schedule(text, "order=greedy", "c0 a0 b0 end", (asc_budgets){12, 12, 13});
  expect_schedule(text, "order=greedy inplace=true", "c0 a0 b0 end", (asc_budgets){10, 10, 11});
}

/* ---- options and arguments ------------------------------------------------------------------------------------------- */

static void expect_refusal(const asc_graph *graph, const char *name, const char *value, asc_status status) {
  const asc_option_value option = {name, value};
  asc_lowering *lowering = NULL;
  asc_diag diag = {0};
  assert_int_equal(asc_lower(graph, &option, 1, &lowering, &diag), status);
  assert_null(lowering);
  assert_int_equal(diag.status, status);
}

static void test_refusals(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_graph *graph = read_graph(context, CHAIN);
  expect_refusal(graph, "constants", "in", ASC_BAD_OPTION);
  expect_refusal(graph, "alignment", "0", ASC_BAD_OPTION);
  expect_refusal(graph, "prefetch", "-1", ASC_BAD_OPTION);
  expect_refusal(graph, "inplace", "maybe", ASC_BAD_OPTION);
  expect_refusal(graph, "schedule", "file", ASC_UNKNOWN_OPTION);
  expect_refusal(graph, NULL, "file", ASC_BAD_ARGUMENT);
  asc_lowering *lowering = NULL;
  assert_int_equal(asc_lower(NULL, NULL, 0, &lowering, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_lower(graph, NULL, 1, &lowering, NULL), ASC_BAD_ARGUMENT);
  asc_graph *empty = NULL;
  assert_int_equal(asc_graph_new(context, &empty), ASC_OK);
  assert_int_equal(asc_lower(empty, NULL, 0, &lowering, NULL), ASC_BAD_ARGUMENT);
  asc_graph_free(empty);
  asc_graph_free(graph);
  graph = read_graph(context, "tensor,x,9007199254740991,input\nop,o,,x,\n");
  const asc_option_value options[] = {{"alignment", "1024"}, {"align_by", "size"}};
  asc_diag diag;
  assert_int_equal(asc_lower(graph, options, 2, &lowering, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.field, "size");
  asc_graph_free(graph);
  test_context_end(context);
}

int run_lower_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_intermediate),
      cmocka_unit_test(test_inputs_and_outputs),
      cmocka_unit_test(test_variables),
      cmocka_unit_test(test_left_out),
      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_streamed),
      cmocka_unit_test(test_inplace),
      cmocka_unit_test(test_alias),
      cmocka_unit_test(test_share_io),
      cmocka_unit_test(test_inplace_ops),
      cmocka_unit_test(test_inplace_of_aliases),
      cmocka_unit_test(test_workspaces),
      cmocka_unit_test(test_alignment),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_schedules),
      cmocka_unit_test(test_greedy),
      cmocka_unit_test(test_greedy_with_stores),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests_name("lower", tests, NULL, NULL);
}
