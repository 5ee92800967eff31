/*
 * images.c: the image's index, the number of images, which have terminated (Fortran 2018, 5.3.4
 * to 5.3.6, 16.9.97, 16.9.145, 16.9.190). The beginning too: gfortran's constructors register
 * coarrays before main, so the first call of any kind joins the job.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "caf/internal.h"
#include "rma/rma.h"
#include "runtime/runtime.h"

WEFT_API struct weft_caf weft_caf;
weft_caf_shared_t *weft_caf_shared;

static weft_caf_team_t initial = {.number = -1};

static int *told; /* the state of each PE that the program has been told, by stat= for example */

void weft_caf_enter_team(weft_caf_team_t *team) {
  weft_caf.team = team;
  weft_caf.pes = team->pes;
  weft_caf.images = team->size;
  weft_caf.disp = team->disp;
  weft_caf.reach = weft_caf.survive || weft_caf.check ? 0 : team->size;
  weft_caf.me = team->me;
}

/* Memory costs nothing until it is touched. */
static void share(void) {
  const size_t head = weft_round_up(sizeof *weft_caf_shared, WEFT_CACHELINE);
  const size_t met = weft_round_up((size_t)initial.size * sizeof(uint64_t), WEFT_CACHELINE);
  const size_t members =
      weft_round_up((size_t)initial.size * sizeof(weft_caf_member_t), WEFT_CACHELINE);
  char *at =
      weft_symmetric_alloc(WEFT_CACHELINE, head + met + members + WEFT_CAF_PIECE, "caf_init");
  if (!at) weft_fatal("caf_init: no memory for what %d images share: %s", initial.size,
                      weft_symmetric_shortage());
  memset(at, 0, head + met);
  weft_caf_shared = (weft_caf_shared_t *)at;
  weft_caf_shared->met = (uint64_t *)(at + head);
  weft_caf_shared->members = (weft_caf_member_t *)(at + head + met);
  weft_caf_shared->piece = at + head + met + members;
}

void weft_caf_start(void) {
  if (weft_caf.initial) return;
  weft_caf_chain_start();
  weft_runtime_start("caf_init");
  weft_runtime_imply_stop();
  initial.size = weft_job_npes();
  told = weft_caf_need(calloc((size_t)initial.size, sizeof *told), "caf_init");
  initial.me = weft_job_pe() + 1;
  share();
  /* Peers may read what a pointer component points to, where ptrace is restricted too. */
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  weft_caf.initial = &initial;
  initial.disp = weft_direct.disp;
  weft_caf.survive = weft_job_goes_on();
  weft_caf.check = weft_options.check;
  if (weft_caf.survive) {
    weft_caf_survive_start(&initial);
  } else {
    weft_teams_start();
    initial.team = weft_team_world();
  }
  weft_caf_enter_team(&initial);
  weft_caf_stop_start();
  weft_caf_visit_start();
  weft_coll_sync(weft_team_world());
}

void weft_caf_no_image(int image, const weft_caf_report_t *report) {
  weft_caf_fail(report, WEFT_CAF_WRONG, "image %d does not exist (images are 1 to %d)", image,
                weft_caf.images);
}

int weft_caf_state(int pe) {
  uint64_t state;
  if (weft_caf.survive) {
    const enum weft_pe_state now = weft_job_state(pe);
    return now == WEFT_RUNNING   ? 0
           : now == WEFT_STOPPED ? WEFT_CAF_STOPPED_IMAGE
                                 : WEFT_CAF_FAILED_IMAGE;
  }
  weft_direct_get(&state, &weft_caf_shared->state, sizeof state, pe, "image_status");
  return (int)state;
}

int weft_caf_told_state(int pe) {
  const int state = weft_caf_state(pe);
  if (state) told[pe] = state;
  return state;
}

int weft_caf_find(const weft_caf_team_t *team, int image, const weft_caf_report_t *report) {
  if (!team) team = weft_caf.team;
  if (weft_unlikely((unsigned)image - 1 >= (unsigned)team->size)) {
    weft_caf_no_image(image, report);
    return -1;
  }
  const int pe = weft_caf_pe_of(team, image);
  if (weft_caf.survive && weft_job_has_failed(pe)) {
    told[pe] = WEFT_CAF_FAILED_IMAGE;
    weft_caf_fail(report, WEFT_CAF_FAILED_IMAGE, "image %d has failed", image);
    return -1;
  }
  return pe;
}

int weft_caf_image_state(const weft_caf_team_t *team, int image) {
  return weft_caf_told_state(weft_caf_pe_of(team ? team : weft_caf.team, image));
}

bool weft_caf_has_failed(const weft_caf_team_t *team, int image) {
  return weft_job_has_failed(weft_caf_pe_of(team ? team : weft_caf.team, image));
}

/* An image may stop while others still ask what the same meeting has found: the answers must not
 * differ, but where the program was told more (Fortran 2018, 16.9.77, 16.9.190). */
int weft_caf_agreed_state(int image) {
  const int pe = weft_caf_pe(image);
  uint64_t meetings;
  if (told[pe] || weft_caf.survive) return told[pe];
  const int state = weft_caf_state(pe);
  __atomic_thread_fence(__ATOMIC_ACQUIRE); /* one that has stopped goes to no more meetings */
  weft_direct_get(&meetings, &weft_caf_shared->meetings, sizeof meetings, pe, "stopped_images");
  if (weft_caf.team == weft_caf.initial && meetings >= weft_caf_shared->meetings) return 0;
  return state;
}

int weft_caf_count(const weft_caf_team_t *team, int state) {
  if (!team) team = weft_caf.team;
  int n = 0;
  for (int image = 1; image <= team->size; image++) n += weft_caf_image_state(team, image) == state;
  return n;
}
