/*
 * visit.c: functions that run where an object is, in its owner's process, while the owner computes
 * (sync/owner.c). gfortran 15 and later describe what they want of a coarray by such functions, and
 * only they know which pointers they follow. What they say is the entry points' business.
 */
#include <stdlib.h>
#include <string.h>

#include "caf/internal.h"
#include "rma/rma.h"

enum { NUMBER = 0 /* of this service */ };

/* In front of a reply: its bytes, and where they wait if they were more than expected. */
typedef struct answer {
  uint64_t n, kept;
} answer_t;

/* A reply that waits until it is asked for. */
typedef struct kept {
  struct kept *next;
  uint64_t n;
  int from;
  void *reply;
} kept_t;

static weft_caf_visitor_t visitor;
static kept_t *kept;
static weft_lock_t keeping; /* the owner's thread, and one that serves while it waits for it */

static uint64_t keep(int from, void *reply, uint64_t n) {
  kept_t *k = weft_caf_need(malloc(sizeof *k), "a reference to a coarray");
  *k = (kept_t){.n = n, .from = from, .reply = reply};
  weft_lock(&keeping);
  k->next = kept;
  kept = k;
  weft_unlock(&keeping);
  return (uint64_t)(uintptr_t)k;
}

/* False: there is none. */
static bool give(int from, uint64_t which, void *reply, size_t n) {
  weft_lock(&keeping);
  kept_t **at = &kept, *k;
  while ((k = *at) && !((uint64_t)(uintptr_t)k == which && k->from == from && k->n == n))
    at = &k->next;
  if (k) *at = k->next;
  weft_unlock(&keeping);
  if (!k) return false;
  memcpy(reply, k->reply, n);
  free(k->reply);
  free(k);
  return true;
}

static uint64_t serve(int from, const void *data, size_t n, void *reply, size_t *reply_n) {
  const weft_caf_visit_t *visit = data;
  if (n < sizeof *visit || (!visit->kept && *reply_n < sizeof(answer_t)))
    weft_fatal("pe %d sent a reference that makes no sense", from);
  if (visit->kept) {
    if (!give(from, visit->kept, reply, *reply_n))
      weft_fatal("pe %d asks for an answer that is not kept for it", from);
    return 0;
  }
  void *result = NULL;
  char *object = (char *)(visit->at + (visit->symmetric ? weft_job.window.base : 0));
  answer_t answer = {.n = visitor(from, object, visit, n, &result)};
  if (answer.n > *reply_n - sizeof answer) {
    answer.kept = keep(from, result, answer.n);
    result = NULL;
  } else if (answer.n) {
    memcpy((char *)reply + sizeof answer, result, answer.n);
  }
  *reply_n = sizeof answer + (answer.kept ? 0 : answer.n);
  memcpy(reply, &answer, sizeof answer);
  free(result);
  return 0;
}

void weft_caf_visits(weft_caf_visitor_t function) {
  visitor = function;
  weft_owner_register(NUMBER, serve);
  if (weft_caf.initial) weft_owner_serve();
}

void weft_caf_visit_start(void) {
  if (visitor) weft_owner_serve();
}

void weft_caf_visit_object(weft_caf_visit_t *visit, const void *object) {
  *visit = (weft_caf_visit_t){.at = weft_job_offset(object), .symmetric = 1};
}

void *weft_caf_visit(int pe, const weft_caf_visit_t *visit, size_t n, size_t expected,
                     size_t *result_n) {
  const size_t room = sizeof(answer_t) + expected;
  char *reply = weft_caf_need(malloc(room), "a reference to a coarray");
  answer_t answer;
  weft_rma_order(pe);
  if (weft_owner_call(pe, NUMBER, visit, n, reply, room) == WEFT_NO_RESULT) {
    free(reply);
    return NULL;
  }
  memcpy(&answer, reply, sizeof answer);
  if (!answer.kept && answer.n > expected)
    weft_fatal("pe %d gave an answer that makes no sense", pe);
  *result_n = answer.n;
  if (!answer.kept) {
    memmove(reply, reply + sizeof answer, answer.n);
    return reply;
  }
  const weft_caf_visit_t rest = {.kept = answer.kept};
  free(reply);
  reply = weft_caf_need(malloc(answer.n), "a reference to a coarray");
  if (weft_owner_call(pe, NUMBER, &rest, sizeof rest, reply, answer.n) != WEFT_NO_RESULT)
    return reply;
  free(reply);
  return NULL;
}
