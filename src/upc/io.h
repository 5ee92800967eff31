/*
 * io: what io.c (files) and io_move.c (reading and writing) share.
 */
#ifndef WEFT_UPC_IO_INTERNAL_H
#define WEFT_UPC_IO_INTERNAL_H

#include "coll/coll.h"
#include "upc/internal.h"

/* Values of include/upc_io.h, which is UPC text. */
enum {
  WEFT_IO_RDONLY = 1 << 0,
  WEFT_IO_WRONLY = 1 << 1,
  WEFT_IO_RDWR = 1 << 2,
  WEFT_IO_INDIVIDUAL = 1 << 3,
  WEFT_IO_COMMON = 1 << 4,
  WEFT_IO_APPEND = 1 << 5,
  WEFT_IO_CREATE = 1 << 6,
  WEFT_IO_EXCL = 1 << 7,
  WEFT_IO_STRONG = 1 << 8,
  WEFT_IO_TRUNC = 1 << 9,
  WEFT_IO_DELETE = 1 << 10
};

struct upc_hint {
  const char *key;
  const char *value;
};

/* An open file. Each thread has its own descriptor and position; a common position is kept alike by
 * all, since all move it by the same. */
typedef struct weft_upc_file {
  int fd, flags;
  char *name;
  int folder; /* from which `name` leads, for deleting */
  int64_t at;
  weft_upc_ptr_t lock; /* with strong consistency: an operation at a time */
  struct upc_hint *hints;
  size_t nhints;
  bool outstanding; /* an asynchronous operation, done, with this result: */
  int64_t result;
  upc_flag_t out_flags;
} weft_upc_file_t;

/* NULL: no open file. */
weft_upc_file_t *weft_upc_file(weft_upc_ptr_t fd);

/* A thread calls `who`: its file, or NULL and errno. With WEFT_CHECK=1 all threads call it with the
 * same fd and `same`, and with a common file pointer the same `common` too, or the job ends. */
weft_upc_file_t *weft_upc_file_enter(weft_upc_ptr_t fd, uint64_t same, uint64_t common,
                                     const char *who);

/* All threads' values, two at a time combined into one. Collective. */
int64_t weft_upc_io_combine(int64_t mine, weft_user_combine_t combine);

#endif
