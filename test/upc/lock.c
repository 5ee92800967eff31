/* Locks: mutual exclusion, attempts, many at a time, freed while held, by another thread (trap 33).
 */
#include "runtime.h"

#include "check.h"

static long counter, pair[2];
static unsigned long handle;

static void exclusion(void) {
  enum { TIMES = 100 };
  const pts lock = upc_all_lock_alloc(), other = upc_all_lock_alloc();
  const pts a = at_thread(weft_upc_at(&pair[0], 0, 0), N - 1);
  const pts b = weft_upc_at(&pair[1], 0, 0);
  CHECK(lock && other && lock != other);
  for (int i = 0; i < TIMES; i++) {
    upc_lock(lock);
    const long was = WEFT_UPC_GET(long, a);
    CHECK_EQ(WEFT_UPC_GET(long, b), was); /* the last holder's writes are here */
    WEFT_UPC_PUT(long, a, was + 1);
    WEFT_UPC_PUT(long, b, was + 1);
    upc_unlock(lock);

    while (!upc_lock_attempt(other)) weft_upc_spin();
    WEFT_UPC_PUT_COPY(long, &counter, 0, WEFT_UPC_GET_COPY(long, &counter, 0) + 1);
    upc_unlock(other);
  }
  BARRIER();
  CHECK_EQ(WEFT_UPC_GET(long, a), (long)N * TIMES);
  CHECK_EQ(WEFT_UPC_GET_COPY(long, &counter, 0), (long)N * TIMES);
  upc_all_lock_free(lock);
  if (ME == N - 1) upc_lock_free(other);
}

static void many(void) {
  enum { MANY = 50 };
  pts locks[MANY];
  for (int i = 0; i < MANY; i++) CHECK((locks[i] = upc_global_lock_alloc()) != 0);
  for (int i = 0; i < MANY; i++) upc_lock(locks[i]);
  for (int i = 0; i < MANY; i += 2) upc_unlock(locks[i]);
  for (int i = 0; i < MANY; i++) upc_lock_free(locks[i]); /* half of them are held */
}

/* What one thread holds another cannot take, and may free. */
static void held(void) {
  if (ME == 0) {
    const pts lock = upc_global_lock_alloc();
    upc_lock(lock);
    WEFT_UPC_PUT_COPY(unsigned long, &handle, 0, lock);
  }
  BARRIER();
  const pts lock = WEFT_UPC_GET_COPY(unsigned long, &handle, 0);
  if (ME != 0) CHECK_EQ(upc_lock_attempt(lock), 0);
  BARRIER();
  if (ME == N - 1) upc_lock_free(lock);
  BARRIER();
  upc_lock_free(0);
  upc_all_lock_free(0);
}

int main(int argc, char **argv) {
  weft_upc_start(&argc, &argv);
  exclusion();
  many();
  held();
  weft_upc_end(0);
}
