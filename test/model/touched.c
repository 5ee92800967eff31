/*
 * Plain accesses to shared memory, instrumented.
 */
#include "base/base.h"

WEFT_API void model_write(long *word, long value);
void model_write(long *word, long value) {
  *word = value;
}

WEFT_API long model_read(const long *word);
long model_read(const long *word) {
  return *word;
}
