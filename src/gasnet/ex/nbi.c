/*
 * nbi.c: implicit events. Each thread has one event object in which its operations without an event
 * of their own are counted, by category; an access region is another one that takes its place for a
 * while. Small puts are counted node by node instead, in weft_puts_t.
 */
#include <limits.h>
#include <pthread.h>

#include "gasnet/ex/internal.h"

WEFT_API __thread gex_EC_t weft_gex_open __attribute__((tls_model("initial-exec")));
__thread weft_puts_t weft_gex_puts __attribute__((tls_model("initial-exec")));

static __thread struct {
  weft_gex_event_t *implicit; /* NULL: this thread has done nothing yet */
  weft_gex_event_t *region;   /* the open access region */
} mine;

/* ---- threads --------------------------------------------------------------------------------- */

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A thread that ends with operations under way leaves the object to them; but as late as can be,
 * for the program's destructors may begin more. The last round is the sanitizers'. */
static void thread_ends(void *implicit) {
  static __thread int rounds;
  if (++rounds < PTHREAD_DESTRUCTOR_ITERATIONS - 1 && !pthread_setspecific(key, implicit)) return;
  weft_puts_detach(&weft_gex_puts);
  if (weft_gex_event_ready(implicit)) weft_gex_event_free(implicit);
  mine.implicit = NULL;
}

static void make_key(void) {
  if (pthread_key_create(&key, thread_ends) != 0)
    weft_fatal("no thread-specific data left for GASNet");
}

static weft_op_t *puts_op(weft_gex_event_t *e) {
  return weft_gex_event_op(e, GEX_EC_PUT);
}

static WEFT_COLD void thread_begins(void) {
  pthread_once(&once, make_key);
  mine.implicit = weft_gex_event_new();
  weft_gex_event_done(mine.implicit); /* only categories count here */
  pthread_setspecific(key, mine.implicit);
  weft_puts_attach(&weft_gex_puts, puts_op(mine.implicit));
}

void weft_gex_nbi_up(void) {
  if (weft_unlikely(!mine.implicit)) thread_begins();
}

weft_op_t *weft_gex_nbi_op(gex_EC_t category) {
  weft_gex_nbi_up();
  weft_gex_open |= category;
  return weft_gex_event_op(mine.region ? mine.region : mine.implicit, category);
}

/* ---- sync ------------------------------------------------------------------------------------ */

static bool is_complete(gex_EC_t categories) {
  for (gex_EC_t left = categories & (((gex_EC_t)1 << (WEFT_GEX_PARTS - 1)) - 1); left;
       left &= left - 1)
    if (!weft_op_is_done(weft_gex_event_op(mine.implicit, left & -left))) return false;
  return true;
}

/* What is staged leaves. */
static void release(gex_EC_t categories) {
  for (gex_EC_t left = categories & (((gex_EC_t)1 << (WEFT_GEX_PARTS - 1)) - 1); left;
       left &= left - 1)
    weft_op_release(weft_gex_event_op(mine.implicit, left & -left));
}

static bool try_sync(gex_EC_t categories) {
  return (!(categories & GEX_EC_PUT) || weft_puts_push(&weft_gex_puts, true)) &&
         is_complete(categories);
}

WEFT_API int weft_gex_nbi_test(gex_EC_t categories) {
  if (mine.implicit && !try_sync(categories)) {
    release(categories);
    weft_gex_advance();
    if (!try_sync(categories)) return GASNET_ERR_NOT_READY;
  }
  weft_gex_open &= ~categories;
  return GASNET_OK;
}

WEFT_API __attribute__((noinline)) void weft_gex_nbi_wait(gex_EC_t categories) {
  if (mine.implicit) {
    if (categories & GEX_EC_PUT) weft_puts_push(&weft_gex_puts, false);
    release(categories);
    WEFT_WAIT_ON(NULL, is_complete(categories));
  }
  weft_gex_open &= ~categories;
}

static __attribute__((noinline)) void rest(ssize_t rc) {
  weft_puts_pushed_first(&weft_gex_puts, rc);
  weft_gex_nbi_wait(GEX_EC_PUT);
}

/* The same for GEX_EC_PUT: the first flush leaves at once, within 20 instructions (test/count). */
WEFT_API void weft_gex_nbi_wait_puts(void) {
  if (weft_likely(weft_gex_puts.first))
    rest(weft_puts_push_first(&weft_gex_puts));
  else
    weft_gex_nbi_wait(GEX_EC_PUT);
}

/* ---- access regions -------------------------------------------------------------------------- */

/* What was put so far is counted where puts were counted until now: it is pushed. */
static void count_puts_in(weft_gex_event_t *e) {
  weft_puts_push(&weft_gex_puts, false);
  weft_puts_attach(&weft_gex_puts, puts_op(e));
}

WEFT_API void gex_NBI_BeginAccessRegion(gex_Flags_t flags) {
  (void)flags;
  weft_gex_nbi_up();
  if (mine.region) weft_fatal("gex_NBI_BeginAccessRegion: this thread is in an access region");
  mine.region = weft_gex_event_new();
  weft_gex_event_done(mine.region);
  count_puts_in(mine.region);
}

WEFT_API gex_Event_t gex_NBI_EndAccessRegion(gex_Flags_t flags) {
  weft_gex_event_t *e = mine.region;
  (void)flags;
  if (!e) weft_fatal("gex_NBI_EndAccessRegion: this thread is in no access region");
  mine.region = NULL;
  count_puts_in(mine.implicit);
  if (!weft_gex_event_ready(e)) return weft_gex_event_root(e);
  weft_gex_event_free(e);
  return GEX_EVENT_INVALID;
}
