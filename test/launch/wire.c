/*
 * The PMI-1 server of weftrun, spoken to byte by byte: requests cut anywhere, several in one write,
 * unknown ones, and what MPICH asks for. Runs as the PEs of a job of two. test: none
 */
#include <sys/socket.h>

#include "check.h"

static int fd;

static void put_bytes(const char *text, size_t piece) {
  size_t len = strlen(text);
  for (size_t at = 0; at < len; at += piece) {
    size_t n = len - at < piece ? len - at : piece;
    CHECK_EQ(write(fd, text + at, n), n);
    if (piece < len) usleep(200);
  }
}

static const char *get_line(void) {
  static char line[4096];
  size_t n = 0;
  do {
    CHECK(n < sizeof(line) - 1);
    CHECK_EQ(read(fd, line + n, 1), 1);
  } while (line[n++] != '\n');
  line[n - 1] = '\0';
  return line;
}

static const char *ask(const char *request) {
  put_bytes(request, 4096);
  return get_line();
}

static void test_store(int rank) {
  char request[2048], long_value[1100];
  snprintf(request, sizeof(request), "cmd=put kvsname=x key=k%d value=a=b c=%d\n", rank, rank);
  put_bytes(request, 5);
  CHECK_STR(get_line(), "cmd=put_result rc=0 msg=success");
  CHECK_STR(ask("cmd=get kvsname=x key=none\n"),
            "cmd=get_result rc=-1 msg=key_not_found value=unknown");
  CHECK_STR(ask("cmd=barrier_in\n"), "cmd=barrier_out");
  CHECK_STR(ask("cmd=get kvsname=x key=k0\n"), "cmd=get_result rc=0 msg=success value=a=b c=0");
  put_bytes("cmd=get kvsname=x key=k1\ncmd=get kvsname=x key=k0\ncmd=get_appnum\n", 4096);
  CHECK_STR(get_line(), "cmd=get_result rc=0 msg=success value=a=b c=1");
  CHECK_STR(get_line(), "cmd=get_result rc=0 msg=success value=a=b c=0");
  CHECK_STR(get_line(), "cmd=appnum appnum=0");

  /* The longest value that the server announces, and one more. */
  memset(long_value, 'v', sizeof(long_value));
  long_value[1023] = '\0';
  snprintf(request, sizeof(request), "cmd=put kvsname=x key=long%d value=%s\n", rank, long_value);
  CHECK_STR(ask(request), "cmd=put_result rc=0 msg=success");
  snprintf(request, sizeof(request), "cmd=get kvsname=x key=long%d\n", rank);
  CHECK_STR(strstr(ask(request), "value=") + 6, long_value);
  snprintf(request, sizeof(request), "cmd=put kvsname=x key=more%d value=v%s\n", rank, long_value);
  CHECK_STR(ask(request), "cmd=put_result rc=-1 msg=key_or_value_missing_or_too_long");

  for (int i = 0; i < 1000; i++) { /* the store grows; a later put replaces */
    snprintf(request, sizeof(request), "cmd=put kvsname=x key=n%d.%d value=%d\n", rank, i % 900, i);
    CHECK_STR(ask(request), "cmd=put_result rc=0 msg=success");
  }
  snprintf(request, sizeof(request), "cmd=get kvsname=x key=n%d.5\n", rank);
  CHECK_STR(ask(request), "cmd=get_result rc=0 msg=success value=905");
}

/* All blobs at once, in memory that nobody can change any more. */
static void test_gather(int rank) {
  char request[64], text[64] = "", room[CMSG_SPACE(sizeof(int))], got[5] = "";
  struct iovec part = {.iov_base = text, .iov_len = sizeof(text) - 1};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof(room)};
  CHECK_STR(ask("cmd=weft_gather bytes=2 value=4z42\n"),
            "cmd=weft_gathered rc=-1 msg=the_blobs_differ_in_size");
  CHECK_STR(ask("cmd=weft_gather bytes=2 value=414243\n"),
            "cmd=weft_gathered rc=-1 msg=the_blobs_differ_in_size");
  snprintf(request, sizeof(request), "cmd=weft_gather bytes=2 value=4%d4%d\n", 2 * rank + 1,
           2 * rank + 2);
  put_bytes(request, 7);
  CHECK(recvmsg(fd, &message, 0) > 0);
  CHECK_STR(text, "cmd=weft_gathered rc=0\n");
  const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  CHECK(head && head->cmsg_type == SCM_RIGHTS);
  int memory;
  memcpy(&memory, CMSG_DATA(head), sizeof(memory));
  CHECK_EQ(pread(memory, got, 4, 0), 4);
  CHECK_STR(got, "ABCD");
  CHECK_EQ(pwrite(memory, "x", 1, 0), -1);
  close(memory);
}

int main(void) {
  CHECK(getenv("PMI_FD") && getenv("PMI_RANK"));
  fd = atoi(getenv("PMI_FD"));
  put_bytes("cmd=init pmi_version=1 pmi_subversion=1\n", 1);
  CHECK_STR(get_line(), "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0");
  CHECK_STR(ask("cmd=get_maxes\n"), "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024");
  CHECK(strncmp(ask("cmd=get_my_kvsname\n"), "cmd=my_kvsname kvsname=weft_", 28) == 0);
  CHECK_STR(ask("cmd=get_universe_size\n"), "cmd=universe_size size=2");
  CHECK_STR(ask("cmd=get kvsname=x key=PMI_process_mapping\n"),
            "cmd=get_result rc=0 msg=success value=(vector,(0,1,2))");
  CHECK_STR(ask("cmd=dance\n"), "cmd=dance_result rc=-1 msg=not_supported_by_weftrun");
  CHECK_STR(ask("mcmd=spawn\nnprocs=1\nexecname=x\nendcmd\n"),
            "cmd=spawn_result rc=-1 msg=not_supported_by_weftrun");
  test_store(atoi(getenv("PMI_RANK")));
  test_gather(atoi(getenv("PMI_RANK")));
  CHECK_STR(ask("cmd=finalize\n"), "cmd=finalize_ack");
  return 0;
}
