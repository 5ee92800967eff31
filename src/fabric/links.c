/*
 * The TCP connections below this process's endpoints. Providers report a broken connection only by
 * some of the operations that were under way on it, and a link that is down not at all, so the
 * kernel is asked: which connections are there, and since when was nothing heard of the other end.
 * The addresses of endpoints tell these connections from the program's own. Providers that do not
 * run over TCP have none here. Knows no job.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <linux/tcp.h> /* all of tcp_info, which glibc's header lacks */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fabric/fabric_internal.h"

enum {
  CLOSED = 7, /* TCP_CLOSE, which is the other header's */
  LEAST_S = 1 /* the kernel asks an idle other end no more often */
};

#ifndef TCP_RTO_MAX_MS
#define TCP_RTO_MAX_MS 44 /* Linux 6.15 */
#endif

typedef struct sockaddr_storage address_t;

typedef struct link {
  int fd;
  address_t ours, theirs;
  bool seen;        /* by the look that is going on */
  bool made;        /* by this process: a stranger may connect to us, and go */
  uint64_t since;   /* ns: silence counts from here: it was first seen, or looks begin anew */
  uint8_t asked;    /* at the last look: what the kernel has sent since it heard of the other end */
  uint64_t late_at; /* ns: when it was seen to send the first of that after too long a silence */
} link_t;

/* A look takes several system calls for each descriptor of the process, and who connects or is
 * connected to must not wait for all of them: `lock` is held for each descriptor by itself. */
static struct {
  weft_lock_t looking; /* its holder looks at all connections: `links` and `at` are its own */
  weft_lock_t lock;    /* of all others */
  uint64_t *known;     /* addresses of endpoints as hashes: an open table, 0 is free */
  size_t nknown, room;
  link_t *links;
  int nlinks, links_room;
  int *at; /* per descriptor: 1 + the place among `links` where it was last, or 0 */
  int at_room;
  weft_link_report_t lost;   /* the last connection found lost */
  weft_link_report_t others; /* likewise, that this process had not made */
  weft_link_report_t ended;  /* the last that the provider closed since the last look */
  address_t **to; /* per descriptor: what the provider has connected it to, if that is known */
  int to_room;
  int listening[8]; /* the last descriptors that the provider began to listen on */
  unsigned nlistening;
} table;

unsigned weft_links_taken;

/* ---- which addresses are endpoints' ---------------------------------------------------------- */

uint64_t weft_links_hash(const void *address) {
  const weft_secret_t none = {{0}};
  const struct sockaddr_in *four = address;
  const struct sockaddr_in6 *six = address;
  unsigned char text[18] = {0};
  if (four->sin_family == AF_INET) {
    memcpy(text, &four->sin_port, 2);
    memcpy(text + 2, &four->sin_addr, 4);
  } else if (six->sin6_family == AF_INET6) {
    memcpy(text, &six->sin6_port, 2);
    memcpy(text + 2, &six->sin6_addr, 16);
  } else {
    return 0;
  }
  return weft_hash_keyed(&none, text, sizeof text) | 1;
}

static uint64_t *place_of(uint64_t *known, size_t room, uint64_t hash) {
  size_t at = hash & (room - 1);
  while (known[at] && known[at] != hash) at = (at + 1) & (room - 1);
  return &known[at];
}

static bool grow(void) {
  const size_t room = table.room ? 2 * table.room : 64;
  uint64_t *known = calloc(room, sizeof *known);
  if (!known) return false;
  for (size_t i = 0; i < table.room; i++)
    if (table.known[i]) *place_of(known, room, table.known[i]) = table.known[i];
  free(table.known);
  table.known = known;
  table.room = room;
  return true;
}

void weft_links_know(const void *address) {
  const uint64_t hash = weft_links_hash(address);
  if (!hash) return;
  weft_lock(&table.lock);
  if (2 * table.nknown < table.room || grow()) {
    uint64_t *place = place_of(table.known, table.room, hash);
    table.nknown += *place == 0;
    *place = hash;
  }
  weft_unlock(&table.lock);
}

/* The descriptor of those that listen, of late; -1: none listens at the address. */
static int listener_at(const void *address) {
  const unsigned most = WEFT_ARRAY_LEN(table.listening), all = table.nlistening;
  int found = -1;
  weft_lock(&table.lock);
  for (unsigned i = 0; i < all && i < most && found < 0; i++) {
    address_t ours;
    socklen_t n = sizeof ours;
    if (getsockname(table.listening[i], (struct sockaddr *)&ours, &n) == 0 &&
        weft_links_hash(&ours) == weft_links_hash(address))
      found = table.listening[i];
  }
  weft_unlock(&table.lock);
  return found;
}

bool weft_links_listens(const void *address) {
  return listener_at(address) >= 0;
}

/* BBR goes on pacing a connection that had it when it was made; so what is accepted has to begin
 * with the other control. */
void weft_links_know_own(const void *address) {
  weft_links_know(address);
  const int listener = listener_at(address);
  if (listener >= 0) weft_congestion_choose(listener);
}

static bool is_known(const void *address) {
  const uint64_t hash = weft_links_hash(address);
  return hash && table.room && *place_of(table.known, table.room, hash);
}

void weft_links_forget(void) {
  weft_lock(&table.looking);
  weft_lock(&table.lock);
  free(table.known);
  free(table.links);
  free(table.at);
  table.known = NULL;
  table.links = NULL;
  table.at = NULL;
  table.nknown = table.room = 0;
  table.nlinks = table.links_room = table.at_room = 0;
  for (int fd = 0; fd < table.to_room; fd++) free(table.to[fd]);
  free(table.to);
  table.to = NULL;
  table.to_room = 0;
  table.lost.state = table.others.state = table.ended.state = WEFT_LINK_WELL;
  weft_unlock(&table.lock);
  weft_unlock(&table.looking);
}

/* ---- a look ---------------------------------------------------------------------------------- */

void weft_links_name(const void *address, char text[WEFT_LINK_NAME]) {
  const struct sockaddr_in *four = address;
  const struct sockaddr_in6 *six = address;
  char host[INET6_ADDRSTRLEN] = "?";
  const bool is_four = four->sin_family == AF_INET;
  inet_ntop(four->sin_family, is_four ? (const void *)&four->sin_addr : &six->sin6_addr, host,
            sizeof host);
  snprintf(text, WEFT_LINK_NAME, is_four ? "%s:%u" : "[%s]:%u", host,
           ntohs(is_four ? four->sin_port : six->sin6_port));
}

static bool same(const address_t *a, const address_t *b) {
  const size_t n =
      a->ss_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
  return a->ss_family == b->ss_family && memcmp(a, b, n) == 0;
}

/* The kernel asks an idle other end whether it is there, and repeats what was lost soon enough to
 * find a link that is up again. */
static void keep_asking(int fd, int patience_s) {
  enum { NEVER = 100000 };
  if (patience_s > NEVER) return;
  const int one = 1, every = patience_s / 4 > 0 ? patience_s / 4 : LEAST_S, many = 127;
  const int longest = patience_s * 1000 / 8 > 1000 ? patience_s * 1000 / 8 : 1000; /* ms */
  setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &every, sizeof every);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof every);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &many, sizeof many);
  setsockopt(fd, IPPROTO_TCP, TCP_RTO_MAX_MS, &longest, sizeof longest); /* where there is such */
}

/* True if this process has sent more than the provider's greeting, and the other end has answered.
 * The greeting is one segment. While only it was sent, even several times, each segment carried all
 * there is; once there is more, the segments carry less on the average. (The other end's closing
 * counts as one byte received.) */
static bool was_written(const struct tcp_info *info) {
  const uint64_t sent = info->tcpi_bytes_sent, again = info->tcpi_bytes_retrans;
  const uint32_t segments = info->tcpi_data_segs_out;
  const bool more = sent ? segments > 0 && sent > again && sent - again > sent / segments
                         : segments > 1; /* before Linux 4.19 */
  return more && info->tcpi_bytes_received > 1;
}

/* Of two that were made at the same time the provider refuses one, with an answer to its greeting;
 * nothing is written on that one, and its end is no loss. */
static bool is_written(const struct tcp_info *info) {
  return info->tcpi_state != CLOSED && was_written(info);
}

/* Of two that had the same descriptor one after the other, the later one is found. */
static link_t *find(int fd, const address_t *ours, const address_t *theirs) {
  const int at = fd < table.at_room ? table.at[fd] : 0;
  link_t *l = at > 0 && at <= table.nlinks ? &table.links[at - 1] : NULL;
  return l && l->fd == fd && same(&l->ours, ours) && same(&l->theirs, theirs) ? l : NULL;
}

/* Room for descriptors up to this one. */
static bool index_up_to(int fd) {
  int room = table.at_room ? table.at_room : 64;
  while (room <= fd) room *= 2;
  if (room == table.at_room) return true;
  int *at = realloc(table.at, (size_t)room * sizeof *at);
  if (!at) return false;
  memset(at + table.at_room, 0, (size_t)(room - table.at_room) * sizeof *at);
  table.at = at;
  table.at_room = room;
  return true;
}

static link_t *add(int fd, const address_t *ours, const address_t *theirs, bool made,
                   int patience_s) {
  if (!index_up_to(fd)) return NULL;
  if (table.nlinks == table.links_room) {
    const int room = table.links_room ? 2 * table.links_room : 64;
    link_t *links = realloc(table.links, (size_t)room * sizeof *links);
    if (!links) return NULL;
    table.links = links;
    table.links_room = room;
  }
  link_t *l = &table.links[table.nlinks++];
  *l = (link_t){.fd = fd, .ours = *ours, .theirs = *theirs, .since = weft_clock_ns(), .made = made};
  table.at[fd] = table.nlinks;
  keep_asking(fd, patience_s);
  return l;
}

/* The last one takes its place. */
static void take_out(link_t *l) {
  const int at = (int)(l - table.links) + 1;
  if (table.at[l->fd] == at) table.at[l->fd] = 0;
  const link_t *last = &table.links[--table.nlinks];
  if (l == last) return;
  if (table.at[last->fd] == table.nlinks + 1) table.at[last->fd] = at;
  *l = *last;
}

static void report(weft_link_report_t *r, enum weft_link_state state, const link_t *l) {
  r->state = state;
  weft_links_name(&l->ours, r->ours);
  weft_links_name(&l->theirs, r->theirs);
  memcpy(r->peer, &l->theirs, sizeof r->peer);
}

/* Is the descriptor a connection, and between whom? */
static bool is_connection(int fd, address_t *ours, address_t *theirs) {
  socklen_t n = sizeof *theirs;
  if (getpeername(fd, (struct sockaddr *)theirs, &n) < 0) return false;
  if (theirs->ss_family != AF_INET && theirs->ss_family != AF_INET6) return false;
  n = sizeof *ours;
  return getsockname(fd, (struct sockaddr *)ours, &n) == 0;
}

/* Is it one of an endpoint? `made`: its other end has the address of an endpoint, so this process
 * has made it. */
static bool is_link(int fd, address_t *ours, address_t *theirs, bool *made) {
  if (!is_connection(fd, ours, theirs)) return false;
  weft_lock(&table.lock);
  *made = is_known(theirs);
  const bool is = *made || is_known(ours);
  weft_unlock(&table.lock);
  return is;
}

bool weft_links_has(int fd) {
  address_t ours = {0}, theirs = {0};
  bool made;
  return is_link(fd, &ours, &theirs, &made);
}

/* Between two calls of the kernel the descriptor may have become another connection. */
static bool is_still(int fd, const address_t *ours, const address_t *theirs) {
  address_t now = {0}, to = {0};
  return is_connection(fd, &now, &to) && same(&now, ours) && same(&to, theirs);
}

/* ms */
static uint32_t heard_before(const struct tcp_info *info) {
  return info->tcpi_last_ack_recv < info->tcpi_last_data_recv ? info->tcpi_last_ack_recv
                                                              : info->tcpi_last_data_recv;
}

/* What the kernel sends when it hears nothing are probes of an idle other end or of one without
 * room, and repetitions. The pauses between them become longer, up to two minutes where the kernel
 * cannot be told otherwise (before Linux 6.15): a link that was down for a while may be well long
 * before the next one, and that of a stopped receiver without room is well all the time. So silence
 * counts only if one of them left after the time was over, and has had time for its answer. */
static bool asks_in_vain(link_t *l, const struct tcp_info *info, uint32_t heard, uint32_t silence) {
  enum { ANSWER_NS = 1000000000 };
  const uint8_t asked = (uint8_t)(info->tcpi_probes + info->tcpi_retransmits);
  const uint64_t now = weft_clock_ns();
  if (heard < silence)
    l->late_at = 0;
  else if (asked != l->asked && !l->late_at)
    l->late_at = now;
  l->asked = asked;
  return l->late_at && now - l->late_at >= ANSWER_NS;
}

/* One descriptor of the process. */
static void look_at(int fd, int patience_s, weft_link_report_t *r) {
  address_t ours = {0}, theirs = {0};
  struct tcp_info info = {0};
  socklen_t n = sizeof info;
  bool made;
  if (!is_link(fd, &ours, &theirs, &made)) return;
  r->nlinks++;
  if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &n) < 0 || info.tcpi_state == CLOSED) return;
  link_t *l = find(fd, &ours, &theirs);
  if (!l && (!was_written(&info) || !is_still(fd, &ours, &theirs) ||
             !(l = add(fd, &ours, &theirs, made, patience_s))))
    return;
  l->seen = true;
  const uint32_t heard = heard_before(&info);
  const bool owing = info.tcpi_unacked > 0 || info.tcpi_notsent_bytes > 0;
  const uint32_t silence = 1000 * (uint32_t)(patience_s > LEAST_S ? patience_s : 2 * LEAST_S);
  if (!asks_in_vain(l, &info, heard, silence) || r->state != WEFT_LINK_WELL ||
      weft_clock_ns() - l->since < (uint64_t)patience_s * 1000000000)
    return;
  report(r, WEFT_LINK_SILENT, l);
  r->silent_s = heard / 1000;
  r->owing = owing;
}

bool weft_links_is_loopback(const void *address) {
  const struct sockaddr_in *four = address;
  const struct sockaddr_in6 *six = address;
  return four->sin_family == AF_INET
             ? ntohl(four->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET
             : six->sin6_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
}

bool weft_links_match(const void *a, const void *b, bool port) {
  const struct sockaddr_in *x = a, *y = b;
  const struct sockaddr_in6 *x6 = a, *y6 = b;
  if (x->sin_family != y->sin_family || (port && x->sin_port != y->sin_port)) return false;
  return x->sin_family == AF_INET ? x->sin_addr.s_addr == y->sin_addr.s_addr
                                  : memcmp(&x6->sin6_addr, &y6->sin6_addr, 16) == 0;
}

enum wanted { ANY, USED, MUTE };

/* Is the descriptor a connection with the host of the address (NULL: with any)? USED: with that
 * endpoint, and this process has written on it (one that is made again has only greetings on it at
 * first). MUTE: one on which an answer is missing, for so long. */
static bool is_wanted(int fd, const void *address, enum wanted what, uint32_t ms) {
  address_t ours = {0}, theirs = {0};
  struct tcp_info info = {0};
  socklen_t n = sizeof info;
  bool made;
  if (!is_link(fd, &ours, &theirs, &made)) return false;
  if (address && !weft_links_match(&theirs, address, what == USED && made)) return false;
  if (what == ANY) return true;
  if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &n) < 0) return false;
  if (what == USED) return is_written(&info);
  return info.tcpi_state != CLOSED && heard_before(&info) >= ms &&
         (info.tcpi_unacked || info.tcpi_probes || info.tcpi_retransmits);
}

/* (Without /proc: perhaps.) */
static bool is_any(const void *address, enum wanted what, uint32_t ms) {
  bool found = false;
  DIR *dir = opendir("/proc/self/fd");
  for (int fd; !found && weft_next_descriptor(dir, &fd);) found = is_wanted(fd, address, what, ms);
  if (dir) closedir(dir);
  return found || (!dir && what != MUTE);
}

bool weft_links_reach(const void *address) {
  return is_any(address, ANY, 0);
}

bool weft_links_used(const void *address) {
  return is_any(address, USED, 0);
}

bool weft_links_are_mute(const void *address, int patience_s) {
  return is_any(address, MUTE, 500 * (uint32_t)patience_s);
}

void weft_links_each(void (*see)(const void *theirs, void *arg), void *arg) {
  address_t ours = {0}, theirs = {0};
  bool made;
  DIR *dir = opendir("/proc/self/fd");
  for (int fd; weft_next_descriptor(dir, &fd);)
    if (is_link(fd, &ours, &theirs, &made)) see(&theirs, arg);
  if (dir) closedir(dir);
}

static void look_at_all(int patience_s, weft_link_report_t *r) {
  enum { WITHOUT_PROC = 4096 };
  DIR *dir = opendir("/proc/self/fd");
  for (int fd; weft_next_descriptor(dir, &fd);) look_at(fd, patience_s, r);
  const int known = table.at_room > WITHOUT_PROC ? table.at_room : WITHOUT_PROC;
  for (int fd = 0; !dir && fd < known; fd++) look_at(fd, patience_s, r);
  if (dir) closedir(dir);
}

enum weft_link_state weft_links_look(int patience_s, weft_link_report_t *r) {
  weft_link_report_t gone = {0};
  *r = (weft_link_report_t){.state = WEFT_LINK_WELL};
  weft_lock(&table.looking);
  weft_lock(&table.lock);
  const weft_link_report_t ended = table.ended;
  table.ended.state = WEFT_LINK_WELL;
  weft_unlock(&table.lock);
  for (int i = 0; i < table.nlinks; i++) table.links[i].seen = false;
  look_at_all(patience_s, r);
  const int nlinks = r->nlinks;
  weft_lock(&table.lock);
  for (int i = 0; i < table.nlinks;) {
    link_t *l = &table.links[i];
    if (l->seen) {
      i++;
      continue;
    }
    report(&gone, WEFT_LINK_LOST, l);
    if (l->made) /* its other end tells of one that we did not make */
      table.lost = *r = gone;
    else
      table.others = gone;
    if (strcmp(table.ended.ours, gone.ours) == 0 && strcmp(table.ended.theirs, gone.theirs) == 0)
      table.ended.state = WEFT_LINK_WELL; /* it was closed while this looked */
    take_out(l);
  }
  if (ended.state == WEFT_LINK_LOST && r->state != WEFT_LINK_LOST) table.lost = *r = ended;
  r->nlinks = nlinks;
  weft_unlock(&table.lock);
  weft_unlock(&table.looking);
  return r->state;
}

void weft_links_begin_anew(void) {
  weft_lock(&table.looking);
  for (int i = 0; i < table.nlinks; i++) {
    table.links[i].since = weft_clock_ns();
    table.links[i].late_at = 0;
  }
  weft_unlock(&table.looking);
}

bool weft_links_lost(bool others, weft_link_report_t *r) {
  weft_links_look(INT32_MAX / 1000, r);
  weft_lock(&table.lock);
  *r = table.lost.state == WEFT_LINK_LOST || !others ? table.lost : table.others;
  weft_unlock(&table.lock);
  return r->state == WEFT_LINK_LOST;
}

/* ---- connections that live shorter than from one look to the next ---------------------------- */

/* Where the address of a descriptor's other end is kept. NULL: no memory. Under the lock. */
static address_t *keep(int fd) {
  if (fd >= table.to_room) {
    const int room = 2 * fd + 64;
    address_t **to = realloc(table.to, (size_t)room * sizeof *to);
    if (!to) return NULL;
    memset(to + table.to_room, 0, (size_t)(room - table.to_room) * sizeof *to);
    table.to = to;
    table.to_room = room;
  }
  if (!table.to[fd]) table.to[fd] = calloc(1, sizeof **table.to);
  return table.to[fd];
}

/* When a connection was reset the kernel does not know the other end any more. */
static int connect_noted(int fd, const struct sockaddr *to, socklen_t n) {
  weft_lock(&table.lock);
  const bool known = fd >= 0 && n <= sizeof(address_t) && is_known(to);
  address_t *kept = known ? keep(fd) : NULL;
  if (kept) memcpy(kept, to, n);
  weft_unlock(&table.lock);
  if (known) weft_congestion_choose(fd);
  if (weft_door_made(fd, known)) return connect(fd, to, n);
  errno = EMFILE;
  return -1;
}

/* One that this process made and has written on is reported by the next look. (The other end of one
 * that we did not make tells.) */
static int close_noted(int fd) {
  link_t l = {.fd = fd};
  struct tcp_info info = {0};
  socklen_t n = sizeof info, n_ours = sizeof l.ours;
  weft_lock(&table.lock);
  if (fd >= 0 && fd < table.to_room && table.to[fd]) {
    l.theirs = *table.to[fd];
    free(table.to[fd]);
    table.to[fd] = NULL;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &n) == 0 && was_written(&info) &&
        getsockname(fd, (struct sockaddr *)&l.ours, &n_ours) == 0)
      report(&table.ended, WEFT_LINK_LOST, &l);
  }
  weft_unlock(&table.lock);
  weft_looks_forget(fd);
  weft_receive_window_forget(fd);
  weft_door_forget(fd);
  return close(fd);
}

/* Did somebody connect to an endpoint of this process? (It may have gone already.) */
static bool is_at_endpoint(int fd) {
  address_t ours = {0};
  socklen_t n = sizeof ours;
  if (getsockname(fd, (struct sockaddr *)&ours, &n) < 0) return false;
  weft_lock(&table.lock);
  const bool known = is_known(&ours);
  weft_unlock(&table.lock);
  return known;
}

static int taken(int made) {
  if (made < 0) return made;
  weft_poke(&weft_links_taken, weft_peek(&weft_links_taken) + 1);
  if (weft_links_has(made)) weft_congestion_choose(made);
  if (weft_door_taken(made, is_at_endpoint(made))) return made;
  close(made);
  errno = EMFILE;
  return -1;
}

static int accept_noted(int fd, struct sockaddr *from, socklen_t *n) {
  return taken(accept(fd, from, n));
}

static int accept4_noted(int fd, struct sockaddr *from, socklen_t *n, int flags) {
  return taken(accept4(fd, from, n, flags));
}

static int listen_noted(int fd, int backlog) {
  weft_lock(&table.lock);
  table.listening[table.nlistening++ % WEFT_ARRAY_LEN(table.listening)] = fd;
  weft_unlock(&table.lock);
  return listen(fd, backlog);
}

void weft_links_begin(const void *function) {
  weft_calls_set(function, "listen", (void *)listen_noted);
  weft_calls_set(function, "accept", (void *)accept_noted);
  weft_calls_set(function, "accept4", (void *)accept4_noted);
  weft_calls_set(function, "connect", (void *)connect_noted);
  weft_calls_set(function, "close", (void *)close_noted);
}
