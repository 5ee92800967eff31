/*
 * What one PE tells the others and what cannot be, by name and number (sizes.sh): the bytes of its
 * part of a collect, more than there are; rules of a table that has not so many; words without an
 * end; where its turn area lies, or lists of that, too short. And in meetings, where PEs may fail:
 * a call for another member, one to a meeting of another size, an outcome with more PEs than there
 * are.
 */
#include "check.h"
#include "coll/coll.h"
#include "job/job.h"
#include "port/port.h"
#include "runtime/runtime.h"

enum { ROOM = 4096, PART = 8, KEY = 7, ASK = 1 /* sync/alive.c */, STOPPED_AT = 38 };

static const char *what;
static uint64_t number;
static bool lies; /* this PE, from here on */

void __real_weft_coll_share(void *p, size_t n);
void __wrap_weft_coll_share(void *p, size_t n);
void __real_weft_mail_send(int pe, uint64_t key, const void *data, size_t n);
void __wrap_weft_mail_send(int pe, uint64_t key, const void *data, size_t n);
void __real_weft_service_answer(const weft_call_t *by, int pe, uint64_t result, uint64_t value);
void __wrap_weft_service_answer(const weft_call_t *by, int pe, uint64_t result, uint64_t value);

/* The first that PE 0 tells all is how many rules there are; with WEFT_CHECK=1 also in words what
 * it is called with. */
void __wrap_weft_coll_share(void *p, size_t n) {
  static bool told;
  char lie[WEFT_COLL_SHARE_MAX];
  memset(lie, 'x', sizeof lie);
  if (!told) memcpy(lie, &number, sizeof(int));
  if (weft_job.pe == 0 && strcmp(what, told ? "words" : "table") == 0) p = lie;
  told = true;
  __real_weft_coll_share(p, n);
}

/* A letter with places. */
void __wrap_weft_mail_send(int pe, uint64_t key, const void *data, size_t n) {
  uint64_t places[8];
  CHECK(n <= sizeof places);
  memcpy(places, data, n);
  if (lies && strcmp(what, "place") == 0) places[0] = number;
  if (lies && strcmp(what, "list") == 0) n -= sizeof *places;
  __real_weft_mail_send(pe, key, places, n);
}

void __wrap_weft_service_answer(const weft_call_t *by, int pe, uint64_t result, uint64_t value) {
  if (lies) value += number << STOPPED_AT;
  __real_weft_service_answer(by, pe, result, value);
}

static void collect(void) {
  static char source[PART];
  char *dest = weft_symmetric_alloc(64, ROOM, "test");
  memset(dest, 7, ROOM);
  weft_coll_sync(weft_team_world());
  const size_t n = weft_job.pe == 1 ? number : PART;
  weft_coll_collect(weft_team_world(), dest, source, n);
  const size_t all = (size_t)(weft_job.npes - 1) * PART + n;
  for (size_t i = 0; i < ROOM; i++) CHECK_EQ(dest[i], i < all ? 0 : 7);
}

static void make_team(const weft_set_t *all) {
  lies = weft_job.pe == 1;
  weft_team_free(weft_team_meet(all));
}

/* PE 1 calls PE 0 for a member of a meeting of `size`, before that comes. */
static void call_meeting(uint64_t size, int cond) {
  const uint64_t call[] = {KEY, 1, size, 0, 0};
  uint64_t *result = weft_private_alloc(64, sizeof *result);
  weft_service_send(0, weft_job.layout.shared, WEFT_SERVICE_MEET, 0, (uint64_t)cond, call,
                    sizeof call, result);
  if (cond == ASK) weft_service_wait(0, result);
}

static void meet(const weft_set_t *all) {
  weft_meeting_t meeting = {.set = all, .key = KEY};
  const bool other = strcmp(what, "meeting") == 0;
  if (other && weft_job.pe == 1) call_meeting(number, ASK);
  if (strcmp(what, "member") == 0 && weft_job.pe == 1) call_meeting(3, 0);
  weft_coll_sync(weft_team_world());
  lies = weft_job.pe == 0 && strcmp(what, "outcome") == 0;
  while (other && weft_job.pe > 0) pause(); /* PE 0 is the one to say so */
  weft_alive_meet(&meeting);
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  what = argv[1], number = strtoull(argv[2], NULL, 0);
  weft_runtime_start("test");
  weft_teams_start();
  const weft_set_t all = {.stride = 1, .size = weft_job.npes};
  if (strcmp(what, "collect") == 0 || strcmp(what, "words") == 0)
    collect();
  else if (strcmp(what, "place") == 0 || strcmp(what, "list") == 0)
    make_team(&all);
  else
    meet(&all);
  if (weft_job.pe == 0) puts("right");
  weft_runtime_stop();
  return 0;
}
