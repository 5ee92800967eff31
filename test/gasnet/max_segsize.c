/*
 * max_segsize.c: a client's own limit of segments: gasnet_max_segsize, which is set only,
 * and gasnet_max_segsize_str, which is defined here and comes first; GASNET_MAX_SEGSIZE before
 * both. Arguments: the megabytes that are to be offered, the text.
 */
#include <stdlib.h>

#define GASNET_SEQ
#include <gasnet.h>

#include "check.h"

const char *gasnet_max_segsize_str;

int main(int argc, char **argv) {
  const uintptr_t expected = (uintptr_t)atoi(argv[1]) << 20;
  if (argc > 2) gasnet_max_segsize_str = argv[2];
  gasnet_max_segsize = 3 << 20;
  CHECK(gasnet_init(&argc, &argv) == GASNET_OK);
  CHECK(gasnet_getMaxLocalSegmentSize() == expected);
  CHECK(gasnet_attach(NULL, 0, expected, 0) == GASNET_OK);
  gasnet_exit(0);
}
