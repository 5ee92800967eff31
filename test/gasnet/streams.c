/*
 * test: none
 * "slow STATUS": 96000 bytes that nobody reads for a while, from PE 0 alone, and gasnet_exit; "held
 * STATUS": a thread holds a stream for ever. fault/streams.sh judges.
 */
#define GASNET_SEQ
#include <gasnetex.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char room[1 << 20];

static void *hold(void *arg) {
  getchar();
  return arg;
}

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  pthread_t thread;
  if (argc < 3 || gex_Client_Init(&client, &ep, &tm, "streams", &argc, &argv, 0)) return 2;
  if (!strcmp(argv[1], "held")) {
    pthread_create(&thread, NULL, hold, NULL);
    usleep(100000);
  }
  setvbuf(stdout, room, _IOFBF, sizeof room); /* nothing is written before the end */
  for (int i = 0; i < 3000 && gex_TM_QueryRank(tm) == 0; i++) printf("%031d\n", i);
  gasnet_exit(atoi(argv[2]));
}
