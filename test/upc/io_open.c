/*
 * Files: with an argument, a misuse that ends the job with one line (misuse.sh).
 */

#include "runtime.h"

#include "check.h"
#include "files.h"

static pts array;

static void misuse(const char *what, const char *file) {
  const pts f = upc_all_fopen(file, RDWR | CREATE | COMMON | DELETE, 0, NULL);
  char c = 0;
  if (strcmp(what, "close") == 0) ME ? upc_all_fsync(f) : upc_all_fclose(f);
  if (strcmp(what, "seek") == 0) upc_all_fseek(f, ME, 0);
  if (strcmp(what, "write") == 0) upc_all_fwrite_shared(f, array, 4, 1, (size_t)ME + 1, 0);
  if (strcmp(what, "open") == 0) upc_all_fopen(file, ME ? RDWR | COMMON : RDONLY | COMMON, 0, NULL);
  if (strcmp(what, "notify") == 0) {
    weft_upc_notify(0, 0, __FILE__, __LINE__);
    upc_all_fsync(f);
  }
  if (strcmp(what, "async") == 0) {
    upc_all_fcntl(f, SET_INDIVIDUAL, NULL);
    for (int i = 0; i < 2; i++) upc_all_fwrite_local_async(f, &c, 1, 1, 0);
  }
  if (strcmp(what, "wait") == 0) upc_all_fwait_async(f);
}

int main(int argc, char **argv) {
  weft_upc_start(&argc, &argv);
  array = upc_all_alloc((size_t)N, 64);
  if (argc > 2) {
    misuse(argv[1], argv[2]);
    BARRIER();
    weft_upc_end(0);
  }
  weft_upc_end(0);
}
