/*
 * Messages: operations by their strings, abs in a group of one, all types (trap 35), sel (36),
 * messages to oneself and of any length (37), what peers lack (38), flags that are polled without a
 * call (23), notify (24), packing (25), the iterator.
 */
#include "armci_test.h"

enum { N = 5000 };

static void operations(void) {
  static const struct {
    const char *op;
    long of_two; /* what 12 (even ranks) and -10 (odd) make */
  } two[] = {{"*", -120},       {"max", 12},     {"min", -10},       {"absmax", 12},
             {"absmin", 10},    {"&&", 1},       {"land", 1},        {"||", 1},
             {"lor", 1},        {"&", 12 & -10}, {"band", 12 & -10}, {"|", 12 | -10},
             {"bor", 12 | -10}, {"or", 12 | -10}};
  for (unsigned i = 0; i < sizeof two / sizeof *two; i++) {
    int a[2] = {me % 2 ? -10 : 12, me < 2 ? (me ? -10 : 12) : 1};
    long b = a[0];
    long long c = a[0];
    float d = (float)a[0];
    double e = a[0];
    char op[8];
    strcpy(op, two[i].op);
    if (np == 2) {
      armci_msg_igop(a, 1, op), armci_msg_lgop(&b, 1, op), armci_msg_llgop(&c, 1, op);
      CHECK_EQ(a[0], two[i].of_two);
      CHECK(b == two[i].of_two && c == two[i].of_two);
      if (i >= 9) continue;
      armci_msg_fgop(&d, 1, op), armci_msg_dgop(&e, 1, op);
      CHECK(d == (float)two[i].of_two && e == (double)two[i].of_two);
    } else if (!strncmp(op, "abs", 3)) { /* in a group of one too */
      int x = -3 - me;
      armci_msg_igop(&x, 1, op);
      CHECK_EQ(x, strcmp(op, "absmax") ? 3 : 2 + np);
    }
  }
  static double sums[N];
  for (int i = 0; i < N; i++) sums[i] = i + me;
  armci_msg_dgop(sums, N, "+");
  for (int i = 0; i < N; i++) CHECK(sums[i] == (double)i * np + np * (np - 1) / 2);
  float f[2] = {1, 2};
  armci_msg_reduce(f, 2, "+", ARMCI_FLOAT); /* all have it */
  CHECK(f[0] == (float)np && f[1] == 2 * (float)np);
  int on_node = 1, masters = 1, alone = 1;
  armci_msg_clus_igop(&on_node, 1, "+");
  armci_msg_gop_scope(SCOPE_NODE, &alone, 1, "+", ARMCI_INT);
  CHECK_EQ(on_node, alone);
  armci_msg_gop_scope(SCOPE_MASTERS, &masters, 1, "+", ARMCI_INT);
  armci_msg_clus_brdcst(&masters, sizeof masters);
  int first = 0;
  armci_msg_bintree(SCOPE_NODE, &first, &(int){0}, &(int){0}, &(int){0});
  int nodes = first == me;
  armci_msg_igop(&nodes, 1, "+");
  CHECK_EQ(masters, nodes);
}

static void choose(void) {
  for (int loser = -1; loser < np; loser++) {
    struct {
      double first;
      int who, more[3];
    } x = {me * 1.5, me, {me, me, me}};
    const int best = loser == np - 1 ? np - 2 : np - 1;
    if (loser == np - 1 && np == 1) continue;
    armci_msg_sel(&x, sizeof x, "max", ARMCI_DOUBLE, me != loser);
    CHECK(x.who == best && x.more[2] == best && x.first == best * 1.5);
    long y[2] = {me, -me};
    armci_msg_sel_scope(SCOPE_ALL, y, sizeof y, "min", ARMCI_LONG, 1);
    CHECK(y[0] == 0 && y[1] == 0);
  }
}

static void sends(void) {
  static char out[200000], in[200000];
  int got;
  for (unsigned n = 0; n <= sizeof out; n = n * 5 + 1) {
    memset(out, (int)n + me, sizeof out);
    memset(in, 0, sizeof in);
    armci_msg_snd(3, out, (int)n, me); /* to oneself first */
    armci_msg_snd(4, out, (int)n, (me + 1) % np);
    armci_msg_rcv(4, in, sizeof in, &got, (me + np - 1) % np);
    CHECK_EQ(got, n);
    if (n) CHECK_EQ(in[n - 1], (char)((int)n + (me + np - 1) % np));
    armci_msg_rcv(3, in, sizeof in, NULL, me);
    if (n) CHECK_EQ(in[n / 2], (char)((int)n + me));
  }
  int seen = 0;
  for (int i = 0; i < np; i++) armci_msg_snd(9, &me, sizeof me, i);
  for (int i = 0; i < np; i++) {
    int word, from = armci_msg_rcvany(9, &word, sizeof word, &got);
    CHECK_EQ(word, from);
    seen += word;
  }
  CHECK_EQ(seen, np * (np - 1) / 2);
  armci_msg_brdcst(out, sizeof out, np - 1);
  CHECK_EQ(out[77], (char)(97656 + np - 1));
  armci_msg_bcast(NULL, 0, 0);
  void *addresses[NP_MAX] = {0};
  addresses[me] = &addresses[me];
  armci_exchange_address(addresses, np);
  for (int i = 0; i < np; i++) CHECK(addresses[i] != NULL);
  CHECK(armci_timer() > 0);
}

/* The owner looks at the flag and calls nothing; the data are there when it changes. */
static void flags(void) {
  enum { WORDS = 600 };
  int *all[NP_MAX], out[2 * WORDS], next = (me + 1) % np, stride[1] = {8}, far[1] = {4};
  CHECK_EQ(ARMCI_Malloc((void **)all, (WORDS + 1) * sizeof(int)), 0);
  volatile int *mine = all[me];
  for (int i = 0; i <= WORDS; i++) mine[i] = 0;
  ARMCI_Barrier();
  for (int r = 1; r <= 30; r++) {
    int count[2] = {4, WORDS};
    for (int i = 0; i < 2 * WORDS; i++) out[i] = r;
    if (r % 2)
      ARMCI_PutS_flag(out, stride, all[next], far, count, 1, all[next] + WORDS, r, next);
    else
      ARMCI_Put_flag(out, all[next], WORDS * 4, all[next] + WORDS, r, next);
    while (mine[WORDS] != r) usleep(10);
    for (int i = 0; i < WORDS; i++) CHECK_EQ(mine[i], r);
    ARMCI_Barrier();
  }
#ifdef ARMCI_MAX_STRIDE_LEVEL
  for (int r = 1; r <= 30; r++) {
    int waited = 0;
    for (int i = 0; i < WORDS; i++) out[i] = -r;
    ARMCI_NbPut(out, all[next], WORDS * 4, next, NULL);
    ARMCI_WaitAll();
    CHECK_EQ(armci_notify(next), r);
    CHECK(armci_notify_wait((me + np - 1) % np, &waited) >= r);
    CHECK_EQ(waited, r);
    for (int i = 0; i < WORDS; i++) CHECK_EQ(mine[i], -r);
    ARMCI_Barrier();
  }
#endif
  ARMCI_Free(all[me]);
}

static void packing(void) {
  int from[6][8], to[6][8] = {{0}}, buffer[12], stride[1] = {32}, count[2] = {12, 4};
  for (int i = 0; i < 48; i++) from[i / 8][i % 8] = i;
  armci_write_strided(&from[1][2], 1, stride, count, (char *)buffer);
  for (int i = 0; i < 12; i++) CHECK_EQ(buffer[i], (i / 3 + 1) * 8 + 2 + i % 3);
  armci_read_strided(&to[1][2], 1, stride, count, (char *)buffer);
  for (int i = 0; i < 48; i++)
    CHECK_EQ(to[i / 8][i % 8], i / 8 >= 1 && i / 8 < 5 && i % 8 >= 2 && i % 8 < 5 ? i : 0);
}

#ifdef ARMCI_MAX_STRIDE_LEVEL
#include <iterator.h>

static void iterate(void) {
  stride_info_t s;
  char base[200];
  const int stride[2] = {10, 100}, count[3] = {4, 3, 2};
  int seen = 0;
  armci_stride_info_init(&s, base, 2, stride, count);
  for (; armci_stride_info_has_more(&s); armci_stride_info_next(&s), seen++) {
    const int off = seen % 3 * 10 + seen / 3 * 100;
    CHECK_EQ(armci_stride_info_pos(&s), seen);
    CHECK_EQ(armci_stride_info_seg_off(&s), off);
    CHECK(armci_stride_info_seg_ptr(&s) == (void *)(base + off));
    CHECK_EQ(armci_stride_info_seg_size(&s), 4);
  }
  CHECK(seen == 6 && armci_stride_info_size(&s) == 6 && armci_stride_info_count(&s) == 6);
  armci_stride_info_destroy(&s);
}
#else
static void iterate(void) {}
#endif

int main(int argc, char **argv) {
  armci_begin(&argc, &argv);
  operations();
  choose();
  sends();
  flags();
  packing();
  iterate();
  return armci_end();
}
