/*
 * gasnet_tools.h, mutexes, condition variables, reader/writer locks and thread-specific pointers:
 * POSIX threads under GASNet's names. In a program of one thread they cost nothing, unless
 * GASNETT_USE_TRUE_MUTEXES asks for real ones. A lock taken twice by its thread, or released by
 * another, is a mistake that nobody looks for here (Weft has no debug build).
 */
#ifndef WEFT_GASNETT_LOCK_H
#define WEFT_GASNETT_LOCK_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <weft/gasnett_annotate.h>
#include <weft/gasnett_mode.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

#if WEFT_GASNETT_THREADS || (defined(GASNETT_USE_TRUE_MUTEXES) && GASNETT_USE_TRUE_MUTEXES)
#define WEFT_GASNETT_LOCKS 1
#else
#define WEFT_GASNETT_LOCKS 0
#endif

typedef struct {
  pthread_mutex_t mutex;
} gasnett_mutex_t;
typedef struct {
  pthread_cond_t cond;
} gasnett_cond_t;
/* A pthread_rwlock_t, which strict C modes hide. All zero is its initial state. */
typedef struct {
  uint64_t opaque[8];
} gasnett_rwlock_t;
#define GASNETT_MUTEX_INITIALIZER                                                                  \
  { PTHREAD_MUTEX_INITIALIZER }
#define GASNETT_COND_INITIALIZER                                                                   \
  { PTHREAD_COND_INITIALIZER }
#define GASNETT_RWLOCK_INITIALIZER                                                                 \
  {                                                                                                \
    { 0 }                                                                                          \
  }

/* A failure of one of these is a mistake of the program: a line, and the end of the job. */
void weft_gasnett_check(int error, const char *what);

/* verb: what follows gasnett_; call: the expression, evaluated only with real locks. */
#define WEFT_GASNETT_LOCK_VOID(verb, type, call)                                                   \
  WEFT_GASNETT_INLINE void gasnett_##verb(type *p) {                                               \
    (void)p;                                                                                       \
    if (WEFT_GASNETT_LOCKS) {                                                                      \
      int error = call;                                                                            \
      if (__builtin_expect(error, 0)) weft_gasnett_check(error, "gasnett_" #verb);                 \
    }                                                                                              \
  }
#define WEFT_GASNETT_LOCK_INT(verb, type, call)                                                    \
  WEFT_GASNETT_INLINE int gasnett_##verb(type *p) {                                                \
    (void)p;                                                                                       \
    return WEFT_GASNETT_LOCKS ? call : 0;                                                          \
  }
#define WEFT_GASNETT_LOCK_NOTHING(verb, type)                                                      \
  WEFT_GASNETT_INLINE void gasnett_##verb(type *p) {                                               \
    (void)p;                                                                                       \
  }

WEFT_GASNETT_LOCK_VOID(mutex_init, gasnett_mutex_t, pthread_mutex_init(&p->mutex, NULL))
WEFT_GASNETT_LOCK_VOID(mutex_destroy, gasnett_mutex_t, pthread_mutex_destroy(&p->mutex))
WEFT_GASNETT_LOCK_INT(mutex_destroy_ignoreerr, gasnett_mutex_t, pthread_mutex_destroy(&p->mutex))
WEFT_GASNETT_LOCK_VOID(mutex_lock, gasnett_mutex_t, pthread_mutex_lock(&p->mutex))
WEFT_GASNETT_LOCK_VOID(mutex_unlock, gasnett_mutex_t, pthread_mutex_unlock(&p->mutex))
WEFT_GASNETT_LOCK_INT(mutex_trylock, gasnett_mutex_t, pthread_mutex_trylock(&p->mutex))
WEFT_GASNETT_LOCK_NOTHING(mutex_assertlocked, gasnett_mutex_t)
WEFT_GASNETT_LOCK_NOTHING(mutex_assertunlocked, gasnett_mutex_t)

WEFT_GASNETT_LOCK_VOID(cond_init, gasnett_cond_t, pthread_cond_init(&p->cond, NULL))
WEFT_GASNETT_LOCK_VOID(cond_destroy, gasnett_cond_t, pthread_cond_destroy(&p->cond))
WEFT_GASNETT_LOCK_VOID(cond_signal, gasnett_cond_t, pthread_cond_signal(&p->cond))
WEFT_GASNETT_LOCK_VOID(cond_broadcast, gasnett_cond_t, pthread_cond_broadcast(&p->cond))
/* One thread that waits for itself waits for ever: said instead. */
WEFT_GASNETT_INLINE void gasnett_cond_wait(gasnett_cond_t *pc, gasnett_mutex_t *pl) {
  int error = WEFT_GASNETT_LOCKS ? pthread_cond_wait(&pc->cond, &pl->mutex) : 35 /* EDEADLK */;
  if (__builtin_expect(error, 0)) weft_gasnett_check(error, "gasnett_cond_wait");
}

int weft_gasnett_rw_init(gasnett_rwlock_t *p);
int weft_gasnett_rw_destroy(gasnett_rwlock_t *p);
int weft_gasnett_rw_read(gasnett_rwlock_t *p);
int weft_gasnett_rw_write(gasnett_rwlock_t *p);
int weft_gasnett_rw_try_read(gasnett_rwlock_t *p);
int weft_gasnett_rw_try_write(gasnett_rwlock_t *p);
int weft_gasnett_rw_unlock(gasnett_rwlock_t *p);
WEFT_GASNETT_LOCK_VOID(rwlock_init, gasnett_rwlock_t, weft_gasnett_rw_init(p))
WEFT_GASNETT_LOCK_VOID(rwlock_destroy, gasnett_rwlock_t, weft_gasnett_rw_destroy(p))
WEFT_GASNETT_LOCK_VOID(rwlock_rdlock, gasnett_rwlock_t, weft_gasnett_rw_read(p))
WEFT_GASNETT_LOCK_VOID(rwlock_wrlock, gasnett_rwlock_t, weft_gasnett_rw_write(p))
WEFT_GASNETT_LOCK_VOID(rwlock_unlock, gasnett_rwlock_t, weft_gasnett_rw_unlock(p))
WEFT_GASNETT_LOCK_INT(rwlock_tryrdlock, gasnett_rwlock_t, weft_gasnett_rw_try_read(p))
WEFT_GASNETT_LOCK_INT(rwlock_trywrlock, gasnett_rwlock_t, weft_gasnett_rw_try_write(p))
WEFT_GASNETT_LOCK_NOTHING(rwlock_assertrdlocked, gasnett_rwlock_t)
WEFT_GASNETT_LOCK_NOTHING(rwlock_assertwrlocked, gasnett_rwlock_t)
WEFT_GASNETT_LOCK_NOTHING(rwlock_assertlocked, gasnett_rwlock_t)
WEFT_GASNETT_LOCK_NOTHING(rwlock_assertunlocked, gasnett_rwlock_t)

/* ---- thread-specific pointers: a variable per thread, or one, named as the key -------------- */

#if WEFT_GASNETT_THREADS
#define GASNETT_THREADKEY_DECLARE(key) GASNETT_EXTERNC __thread void *key
#else
#define GASNETT_THREADKEY_DECLARE(key) GASNETT_EXTERNC void *key
#endif
#if WEFT_GASNETT_THREADS
#define GASNETT_THREADKEY_DEFINE(key)                                                              \
  GASNETT_THREADKEY_DECLARE(key);                                                                  \
  __thread void *key
#else
#define GASNETT_THREADKEY_DEFINE(key)                                                              \
  GASNETT_THREADKEY_DECLARE(key);                                                                  \
  void *key
#endif

/* Some clients take this one's address under its old name. */
WEFT_GASNETT_INLINE void _gasneti_threadkey_init(void *key) {
  (void)key;
}
#define gasnett_threadkey_init(key) _gasneti_threadkey_init(&(key))
#define gasnett_threadkey_get(key) (key)
#define gasnett_threadkey_set(key, newval) ((void)((key) = (newval)))
#define gasnett_threadkey_get_noinit(key) (key)
#define gasnett_threadkey_set_noinit(key, newval) ((void)((key) = (newval)))

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
