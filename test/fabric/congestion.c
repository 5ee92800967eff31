/*
 * The congestion control of the connections between nodes (src/fabric/congestion.c).
 *   congestion NAME        all that shmem_init and traffic have made have this one, and what is
 *                          listened on, from which accepted ones inherit it
 */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <shmem.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

#include "check.h"

enum { DESCRIPTORS = 1024 };

static bool was[DESCRIPTORS]; /* open when the program began, such as the launcher's */
static long word;

static bool listens(int fd) {
  int yes = 0;
  socklen_t n = sizeof yes;
  return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &yes, &n) == 0 && yes;
}

/* Is it connected or listened on, over TCP, and with what congestion control? */
static bool is_connection(int fd, char name[16]) {
  struct sockaddr_storage other;
  socklen_t n = sizeof other, of_name = 16;
  return (listens(fd) || getpeername(fd, (struct sockaddr *)&other, &n) == 0) &&
         getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, &of_name) == 0;
}

static void check_all(const char *wanted) {
  char name[16];
  int found = 0, listening = 0;
  for (int fd = 0; fd < DESCRIPTORS; fd++) {
    if (was[fd] || !is_connection(fd, name)) continue;
    CHECK_STR(name, wanted);
    found++;
    listening += listens(fd);
  }
  CHECK(found > listening && listening > 0);
}

int main(int argc, char **argv) {
  char name[16];
  CHECK_EQ(argc, 2);
  for (int fd = 0; fd < DESCRIPTORS; fd++) was[fd] = is_connection(fd, name);
  shmem_init();
  const int n = shmem_n_pes();
  for (int pe = 0; pe < n; pe++) shmem_long_atomic_inc(&word, pe);
  shmem_barrier_all();
  CHECK_EQ(word, n);
  check_all(argv[1]);
  shmem_finalize();
  return 0;
}
