/*
 * lock.c: gasnet_tools, reader/writer locks, and what a lock does when something is wrong.
 * Knows the C library only.
 */
#include "gasnet/tools/tools.h"

#include <string.h>

void weft_gasnett_check(int error, const char *what) {
  gasnett_fatalerror_nopos("%s: %s", what, strerror(error));
}

_Static_assert(sizeof(pthread_rwlock_t) <= sizeof(gasnett_rwlock_t), "room for the system's lock");

static pthread_rwlock_t *lock_of(gasnett_rwlock_t *p) {
  return (pthread_rwlock_t *)(void *)p;
}

int weft_gasnett_rw_init(gasnett_rwlock_t *p) {
  return pthread_rwlock_init(lock_of(p), NULL);
}
int weft_gasnett_rw_destroy(gasnett_rwlock_t *p) {
  return pthread_rwlock_destroy(lock_of(p));
}
/* The system's limit of readers is no error: a thread that meets it waits. */
int weft_gasnett_rw_read(gasnett_rwlock_t *p) {
  int error;
  while ((error = pthread_rwlock_rdlock(lock_of(p))) == EAGAIN) gasnett_sched_yield();
  return error;
}
int weft_gasnett_rw_write(gasnett_rwlock_t *p) {
  return pthread_rwlock_wrlock(lock_of(p));
}
int weft_gasnett_rw_try_read(gasnett_rwlock_t *p) {
  return pthread_rwlock_tryrdlock(lock_of(p));
}
int weft_gasnett_rw_try_write(gasnett_rwlock_t *p) {
  return pthread_rwlock_trywrlock(lock_of(p));
}
int weft_gasnett_rw_unlock(gasnett_rwlock_t *p) {
  return pthread_rwlock_unlock(lock_of(p));
}
