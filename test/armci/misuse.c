/*
 * One mistake each, by its name: misuse.sh looks at how the job ends. PE 0 makes it.
 */
#include <signal.h>

#include "armci_test.h"

static long *all[NP_MAX], word[4];

static void mistake(const char *which) {
  int levels[2] = {8, 1}, strides[1] = {8};
  armci_giov_t v = {0};
  long one = 1;
  (void)v;
  if (!strcmp(which, "proc")) ARMCI_Put(word, all[0], 8, np);
  if (!strcmp(which, "negative")) ARMCI_Get(all[0], word, -8, 0);
  if (!strcmp(which, "levels")) ARMCI_PutS(word, strides, all[0], strides, levels, 9, 0);
  if (!strcmp(which, "elements")) ARMCI_Acc(ARMCI_ACC_DBL, &one, word, all[0], 12, 0);
  if (!strcmp(which, "type")) ARMCI_Acc(1000, &one, word, all[0], 8, 0);
  if (!strcmp(which, "scale")) ARMCI_Acc(ARMCI_ACC_LNG, NULL, word, all[0], 8, 0);
  if (!strcmp(which, "range")) ARMCI_Put(word, (char *)all[np - 1] + (1L << 46), 8, np - 1);
  if (!strcmp(which, "rmw")) ARMCI_Rmw(77, word, all[0], 1, 0);
  if (!strcmp(which, "unaligned"))
    ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, word, (char *)all[0] + 4, 1, 0);
  if (!strcmp(which, "handle")) ARMCI_Wait(NULL);
  if (!strcmp(which, "free")) ARMCI_Free_local(NULL), ARMCI_Free((char *)all[0] + 8);
  if (!strcmp(which, "free-again")) ARMCI_Free(all[me]), ARMCI_Free(all[me]);
  if (!strcmp(which, "free-beyond")) { /* and over what the heap keeps of `behind` */
    void *behind[NP_MAX];
    CHECK_EQ(ARMCI_Malloc(behind, 64), 0);
    memset(all[me], 0, 128);
    ARMCI_Free(all[me]);
  }
  if (!strcmp(which, "sums")) armci_msg_lgop(word, 4, me ? "max" : "+");
  if (!strcmp(which, "operation")) armci_msg_lgop(word, 1, "xor");
  if (!strcmp(which, "truncated")) {
    armci_msg_snd(1, word, 24, 0);
    armci_msg_rcv(1, word, 8, NULL, 0);
  }
  if (!strcmp(which, "no-mutexes")) ARMCI_Lock(0, 0);
  if (!strcmp(which, "group")) {
    int twice[2] = {0, 0};
    ARMCI_Group g;
    ARMCI_Group_create(2, twice, &g);
  }
  if (!strcmp(which, "dead-member")) {
    int both[2] = {0, 1};
    ARMCI_Group g;
    ARMCI_Group_create(2, both, &g);
  }
  if (!strcmp(which, "strides")) {
    int near[1] = {16}, far[1] = {4};
    levels[1] = 2;
    ARMCI_AccS(ARMCI_ACC_LNG, &one, word, near, all[0], far, levels, 1, 0);
  }
  if (!strcmp(which, "unused-handle")) {
    armci_hdl_t h;
    memset(&h, 0x11, sizeof h);
    ARMCI_Wait(&h);
  }
  if (!strcmp(which, "counted")) { /* for --stats */
    int apart[1] = {16};
    levels[1] = 2;
    ARMCI_Put(word, all[np - 1], 24, np - 1);
    ARMCI_AccS(ARMCI_ACC_LNG, &one, word, apart, all[np - 1], apart, levels, 1, np - 1);
    ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, word, all[np - 1], 1, np - 1);
    for (int i = 0; i < 3; i++) ARMCI_Get(all[np - 1], word, 8, np - 1);
  }
  if (!strcmp(which, "alone")) ARMCI_Finalize(); /* trap 6 */
  if (!strcmp(which, "killed")) raise(SIGKILL); /* trap 40 */
  if (!strcmp(which, "error")) ARMCI_Error("on purpose", 7);
  if (!strcmp(which, "assert")) dassertp_fail("x == 1", "file.c", "function", 12, 3);
  if (!strcmp(which, "printed")) derr_printf("seen %d\n", 5);
  if (!strcmp(which, "abort")) armci_msg_abort(9);
  if (!strcmp(which, "cleanup")) ARMCI_Cleanup(), exit(5);
  if (!strcmp(which, "finalized")) ARMCI_Finalize(), ARMCI_Put(word, all[0], 8, 0);
  if (!strcmp(which, "over")) ARMCI_Finalize(), ARMCI_Barrier();
}

static void mutex_mistake(const char *which) {
  ARMCI_Create_mutexes(2);
  if (me == 0 && !strcmp(which, "mutex-number")) ARMCI_Lock(2, 0);
  if (me == 0 && !strcmp(which, "mutex-twice")) ARMCI_Lock(1, 0), ARMCI_Lock(1, 0);
  if (me == 0 && !strcmp(which, "mutex-unlock")) ARMCI_Unlock(1, 0);
  if (!strcmp(which, "mutex-kept")) {
    if (me == 0) ARMCI_Lock(1, 1);
    ARMCI_Barrier();
    if (me == 0) ARMCI_Finalize(), exit(0);
    ARMCI_Lock(1, 1);
  }
  if (!strcmp(which, "mutex-sets")) ARMCI_Create_mutexes(1);
}

int main(int argc, char **argv) {
  const char *which = argc > 1 ? argv[1] : "";
  if (!strcmp(which, "before")) ARMCI_AllFence();
  if (!strcmp(which, "before-malloc")) ARMCI_Malloc((void **)all, 64);
  armci_begin(&argc, &argv);
  CHECK_EQ(ARMCI_Malloc((void **)all, 64), 0);
  ARMCI_Barrier();
  if (!strncmp(which, "mutex", 5)) mutex_mistake(which);
  if (!strcmp(which, "exhausted")) { /* trap 40; the memory that there is can be had after it */
    CHECK(!ARMCI_Malloc_local(1L << 60) && !ARMCI_Malloc_local(1L << 60));
    CHECK(ARMCI_Malloc((void **)all, 1L << 34) != 0);
    CHECK_EQ(ARMCI_Malloc((void **)all, 64), 0);
    memset(all[me], 0, 64);
  }
  if (me == 1 && !strcmp(which, "dead-member")) {
    usleep(50000); /* most likely the other is in it */
    kill(getpid(), SIGKILL);
  }
  if (me == 0 || strstr("finalized over free-again free-beyond sums", which)) mistake(which);
  ARMCI_Barrier();
  return armci_end();
}
