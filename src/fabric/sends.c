/*
 * What a TCP provider sends of one message stands in two places, its head and the data, so it calls
 * sendmsg. The kernel takes 0.1 us longer for that than for send with the same bytes, more than it
 * takes to put a short message together first. Knows no job.
 */
#include <sys/socket.h>

#include "fabric/fabric_internal.h"
#include "weft/direct.h"

enum { SHORT = 8192 }; /* bytes */

ssize_t weft_sends_message(int fd, const struct msghdr *message, int flags) {
  char together[SHORT];
  size_t n = 0;
  for (size_t i = 0; i < message->msg_iovlen; i++) n += message->msg_iov[i].iov_len;
  if (n > SHORT || message->msg_name || message->msg_controllen) {
    const ssize_t sent = sendmsg(fd, message, flags);
    weft_receive_window_sent(fd, n, sent);
    return sent;
  }
  n = 0;
  for (size_t i = 0; i < message->msg_iovlen; i++) {
    const struct iovec *part = &message->msg_iov[i];
    weft_direct_memcpy(together + n, part->iov_base, part->iov_len);
    n += part->iov_len;
  }
  return weft_receive_window_send(fd, together, n, flags);
}

void weft_sends_begin(const void *function) {
  weft_calls_set(function, "sendmsg", (void *)weft_sends_message);
}
