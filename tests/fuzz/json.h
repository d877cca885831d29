/* Whether a text is one JSON value, as RFC 8259 has it. */
#ifndef FUZZ_JSON_H
#define FUZZ_JSON_H

#include <stdbool.h>
#include <string.h>

/* What is expected next, without recursion: an array or object is open for each character of `open`. */
enum { JSON_DEPTH = 64 };

static inline const char *json_skip(const char *at) {
  return at + strspn(at, " \t\r\n");
}

/* Behind a string, or NULL. */
static inline const char *json_string(const char *at) {
  if (*at++ != '"') return NULL;
  for (; *at != '"'; at++) {
    if ((unsigned char)*at < 0x20) return NULL;
    if (*at != '\\') continue;
    at++;
    if (*at == 'u' && strspn(at + 1, "0123456789abcdefABCDEF") >= 4)
      at += 4;
    else if (!*at || !strchr("\"\\/bfnrt", *at))
      return NULL;
  }
  return at + 1;
}

/* Behind a number, or NULL. */
static inline const char *json_number(const char *at) {
  static const char digits[] = "0123456789";
  at += *at == '-';
  size_t whole = strspn(at, digits);
  if (!whole || (*at == '0' && whole > 1)) return NULL;
  at += whole;
  if (*at == '.') {
    size_t part = strspn(++at, digits);
    if (!part) return NULL;
    at += part;
  }
  if (*at != 'e' && *at != 'E') return at;
  at++;
  at += *at == '+' || *at == '-';
  size_t power = strspn(at, digits);
  return power ? at + power : NULL;
}

/* Behind a value that has no parts, or NULL. */
static inline const char *json_plain(const char *at) {
  static const char *const words[] = {"true", "false", "null"};
  if (*at == '"') return json_string(at);
  for (size_t k = 0; k < 3; k++)
    if (strncmp(at, words[k], strlen(words[k])) == 0) return at + strlen(words[k]);
  return json_number(at);
}

/* Behind the name of a member and its colon, or NULL. */
static inline const char *json_name(const char *at) {
  at = json_string(json_skip(at));
  if (!at) return NULL;
  at = json_skip(at);
  return *at == ':' ? at + 1 : NULL;
}

/* Closes what ends here; NULL if it is not what is open. */
static inline const char *json_close(const char *at, const char *open, size_t *depth) {
  for (at = json_skip(at); *depth && (*at == ']' || *at == '}'); at = json_skip(at + 1), --*depth)
    if (*at != (open[*depth - 1] == '[' ? ']' : '}')) return NULL;
  return at;
}

static inline bool json_is(const char *at) {
  char open[JSON_DEPTH];
  size_t depth = 0;
  for (;;) {
    at = json_skip(at);
    if (*at == '[' || *at == '{') {
      if (depth == JSON_DEPTH) return false;
      open[depth++] = *at;
      const char *next = json_skip(at + 1);
      bool empty = *next == ']' || *next == '}';
      at = empty ? json_close(next, open, &depth) : *at == '{' ? json_name(next) : next;
      if (!at) return false;
      if (!empty) continue;
    } else if (!(at = json_plain(at)) || !(at = json_close(at, open, &depth)))
      return false;
    if (!depth) return !*json_skip(at);
    if (*at++ != ',' || (open[depth - 1] == '{' && !(at = json_name(at)))) return false;
  }
}

#endif
