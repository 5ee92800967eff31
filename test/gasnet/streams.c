/*
 * test: none
 * "slow STATUS": PE 0 has 96000 bytes that nobody reads for a while, and all call gasnet_exit;
 * "unlike STATUS": the same, but PE 0's own status is 0; "held STATUS": besides, a thread of PE 0
 * holds a stream for ever. fault/streams.sh judges.
 */
#ifndef GASNET_SEQ
#define GASNET_PAR
#endif
#include <gasnetex.h>

#include <stdlib.h>
#include <string.h>

#include "streams.h"

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  if (argc < 3 || gex_Client_Init(&client, &ep, &tm, "streams", &argc, &argv, 0)) return 2;
  const int first = gex_TM_QueryRank(tm) == 0;
  if (first && !strcmp(argv[1], "held")) streams_held();
  if (first) streams_fill();
  gasnet_exit(first && !strcmp(argv[1], "unlike") ? 0 : atoi(argv[2]));
}
