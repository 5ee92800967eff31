/*
 * A strict write is stored once, also where puts are the provider's (WEFT_COALESCE=0): the thread
 * that has seen it may write to the same place, and that write stays. So is the post of a boolean
 * semaphore, which counts once. A C library may copy a word by two stores; here its memcpy does,
 * with time in between.
 */
#include <time.h>

#include "runtime.h"

#include "check.h"
#include "weft/sanitizers.h"

enum { ROUNDS = 40, PAUSE = 20000 /* ns */, BOOLEAN = 1 /* bupc_extensions.h is upcc's */ };

pts bupc_sem_alloc(int flags);
void bupc_sem_post(pts sem);
void bupc_sem_wait(pts sem);
int bupc_sem_try(pts sem);

/* A sanitizer has a memcpy of its own. */
#if !WEFT_ASAN && !WEFT_TSAN
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

/* The same by a structure, and the answer in its last word. (Where the structure is of 12 or 24
 * bytes memcpy makes no pause: that they arrive is what is asked then.) */
#define STRUCT_TURNS(S, T)                                                                         \
  static void turns_##S(void) {                                                                    \
    static S all;                                                                                  \
    const pts p = at_thread(weft_upc_at(&all, 0, 0), N - 1);                                       \
    const pts last = p + sizeof(S) - sizeof(T);                                                    \
    for (T k = 1; k <= ROUNDS; k++) {                                                              \
      if (ME == 0) {                                                                               \
        S v;                                                                                       \
        for (size_t i = 0; i < sizeof v / sizeof *v.word; i++) v.word[i] = k;                      \
        WEFT_UPC_WRITE_STRICT(S, p, v);                                                            \
        while (WEFT_UPC_GET_STRICT(T, last) != -k) weft_upc_spin();                                \
      } else {                                                                                     \
        while (WEFT_UPC_GET_STRICT(T, last) != k) weft_upc_spin();                                 \
        CHECK_EQ(WEFT_UPC_GET_STRICT(T, p), k);                                                    \
        WEFT_UPC_PUT_STRICT(T, last, -k);                                                          \
        const int64_t end = now() + 10 * PAUSE;                                                    \
        while (now() < end) CHECK(WEFT_UPC_GET_STRICT(T, last) != k);                              \
      }                                                                                            \
    }                                                                                              \
  }
typedef struct {
  long word[1];
} one_t;
typedef struct {
  long word[3];
} longs_t;
typedef struct {
  int word[3];
} ints_t;
STRUCT_TURNS(one_t, long)
STRUCT_TURNS(longs_t, long)
STRUCT_TURNS(ints_t, int)

/* Nothing is left to be had after each wait. */
static void posts(void) {
  static pts sem[2]; /* of the last thread, and of thread 0 */
  const pts mine = bupc_sem_alloc(BOOLEAN);
  for (int k = 0; k < N; k++) {
    const pts p = at_thread(weft_upc_at(sem, 0, 0), k);
    if (ME == N - 1) WEFT_UPC_PUT(pts, p, mine);
    if (ME == 0) WEFT_UPC_PUT(pts, p + sizeof(pts), mine);
  }
  BARRIER();
  for (int k = 0; k < ROUNDS; k++) {
    if (ME == 0) {
      bupc_sem_post(sem[0]);
      bupc_sem_wait(mine);
    } else if (ME == N - 1) {
      bupc_sem_wait(mine);
      const int64_t end = now() + 10 * PAUSE;
      while (now() < end) CHECK_EQ(bupc_sem_try(mine), 0);
      bupc_sem_post(sem[1]);
    }
  }
  BARRIER();
}

int main(int argc, char **argv) {
  weft_upc_start(&argc, &argv);
  if (ME == 0 || ME == N - 1) {
    turns_char();
    turns_short();
    turns_int();
    turns_long();
    turns_one_t();
    turns_longs_t();
    turns_ints_t();
  }
  posts();
  weft_upc_end(0);
}
