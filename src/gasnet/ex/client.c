/*
 * client.c: the beginning: the runtime is started, the one client and its primordial objects are
 * made, and active messages are opened.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "am/am.h"
#include "coll/coll.h"
#include "gasnet/ex/internal.h"
#include "rma/rma.h"
#include "runtime/runtime.h"

struct weft_gex weft_gex = {.disp = weft_closed_disp};
struct weft_gex_client weft_gex_client;

/* The second one with WEFT_CHECK=1 (weft/gex_types.h). */
static _Alignas(128) struct {
  struct weft_gex_tm usual;
  _Alignas(64) struct weft_gex_tm checked;
} primordial;

static WEFT_COLD __attribute__((noreturn)) void not_up(const char *who) {
  weft_fatal("%s called before gex_Client_Init or gasnet_init", who);
}

/* Inline functions have come here (am/short.c). */
void weft_am_closed(void) {
  not_up("gex_AM_RequestShort");
}

__attribute__((constructor)) static void use_closed_table(void) {
  weft_gex.disp = weft_closed_table();
}

void weft_gex_up(const char *who) {
  if (weft_unlikely(!weft_gex.tm0)) not_up(who);
}

void weft_gex_none(const char *who) {
  weft_gex_up(who);
  weft_fatal("%s: the handle is NULL, which is no object", who);
}

int weft_gex_error(int status, const char *who, const char *format, ...) {
  char text[256];
  va_list arguments;
  if (!weft_gex_verbose) return status;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  weft_warn("%s: %s (%s)", who, text, gasnet_ErrorName(status));
  return status;
}

/* ---- the primordial objects ------------------------------------------------------------------ */

static gex_TM_t primordial_tm(void) {
  _Static_assert(sizeof(struct weft_gex_tm) <= 64, "at 64 modulo 128");
  return weft_options.check ? &primordial.checked : &primordial.usual;
}

static void make_objects(const char *name, gex_Flags_t flags, int mode) {
  weft_gex_client = (struct weft_gex_client){.name = strdup(name), .flags = flags, .mode = mode};
  weft_gex_ep0.client = &weft_gex_client;
  weft_gex_ep0.flags = flags; /* it says how all of them were made */
  weft_gex_ep0.capabilities = GEX_EP_CAPABILITY_ALL;
  *primordial_tm() = (struct weft_gex_tm){.rank = (gex_Rank_t)weft_job.pe,
                                          .size = (gex_Rank_t)weft_job.npes,
                                          .ep = &weft_gex_ep0,
                                          .flags = flags};
  weft_gex.threads = mode == 2;
}

static void open_messages(void) {
  if (weft_am_open() < 0)
    weft_fatal("gex_Client_Init: no memory for active messages; start fewer PEs");
  weft_gex_other_start();
  weft_gex_peer_open();
}

WEFT_API int weft_gex_client_init(gex_Client_t *client_p, gex_EP_t *ep_p, gex_TM_t *tm_p,
                                  const char *client_name, int *argc, char ***argv,
                                  gex_Flags_t flags, int mode) {
  const char *who = "gex_Client_Init";
  if (weft_gex.tm0) return weft_gex_error(GASNET_ERR_NOT_INIT, who, "there is a client already");
  if (!client_name || !*client_name)
    return weft_gex_error(GASNET_ERR_BAD_ARG, who, "the client has no name");
  if (flags & ~(gex_Flags_t)(GEX_FLAG_USES_GASNET1 | GEX_FLAG_DEFER_THREADS))
    return weft_gex_error(GASNET_ERR_BAD_ARG, who, "unknown flags %#x", flags);
  weft_gex_spawn(argc, argv);
  weft_runtime_start(who);
  weft_runtime_imply_stop();
  make_objects(client_name, flags, mode);
  weft_gex_environment();
  open_messages();
  weft_gex_cards_start();
  weft_gex.tm0 = primordial_tm();
  weft_gex_exit_start();
  weft_gex_teams_start();
  weft_gex_segment_limit();
  weft_coll_sync(weft_team_world());
  if (client_p) *client_p = &weft_gex_client;
  if (ep_p) *ep_p = &weft_gex_ep0;
  if (tm_p) *tm_p = weft_gex.tm0;
  return GASNET_OK;
}

/* ---- queries --------------------------------------------------------------------------------- */

WEFT_GEX_QUERIES(Client)
WEFT_API const char *gex_Client_QueryName(gex_Client_t client) {
  weft_gex_given(client, "gex_Client_QueryName");
  return client->name;
}
