/*
 * A connection's receive window has a limit below its buffer's while lone messages come on it, each
 * of which is answered, and none while data stream.
 */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "check.h"
#include "fabric/fabric_internal.h"

enum { MESSAGE = 4096, STREAM = 65536, CALLS = 200 };

static int ends[2]; /* the one that sends messages; the one that receives and answers */

/* Segments as on an Ethernet, and a buffer that the kernel leaves as it is. */
static void begin(void) {
  const int segment = 1448, buffer = 200000, listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t n = sizeof at;
  setsockopt(listener, IPPROTO_TCP, TCP_MAXSEG, &segment, sizeof segment);
  setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
  CHECK_EQ(bind(listener, (struct sockaddr *)&at, n), 0);
  CHECK_EQ(listen(listener, 1), 0);
  CHECK_EQ(getsockname(listener, (struct sockaddr *)&at, &n), 0);
  ends[0] = socket(AF_INET, SOCK_STREAM, 0);
  CHECK_EQ(connect(ends[0], (struct sockaddr *)&at, sizeof at), 0);
  CHECK((ends[1] = accept(listener, NULL, NULL)) >= 0);
  close(listener);
}

static int window(void) {
  int bytes = 0;
  socklen_t n = sizeof bytes;
  CHECK_EQ(getsockopt(ends[1], IPPROTO_TCP, TCP_WINDOW_CLAMP, &bytes, &n), 0);
  return bytes;
}

static void bring(int calls, size_t bytes, bool answered) {
  static char out[STREAM], in[STREAM];
  for (int i = 0; i < calls; i++) {
    CHECK_EQ(send(ends[0], out, bytes, 0), (ssize_t)bytes);
    for (size_t got = 0; got < bytes;) {
      const ssize_t n = weft_receive_window_recv(ends[1], in, bytes - got, 0);
      CHECK(n > 0);
      got += (size_t)n;
    }
    if (!answered) continue;
    CHECK_EQ(weft_receive_window_send(ends[1], out, 8, 0), 8);
    CHECK_EQ(recv(ends[0], in, 8, MSG_WAITALL), 8);
  }
}

int main(void) {
  begin();
  bring(CALLS, MESSAGE, true);
  const int lone = window();
  bring(CALLS, STREAM, false);
  const int whole = window();
  CHECK_EQ(lone, whole - whole / 4);
  bring(CALLS, MESSAGE, true);
  CHECK_EQ(window(), lone);
  weft_receive_window_forget(ends[1]);
  return 0;
}
