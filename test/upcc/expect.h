/* CHECK of the UPC tests: a failed one says where and ends the job. */
#ifndef EXPECT_H
#define EXPECT_H
#include <stdio.h>
#include <upc.h>
#define CHECK(condition)                                                                     \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      printf("[%d/%d] %s:%d %s\n", MYTHREAD, THREADS, __FILE__, __LINE__, #condition);       \
      upc_global_exit(1);                                                                    \
    }                                                                                        \
  } while (0)
#endif
