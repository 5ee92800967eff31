/*
 * A connection whose greeting was answered may be one that the provider refuses, also if the kernel
 * had to send the greeting again: its end is a loss only if more was sent.
 */
#include <linux/filter.h>
#include <linux/tcp.h> /* all of tcp_info, which glibc's header lacks */
#include <netinet/in.h>

#include "link_ends.h"

enum { GREETING = 64 /* bytes */ };

static uint64_t sent_again(int fd) {
  struct tcp_info info = {0};
  socklen_t n = sizeof info;
  CHECK_EQ(getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &n), 0);
  return info.tcpi_bytes_retrans;
}

/* Whatever has as many bytes behind TCP's header as a greeting is dropped before TCP sees it. */
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

int main(void) {
  begin();
  end_greeted(false);
  end_greeted(true);
  return 0;
}
