/*
 * The receive windows of the TCP connections below this process's endpoints. Linux acknowledges a
 * message of more than one segment without delay. It does so where the message arrives if the
 * window that it can offer then is as large as the last one, and otherwise in the receiver's recv,
 * and then the message is late by as much. What a message has taken of the buffer makes the window
 * smaller, unless that has a limit of its own below the buffer's. So a connection gets such a limit
 * while lone messages come on it: 128 KB less than the kernel lets it have, or a quarter less. The
 * kernel makes the buffer larger when it finds the window in the way, and lifts the limit; so this
 * looks again. Where a segment is longer (on loopback 64 KB) it spares nothing.
 *
 * Where data stream it has no limit: between two hosts on one machine the first way takes the
 * sender's time, of which there is none left. Knows no job.
 */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "fabric/fabric_internal.h"

enum {
  CONNECTIONS = 1024, /* descriptors that are seen to: those below this number */
  SEGMENT = 1400,     /* bytes: what is longer may be several segments, or several messages */
  EVERY = 64,         /* calls of recv that bring more, from one look to the next, in the end */
  LONE = 65536,       /* bytes that come for each message that leaves, at most */
  ROW = 2             /* the rest of a long message may be short */
};

static struct {
  uint32_t large;   /* calls of recv that brought more than a segment */
  uint32_t sent;    /* messages since the last look */
  uint64_t came;    /* bytes since the last look in such calls */
  int whole;        /* what the kernel lets it have */
  int limit;        /* what it has instead; 0: `whole` */
  uint8_t row;      /* of messages of more than a segment: ROW behind one, less by each other one */
} windows[CONNECTIONS];

static bool off;

/* By so much less than the whole that a lone message fits in between, and no more: a window that
 * was offered is not taken back, so until as many bytes have come the limit has no effect. */
static int limit_of(int whole) {
  enum { LESS = 2 * LONE };
  return whole - (whole / 4 < LESS ? whole / 4 : LESS);
}

static void set(int fd, int bytes) {
  setsockopt(fd, IPPROTO_TCP, TCP_WINDOW_CLAMP, &bytes, sizeof bytes);
}

static WEFT_COLD void look(int fd) {
  if (off) return;
  const bool lone = weft_peek(&windows[fd].came) <= (uint64_t)weft_peek(&windows[fd].sent) * LONE;
  const int before = weft_peek(&windows[fd].limit);
  int now = 0;
  socklen_t n = sizeof now;
  weft_poke(&windows[fd].came, 0);
  weft_poke(&windows[fd].sent, 0);
  if (!lone && before == 0) return;
  if (getsockopt(fd, IPPROTO_TCP, TCP_WINDOW_CLAMP, &now, &n) != 0) return;
  if (now != before) weft_poke(&windows[fd].whole, now);
  const int whole = weft_peek(&windows[fd].whole), limit = lone ? limit_of(whole) : 0;
  weft_poke(&windows[fd].limit, limit);
  if (now != (lone ? limit : whole)) set(fd, lone ? limit : whole);
}

ssize_t weft_receive_window_recv(int fd, void *to, size_t n, int flags) {
  ssize_t got;
  if (weft_unlikely(weft_door_is_shut(fd)) && !weft_door_enter(fd, &got)) return got;
  got = recv(fd, to, n, flags);
  if (got <= 0 || fd >= CONNECTIONS) return got;
  const uint8_t row = weft_peek(&windows[fd].row);
  if (got <= SEGMENT) {
    if (weft_unlikely(row)) weft_poke(&windows[fd].row, row - 1);
    return got;
  }
  if (row != ROW) weft_poke(&windows[fd].row, ROW);
  const uint32_t large = weft_peek(&windows[fd].large) + 1;
  weft_poke(&windows[fd].large, large);
  weft_poke(&windows[fd].came, weft_peek(&windows[fd].came) + (uint64_t)got);
  if ((large & (large - 1)) == 0 || large % EVERY == 0) look(fd);
  return got;
}

bool weft_receive_window_is_long(int fd) {
  return fd >= 0 && fd < CONNECTIONS && weft_peek(&windows[fd].row);
}

/* A message that is taken in parts counts with its last one. */
void weft_receive_window_sent(int fd, size_t n, ssize_t sent) {
  if (sent >= 0 && (size_t)sent == n && fd >= 0 && fd < CONNECTIONS)
    weft_poke(&windows[fd].sent, weft_peek(&windows[fd].sent) + 1);
}

ssize_t weft_receive_window_send(int fd, const void *from, size_t n, int flags) {
  const ssize_t sent = weft_unlikely(weft_door_is_shut(fd)) ? weft_door_send(fd, from, n, flags)
                                                            : send(fd, from, n, flags);
  weft_receive_window_sent(fd, n, sent);
  return sent;
}

void weft_receive_window_forget(int fd) {
  if (fd < 0 || fd >= CONNECTIONS) return;
  weft_poke(&windows[fd].large, 0);
  weft_poke(&windows[fd].sent, 0);
  weft_poke(&windows[fd].came, 0);
  weft_poke(&windows[fd].limit, 0);
  weft_poke(&windows[fd].row, 0);
}

void weft_receive_window_begin(const void *function) {
  off = !weft_options.limit_window;
  weft_calls_set(function, "recv", (void *)weft_receive_window_recv);
  weft_calls_set(function, "send", (void *)weft_receive_window_send);
}
