/*
 * service: runtime handlers. A call names a PE, an object in its slot, and a handler by its number.
 * It runs at the PE's node, in whichever process serves its port (on the caller's own node: in the
 * caller), on the window: the PE itself has no part in it. A handler is short, waits for nothing
 * and calls nobody. Include port/port.h.
 */
#ifndef WEFT_SERVICE_H
#define WEFT_SERVICE_H

#include "port/port.h"

/* The registry of their numbers. */
enum weft_service {
  WEFT_SERVICE_LOCK, /* sync/lock.c */
  WEFT_SERVICE_TRY_LOCK,
  WEFT_SERVICE_UNLOCK,
  WEFT_SERVICE_LOCK_HOLDER,
  WEFT_SERVICE_LOCK_RESET,
  WEFT_SERVICE_ALLOC, /* runtime/memory.c: private memory */
  WEFT_SERVICE_FREE,
  WEFT_SERVICE_GLOBAL_ALLOC,
  WEFT_SERVICE_GLOBAL_FREE,
  WEFT_SERVICE_OWNS,
  WEFT_SERVICE_OWNER, /* sync/owner.c */
  WEFT_SERVICE_MARK,  /* sync/alive.c */
  WEFT_SERVICE_MEET,
  WEFT_SERVICE_LOCK_REVIEW, /* sync/lock.c */
  WEFT_SERVICE_LOCKS_LEFT,
  WEFT_SERVICE_FLUSH, /* runtime/ending.c */
  WEFT_SERVICES
};

typedef struct weft_call {
  int from;     /* PE that calls */
  int pe;       /* PE whose object it is */
  bool at_port; /* run by the server of the port, for a PE of another node */
  uint64_t operand, cond;
  uint64_t result;  /* where the caller wants the result: an address in its process; 0: nowhere */
  const void *data; /* n bytes that came with the call, while the handler runs */
  size_t n;
} weft_call_t;

/* True, and *result is the call's; false: weft_service_answer says it later. */
typedef bool (*weft_service_t)(char *object, const weft_call_t *call, uint64_t *result);

/* A call that makes no sense ends the job with one line, which names its sender. */
void weft_service_refuse(const weft_call_t *call, const char *what) __attribute__((noreturn, cold));
/* Are n bytes at the address of the PE's own memory, as it names that itself? */
bool weft_service_is_callers(int pe, uint64_t address, size_t n);
/* For a service whose result comes later than the call's answer. */
void weft_service_check_result(const weft_call_t *call);

#define WEFT_NO_RESULT UINT64_MAX /* no handler gives it */

/* Equal on all PEs, before any of them calls. */
void weft_service_register(enum weft_service number, weft_service_t run);
/* Begin a call; leaves at once. `result`: NULL, or a word that is WEFT_NO_RESULT until the result
 * is there. If that may come later than the call's answer it lies in the own slot. May wait for
 * room. */
void weft_service_begin(int pe, uintptr_t off, enum weft_service number, uint64_t operand,
                        uint64_t cond, uint64_t *result);
/* The same with n bytes of data, at most weft_service_data_max. */
void weft_service_send(int pe, uintptr_t off, enum weft_service number, uint64_t operand,
                       uint64_t cond, const void *data, size_t n, uint64_t *result);
size_t weft_service_data_max(void);
/* Wait for the result of a call to the PE. WEFT_NO_RESULT where the job goes on without that PE's
 * node: nothing comes for `result` any more. */
uint64_t weft_service_wait(int pe, const uint64_t *result);
/* Begin and wait. */
uint64_t weft_service_call(int pe, uintptr_t off, enum weft_service number, uint64_t operand,
                           uint64_t cond);
/* The result of a call that was not answered at once. `by`: the call that a handler runs just now,
 * or one with nothing in it if this PE itself speaks. May wait for room: not under a lock. */
void weft_service_answer(const weft_call_t *by, int pe, uint64_t result, uint64_t value);

#endif
