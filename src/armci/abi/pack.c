/*
 * pack.c: a strided piece of memory into a buffer ("write") and back.
 */
#include <string.h>

#include "armci/abi/abi.h"

/* Level 0 is a block of count[0] bytes. */
static char *each(char *ptr, int level, const int stride[], const int count[], char *buffer,
                  bool pack) {
  if (level == 0) {
    memcpy(pack ? buffer : ptr, pack ? ptr : buffer, (size_t)count[0]);
    return buffer + count[0];
  }
  for (int i = 0; i < count[level]; i++, ptr += stride[level - 1])
    buffer = each(ptr, level - 1, stride, count, buffer, pack);
  return buffer;
}

void armci_write_strided(void *ptr, int levels, int stride[], int count[], char *buffer) {
  each(ptr, levels, stride, count, buffer, true);
}

void armci_read_strided(void *ptr, int levels, int stride[], int count[], char *buffer) {
  each(ptr, levels, stride, count, buffer, false);
}
