/*
 * WEFT_ON_DEATH=continue: a PE is killed while it writes a message, between taking its ring and
 * giving it back: half of the payload is in the cells, and nothing is published. With more than 8
 * PEs on the node another sends by the same ring: its messages arrive, all and in order.
 */
#include <signal.h>
#include <sys/mman.h>

#include "am/am.h"
#include "check.h"
#include "job/job.h"
#include "port/port.h"
#include "runtime/runtime.h"
#include "sync/sync.h"

enum { NUMBER = 130, ROUNDS = 500, ROOM = 200 };

static int arrived;

static void take(weft_token_t *token, const unsigned char *payload, size_t n, int32_t round) {
  CHECK_EQ(round, arrived);
  CHECK(n == ROOM && payload[0] == (unsigned char)round && payload[n - 1] == (unsigned char)round);
  CHECK((int)token->from != weft_job_npes() - 1);
  arrived++;
}

static void die(int signal) {
  (void)signal;
  kill(getpid(), SIGKILL);
}

/* The payload ends in memory that cannot be read: who copies it dies in the middle. */
static void send_half(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0);
  memset(pages, 0xff, page); /* as handlers of the cells behind the first these say "in use" */
  signal(SIGSEGV, die);
  const int32_t round = -1;
  weft_am_request(0, WEFT_AM_MEDIUM, NUMBER, pages + page - 180, ROOM, 0, 0, NULL, 1, &round);
}

int main(void) {
  unsigned char payload[ROOM];
  weft_runtime_start("deaths");
  const int me = weft_job_pe(), npes = weft_job_npes(), dead = npes - 1;
  const weft_set_t all = {.start = 0, .stride = 1, .size = npes};
  weft_meeting_t meeting = {.set = &all, .key = 7};
  CHECK_EQ(weft_am_open(), 0);
  weft_am_register(NUMBER, (weft_am_handler_t)take);
  weft_alive_meet(&meeting);
  if (me == dead) send_half();
  WEFT_WAIT_ON(NULL, weft_job_has_failed(dead));
  const int sender = dead > 8 ? dead - 8 : dead - 1; /* by the same ring, where rings are shared */
  for (int32_t round = 0; me == sender && round < ROUNDS; round++) {
    memset(payload, round, sizeof payload);
    weft_am_request(0, WEFT_AM_MEDIUM, NUMBER, payload, sizeof payload, 0, 0, NULL, 1, &round);
  }
  while (me == 0 && arrived < ROUNDS) weft_am_poll();
  CHECK_EQ(weft_alive_meet(&meeting).failed, 1);
  weft_runtime_stop();
  return 0;
}
