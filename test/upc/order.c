/*
 * A thread sees its own relaxed accesses to a place in order, whichever way they go (trap 12), and
 * strict accesses have one total order (traps 15, 16): litmus tests between threads of the node and
 * of others. Many rounds: a wrong order is rare.
 */
#include "runtime.h"

#include "check.h"

enum { ROUNDS = 300, BYTES = 6000 };
static char place[BYTES];
static long words[4];
static long flag[2], seen[2], go;

/* Puts of 1 to 8 bytes, of some and of many bytes, a memset, an atomic: a get after each sees it.
 */
static void own_order(int to) {
  char out[BYTES], in[BYTES];
  const pts p = at_thread(weft_upc_at(place, 0, 0), to);
  const pts domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD, 0);
  const pts base = p + (pts)(ME * 1024);
  for (int i = 0; i < ROUNDS; i++) {
    const int value = i * 7 + ME;
    const size_t n = i % 3 ? 8 + (size_t)(i % 100) : 1000;
    memset(out, value, sizeof out);
    upc_memput(base, out, n);
    WEFT_UPC_PUT(char, base + 3, (char)(value + 1));
    upc_memget(in, base, n);
    CHECK_EQ(in[0], (char)value);
    CHECK_EQ(in[3], (char)(value + 1));
    CHECK_EQ(in[n - 1], (char)value);
    WEFT_UPC_PUT(long, base, value);
    CHECK_EQ(WEFT_UPC_GET(long, base), value);
    WEFT_UPC_PUT(long, base, value);
    upc_memput(base, out, n);
    CHECK_EQ(WEFT_UPC_GET(char, base + 1), (char)value);
    upc_memset(base, value + 2, n);
    CHECK_EQ(WEFT_UPC_GET(char, base + n - 1), (char)(value + 2));
    const long one = 1;
    WEFT_UPC_PUT(long, base, value);
    upc_atomic_relaxed(domain, NULL, UPC_ADD, base, &one, NULL);
    CHECK_EQ(WEFT_UPC_GET(long, base), value + 1);
    upc_atomic_relaxed(domain, NULL, UPC_ADD, base, &one, NULL);
    WEFT_UPC_PUT(int, base, i);
    CHECK_EQ(WEFT_UPC_GET(int, base), i);
  }
  upc_all_atomicdomain_free(domain);
}

/* Lists of one place and of two per thread, as loops over x[index[i]] read them. */
static void list_after_put(int to) {
  const pts p = at_thread(weft_upc_at(place, 0, 0), to) + (pts)(ME * 1024);
  for (long i = 0; i < ROUNDS; i++) {
    weft_upc_u64 places[2] = {p + 8 * (pts)(i % 9), p + 80};
    long buffer[2];
    for (pts k = 0; k < 9; k++) WEFT_UPC_PUT(long, p + 8 * k, i + (long)k);
    if (i % 2) WEFT_UPC_PUT(long, p + 80, i);
    weft_upc_far_gather(places, 1 + (weft_upc_size)(i % 2), sizeof *buffer, buffer);
    CHECK_EQ(*(long *)places[0], i + i % 9);
    CHECK(i % 2 == 0 || *(long *)places[1] == i);
  }
}

/* A large put, then small ones into it: the small ones win. */
static void large_then_small(int to) {
  static char large[BYTES];
  const pts p = at_thread(weft_upc_at(place, 0, 0), to);
  if (ME != 0) return;
  for (int i = 0; i < 30; i++) {
    memset(large, 'l', sizeof large);
    upc_memput(p, large, BYTES);
    for (int k = 0; k < BYTES; k += 500) WEFT_UPC_PUT(char, p + (pts)k, 's');
    for (int k = 0; k < BYTES; k += 500) CHECK_EQ(WEFT_UPC_GET(char, p + (pts)k), 's');
    upc_memput(p, large, BYTES);
    CHECK_EQ(WEFT_UPC_GET(char, p + 500), 'l');
  }
}

/* x = 1; r = y  against  y = 1; r = x: both zero never, with x and y on different threads. */
static void store_load(void) {
  const int last = N - 1, me = ME == 0 ? 0 : ME == last ? 1 : -1;
  const pts x = at_thread(weft_upc_at(&flag[0], 0, 0), last);
  const pts y = at_thread(weft_upc_at(&flag[1], 0, 0), 0);
  for (int i = 0; i < ROUNDS; i++) {
    if (ME == 0) {
      WEFT_UPC_PUT_STRICT(long, x, 0);
      WEFT_UPC_PUT_STRICT(long, y, 0);
    }
    BARRIER();
    if (me == 0) {
      WEFT_UPC_PUT_STRICT(long, x, 1);
      WEFT_UPC_PUT_COPY(long, &seen[0], 0, WEFT_UPC_GET_STRICT(long, y));
    } else if (me == 1) {
      WEFT_UPC_PUT_STRICT(long, y, 1);
      WEFT_UPC_PUT_COPY(long, &seen[1], 0, WEFT_UPC_GET_STRICT(long, x));
    }
    BARRIER();
    if (ME == 0 && N > 1) CHECK(seen[0] + seen[1] > 0);
    BARRIER();
  }
}

/* Relaxed data, then a strict flag: who sees the flag sees the data, wherever both are. */
static void message(void) {
  const int last = N - 1;
  if (N == 1) return;
  const pts data = at_thread(weft_upc_at(words, 0, 0), N / 2);
  const pts flags = at_thread(weft_upc_at(&go, 0, 0), last);
  for (long i = 1; i < ROUNDS; i++) {
    if (ME == 0) {
      for (int k = 0; k < 4; k++) WEFT_UPC_PUT(long, data + (pts)k * 8, i * 10 + k);
      WEFT_UPC_PUT_STRICT(long, flags, i);

      while (WEFT_UPC_GET_STRICT(long, flags) != -i) weft_upc_spin();
    } else if (ME == last) {

      while (WEFT_UPC_GET_STRICT(long, flags) != i) weft_upc_spin();
      for (int k = 0; k < 4; k++) CHECK_EQ(WEFT_UPC_GET(long, data + (pts)k * 8), i * 10 + k);
      WEFT_UPC_PUT_STRICT(long, flags, -i);
    }
  }
}

/* A loop that spins on a relaxed flag ends (trap 14). */
static void relaxed_spin(void) {
  const pts p = weft_upc_at(&go, 0, 0);
  if (ME == 0) WEFT_UPC_PUT_STRICT(long, p, 0);
  BARRIER();
  if (ME == N - 1) WEFT_UPC_PUT(long, p, 1), upc_memset(weft_upc_at(&words[1], 0, 0), 0, 8);
  if (ME == 0) {

    while (!WEFT_UPC_GET(long, p)) weft_upc_spin();
  } else if (ME == N - 1) {
    for (; !WEFT_UPC_GET(long, p);) weft_upc_spin();
  }
  BARRIER();
}

int main(int argc, char **argv) {
  weft_upc_start(&argc, &argv);
  own_order((ME + 1) % N);
  BARRIER();
  list_after_put((ME + 1) % N);
  BARRIER();
  large_then_small(N - 1);
  BARRIER();
  store_load();
  message();
  BARRIER();
  relaxed_spin();
  weft_upc_end(0);
}
