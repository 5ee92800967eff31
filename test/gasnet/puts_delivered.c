/* Where a provider keeps no reads behind writes (WEFT_DEBUG=completion=delivery) puts are there
 * when they are synced all the same: PE 0's writes leave late here, and its reads at once. */
#define GASNET_SEQ
#define ROOM (1 << 17)
#include <gasnet.h>
#include <pthread.h>
#include <unistd.h>

#include "gasnet/rma_frame.h"
#include "job/job.h"

enum { ROUNDS = 60, LATE_US = 2000, LARGE = 70000 };

typedef struct late {
  struct late *next;
  struct fid_ep *ep;
  struct fi_msg_rma message;
  struct iovec local;
  struct fi_rma_iov remote;
  void *no_descriptor[1];
  uint64_t flags;
  char data[];
} late_t;

static ssize_t (*write_now)(struct fid_ep *ep, const struct fi_msg_rma *message, uint64_t flags);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static late_t *first, **last = &first;
static bool over;

static ssize_t write_late(struct fid_ep *ep, const struct fi_msg_rma *message, uint64_t flags) {
  const size_t n = message->msg_iov->iov_len;
  late_t *l = malloc(sizeof *l + n);
  *l = (late_t){.ep = ep, .message = *message, .local = *message->msg_iov, .flags = flags};
  l->remote = *message->rma_iov;
  if (flags & FI_INJECT) l->local.iov_base = memcpy(l->data, message->msg_iov->iov_base, n);
  l->message.msg_iov = &l->local;
  l->message.rma_iov = &l->remote;
  l->message.desc = l->no_descriptor;
  pthread_mutex_lock(&lock);
  *last = l;
  last = &l->next;
  pthread_mutex_unlock(&lock);
  return 0;
}

static void *post(void *unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&lock);
    late_t *l = first;
    if (l && !(first = l->next)) last = &first;
    const bool ends = over && !l;
    pthread_mutex_unlock(&lock);
    if (ends) return NULL;
    usleep(LATE_US);
    while (l && write_now(l->ep, &l->message, l->flags) == -FI_EAGAIN) sched_yield();
    free(l);
  }
}

static unsigned char source[LARGE], got[LARGE];

static void put(unsigned round, unsigned char *dest, size_t n) {
  gex_Event_t lc, event = GEX_EVENT_INVALID;
  switch (round % 6) {
  case 0: gex_RMA_PutNBI(tm, 1, dest, source, n = 40, GEX_EVENT_NOW, 0); break;
  case 1: gex_RMA_PutNBI(tm, 1, dest, source, n = 8, GEX_EVENT_NOW, 0); break;
  case 2: gex_RMA_PutNBI(tm, 1, dest, source, n, GEX_EVENT_GROUP, 0); break;
  case 3: gex_RMA_PutNBI(tm, 1, dest, source, n, GEX_EVENT_DEFER, 0); break;
  case 4:
    gex_NBI_BeginAccessRegion(0);
    gex_RMA_PutNBI(tm, 1, dest, source, n = 40, GEX_EVENT_NOW, 0);
    event = gex_NBI_EndAccessRegion(0);
    break;
  default: event = gex_RMA_PutNB(tm, 1, dest, source, n, &lc, 0);
  }
  gex_Event_Wait(event);
  if (round % 12 < 6)
    gex_NBI_Wait(GEX_EC_PUT, 0);
  else
    while (gex_NBI_Test(GEX_EC_PUT, 0) != GASNET_OK) gasnet_AMPoll();
  gex_RMA_GetBlocking(tm, got, 1, dest, n, 0);
  CHECK(memcmp(got, source, n) == 0);
}

int main(int argc, char **argv) {
  start(argc, argv);
  CHECK_EQ(npes, 2);
  everybody();
  if (me == 0) {
    pthread_t postman;
    struct fid_ep *ep = weft_job.endpoint.ep;
    struct fi_ops_rma *real = ep->rma, slow = *real;
    write_now = real->writemsg;
    slow.writemsg = write_late;
    ep->rma = &slow;
    CHECK_EQ(pthread_create(&postman, NULL, post, NULL), 0);
    for (unsigned round = 0; round < ROUNDS; round++) {
      fill(source, sizeof source, 0, 1, round);
      put(round, there(1), LARGE);
    }
    __atomic_store_n(&over, true, __ATOMIC_RELAXED);
    CHECK_EQ(pthread_join(postman, NULL), 0);
    ep->rma = real;
  }
  finish();
}
