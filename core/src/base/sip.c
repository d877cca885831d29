#include "base/sip.h"

typedef struct sip {
  uint64_t a, b, c, d;
} sip;

static inline uint64_t rotated(uint64_t word, unsigned by) {
  return word << by | word >> (64 - by);
}

static inline void turn(sip *s) {
  s->a += s->b;
  s->b = rotated(s->b, 13) ^ s->a;
  s->a = rotated(s->a, 32);
  s->c += s->d;
  s->d = rotated(s->d, 16) ^ s->c;
  s->a += s->d;
  s->d = rotated(s->d, 21) ^ s->a;
  s->c += s->b;
  s->b = rotated(s->b, 17) ^ s->c;
  s->c = rotated(s->c, 32);
}

static inline void absorb(sip *s, uint64_t word) {
  s->d ^= word;
  turn(s);
  s->a ^= word;
}

/* Little-endian, whatever the machine is: where it is so too, compilers make one load of it. */
static inline uint64_t four(const char *text) {
  const unsigned char *at = (const unsigned char *)text;
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t eight(const char *text) {
  return four(text) | four(text + 4) << 32;
}

/* Fewer than eight bytes without a loop over them: those from the front and those from the back, which meet in the middle. */
static inline uint64_t rest_of(const char *text, size_t bytes) {
  if (bytes >= 4) return four(text) | four(text + bytes - 4) << 8 * (bytes - 4);
  if (!bytes) return 0;
  const unsigned char *at = (const unsigned char *)text;
  size_t middle = bytes / 2, last = bytes - 1;
  return (uint64_t)at[0] | (uint64_t)at[middle] << 8 * middle | (uint64_t)at[last] << 8 * last;
}

uint64_t asci_sip(asci_key key, const char *text, size_t length) {
  const uint64_t first = key.words[0], second = key.words[1];
  sip s = {UINT64_C(0x736f6d6570736575) ^ first, UINT64_C(0x646f72616e646f6d) ^ second, UINT64_C(0x6c7967656e657261) ^ first,
           UINT64_C(0x7465646279746573) ^ second};
  size_t whole = length & ~(size_t)7;
  for (size_t at = 0; at < whole; at += 8) absorb(&s, eight(text + at));
  absorb(&s, rest_of(text + whole, length - whole) | (uint64_t)length << 56);
  s.c ^= 0xff;
  for (int k = 0; k < 3; k++) turn(&s);
  return s.a ^ s.b ^ s.c ^ s.d;
}
