/*
 * A job, and a process that does not belong to it but knows where its port is (stranger.sh).
 *   stranger job FILE        2 PEs on two nodes: tell the address of PE 1's port, work while the
 *                            stranger tries, and end well if nobody touched the memory
 *   stranger read|write KEY FILE   try it once: status 3 if the port let it through; KEY "told":
 *                            with the right one, which shows that the attempts are real
 *   stranger packet FILE     send packets that would be valid, but for their token
 *                            (both know the job's secret, or would not get as far as that)
 *   stranger outside FILE    read with the right key, but without the secret: status 3 as above
 *   stranger knock FILE      connect without a provider, and say something
 * With a word more these go to PE 1's own endpoint, where that is not its node's port.
 */
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "job/job.h"
#include "port/port.h"
#include "port/wire.h"
#include "shmem.h"

enum { TOUCHED = 0x5a, CELLS = 512 };

static long cells[CELLS]; /* what the stranger wants */
static weft_fabric_t fabric;
static weft_endpoint_t me;

typedef struct meeting {
  uint8_t port[WEFT_ADDRESS_MAX], own[WEFT_ADDRESS_MAX];
  uint64_t off;   /* of `cells` */
  uint64_t key;   /* which a stranger would have to guess */
  uint64_t others[2]; /* tokens of PE 1 with the ports of nodes 0 and 1: of another pair than PE 0's
                         packets to node 1, and its own endpoint's answers from node 0 */
  weft_secret_t secret;
} meeting_t;

static int job(const char *file) {
  static uint8_t own[WEFT_ADDRESS_MAX];
  static uint64_t others[2];
  char done[4096];
  size_t len = sizeof own;
  shmem_init();
  const int pe = shmem_my_pe();
  for (int i = 0; i < CELLS; i++) cells[i] = i;
  CHECK_EQ(weft_endpoint_address(&weft_job.endpoint, own, &len), 0);
  memcpy(others, weft_job.tokens, sizeof others);
  shmem_barrier_all();
  if (pe == 0) {
    meeting_t m = {.off = weft_job_offset(cells),
                   .key = weft_job_remote_key(1),
                   .secret = weft_job.secret};
    memcpy(m.port, weft_job.ports[1], sizeof m.port);
    shmem_getmem(m.own, own, sizeof m.own, 1);
    shmem_getmem(m.others, others, sizeof m.others, 1);
    snprintf(done, sizeof done, "%s.part", file);
    const int fd = open(done, O_WRONLY | O_CREAT, 0600);
    CHECK(write(fd, &m, sizeof m) == sizeof m && close(fd) == 0 && rename(done, file) == 0);
  }
  snprintf(done, sizeof done, "%s.done", file);
  static long flag;
  while (!flag) { /* each round talks to the other node's port */
    long there = shmem_long_atomic_fetch_add(&cells[0], 0, !pe);
    CHECK_EQ(there, 0);
    if (pe == 0) flag = access(done, F_OK) == 0;
    shmem_long_broadcast(SHMEM_TEAM_WORLD, &flag, &flag, 1, 0);
    shmem_barrier_all();
  }
  for (int i = 0; i < CELLS; i++) CHECK_EQ(cells[i], i);
  shmem_finalize();
  return 0;
}

static bool at_own;

static void read_meeting(const char *file, meeting_t *m) {
  const int fd = open(file, O_RDONLY);
  CHECK(fd >= 0 && read(fd, m, sizeof *m) == sizeof *m);
  if (!at_own) return;
  CHECK(memcmp(m->port, m->own, sizeof m->own) != 0);
  memcpy(m->port, m->own, sizeof m->own);
}

static void meet(const char *file, meeting_t *m, bool knows) {
  fi_addr_t index;
  read_meeting(file, m);
  weft_fabric_expect(16384);
  CHECK_EQ(weft_options_read(), 0);
  CHECK_EQ(weft_fabric_find(&fabric, weft_options.provider, weft_options.iface, "auto"), 0);
  CHECK_EQ(weft_fabric_open(&fabric), 0);
  CHECK_EQ(weft_endpoint_open(&me, &fabric, 16, 16384, false, 1), 0);
  if (knows && weft_fabric_has_door(&me)) CHECK_EQ(weft_fabric_shut_door(&m->secret), 0);
  CHECK_EQ(weft_endpoint_insert(&me, m->port, &index), 0);
}

/* A failed operation ends the process with a line: that is what should happen. */
static int touch(const char *how, const char *guess, const char *file, bool knows) {
  static long data[8] = {TOUCHED, TOUCHED};
  weft_op_t op = {0};
  meeting_t m;
  meet(file, &m, knows);
  const uint64_t key = strcmp(guess, "told") == 0 ? m.key : strtoull(guess, NULL, 0);
  signal(SIGALRM, SIG_DFL);
  /* An answer that does not come is a refusal, too; one that is to come has longer. */
  alarm(knows && key == m.key ? 15 : 1);
  if (strcmp(how, "read") == 0)
    weft_endpoint_read(&me, 0, data, sizeof data, m.off, key, &op);
  else
    weft_endpoint_deliver(&me, 0, data, sizeof data, m.off, key, &op);
  while (weft_observe(&op.pending)) {
    weft_endpoint_poll(&me);
    sched_yield();
  }
  return 3;
}

/* Puts and atomics to PE 1's cells, as PE 0 would send them, with every token that a stranger could
 * think of first, and one that was read from the packets of another pair. */
static int packets(const char *file) {
  struct {
    weft_packet_t head;
    weft_record_t record;
    uint64_t value;
  } p;
  static long data[8];
  weft_op_t op = {0};
  meeting_t m;
  meet(file, &m, true);
  const uint64_t tokens[] = {0, 1, 2, UINT64_MAX, m.others[at_own], m.others[at_own]};
  for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
    memset(&p, 0, sizeof p);
    p.head = (weft_packet_t){
        .kind = at_own ? WEFT_PACKET_REPLY : WEFT_PACKET_RECORDS,
        .buffer = 1,
        .bytes = sizeof p,
        .token = tokens[i]};
    p.record = (weft_record_t){
        .off = m.off + 8, .kind = i & 1 ? WEFT_RECORD_POST : WEFT_RECORD_PUT, .len = 8};
    p.record.op = WEFT_AMO_ADD;
    p.value = TOUCHED;
    weft_endpoint_inject(&me, 0, &p, sizeof p);
  }
  /* There nothing can be read behind them: they have left, and are on their way. */
  while (at_own && !weft_links_used(m.port)) weft_endpoint_poll(&me), usleep(1000);
  for (int i = 0; i < 1000 && at_own; i++) weft_endpoint_poll(&me), usleep(1000);
  if (at_own) return 0;
  weft_endpoint_inject(&me, 0, "?", 1);
  /* A message that looks like a write's note, which would add 1 to a cell. */
  while (fi_injectdata(me.ep, "?", 1, m.off >> 3, 0) == -FI_EAGAIN) weft_endpoint_poll(&me);
  weft_endpoint_read(&me, 0, data, sizeof data, m.off, m.key, &op);
  while (weft_observe(&op.pending)) weft_endpoint_poll(&me); /* behind them: they have arrived */
  return 0;
}

/* What ends jobs, or stops them, where a provider hears it: a greeting with a message of 10 MB
 * behind it, parts of one, and nothing at all. All are refused, but those who say nothing. */
static int knock(const char *file) {
  enum { SILENT = 20 };
  static const char greeting[] = {3, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 1};
  meeting_t m;
  read_meeting(file, &m);
  const struct sockaddr *to = (const struct sockaddr *)m.port;
  for (size_t n = sizeof greeting; n > 0; n /= 2) {
    char heard;
    const int fd = socket(to->sa_family, SOCK_STREAM, 0);
    CHECK(fd >= 0 && connect(fd, to, sizeof(struct sockaddr_in)) == 0);
    CHECK(send(fd, greeting, n, MSG_NOSIGNAL) == (ssize_t)n);
    CHECK(recv(fd, &heard, 1, 0) <= 0);
    close(fd);
  }
  for (int i = 0; i < SILENT; i++) {
    const int fd = socket(to->sa_family, SOCK_STREAM, 0);
    CHECK(fd >= 0 && connect(fd, to, sizeof(struct sockaddr_in)) == 0);
  }
  sleep(1);
  return 0;
}

int main(int argc, char **argv) {
  CHECK(argc >= 3);
  at_own = argc > 3 && strcmp(argv[argc - 1], "own") == 0;
  if (strcmp(argv[1], "knock") == 0) return knock(argv[2]);
  if (strcmp(argv[1], "outside") == 0) return touch("read", "told", argv[2], false);
  if (strcmp(argv[1], "job") == 0) return job(argv[2]);
  if (strcmp(argv[1], "packet") == 0) return packets(argv[2]);
  CHECK(argc == 4);
  return touch(argv[1], argv[2], argv[3], true);
}
