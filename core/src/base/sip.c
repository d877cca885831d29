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

/* Little-endian, whatever the machine is. */
static inline uint64_t word_at(const char *text, size_t bytes) {
  uint64_t word = 0;
  for (size_t k = 0; k < bytes; k++) word |= (uint64_t)(unsigned char)text[k] << 8 * k;
  return word;
}

uint64_t asci_sip(asci_key key, const char *text, size_t length) {
  const uint64_t first = key.words[0], second = key.words[1];
  sip s = {UINT64_C(0x736f6d6570736575) ^ first, UINT64_C(0x646f72616e646f6d) ^ second, UINT64_C(0x6c7967656e657261) ^ first,
           UINT64_C(0x7465646279746573) ^ second};
  size_t whole = length & ~(size_t)7;
  for (size_t at = 0; at < whole; at += 8) absorb(&s, word_at(text + at, 8));
  absorb(&s, word_at(text + whole, length - whole) | (uint64_t)length << 56);
  s.c ^= 0xff;
  for (int k = 0; k < 3; k++) turn(&s);
  return s.a ^ s.b ^ s.c ^ s.d;
}
