/*
 * internal.h: what the chapters of src/caf know of each other; the entry points see caf.h only.
 */
#ifndef WEFT_CAF_INTERNAL_H
#define WEFT_CAF_INTERNAL_H

#include "caf/caf.h"
#include "coll/coll.h"
#include "data/data.h"
#include "job/job.h"
#include "runtime/runtime.h"
#include "sync/sync.h"

/* Numbers that C has no name for. Where long double has 64 bits of mantissa there is a wider kind
 * 16; elsewhere it is kind 16. */
typedef long double real10_t;
typedef weft_float128_t real16_t;
typedef __int128 integer16_t;

struct weft_caf_team {
  weft_caf_team_t *parent;
  int number; /* -1: the initial team */
  int size, me;
  int *pes;              /* of its images in order; NULL: all PEs in order */
  const uintptr_t *disp; /* weft_direct.disp of its images in order */
  weft_team_t *team;     /* its collectives; NULL where images may fail */
  weft_blocks_t blocks;  /* its coarrays' memory, unless it is the initial one */
  weft_caf_coarray_t *coarrays;
  weft_caf_team_t *next; /* of those that this image has formed */
  weft_bid_t *bids; /* number and index of each image of the parent; NULL: the initial team */
  weft_caf_team_t *siblings; /* those of its siblings that were asked for by number */
  /* Where images may fail: */
  weft_set_t set;
  weft_meeting_t meeting;
  uint64_t formed; /* how many FORM TEAM it has been the current team of */
  int *states;     /* weft_caf_state of its images, as all agreed at the last meeting */
  uint32_t told;   /* weft_job_changes by then */
};

/* An image's word in FORM TEAM where images may fail. */
typedef struct weft_caf_member {
  int number, key;
} weft_caf_member_t;

/* What each image shows the others, in symmetric memory; the others' is at the same slot offset.
 * The words that peers change have cache lines of their own. */
typedef struct weft_caf_shared {
  uint64_t state;             /* 0 or WEFT_CAF_STOPPED_IMAGE */
  uint64_t meetings;          /* of the initial team that this image has been to */
  weft_caf_member_t *members; /* room for one of every PE */
  uint64_t *met; /* sync images: how often each PE has named this image */
  char *piece;   /* where images may fail: what collectives show */
} weft_caf_shared_t;

enum { WEFT_CAF_PIECE = 64 << 10 };

extern weft_caf_shared_t *weft_caf_shared;

static inline int weft_caf_pe_of(const weft_caf_team_t *team, int image) {
  return team->pes ? team->pes[image - 1] : image - 1;
}
/* teams.c: all that this image has formed, the latest first. */
extern weft_caf_team_t *weft_caf_teams;

/* images.c: 0, WEFT_CAF_STOPPED_IMAGE or WEFT_CAF_FAILED_IMAGE: a PE now. */
int weft_caf_state(int pe);
/* The same, and the program is told of it: failed_images and stopped_images list the image then. */
int weft_caf_told_state(int pe);
void weft_caf_enter_team(weft_caf_team_t *team);

/* survive.c: where images may fail. */
void weft_caf_survive_start(weft_caf_team_t *initial);
/* A team whose meetings have this key; its set is there. */
void weft_caf_survive_team(weft_caf_team_t *team, uint64_t key);
/* The team's images that run are here, and agree on which those are: 0 or the state to report. */
int weft_caf_survive_meet(weft_caf_team_t *team);
/* Do all that run say the same? */
bool weft_caf_survive_agree(weft_caf_team_t *team, uint64_t value);
/* FORM TEAM: what each image of the parent asks for. */
void weft_caf_survive_bid(weft_caf_team_t *parent, int number, int index, weft_bid_t *bids);
/* n bytes at one slot offset, of all that run, after they have met; NULL: no room, on all. And
 * given back, after they have met again. */
void *weft_caf_survive_alloc(weft_caf_team_t *team, size_t n);
void weft_caf_survive_free(weft_caf_team_t *team, void *p);
/* n bytes, packed: of the image `root` to all; or combined in the order of the images. 0 or the
 * state to report. */
int weft_caf_survive_broadcast(weft_caf_team_t *team, char *data, size_t n, int root);
int weft_caf_survive_reduce(weft_caf_team_t *team, char *data, size_t n, size_t width,
                            weft_caf_combine_t combine, const void *arg);

/* sync.c: all images of the team are here: 0; or WEFT_CAF_STOPPED_IMAGE: one has terminated, or
 * WEFT_CAF_FAILED_IMAGE: all that have not failed are here. No quiet. */
int weft_caf_meet(weft_caf_team_t *team);
/* Tell the report what a meeting has found; true: all images run. */
bool weft_caf_met(int found, const weft_caf_report_t *report, const char *what);
/* Meet, and tell the report. True: the statement goes on, perhaps with the living only (`found`,
 * which may be NULL, says so). */
bool weft_caf_gather(weft_caf_team_t *team, const weft_caf_report_t *report, const char *what,
                     int *found);
/* The image's part in the others' meetings, of all its teams, once it has stopped; returns when all
 * have. */
void weft_caf_meet_stopped(void);

/* components.c: memory of another image, at its address; 0: none. `place`: of the token there. */
uint64_t weft_caf_component_for(int pe, uint64_t place, size_t size);
void weft_caf_component_free_for(int pe, uint64_t p);

/* coarrays.c */
void weft_caf_coarrays_note(void);
/* At END TEAM. `all`: nobody has stopped. */
void weft_caf_coarrays_release(weft_caf_team_t *team, bool all);

/* moved.c: say in the program's descriptor, which is not where it was, that the memory is no longer
 * there. False: it is nowhere. */
bool weft_caf_moved_gone(const weft_caf_coarray_t *c);

/* chain.c */
void weft_caf_chain_start(void);
/* visit.c */
void weft_caf_visit_start(void);

/* access.c: do the elements fill one piece of memory? */
bool weft_caf_is_block(const weft_caf_section_t *s);
/* stop.c */
void weft_caf_stop_start(void);

#endif
