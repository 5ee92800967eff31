/*
 * Runtime handlers: work that a PE asks for at another PE's node, run by the thread that serves the
 * port there. They act on the window only, so the PE that owns the object need not poll and may
 * compute. Here is the registry of their numbers, the call, and the result that comes later than
 * the call's answer.
 */
#include "port/port_internal.h"

static weft_service_t services[WEFT_SERVICES];

void weft_service_register(enum weft_service number, weft_service_t run) {
  services[number] = run;
}

void weft_service_refuse(const weft_call_t *call, const char *what) {
  weft_fatal("pe %d sent a damaged call: %s", call->from, what);
}

bool weft_service_is_callers(int pe, uint64_t address, size_t n) {
  const size_t begin = weft_job.window.layout.heap;
  const size_t room = weft_layout_end(&weft_job.window.layout) - begin;
  const uintptr_t off = weft_job_offset_of(pe, address) - begin;
  return off <= room && n <= room - off;
}

void weft_service_check_result(const weft_call_t *call) {
  if (weft_unlikely(!weft_service_is_callers(call->from, call->result, sizeof call->result)))
    weft_service_refuse(call, "its result would not go to its caller's memory");
}

bool weft_service_run(unsigned number, char *object, const weft_call_t *call, uint64_t *result) {
  if (number >= WEFT_SERVICES || !services[number])
    weft_fatal("pe %d calls service %u, which nobody offers here", call->from, number);
  return services[number](object, call, result);
}

/* On the own node the caller runs it, as the port's server would. */
void weft_service_send(int pe, uintptr_t off, enum weft_service number, uint64_t operand,
                       uint64_t cond, const void *data, size_t n, uint64_t *result) {
  char *slot = weft_job_slot(pe);
  const weft_call_t call = {.from = weft_job.pe,
                            .pe = pe,
                            .operand = operand,
                            .cond = cond,
                            .result = (uint64_t)(uintptr_t)result,
                            .data = data,
                            .n = n};
  uint64_t value;
  if (result) weft_poke(result, WEFT_NO_RESULT);
  if (!slot)
    weft_stage_call(&weft_channels[0], off, number, &call);
  else if (weft_service_run(number, slot + off, &call, &value) && result)
    weft_publish(result, value);
}

void weft_service_begin(int pe, uintptr_t off, enum weft_service number, uint64_t operand,
                        uint64_t cond, uint64_t *result) {
  weft_service_send(pe, off, number, operand, cond, NULL, 0, result);
}

/* Has the PE's node been gone for so long that nothing comes from it any more? `gone`: since when,
 * or 0. */
static bool is_lost(int pe, uint64_t *gone) {
  if (weft_likely(weft_job_changes() == 0) || !weft_lost_is(pe)) return false;
  if (!*gone) *gone = weft_clock_ns();
  return weft_clock_ns() - *gone > WEFT_LOST_GRACE_NS;
}

uint64_t weft_service_wait(int pe, const uint64_t *result) {
  uint64_t gone = 0;
  WEFT_WAIT_ON(&weft_channels[0], weft_observe(result) != WEFT_NO_RESULT || is_lost(pe, &gone));
  return weft_observe(result);
}

uint64_t weft_service_call(int pe, uintptr_t off, enum weft_service number, uint64_t operand,
                           uint64_t cond) {
  uint64_t result;
  weft_service_begin(pe, off, number, operand, cond, &result);
  return weft_service_wait(pe, &result);
}

void weft_service_answer(const weft_call_t *by, int pe, uint64_t result, uint64_t value) {
  uintptr_t at;
  if (weft_job_reach(pe, result, &at)) {
    weft_publish((uint64_t *)at, value);
    weft_seen_given(&weft_job); /* who has the answer may free the word */
  } else if (by->at_port)
    weft_server_answer_call((uint32_t)pe, result, value);
  else
    weft_stage_post_now(&weft_channels[0], pe, at, WEFT_AMO_SET, sizeof value, value);
}
