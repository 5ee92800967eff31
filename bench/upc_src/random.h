/* What random.upc and random_shmem.c share. */
#ifndef BENCH_UPC_RANDOM_H
#define BENCH_UPC_RANDOM_H

#include "clock.h"

enum { TABLE = 1 << 16 };
static int count; /* of updates by a process: the argument */
#define FIRST 1234567u
#define NEXT(x) ((x) * 6364136223846793005u + 1442695040888963407u)
/* One chain through all n places, n a power of two. */
#define LINK(i, n) (((unsigned long)(i) * 1664525u + 1013904223u) % (unsigned long)(n))

#endif
