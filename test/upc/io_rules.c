/*
 * Files: what the flags of a call promise this thread's memory where others read and write it, and
 * where a common pointer to the file's end is; memory in very many pieces.
 */
#include <stdbool.h>

#include "runtime.h"

#include "check.h"
#include "files.h"

enum { PART = 4096, TURNS = 50 };

static char name[64];
static pts array; /* PART bytes on each thread, in one block */

/* Thread 0 alone has something to do, with everybody's memory. Then each looks at its own. */
static void mine_is_done(bool list) {
  const size_t all = (size_t)N * PART, n = ME == 0 ? all : 0;
  char *mine = (char *)weft_upc.base + weft_upc_offset(array);
  const struct shared_part memory = {array, PART, n};
  const struct file_part part = {0, n};
  const pts f = upc_all_fopen(name, RDWR | CREATE | TRUNC | INDIVIDUAL, 0, NULL);
  const upc_flag_t flags = UPC_IN_NOSYNC | UPC_OUT_MYSYNC;
  for (int i = 0; i < TURNS; i++) {
    memset(mine, i, PART);
    BARRIER();
    upc_all_fseek(f, 0, 0);
    CHECK_EQ(list ? upc_all_fwrite_list_shared(f, 1, &memory, 1, &part, flags)
                  : upc_all_fwrite_shared(f, array, PART, 1, n, flags), n);
    memset(mine, 100 + i, PART);
    CHECK_EQ(upc_all_fsync(f), 0);
    upc_all_fseek(f, 0, 0);
    CHECK_EQ(list ? upc_all_fread_list_shared(f, 1, &memory, 1, &part, flags)
                  : upc_all_fread_shared(f, array, PART, 1, n, flags), n);
    for (int k = 0; k < PART; k++) CHECK_EQ(mine[k], i);
    BARRIER();
  }
  CHECK_EQ(upc_all_fclose(f), 0);
}

/* A common pointer is at one place for all, whoever writes already. */
static void ends(void) {
  const size_t all = (size_t)N * PART;
  const upc_flag_t flags = UPC_IN_NOSYNC | UPC_OUT_NOSYNC;
  pts f = upc_all_fopen(name, RDWR | TRUNC | COMMON, 0, NULL);
  for (int i = 0; i < TURNS; i++) {
    CHECK_EQ(upc_all_fseek(f, 0, 2), (size_t)i * all);
    CHECK_EQ(upc_all_fwrite_shared(f, array, PART, 1, all, flags), all);
  }
  upc_all_fclose(f);
  for (int i = 0; i < TURNS; i++) {
    f = upc_all_fopen(name, RDWR | APPEND | COMMON, 0, NULL);
    CHECK_EQ(upc_all_fwrite_shared(f, array, PART, 1, all, flags), all);
    CHECK_EQ(upc_all_fseek(f, 0, 1), (size_t)(TURNS + i + 1) * all);
    upc_all_fclose(f);
  }
}

/* Blocks of one byte: more pieces than go at once. */
static void pieces(void) {
  const size_t each = 120000, all = each * (size_t)N;
  const pts bytes = upc_all_alloc((size_t)N, each), f = upc_all_fopen(name, RDWR | COMMON, 0, NULL);
  unsigned char *mine = (unsigned char *)weft_upc.base + weft_upc_offset(bytes);
  for (size_t i = 0; i < each; i++) mine[i] = (unsigned char)(i * 7 + (size_t)ME);
  CHECK_EQ(upc_all_fwrite_shared(f, bytes, 1, 1, all, 0), all);
  memset(mine, 0, each);
  CHECK_EQ(upc_all_fsync(f), 0);
  upc_all_fseek(f, 0, 0);
  CHECK_EQ(upc_all_fread_shared(f, bytes, 1, 1, all, 0), all);
  for (size_t i = 0; i < each; i++) CHECK_EQ(mine[i], (unsigned char)(i * 7 + (size_t)ME));
  upc_all_fclose(f);
}

int main(int argc, char **argv) {
  weft_upc_start(&argc, &argv);
  name_file(name, sizeof name);
  array = upc_all_alloc((size_t)N, PART);
  mine_is_done(false);
  mine_is_done(true);
  ends();
  pieces();
  if (ME == 0) unlink(name);
  weft_upc_end(0);
}
