/*
 * Accesses outside of an object, or to one that was freed, of another thread, by their names:
 * misuse.sh looks at what WEFT_CHECK=1 says, on a node and between nodes.
 */
#include "runtime.h"

#include "check.h"

int main(int argc, char **argv) {
  weft_upc_start(&argc, &argv);
  const char *what = argc > 1 ? argv[1] : "";
  char bytes[128] = {0};
  /* Threads that allocate alike have their objects at one offset. */
  const pts gone = upc_alloc(64), own = upc_alloc(64), all = upc_all_alloc((size_t)N, 64);
  upc_free(gone);
  BARRIER();
  const pts there = weft_upc_make(0, 0, upc_addrfield(own));
  const pts freed = weft_upc_make(0, 0, upc_addrfield(gone));
  if (ME == N - 1) {
    upc_memput(there, bytes, 64); /* these are right */
    upc_memput(all, bytes, 64);
    if (!strcmp(what, "memput")) upc_memput(there, bytes, 65);
    if (!strcmp(what, "memget")) upc_memget(bytes, freed, 8);
    if (!strcmp(what, "memcpy")) upc_memcpy(freed, own, 8);
    if (!strcmp(what, "read")) (void)WEFT_UPC_GET(int, freed);
    if (!strcmp(what, "write")) WEFT_UPC_PUT(long, weft_upc_make(0, 0, upc_addrfield(own) + 60), 1);
    if (!strcmp(what, "all")) upc_memput(all, bytes, 65);
  }
  BARRIER();
  weft_upc_end(0);
}
