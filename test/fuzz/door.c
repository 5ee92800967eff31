/*
 * The door of an endpoint over TCP (src/fabric/door.c): who connects says something in parts,
 * begins with a proof that is right or nearly, resets or closes the connection, or says nothing;
 * several do at once, and the provider takes, hears and closes connections in between. It hears
 * what came behind a right proof, and of all others that they are refused. An input is a row of
 * steps: a kind, the connection, and for some a number and so many bytes. Taken: somebody was let
 * in, and nobody refused.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "caller.h"
#include "fabric/fabric_internal.h"
#include "fuzz.h"

enum { MANY = 6, PROOF = 16, TEXT = 2048, MOST_STEPS = 64 };

typedef enum {
  CONNECT,
  KNOCK,
  TAKE,
  TAKE4,
  SAY,
  SAY_PROOF,
  SAY_NEARLY,
  RESET,
  HEAR,
  LOSE,
  KINDS
} kind_t;

/* One connection: what its maker has said, and what the provider has heard. */
typedef struct {
  int from, to; /* -1: none */
  bool waits; /* to be taken */
  bool honest, in;
  size_t said, heard;
  uint8_t text[TEXT];
} end_t;

static struct {
  struct sockaddr_in known;
  int listener;
  uint8_t proof[PROOF];
  end_t ends[MANY];
  int waiting[MANY], nwaiting;
  bool refused, let_in;
} f;

static enum { WELL, GONE, SHORT } fails; /* the next recv of the door: see __wrap_recv */

ssize_t __real_recv(int fd, void *to, size_t n, int flags);
ssize_t __wrap_recv(int fd, void *to, size_t n, int flags);
/* Between a look at the proof and its taking off the connection may be reset. */
ssize_t __wrap_recv(int fd, void *to, size_t n, int flags) {
  if (!fails || flags & MSG_PEEK) return __real_recv(fd, to, n, flags);
  const bool gone = fails == GONE;
  fails = WELL;
  if (!gone) return __real_recv(fd, to, n / 2, flags);
  errno = ECONNRESET;
  return -1;
}

int io_uring_queue_init_params(unsigned entries, void *ring, void *params);
int io_uring_queue_init_params(unsigned entries, void *ring, void *params) {
  (void)entries, (void)ring, (void)params;
  return -1;
}

static void at_once(int fd) { /* nothing of it stays behind */
  setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){.l_onoff = 1}, sizeof(struct linger));
}

static int make(bool honest) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  FUZZ_CHECK((honest ? caller_connect : connect)(fd, (struct sockaddr *)&f.known,
                                                 sizeof f.known) == 0);
  at_once(fd);
  return fd;
}

/* A proof that somebody has given before is as good as a new one. */
__attribute__((constructor)) static void begin(void) {
  static const weft_secret_t secret = {{3, 4}};
  socklen_t n = sizeof f.known;
  void *const function = (void *)caller_send;
  FUZZ_CHECK(weft_options_read() == 0);
  weft_links_begin(function);
  weft_receive_window_begin(function);
  weft_door_begin(function);
  f.known = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  f.listener = socket(AF_INET, SOCK_STREAM, 0);
  FUZZ_CHECK(bind(f.listener, (struct sockaddr *)&f.known, sizeof f.known) == 0);
  FUZZ_CHECK(caller_listen(f.listener, MANY) == 0);
  FUZZ_CHECK(getsockname(f.listener, (struct sockaddr *)&f.known, &n) == 0);
  weft_links_know_own(&f.known);
  FUZZ_CHECK(weft_fabric_shut_door(&secret) == 0);
  const int from = make(true), to = accept(f.listener, NULL, NULL);
  FUZZ_CHECK(caller_send(from, "", 1) == 1);
  FUZZ_CHECK(recv(to, f.proof, PROOF, MSG_WAITALL) == PROOF);
  caller_close(from), close(to);
}

static void knock(end_t *e, bool honest) {
  if (e->from >= 0 || e->to >= 0 || e->waits) return;
  *e = (end_t){.from = make(honest), .to = -1, .honest = honest, .waits = true};
  f.waiting[f.nwaiting++] = (int)(e - f.ends);
}

/* The kernel hands them out in order; one that was reset before is gone, or is not. */
static void take(bool four) {
  if (!f.nwaiting) return;
  end_t *e = &f.ends[f.waiting[0]];
  memmove(f.waiting, f.waiting + 1, (size_t)--f.nwaiting * sizeof *f.waiting);
  const int fd = (four ? caller_accept4 : caller_accept)(f.listener);
  FUZZ_CHECK(fd >= 0 && weft_door_is_shut(fd));
  at_once(fd);
  e->to = fd;
  e->waits = false;
}

static void say(end_t *e, const uint8_t *what, size_t n) {
  if (e->from < 0 || n > TEXT - e->said || !n) return;
  const ssize_t sent = e->honest ? caller_send(e->from, what, n)
                                 : send(e->from, what, n, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent != (ssize_t)n) return; /* the provider has closed it */
  if (e->honest && !e->said) memcpy(e->text, f.proof, PROOF), e->said = PROOF;
  memcpy(e->text + e->said, what, n);
  e->said += n;
}

static void say_proof(end_t *e, uint8_t damaged) {
  uint8_t proof[PROOF];
  memcpy(proof, f.proof, PROOF);
  proof[damaged % PROOF] ^= damaged / PROOF;
  say(e, proof, PROOF);
}

/* Until what was said is there, or the connection is gone. */
static void arrive(const end_t *e) {
  for (int tries = 0, n = 0; tries < 1000; tries++) {
    const size_t taken = e->in ? PROOF + e->heard : 0;
    if (ioctl(e->to, FIONREAD, &n) == 0 && (size_t)n >= e->said - taken) return;
    if (e->from < 0) return;
    poll(NULL, 0, 1);
  }
}

static void hear(end_t *e, uint8_t fault) {
  uint8_t text[TEXT];
  if (e->to < 0) return;
  arrive(e);
  fails = fault % 3;
  const unsigned before = weft_fabric_refused();
  const bool faulty = fails != WELL;
  const bool right = e->said >= PROOF && memcmp(e->text, f.proof, PROOF) == 0;
  memset(text, 0x55, sizeof text);
  errno = 0;
  const ssize_t n = caller_recv(e->to, text, 1 + fault / 3);
  fails = WELL;
  FUZZ_CHECK(n >= -1 && n <= 1 + fault / 3);
  if (n > 0) {
    FUZZ_CHECK((e->in || right) && PROOF + e->heard + (size_t)n <= e->said);
    FUZZ_CHECK(memcmp(text, e->text + PROOF + e->heard, (size_t)n) == 0);
    e->heard += (size_t)n, e->in = true;
  } else if (!e->in && !faulty && e->from >= 0) {
    FUZZ_CHECK(n == -1 && errno == (e->said && !right ? ECONNREFUSED : EAGAIN));
    if (right) e->in = true; /* nothing behind the proof yet */
  }
  if (!e->in && n < 0) FUZZ_CHECK(text[0] == 0x55);
  FUZZ_CHECK(weft_fabric_refused() - before <= 1);
  f.refused |= n < 0 && errno != EAGAIN;
  f.let_in |= n > 0;
  /* The provider closes what is refused; and what lost a proof half way. */
  if ((n < 0 && errno != EAGAIN) || (faulty && !e->in)) caller_close(e->to), e->to = -1;
}

static void lose(end_t *e, bool here) {
  int *fd = here ? &e->to : &e->from, was = *fd;
  if (was < 0) return;
  (here || e->honest ? caller_close : close)(was);
  FUZZ_CHECK(!weft_door_is_shut(was));
  *fd = -1;
}

bool fuzz_input(const uint8_t *data, size_t size) {
  for (int i = 0; i < MANY; i++) f.ends[i] = (end_t){.from = -1, .to = -1};
  f.nwaiting = 0, f.refused = f.let_in = false;
  size_t at = 0, step = 0;
  for (; at + 2 < size && step < MOST_STEPS; step++) {
    const kind_t kind = data[at] % KINDS;
    end_t *e = &f.ends[data[at + 1] % MANY];
    const uint8_t n = data[at + 2];
    at += 3;
    switch (kind) {
    case CONNECT:
    case KNOCK: knock(e, kind == CONNECT); break;
    case TAKE:
    case TAKE4: take(kind == TAKE4); break;
    case SAY: {
      const size_t bytes = n < size - at ? n : size - at;
      say(e, data + at, bytes);
      at += bytes;
      break;
    }
    case SAY_PROOF: say_proof(e, 0); break;
    case SAY_NEARLY: say_proof(e, n); break;
    case RESET: lose(e, false); break;
    case HEAR: hear(e, n); break;
    default: lose(e, true);
    }
  }
  while (f.nwaiting) take(false);
  for (int i = 0; i < MANY; i++) lose(&f.ends[i], true), lose(&f.ends[i], false);
  return f.let_in && !f.refused;
}
