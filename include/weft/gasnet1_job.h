/*
 * weft/gasnet1_job.h: the job calls of GASNet-1 1.8: exit, environment, polling, segment and node
 * information, waiting, handler-safe locks, and its types. gasnetex.h has them too, for GASNet-EX
 * has no others; gasnet_init, gasnet_attach and what is deprecated come with gasnet.h.
 */
#ifndef WEFT_GASNET1_JOB_H
#define WEFT_GASNET1_JOB_H

#include <weft/gex_client.h>
#include <weft/gex_types.h>

WEFT_GEX_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

typedef gex_Rank_t gasnet_node_t;
typedef gex_Token_t gasnet_token_t;
typedef gex_AM_Index_t gasnet_handler_t;
typedef gex_AM_Arg_t gasnet_handlerarg_t;
typedef gex_RMA_Value_t gasnet_register_value_t;
typedef gex_Event_t gasnet_handle_t;
typedef gex_HSL_t gasnet_hsl_t;
typedef void *gasnet_threadinfo_t;
#define GASNET_INVALID_HANDLE GEX_EVENT_INVALID
#define GASNET_HSL_INITIALIZER GEX_HSL_INITIALIZER
#define SIZEOF_GASNET_REGISTER_VALUE_T SIZEOF_GEX_RMA_VALUE_T
#define GASNET_VERSION 1
/* gasnet_init(NULL, NULL) and gex_Client_Init(..., NULL, NULL, ...) will do. */
#define GASNET_NULL_ARGV_OK 1

typedef struct {
  gex_AM_Index_t index; /* 0: any */
  gex_AM_Fn_t fnptr;
} gasnet_handlerentry_t;

typedef struct {
  void *addr;
  uintptr_t size;
} gasnet_seginfo_t;

typedef struct {
  gex_Rank_t host;      /* number of the set of PEs that share a kernel */
  gex_Rank_t supernode; /* ... that share memory */
  uintptr_t offset;     /* of the same supernode: added to an address there, gives the one here */
} gasnet_nodeinfo_t;

typedef struct {
  void *addr;
  size_t len;
} gasnet_memvec_t;

/* ---- end, errors, environment ---- */

void gasnet_exit(int exitcode) __attribute__((noreturn));
const char *gasnet_ErrorName(int errval);
const char *gasnet_ErrorDesc(int errval);
char *gasnet_getenv(const char *s);

/* ---- who and where ---- */

gasnet_node_t gasnet_mynode(void);
#define gasneti_mynode gasnet_mynode() /* no public name, but GASNet's own tests use it */
gasnet_node_t gasnet_nodes(void);
uintptr_t gasnet_getMaxLocalSegmentSize(void);
uintptr_t gasnet_getMaxGlobalSegmentSize(void);
int gasnet_getSegmentInfo(gasnet_seginfo_t *seginfo_table, int numentries);
int gasnet_getNodeInfo(gasnet_nodeinfo_t *nodeinfo_table, int numentries);

/* ---- progress ---- */

int gasnet_AMPoll(void);

enum { GASNET_WAIT_SPIN, GASNET_WAIT_BLOCK, GASNET_WAIT_SPINBLOCK };
#define GASNET_WAIT_SPIN GASNET_WAIT_SPIN
#define GASNET_WAIT_BLOCK GASNET_WAIT_BLOCK
#define GASNET_WAIT_SPINBLOCK GASNET_WAIT_SPINBLOCK
int gasnet_set_waitmode(int wait_mode);

/* Poll until the condition, which handlers of this PE or another thread bring about, holds. */
void weft_gex_block_step(unsigned *steps);
#define GASNET_BLOCKUNTIL(cond)                                                                    \
  do {                                                                                             \
    unsigned weft_steps = 0;                                                                       \
    while (!(cond)) weft_gex_block_step(&weft_steps);                                              \
    __atomic_thread_fence(__ATOMIC_ACQUIRE);                                                       \
  } while (0)

/* ---- locks; there are no interrupts to hold ---- */

void gasnet_hsl_init(gasnet_hsl_t *hsl);
void gasnet_hsl_destroy(gasnet_hsl_t *hsl);
void gasnet_hsl_lock(gasnet_hsl_t *hsl);
void gasnet_hsl_unlock(gasnet_hsl_t *hsl);
int gasnet_hsl_trylock(gasnet_hsl_t *hsl);
void gasnet_hold_interrupts(void);
void gasnet_resume_interrupts(void);

/* A hint of per-thread data, which Weft has no use for. */
#define GASNET_BEGIN_FUNCTION() (void)0
#define GASNET_POST_THREADINFO(info) (void)(info)
#define GASNET_GET_THREADINFO() ((gasnet_threadinfo_t)0)

/* Called, if it is set, with each segment that is attached, before it is used. */
extern void (*gasnet_client_attach_hook)(void *addr, uintptr_t size);

/* ---- gasnet.h: the beginning of a GASNet-1 client ---- */

int weft_gasnet1_init(int *argc, char ***argv, int mode);
WEFT_GEX_INLINE int gasnet_init(int *argc, char ***argv) {
  return weft_gasnet1_init(argc, argv, WEFT_GEX_MODE);
}
int gasnet_attach(gasnet_handlerentry_t *table, int numentries, uintptr_t segsize,
                  uintptr_t minheapoffset);
void gasnet_QueryGexObjects(gex_Client_t *client_p, gex_EP_t *endpoint_p, gex_TM_t *tm_p,
                            gex_Segment_t *segment_p);

#ifdef __cplusplus
}
#endif
WEFT_GEX_END

#endif
