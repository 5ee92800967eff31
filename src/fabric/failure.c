/*
 * When an operation fails, or is not taken: what happened to its connection, who is told, and
 * whether it is tried again. Knows no job.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "boot/boot.h"
#include "fabric/fabric_internal.h"

bool weft_fabric_is_over_tcp(const weft_fabric_t *fabric) {
  return strncmp(fabric->name, "tcp", 3) == 0 || strncmp(fabric->name, "net", 3) == 0;
}

bool weft_endpoint_has_tcp_addresses(const weft_endpoint_t *e) {
  const uint32_t format = e->fabric->info->addr_format;
  return format == FI_SOCKADDR_IN || format == FI_SOCKADDR_IN6 || format == FI_SOCKADDR;
}

/* Set where the job goes on without its dead: an operation to a node that is gone counts as done,
 * as the provider would try for ever to reach it. The layers above know that the node is gone. */
static weft_fabric_is_gone_t forgives;

void weft_fabric_forgive(weft_fabric_is_gone_t is_gone) {
  forgives = is_gone;
}

/* Something failed, maybe by a death that is not told yet. */
static WEFT_COLD bool is_forgiven(const weft_endpoint_t *e, uint64_t to) {
  const uint64_t begin = weft_clock_ns();
  while (!forgives(e, to, true)) {
    if (weft_clock_ns() - begin >= WEFT_DEATH_TOLD_NS) return false;
    usleep(1000);
  }
  return true;
}

void weft_fabric_let_launcher_speak(void) {
  /* Not equal in all processes: the first one that says the line ends the others. */
  const int ms = 1000 + getpid() % 16 * 60;
  weft_log_set_delay(ms);
  weft_sleep_ms(ms);
  weft_log_set_delay(0);
}

void weft_fabric_lose(const char *format, ...) {
  char line[WEFT_BOOT_LOST_MAX];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  /* weftrun ends the job when it has judged, after 0.3 s, and kills who does not end 1 s later.
   * Where a job goes on without its dead the others would take a process that ends first for one.
   */
  enum { JUDGED_MS = 2000 };
  if (weft_boot_tell_lost(line)) {
    weft_sleep_ms(JUDGED_MS);
    weft_end_job(1);
  }
  weft_fatal("%s", line);
}

/* Errors that a lost connection causes, and an argument never does. */
static bool is_of_connection(int error) {
  switch (error < 0 ? -error : error) {
  case ECANCELED:
  case ECONNABORTED:
  case ECONNREFUSED:
  case ECONNRESET:
  case EHOSTUNREACH:
  case ENETUNREACH:
  case ENOTCONN:
  case EPIPE:
  case ESHUTDOWN:
  case ETIMEDOUT: return true;
  default: return false;
  }
}

bool weft_endpoint_name(weft_endpoint_t *e, fi_addr_t whose, char text[WEFT_LINK_NAME]) {
  uint8_t address[WEFT_ADDRESS_MAX];
  size_t len = sizeof address;
  if (!weft_endpoint_has_tcp_addresses(e)) return false;
  if (whose == FI_ADDR_UNSPEC
          ? fi_getname(e->scalable ? &e->scalable->fid : &e->ep->fid, address, &len)
          : fi_av_lookup(e->av, whose, address, &len))
    return false;
  weft_links_name(address, text);
  return true;
}

/* Why an operation to `node` (FI_ADDR_UNSPEC: it is not known) may have failed with `error`: a lost
 * connection, if one was seen or the error says so, named by its two ends; else `otherwise`. */
static const char *reason(weft_endpoint_t *e, int error, fi_addr_t node, char text[256],
                          const char *otherwise) {
  const bool of_connection = is_of_connection(error);
  weft_link_report_t r;
  if (!weft_links_lost(of_connection, &r)) {
    if (!of_connection) return otherwise;
    if (!weft_endpoint_name(e, FI_ADDR_UNSPEC, r.ours))
      snprintf(r.ours, sizeof r.ours, "its own end unknown");
    if (node == FI_ADDR_UNSPEC || !weft_endpoint_name(e, node, r.theirs))
      snprintf(r.theirs, sizeof r.theirs, "another");
  }
  snprintf(text, 256, "the connection between this process (%s) and %s was lost", r.ours, r.theirs);
  return text;
}

/* One write to the dead may be both reported and given up, in either order: so the greater of the
 * two numbers counts, not their sum. Under the poll lock. */
static void count_gone(weft_endpoint_t *e) {
  weft_poke(&e->gone, e->failed > e->given_up ? e->failed : e->given_up);
}

void weft_endpoint_give_up(weft_endpoint_t *e, uint64_t posted) {
  weft_lock(&e->poll_lock);
  const uint64_t done = fi_cntr_read(e->writes);
  e->given_up = posted > done ? posted - done : 0;
  count_gone(e);
  weft_unlock(&e->poll_lock);
}

WEFT_COLD void weft_endpoint_report_failure(weft_endpoint_t *e) {
  struct fi_cq_err_entry error = {0};
  char text[128] = "", why[256];
  if (fi_cq_readerr(e->cq, &error, 0) < 0) return;
  weft_op_t *op = error.op_context;
  const bool of_slab = op && op->done == weft_slab_mark;
  /* (What is injected has no context: sockets reports it nevertheless.) */
  const bool counted = e->writes && error.flags & FI_WRITE;
  const bool receives = (error.flags & FI_RECV) || (!op && !counted) || of_slab;
  if (of_slab) weft_slab_break((weft_slab_t *)op, error.flags);
  if (forgives && receives) return;
  if (forgives && is_forgiven(e, FI_ADDR_UNSPEC)) {
    if (counted) e->failed++, count_gone(e);
    if (op && op->done) op->done(op, 0);
    if (op) weft_endpoint_count_down(e, op);
    return;
  }
  /* Receive buffers are cancelled when a connection or the endpoint goes; nothing else may be. */
  if (error.err == FI_ECANCELED && receives) return;
  fi_cq_strerror(e->cq, error.prov_errno, error.err_data, text, sizeof text);
  weft_fabric_let_launcher_speak();
  const char *otherwise = weft_options.check ? "is a node gone?"
                                             : "a remote address that is not symmetric, or a node "
                                               "that is gone? WEFT_CHECK=1 checks addresses";
  const char *because = reason(e, error.err, FI_ADDR_UNSPEC, why, otherwise);
  /* A provider that gets a bad address may end the connection, and then nothing else says so. */
  const bool hints =
      because != otherwise && !weft_options.check && error.flags & (FI_WRITE | FI_READ);
  weft_fabric_lose("an operation over %s failed: %s%s%s: %s%s", e->fabric->name,
                   weft_fabric_error(error.err), *text ? ", " : "", text, because,
                   hints ? "; an address that is not symmetric can be the cause, which "
                           "WEFT_CHECK=1 finds"
                         : "");
}

/* ---- what is not taken ----------------------------------------------------------------------- */

/* The first operation makes the connection. Until there is one the provider has no room, for ever
 * if the network between the two is closed. (Where there is one, the other end is slow, or
 * port/watch.c finds what happened to the link.) */
static WEFT_COLD void check_reach(weft_endpoint_t *e, uint64_t to) {
  /* After a longer pause it is another operation. (Who yields may be away for long.) Where several
   * are tried in turn some are watched, each until it is found to be reached. */
  enum { WATCHED = 8, LOOKS = 8 };
  const uint64_t timeout = (uint64_t)weft_options.link_timeout * 1000000000, longest = timeout / 4;
  static __thread struct {
    const weft_endpoint_t *e;
    uint64_t to, since, last, looked;
  } watched[WATCHED], *again;
  const uint64_t now = weft_clock_ns();
  char address[WEFT_ADDRESS_MAX];
  size_t len = sizeof address;
  again = &watched[to % WATCHED];
  if (now - again->last > longest) again->e = e, again->to = to, again->since = again->looked = now;
  if (again->e != e || again->to != to) return;
  again->last = now;
  if (timeout == 0 || !weft_endpoint_has_tcp_addresses(e) || now - again->looked < timeout / LOOKS)
    return;
  again->looked = now;
  if (fi_av_lookup(e->av, to, address, &len) != 0 || weft_links_reach(address))
    again->last = 0; /* the next one's turn */
  else if (now - again->since >= timeout)
    weft_fabric_lose("no connection to node %llu over %s within %d s: is the network between them "
                     "open? WEFT_IFACE chooses the interface, WEFT_LINK_TIMEOUT this time",
                     (unsigned long long)to, e->fabric->name, weft_options.link_timeout);
}

/* Every write that was taken had a connection. Where there is none when the next operation has to
 * wait, it was lost; the provider makes a new one, but what was written before is gone, and nothing
 * fails for it. The provider may only be busy, and each look takes a while: a fiftieth of the time
 * at the most. */
WEFT_COLD void weft_endpoint_check_written(weft_endpoint_t *e, ssize_t rc, uint64_t to) {
  enum { PAUSE_NS = 1000000, SHARE = 50 };
  static __thread uint64_t next;
  char address[WEFT_ADDRESS_MAX], why[256];
  size_t len = sizeof address;
  const uint64_t now = weft_clock_ns();
  if (rc != -FI_EAGAIN || forgives || now < next || !weft_fabric_is_over_tcp(e->fabric)) return;
  const bool there = fi_av_lookup(e->av, to, address, &len) != 0 || weft_links_used(address);
  const uint64_t rest = SHARE * (weft_clock_ns() - now);
  next = now + (rest < PAUSE_NS ? PAUSE_NS : rest);
  if (there) return;
  weft_fabric_let_launcher_speak();
  weft_fabric_lose("a quiet over %s cannot tell what was put before it: %s", e->fabric->name,
                   reason(e, ECONNRESET, to, why, ""));
}

/* Was something put there that no quiet has followed yet? */
static bool is_written(const weft_endpoint_t *e, uint64_t to) {
  return to < e->nwritten && weft_peek(&e->written[to / 64]) >> to % 64 & 1;
}

bool weft_endpoint_again(weft_endpoint_t *e, ssize_t rc, const char *what, uint64_t to) {
  if (weft_likely(rc >= 0)) return false;
  if (weft_unlikely(forgives != NULL) &&
      (rc == -FI_EAGAIN ? forgives(e, to, false) : is_forgiven(e, to)))
    return false;
  if (rc != -FI_EAGAIN) {
    char why[256];
    weft_fabric_let_launcher_speak();
    weft_fabric_lose(
        "%s to node %llu over %s failed: %s: %s", what, (unsigned long long)to, e->fabric->name,
        weft_fabric_error((int)rc),
        reason(e, (int)rc, to, why,
               weft_options.check ? "is the node gone?"
                                  : "is the node gone? WEFT_CHECK=1 checks arguments"));
  }
  if (is_written(e, to)) weft_endpoint_check_written(e, rc, to);
  check_reach(e, to);
  weft_endpoint_poll_or_yield(e);
  return true;
}

WEFT_COLD bool weft_endpoint_not_taken(weft_endpoint_t *e, ssize_t rc, weft_op_t *op, bool write,
                                       const char *what, uint64_t to) {
  if (op) weft_endpoint_count_down(e, op);
  if (write && e->writes) __atomic_fetch_sub(&e->injected, 1, __ATOMIC_RELAXED);
  return !weft_endpoint_again(e, rc, what, to);
}
