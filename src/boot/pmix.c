/*
 * The client of PMIx, which Open MPI's mpirun, PRRTE and Slurm serve. The library is loaded when a
 * launcher asks for it (PMIX_RANK is set), so that nobody else needs it installed; only its headers
 * are used to build.
 *
 * Values are filled in by hand: the macros of pmix.h call functions of the library.
 */
#include "base/base.h"
#include "boot/boot_internal.h"

#include <dlfcn.h>
#include <limits.h>
#include <pmix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VALUE_MAX = 1 << 20 };

typedef struct weft_boot_pmix {
  weft_boot_t boot;
  weft_kvs_t kvs;
  pmix_proc_t self;
  __typeof__(PMIx_Init) *init;
  __typeof__(PMIx_Finalize) *finalize;
  __typeof__(PMIx_Initialized) *initialized;
  __typeof__(PMIx_Put) *put;
  __typeof__(PMIx_Commit) *commit;
  __typeof__(PMIx_Fence) *fence;
  __typeof__(PMIx_Get) *get;
  __typeof__(PMIx_Abort) *abort;
  __typeof__(PMIx_Error_string) *error_string;
  __typeof__(PMIx_Resolve_nodes) *resolve_nodes;
  __typeof__(PMIx_Resolve_peers) *resolve_peers;
  __typeof__(PMIx_Register_event_handler) *hear_events;
} weft_boot_pmix_t;

static weft_boot_pmix_t *pmix_of_kvs(weft_kvs_t *kvs) {
  return (weft_boot_pmix_t *)((char *)kvs - offsetof(weft_boot_pmix_t, kvs));
}

static int pmix_failed(const weft_boot_pmix_t *pmix, const char *what, pmix_status_t status) {
  weft_warn("%s failed: %s (%d); is the launcher still there?", what, pmix->error_string(status),
            status);
  return -EIO;
}

static int pmix_put(weft_kvs_t *kvs, const char *key, const void *bytes, size_t len) {
  weft_boot_pmix_t *pmix = pmix_of_kvs(kvs);
  pmix_value_t value;
  memset(&value, 0, sizeof(value));
  value.type = PMIX_BYTE_OBJECT;
  value.data.bo.bytes = (char *)(uintptr_t)bytes; /* copied, never written */
  value.data.bo.size = len;
  pmix_status_t status = pmix->put(PMIX_GLOBAL, key, &value);
  return status == PMIX_SUCCESS ? 0 : pmix_failed(pmix, "PMIx_Put", status);
}

static pmix_info_t pmix_flag(const char *key) {
  pmix_info_t flag;
  memset(&flag, 0, sizeof(flag));
  strncpy(flag.key, key, PMIX_MAX_KEYLEN);
  flag.value.type = PMIX_BOOL;
  flag.value.data.flag = true;
  return flag;
}

static int pmix_fence(weft_kvs_t *kvs) {
  weft_boot_pmix_t *pmix = pmix_of_kvs(kvs);
  const pmix_info_t collect = pmix_flag(PMIX_COLLECT_DATA);
  pmix_status_t status = pmix->commit();
  if (status != PMIX_SUCCESS) return pmix_failed(pmix, "PMIx_Commit", status);
  status = pmix->fence(NULL, 0, &collect, 1);
  return status == PMIX_SUCCESS ? 0 : pmix_failed(pmix, "PMIx_Fence", status);
}

/* The fence has collected all values, so one that is not here will never be: without IMMEDIATE the
 * server would wait for it for ever. */
static int pmix_get(weft_kvs_t *kvs, int pe, const char *key, void *bytes, size_t len) {
  weft_boot_pmix_t *pmix = pmix_of_kvs(kvs);
  const pmix_info_t immediate = pmix_flag(PMIX_IMMEDIATE);
  pmix_proc_t peer = pmix->self;
  pmix_value_t *value = NULL;
  peer.rank = (pmix_rank_t)pe;
  pmix_status_t status = pmix->get(&peer, key, &immediate, 1, &value);
  if (status == PMIX_ERR_NOT_FOUND) {
    weft_warn("PE %d has put no %s: does the launcher tell each PE the same, and is each linked "
              "with the same Weft?",
              pe, key);
    return -EPROTO;
  }
  if (status != PMIX_SUCCESS || !value) return pmix_failed(pmix, "PMIx_Get", status);
  bool fits = value->type == PMIX_BYTE_OBJECT && value->data.bo.size == len && value->data.bo.bytes;
  if (fits) {
    memcpy(bytes, value->data.bo.bytes, len);
  } else {
    weft_warn("PMIx_Get of %s: not the %zu bytes that PE %d put; is it linked with the same Weft?",
              key, len, pe);
  }
  if (value->type == PMIX_BYTE_OBJECT) free(value->data.bo.bytes);
  free(value);
  return fits ? 0 : -EPROTO;
}

static int pmix_allgather(weft_boot_t *boot, const void *mine, size_t len, void *all) {
  weft_boot_pmix_t *pmix = (weft_boot_pmix_t *)boot;
  return weft_kvs_allgather(&pmix->kvs, boot, mine, len, all);
}

static void __attribute__((noreturn)) pmix_abort(weft_boot_t *boot, int status) {
  weft_boot_pmix_t *pmix = (weft_boot_pmix_t *)boot;
  if (pmix->initialized()) pmix->abort(status, "Weft ended the job", NULL, 0);
  weft_boot_exit(status);
}

/* PMIx counts the calls of PMIx_Init in a process. While the program's Open MPI is running ours
 * must not be the call that ends the client under it. */
static void pmix_leave(weft_boot_t *boot) {
  weft_boot_pmix_t *pmix = (weft_boot_pmix_t *)boot;
  weft_nodes_free(pmix->kvs.nodes);
  pmix->kvs.nodes = NULL;
  if (weft_boot_mpi_state() == WEFT_MPI_RUNNING || !pmix->initialized()) return;
  pmix_status_t status = pmix->finalize(NULL, 0);
  if (status != PMIX_SUCCESS) pmix_failed(pmix, "PMIx_Finalize", status);
}

/* Open MPI 4 leaves its handler of events with PMIx and unloads its code at MPI_Finalize, where its
 * call of PMIx_Finalize ends everything. While we are another user it does not: an event that comes
 * later, as that a process has ended, would be handled by code that is gone. */
static void pmix_hide_event(size_t registration, pmix_status_t event, const pmix_proc_t *source,
                            pmix_info_t info[], size_t ninfo, pmix_info_t *results, size_t nresults,
                            pmix_event_notification_cbfunc_fn_t next, void *arg) {
  const bool over = weft_boot_mpi_state() == WEFT_MPI_FINISHED;
  (void)registration, (void)event, (void)source, (void)info, (void)ninfo;
  (void)results, (void)nresults;
  if (next)
    next(over ? PMIX_EVENT_ACTION_COMPLETE : PMIX_EVENT_NO_ACTION_TAKEN, NULL, 0, NULL, NULL, arg);
}

/* Before all other handlers. */
static void pmix_hide_events(const weft_boot_pmix_t *pmix) {
  pmix_info_t first = pmix_flag(PMIX_EVENT_HDLR_FIRST);
  if (weft_boot_mpi_is_open_mpi())
    pmix->hear_events(NULL, 0, &first, 1, pmix_hide_event, NULL, NULL);
}

static int (*pmix_is_initialized)(void); /* PMIx's own */

/* MPI_Init of Open MPI 5 leaves PMIx_Init out where somebody has begun already, and so never learns
 * which process it is ("local rank: Not found"). Its first question gets a no, and it begins, too:
 * PMIx counts that. (MPI_Init itself may be a profiler's.) */
static int pmix_deny_once(void) {
  static bool denied;
  return __atomic_exchange_n(&denied, true, __ATOMIC_RELAXED) ? pmix_is_initialized() : 0;
}

/* Where there is no MPI yet it may be loaded later, as by mpi4py. */
static void pmix_let_open_mpi_begin(const weft_boot_pmix_t *pmix) {
  static const char question[] = "PMIx_Initialized";
  const void *mpi_init = dlsym(RTLD_DEFAULT, "PMPI_Init");
  pmix_is_initialized = pmix->initialized;
  if (!mpi_init)
    weft_calls_offer((const void *)pmix->initialized, question, (const void *)pmix_deny_once);
  else if (weft_boot_mpi_is_open_mpi() && weft_boot_mpi_state() == WEFT_MPI_NONE)
    weft_calls_set(mpi_init, question, (void *)pmix_deny_once);
}

static int pmix_load(weft_boot_pmix_t *pmix) {
  void *library = dlopen("libpmix.so.2", RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    weft_warn("the launcher speaks PMIx, but its library cannot be loaded: %s; install "
              "libpmix2, or start with weftrun or mpiexec.hydra",
              dlerror());
    return -ELIBACC;
  }
  const struct {
    const char *name;
    void *function; /* address of the field */
  } symbols[] = {
      {"PMIx_Init", &pmix->init},
      {"PMIx_Finalize", &pmix->finalize},
      {"PMIx_Initialized", &pmix->initialized},
      {"PMIx_Put", &pmix->put},
      {"PMIx_Commit", &pmix->commit},
      {"PMIx_Fence", &pmix->fence},
      {"PMIx_Get", &pmix->get},
      {"PMIx_Abort", &pmix->abort},
      {"PMIx_Error_string", &pmix->error_string},
      {"PMIx_Resolve_nodes", &pmix->resolve_nodes},
      {"PMIx_Resolve_peers", &pmix->resolve_peers},
      {"PMIx_Register_event_handler", &pmix->hear_events},
  };
  for (size_t i = 0; i < WEFT_ARRAY_LEN(symbols); i++) {
    void *symbol = dlsym(library, symbols[i].name);
    if (!symbol) {
      weft_warn("libpmix.so.2 is too old: it has no %s; start with weftrun or mpiexec.hydra",
                symbols[i].name);
      return -ELIBBAD;
    }
    memcpy(symbols[i].function, &symbol, sizeof(symbol));
  }
  return 0;
}

static int pmix_job_size(weft_boot_pmix_t *pmix) {
  pmix_proc_t job = pmix->self;
  pmix_value_t *value = NULL;
  job.rank = PMIX_RANK_WILDCARD;
  pmix_status_t status = pmix->get(&job, PMIX_JOB_SIZE, NULL, 0, &value);
  if (status != PMIX_SUCCESS || !value)
    return pmix_failed(pmix, "PMIx_Get of the job size", status);
  pmix->boot.pe = (int)pmix->self.rank;
  pmix->boot.npes = value->type == PMIX_UINT32 ? (int)value->data.uint32 : 0;
  free(value);
  if (pmix->boot.pe >= 0 && pmix->boot.npes > pmix->boot.pe) return 0;
  weft_warn("PMIx says that this is process %d of a job of %d; start with another launcher, such "
            "as weftrun",
            pmix->boot.pe, pmix->boot.npes);
  return -EPROTO;
}

/* Which node each PE is on, from 1: as the launcher numbers them. False: it does not. */
static bool pmix_number_nodes(const weft_boot_pmix_t *pmix, int *names) {
  const pmix_info_t optional = pmix_flag(PMIX_OPTIONAL); /* what is known here: nobody is asked */
  for (int pe = 0; pe < pmix->boot.npes; pe++) {
    pmix_proc_t peer = pmix->self;
    pmix_value_t *value = NULL;
    peer.rank = (pmix_rank_t)pe;
    if (pmix->get(&peer, PMIX_NODEID, &optional, 1, &value) != PMIX_SUCCESS || !value) return false;
    const bool fits = value->type == PMIX_UINT32 && value->data.uint32 < INT_MAX;
    names[pe] = fits ? (int)value->data.uint32 + 1 : 0;
    free(value);
    if (!fits) return false;
  }
  return true;
}

/* The same by their names; names begin as 0. False: the launcher does not know of every PE. (PMIx
 * 5.0.7 prints lines when it is asked so.) */
static bool pmix_name_nodes(const weft_boot_pmix_t *pmix, int *names) {
  char *nodes = NULL, *rest = NULL;
  int known = 0, name = 1;
  if (pmix->resolve_nodes(pmix->self.nspace, &nodes) != PMIX_SUCCESS || !nodes) return false;
  for (char *node = strtok_r(nodes, ",", &rest); node; node = strtok_r(NULL, ",", &rest), name++) {
    pmix_proc_t *peers = NULL;
    size_t n = 0;
    if (pmix->resolve_peers(node, pmix->self.nspace, &peers, &n) != PMIX_SUCCESS) break;
    for (size_t i = 0; i < n; i++) {
      if (peers[i].rank >= (pmix_rank_t)pmix->boot.npes) continue;
      known += names[peers[i].rank] == 0;
      names[peers[i].rank] = name;
    }
    free(peers);
  }
  free(nodes);
  return known == pmix->boot.npes;
}

/* The answers come from the description of the job that every PE got when it began, the same for
 * all. */
static int pmix_find_nodes(weft_boot_pmix_t *pmix) {
  enum { ANY_JOB = 1 << 24 }; /* a larger one is refused soon */
  if (pmix->boot.npes > ANY_JOB) return 0;
  int rc = 0, *names = calloc((size_t)pmix->boot.npes, sizeof *names);
  if (!names) return -ENOMEM;
  bool known = pmix_number_nodes(pmix, names);
  if (!known) {
    memset(names, 0, (size_t)pmix->boot.npes * sizeof *names);
    known = pmix_name_nodes(pmix, names);
  }
  if (known) rc = weft_nodes_new(&pmix->boot, names, &pmix->kvs.nodes);
  free(names);
  return rc;
}

int weft_boot_pmix_open(weft_boot_t **out) {
  static weft_boot_pmix_t pmix;
  int rc = pmix_load(&pmix);
  if (rc) return rc;
  pmix_status_t status = pmix.init(&pmix.self, NULL, 0);
  if (status != PMIX_SUCCESS) return pmix_failed(&pmix, "PMIx_Init", status);
  pmix.kvs.nodes = NULL;
  rc = pmix_job_size(&pmix);
  if (rc == 0) rc = pmix_find_nodes(&pmix);
  if (rc == 0) pmix_hide_events(&pmix);
  if (rc == 0) pmix_let_open_mpi_begin(&pmix);
  if (rc) {
    pmix.finalize(NULL, 0);
    return rc;
  }
  setenv(WEFT_BOOT_JOINED, "1", 1);
  pmix.kvs.value_max = VALUE_MAX;
  pmix.kvs.put = pmix_put;
  pmix.kvs.fence = pmix_fence;
  pmix.kvs.get = pmix_get;
  pmix.boot.name = "pmix";
  pmix.boot.allgather = pmix_allgather;
  pmix.boot.abort = pmix_abort;
  pmix.boot.finalize = pmix_leave;
  *out = &pmix.boot;
  return 0;
}
