/*
 * Pending: what was begun, and goes on by being looked at now and then. Every wait does so,
 * whatever it waits for: others may depend on it. Knows nothing of what it is.
 */
#include "base/base.h"
#include "port/port.h"
#include "sync/sync.h"

static struct {
  weft_pending_t *added; /* a stack that any thread pushes to */
  weft_lock_t lock;      /* its holder advances the list */
  weft_pending_t *list;
  weft_lock_t joining;
  bool joined; /* waits advance it */
} pending;

static WEFT_COLD void join(void) {
  weft_lock(&pending.joining);
  if (!pending.joined) weft_progress_add(weft_pending_advance);
  weft_publish(&pending.joined, true);
  weft_unlock(&pending.joining);
}

/* New ones go behind the old, in the order in which they came. */
static void take_added(void) {
  weft_pending_t *p = __atomic_exchange_n(&pending.added, NULL, __ATOMIC_ACQUIRE), *turned = NULL;
  while (p) {
    weft_pending_t *next = p->next;
    p->next = turned;
    turned = p;
    p = next;
  }
  weft_pending_t **end = &pending.list;
  while (*end) end = &(*end)->next;
  weft_poke(end, turned); /* others look whether there is one */
}

void weft_pending_add(weft_pending_t *p) {
  if (weft_unlikely(!weft_observe(&pending.joined))) join();
  p->next = weft_peek(&pending.added);
  while (!__atomic_compare_exchange_n(&pending.added, &p->next, p, true, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED))
    continue;
}

int weft_pending_advance(void) {
  if (weft_likely(!weft_peek(&pending.added) && !weft_peek(&pending.list))) return 0;
  if (!weft_lock_try(&pending.lock)) return 0; /* another thread, or a wait inside advance() */
  int done = 0;
  if (weft_peek(&pending.added)) take_added();
  for (weft_pending_t **link = &pending.list; *link;) {
    weft_pending_t *p = *link, *next = p->next;
    const int much = p->advance(p);
    if (much == WEFT_PENDING_END)
      weft_poke(link, next);
    else
      link = &p->next;
    done += much == WEFT_PENDING_END ? 1 : much;
  }
  weft_unlock(&pending.lock);
  return done;
}

void weft_pending_end(void) {
  weft_poke(&pending.added, NULL);
  weft_poke(&pending.list, NULL);
  weft_poke(&pending.joined, false);
}
