/*
 * Bringing the job up: identities are exchanged, the node's window is mapped, and with more than
 * one node the fabric is opened and its addresses are exchanged. Three exchanges through the
 * launcher at most, and one more where the provider chooses memory keys.
 */
#define _GNU_SOURCE
#include "job/exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

weft_where_t weft_nowhere[WEFT_CLOSED_PES];
weft_job_t weft_job = {.where = weft_nowhere};

/* ---- limits ---------------------------------------------------------------------------------- */

/* The fewest PEs that a node has; an equal share of the memory of the node that has least per PE;
 * the longest slot that the limits of each PE permit: of address space and of a file's size, of
 * which the smaller counts. A PE maps all slots of its node, and its own once more. It keeps a
 * quarter of its room for other things. SIZE_MAX: no PE has a limit. */
static int find_least(const identity_t *all, size_t *pes, size_t *share, size_t *slot) {
  const weft_job_t *j = &weft_job;
  size_t *count = calloc((size_t)j->nnodes, sizeof *count);
  if (!count) return -ENOMEM;
  *pes = *share = *slot = SIZE_MAX;
  for (int pe = 0; pe < j->npes; pe++) count[j->where[pe].node]++;
  for (int node = 0; node < j->nnodes && count[node]; node++) { /* no node is empty */
    *pes = weft_smaller(*pes, count[node]);
    *share = weft_smaller(*share, all[j->leader[node]].memory / count[node]);
  }
  for (int pe = 0; pe < j->npes; pe++)
    if (all[pe].room)
      *slot = weft_smaller(*slot, all[pe].room / 4 * 3 / (count[j->where[pe].node] + 1));
  free(count);
  return 0;
}

/* Bytes of address space behind static data that a slot leaves to the break, which malloc moves up;
 * when it meets the slot's next part malloc takes memory elsewhere. They are what the most advanced
 * PE has used of it already (it starts at a random distance where addresses are random), and a PE's
 * share of the memory within bounds. They are not more because slots near each other share pages
 * of page tables. */
static size_t break_gap(const identity_t *all, size_t share) {
  const size_t least = (size_t)64 << 20, most = (size_t)4 << 30;
  size_t used = 0;
  for (int pe = 0; pe < weft_job.npes; pe++) used = weft_larger(used, all[pe].break_used);
  return used + weft_larger(least, weft_smaller(share, most));
}

/* Address space for memory that single callers and teams ask for: several teams of the same PEs,
 * and teams of others, take different parts of it. */
static size_t global_limit(size_t heap) {
  enum { TIMES = 4 };
  const size_t share = ((size_t)1 << 44) / (size_t)weft_job.npes; /* of the 128 TB that there are */
  if (heap >= share) return heap;
  return heap * TIMES < share ? heap * TIMES : share;
}

/* ---- the window ------------------------------------------------------------------------------ */

/* For what the heap knows about its blocks, beyond what was asked for. */
enum { HEAP_OWN = 1 << 20, HEAP_LEAST = HEAP_OWN + (16 << 20) };

static size_t take(size_t *at, size_t n) {
  size_t here = *at;
  *at = weft_round_up(here + n, 4096);
  return here;
}

/* No more helpers than the smallest node has PEs. */
static int count_helpers(size_t least, int wanted) {
  if (least >= (size_t)wanted) return wanted;
  if (weft_job.pe == 0)
    weft_info("%zu helpers per node, not %d: there is a node with only so many PEs", least, wanted);
  return (int)least;
}

/* Every node's port has the same plan, that of the one with least memory and most clients. */
static int plan_ports(weft_job_plan_t plan, const identity_t *all, size_t least) {
  weft_job_t *j = &weft_job;
  weft_job_areas_t *a = &j->layout;
  size_t memory = all[0].memory;
  for (int pe = 0; pe < j->npes; pe++) memory = weft_smaller(memory, all[pe].memory);
  j->nhelpers = count_helpers(least, (int)all[0].helpers);
  a->channels = (int)all[0].channels;
  if (j->nnodes == 1) return 0;
  int rc = plan(memory, (size_t)j->npes - least, a);
  a->stages_size = a->stage_size * (size_t)j->nnodes * ((size_t)a->channels + WEFT_LANES_MAX);
  return rc;
}

static size_t offsets_end = SIZE_MAX;

void weft_job_cap_offsets(size_t end) {
  offsets_end = weft_smaller(offsets_end, end);
}

static size_t give_way(size_t limit, size_t room, size_t least) {
  return weft_larger(weft_smaller(limit, room), weft_smaller(limit, least));
}

/* The limits of the three heaps, so that every slot offset is below the cap: those that nobody set
 * give way, the symmetric heap most, but not below `least`. */
static void fit_cap(const identity_t *all, size_t cap, size_t least, size_t fixed, size_t *heap,
                    size_t *private_heap, size_t *global) {
  enum { ROUNDING = 16 << 20 };
  if (fixed + *heap + *private_heap + *global + ROUNDING <= cap) return;
  size_t room = cap > fixed + ROUNDING ? cap - fixed - ROUNDING : 0;
  if (!all[0].symmetric_size) *heap = give_way(*heap, room / 4, least);
  room -= weft_smaller(room, *heap);
  if (!all[0].private_size) *private_heap = give_way(*private_heap, room / 2, least);
  room -= weft_smaller(room, *private_heap);
  *global = give_way(*global, room, least);
}

/* A heap's limit is what was asked for, or a PE's share of the memory; where that is pinned from
 * the start, a little of it, and no more address space than that for single callers and teams. */
static void lay_out(weft_layout_t *window, const identity_t *all, size_t share, size_t slot,
                    size_t inbox_size, bool pins) {
  enum { PINNED_PART = 16, PINNED_MOST = 512 << 20 };
  weft_job_t *j = &weft_job;
  size_t at = 0;
  weft_job_areas_t *a = &j->layout;
  a->coll_scratch_size = all[0].coll_scratch;
  a->shared = take(&at, sizeof(weft_shared_t));
  a->states = take(&at, weft_alive_bytes());
  a->stages = take(&at, a->stages_size);
  const size_t fixed = at;
  a->inbox = take(&at, inbox_size);
  a->coll_area = weft_round_up(WEFT_COLL_FLAG_BYTES + a->coll_scratch_size, 4096);
  a->coll_sync = take(&at, WEFT_COLL_AREAS * a->coll_area);
  a->coll_bulk = take(&at, (size_t)WEFT_COLL_BULKS * WEFT_COLL_BULK);
  const size_t gap = break_gap(all, pins ? 0 : weft_smaller(share, slot / 4));
  if (pins) share = weft_smaller(share / PINNED_PART, PINNED_MOST);
  size_t heap = (all[0].symmetric_size ? all[0].symmetric_size : share) + HEAP_OWN;
  size_t private_heap = (all[0].private_size ? all[0].private_size : share) + HEAP_OWN;
  size_t global = pins ? heap : global_limit(heap - HEAP_OWN);
  *window = (weft_layout_t){.statics = all[0].statics,
                            .static_size = all[0].static_size,
                            .gap = gap,
                            .runtime_size = at};
  weft_layout_make(window, 0, 0, 0);
  fit_cap(all, offsets_end, 0, weft_layout_end(window), &heap, &private_heap, &global);
  /* Slots that are too long even so are found where the window is mapped. */
  fit_cap(all, slot, HEAP_LEAST, weft_layout_end(window), &heap, &private_heap, &global);
  weft_layout_make(window, heap, private_heap, global);
  window->runtime_fixed = fixed;
  a->shared += window->runtime;
  a->states += window->runtime;
  a->inbox += window->runtime;
  a->coll_sync += window->runtime;
  a->coll_bulk += window->runtime;
  a->stages += window->runtime;
}

/* Exchange 2: everyone tells whether it could open the node's file, and whether its provider pins
 * memory; pins: anyone's does. If anyone anywhere could not open it (containers with PID namespaces
 * of their own, hidepid), all take a file that has a name for a moment.
 * The file descriptor or a negative errno. */
static int open_window_file(const identity_t *all, int mine, bool *pins) {
  enum { SHUT = 1, PINS = 2 };
  weft_job_t *j = &weft_job;
  const identity_t *lead = &all[j->leader[j->node]];
  int fd = j->slot == 0 ? mine : weft_window_file_of(lead->pid, lead->fd);
  char said = (char)((fd < 0 ? SHUT : 0) | (j->fabric.pins ? PINS : 0));
  char *says = calloc((size_t)j->npes, 1);
  if (!says) return -ENOMEM;
  int rc = j->boot->allgather(j->boot, &said, 1, says);
  for (int pe = 0; rc == 0 && pe < j->npes; pe++) said |= says[pe];
  *pins = said & PINS;
  free(says);
  if (j->slot != 0 && mine >= 0) close(mine);
  if (rc < 0 || !(said & SHUT)) return rc < 0 ? rc : fd;

  char name[64];
  snprintf(name, sizeof name, "/weft-%d-%d-%llx", (int)getuid(), lead->pid,
           (unsigned long long)lead->node_hash[0]);
  if (j->slot == 0) {
    if (mine >= 0) close(mine);
    fd = weft_window_named(name, true);
  } else if (fd >= 0) {
    close(fd);
  }
  weft_job_boot_barrier();
  if (j->slot != 0) fd = weft_window_named(name, false);
  weft_job_boot_barrier();
  if (j->slot == 0) weft_window_named_unlink(name);
  if (fd < 0)
    weft_warn(
        "cannot open the node's shared memory, neither through /proc/%d/fd nor as /dev/shm%s: %s; "
        "let the containers share one of them, or give each its own WEFT_NODE",
        lead->pid, name, strerror(-fd));
  return fd;
}

/* Is every PE's window at the same address? */
static bool bases_agree(const identity_t *all) {
  for (int pe = 1; pe < weft_job.npes; pe++)
    if (all[pe].base != all[0].base) return false;
  return true;
}

static int fill_owners(const identity_t *all) {
  weft_job_t *j = &weft_job;
  j->owner = j->disp;
  if (bases_agree(all)) return 0;
  j->owner = calloc((size_t)j->npes, sizeof *j->owner);
  if (!j->owner) return -ENOMEM;
  for (int pe = 0; pe < j->npes; pe++)
    j->owner[pe] = pe == j->pe ? 0 : (uintptr_t)weft_job_slot(pe) - all[pe].base;
  return 0;
}

static void fill_displacements(void) {
  weft_job_t *j = &weft_job;
  for (int pe = 0; pe < j->npes; pe++) {
    if (pe == j->pe)
      j->disp[pe] = 0;
    else if (j->where[pe].node == j->node)
      j->disp[pe] = (uintptr_t)(j->where[pe].slot + 1) * j->window.layout.stride;
    else
      j->disp[pe] = -j->window.base;
  }
}

/* Offsets must be equal on all PEs, so an alignment can be kept only as far as their addresses
 * agree: to the page where address space is randomised, without limit where it is not (weftrun
 * switches it off). */
static int open_heap(const identity_t *all) {
  weft_job_t *j = &weft_job;
  uint64_t differ = (uint64_t)1 << 40;
  for (int pe = 1; pe < j->npes; pe++) differ |= all[pe].base ^ all[0].base;
  j->align_max = (size_t)1 << __builtin_ctzll(differ);
  uintptr_t base = j->window.base + j->window.layout.heap;
  const int rc = weft_heap_init(&j->heap, (void *)base, j->window.layout.heap_limit, base,
                                weft_window_reserve, &j->window);
  if (!rc && weft_options.check) weft_heap_watch(&j->heap);
  return rc;
}

int weft_job_check_options(void) {
  const char *where = weft_options.helper_affinity;
  int cpu;
  if (strcmp(where, "auto") != 0 && strcmp(where, "rotate") != 0 && strcmp(where, "none") != 0 &&
      weft_parse_cpus(where, &cpu, 1) < 0) {
    weft_warn("WEFT_HELPER_AFFINITY=%s: auto, rotate, none, or processors such as 3 or 2-5,7",
              where);
    return -EINVAL;
  }
  if (weft_options.helpers < 1 || weft_options.helpers > WEFT_HELPERS_MAX) {
    weft_warn("WEFT_HELPERS=%d: from 1 to %d are possible", weft_options.helpers, WEFT_HELPERS_MAX);
    return -EINVAL;
  }
  if (weft_options.ctx_endpoints > 61) {
    weft_warn("WEFT_CTX_ENDPOINTS=%d: at most 61 are possible", weft_options.ctx_endpoints);
    return -EINVAL;
  }
  return 0;
}

int weft_job_start(weft_job_plan_t plan, size_t inbox_size) {
  weft_job_t *j = &weft_job;
  weft_image_t image;
  weft_layout_t layout;
  identity_t *all = NULL;
  size_t least, share, slot;
  bool pins;
  int rc;
  if (j->started) return 0;
  weft_fill_standard();
  if ((rc = weft_boot_open(&j->boot)) < 0) return rc;
  j->pe = j->boot->pe;
  j->npes = j->boot->npes;
  weft_log_set_pe(j->pe);
  weft_job_catch_end();
  weft_log_set_delay(j->pe == 0 ? 0 : 300);
  if ((rc = weft_options_read()) < 0) return rc;
  if (j->pe == 0) weft_options_check_names();
  if ((rc = weft_job_check_options()) < 0) return rc;
  if ((rc = weft_image_find(&image)) < 0) return rc;

  int fd = weft_window_file(strcmp(weft_options.shm, "file") != 0); /* may be none */
  identity_t me;
  if ((rc = weft_identity_introduce(&me, &image, fd, inbox_size)) < 0) return rc;
  all = calloc((size_t)j->npes, sizeof *all);
  if (!all) return -ENOMEM;
  if ((rc = j->boot->allgather(j->boot, &me, sizeof me, all)) < 0) goto out;
  j->secret = all[0].secret;
  if ((rc = weft_identity_agree(all)) < 0) goto out;
  if ((rc = weft_place_pes(all)) < 0) goto out;
  if ((rc = find_least(all, &least, &share, &slot)) < 0) goto out;
  if ((rc = plan_ports(plan, all, least)) < 0) goto out;
  if (j->nnodes > 1 && !weft_alive_is_wanted() && (rc = weft_job_find_fabric()) < 0) goto out;
  if ((rc = fd = open_window_file(all, fd, &pins)) < 0) goto out;
  lay_out(&layout, all, share, slot, inbox_size, pins);
  rc = weft_window_map(&j->window, fd, &image, &layout, j->slot, j->nslots);
  if (rc < 0) {
    rc = -ECANCELED; /* it has said why */
    goto out;
  }
  j->stride = layout.stride;
  if ((rc = open_heap(all)) < 0) goto out;
  fill_displacements();
  if (!weft_alive_is_wanted())
    weft_log_share(&weft_job_shared(j->local[0])->last_line, j->node > 0 ? 200 : 0);
  if ((rc = fill_owners(all)) < 0) goto out;
  weft_alive_open();
  if (j->nnodes > 1 && (rc = weft_job_open_fabric()) < 0) goto out;
  weft_window_protect(&j->window, !j->port || !j->fabric.pins);
  if ((rc = weft_alive_start()) < 0) goto out;
  weft_log_set_delay(0);
  j->started = true;
out:
  free(all);
  return rc;
}

int weft_job_boot_barrier(void) {
  return weft_job.boot->allgather(weft_job.boot, NULL, 0, NULL);
}

bool weft_job_is_symmetric(const void *p, size_t n) {
  return weft_window_is_symmetric(&weft_job.window, p, n);
}

bool weft_job_heap_owns(const void *p, size_t n) {
  weft_lock(&weft_job.heap_lock);
  const bool owns = weft_heap_owns(&weft_job.heap, p, n);
  weft_unlock(&weft_job.heap_lock);
  return owns;
}

void weft_job_heap_blame(const char *who) {
  weft_lock(&weft_job.heap_lock);
  weft_heap_blame(&weft_job.heap, who);
  weft_unlock(&weft_job.heap_lock);
}

void *weft_job_ptr(const void *symmetric, int pe) {
  const weft_job_t *j = &weft_job;
  if (pe < 0 || pe >= j->npes || j->where[pe].node != j->node) return NULL;
  if (!weft_job_is_symmetric(symmetric, 1) && !weft_window_is_constant(&j->window, symmetric, 1))
    return NULL;
  return (char *)symmetric + j->disp[pe];
}
