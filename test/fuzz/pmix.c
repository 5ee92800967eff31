/*
 * PMIx: any values that its library may hand over, to a PE that opens, exchanges and leaves. An
 * input is the rank (4 bytes; with 1 in the two bits on top the launcher numbers the nodes), then
 * what is asked for. A value is a status (1 byte), a type (1), the size of its bytes (2; 65535:
 * there are none, though it says 50), and the bytes. The nodes are a status, how many (1), and of
 * each, when its peers are asked for, a status, how many (1), and a byte each. The library is one
 * of ours.
 */
#include <dlfcn.h>
#include <pmix.h>
#include <stdlib.h>
#include <string.h>

#include "boot/boot_internal.h"
#include "fuzz.h"

enum { BLOB = 50, PES_MAX = 6, NO_BYTES = 65535, NUMBERS = 30 };

static struct {
  const uint8_t *next, *end;
  int running;
  bool numbers; /* the launcher numbers the nodes */
} input;

/* The next n bytes; behind the end there are zeros. */
static void take(void *to, size_t n) {
  const size_t left = (size_t)(input.end - input.next), k = n < left ? n : left;
  memset(to, 0, n);
  memcpy(to, input.next, k);
  input.next += k;
}

/* ---- the library ----------------------------------------------------------------------------- */

static pmix_status_t lib_init(pmix_proc_t *self, pmix_info_t info[], size_t n) {
  (void)info, (void)n;
  memset(self, 0, sizeof *self);
  take(&self->rank, sizeof self->rank);
  input.numbers = self->rank >> NUMBERS == 1;
  if (input.numbers) self->rank ^= UINT32_C(1) << NUMBERS;
  input.running++;
  return PMIX_SUCCESS;
}

static pmix_status_t lib_finalize(const pmix_info_t info[], size_t n) {
  (void)info, (void)n;
  FUZZ_CHECK(input.running-- == 1);
  return PMIX_SUCCESS;
}

static int lib_initialized(void) {
  return input.running;
}

static pmix_status_t lib_put(pmix_scope_t scope, const char key[], pmix_value_t *value) {
  (void)scope;
  FUZZ_CHECK(strlen(key) < PMIX_MAX_KEYLEN && value->data.bo.size <= 8 + PES_MAX * BLOB);
  return PMIX_SUCCESS;
}

static pmix_status_t lib_commit(void) {
  return PMIX_SUCCESS;
}

static pmix_status_t lib_fence(const pmix_proc_t procs[], size_t nprocs, const pmix_info_t info[],
                               size_t n) {
  (void)procs, (void)nprocs, (void)info, (void)n;
  return PMIX_SUCCESS;
}

static pmix_status_t lib_get(const pmix_proc_t *proc, const char key[], const pmix_info_t info[],
                             size_t n, pmix_value_t **out) {
  int8_t status;
  uint8_t type;
  uint16_t size;
  (void)proc, (void)info, (void)n;
  if (strcmp(key, PMIX_NODEID) == 0 && !input.numbers) return PMIX_ERR_NOT_FOUND;
  take(&status, 1);
  take(&type, 1);
  take(&size, 2);
  if (status < 0) return status;
  if (status > 0) return PMIX_SUCCESS; /* and no value */
  pmix_value_t *value = calloc(1, sizeof *value);
  value->type = type;
  if (type == PMIX_BYTE_OBJECT && size == NO_BYTES) {
    value->data.bo.size = BLOB;
  } else if (type == PMIX_BYTE_OBJECT) {
    value->data.bo.size = size;
    value->data.bo.bytes = malloc(size ? size : 1);
    take(value->data.bo.bytes, size);
  } else {
    take(&value->data, sizeof(uint64_t));
  }
  *out = value;
  return PMIX_SUCCESS;
}

static pmix_status_t lib_nodes(const char *job, char **nodes) {
  uint8_t status, n;
  (void)job;
  take(&status, 1);
  take(&n, 1);
  if (status) return -(int)status;
  *nodes = malloc(2 * (size_t)n + 1);
  for (int i = 0; i < n; i++) memcpy(*nodes + 2 * i, "n,", 2);
  (*nodes)[2 * (size_t)n] = '\0';
  return PMIX_SUCCESS;
}

static pmix_status_t lib_peers(const char *node, const char *job, pmix_proc_t **peers, size_t *n) {
  uint8_t status, count;
  (void)node, (void)job;
  take(&status, 1);
  take(&count, 1);
  if (status) return -(int)status;
  *n = count;
  *peers = calloc(*n ? *n : 1, sizeof **peers);
  for (size_t i = 0; i < *n; i++) take(&(*peers)[i].rank, 1);
  return PMIX_SUCCESS;
}

static pmix_status_t lib_abort(int status, const char message[], pmix_proc_t procs[], size_t n) {
  (void)status, (void)message, (void)procs, (void)n;
  return PMIX_SUCCESS;
}

static const char *lib_error(pmix_status_t status) {
  return status ? "an error" : "no value";
}

static void *symbol_of(const char *name) {
  static const struct {
    const char *name;
    void (*function)(void);
  } all[] = {
      {"PMIx_Init", (void (*)(void))lib_init},
      {"PMIx_Finalize", (void (*)(void))lib_finalize},
      {"PMIx_Initialized", (void (*)(void))lib_initialized},
      {"PMIx_Put", (void (*)(void))lib_put},
      {"PMIx_Commit", (void (*)(void))lib_commit},
      {"PMIx_Fence", (void (*)(void))lib_fence},
      {"PMIx_Get", (void (*)(void))lib_get},
      {"PMIx_Abort", (void (*)(void))lib_abort},
      {"PMIx_Error_string", (void (*)(void))lib_error},
      {"PMIx_Resolve_nodes", (void (*)(void))lib_nodes},
      {"PMIx_Resolve_peers", (void (*)(void))lib_peers},
      {"PMIx_Register_event_handler", (void (*)(void))lib_error}, /* for Open MPI: not called */
  };
  void *symbol = NULL;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(name, all[i].name) == 0) memcpy(&symbol, &all[i].function, sizeof symbol);
  return symbol;
}

void *__real_dlopen(const char *name, int flags);
void *__wrap_dlopen(const char *name, int flags);
void *__real_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name);

void *__wrap_dlopen(const char *name, int flags) {
  if (!name || strcmp(name, "libpmix.so.2") != 0) return __real_dlopen(name, flags);
  return &input;
}

/* A sanitizer comes by here before it is ready itself. */
__attribute__((no_sanitize("address", "undefined"))) void *__wrap_dlsym(void *library,
                                                                        const char *name) {
  return library == &input ? symbol_of(name) : __real_dlsym(library, name);
}

/* ---- an input -------------------------------------------------------------------------------- */

bool fuzz_input(const uint8_t *data, size_t size) {
  unsigned char mine[BLOB], all[PES_MAX * BLOB];
  weft_boot_t *boot = NULL;
  input.next = data;
  input.end = data + size;
  input.running = 0;
  memset(mine, 0x5a, sizeof mine);
  if (weft_boot_pmix_open(&boot) < 0) return input.running != 0; /* it was left again */
  FUZZ_CHECK(boot->pe >= 0 && boot->pe < boot->npes);
  const bool done = boot->npes <= PES_MAX && boot->allgather(boot, mine, sizeof mine, all) == 0 &&
                    memcmp(all + (size_t)boot->pe * BLOB, mine, BLOB) == 0;
  boot->finalize(boot);
  return done;
}
