/*
 * What the processes of lock.c run.
 */
#include "base/base.h"

WEFT_API void model_add_one(weft_lock_t *lock, long *sum);
void model_add_one(weft_lock_t *lock, long *sum) {
  weft_lock(lock);
  ++*sum;
  weft_unlock(lock);
}
