/*
 * What a TCP provider sends of one message stands in two places, its head and the data, so it calls
 * sendmsg. The kernel takes 0.1 us longer for that than for send with the same bytes, more than it
 * takes to put a short message together first.
 *
 * A short message that another one follows at once on the same connection waits for that one, if
 * weft_sends_in_front says so: by itself it would cost as much as 64 KB (WEFT_LOAD). Knows no job.
 */
#include <sys/socket.h>

#include "fabric/fabric_internal.h"
#include "weft/direct.h"

enum { SHORT = 8192 }; /* bytes */

static WEFT_THREAD const void *in_front;

void weft_sends_in_front(const void *data) {
  in_front = data;
}

/* (While it is posted the provider may also send what was to go to others.) */
static bool is_in_front(const struct msghdr *message) {
  const size_t parts = message->msg_iovlen;
  return parts && message->msg_iov[parts - 1].iov_base == in_front &&
         message->msg_iov[parts - 1].iov_len == WEFT_PIECE_APART;
}

ssize_t weft_sends_message(int fd, const struct msghdr *message, int flags) {
  char together[SHORT];
  size_t n = 0;
  for (size_t i = 0; i < message->msg_iovlen; i++) n += message->msg_iov[i].iov_len;
  if (n > SHORT || message->msg_name || message->msg_controllen || flags & MSG_ZEROCOPY) {
    const ssize_t sent = sendmsg(fd, message, flags);
    weft_receive_window_sent(fd, n, sent);
    return sent;
  }
  const int more = weft_unlikely(in_front != NULL) && is_in_front(message) ? MSG_MORE : 0;
  n = 0;
  for (size_t i = 0; i < message->msg_iovlen; i++) {
    const struct iovec *part = &message->msg_iov[i];
    weft_direct_memcpy(together + n, part->iov_base, part->iov_len);
    n += part->iov_len;
  }
  return weft_receive_window_send(fd, together, n, flags | more);
}

void weft_sends_begin(const void *function) {
  weft_calls_set(function, "sendmsg", (void *)weft_sends_message);
}
