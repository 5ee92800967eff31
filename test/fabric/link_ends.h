/*
 * Connections of this process with itself, for the tests of looks at them: ends[i] are the two ends
 * of the i-th, the first of which was made to a known endpoint.
 */
#ifndef WEFT_TEST_LINK_ENDS_H
#define WEFT_TEST_LINK_ENDS_H

#include <arpa/inet.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "fabric/fabric.h"

enum { MOST = 2000, LONG_S = 1000 };

static struct sockaddr_in known;
static int listener, ends[MOST][2];

static inline void begin(void) {
  struct rlimit files;
  socklen_t n = sizeof known;
  CHECK_EQ(getrlimit(RLIMIT_NOFILE, &files), 0);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  known = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  listener = socket(AF_INET, SOCK_STREAM, 0);
  CHECK_EQ(bind(listener, (struct sockaddr *)&known, sizeof known), 0);
  CHECK_EQ(listen(listener, 16), 0);
  CHECK_EQ(getsockname(listener, (struct sockaddr *)&known, &n), 0);
  weft_links_know(&known);
}

static inline void exchange(int from, int to) {
  char bytes[4] = "abc";
  CHECK_EQ(write(from, bytes, sizeof bytes), sizeof bytes);
  CHECK_EQ(read(to, bytes, sizeof bytes), sizeof bytes);
}

static inline void make(int i) {
  ends[i][0] = socket(AF_INET, SOCK_STREAM, 0);
  CHECK_EQ(connect(ends[i][0], (struct sockaddr *)&known, sizeof known), 0);
  ends[i][1] = accept(listener, NULL, NULL);
  CHECK(ends[i][1] >= 0);
  for (int k = 0; k < 4; k++) exchange(ends[i][0], ends[i][1]), exchange(ends[i][1], ends[i][0]);
}

static inline void end(int i) {
  close(ends[i][0]);
  close(ends[i][1]);
}

static inline int look(weft_link_report_t *r) {
  weft_links_look(LONG_S, r);
  return r->state;
}

#endif
