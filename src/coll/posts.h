/*
 * posts: what the members of a node show one another. Each member has two rings of posts in its
 * area: a few that hold much, and many little ones. A post belongs to one generation of the set.
 */
#ifndef WEFT_COLL_POSTS_H
#define WEFT_COLL_POSTS_H

#include "coll/coll_internal.h"

enum {
  WEFT_COLL_RING = 4,     /* posts that others may still be reading, and the next one */
  WEFT_COLL_LITTLES = 32, /* the same of the little ones */
  WEFT_COLL_LITTLE = 256  /* bytes of a little one */
};

/* What a member shows the others of its node in one generation. Small data travel in the cache line
 * of the flag. */
typedef struct weft_post {
  uint64_t gen;  /* published last */
  uint64_t note; /* whatever the operation wants */
  char data[];   /* 16-byte aligned */
} weft_post_t;

/* Bytes of the little posts: none where there is little room. */
static inline size_t weft_coll_littles(void) {
  const size_t all = (size_t)WEFT_COLL_LITTLES * WEFT_COLL_LITTLE;
  return weft_job.layout.coll_scratch_size >= 8 * all ? all : 0;
}
/* Bytes of one post, and of the data in it. */
static inline size_t weft_coll_post_bytes(void) {
  const size_t ring = weft_job.layout.coll_scratch_size / 2 - weft_coll_littles();
  return ring / WEFT_COLL_RING / WEFT_CACHELINE * WEFT_CACHELINE;
}
static inline size_t weft_coll_room(void) {
  return weft_coll_post_bytes() - sizeof(weft_post_t);
}
static inline weft_post_t *weft_coll_post_of(const weft_team_t *team, int member, uint64_t gen) {
  char *ring = weft_coll_at(team, member) + WEFT_COLL_POSTS + weft_coll_littles();
  return (weft_post_t *)(void *)(ring + gen % WEFT_COLL_RING * weft_coll_post_bytes());
}
/* The table's way for data of which `posted` bytes would be posted. Without room for them it is way
 * 1, which needs none. */
static inline int weft_coll_way(int op, int members, size_t bytes, size_t posted) {
  const int way = weft_choose(op, members, bytes);
  return weft_likely(posted <= weft_coll_room()) || !weft_choose_posts(op, way) ? way : 1;
}
/* What a post's note says of a source that others may read: never 0. 0: they cannot. */
static inline uint64_t weft_coll_note(const void *source, size_t n) {
  return weft_coll_readable(source, n) ? weft_job_offset(source) + 1 : 0;
}
/* Where all members know that n bytes are posted, few bytes go by the ring of little posts, which
 * is longer: so members that wait for nobody may be further ahead of the others. */
static inline bool weft_coll_is_little(size_t n) {
  return n <= WEFT_COLL_LITTLE - sizeof(weft_post_t) && weft_coll_littles() > 0;
}
/* A member's post of that many bytes, which all know. */
static inline weft_post_t *weft_coll_post_for(const weft_team_t *team, int member, uint64_t gen,
                                              size_t n) {
  if (!weft_coll_is_little(n)) return weft_coll_post_of(team, member, gen);
  return (weft_post_t *)(void *)(weft_coll_at(team, member) + WEFT_COLL_POSTS +
                                 gen % WEFT_COLL_LITTLES * WEFT_COLL_LITTLE);
}
/* My post of this generation, to be filled: all have read the post that was there before. */
static inline weft_post_t *weft_coll_blank_for(weft_team_t *team, uint64_t gen, size_t n) {
  const uint64_t ring = weft_coll_is_little(n) ? WEFT_COLL_LITTLES : WEFT_COLL_RING;
  if (weft_unlikely(team->known + ring <= gen)) weft_coll_entered(team, gen - ring + 1);
  return weft_coll_post_for(team, team->me, gen, n);
}
static inline weft_post_t *weft_coll_blank(weft_team_t *team, uint64_t gen) {
  return weft_coll_blank_for(team, gen, SIZE_MAX);
}
static inline void weft_coll_show(weft_post_t *post, uint64_t gen) {
  weft_publish(&post->gen, gen);
}
/* A member's post of this generation. It stays until I enter the next. */
static inline weft_post_t *weft_coll_await_for(const weft_team_t *team, int member, uint64_t gen,
                                               size_t n) {
  weft_post_t *post = weft_coll_post_for(team, member, gen, n);
  weft_coll_until(&post->gen, gen);
  return post;
}
static inline weft_post_t *weft_coll_await(const weft_team_t *team, int member, uint64_t gen) {
  return weft_coll_await_for(team, member, gen, SIZE_MAX);
}

#endif
