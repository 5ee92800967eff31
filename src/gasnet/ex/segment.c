/*
 * segment.c: segments, and how large they may be. All of them are memory of the window: attached
 * and allocated ones come from this PE's private heap; the client's own memory is moved into it,
 * page by page, and keeps its address.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "coll/coll.h"
#include "gasnet/ex/internal.h"
#include "gasnet/tools/tools.h"
#include "runtime/runtime.h"
#include "window/window.h"

uintptr_t weft_gex_segment_max, weft_gex_segment_least;
bool weft_gex_attached;

/* Weak, for a client may define them, too. */
const char *gasnet_max_segsize_str __attribute__((weak));
uint64_t gasnet_max_segsize __attribute__((weak));

/* ---- GASNET_MAX_SEGSIZE: 4GB, 512MB/P, 0.85/H ------------------------------------------------ */

static size_t trim(const char *text, size_t n) {
  while (n && isspace((unsigned char)text[n - 1])) n--;
  return n;
}

/* The length of the text without /P or /H, whose slash may be missing; its letter or 0. */
static size_t cut_share(const char *text, char *share) {
  size_t n = trim(text, strlen(text));
  const int last = n ? toupper((unsigned char)text[n - 1]) : 0;
  *share = last == 'P' || last == 'H' ? (char)last : 0;
  if (!*share) return n;
  n = trim(text, n - 1);
  return n && text[n - 1] == '/' ? trim(text, n - 1) : n;
}

/* A number with or without a unit; 0: not understood. */
static double parse_bytes(const char *text) {
  static const char units[] = "KMGT";
  char *end;
  const double number = weft_tools_strtod(text, &end);
  double bytes = number;
  if (end == text || !(number > 0)) return 0;
  while (isspace((unsigned char)*end)) end++;
  const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
  if (unit) {
    bytes *= (double)((size_t)1 << (10 * (unit - units + 1)));
    end++;
  }
  if (toupper((unsigned char)*end) == 'B') end++;
  return *end ? 0 : bytes;
}

/* Bytes per process; 0: not understood. A number below 1 without a unit is a fraction of the
 * machine's memory. /H means all processes of the machine together. */
static size_t parse_limit(const char *text) {
  char size[64], share;
  double fraction, bytes;
  const size_t n = cut_share(text, &share);
  if (n >= sizeof size) return 0;
  memcpy(size, text, n);
  size[n] = 0;
  if (weft_tools_parse_double(size, &fraction) == 0 && fraction > 0 && fraction < 1)
    bytes = fraction * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  else
    bytes = parse_bytes(size);
  if (share == 'H') bytes /= weft_job.nmachine;
  return bytes < 0x1p62 ? (size_t)bytes : (size_t)1 << 62;
}

/* What the client or its user asks for: the user first, as in LBNL's release; 0: nobody. */
static size_t asked_limit(void) {
  const char *name = "GASNET_MAX_SEGSIZE", *text = gasnett_getenv(name);
  if (!text || !*text) {
    name = "gasnet_max_segsize_str";
    text = gasnet_max_segsize_str;
  }
  if (!text || !*text) return gasnet_max_segsize;
  const size_t asked = parse_limit(text);
  if (!asked && weft_job.pe == 0)
    weft_warn("%s=%s is not understood: write 4GB, 512MB/P or 0.85/H", name, text);
  return asked;
}

void weft_gex_segment_limit(void) {
  /* Clients attach all that is offered, and expect to get it: most of the memory that is free. */
  const uintptr_t free_share = weft_memory_available() / 20 * 17 / (size_t)weft_job.nmachine;
  uintptr_t most = weft_private_room(); /* what the world's collectives need is taken already */
  if (!weft_options.private_size && most > free_share) most = free_share;
  const size_t asked = asked_limit();
  if (asked && asked < most) most = asked;
  most -= most % (uintptr_t)GASNET_PAGESIZE;
  weft_gex_segment_max = most ? most : (uintptr_t)GASNET_PAGESIZE;
  const weft_reducer_t least = {.combine = weft_data_combine(WEFT_TYPE_U64, WEFT_COMBINE_min),
                                .width = sizeof(uint64_t)};
  weft_op_t op = {0};
  weft_team_reduce_all_begin(weft_team_world(), &weft_gex_segment_least, &weft_gex_segment_max, 1,
                             &least, &op);
  weft_team_wait(&op);
}

/* ---- creation -------------------------------------------------------------------------------- */

static gex_Segment_t new_segment(char *addr, uintptr_t size, int how) {
  gex_Segment_t s = weft_handle_new(sizeof *s, "a segment");
  if (!s) return NULL;
  s->client = &weft_gex_client;
  s->addr = addr;
  s->size = size;
  s->how = how;
  s->base = weft_job.window.base;
  return s;
}

static gex_Segment_t allocate(uintptr_t size, int how) {
  char *addr = weft_private_alloc((size_t)GASNET_PAGESIZE, size);
  if (!addr) return NULL;
  gex_Segment_t s = new_segment(addr, size, how);
  if (!s) weft_private_free(addr);
  return s;
}

static void release(gex_Segment_t s) {
  weft_private_free(s->addr);
  weft_handle_free(s);
}

int weft_gex_attach(gex_Segment_t *segment_p, gex_TM_t tm, uintptr_t size, const char *who) {
  if (tm != weft_gex.tm0)
    return weft_gex_error(GASNET_ERR_BAD_ARG, who, "the team must be that of gex_Client_Init");
  if (weft_gex_attached || weft_gex_ep0.segment)
    return weft_gex_error(GASNET_ERR_NOT_INIT, who, "there is a segment already");
  if (size % (uintptr_t)GASNET_PAGESIZE)
    return weft_gex_error(GASNET_ERR_BAD_ARG, who,
                          "size %zu is not a multiple of the page size, %zu", (size_t)size,
                          (size_t)GASNET_PAGESIZE);
  if (size > weft_gex_segment_max)
    return weft_gex_error(GASNET_ERR_BAD_ARG, who,
                          "size %zu is larger than the most, %zu (gasnet_getMaxLocalSegmentSize)",
                          (size_t)size, (size_t)weft_gex_segment_max);
  weft_gex_team_sync(tm, who);
  gex_Segment_t attached = size ? allocate(size, WEFT_GEX_ATTACHED) : GEX_SEGMENT_INVALID;
  const bool good = attached || !size;
  if (!weft_coll_agree(good)) {
    if (!good) weft_warn("%s: no %zu bytes: %s", who, (size_t)size, weft_private_shortage());
    if (attached) release(attached);
    return weft_gex_error(GASNET_ERR_RESOURCE, who, "a PE has not the memory it asked for");
  }
  if (attached && gasnet_client_attach_hook) gasnet_client_attach_hook(attached->addr, size);
  weft_gex_attached = true;
  weft_gex_ep0.segment = attached;
  weft_gex_card_set(&weft_gex_ep0);
  weft_gex_team_sync(tm, who);
  if (segment_p) *segment_p = attached;
  return GASNET_OK;
}

/* A PE whose attach has returned may send while others are still in theirs, and their client has
 * not seen its segment yet. */
WEFT_API int gex_Segment_Attach(gex_Segment_t *segment_p, gex_TM_t tm, uintptr_t size) {
  const char *who = "gex_Segment_Attach";
  weft_gex_up(who);
  if (size == 0) return weft_gex_error(GASNET_ERR_BAD_ARG, who, "size 0");
  weft_am_hold(true);
  int rc = weft_gex_attach(segment_p, tm, size, who);
  weft_am_hold(false);
  return rc;
}

/* ---- the client's memory: its whole pages become the window's -------------------------------- */

static gex_Addr_t first_page(const void *addr) {
  return (gex_Addr_t)((uintptr_t)addr & ~((uintptr_t)GASNET_PAGESIZE - 1));
}

static int adopt(gex_Segment_t *segment_p, char *addr, uintptr_t size, const char *who) {
  char *at = first_page(addr);
  const size_t n = weft_round_up((uintptr_t)(addr - at) + size, (uintptr_t)GASNET_PAGESIZE);
  gex_Segment_t s = new_segment(addr, size, WEFT_GEX_ADOPTED);
  if (!s) return weft_gex_error(GASNET_ERR_RESOURCE, who, "no memory");
  void *inside = at;
  /* Static data and heaps are the window's already, but their pages may not be, whole. */
  int rc =
      weft_window_contains(&weft_job.window, addr, size) ? 0 : weft_private_adopt(at, n, &inside);
  if (rc == 0) {
    s->base = (uintptr_t)at - weft_job_offset(inside);
    *segment_p = s;
    return GASNET_OK;
  }
  weft_handle_free(s);
  if (rc == -EINVAL)
    return weft_gex_error(GASNET_ERR_BAD_ARG, who,
                          "%p to %p: some of its pages are another segment's, or not the "
                          "program's own",
                          (void *)addr, (void *)(addr + size));
  if (rc == -EACCES)
    return weft_gex_error(GASNET_ERR_RESOURCE, who,
                          "%p to %p is mapped with MAP_SHARED: as a segment its other mappings "
                          "would be cut off",
                          (void *)addr, (void *)(addr + size));
  return weft_gex_error(GASNET_ERR_RESOURCE, who, "no room for %zu bytes: %s", n,
                        weft_private_shortage());
}

WEFT_API int gex_Segment_Create(gex_Segment_t *segment_p, gex_Client_t client, gex_Addr_t address,
                                uintptr_t length, gex_MK_t kind, gex_Flags_t flags) {
  const char *who = "gex_Segment_Create";
  weft_gex_up(who);
  if (!segment_p || client != &weft_gex_client || flags || !length)
    return weft_gex_error(GASNET_ERR_BAD_ARG, who, "no such client, no length, or flags not 0");
  if (kind != GEX_MK_HOST)
    return weft_gex_error(GASNET_ERR_BAD_ARG, who, "the memory kind must be GEX_MK_HOST");
  if (address) return adopt(segment_p, address, length, who);
  if (length > weft_gex_segment_max)
    return weft_gex_error(GASNET_ERR_BAD_ARG, who,
                          "length %zu is more than %zu (gasnet_getMaxLocalSegmentSize)",
                          (size_t)length, (size_t)weft_gex_segment_max);
  gex_Segment_t s = allocate(weft_round_up(length, (size_t)GASNET_PAGESIZE), WEFT_GEX_ALLOCATED);
  if (!s)
    return weft_gex_error(GASNET_ERR_RESOURCE, who, "no %zu bytes left: %s", (size_t)length,
                          weft_private_shortage());
  *segment_p = s;
  return GASNET_OK;
}

WEFT_API void gex_Segment_Destroy(gex_Segment_t segment, gex_Flags_t flags) {
  (void)flags;
  weft_gex_up("gex_Segment_Destroy");
  if (!segment || segment->how == WEFT_GEX_ATTACHED)
    weft_fatal("gex_Segment_Destroy: %s",
               segment ? "the segment of gex_Segment_Attach stays" : "no segment");
  if (segment->how == WEFT_GEX_ALLOCATED) {
    release(segment);
    return;
  }
  weft_private_release(first_page(segment->addr));
  weft_handle_free(segment);
}

/* ---- queries --------------------------------------------------------------------------------- */

WEFT_GEX_QUERIES(Segment)
WEFT_API gex_Client_t gex_Segment_QueryClient(gex_Segment_t segment) {
  weft_gex_given(segment, "gex_Segment_QueryClient");
  return segment->client;
}
WEFT_API void *gex_Segment_QueryAddr(gex_Segment_t segment) {
  weft_gex_given(segment, "gex_Segment_QueryAddr");
  return segment->addr;
}
WEFT_API uintptr_t gex_Segment_QuerySize(gex_Segment_t segment) {
  weft_gex_given(segment, "gex_Segment_QuerySize");
  return segment->size;
}
