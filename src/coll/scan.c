/*
 * scan: prefix reductions, always combined in member order. On one node small arrays are posted and
 * everyone combines those in front; of large ones each PE scans a slice for all. Between nodes see
 * scan_nodes.c; where their members do not follow one another all members double up through their
 * boxes (Hillis and Steele, 1986).
 */
#include <stdlib.h>

#include "coll/coll_internal.h"
#include "coll/posts.h"

typedef struct scan {
  weft_team_t *team;
  char *dest;
  const char *source;
  size_t nelems, width, bytes;
  weft_combine_t combine;
  bool inclusive;
} scan_t;

/* All types' zero is zero bytes. */
static void through_posts(const scan_t *s) {
  weft_team_t *team = s->team;
  const uint64_t gen = weft_coll_enter(team);
  weft_post_t *post = weft_coll_blank_for(team, gen, s->bytes);
  const int last = team->me - !s->inclusive;
  memcpy(post->data, s->source, s->bytes);
  weft_coll_show(post, gen);
  if (last < 0) memset(s->dest, 0, s->bytes);
  for (int i = 0; i <= last; i++) {
    const weft_post_t *part = weft_coll_await_for(team, i, gen, s->bytes);
    if (i == 0)
      memcpy(s->dest, part->data, s->bytes);
    else
      s->combine(s->dest, part->data, s->nelems);
  }
}

void weft_coll_scan_slice(const weft_slices_t *s, size_t from, size_t n, const char *before,
                          char *total) {
  enum { PIECE = 4096 };
  _Alignas(WEFT_CACHELINE) char sum[PIECE], own[PIECE];
  const size_t most = PIECE / s->width; /* no element is that large */
  for (size_t done = 0, part; done < n; done += part) {
    part = n - done < most ? n - done : most;
    const size_t at = (from + done) * s->width, bytes = part * s->width;
    if (before)
      weft_direct_memcpy(sum, before + done * s->width, bytes);
    else
      memset(sum, 0, bytes);
    for (int i = 0; i < s->members; i++) {
      const char *next = s->sources[i] + at;
      char *to = s->dests ? s->dests[i] + at : NULL;
      if (to && !s->inclusive) {
        if (to == next) {
          weft_direct_memcpy(own, next, bytes);
          next = own;
        }
        weft_direct_memcpy(to, sum, bytes);
      }
      if (i == s->members - 1 && !total && !s->inclusive) break; /* nobody wants that */
      if (i == 0 && !before)
        weft_direct_memcpy(sum, next, bytes);
      else
        s->combine(sum, next, part);
      if (to && s->inclusive) weft_direct_memcpy(to, sum, bytes);
    }
    if (total) weft_direct_memcpy(total + done * s->width, sum, bytes);
  }
}

void weft_coll_share_arrays(weft_team_t *team, char *dest, const char *source, size_t n,
                            char **dests, const char **sources) {
  const bool readable = weft_coll_readable(source, n);
  if (!readable) weft_direct_memcpy(dest, source, n);
  const uint64_t gen = weft_coll_enter(team);
  weft_post_t *post = weft_coll_blank(team, gen);
  post->note = weft_job_offset(readable ? source : dest);
  weft_coll_show(post, gen);
  for (int k = 0; k < team->members.locals; k++) {
    const int member = weft_members_local(team, k);
    sources[k] = weft_coll_peer(team, member, weft_coll_await(team, member, gen)->note);
    dests[k] = weft_coll_peer(team, member, weft_job_offset(dest));
  }
  team->known = gen;
}

static void by_slices(const scan_t *s) {
  weft_team_t *team = s->team;
  const int size = team->set.size;
  const char *sources[size];
  char *dests[size];
  const weft_slices_t slices = {size, dests, sources, s->width, s->combine, s->inclusive};
  weft_coll_share_arrays(team, s->dest, s->source, s->bytes, dests, sources);
  const size_t from = weft_slice_begins(s->nelems, s->width, size, team->me);
  const size_t until = weft_slice_begins(s->nelems, s->width, size, team->me + 1);
  weft_coll_scan_slice(&slices, from, until - from, NULL, NULL);
  weft_coll_entered(team, weft_coll_enter(team));
}

/* One piece, through the two halves of the box, all of it: each round reads one and writes the
 * other. */
static void double_up(const scan_t *s, size_t at, size_t n, char *got) {
  weft_team_t *team = s->team;
  const size_t bytes = n * s->width, half = weft_coll_box_bytes();
  const uintptr_t box = weft_coll_box_half(team, 0);
  int now = 0;
  weft_direct_memcpy(weft_job_own() + box, s->source + at, bytes);
  weft_coll_sync(team);
  for (int64_t distance = 1; distance < team->set.size; distance *= 2, now ^= 1) {
    const uintptr_t from = box + (size_t)now * half;
    const char *mine = weft_job_own() + from;
    char *next = weft_job_own() + box + (size_t)!now * half;
    if (team->me >= distance) {
      weft_rma_get(weft_set_world(&team->set, (int)(team->me - distance)), from, got, bytes);
      s->combine(got, mine, n);
      weft_direct_memcpy(next, got, bytes);
    } else {
      weft_direct_memcpy(next, mine, bytes);
    }
    weft_coll_sync(team);
  }
  const uintptr_t result = box + (size_t)now * half;
  if (s->inclusive)
    weft_direct_memcpy(s->dest + at, weft_job_own() + result, bytes);
  else if (team->me == 0)
    memset(s->dest + at, 0, bytes);
  else
    weft_rma_get(weft_set_world(&team->set, team->me - 1), result, s->dest + at, bytes);
  weft_coll_sync(team); /* the box is free again */
}

void weft_coll_scan(weft_team_t *team, void *dest, const void *source, size_t nelems, size_t width,
                    weft_combine_t combine, bool inclusive) {
  const scan_t s = {team, dest, source, nelems, width, nelems * width, combine, inclusive};
  if (nelems == 0) return;
  if (team->area < 0) {
    weft_waited_scan(team, dest, source, nelems, width, combine, inclusive);
    return;
  }
  if (team->members.nodes == 1) {
    if (weft_coll_way(WEFT_OP_SCAN, team->members.locals, s.bytes, s.bytes) == WEFT_ALG_SLICES)
      by_slices(&s);
    else
      through_posts(&s);
    return;
  }
  if (weft_coll_scans_nodes(team, width)) {
    weft_coll_scan_nodes(team, dest, source, nelems, width, combine, inclusive);
    return;
  }
  const size_t most = weft_coll_box_bytes() / width / 4 * 4;
  char *got = malloc(most * width);
  if (!got) weft_fatal("scan: no memory for %zu bytes", most * width);
  for (size_t at = 0; at < nelems; at += most)
    double_up(&s, at * width, nelems - at < most ? nelems - at : most, got);
  free(got);
}
