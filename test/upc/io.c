/*
 * Files: opened with all flags, read and written with individual and common pointers, local and
 * shared buffers of any block size, lists, asynchronously, with all synchronisation modes; errors.
 */
#include <errno.h>

#include "runtime.h"

#include "check.h"
#include "files.h"

enum { ELEMENTS = 1000 };

static char name[64];
static pts array;

static pts element(size_t i, size_t block) {
  return block ? weft_upc_flat(weft_upc_add(array, (weft_upc_i64)i, (weft_upc_i64)block, 4))
               : array + (pts)i * 4;
}

static void opening(void) {
  char missing[80];
  snprintf(missing, sizeof missing, "%s/none", name);
  CHECK_EQ(upc_all_fopen(missing, RDONLY | COMMON, 0, NULL), 0);
  CHECK_EQ(errno, ENOENT);
  CHECK_EQ(upc_all_fopen(name, RDWR | RDONLY | COMMON, 0, NULL), 0);
  CHECK_EQ(errno, EINVAL);
  CHECK_EQ(upc_all_fopen(name, RDWR | CREATE, 0, NULL), 0);
  const struct hint hints[] = {{"file_perm", "0600"}, {"cb_nodes", "2"}};
  const pts f = upc_all_fopen(name, RDWR | CREATE | EXCL | INDIVIDUAL, 2, hints);
  CHECK(f != 0);
  const struct hint *got, more = {"cb_nodes", "3"};
  CHECK_EQ(upc_all_fcntl(f, GET_HINTS, &got), 2);
  CHECK_STR(got[1].value, "2");
  CHECK_EQ(upc_all_fcntl(f, SET_HINT, (void *)&more), 0);
  CHECK_EQ(upc_all_fcntl(f, GET_HINTS, &got), 2);
  CHECK_STR(got[1].value, "3");
  const char *called;
  CHECK_EQ(upc_all_fcntl(f, GET_FN, &called), 0);
  CHECK_STR(called, name);
  CHECK_EQ(upc_all_fcntl(f, GET_FP, NULL), INDIVIDUAL);
  CHECK_EQ(upc_all_fcntl(f, GET_CA, NULL), 0);
  CHECK_EQ(upc_all_fcntl(f, SET_STRONG, NULL), 0);
  CHECK_EQ(upc_all_fcntl(f, GET_CA, NULL), STRONG);
  CHECK_EQ(upc_all_fset_size(f, 100), 0);
  CHECK_EQ(upc_all_fget_size(f), 100);
  CHECK_EQ(upc_all_fpreallocate(f, 50), 0);
  CHECK_EQ(upc_all_fget_size(f), 100);
  CHECK_EQ(upc_all_fseek(f, -10, 2), 90);
  CHECK_EQ(upc_all_fseek(f, 5, 1), 95);
  CHECK_EQ(upc_all_fseek(f, -96, 1), -1);
  CHECK_EQ(upc_all_fseek(f, 0, 1), 95);
  CHECK_EQ(upc_all_fclose(f), 0);
  CHECK_EQ(upc_all_fclose(f), -1);
  CHECK_EQ(upc_all_fopen(name, RDWR | CREATE | EXCL | COMMON, 0, NULL), 0);
  CHECK_EQ(errno, EEXIST);
}

/* The array goes out with one block size and comes back with another. */
static void common(size_t out, size_t in, upc_flag_t flags) {
  const pts f = upc_all_fopen(name, RDWR | TRUNC | CREATE | COMMON, 0, NULL);
  for (size_t i = (size_t)ME; i < ELEMENTS; i += (size_t)N)
    WEFT_UPC_PUT(int, element(i, out), (int)(i * 3));
  weft_upc_fence();
  CHECK_EQ(upc_all_fwrite_shared(f, array, out, 4, ELEMENTS, 0), ELEMENTS * 4);
  CHECK_EQ(upc_all_fseek(f, 0, 1), ELEMENTS * 4);
  CHECK_EQ(upc_all_fsync(f), 0);
  CHECK_EQ(upc_all_fseek(f, 0, 0), 0);
  upc_memset(at_thread(array, ME), 0, ELEMENTS * 4);
  BARRIER();
  CHECK_EQ(upc_all_fread_shared(f, array, in, 4, ELEMENTS + 50, flags), ELEMENTS * 4);
  if (flags & (UPC_OUT_NOSYNC | UPC_OUT_MYSYNC)) BARRIER();
  for (size_t i = 0; i < ELEMENTS; i++) CHECK_EQ(WEFT_UPC_GET(int, element(i, in)), (int)(i * 3));
  BARRIER();
  CHECK_EQ(upc_all_fread_local(f, name, 1, 1, 0), -1);
  CHECK_EQ(upc_all_fclose(f), 0);
}

static void individual(void) {
  int mine[100], back[100];
  const pts f = upc_all_fopen(name, RDWR | TRUNC | CREATE | INDIVIDUAL | STRONG, 0, NULL);
  for (int i = 0; i < 100; i++) mine[i] = ME * 1000 + i;
  upc_all_fseek(f, ME * 400, 0);
  CHECK_EQ(upc_all_fwrite_local(f, mine, 4, 100, 0), 400);
  CHECK_EQ(upc_all_fseek(f, 0, 1), ME * 400 + 400);
  upc_all_fseek(f, (ME + 1) % N * 400, 0);
  CHECK_EQ(upc_all_fread_local(f, back, 4, 100, 0), 400);
  for (int i = 0; i < 100; i++) CHECK_EQ(back[i], (ME + 1) % N * 1000 + i);
  /* lists: every second piece, into two pieces of memory */
  const struct file_part parts[] = {{ME * 400, 40}, {ME * 400 + 80, 40}, {0, 0}};
  const struct local_part memory[] = {{back, 10}, {back + 50, 70}, {back, 0}};
  memset(back, 0, sizeof back);
  CHECK_EQ(upc_all_fread_list_local(f, 3, memory, 3, parts, 0), 80);
  CHECK_EQ(back[0], mine[0]);
  CHECK_EQ(memcmp((char *)(back + 50) + 30, mine + 20, 40), 0);
  CHECK_EQ(upc_all_fcntl(f, ASYNC, NULL), 0);
  const struct local_part some = {mine + 5, 80};
  upc_all_fwrite_list_local_async(f, 1, &some, 2, parts, 0);
  CHECK_EQ(upc_all_fcntl(f, ASYNC, NULL), 1);
  CHECK_EQ(upc_all_fclose(f), -1);
  CHECK_EQ(upc_all_fwait_async(f), 80);
  const struct shared_part blocks[] = {{array, 4, 80}};
  CHECK_EQ(upc_all_fwrite_list_shared(f, 1, blocks, 2, parts, 0), 80);
  upc_all_fseek(f, 0, 0);
  int flag = 0;
  upc_all_fread_shared_async(f, at_thread(array, ME), 0, 4, 100, 0);
  while (!flag) CHECK_EQ(upc_all_ftest_async(f, &flag), 400);
  CHECK_EQ(upc_all_fcntl(f, SET_COMMON, NULL), 0);
  CHECK_EQ(upc_all_fseek(f, 0, 1), 0);
  CHECK_EQ(upc_all_fclose(f), 0);
}

int main(int argc, char **argv) {
  weft_upc_start(&argc, &argv);
  name_file(name, sizeof name);
  array = upc_all_alloc((size_t)N, ELEMENTS * 4 + 400);
  opening();
  common(1, 5, 0);
  common(7, 0, UPC_IN_MYSYNC | UPC_OUT_ALLSYNC);
  common(0, 100, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
  individual();
  const pts f = upc_all_fopen(name, RDONLY | APPEND | COMMON | DELETE, 0, NULL);
  CHECK_EQ(upc_all_fseek(f, 0, 1), upc_all_fget_size(f));
  CHECK_EQ(upc_all_fwrite_shared(f, array, 1, 4, 4, 0), -1);
  CHECK_EQ(errno, EBADF);
  BARRIER();
  weft_upc_end(0); /* closes and deletes it */
}
