/*
 * What a look at the connections finds: a lost one once, also where another one has its descriptor
 * since, and the others as they were. With the argument "time" it says how long a look takes.
 */
#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/tcp.h> /* all of tcp_info, which glibc's header lacks */
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "fabric/fabric.h"

enum { LINKS = 200, MOST = 2000, LONG_S = 1000, GREETING = 64 /* bytes */ };

static struct sockaddr_in known;
static int listener, ends[MOST][2];

static void begin(void) {
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

static void exchange(int from, int to) {
  char bytes[4] = "abc";
  CHECK_EQ(write(from, bytes, sizeof bytes), sizeof bytes);
  CHECK_EQ(read(to, bytes, sizeof bytes), sizeof bytes);
}

static void make(int i) {
  ends[i][0] = socket(AF_INET, SOCK_STREAM, 0);
  CHECK_EQ(connect(ends[i][0], (struct sockaddr *)&known, sizeof known), 0);
  ends[i][1] = accept(listener, NULL, NULL);
  CHECK(ends[i][1] >= 0);
  for (int k = 0; k < 4; k++) exchange(ends[i][0], ends[i][1]), exchange(ends[i][1], ends[i][0]);
}

static void end(int i) {
  close(ends[i][0]);
  close(ends[i][1]);
}

static int look(weft_link_report_t *r) {
  weft_links_look(LONG_S, r);
  return r->state;
}

static uint64_t sent_again(int fd) {
  struct tcp_info info = {0};
  socklen_t n = sizeof info;
  CHECK_EQ(getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &n), 0);
  return info.tcpi_bytes_retrans;
}

/* Whatever has as many bytes behind TCP's header as a greeting is dropped before it is seen. */
static void drop_greetings(int fd) {
  struct sock_filter by_length[] = {BPF_STMT(BPF_LD | BPF_W | BPF_LEN, 0),
                                    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, GREETING + 20, 0, 1),
                                    BPF_STMT(BPF_RET | BPF_K, 0),
                                    BPF_STMT(BPF_RET | BPF_K, (uint32_t)-1)};
  const struct sock_fprog filter = {.len = 4, .filter = by_length};
  CHECK_EQ(setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter), 0);
}

/* A connection whose greeting had to be sent again, and was answered. */
static void greet_twice(void) {
  char greeting[GREETING] = "";
  const int none = 0;
  drop_greetings(listener);
  ends[0][0] = socket(AF_INET, SOCK_STREAM, 0);
  CHECK_EQ(connect(ends[0][0], (struct sockaddr *)&known, sizeof known), 0);
  CHECK_EQ(write(ends[0][0], greeting, GREETING), GREETING);
  CHECK((ends[0][1] = accept(listener, NULL, NULL)) >= 0);
  while (sent_again(ends[0][0]) == 0) usleep(1000);
  for (int i = 0; i < 2; i++) /* the accepted one has it from the other */
    setsockopt(i ? listener : ends[0][1], SOL_SOCKET, SO_DETACH_FILTER, &none, sizeof none);
  CHECK_EQ(recv(ends[0][1], greeting, GREETING, MSG_WAITALL), GREETING);
  CHECK_EQ(write(ends[0][1], greeting, GREETING), GREETING);
  CHECK_EQ(recv(ends[0][0], greeting, GREETING, MSG_WAITALL), GREETING);
}

/* It may be one that the provider refuses, so its end is a loss only if more was sent. */
static void end_greeted(bool more) {
  weft_link_report_t r;
  greet_twice();
  if (more) exchange(ends[0][0], ends[0][1]);
  if (more) exchange(ends[0][1], ends[0][0]);
  for (int i = 0; i < 2; i++) CHECK_EQ(look(&r), WEFT_LINK_WELL);
  CHECK_EQ(r.nlinks, 2);
  end(0);
  CHECK_EQ(look(&r), more ? WEFT_LINK_LOST : WEFT_LINK_WELL);
  CHECK_EQ(r.nlinks, 0);
}

static void say_time(void) {
  weft_link_report_t r;
  for (int n = 0, up_to = 64; n < MOST && up_to <= 1024; up_to *= 2) {
    while (n < up_to / 2) make(n++);
    look(&r);
    const uint64_t begin = weft_clock_ns();
    for (int i = 0; i < 20; i++) look(&r);
    printf("%d connections: %llu us\n", r.nlinks,
           (unsigned long long)(weft_clock_ns() - begin) / 20000);
  }
}

int main(int argc, char **argv) {
  weft_link_report_t r;
  (void)argv;
  begin();
  if (argc > 1) {
    say_time();
    return 0;
  }
  end_greeted(false);
  end_greeted(true);
  for (int i = 0; i < LINKS; i++) make(i);
  for (int i = 0; i < 2; i++) CHECK_EQ(look(&r), WEFT_LINK_WELL);
  CHECK_EQ(r.nlinks, 2 * LINKS);
  const int before = ends[LINKS / 2][0];
  end(LINKS / 2);
  end(1);
  make(LINKS / 2);
  CHECK(ends[LINKS / 2][0] == ends[1][0] || ends[LINKS / 2][0] == before);
  CHECK_EQ(look(&r), WEFT_LINK_LOST);
  CHECK_EQ(r.nlinks, 2 * (LINKS - 1));
  for (int i = 0; i < 2; i++) CHECK_EQ(look(&r), WEFT_LINK_WELL);
  /* The last, the first, and the new one; each alone. */
  for (int i = 0; i < 3; i++) {
    end(i == 0 ? LINKS - 1 : i == 1 ? 0 : LINKS / 2);
    CHECK_EQ(look(&r), WEFT_LINK_LOST);
    CHECK_EQ(r.nlinks, 2 * (LINKS - 2 - i));
    CHECK_EQ(look(&r), WEFT_LINK_WELL);
  }
  weft_links_forget();
  CHECK_EQ(look(&r), WEFT_LINK_WELL);
  CHECK_EQ(r.nlinks, 0);
  return 0;
}
