/*
 * test: none
 * "slow STATUS": 96000 bytes that nobody reads for a while, from PE 0 alone, and gasnet_exit; "held
 * STATUS": a thread holds a stream for ever. fault/streams.sh judges.
 */
#define GASNET_SEQ
#include <gasnetex.h>

#include <stdlib.h>
#include <string.h>

#include "streams.h"

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  if (argc < 3 || gex_Client_Init(&client, &ep, &tm, "streams", &argc, &argv, 0)) return 2;
  if (!strcmp(argv[1], "held")) streams_held();
  if (gex_TM_QueryRank(tm) == 0) streams_fill();
  gasnet_exit(atoi(argv[2]));
}
