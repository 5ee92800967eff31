/*
 * glue.h: what the C functions behind the module `prif` know of each other. prif_c.inc has their
 * Fortran side. A function that can fail returns a code, which the module turns into the compiler's
 * own STAT_ constant; weft_prif_text has the words. Images of accesses, locks, events and atomics
 * count in the initial team, all others in the current one (PRIF 0.8).
 */
#ifndef WEFT_CAF_PRIF_GLUE_H
#define WEFT_CAF_PRIF_GLUE_H

#include "caf/caf.h"

/* In the order of prif_stats in prif.F90. */
enum weft_prif_code {
  PRIF_GOOD,
  PRIF_FAILED_IMAGE,
  PRIF_LOCKED,
  PRIF_LOCKED_OTHER_IMAGE,
  PRIF_STOPPED_IMAGE,
  PRIF_UNLOCKED,
  PRIF_UNLOCKED_FAILED_IMAGE,
  PRIF_OUT_OF_MEMORY,
  PRIF_ALREADY_INIT,
  PRIF_WRONG
};

/* A team as a variable of the module's has it. */
typedef struct weft_prif_team {
  uint64_t magic;
  weft_caf_team_t *team;
  struct weft_prif_team *parent;
} weft_prif_team_t;

extern weft_prif_team_t *weft_prif_current;

/* A coarray, or an alias of one, as a handle leads to it. The last upper cobound follows from the
 * team. */
typedef struct weft_prif_coarray weft_prif_coarray_t;
struct weft_prif_coarray {
  uint64_t magic;
  weft_caf_coarray_t *coarray;
  char *data;
  size_t size;
  int corank;
  int64_t lower[WEFT_CAF_RANK_MAX], upper[WEFT_CAF_RANK_MAX];
  void **context, *own_context;
  void (*final)(weft_prif_coarray_t *handle);
  weft_prif_team_t *team;
  bool alias;
  weft_prif_coarray_t *next; /* of all coarrays of this image; no aliases */
};

/* images.c */
weft_prif_team_t *weft_prif_team_of(void *info, const char *who);
/* The team of that number that was formed together with the current one, or -1, the initial one. */
const weft_caf_team_t *weft_prif_team_numbered(int64_t number, const char *who);
/* The report whose outcome weft_prif_code returns. */
const weft_caf_report_t *weft_prif_report(void);
/* Of the last report; the core's values of locks mean other things elsewhere. */
int weft_prif_code(void);
int weft_prif_code_of_lock(void);
int weft_prif_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* coarrays.c */
weft_prif_coarray_t *weft_prif_coarray_of(void *handle, const char *who);
/* Free what the current team has allocated; the code. */
int weft_prif_coarrays_end(void);

/* access.c: PE of an image of the initial team, and this image's own address of memory of it. */
typedef struct weft_prif_place {
  int pe;
  char *here; /* NULL: in no window, then `there` has the address */
  uintptr_t there;
} weft_prif_place_t;
/* An object of 8 bytes, `at` bytes into the coarray; without a handle, at address `at` as that
 * image sees it. It has to be in the window. A code. */
int weft_prif_find_object(weft_prif_place_t *place, int image, void *handle, intptr_t at,
                          const char *who);

#endif
