/* Ways to leave, for exit.sh: leave WAY STATUS. all: every PE calls gasnet_exit; one: PE 0 does,
 * the others wait for ever; main: they return from main; exit: they call exit; handler: PE 0's
 * handler calls gasnet_exit; thread: another thread than main's does; sent1, sent2 ...: each sends
 * so many messages to the last PE and leaves; quit, quit-kill: as one, or PE 0 is killed, and the
 * others say when they get SIGQUIT; quit-int: PE 0 gets SIGINT and says so too; int: without
 * handlers; early: as main, but only a handler from before gex_Client_Init speaks, which takes its
 * time on PE 0, while another thread polls. */
#define GASNET_PAR
#include <gasnetex.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int status;

static void handler(gex_Token_t token) {
  (void)token;
  gasnet_exit(status);
}

static void nothing(gex_Token_t token) {
  (void)token;
}

static void quit(int number) {
  (void)number;
  static const char text[] = "said by a handler of SIGQUIT\n";
  if (write(STDOUT_FILENO, text, sizeof text - 1) < 0) _exit(8);
  gasnet_exit(status);
}

static int slow;

static void early(void) {
  if (slow) usleep(300000);
  printf("said by a handler");
}

static void *poll_on(void *arg) {
  for (;;) gasnet_AMPoll();
  return arg;
}

static void *leave(void *arg) {
  (void)arg;
  gasnet_exit(status);
}

int main(int argc, char **argv) {
  gex_EP_t ep;
  gex_TM_t tm;
  gex_AM_Entry_t entry[] = {
      {200, (gex_AM_Fn_t)handler, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
      {201, (gex_AM_Fn_t)nothing, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL}};
  pthread_t thread;
  if (!strcmp(argv[1], "early")) atexit(early);
  if (gex_Client_Init(NULL, &ep, &tm, "TEST", &argc, &argv, 0) != GASNET_OK) return 9;
  gex_EP_RegisterHandlers(ep, entry, 2);
  status = atoi(argv[2]);
  const gex_Rank_t me = gex_System_QueryJobRank();
  const int asked = !strcmp(argv[1], "quit-int");
  if (!strncmp(argv[1], "quit", 4) && (me > 0 || asked)) signal(SIGQUIT, quit);
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  if (!strncmp(argv[1], "quit", 4)) {
    if (me == 0 && argv[1][4]) raise(asked ? SIGINT : SIGKILL);
    if (me == 0) gasnet_exit(status);
    GASNET_BLOCKUNTIL(0);
  }
  if (!strcmp(argv[1], "int") && me == 0) raise(SIGINT);
  if (!strcmp(argv[1], "early")) {
    slow = me == 0;
    pthread_create(&thread, NULL, poll_on, NULL);
    return status;
  }
  printf("said by %u", me); /* not flushed by anyone but gasnet_exit */
  if (!strcmp(argv[1], "all")) gasnet_exit(status);
  if (!strcmp(argv[1], "main")) return status;
  if (!strcmp(argv[1], "exit")) exit(status);
  if (!strcmp(argv[1], "one") && me == 0) gasnet_exit(status);
  if (!strcmp(argv[1], "one-exit") && me == 0) exit(status);
  if (!strcmp(argv[1], "thread")) pthread_create(&thread, NULL, leave, NULL);
  if (!strcmp(argv[1], "handler")) gex_AM_RequestShort0(tm, 0, 200, 0);
  if (!strncmp(argv[1], "sent", 4)) {
    const gex_Rank_t last = gex_TM_QuerySize(tm) - 1;
    for (int i = atoi(argv[1] + 4); i > 0; i--) gex_AM_RequestShort0(tm, last, 201, 0);
    gasnet_exit(status);
  }
  GASNET_BLOCKUNTIL(0);
}
