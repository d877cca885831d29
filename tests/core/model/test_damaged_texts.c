/* Texts with every small damage: what is read is written and read back as the same, what is not is refused with places and words. */
#include "asc/graph.h"
#include "asc/tile.h"
#include "damage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 6 };

/* What each kind of text is read as and written from. */
typedef struct kind {
  asc_status (*read)(asc_context *context, const char *text, size_t bytes, void **made, asc_diag *diags, size_t room,
                     size_t *count);
  asc_status (*write)(const void *made, asc_sink sink, void *user);
  void (*end)(void *made);
} kind;

static asc_status read_fixed(asc_context *context, const char *text, size_t bytes, void **made, asc_diag *diags, size_t room,
                             size_t *count) {
  return asc_csv_read(context, text, bytes, ASC_OFFSETS_FIXED, (asc_csv **)made, diags, room, count);
}

static asc_status read_solution(asc_context *context, const char *text, size_t bytes, void **made, asc_diag *diags,
                                size_t room, size_t *count) {
  return asc_csv_read(context, text, bytes, ASC_OFFSETS_SOLUTION, (asc_csv **)made, diags, room, count);
}

static asc_status write_buffers(const void *made, asc_sink sink, void *user) {
  return asc_csv_write(asc_csv_problem(made), made, asc_csv_offsets(made), sink, user);
}

static void end_buffers(void *made) {
  asc_csv_free(made);
}

static asc_status read_graph(asc_context *context, const char *text, size_t bytes, void **made, asc_diag *diags, size_t room,
                             size_t *count) {
  return asc_graph_csv_read(context, text, bytes, (asc_graph **)made, diags, room, count);
}

static asc_status write_graph(const void *made, asc_sink sink, void *user) {
  return asc_graph_csv_write(made, sink, user);
}

static void end_graph(void *made) {
  asc_graph_free(made);
}

static asc_status read_tasks(asc_context *context, const char *text, size_t bytes, void **made, asc_diag *diags, size_t room,
                             size_t *count) {
  return asc_task_csv_read(context, text, bytes, (asc_tiling **)made, diags, room, count);
}

static asc_status write_tasks(const void *made, asc_sink sink, void *user) {
  return asc_task_csv_write(made, sink, user);
}

static void end_tasks(void *made) {
  asc_tiling_free(made);
}

static const kind fixed = {read_fixed, write_buffers, end_buffers}, solution = {read_solution, write_buffers, end_buffers},
                  graph = {read_graph, write_graph, end_graph}, tasks = {read_tasks, write_tasks, end_tasks};

typedef struct reading {
  const kind *as;
  asc_context *context;
  uint32_t read, refused;
  asc_diag last; /* of the last that was refused */
} reading;

/* Written, what was made of a text is read back as what is written the same. */
static void check_again(const kind *as, asc_context *context, void *made) {
  test_output first = {.used = 0}, second = {.used = 0};
  void *again = NULL;
  size_t count = 0;
  assert_int_equal(as->write(made, test_append, &first), ASC_OK);
  asc_status status = as->read(context, first.text, first.used, &again, NULL, 0, &count);
  CHECK(!status, "written and not read back:\n%.*s", (int)first.used, first.text);
  assert_int_equal(as->write(again, test_append, &second), ASC_OK);
  CHECK(first.used == second.used && !memcmp(first.text, second.text, first.used), "written otherwise:\n%.*s",
        (int)first.used, first.text);
  as->end(again);
}

static void look(void *user, const char *text, size_t bytes) {
  reading *r = user;
  void *made = NULL;
  asc_diag diags[ROOM];
  size_t count = 0;
  asc_status status = r->as->read(r->context, text, bytes, &made, diags, ROOM, &count);
  if (!status) {
    assert_int_equal(count, 0);
    check_again(r->as, r->context, made);
    r->as->end(made);
    r->read++;
    return;
  }
  CHECK((status == ASC_BAD_INPUT || status == ASC_TOO_LARGE) && count && !made, "%s:\n%.*s", asc_status_text(status),
        (int)bytes, text);
  for (size_t k = 0; k < count && k < ROOM; k++)
    CHECK(diags[k].message[0] && diags[k].line && diags[k].column, "without a place or words:\n%.*s", (int)bytes, text);
  r->last = diags[0];
  r->refused++;
}

/* Each text is fine as it is; each byte of it is replaced by each of those. */
static void damaged(const kind *as, const char *const *texts, uint32_t count, const char *others) {
  for (uint32_t k = 0; k < count; k++) {
    reading r = {.as = as, .context = test_context()};
    look(&r, texts[k], strlen(texts[k]));
    CHECK(r.read == 1, "%u:%u %s %s:\n%s", r.last.line, r.last.column, r.last.field, r.last.message, texts[k]);
    damage_each(texts[k], strlen(texts[k]), others, strlen(others) + 1, test_is_sanitized() ? 3 : 1, look, &r);
    assert_true(r.refused > 0);
    test_context_end(r.context);
  }
}

static void buffers(void **state) {
  (void)state;
  static const char *const texts[] = {
      "\xef\xbb\xbf# c\r\nid,lower,upper,size,alignment,offset,gaps,hint\r\na,0,9,64,4,,2-3 "
      "5-7@0:32,8\r\n\"b,\"\"\",1,4,0x20,1,8,,-1\r\n",
      "pool;far;60;2;32\nid;start;end;size;bank;pool;shape;note\nx;-2;3;16;32;far;-2--1@0:8 "
      "0-3@4:16;\"n\"\ny;0;1;0;;;2x3;\n",
      "buffer_id\tbegin\tlast_use\tbytes\nq\t0\t3\t1.5 KiB\nr\t2\t2\t2kb\n",
      "# arenascope: end=inclusive columns=id,lower,upper,size\nq,0,3,64\nr,2,2,7\n",
      "q,0,3,64\nr,2,5,0\n",
  };
  damaged(&fixed, texts, COUNT(texts), ",;\"\n\r\t -+.9@:bx\\|\x7f\x80");
  damaged(&solution, texts, 1, ",\"\n-9");
}

static void json(void **state) {
  (void)state;
  static const char *const texts[] = {
      " [ {\"id\": \"a\\u00e9\\ud83d\\ude00\\/\\u0041\", \"lower\": 0, \"upper\": 3, \"size\": "
      "64},\r\n\t{\"id\":\"b\",\"lower\":1,"
      "\"upper\":2,\"size\":7,\"v\":true,\"x\":null,\"y\":[1,{\"z\":\"\\\"]\"}]}]\r",
      "[{\"id\":\"\\ud800\\uDFFFz\\ufffd\\u07ff\",\"lower\":-1,\"upper\":3,\"size\":\"2\",\"gaps\":\"0-1\"}]\n",
  };
  damaged(&fixed, texts, 2, ",;\"\n\r\t {}[]:\\/udFgGn0@`\x1f\x80");
}

/* Of 65 keys the last is one too many; of a name of 256 bytes the last byte. */
static void too_many_and_too_long(void **state) {
  (void)state;
  char text[4096], longest[300] = "";
  size_t used = (size_t)snprintf(text, sizeof text, "[{\"id\":\"a\",\"lower\":0,\"upper\":1,\"size\":4");
  for (uint32_t k = 4; k < 64; k++) used += (size_t)snprintf(text + used, sizeof text - used, ",\"k%u\":%u", k, k);
  reading r = {.as = &fixed, .context = test_context()};
  snprintf(text + used, sizeof text - used, "}]");
  look(&r, text, strlen(text));
  assert_int_equal(r.read, 1);
  snprintf(text + used, sizeof text - used, ",\"one\":1}]");
  look(&r, text, strlen(text));
  assert_string_equal(r.last.message, "is one key too many, expected at most 64 in all objects");
  memset(longest, 'n', 255);
  used = (size_t)snprintf(text, sizeof text, "id,lower,upper,size\n%s,0,1,4\n", longest);
  look(&r, text, used);
  assert_int_equal(r.read, 2);
  longest[255] = 'n';
  used = (size_t)snprintf(text, sizeof text, "id,lower,upper,size\n%s,0,1,4\n", longest);
  look(&r, text, used);
  assert_string_equal(r.last.message, "is too long, expected 1 to 255 bytes");
  look(&r, "id,lower,upper,size\n,0,1,4\n", 27);
  assert_string_equal(r.last.message, "is empty, expected 1 to 255 bytes");
  look(&r, "\xfe\xffid", 4);
  assert_string_equal(r.last.message, "is UTF-16, expected UTF-8");
  look(&r, NULL, 0);
  assert_int_equal(r.refused, 5);
  test_context_end(r.context);
}

static void graphs(void **state) {
  (void)state;
  static const char *const texts[] = {
      "# c\ntensor,x,48,input,1,1x2x4x6,i8,NHWC\ntensor,\"y;\",48,,16,1x2x4x6,i8\ntensor,w,9,constant\n"
      "tensor,z,48,,1,8x6,i8\ntensor,o,24,output\nop,c,Conv,x;w,y\\;,,,64,1 3/1-1 3/1-1 *;\nop,r,Reshape,y\\;,z,,z=y\\;\n"
      "op,f,,z;w,o,o=z\n",
  };
  damaged(&graph, texts, 1, ",;\"\n -=x:/*\\09");
}

static void task_lists(void **state) {
  (void)state;
  static const char *const texts[] = {
      "tiled,i,2,1x40x4x4,NC32HW32,input,64\ntiled,o,1,1x8x4x4,NHWC,output\ntiled,\"s;\",1,4x4,1x8\n"
      "task,t,i@0:1x32:40x0:4x1:3;i,o\ntask,\"u,\",o,s\\;@0:2x1:4\n",
  };
  damaged(&tasks, texts, 1, ",;\"\n -@:x\\01");
}

int run_damaged_texts_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(buffers), cmocka_unit_test(json),       cmocka_unit_test(too_many_and_too_long),
      cmocka_unit_test(graphs),  cmocka_unit_test(task_lists),
  };
  return cmocka_run_group_tests_name("damaged_texts", tests, NULL, NULL);
}
