/*
 * A connection's receive window has a limit below its buffer's while lone messages come on it, each
 * of which is answered, and none while data stream.
 */
#include "fabric/fabric_internal.h"
#include "fabric/tcp_pair.h"

enum { MESSAGE = 4096, STREAM = 65536, CALLS = 200 };

static int ends[2]; /* the one that sends messages; the one that receives and answers */

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
  /* Segments as on an Ethernet, and a buffer that the kernel leaves as it is. */
  tcp_pair(ends, 1448, 200000);
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
