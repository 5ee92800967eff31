/* fi_pingpong.c: what the libfabric provider itself costs between hosts, without any runtime: one
 * thread on each side that spins on its completion queue. `make bench` holds Weft against it.
 *   fi_pingpong serve ADDRESS PORT [first]     (ADDRESS is that of this side)
 *   fi_pingpong MINE ADDRESS PORT [first]      (prints the CSV lines)
 * With `first`: the round trips of the first messages, as test/scale/first.c prints Weft's. */
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>

#include "bench.h"
#include "connect.h"
#include "pair.h"

enum { RECEIVES = 16, MESSAGE_MAX = 262144, KEY = 7, AREA_KEY = 8 };

static struct fid_ep *ep;
static struct fid_cq *tx, *rx;
static fi_addr_t peer;
static uint64_t inbox[RECEIVES][MESSAGE_MAX / 8]; /* posted receives, used in turn */
static volatile uint64_t flag;   /* the registered word that the peer writes and reads */
static uint64_t sequence;
static struct fid_mr *local_mr, *area_mr;
static char *area; /* MAX_REGION bytes, written to and from */

static void need(const char *what, int status) {
  if (status == 0) return;
  fprintf(stderr, "fi_pingpong: %s: %s\n", what, fi_strerror(-status));
  exit(1);
}

/* One completion if there is one; both queues are read so that either kind of work advances. */
static bool poll_queue(struct fid_cq *queue, struct fi_cq_entry *entry) {
  ssize_t n = fi_cq_read(queue, entry, 1);
  if (n == -FI_EAVAIL) {
    struct fi_cq_err_entry error = {0};
    fi_cq_readerr(queue, &error, 0);
    need("completion", -error.err);
  }
  return n == 1;
}

static void progress_transmit(void) {
  struct fi_cq_entry entry;
  poll_queue(tx, &entry);
}

static void post(uint64_t *slot) {
  ssize_t status;
  while ((status = fi_recv(ep, slot, sizeof *inbox, NULL, FI_ADDR_UNSPEC, slot)) == -FI_EAGAIN)
    progress_transmit();
  need("fi_recv", (int)status);
}

static void put_word(uint64_t word) {
  ssize_t status;
  while ((status = fi_inject(ep, &word, sizeof word, peer)) == -FI_EAGAIN) progress_transmit();
  need("fi_inject", (int)status);
}

static uint64_t get_word(void) {
  struct fi_cq_entry entry;
  while (!poll_queue(rx, &entry))
    ;
  uint64_t word = *(uint64_t *)entry.op_context;
  post(entry.op_context);
  return word;
}

/* Both send before they look: what a barrier or a collective of two has to do. */
static void exchange(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n; i++) {
    put_word(0);
    get_word();
  }
}

/* The same with writes that tell their target: a collective that brings each of two PEs the other's
 * bytes does this. */
static void exchange_writes(long n, size_t size) {
  long sent = 0, arrived = 0;
  for (long i = 1; i <= n; i++) {
    struct fi_cq_entry entry;
    ssize_t status;
    while ((status = fi_writedata(ep, area, size, NULL, 0, peer, MAX_REGION / 2, AREA_KEY, area)) ==
           -FI_EAGAIN)
      sent += poll_queue(tx, &entry);
    need("fi_writedata", (int)status);
    while (sent < i || arrived < i) {
      sent += poll_queue(tx, &entry);
      if (arrived < i) arrived += poll_queue(rx, &entry); /* the other one may be a write ahead */
    }
  }
}

/* What is too large to inject; its completion is taken before the next one. */
static void send_message(size_t size) {
  struct fi_cq_entry entry;
  ssize_t status;
  while ((status = fi_send(ep, area, size, NULL, peer, area)) == -FI_EAGAIN) progress_transmit();
  need("fi_send", (int)status);
  while (!poll_queue(tx, &entry))
    ;
}

static void message_pingpong(long n, size_t size) {
  for (long i = 0; i < n; i++) {
    if (me == 0) send_message(size);
    get_word();
    if (me == 1) send_message(size);
  }
}

/* What WINDOW puts and a quiet are at the least: one message with all of them, and an answer. */
static void gathered(long n, size_t size) {
  for (long i = 0; i < n; i++) {
    if (me == 0) send_message(WINDOW * size);
    get_word();
    if (me == 1) put_word(0);
  }
}

/* The first one makes the connection. Prints the first, the second and the median of the later
 * ones, in microseconds. */
static void first_messages(void) {
  enum { ROUNDS = 1001, EARLY = 101 };
  static double us[ROUNDS];
  if (me == 0) usleep(200000); /* the other one waits by then */
  for (int i = 0; i < ROUNDS; i++) {
    const double before = bench_now();
    if (me == 0) put_word(0);
    get_word();
    if (me == 1) put_word(0);
    us[i] = (bench_now() - before) * 1e6;
  }
  qsort(us + EARLY, ROUNDS - EARLY, sizeof *us, bench_compare);
  if (me == 0)
    printf("| %.1f | %.1f | %.1f |\n", us[0], us[1], us[EARLY + (ROUNDS - EARLY) / 2]);
}

static void write_word(uint64_t word) {
  ssize_t status;
  while ((status = fi_inject_write(ep, &word, sizeof word, peer, 0, KEY)) == -FI_EAGAIN)
    progress_transmit();
  need("fi_inject_write", (int)status);
}

/* The target polls its memory; the provider moves only while its queue is read. */
static void wait_flag(uint64_t value) {
  struct fi_cq_entry entry;
  while (flag != value)
    poll_queue(rx, &entry); /* no message can arrive here: the peer waits in the same test */
}

static void write_pingpong(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n; i++) {
    sequence++;
    if (me == 0) write_word(sequence);
    wait_flag(sequence);
    if (me == 1) write_word(sequence);
  }
}

static void read_word(void) {
  static uint64_t word;
  struct fi_cq_entry entry;
  ssize_t status;
  while ((status = fi_read(ep, &word, sizeof word, NULL, peer, 0, KEY, &word)) == -FI_EAGAIN)
    progress_transmit();
  need("fi_read", (int)status);
  while (!poll_queue(tx, &entry))
    ;
}

/* The server stands in bench_agree's receive meanwhile, and so makes progress. */
static void reads(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n && me == 0; i++) read_word();
}

static void writes(long n, long window) {
  for (long i = 0; i < n && me == 0; i++) {
    for (long k = 0; k < window; k++) write_word(sequence);
    read_word(); /* arrives after the writes: the flush of a provider without acknowledgements */
  }
}

static void write_flush(long n, size_t size) {
  (void)size;
  writes(n, 1);
}

static void write_rate(long n, size_t size) {
  (void)size;
  writes(n, WINDOW);
}

/* As many as the other programs have under way, and a read behind them. */
static void write_bw(long n, size_t size) {
  const long depth = bench_depth(size);
  struct fi_cq_entry entry;
  for (long i = 0; i < n && me == 0; i++) {
    long done = 0;
    for (long k = 0; k < depth; k++) {
      const uint64_t at = (uint64_t)k * size;
      ssize_t status;
      while ((status = fi_write(ep, area + at, size, NULL, peer, at, AREA_KEY, area)) == -FI_EAGAIN)
        done += poll_queue(tx, &entry);
      need("fi_write", (int)status);
    }
    while (done < depth) done += poll_queue(tx, &entry);
    read_word();
  }
}

/* What Weft would take (src/fabric/provider.c), or what BENCH_PROVIDER says. */
static struct fi_info *get(const char *provider, const char *mine) {
  struct fi_info *hints = fi_allocinfo(), *info = NULL;
  hints->ep_attr->type = FI_EP_RDM;
  hints->caps = FI_MSG | FI_RMA;
  hints->tx_attr->msg_order = hints->rx_attr->msg_order = FI_ORDER_RAW | FI_ORDER_SAS;
  hints->domain_attr->threading = FI_THREAD_DOMAIN;
  hints->fabric_attr->prov_name = strdup(provider);
  if (fi_getinfo(FI_VERSION(1, 17), mine, NULL, FI_SOURCE, hints, &info)) info = NULL;
  fi_freeinfo(hints);
  /* "net" also returns "net;ofi_rxm". */
  while (info && strcmp(info->fabric_attr->prov_name, provider) != 0) info = info->next;
  return info;
}

static struct fi_info *choose(const char *mine) {
  const char *one = getenv("BENCH_PROVIDER"), *const native[] = {"tcp", "net", "tcp;ofi_rxm"};
  struct fi_info *info = one ? get(one, mine) : NULL;
  for (size_t i = 0; !one && !info && i < sizeof native / sizeof *native; i++)
    info = get(native[i], mine);
  if (!info) need("fi_getinfo", -FI_ENODATA);
  fprintf(stderr, "fi_pingpong: %s of libfabric %u.%u\n", info->fabric_attr->prov_name,
          FI_MAJOR(fi_version()), FI_MINOR(fi_version()));
  return info;
}

static void open_endpoint(const char *mine, struct fid_av **av) {
  struct fi_info *info = choose(mine);
  struct fid_fabric *fabric;
  struct fid_domain *domain;
  struct fi_cq_attr cq = {.format = FI_CQ_FORMAT_CONTEXT, .size = 4096};
  struct fi_av_attr table = {.type = FI_AV_TABLE};
  need("fi_fabric", fi_fabric(info->fabric_attr, &fabric, NULL));
  need("fi_domain", fi_domain(fabric, info, &domain, NULL));
  need("fi_av_open", fi_av_open(domain, &table, av, NULL));
  need("fi_cq_open", fi_cq_open(domain, &cq, &tx, NULL));
  need("fi_cq_open", fi_cq_open(domain, &cq, &rx, NULL));
  need("fi_endpoint", fi_endpoint(domain, info, &ep, NULL));
  need("bind av", fi_ep_bind(ep, &(*av)->fid, 0));
  need("bind tx", fi_ep_bind(ep, &tx->fid, FI_TRANSMIT));
  need("bind rx", fi_ep_bind(ep, &rx->fid, FI_RECV));
  need("fi_enable", fi_enable(ep));
  need("fi_mr_reg", fi_mr_reg(domain, (void *)(uintptr_t)&flag, sizeof flag,
                              FI_REMOTE_READ | FI_REMOTE_WRITE, 0, KEY, 0, &local_mr, NULL));
  area = bench_memory(MAX_REGION);
  if (!area) need("memory", -FI_ENOMEM);
  memset(area, 1, MAX_REGION); /* pages that were never written are one page, in the cache */
  need("fi_mr_reg", fi_mr_reg(domain, area, MAX_REGION, FI_REMOTE_WRITE, 0, AREA_KEY, 0, &area_mr,
                              NULL));
}

static void exchange_names(int sock, struct fid_av *av) {
  struct {
    uint64_t bytes;
    char name[120];
  } mine = {.bytes = 120}, other;
  need("fi_getname", fi_getname(&ep->fid, mine.name, &mine.bytes));
  if (send(sock, &mine, sizeof mine, MSG_NOSIGNAL) != sizeof mine ||
      recv(sock, &other, sizeof other, MSG_WAITALL) != sizeof other)
    connect_die("exchange of addresses");
  if (fi_av_insert(av, other.name, 1, &peer, 0, NULL) != 1) need("fi_av_insert", -FI_EINVAL);
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {512, 4096, 65536, 1048576, 0};
  static const size_t messages[] = {512, 4096, 32768, MESSAGE_MAX, 0};
  static const size_t exchanged[] = {32, 128, 512, 2048, 8192, 32768, 131072, 524288, 1048576, 0};
  static const bench_test_t tests[] = {
      {"fi_write_bw", write_bw, NULL, UNIT_MBS, false, 0, sizes},
      {"fi_send", pingpong, NULL, UNIT_US, false, 2, bench_size_8},
      {"fi_message", message_pingpong, NULL, UNIT_US, false, 2, messages},
      {"fi_gathered", gathered, NULL, UNIT_MOPS, false, WINDOW, bench_size_8},
      {"fi_exchange", exchange, NULL, UNIT_US, false, 1, bench_size_8},
      {"fi_exchange_write", exchange_writes, NULL, UNIT_US, false, 1, exchanged},
      {"fi_write", write_pingpong, NULL, UNIT_US, false, 2, bench_size_8},
      {"fi_read", reads, NULL, UNIT_US, false, 1, bench_size_8},
      {"fi_write_flush", write_flush, NULL, UNIT_US, false, 1, bench_size_8},
      {"fi_write_rate", write_rate, NULL, UNIT_MOPS, false, WINDOW, bench_size_8},
  };
  struct fid_av *av;
  const bool first = argc == 5 && !strcmp(argv[4], "first");
  if (argc != 4 + first) {
    fputs("usage: fi_pingpong serve|MINE ADDRESS PORT [first]\n", stderr);
    return 2;
  }
  setenv("IPATH_NO_BACKTRACE", "1", 1); /* a provider library would take SIGSEGV otherwise */
  me = !strcmp(argv[1], "serve");
  npes = 2;
  int sock = connect_pair(me == 1, argv[2], argv[3]);
  open_endpoint(argv[me == 1 ? 2 : 1], &av);
  for (int i = 0; i < RECEIVES; i++) post(inbox[i]);
  exchange_names(sock, av);
  if (first) {
    first_messages();
  } else {
    bench_run(tests, sizeof tests / sizeof tests[0], 1, argv);
    bench_barrier();
    bench_emit("done", 0, 1, "");
  }
  /* Whoever ends first would break the other's last message: both know that all has arrived. */
  char byte = 0;
  if (send(sock, &byte, 1, MSG_NOSIGNAL) != 1 || recv(sock, &byte, 1, 0) != 1)
    connect_die("goodbye");
  return 0;
}
