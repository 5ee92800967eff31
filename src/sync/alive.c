/*
 * Where PEs may fail and the job goes on: a PE says that it stops or has failed; and meetings of
 * the PEs that still run, which learn the same of those that do not.
 *
 * A meeting has a leader, the lowest member that runs. The others call its node (port: services),
 * where the call is noted; when all that run have come, the leader answers. If it dies, the next
 * one leads, and a member without an answer calls that one. A member that has been let go knows
 * that this meeting is over, so a call that still comes for it is answered at once; and a leader
 * that may not be the first asks the members that do not come. So all have the same outcome.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boot/boot.h"
#include "port/port.h"
#include "rma/rma.h"
#include "sync/sync.h"

/* ---- saying it ------------------------------------------------------------------------------- */

static bool serve_mark(char *object, const weft_call_t *call, uint64_t *result) {
  (void)object;
  if (call->cond > WEFT_FAILED) weft_service_refuse(call, "a state that there is not");
  if (weft_job_goes_on()) weft_job_mark(call->from, (enum weft_pe_state)call->cond);
  *result = 0;
  return true;
}

/* To a PE of every node whose process is there. */
static void announce(enum weft_pe_state state) {
  weft_job_mark(weft_job.pe, state);
  for (int node = 0; node < weft_job.nnodes; node++) {
    const int pe = weft_job_leader(node);
    if (node != weft_job.node)
      weft_service_begin(pe, weft_job.layout.shared, WEFT_SERVICE_MARK, 0, (uint64_t)state, NULL);
  }
}

void weft_alive_announce_stop(void) {
  if (weft_job_goes_on()) announce(WEFT_STOPPED);
}

void weft_alive_fail(void) {
  if (!weft_job_goes_on()) weft_end_job(1);
  weft_rma_quiet();
  announce(WEFT_ASLEEP);
  weft_boot_tell_asleep();
  /* What this process serves for its node goes on: the port by its helper, the rest here. */
  for (weft_wait_t w = {0};; usleep(1000)) weft_wait_poll(&w);
}

/* ---- meetings -------------------------------------------------------------------------------- */

/* An outcome is one word, which is never WEFT_NO_RESULT:
 * stopped:21 failed:21 same:1 any:8 all:8 */
enum { ALL_BITS = 8, ANY_AT = 8, SAME_AT = 16, FAILED_AT = 17, STOPPED_AT = 38, COUNT_BITS = 21 };

static int part_of(uint64_t outcome, int at, int bits) {
  return (int)(outcome >> at & ((UINT64_C(1) << bits) - 1));
}
static int failed_of(uint64_t outcome) {
  return part_of(outcome, FAILED_AT, COUNT_BITS);
}
static int stopped_of(uint64_t outcome) {
  return part_of(outcome, STOPPED_AT, COUNT_BITS);
}

/* A member's table of one meeting place, in its slot: a call of another member is noted here. */
typedef struct table {
  uint64_t next; /* slot offset of the next one; 0: the last */
  uint64_t key, size; /* the key and number of its members */
  uint64_t done;    /* meetings that are over, as this PE knows */
  uint64_t outcome; /* of the last of these */
  struct arrival {
    uint64_t number; /* of the meeting, from 1; 0: none */
    uint64_t pe;
    uint64_t result; /* the word that the member looks at */
    uint64_t value;
  } from[];
} table_t;

static table_t *table_at(int pe, uint64_t off) {
  return (table_t *)(void *)(weft_job_slot(pe) + off);
}

/* Made when it is first wanted. Under the lock. */
static table_t *find(int pe, uint64_t key, uint64_t size) {
  weft_shared_t *shared = weft_job_shared(pe);
  for (uint64_t off = shared->meetings; off; off = table_at(pe, off)->next)
    if (table_at(pe, off)->key == key) return table_at(pe, off);
  const size_t bytes = sizeof(table_t) + size * sizeof(struct arrival);
  const uint64_t off = weft_private_alloc_of(pe, WEFT_CACHELINE, bytes);
  if (!off) weft_fatal("no memory for a meeting of %llu PEs", (unsigned long long)size);
  table_t *t = table_at(pe, off);
  memset(t, 0, bytes);
  t->key = key;
  t->size = size;
  t->next = shared->meetings;
  shared->meetings = off;
  return t;
}

typedef struct arriving {
  uint64_t key, number, size, member, value;
} arriving_t;

enum { COME, ASK }; /* cond of a call */
#define NOT_OVER (WEFT_NO_RESULT - 1)

/* COME: noted, and answered when the meeting is over. ASK: is it over? */
static bool serve_meet(char *object, const weft_call_t *call, uint64_t *result) {
  arriving_t a;
  weft_shared_t *shared = weft_job_shared(call->pe);
  (void)object;
  if (call->n != sizeof a) weft_service_refuse(call, "a meeting without a member");
  memcpy(&a, call->data, sizeof a);
  if (a.size > (uint64_t)weft_job.npes || a.member >= a.size)
    weft_service_refuse(call, "a member that there is not");
  if (call->at_port && call->cond == COME) weft_service_check_result(call);
  weft_node_lock(&shared->meet_lock);
  table_t *t = find(call->pe, a.key, a.size);
  if (a.size != t->size) weft_service_refuse(call, "a meeting of another size");
  /* Who has been to the meeting before may have been let go while this PE is still in it. */
  if (call->cond == COME && a.number > t->done + 2)
    weft_service_refuse(call, "a meeting that is far ahead");
  const bool over = t->done >= a.number;
  *result = over ? t->outcome : NOT_OVER;
  if (!over && call->cond == COME)
    t->from[a.member] = (struct arrival){
        .number = a.number, .pe = (uint64_t)call->from, .result = call->result, .value = a.value};
  weft_node_unlock(&shared->meet_lock);
  return over || call->cond == ASK;
}

/* This PE's. Under the lock. */
static table_t *table_of(const weft_meeting_t *m) {
  table_t *t = find(weft_job.pe, m->key, (uint64_t)m->set->size);
  if (t->size != (uint64_t)m->set->size)
    weft_fatal("a PE has come to a meeting of %d PEs as if it were one of %llu", m->set->size,
               (unsigned long long)t->size);
  return t;
}

/* This meeting is over: the members whose calls are noted here are let go. */
static void let_go(const weft_meeting_t *m, uint64_t outcome) {
  weft_shared_t *shared = weft_job_shared(weft_job.pe);
  weft_node_lock(&shared->meet_lock);
  table_t *t = table_of(m);
  t->done = m->number;
  t->outcome = outcome;
  weft_node_unlock(&shared->meet_lock);
  for (int i = 0; i < m->set->size; i++) {
    weft_node_lock(&shared->meet_lock);
    const struct arrival a = t->from[i];
    if (a.number && a.number <= m->number) t->from[i].number = 0;
    weft_node_unlock(&shared->meet_lock);
    const int pe = weft_set_world(m->set, i);
    if (!a.number || a.number > m->number) continue;
    if (a.pe != (uint64_t)pe)
      weft_fatal("pe %d has come to a meeting as if it were pe %d", (int)a.pe, pe);
    if (weft_job_state(pe) < WEFT_FAILED)
      weft_service_answer(&(weft_call_t){0}, pe, a.result, outcome);
  }
}

static int leader_of(const weft_set_t *set) {
  int least = -1;
  for (int i = 0; i < set->size; i++) {
    const int pe = weft_set_world(set, i);
    if (weft_job_state(pe) == WEFT_RUNNING && (least < 0 || pe < least)) least = pe;
  }
  return least;
}

static arriving_t arriving(const weft_meeting_t *m) {
  return (arriving_t){.key = m->key,
                      .number = m->number,
                      .size = (uint64_t)m->set->size,
                      .member = (uint64_t)weft_set_index(m->set, weft_job.pe),
                      .value = m->value};
}

static bool has_come(const weft_meeting_t *m, int member) {
  weft_shared_t *shared = weft_job_shared(weft_job.pe);
  weft_node_lock(&shared->meet_lock);
  const table_t *t = table_of(m);
  const bool has = t->from[member].number == m->number;
  weft_node_unlock(&shared->meet_lock);
  return has;
}

/* A leader before this one may have let some members go before it died, or stopped: the outcome is
 * theirs. A member whose call is noted here was not let go. */
static uint64_t ask_members(const weft_meeting_t *m) {
  const arriving_t a = arriving(m);
  for (int i = 0; i < m->set->size; i++) {
    const int pe = weft_set_world(m->set, i);
    uint64_t outcome;
    if (pe == weft_job.pe || weft_job_state(pe) >= WEFT_ASLEEP || has_come(m, i)) continue;
    weft_service_send(pe, weft_job.layout.shared, WEFT_SERVICE_MEET, 0, ASK, &a, sizeof a,
                      &outcome);
    if ((outcome = weft_service_wait(pe, &outcome)) < NOT_OVER) return outcome;
  }
  return WEFT_NO_RESULT;
}

static bool had_leader_before(const weft_meeting_t *m) {
  for (int i = 0; i < m->set->size; i++) {
    const int pe = weft_set_world(m->set, i);
    if (pe < weft_job.pe && weft_job_state(pe) != WEFT_RUNNING) return true;
  }
  return false;
}

static bool all_have_come(const weft_meeting_t *m) {
  for (int i = 0; i < m->set->size; i++) {
    const int pe = weft_set_world(m->set, i);
    if (pe != weft_job.pe && weft_job_state(pe) == WEFT_RUNNING && !has_come(m, i)) return false;
  }
  return true;
}

/* A member that has failed meanwhile may have come before. */
static uint64_t decide(const weft_meeting_t *m) {
  weft_shared_t *shared = weft_job_shared(weft_job.pe);
  uint64_t stopped = 0, failed = 0, any = m->value, all = m->value;
  bool same = true;
  weft_node_lock(&shared->meet_lock);
  const table_t *t = table_of(m);
  for (int i = 0; i < m->set->size; i++) {
    const enum weft_pe_state state = weft_job_state(weft_set_world(m->set, i));
    stopped += state == WEFT_STOPPED;
    failed += state >= WEFT_ASLEEP;
    if (t->from[i].number != m->number) continue;
    same = same && t->from[i].value == m->value;
    any |= t->from[i].value;
    all &= t->from[i].value;
  }
  weft_node_unlock(&shared->meet_lock);
  const uint64_t bits = (1 << ALL_BITS) - 1;
  return stopped << STOPPED_AT | failed << FAILED_AT | (uint64_t)same << SAME_AT |
         (any & bits) << ANY_AT | (all & bits);
}

/* WEFT_NO_RESULT: not all have come. */
static uint64_t outcome_so_far(const weft_meeting_t *m, unsigned look) {
  enum { ASK_EVERY = 64 };
  const bool all = all_have_come(m);
  if ((all || look % ASK_EVERY == 0) && had_leader_before(m)) {
    const uint64_t outcome = ask_members(m);
    if (outcome != WEFT_NO_RESULT) return outcome;
  }
  return all ? decide(m) : WEFT_NO_RESULT;
}

static uint64_t lead(const weft_meeting_t *m) {
  unsigned looks = 0;
  uint64_t outcome;
  WEFT_WAIT_UNTIL((outcome = outcome_so_far(m, looks++)) != WEFT_NO_RESULT);
  return outcome;
}

/* WEFT_NO_RESULT: the leader is no longer there. The word stays its own in that case: what was
 * meant for it may still come. */
static uint64_t follow(const weft_meeting_t *m, int leader) {
  const arriving_t a = arriving(m);
  uint64_t *word = weft_private_alloc(WEFT_CACHELINE, sizeof *word), outcome;
  if (!word) weft_fatal("no memory for a meeting");
  weft_service_send(leader, weft_job.layout.shared, WEFT_SERVICE_MEET, 0, COME, &a, sizeof a, word);
  weft_stage_release();
  WEFT_WAIT_ON(&weft_channels[0], (outcome = weft_observe(word)) != WEFT_NO_RESULT ||
                                      weft_job_state(leader) != WEFT_RUNNING);
  if (outcome != WEFT_NO_RESULT) weft_private_free(word);
  return outcome;
}

static int count(const weft_set_t *set, enum weft_pe_state from, enum weft_pe_state to) {
  int n = 0;
  for (int i = 0; i < set->size; i++) {
    const enum weft_pe_state state = weft_job_state(weft_set_world(set, i));
    n += state >= from && state <= to;
  }
  return n;
}

/* This node hears of a death when its own witness does. */
static void learn(const weft_set_t *set, uint64_t outcome) {
  const int gone = failed_of(outcome) + stopped_of(outcome);
  if (gone > set->size)
    weft_fatal("a PE says that %d of %d PEs in a meeting are gone", gone, set->size);
  WEFT_WAIT_UNTIL(count(set, WEFT_ASLEEP, WEFT_FAILED) >= failed_of(outcome) &&
                  count(set, WEFT_STOPPED, WEFT_STOPPED) >= stopped_of(outcome));
}

weft_outcome_t weft_alive_meet(weft_meeting_t *m) {
  uint64_t outcome = WEFT_NO_RESULT;
  m->number++;
  while (outcome == WEFT_NO_RESULT) {
    const int leader = leader_of(m->set);
    if (leader < 0) weft_fatal("this PE has come to its end, and cannot wait for others any more");
    outcome = leader == weft_job.pe ? lead(m) : follow(m, leader);
  }
  let_go(m, outcome);
  learn(m->set, outcome);
  return (weft_outcome_t){.stopped = stopped_of(outcome),
                          .failed = failed_of(outcome),
                          .same = part_of(outcome, SAME_AT, 1),
                          .all = (uint8_t)part_of(outcome, 0, ALL_BITS),
                          .any = (uint8_t)part_of(outcome, ANY_AT, ALL_BITS)};
}

void weft_alive_serve(void) {
  weft_service_register(WEFT_SERVICE_MARK, serve_mark);
  weft_service_register(WEFT_SERVICE_MEET, serve_meet);
}
