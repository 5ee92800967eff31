/*
 * No half words: who looks at an aligned word of 2, 4 or 8 bytes while another PE changes it finds
 * the old value or the new one, whatever way the new one came. All bytes of every value are equal.
 * With WEFT_COALESCE=0 puts to another node are the provider's (docs/architecture.md), and only
 * atomics and signals are held to it; large puts over rxm are the provider's, too. test: spmd
 */
#include <shmem.h>
#include <stdbool.h>
#include <stdint.h>

#include "check.h"

enum { ROUNDS = 100, SOME = 17, MANY = 2048 /* elements */, LOOKS = 50 };

/* Where the values arrive; the arrays lie across cache lines. */
#define TARGET(T, N)                                                                               \
  static struct {                                                                                  \
    _Alignas(64) T one, single;                                                                    \
    T several[SOME], later[SOME], strided[2 * SOME], signalled[SOME];                              \
    uint64_t signal;                                                                               \
  } at##N;
TARGET(uint16_t, 16)
TARGET(uint32_t, 32)
TARGET(uint64_t, 64)
static uint64_t many[MANY + 8];
static uint32_t atomic32;
static uint64_t atomic64, done;

static const uint64_t ones = 0x0101010101010101;
static size_t one = 1; /* the compiler must not know it */

/* Every way by which a value travels; element i of round k has the bytes k + i. */
#define SEND(T, N)                                                                                 \
  static void send##N(int k, int pe) {                                                             \
    T v[SOME];                                                                                     \
    for (int i = 0; i < SOME; i++) v[i] = (T)((uint8_t)(k + i) * ones);                            \
    shmem_uint##N##_p(&at##N.one, v[0], pe);                                                       \
    shmem_put##N(&at##N.single, v, one, pe);                                                       \
    shmem_put##N(at##N.several, v, SOME, pe);                                                      \
    shmem_put##N##_nbi(at##N.later, v, SOME, pe);                                                  \
    shmem_iput##N(at##N.strided, v, 2, 1, SOME, pe);                                               \
    shmem_put##N##_signal(at##N.signalled, v, SOME, &at##N.signal, (uint8_t)k *ones,               \
                          SHMEM_SIGNAL_SET, pe);                                                   \
    shmem_quiet();                                                                                 \
  }
SEND(uint16_t, 16)
SEND(uint32_t, 32)
SEND(uint64_t, 64)

/* From all words of a cache line to all. */
static void send_many(int k, int pe) {
  static uint64_t v[MANY + 8];
  for (int i = 0; i < MANY + 8; i++) v[i] = (uint8_t)(k + i) * ones;
  shmem_put64(many + k % 8, v + k / 8 % 8, MANY, pe);
}

static void send_all(int pe) {
  for (int k = 1; k <= ROUNDS; k++) {
    send16(k, pe);
    send32(k, pe);
    send64(k, pe);
    send_many(k, pe);
    shmem_uint32_atomic_set(&atomic32, (uint32_t)((uint8_t)k * ones), pe);
    shmem_uint64_atomic_set(&atomic64, (uint8_t)k * ones, pe);
  }
  shmem_quiet();
  shmem_uint64_p(&done, 1, pe);
}

/* ---- looking at them ------------------------------------------------------------------------- */

static uint64_t load(const void *words, size_t i, size_t width) {
  switch (width) {
  case 2: return __atomic_load_n((const uint16_t *)words + i, __ATOMIC_RELAXED);
  case 4: return __atomic_load_n((const uint32_t *)words + i, __ATOMIC_RELAXED);
  default: return __atomic_load_n((const uint64_t *)words + i, __ATOMIC_RELAXED);
  }
}

/* How many of n words have bytes of two values. */
static long halves(const void *words, size_t n, size_t width) {
  long found = 0;
  for (size_t i = 0; i < n; i++) {
    const uint64_t v = load(words, i, width);
    found += v != (v & 0xff) * (ones >> (64 - 8 * width));
  }
  return found;
}

/* Does a put of many words travel in packets, or not at all? */
static bool many_are_whole(void) {
  return !getenv("WEFT_PROVIDER") || shmem_ptr(&done, 0);
}

/* Of the puts. */
static long look_at_puts(void) {
  return halves(&at16, offsetof(__typeof__(at16), signal) / 2, 2) +
         halves(&at32, offsetof(__typeof__(at32), signal) / 4, 4) +
         halves(&at64, offsetof(__typeof__(at64), signal) / 8, 8) +
         (many_are_whole() ? halves(many, MANY + 8, 8) : 0);
}

/* Of what is whole with every provider and option. */
static long look_at_atomics(void) {
  return halves(&at16.signal, 1, 8) + halves(&at32.signal, 1, 8) + halves(&at64.signal, 1, 8) +
         halves(&atomic32, 1, 4) + halves(&atomic64, 1, 8);
}

static void look(void) {
  const char *coalesce = getenv("WEFT_COALESCE");
  const int gathered = !coalesce || strcmp(coalesce, "0") != 0;
  long of_puts = 0;
  while (!shmem_uint64_test(&done, SHMEM_CMP_EQ, 1))
    for (int i = 0; i < LOOKS; i++) {
      of_puts += look_at_puts();
      CHECK_EQ(look_at_atomics(), 0);
      if (gathered) CHECK_EQ(of_puts, 0);
    }
  if (of_puts) printf("%ld half words, the provider's\n", of_puts);
  CHECK_EQ(look_at_puts(), 0);
  CHECK_EQ(at16.one, (uint16_t)((uint8_t)ROUNDS * ones));
  CHECK_EQ(at64.signalled[SOME - 1], (uint8_t)(ROUNDS + SOME - 1) * ones);
  CHECK_EQ(atomic64, (uint8_t)ROUNDS * ones);
}

/* ---- and who gets one that its owner changes ------------------------------------------------- */

enum { GETS = 20000 };

static void change(void) {
  while (!shmem_uint64_test(&done, SHMEM_CMP_EQ, 2))
    for (int i = 0; i < 1000; i++) {
      const uint64_t v = (i & 1 ? 0xff : 0) * ones;
      __atomic_store_n(&at16.one, (uint16_t)v, __ATOMIC_RELAXED);
      __atomic_store_n(&at32.one, (uint32_t)v, __ATOMIC_RELAXED);
      __atomic_store_n(&at64.one, v, __ATOMIC_RELAXED);
    }
}

/* From another node, over TCP, a blocking get comes in packets, too; other providers read, and what
 * is strided may be read. */
static void get(int pe) {
  const char *coalesce = getenv("WEFT_COALESCE"), *provider = getenv("WEFT_PROVIDER");
  const bool here = shmem_ptr(&done, pe), packets = !provider && !(coalesce && *coalesce == '0');
  static uint16_t short_word;
  static uint32_t word;
  static uint64_t long_word;
  long found = 0, others = 0;
  for (int i = 0; i < GETS / (here ? 1 : 100); i++) {
    shmem_getmem(&short_word, &at16.one, 2 * one, pe);
    shmem_getmem_nbi(&word, &at32.one, 4 * one, pe);
    shmem_get64(&long_word, &at64.one, one, pe);
    shmem_quiet();
    found += halves(&short_word, 1, 2) + halves(&word, 1, 4) + halves(&long_word, 1, 8);
    shmem_get16_nbi(&short_word, &at16.one, one, pe);
    shmem_iget32(&word, &at32.one, 2, 2, one, pe);
    shmem_quiet();
    others += halves(&short_word, 1, 2) + halves(&word, 1, 4);
    shmem_iget16(&short_word, &at16.one, 2, 2, one, pe);
    others += halves(&short_word, 1, 2);
  }
  if (here || packets) CHECK_EQ(found, 0);
  if (here) CHECK_EQ(others, 0);
  shmem_uint64_p(&done, 2, pe);
}

int main(void) {
  const uint64_t torn = 0x0707070708080808;
  CHECK_EQ(halves(&torn, 1, 8), 1); /* a half word is found, */
  CHECK_EQ(halves(&torn, 2, 4), 0); /* and two whole ones are none */
  shmem_init();
  if (shmem_my_pe() == 0)
    send_all(1);
  else
    look();
  shmem_barrier_all();
  if (shmem_my_pe() == 0)
    change();
  else
    get(0);
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
