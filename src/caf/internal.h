/*
 * internal.h: what the chapters of src/caf know of each other; the entry points see caf.h only.
 */
#ifndef WEFT_CAF_INTERNAL_H
#define WEFT_CAF_INTERNAL_H

#include "caf/caf.h"
#include "coll/coll.h"
#include "job/job.h"

struct weft_caf_team {
  weft_caf_team_t *parent;
  int number; /* -1: the initial team */
  int size, me;
  int *pes; /* of its images in order; NULL: all PEs in order */
  weft_coll_t *coll;
  weft_coll_t own; /* `coll` of a team that is not the initial one */
  weft_caf_coarray_t *coarrays;
};

/* An image's word in FORM TEAM. */
typedef struct weft_caf_member {
  int pe, number, index;
} weft_caf_member_t;

/* What each image shows the others, in symmetric memory; the others' is at the same slot offset.
 * The words that peers change have cache lines of their own. */
typedef struct weft_caf_shared {
  uint64_t state;             /* 0, WEFT_CAF_STOPPED_IMAGE or WEFT_CAF_FAILED_IMAGE */
  uint64_t meetings;          /* of the initial team that this image has been to */
  weft_caf_member_t *members; /* room for one of every PE */
  uint64_t base;              /* this image's window, as it sees it */
  int pid;
  uint64_t *met; /* sync images: how often each PE has named this image */
  char *piece;   /* what collectives send and receive */
} weft_caf_shared_t;

enum { WEFT_CAF_PIECE = 64 << 10 };

extern weft_caf_shared_t *weft_caf_shared;

static inline int weft_caf_pe_of(const weft_caf_team_t *team, int image) {
  return team->pes ? team->pes[image - 1] : image - 1;
}
/* State of a PE (images.c): now; and as all images know since the last meeting of the initial team.
 */
uint64_t weft_caf_state(int pe);
void weft_caf_enter_team(weft_caf_team_t *team);

/* sync.c: all images of the team are here; false, and the report has it, if one has terminated. No
 * quiet. */
bool weft_caf_meet(weft_caf_team_t *team, const weft_caf_report_t *report, const char *what);
/* The image's part in the others' meetings once it has stopped; returns when all have. */
void weft_caf_meet_stopped(void);

/* components.c: memory of another image, at its address; 0: none. `place`: of the token there. */
uint64_t weft_caf_component_for(int pe, uint64_t place, size_t size);
void weft_caf_component_free_for(int pe, uint64_t p);

/* coarrays.c */
void weft_caf_coarrays_note(void);
void weft_caf_coarrays_release(weft_caf_team_t *team);

/* chain.c */
void weft_caf_chain_start(void);

/* access.c */
static inline void weft_caf_quiet_if_open(void) {
  if (weft_unlikely(weft_caf.open)) weft_caf_quiet();
}

/* stop.c */
void weft_caf_stop_start(void);

#endif
