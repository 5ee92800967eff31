/*
 * caf: the core of Coarray Fortran, called by the entry points of a compiler: gfortran's
 * _gfortran_caf_* (src/caf/gfortran) and PRIF's. It knows images, teams, coarrays and sections of
 * memory with Fortran's types; nothing of a compiler's descriptors but in chain.h.
 *
 * Images count from 1 in a team. A function that takes an `image` means the current team. A report
 * says where a failure goes: to stat and errmsg if the program gave a stat, else it is error
 * termination (Fortran 2018, 11.6.11).
 *
 * Symbols are exported, because the entry points are libraries of their own.
 */
#ifndef WEFT_CAF_H
#define WEFT_CAF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "caf/section.h"
#include "weft/direct.h"

/* Values of ISO_FORTRAN_ENV as gfortran has them, and of its messages. */
enum {
  WEFT_CAF_UNLOCKED = 0,
  WEFT_CAF_LOCKED = 1,
  WEFT_CAF_LOCKED_OTHER_IMAGE = 2,
  WEFT_CAF_DUPLICATE = 3,
  WEFT_CAF_NOT_LOCKED = 99, /* STAT_UNLOCKED is 0, which would read as success */
  WEFT_CAF_NO_MEMORY = 1,
  WEFT_CAF_WRONG = 1, /* a reference that cannot be resolved */
  WEFT_CAF_STOPPED_IMAGE = 6000,
  WEFT_CAF_FAILED_IMAGE = 6001,
  WEFT_CAF_UNLOCKED_FAILED_IMAGE = 6002
};

/* Where a failure goes; every pointer may be NULL. On success stat becomes 0. */
typedef struct weft_caf_report {
  int *stat;
  char *errmsg; /* blank-padded to len, untouched on success */
  size_t len;
} weft_caf_report_t;

static inline void weft_caf_good(const weft_caf_report_t *report) {
  if (report->stat) *report->stat = 0;
}
/* Without stat it does not return. */
WEFT_API void weft_caf_fail(const weft_caf_report_t *report, int stat, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));

/* "Fortran runtime error on image ...", in front of error termination. */
WEFT_API void weft_caf_last_line(const char *text);

/* One line, then the whole job ends. */
WEFT_API void weft_caf_fatal(const char *format, ...)
    __attribute__((format(printf, 1, 2), noreturn, cold));
/* What malloc has returned; NULL is fatal, and `what` says for what. */
WEFT_API void *weft_caf_need(void *memory, const char *what);

/* ---- images.c -------------------------------------------------------------------------------- */

typedef struct weft_caf_team weft_caf_team_t;

/* The current team at a glance. pes: PE of image i at pes[i - 1], NULL: it is i - 1. */
struct weft_caf {
  const int *pes;
  int images, me;
  weft_caf_team_t *team, *initial;
  int reach; /* as images; 0 where something is looked at before an access (survive, check) */
  /* weft_direct.disp of image i at disp[i - 1], of `reach` images. */
  const uintptr_t *disp;
  bool survive; /* images may fail and the others go on */
  bool check;   /* WEFT_CHECK=1: of indices too */
};
extern WEFT_API struct weft_caf weft_caf;

/* Join the job; again: nothing. Any thread's first call, a constructor's too. */
WEFT_API void weft_caf_start(void);

/* Of the current team. */
static inline bool weft_caf_is_image(int image) {
  return (unsigned)image - 1 < (unsigned)weft_caf.images;
}
/* The same, and it may be reached without a look at its state? */
static inline bool weft_caf_is_reached(int image) {
  return (unsigned)image - 1 < (unsigned)weft_caf.reach;
}
/* Where a reached image has what is at `object` here; false, and another node's offset, as
 * weft_direct_at says it. */
static inline bool weft_caf_at(const void *object, int image, uintptr_t *at) {
  return !__builtin_add_overflow((uintptr_t)object, weft_caf.disp[image - 1], at);
}
static inline int weft_caf_pe(int image) {
  return weft_caf.pes ? weft_caf.pes[image - 1] : image - 1;
}
WEFT_API void weft_caf_no_image(int image, const weft_caf_report_t *report) WEFT_COLD;
/* PE of an image of a team (NULL: the current one) whose memory is wanted; -1, and the report has
 * it: there is no such image, or it has failed. */
WEFT_API int weft_caf_find(const weft_caf_team_t *team, int image, const weft_caf_report_t *report);

/* For itself: the program is not told. */
WEFT_API bool weft_caf_has_failed(const weft_caf_team_t *team, int image);
/* 0 running, WEFT_CAF_STOPPED_IMAGE or WEFT_CAF_FAILED_IMAGE; the program is told. */
WEFT_API int weft_caf_image_state(const weft_caf_team_t *team, int image);
/* The same for an image that terminated before the last meeting of the current team. */
WEFT_API int weft_caf_agreed_state(int image);
WEFT_API int weft_caf_count(const weft_caf_team_t *team, int state);

/* ---- coarrays.c ------------------------------------------------------------------------------ */

/* A coarray of this image. Its address is gfortran's token; `base` comes first because every access
 * loads it. */
typedef struct weft_caf_coarray {
  char *base; /* NULL: memory was freed, the token is kept */
  size_t size;
  size_t element;   /* bytes of an element without pointers; 0: it may have some */
  void *descriptor; /* of the program's, as it was given */
  void *bounds;     /* a copy of it, made at the first image control statement that follows */
  void **token;     /* where the program keeps the token */
  bool critical;    /* the lock of a critical section */
  weft_caf_team_t *team; /* NULL: END TEAM has deallocated it */
  struct weft_caf_coarray *next, **self; /* of the team's */
} weft_caf_coarray_t;

/* Collective over the current team; the images are synchronised. Zeroed if `zero`. NULL: the report
 * says why. */
WEFT_API weft_caf_coarray_t *weft_caf_allocate(size_t size, bool zero,
                                               const weft_caf_report_t *report);
/* Collective; synchronises on entry. `forget`: the object itself as well. */
WEFT_API void weft_caf_deallocate(weft_caf_coarray_t *coarray, bool forget,
                                  const weft_caf_report_t *report);

/* ---- components.c ---------------------------------------------------------------------------- */

/* Memory of one image that others reach through a component. `place`: where the program keeps the
 * token. NULL: no memory. */
WEFT_API void *weft_caf_component(void *place, size_t size);
/* Does the program keep a component's token at this place, not a coarray's? */
WEFT_API bool weft_caf_is_component(const void *place);
/* The component at this place has its descriptor here; a scalar has none (NULL). `used`: it gets
 * memory, too. */
WEFT_API void weft_caf_component_known(const void *place, void *descriptor, bool used);
/* Free what the component at `place` has; `token` is the value there. */
WEFT_API void weft_caf_component_free(void *place, void *token);

/* For free() and realloc() of the program, once weft_caf_components_serve has said that these come
 * here: memory in the range is a component's. */
extern WEFT_API struct weft_caf_range {
  uintptr_t from;
  size_t size;
} weft_caf_range;
WEFT_API void weft_caf_components_serve(void);
WEFT_API void weft_caf_component_release(void *p);
/* Why the last one got no memory, in words; NULL: that is not known. */
WEFT_API const char *weft_caf_component_shortage(void);
WEFT_API void *weft_caf_component_resize(void *p, size_t size);

/* ---- access.c -------------------------------------------------------------------------------- */

/* `remote->at` is an address as this image has its own copy of the coarray. `overlap`: the two may
 * share elements if the PE is this one. */
WEFT_API void weft_caf_get(int pe, const weft_caf_section_t *local,
                           const weft_caf_section_t *remote, bool overlap);
WEFT_API void weft_caf_put(int pe, const weft_caf_section_t *remote,
                           const weft_caf_section_t *local, bool overlap);
/* Memory of malloc for the elements of `like` one behind the other, in the same shape: `packed` is
 * that section. The caller frees it. */
WEFT_API char *weft_caf_bounce(weft_caf_section_t *packed, const weft_caf_section_t *like);
/* One piece of a PE that weft_direct_at does not reach, by this image's own address of it. */
WEFT_API void weft_caf_get_away(int pe, const void *object, void *to, size_t n);
WEFT_API void weft_caf_put_away(int pe, void *object, const void *from, size_t n);
/* `there` is an address as the PE sees it: where this image has its own copy, or NULL if the PE's
 * window has no such address. */
WEFT_API void *weft_caf_here(int pe, uint64_t there);
/* What this image put is complete everywhere. */
WEFT_API void weft_caf_quiet(void);

/* ---- visit.c: functions that run in the owner's process -------------------------------------- */

/* The head of a request; what follows it is the entry points'. */
typedef struct weft_caf_visit {
  uint64_t at;   /* the object: its owner's address; symmetric: its slot offset */
  uint64_t kept; /* visit.c's own */
  uint64_t symmetric;
  uint64_t unused; /* what follows is aligned to 16 bytes */
} weft_caf_visit_t;

/* Carries out a request of n bytes, in 16-byte-aligned memory, on the owner's own copy of the
 * object. It returns the size of a result in memory of malloc. One runs at a time in a process, but
 * it may send a request back to the image that sent this one. */
typedef size_t (*weft_caf_visitor_t)(int from, void *object, const weft_caf_visit_t *request,
                                     size_t n, void **result);
/* From now on, or from the start on, others may visit this image. */
WEFT_API void weft_caf_visits(weft_caf_visitor_t visitor);
/* The head of a request about a coarray, by this image's own address of it. */
WEFT_API void weft_caf_visit_object(weft_caf_visit_t *visit, const void *object);
/* n bytes of request; the result, which the caller frees. `expected`: bytes that it may have, or
 * fewer, and it comes in one round trip. NULL: the PE has failed. */
WEFT_API void *weft_caf_visit(int pe, const weft_caf_visit_t *visit, size_t n, size_t expected,
                              size_t *result_n);

/* ---- atomics.c ------------------------------------------------------------------------------- */

/* On the 4 or 8 bytes at the PE's copy of `object`; the old value. */
WEFT_API uint64_t weft_caf_atomic(int pe, void *object, enum weft_amo op, size_t width,
                                  uint64_t operand, uint64_t compare);

/* ---- sync.c ---------------------------------------------------------------------------------- */

WEFT_API void weft_caf_sync_memory(const weft_caf_report_t *report);
WEFT_API void weft_caf_sync_team(weft_caf_team_t *team, const weft_caf_report_t *report,
                                 const char *what);
/* images[0 .. count) of the current team; count -1: all of them. */
WEFT_API void weft_caf_sync_images(int count, const int *images, const weft_caf_report_t *report);

/* ---- locks.c, events.c: 8-byte objects in coarrays, 0 at first ------------------------------- */

/* acquired NULL: wait for it. A lock that an image has failed with is free again: stat is then
 * WEFT_CAF_UNLOCKED_FAILED_IMAGE, and the lock is the caller's. */
WEFT_API void weft_caf_lock(int pe, void *lock, bool *acquired, const weft_caf_report_t *report);
WEFT_API void weft_caf_unlock(int pe, void *lock, const weft_caf_report_t *report);
WEFT_API void weft_caf_event_post(int pe, void *event, const weft_caf_report_t *report);
WEFT_API void weft_caf_event_wait(void *event, int64_t until, const weft_caf_report_t *report);
WEFT_API int64_t weft_caf_event_query(int pe, void *event);

/* ---- teams.c --------------------------------------------------------------------------------- */

/* Collective over the current team. new_index 0: in the order of the current one. */
WEFT_API weft_caf_team_t *weft_caf_team_form(int number, int new_index,
                                             const weft_caf_report_t *report);
/* The team that a variable of the program has. NULL, and the report has it: it has none, whatever
 * is there. */
WEFT_API weft_caf_team_t *weft_caf_team_of(void *variable, const weft_caf_report_t *report,
                                           const char *what);
/* Nothing happens where the current team has not formed it. */
WEFT_API void weft_caf_team_change(weft_caf_team_t *team, const weft_caf_report_t *report);
WEFT_API void weft_caf_team_end(const weft_caf_report_t *report);
WEFT_API int weft_caf_team_number(const weft_caf_team_t *team);
WEFT_API int weft_caf_team_size(const weft_caf_team_t *team);
WEFT_API int weft_caf_team_me(const weft_caf_team_t *team);
WEFT_API weft_caf_team_t *weft_caf_team_parent(const weft_caf_team_t *team);
WEFT_API int weft_caf_team_pe(const weft_caf_team_t *team, int image);
/* The current team, one that was formed together with it, or the initial one (-1). NULL, and the
 * report has it: none of these has the number (Fortran 2018, 9.6). `what` names what asks. */
WEFT_API weft_caf_team_t *weft_caf_team_numbered(int64_t number, const weft_caf_report_t *report,
                                                 const char *what);

/* ---- collective.c ---------------------------------------------------------------------------- */

/* right[i] = left[i] op right[i], for n elements. */
typedef void (*weft_caf_combine_t)(const void *left, void *right, size_t n, const void *arg);

enum weft_caf_op { WEFT_CAF_SUM, WEFT_CAF_MIN, WEFT_CAF_MAX, WEFT_CAF_REDUCE /* the program's */ };
/* Of any local memory. result_image 0: on all; else elsewhere `a` is left alone. CO_REDUCE's
 * operands are combined in the order of the images; `op` is what WEFT_CHECK=1 compares, too. */
WEFT_API void weft_caf_co_broadcast(const weft_caf_section_t *a, int source_image,
                                    const weft_caf_report_t *report);
WEFT_API void weft_caf_co_reduce(const weft_caf_section_t *a, int result_image, enum weft_caf_op op,
                                 weft_caf_combine_t combine, const void *arg,
                                 const weft_caf_report_t *report);
/* The combine of one of the first three on elements, which are the argument for it; NULL: no such.
 */
WEFT_API weft_caf_combine_t weft_caf_combine(enum weft_caf_op op, const weft_caf_element_t *e);
/* gfortran's descriptors do not tell real kinds 10 and 16 apart. Both arguments are n numbers of 16
 * bytes. True, kind 10: one of them makes sense as kind 10 only, or four different ones make sense
 * as both kinds and none as kind 16 only. So a single number of kind 16, between 1e-330 and 1e330,
 * is never mistaken, nor are many equal ones. */
WEFT_API bool weft_caf_are_real10(const void *left, const void *right, size_t n);

/* ---- stop.c ---------------------------------------------------------------------------------- */

/* Normal termination of this image: it is seen as stopped, waits for the others, and exits with
 * `status`, or with 1 where it is not 0 and a process shows nothing of it. */
WEFT_API void weft_caf_stop(int status) __attribute__((noreturn));
/* The end of the main program: the same, but it returns. */
WEFT_API void weft_caf_end_program(void);
/* Error termination of all images, at once. */
WEFT_API void weft_caf_error_stop(int status) __attribute__((noreturn));
WEFT_API void weft_caf_fail_image(void) __attribute__((noreturn));
/* Called before this image's output has to be out: the language's own buffers. */
WEFT_API void weft_caf_on_flush(void (*flush)(void));

/* ---- random.c -------------------------------------------------------------------------------- */

/* Fill a seed of n words for this image (Fortran 2018, 16.9.155). Neither repeatable nor distinct:
 * each image's first call gives the same seed, and so on. */
WEFT_API void weft_caf_seed(uint32_t *seed, size_t n, bool repeatable, bool image_distinct);

#endif
