/*
 * survive.c: teams whose images may fail (Fortran 2018, 5.3.6; WEFT_ON_DEATH=continue). A meeting
 * is one of the images that run (sync.h), and goes on until all of them have seen the same images
 * stopped or failed: what they do next is the same for all. Collectives show their data between two
 * such meetings. Which image waits for which is known to sync alone.
 */
#include <stdlib.h>
#include <string.h>

#include "caf/internal.h"
#include "rma/rma.h"
#include "runtime/runtime.h"

enum { PIECE = WEFT_CAF_PIECE };
enum { RUNS, STOPPED = WEFT_CAF_STOPPED_IMAGE, FAILED = WEFT_CAF_FAILED_IMAGE };

void weft_caf_survive_team(weft_caf_team_t *team, uint64_t key) {
  team->meeting = (weft_meeting_t){.set = &team->set, .key = key};
  team->states = weft_caf_need(calloc((size_t)team->size, sizeof *team->states), "form team");
}

void weft_caf_survive_start(weft_caf_team_t *initial) {
  enum { KEY = 0x636166 };
  initial->set = (weft_set_t){.stride = 1, .size = initial->size};
  weft_caf_survive_team(initial, KEY);
}

/* The states of the images as this one knows them now; the result is equal where they are equal. */
static uint64_t look(weft_caf_team_t *team) {
  uint64_t digest = 14695981039346656037u; /* FNV-1a */
  for (int i = 0; i < team->size; i++) {
    team->states[i] = weft_caf_state(weft_set_world(&team->set, i));
    digest = (digest ^ (unsigned)team->states[i]) * 1099511628211u;
  }
  return digest;
}

static int count(const weft_caf_team_t *team, int state) {
  int n = 0;
  for (int i = 0; i < team->size; i++) n += team->states[i] == state;
  return n;
}

/* No image of the meeting may have seen another one come or go since. */
int weft_caf_survive_meet(weft_caf_team_t *team) {
  weft_outcome_t now;
  do {
    team->told = weft_job_changes();
    team->meeting.value = look(team);
    now = weft_alive_meet(&team->meeting);
  } while (!now.same || now.stopped != count(team, STOPPED) || now.failed != count(team, FAILED));
  for (int i = 0; i < team->size && (now.stopped || now.failed); i++)
    if (team->states[i]) weft_caf_told_state(weft_set_world(&team->set, i));
  return now.stopped ? STOPPED : now.failed ? FAILED : RUNS;
}

bool weft_caf_survive_agree(weft_caf_team_t *team, uint64_t value) {
  team->meeting.value = value;
  const weft_outcome_t now = weft_alive_meet(&team->meeting);
  return now.same;
}

/* ---- form team ------------------------------------------------------------------------------- */

/* Each image tells all others: one that still runs after the meeting has told all. */
void weft_caf_survive_bid(weft_caf_team_t *parent, int number, int index, weft_bid_t *bids) {
  const weft_caf_member_t mine = {.number = number, .key = index};
  weft_caf_member_t *all = weft_caf_shared->members;
  for (int image = 1; image <= parent->size; image++)
    if (parent->states[image - 1] == RUNS)
      weft_direct_put(&all[parent->me - 1], &mine, sizeof mine, weft_caf_pe_of(parent, image),
                      "form team");
  weft_caf_quiet();
  weft_caf_survive_meet(parent);
  for (int i = 0; i < parent->size; i++)
    bids[i] = (weft_bid_t){all[i].number, all[i].key, parent->states[i] == RUNS};
  weft_caf_survive_meet(parent); /* before another team is formed of it */
}

/* ---- data ------------------------------------------------------------------------------------ */

static void worse(int *state, int found) {
  if (found && *state != WEFT_CAF_STOPPED_IMAGE) *state = found;
}

static bool fetch_piece(const weft_caf_team_t *team, int image, char *to, const char *piece,
                        size_t n) {
  const int pe = weft_caf_pe_of(team, image);
  if (weft_job_has_failed(pe)) return false;
  weft_direct_get(to, piece, n, pe, "a collective subroutine");
  return !weft_job_has_failed(pe);
}

int weft_caf_survive_broadcast(weft_caf_team_t *team, char *data, size_t n, int root) {
  int state = 0;
  for (size_t at = 0; at < n; at += PIECE) {
    const size_t part = n - at < PIECE ? n - at : PIECE;
    if (root == team->me) memcpy(weft_caf_shared->piece, data + at, part);
    worse(&state, weft_caf_survive_meet(team));
    if (root != team->me && !fetch_piece(team, root, data + at, weft_caf_shared->piece, part))
      worse(&state, WEFT_CAF_FAILED_IMAGE);
    worse(&state, weft_caf_survive_meet(team));
  }
  return state;
}

int weft_caf_survive_reduce(weft_caf_team_t *team, char *data, size_t n, size_t width,
                            weft_caf_combine_t combine, const void *arg) {
  const bool large = width > PIECE; /* one element at a time, in memory of its own */
  const size_t most = large ? width : PIECE - PIECE % width;
  int state = 0;
  char *theirs = weft_caf_need(malloc(most), "a collective subroutine");
  char *piece = large ? weft_caf_survive_alloc(team, width) : weft_caf_shared->piece;
  if (!piece)
    weft_fatal("a collective subroutine: an element of %zu bytes: %s", width,
               weft_private_shortage());
  for (size_t at = 0; at < n; at += most) {
    const size_t part = n - at < most ? n - at : most;
    bool any = false;
    memcpy(piece, data + at, part);
    worse(&state, weft_caf_survive_meet(team));
    for (int image = team->size; image >= 1; image--) {
      if (!fetch_piece(team, image, theirs, piece, part)) continue;
      if (any)
        combine(theirs, data + at, part / width, arg);
      else
        memcpy(data + at, theirs, part);
      any = true;
    }
    worse(&state, weft_caf_survive_meet(team));
  }
  if (large) weft_caf_survive_free(team, piece);
  free(theirs);
  return state;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* The first image's word, which is not 0, on all images; 0 if that image has failed meanwhile. */
static uint64_t spread(weft_caf_team_t *team, uint64_t word) {
  char *piece = weft_caf_shared->piece;
  memset(piece, 0, sizeof word);
  weft_caf_survive_meet(team);
  for (int image = 1; word && image <= team->size; image++)
    if (team->states[image - 1] == RUNS)
      weft_direct_put(piece, &word, sizeof word, weft_caf_pe_of(team, image), "allocate");
  weft_caf_quiet();
  weft_caf_survive_meet(team);
  memcpy(&word, piece, sizeof word);
  return weft_caf_survive_agree(team, word) ? word : 0;
}

static int first(const weft_caf_team_t *team) {
  int image = 1;
  while (team->states[image - 1] != RUNS) image++;
  return image;
}

void *weft_caf_survive_alloc(weft_caf_team_t *team, size_t n) {
  const bool mine = first(team) == team->me;
  const uint64_t own = mine ? weft_global_alloc(WEFT_CACHELINE, n) : 0;
  const uint64_t off = spread(team, mine && !own ? weft_shortage_last() : own);
  const bool given = off >= WEFT_SHORTAGES, have = given && weft_global_commit(off, n) == 0;
  team->meeting.value = have;
  if (weft_alive_meet(&team->meeting).all & 1) return (void *)(weft_job.window.base + off);
  if (own) weft_global_free(own);
  if (given)
    weft_shortage_set(have ? WEFT_SHORT_OTHER : WEFT_SHORT_MEMORY, weft_job.pe);
  else
    weft_shortage_set(off ? (enum weft_shortage)off : WEFT_SHORT_GONE, 0);
  return NULL;
}

void weft_caf_survive_free(weft_caf_team_t *team, void *p) {
  if (first(team) == team->me) weft_global_free(weft_job_offset(p));
}
