/*
 * A strict write is stored once, also where puts are the provider's (WEFT_COALESCE=0): the thread
 * that has seen it may write to the same place, and that write stays. A C library may copy a word
 * by two stores; here its memcpy does, with time in between.
 */
#include <sched.h>
#include <time.h>

#include "runtime.h"

#include "check.h"

enum { ROUNDS = 40, PAUSE = 20000 /* ns */ };

/* A sanitizer has a memcpy of its own. */
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
static void copy(volatile char *to, const char *from, size_t n) {
  while (n-- > 0) *to++ = *from++;
}

__attribute__((visibility("default"))) void *memcpy(void *restrict to, const void *restrict from,
                                                    size_t n) {
  const struct timespec pause = {0, PAUSE};
  copy(to, from, n);
  if (n == 0 || n > 8) return to;
  nanosleep(&pause, NULL);
  copy(to, from, n);
  return to;
}
#endif

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * (int64_t)1000000000 + t.tv_nsec;
}

/* Thread 0 writes k to a word of the last one, which answers in the same word and looks at it for
 * longer than the pause. */
#define TURNS(T)                                                                                   \
  static void turns_##T(void) {                                                                    \
    static T word;                                                                                 \
    const pts p = at_thread(weft_upc_at(&word, 0, 0), N - 1);                                      \
    for (T k = 1; k <= ROUNDS; k++) {                                                              \
      const T answer = (T)-k;                                                                      \
      if (ME == 0) {                                                                               \
        WEFT_UPC_PUT_STRICT(T, p, k);                                                              \
        while (WEFT_UPC_GET_STRICT(T, p) != answer) weft_upc_spin();                               \
      } else {                                                                                     \
        while (WEFT_UPC_GET_STRICT(T, p) != k) weft_upc_spin();                                    \
        WEFT_UPC_PUT_STRICT(T, p, answer);                                                         \
        const int64_t end = now() + 10 * PAUSE;                                                    \
        while (now() < end) CHECK(WEFT_UPC_GET_STRICT(T, p) != k);                                 \
      }                                                                                            \
    }                                                                                              \
  }
TURNS(char)
TURNS(short)
TURNS(int)
TURNS(long)

int main(int argc, char **argv) {
  weft_upc_start(&argc, &argv);
  if (ME == 0 || ME == N - 1) {
    turns_char();
    turns_short();
    turns_int();
    turns_long();
  }
  BARRIER();
  weft_upc_end(0);
}
