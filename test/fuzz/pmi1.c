/*
 * PMI-1's wire: any answers of a launcher, from the first to the last, to a PE that opens,
 * exchanges and leaves.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "boot/boot_internal.h"
#include "fuzz.h"

enum { LAUNCHER = 200 }; /* the descriptor */

static bool exchange(void) {
  unsigned char mine[50], all[2 * sizeof mine];
  weft_boot_t *boot = NULL;
  memset(mine, 0x5a, sizeof mine);
  if (weft_boot_pmi1_open(&boot) < 0) return false;
  const bool done = boot->allgather(boot, mine, sizeof mine, all) == 0 &&
                    memcmp(all + sizeof mine, mine, sizeof mine) == 0;
  boot->finalize(boot);
  return done;
}

bool fuzz_input(const uint8_t *data, size_t size) {
  int ends[2];
  if (size > 1 << 16 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) return false;
  setenv("PMI_FD", "200", 1);
  setenv("PMI_RANK", "1", 1);
  setenv("PMI_SIZE", "2", 1);
  FUZZ_CHECK(dup2(ends[0], LAUNCHER) == LAUNCHER);
  close(ends[0]);
  /* All answers are there before the first question, and then nobody. */
  const bool sent = send(ends[1], data, size, MSG_DONTWAIT) == (ssize_t)size;
  shutdown(ends[1], SHUT_WR);
  const bool taken = sent && exchange();
  close(LAUNCHER);
  close(ends[1]);
  return taken;
}
