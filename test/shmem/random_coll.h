/*
 * random_coll.h: collectives over teams and active sets. Each has memory of its own in region 0, at
 * one place on all members, so none has to wait for the last.
 */
#ifndef RANDOM_COLL_H
#define RANDOM_COLL_H

#include "shmem/random_coll_calls.h"

/* ---- the plan -------------------------------------------------------------------------------- */

/* Items of collectives, MEMORY among them: actor is the thread; `region` the team, or -1; pe, cond,
 * mask an active set; type the row of the operation's table; at dest, near_at source; block the
 * elements. */
static bool is_old(const item_t *i) {
  return i->region < 0;
}

static const coll_row_t *coll_row(const item_t *i) {
  if (i->op >= BARRIER) return NULL;
  if (is_old(i))
    return i->op <= ALLTOALLS ? &coll_old_moves[i->type]
           : i->op <= EXSCAN  ? &coll_old_sums[i->type]
                              : &coll_old_bits[i->type];
  if (i->op <= ALLTOALLS || i->op == MAX || i->op == MIN) return &coll_moves[i->type];
  return i->op <= EXSCAN ? &coll_sums[i->type] : &coll_bits[i->type];
}

static int coll_size(const item_t *i) {
  return is_old(i) ? (int)i->mask : teams[i->region].size;
}

static int coll_pe(const item_t *i, int rank) {
  return is_old(i) ? i->pe + (rank << i->cond) : teams[i->region].pes[rank];
}

static int coll_rank(const item_t *i, int pe) {
  for (int rank = 0; rank < coll_size(i); rank++)
    if (coll_pe(i, rank) == pe) return rank;
  return -1;
}

/* What a member brings to collect. */
static size_t coll_brings(const item_t *i, int rank) {
  return i->op == COLLECT ? mix((uint64_t)i->id * 64 + (uint64_t)rank + seed) % (i->block + 1)
                          : i->block;
}

/* The small number that a member brings to a sum. */
static int coll_number(const item_t *i, int rank, size_t k) {
  const int value = (int)(mix((uint64_t)i->id * 97 + (uint64_t)rank * 1000003 + k) % 9);
  return i->op == PROD ? (value % 3 == 0 && rank < 5 ? 2 : 1) : value;
}

static bool has_numbers(const item_t *i) {
  return i->op >= SUM && i->op < AND_;
}

static void coll_source(const item_t *i, int rank, char *to) {
  const coll_row_t *row = coll_row(i);
  fill(to, i->near_bytes, ((uint64_t)i->id << 8) + (uint64_t)rank + (1u << 30));
  if (!has_numbers(i)) return;
  memset(to, 0, i->near_bytes);
  for (size_t k = 0; k < i->near_bytes / row->size; k++) row->put(to, k, coll_number(i, rank, k));
}

static bool coll_fits(item_t *i, size_t bytes, size_t near_bytes) {
  const bool in_place = i->nbi;
  struct region *r = &regions[0];
  size_t at = r->next[0] + (chance(50) ? 0 : draw(64));
  at = (at + 15) / 16 * 16;
  i->near_bytes = near_bytes;
  i->near_at = at;
  i->at = in_place ? at : (at + near_bytes + (chance(50) ? 0 : draw(64)) + 15) / 16 * 16;
  const size_t end = i->at + bytes;
  if (end > r->size || at + near_bytes > r->size) return false;
  r->next[0] = end > at + near_bytes ? end : at + near_bytes;
  return true;
}

static void plan_collective(size_t most) {
  item_t *i = item_new(COLLECTIVE, 0, 0);
  const size_t limits[] = {1, 5, 40, 1000, most / 4, most};
  i->region = (int)draw((size_t)nteams);
  if (chance(30)) i->region = 0;
  if (chance(20) && psyncs_used < PSYNCS)
    i->region = -1;
  else if (!teams[i->region].is_live)
    i->region = 0;
  if (i->region < 0)
    i->want = (uint64_t)psyncs_used++; /* each its own pSync until the next barrier */
  i->actor = i->region < 0 ? 0 : teams[i->region].thread;
  i->op = (int)draw(COLLS);
  if (i->op == MEMORY) {
    i->region = i->actor = 0;
    i->value = draw64();
    return;
  }
  i->cond = draw(3);
  i->pe = (int)draw((size_t)n);
  i->mask = 1 + draw((size_t)((n - 1 - i->pe) >> i->cond) + 1);
  if (is_old(i) && (i->op == INSCAN || i->op == EXSCAN)) i->op = SUM;
  i->type = (int)draw(is_old(i) ? (i->op <= ALLTOALLS ? ROWS(coll_old_moves)
                                   : i->op <= EXSCAN  ? ROWS(coll_old_sums)
                                                      : ROWS(coll_old_bits))
                      : i->op <= ALLTOALLS || i->op == MAX || i->op == MIN ? ROWS(coll_moves)
                      : i->op <= EXSCAN                                    ? ROWS(coll_sums)
                                                                           : ROWS(coll_bits));
  if ((i->op == MAX || i->op == MIN) && !is_old(i) && i->type == 0) i->type = 1;
  if (i->op >= BARRIER) return;
  const size_t size = coll_row(i)->size, ranks = (size_t)coll_size(i);
  i->block = draw(limits[draw(6)] / size + 2);
  i->value = draw(ranks);
  i->far = 1 + (ptrdiff_t)draw(4);
  i->near = 1 + (ptrdiff_t)draw(4);
  const size_t bytes = i->block * size;
  bool fits = false;
  switch (i->op) {
  case BROADCAST:
    i->nbi = chance(25);
    fits = coll_fits(i, bytes, bytes);
    break;
  case COLLECT:
  case FCOLLECT: fits = coll_fits(i, bytes * ranks, bytes); break;
  case ALLTOALL: fits = coll_fits(i, bytes * ranks, bytes * ranks); break;
  case ALLTOALLS:
    fits = coll_fits(i, bytes * ranks * (size_t)i->far, bytes * ranks * (size_t)i->near);
    break;
  default: i->nbi = chance(30); fits = coll_fits(i, bytes, bytes);
  }
  if (!fits) nitems--;
}

/* ---- carrying it out, and the model ---------------------------------------------------------- */

/* Before the phase's first barrier, on a member. */
static void coll_prepare(const item_t *i, int rank) {
  if (i->op >= BARRIER || rank < 0) return;
  coll_source(i, rank, regions[0].base + i->near_at);
  coll_source(i, rank, model_of(0, me) + i->near_at);
}

static void coll_model_numbers(const item_t *i, int rank, char *dest) {
  const int first = 0, last = i->op == INSCAN   ? rank
                              : i->op == EXSCAN ? rank - 1
                                                : coll_size(i) - 1;
  for (size_t k = 0; k < i->block; k++) {
    int all = i->op == PROD ? 1 : i->op == MAX ? -1000 : i->op == MIN ? 1000 : 0;
    for (int r = first; r <= last; r++) {
      const int value = coll_number(i, r, k);
      all = i->op == PROD  ? all * value
            : i->op == MAX ? (value > all ? value : all)
            : i->op == MIN ? (value < all ? value : all)
                           : all + value;
    }
    memset(dest + k * coll_row(i)->size, 0, coll_row(i)->size);
    coll_row(i)->put(dest, k, all);
  }
}

/* dest as it will be on this member. */
static void coll_model(const item_t *i, int rank) {
  if (i->op >= BARRIER || rank < 0) return;
  char *dest = model_of(0, me) + i->at, *source = malloc(i->near_bytes + 1);
  const size_t size = coll_row(i)->size, bytes = i->block * size;
  size_t done = 0;
  if (has_numbers(i)) coll_model_numbers(i, rank, dest);
  for (int r = 0; r < coll_size(i); r++) {
    if (has_numbers(i)) break;
    coll_source(i, r, source);
    switch (i->op) {
    case BROADCAST:
      if (r == (int)i->value && !(is_old(i) && r == rank)) memcpy(dest, source, bytes);
      break;
    case COLLECT:
    case FCOLLECT:
      memcpy(dest + done, source, coll_brings(i, r) * size);
      done += coll_brings(i, r) * size;
      break;
    case ALLTOALL: memcpy(dest + (size_t)r * bytes, source + (size_t)rank * bytes, bytes); break;
    case ALLTOALLS:
      for (size_t k = 0; k < i->block; k++)
        memcpy(dest + ((size_t)r * i->block + k) * (size_t)i->far * size,
               source + ((size_t)rank * i->block + k) * (size_t)i->near * size, size);
      break;
    default:
      for (size_t k = 0; k < bytes; k++)
        dest[k] = r == 0          ? source[k]
                  : i->op == AND_ ? dest[k] & source[k]
                  : i->op == OR_  ? dest[k] | source[k]
                                  : dest[k] ^ source[k];
    }
  }
  free(source);
}

/* All PEs meet, and what they have put is complete. */
static bool coll_is_barrier(const item_t *i) {
  return i->op == MEMORY || (i->op == BARRIER && i->region <= 0);
}

static void coll_run(const item_t *i, int rank) {
  coll_t c = {.op = (enum coll)i->op,
              .dest = regions[0].base + i->at,
              .source = regions[0].base + i->near_at,
              .count = coll_brings(i, rank),
              .root = (int)i->value,
              .start = i->pe,
              .log = (int)i->cond,
              .size = (int)i->mask,
              .dst = i->far,
              .sst = i->near,
              .psync = psyncs[i->want]};
  if (i->op == MEMORY) return spare_change(i);
  c.team = is_old(i) ? SHMEM_TEAM_INVALID : teams[i->region].handle;
  if (i->op == BARRIER && is_old(i))
    shmem_barrier(i->pe, (int)i->cond, (int)i->mask, c.psync);
  else if (i->op == SYNC && is_old(i))
    shmem_sync(i->pe, (int)i->cond, (int)i->mask, c.psync);
  else if (i->op == BARRIER && i->region == 0)
    shmem_barrier_all();
  else if (i->op == SYNC && i->region == 0 && i->plain)
    shmem_sync_all();
  else if (i->op >= BARRIER) {
    if (shmem_team_sync(c.team)) fail(i, "team_sync");
  } else {
    const int status = coll_row(i)->call(&c);
    if (status) fail(i, "status %d", status);
    if (has_numbers(i) && coll_row(i)->size >= 16) /* long double: its padding is anything */
      for (size_t k = 0; k < i->block && coll_row(i)->put == put_longdouble; k++)
        memset(regions[0].base + i->at + k * 16 + 10, 0, 6);
    const size_t at =
        differs(c.dest, model_of(0, me) + i->at,
                i->op == BROADCAST || i->op >= SUM ? i->block * coll_row(i)->size : 0);
    if (at != SIZE_MAX)
      fail(i, "rank %d of %d: byte %zu of dest is %#x, should be %#x", rank, coll_size(i), at,
           ((unsigned char *)c.dest)[at], (unsigned char)model_of(0, me)[i->at + at]);
  }
}

#endif
