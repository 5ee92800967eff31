/*
 * streams.h: what the programs of fault/streams.sh share, whatever front end they use: a thread
 * that holds a stream for ever, and output that stays in the program until its end.
 */
#ifndef WEFT_TEST_STREAMS_H
#define WEFT_TEST_STREAMS_H

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

/* It reads a terminal, or a pipe to which nobody writes. */
static void *streams_hold(void *arg) {
  getchar();
  return arg;
}

static inline void streams_held(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, streams_hold, NULL);
  usleep(100000);
}

/* 96000 bytes, of which nothing is written before the program flushes its streams. */
static inline void streams_fill(void) {
  static char room[1 << 20];
  setvbuf(stdout, room, _IOFBF, sizeof room);
  for (int i = 0; i < 3000; i++) printf("%031d\n", i);
}

#endif
