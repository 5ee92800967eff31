/*
 * client.c: the beginning: the runtime is started, the one client's primordial objects are made,
 * and the table that says where an address of another PE is.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/coll.h"
#include "gasnet/internal.h"
#include "rma/rma.h"
#include "runtime/runtime.h"

struct weft_gex weft_gex;
struct weft_gex_client weft_gex_client;

static struct weft_gex_ep primordial_ep;
static _Alignas(128) struct weft_gex_tm primordial_tm;

void weft_gex_up(const char *who) {
  if (!weft_gex.tm0) weft_fatal("%s called before gex_Client_Init or gasnet_init", who);
}

int weft_gex_error(int status, const char *who, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  weft_warn("%s: %s", who, text);
  return status;
}

/* ---- where an address of another PE is ------------------------------------------------------- */

/* An on-node PE's displacement would be negative when address randomisation put it above: then it
 * carries like another node's, and the functions behind find the PE on this node. */
static void fill_disp(uintptr_t *disp, const uint64_t *base) {
  const bool away = weft_direct.disp != weft_job.disp; /* checked or recorded */
  for (int pe = 0; pe < weft_job.npes; pe++) {
    uintptr_t slot = (uintptr_t)weft_job_slot(pe);
    if (pe == weft_job.pe && !away)
      disp[pe] = 0;
    else if (away || !slot || slot < base[pe])
      disp[pe] = -(uintptr_t)base[pe];
    else
      disp[pe] = slot - base[pe];
  }
}

static const uintptr_t *make_disp(void) {
  uint64_t base = weft_job.window.base, first = base;
  weft_coll_share(&first, sizeof first);
  /* The checked table is of no use here: it says nothing about addresses. */
  if (weft_coll_agree(first == base) && weft_direct.disp == weft_job.disp) return weft_job.disp;
  const size_t n = (size_t)weft_job.npes;
  uint64_t *all = weft_symmetric_alloc(16, n * sizeof *all, "gex_Client_Init");
  uintptr_t *disp = malloc(n * sizeof *disp);
  if (!all || !disp) weft_fatal("gex_Client_Init: no memory for a table of %zu PEs", n);
  weft_coll_fcollect(weft_coll_world(), all, &base, sizeof base);
  fill_disp(disp, all);
  weft_symmetric_free(all, "gex_Client_Init");
  return disp;
}

/* ---- the primordial objects ------------------------------------------------------------------ */

static void make_objects(const char *name, gex_Flags_t flags, int mode) {
  weft_gex_client = (struct weft_gex_client){.name = strdup(name), .flags = flags, .mode = mode};
  primordial_ep =
      (struct weft_gex_ep){.client = &weft_gex_client, .capabilities = GEX_EP_CAPABILITY_ALL};
  weft_gex_client.eps[0] = &primordial_ep;
  primordial_tm = (struct weft_gex_tm){
      .rank = (gex_Rank_t)weft_job.pe, .size = (gex_Rank_t)weft_job.npes, .ep = &primordial_ep};
  weft_gex.threads = mode == 2;
  weft_gex.tm0 = &primordial_tm;
}

WEFT_API int weft_gex_client_init(gex_Client_t *client_p, gex_EP_t *ep_p, gex_TM_t *tm_p,
                                  const char *client_name, int *argc, char ***argv,
                                  gex_Flags_t flags, int mode) {
  if (weft_gex.tm0)
    return weft_gex_error(GASNET_ERR_NOT_INIT, "gex_Client_Init", "there is a client already");
  weft_gex_spawn(argc, argv);
  weft_runtime_start("gex_Client_Init");
  weft_runtime_imply_stop();
  weft_gex.disp = make_disp();
  make_objects(client_name, flags, mode);
  weft_gex_environment();
  weft_coll_sync(weft_coll_world());
  if (client_p) *client_p = &weft_gex_client;
  if (ep_p) *ep_p = &primordial_ep;
  if (tm_p) *tm_p = &primordial_tm;
  return GASNET_OK;
}

WEFT_API void gasnet_exit(int exitcode) {
  if (exitcode == 0 && weft_gex.tm0) exit(0);
  weft_job_exit(exitcode);
}
