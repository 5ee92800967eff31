/*
 * A board that all PEs of this machine see and that is not Weft's: a temporary file, mapped. PE 0
 * makes it and tells its name; it has no name any more when board_open returns.
 */
#ifndef WEFT_TEST_BOARD_H
#define WEFT_TEST_BOARD_H

#include <fcntl.h>
#include <sched.h>
#include <shmem.h>
#include <sys/mman.h>

#include "check.h"

typedef struct board {
  _Alignas(64) long flag;
  _Alignas(64) long answer;
  _Alignas(64) long many[64];
} board_t;

static inline board_t *board_open(void) {
  static char name[64]; /* symmetric */
  int me = shmem_my_pe(), fd = -1;
  if (me == 0) {
    strcpy(name, "/tmp/weft-board-XXXXXX");
    CHECK((fd = mkstemp(name)) >= 0);
    CHECK_EQ(ftruncate(fd, sizeof(board_t)), 0);
    for (int pe = 1; pe < shmem_n_pes(); pe++) shmem_putmem(name, name, sizeof name, pe);
  }
  shmem_barrier_all();
  if (me != 0) fd = open(name, O_RDWR);
  CHECK(fd >= 0);
  void *board = mmap(NULL, sizeof(board_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  CHECK(board != MAP_FAILED);
  close(fd);
  shmem_barrier_all();
  if (me == 0) unlink(name);
  return board;
}

/* Neither of these calls Weft, so the PE makes no progress for anybody. */
static inline void board_raise(long *flag, long value) {
  __atomic_store_n(flag, value, __ATOMIC_RELEASE);
}
static inline void board_wait(long *flag, long value) {
  while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) < value) sched_yield();
}

/* A plain load of one's own memory, which somebody else writes: seen whole, and not before what was
 * loaded earlier. */
static inline long plain(const long *object) {
  return __atomic_load_n(object, __ATOMIC_ACQUIRE);
}

#endif
