/* A client of GASNet, as small as they get: who am I, of how many, and did the arguments and the
 * environment arrive. With gasnet.sh. */
#include <gasnetex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MREMAP_MAYMOVE /* a name of _GNU_SOURCE, which the flags of the conduit define */
#error "the flags of GASNet do not define _GNU_SOURCE"
#endif

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  if (gex_Client_Init(&client, &ep, &tm, "house", &argc, &argv, 0) != GASNET_OK) return 1;
  const char *word = gasnett_getenv("GASNET_HOUSE_WORD");
  printf("%s %u of %u: %s %s\n", GASNET_CONDUIT_NAME_STR, gex_TM_QueryRank(tm),
         gex_TM_QuerySize(tm), argc > 1 ? argv[1] : "nothing", word ? word : "nothing");
  fflush(stdout);
  /* What a process starts is a job of its own. */
  if (argc > 2 && gex_TM_QueryRank(tm) == 0 && system(argv[2])) return 1;
  gasnet_exit(0);
  return 0;
}
