/*
 * heap: boundary tags and segregated free lists, best fit within a class. See heap.h for what it
 * promises; here is how. No pointer is ever stored: other processes have the same memory at other
 * addresses.
 */
#include "window/heap.h"

#include <string.h>

#include "base/base.h"

#define UNIT 16u     /* every size and offset is a multiple of it */
#define HEADER 16u   /* tag and seal, in front of every block's bytes */
#define BLOCK_MIN 48 /* header, two links, footer */
#define CHUNK 65536u /* reserved at a time */

/* Classes: one per size below SMALL, then four per power of two. */
#define SMALL 1024u
#define SMALL_CLASSES (SMALL / UNIT)
#define CLASSES (SMALL_CLASSES + 4 * (56 - 10))

/*
 * A tag: bits 4..55 are the block's size, header included; bit 0: live; bit 1: the block before it
 * is free; bits 56..63: how many bytes of a live block nobody asked for.
 */
#define LIVE 1u
#define AFTER_FREE 2u
#define SIZE_BITS 0x00fffffffffffff0u
#define SLACK_SHIFT 56

/* In place of a seal: here stood a block once. */
#define GONE 0x676f6e6567306e65u

/* Bytes more behind every allocation of a heap that is watched, and what they hold. */
enum { WATCHED = UNIT, MARK = 0xb7 };

/*
 * Invariants, checked by weft_heap_check:
 *   - blocks follow one another from `first` to `top`, each at least BLOCK_MIN, none reaching past
 * top
 *   - first <= top <= reserved <= limit
 *   - every header carries the seal of its place, tag and epoch; nothing else in the heap does
 * (headers that vanish by merging are marked GONE), which is why a pointer that free accepts was
 * allocated
 *   - no two free blocks are neighbours, and the last block is live: what is free below top is
 * merged into it
 *   - the last 8 bytes of a free block are its size; AFTER_FREE stands exactly in the blocks behind
 * free ones
 *   - a free block is in the list of its class, and bit c of `filled` is set exactly if list c is
 * not empty
 *   - used = bytes asked for by the live blocks
 *   - in a watched heap all bytes of a live block that nobody asked for are MARK
 */
typedef struct weft_heap_state {
  uint64_t limit, origin, first, top, reserved, used, epoch;
  uint64_t watched; /* WATCHED or 0 */
  uint64_t filled[(CLASSES + 63) / 64];
  uint64_t list[CLASSES]; /* offset of the first free block, 0: none */
} heap_state_t;

typedef struct heap_block {
  uint64_t tag, seal;
  uint64_t next, prev; /* free blocks only */
} heap_block_t;

static heap_state_t *state_of(const weft_heap_t *h) {
  return (heap_state_t *)(void *)h->base;
}

static heap_block_t *block_at(const weft_heap_t *h, size_t off) {
  return (heap_block_t *)(void *)(h->base + off);
}

static size_t size_at(const weft_heap_t *h, size_t off) {
  return block_at(h, off)->tag & SIZE_BITS;
}

static uint64_t seal_of(const weft_heap_t *h, size_t off, uint64_t tag) {
  uint64_t x = tag ^ off * 0x9e3779b97f4a7c15u ^ state_of(h)->epoch << 40;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return (((x ^ x >> 31) >> 2) << 2) | 2; /* never 0 and, being even, never GONE */
}

static bool sealed(const weft_heap_t *h, size_t off) {
  heap_block_t *b = block_at(h, off);
  return b->seal == seal_of(h, off, b->tag);
}

static void set_tag(weft_heap_t *h, size_t off, uint64_t tag) {
  heap_block_t *b = block_at(h, off);
  b->tag = tag;
  b->seal = seal_of(h, off, tag);
}

/* ---- free lists ----------------------------------------------------------------------------- */

static unsigned class_of(size_t size) {
  unsigned log;
  if (size < SMALL) return (unsigned)(size / UNIT);
  log = 63u - (unsigned)__builtin_clzll(size);
  return SMALL_CLASSES + 4 * (log - 10) + (unsigned)(size >> (log - 2) & 3);
}

/* The first class from c on whose list holds something, or CLASSES. */
static unsigned class_filled(const heap_state_t *s, unsigned c) {
  for (unsigned w = c / 64; w < WEFT_ARRAY_LEN(s->filled); w++) {
    uint64_t bits = s->filled[w];
    if (w == c / 64) bits &= ~(uint64_t)0 << c % 64;
    if (bits) return w * 64 + (unsigned)__builtin_ctzll(bits);
  }
  return CLASSES;
}

/* Make [off, off + size) a free block that is in its list. Its neighbours are the caller's. */
static void list_insert(weft_heap_t *h, size_t off, size_t size) {
  heap_state_t *s = state_of(h);
  unsigned c = class_of(size);
  heap_block_t *b = block_at(h, off);
  set_tag(h, off, size);
  memcpy(h->base + off + size - 8, &(uint64_t){size}, 8);
  b->prev = 0;
  b->next = s->list[c];
  if (b->next) block_at(h, b->next)->prev = off;
  s->list[c] = off;
  s->filled[c / 64] |= (uint64_t)1 << c % 64;
}

static void list_remove(weft_heap_t *h, size_t off) {
  heap_state_t *s = state_of(h);
  heap_block_t *b = block_at(h, off);
  unsigned c = class_of(b->tag & SIZE_BITS);
  if (b->next) block_at(h, b->next)->prev = b->prev;
  if (b->prev)
    block_at(h, b->prev)->next = b->next;
  else if (!(s->list[c] = b->next))
    s->filled[c / 64] &= ~((uint64_t)1 << c % 64);
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* Say in the block at `off`, if there is one, whether the block before it is free. */
static void mark_after(weft_heap_t *h, size_t off, bool after_free) {
  if (off >= state_of(h)->top) return;
  uint64_t tag = block_at(h, off)->tag & ~(uint64_t)AFTER_FREE;
  set_tag(h, off, tag | (after_free ? AFTER_FREE : 0));
}

/* An address that is `rest` above a multiple of `align`. */
typedef struct where {
  size_t align, rest;
} where_t;

/* Where, in the room [off, off + room), a block for an aligned allocation begins: its header's
 * offset, or 0 if it does not fit. What is left in front must be nothing or a block. */
static size_t place(const heap_state_t *s, size_t off, size_t room, where_t w, size_t need) {
  const size_t least = off + HEADER + s->origin - w.rest; /* may wrap, and wraps back */
  size_t at = ((least + w.align - 1) & ~(w.align - 1)) + w.rest - s->origin - HEADER;
  while (at != off && at - off < BLOCK_MIN) at += w.align;
  return at - off <= room && need <= room - (at - off) ? at : 0;
}

/* Give [off, off + size) back: merge it with what is free around it, or lower top. Its header, if
 * it has one, is GONE by now; the block at off says in `after_free` what is before it. */
static void give_back(weft_heap_t *h, size_t off, size_t size, bool after_free) {
  heap_state_t *s = state_of(h);
  size_t next = off + size;
  if (next < s->top && !(block_at(h, next)->tag & LIVE)) {
    size += size_at(h, next);
    list_remove(h, next);
    block_at(h, next)->seal = GONE;
  }
  if (after_free) {
    uint64_t before;
    memcpy(&before, h->base + off - 8, 8);
    off -= before;
    size += before;
    list_remove(h, off);
    block_at(h, off)->seal = GONE;
  }
  if (off + size == s->top) {
    s->top = off;
    return;
  }
  list_insert(h, off, size);
  mark_after(h, off + size, true);
}

/* Write the tag of a live block, and give back what it does not need. */
static void settle(weft_heap_t *h, size_t off, size_t have, size_t need, size_t size,
                   bool after_free) {
  heap_state_t *s = state_of(h);
  size_t keep = have;
  /* At the end any rest goes back to top, so that growing and shrinking again leaves no trace. */
  if (have - need >= BLOCK_MIN || off + have == s->top) keep = need;
  set_tag(h, off,
          keep | (uint64_t)(keep - HEADER - size) << SLACK_SHIFT | LIVE |
              (after_free ? AFTER_FREE : 0));
  if (s->watched) memset(h->base + off + HEADER + size, MARK, keep - HEADER - size);
  if (keep < have) give_back(h, off + keep, have - keep, false);
}

/* Blocks of some size begin at a cache line: processors copy a fifth slower where source and
 * destination begin at different places in theirs. */
static size_t least_of(size_t size) {
  enum { LARGE = 4096 };
  return size >= LARGE ? WEFT_CACHELINE : UNIT;
}

/* A small alignment also rounds the size up: what is aligned next then fits right behind, and no
 * free block, too small for any of them, is left between each two. */
static size_t need_of(const heap_state_t *s, size_t align, size_t size) {
  enum { ROUNDED = 2 * WEFT_CACHELINE }; /* the slack of a tag must hold what this adds */
  size_t need = HEADER + weft_round_up(size, UNIT) + s->watched;
  if (align < least_of(size)) align = least_of(size);
  if (need < BLOCK_MIN) need = BLOCK_MIN;
  return align <= ROUNDED ? weft_round_up(need, align) : need;
}

static int reserve_to(weft_heap_t *h, size_t to) {
  heap_state_t *s = state_of(h);
  size_t more = weft_round_up(to, CHUNK);
  int rc = 0;
  if (to <= s->reserved) return 0;
  if (more > s->limit) more = s->limit;
  if (h->reserve) rc = h->reserve(h->reserve_arg, s->reserved, more);
  if (!rc) s->reserved = more;
  return rc;
}

/* The free block to take, and where in it; or 0. Of each list so many blocks are looked at: where
 * thousands are large enough but lie wrongly, each allocation would walk them all. */
static size_t find_free(const weft_heap_t *h, where_t w, size_t need, size_t looks, size_t *at) {
  const heap_state_t *s = state_of(h);
  for (unsigned c = class_of(need); (c = class_filled(s, c)) < CLASSES; c++) {
    size_t best = 0, best_size = SIZE_MAX, left = looks;
    for (size_t off = s->list[c]; off && left; off = block_at(h, off)->next, left--) {
      size_t size = size_at(h, off), here;
      if (size >= best_size || !(here = place(s, off, size, w, need))) continue;
      best = off;
      best_size = size;
      *at = here;
      if (size == need || c < SMALL_CLASSES) break;
    }
    if (best) return best;
  }
  return 0;
}

/* Where a block goes: *off, *room: what it is cut from (room 0: from top up). A large one lies in
 * the middle of a page: of a free block if there is one for it, else above top; each time where
 * there is room, else anywhere. 0 or a negative errno; changes nothing but what is reserved, and
 * whether that succeeds does not change what it finds. */
static int find(weft_heap_t *h, size_t align, size_t size, size_t *off, size_t *room, size_t *at) {
  enum { LOOKS = 64 };
  heap_state_t *s = state_of(h);
  const size_t need = need_of(s, align, size), least = least_of(size);
  const bool large = size >= WEFT_HEAP_LARGE && align <= WEFT_HEAP_PAGE / 2;
  const where_t any = {align < least ? least : align, 0};
  const where_t first = large ? (where_t){WEFT_HEAP_PAGE, WEFT_HEAP_PAGE / 2} : any;
  *off = find_free(h, first, need, LOOKS, at);
  if (!*off && large) *off = find_free(h, any, need, LOOKS, at);
  *room = *off ? size_at(h, *off) : 0;
  if (*off) return 0;
  *off = s->top;
  *at = place(s, s->top, s->limit - s->top, first, need);
  if (!*at) *at = place(s, s->top, s->limit - s->top, any, need);
  if (*at) return reserve_to(h, *at + need);
  *off = find_free(h, any, need, SIZE_MAX, at);
  *room = *off ? size_at(h, *off) : 0;
  return *off ? 0 : -ENOMEM;
}

void *weft_heap_alloc(weft_heap_t *h, size_t align, size_t size) {
  heap_state_t *s = state_of(h);
  size_t off, room, at, need = need_of(s, align, size);
  bool after_free;
  if (align & (align - 1)) return NULL;
  if (align > s->limit || size > s->limit) return NULL;
  if (find(h, align, size, &off, &room, &at)) return NULL;
  if (room) {
    list_remove(h, off);
    block_at(h, off)->seal = GONE;
    after_free = false; /* two free blocks are never neighbours */
  } else {
    room = at + need - off;
    s->top = off + room;
    after_free = false; /* the last block is live */
  }
  if (at != off) {
    list_insert(h, off, at - off);
    room -= at - off;
    after_free = true;
  }
  /* What settle cuts off ends where a free block ended, so the block behind is told by give_back,
   * else here. */
  mark_after(h, at + room, false);
  settle(h, at, room, need, size, after_free);
  s->used += size;
  return h->base + at + HEADER;
}

void *weft_heap_at(const weft_heap_t *h, size_t off) {
  return off <= state_of(h)->limit ? h->base + off : NULL;
}

/* The offset of the live block whose bytes begin at p, or 0. */
static size_t live_block(const weft_heap_t *h, const void *p) {
  const heap_state_t *s = state_of(h);
  uintptr_t off = (uintptr_t)p - (uintptr_t)h->base - HEADER;
  if (off < s->first || off >= s->top || off % UNIT) return 0;
  return sealed(h, off) && (block_at(h, off)->tag & LIVE) ? off : 0;
}

static size_t asked_at(const weft_heap_t *h, size_t off) {
  uint64_t tag = block_at(h, off)->tag;
  return (tag & SIZE_BITS) - HEADER - (tag >> SLACK_SHIFT);
}

/* Has the program written beyond the end of the live block at off? Over the header behind it, or,
 * in a watched heap, over what lies between. */
static bool overrun(const weft_heap_t *h, size_t off) {
  const heap_state_t *s = state_of(h);
  const size_t end = off + size_at(h, off);
  for (size_t at = s->watched ? off + HEADER + asked_at(h, off) : end; at < end; at++)
    if ((unsigned char)h->base[at] != MARK) return true;
  return end < s->top && !sealed(h, end);
}

int weft_heap_live(const weft_heap_t *h, const void *p) {
  const heap_state_t *s = state_of(h);
  const size_t off = (uintptr_t)p - (uintptr_t)h->base - HEADER;
  if (live_block(h, p)) return overrun(h, off) ? -EUCLEAN : 0;
  if (off < s->first || off >= s->reserved || off % UNIT) return -EINVAL;
  return sealed(h, off) || block_at(h, off)->seal == GONE ? -EALREADY : -EINVAL;
}

int weft_heap_free(weft_heap_t *h, void *p) {
  heap_state_t *s = state_of(h);
  size_t off = live_block(h, p), size;
  bool after_free;
  if (!off || overrun(h, off)) return weft_heap_live(h, p);
  s->used -= asked_at(h, off);
  size = size_at(h, off);
  after_free = block_at(h, off)->tag & AFTER_FREE;
  block_at(h, off)->seal = GONE;
  give_back(h, off, size, after_free);
  return 0;
}

/* Bytes from the block at off to the end of the free memory behind it; *to_top: this reaches up to
 * top. */
static size_t room_behind(const weft_heap_t *h, size_t off, bool *to_top) {
  const heap_state_t *s = state_of(h);
  size_t room = size_at(h, off);
  if (off + room < s->top && !(block_at(h, off + room)->tag & LIVE)) room += size_at(h, off + room);
  *to_top = off + room == s->top;
  return room;
}

int weft_heap_prepare(weft_heap_t *h, void *old, size_t align, size_t size) {
  heap_state_t *s = state_of(h);
  size_t off, room, at;
  if (!old && (align & (align - 1))) return -EINVAL;
  if (old) align = UNIT;
  if (align > s->limit || size > s->limit) return -ENOMEM;
  if (old) {
    bool to_top;
    if (!(off = live_block(h, old))) return -EINVAL;
    room = room_behind(h, off, &to_top);
    const size_t need = need_of(s, UNIT, size);
    if (need <= room) return 0;
    if (to_top && need <= s->limit - off) return reserve_to(h, off + need);
  }
  return find(h, align, size, &off, &room, &at);
}

void *weft_heap_realloc(weft_heap_t *h, void *p, size_t size) {
  heap_state_t *s = state_of(h);
  size_t off = live_block(h, p), old, have, need = need_of(s, UNIT, size), room;
  bool to_top;
  void *moved;
  if (!off || size > s->limit) return NULL;
  old = asked_at(h, off);
  have = size_at(h, off);
  room = room_behind(h, off, &to_top);
  if (need <= room || (to_top && need <= s->limit - off)) {
    if (need > room && reserve_to(h, off + need)) return NULL;
    if (need > have && room > have) { /* swallow the free block behind */
      list_remove(h, off + have);
      block_at(h, off + have)->seal = GONE;
      mark_after(h, off + room, false);
      have = room;
    }
    if (need > have) s->top = off + (have = need);
    settle(h, off, have, need, size, block_at(h, off)->tag & AFTER_FREE);
    s->used += size - old;
    return p;
  }
  if (!(moved = weft_heap_alloc(h, UNIT, size))) return NULL;
  memcpy(moved, p, old < size ? old : size);
  weft_heap_free(h, p);
  return moved;
}

/* ---- questions ------------------------------------------------------------------------------ */

size_t weft_heap_size(const weft_heap_t *h, const void *p) {
  size_t off = live_block(h, p);
  return off ? asked_at(h, off) : SIZE_MAX;
}

static bool block_owns(const weft_heap_t *h, size_t off, size_t at, size_t n) {
  size_t asked;
  if (!(block_at(h, off)->tag & LIVE) || at < off + HEADER) return false;
  asked = asked_at(h, off);
  at -= off + HEADER;
  return at <= asked && n <= asked - at;
}

bool weft_heap_owns(weft_heap_t *h, const void *p, size_t n) {
  const heap_state_t *s = state_of(h);
  size_t at = (uintptr_t)p - (uintptr_t)h->base, off;
  if (at < s->first || at > s->top) return false;
  if (h->hint >= s->first && h->hint < s->top && sealed(h, h->hint) &&
      block_owns(h, h->hint, at, n))
    return true;
  for (off = s->first; off < s->top; off += size_at(h, off))
    if (!sealed(h, off) || at < off + size_at(h, off)) break;
  if (off >= s->top || !sealed(h, off) || !block_owns(h, off, at, n)) return false;
  h->hint = off;
  return true;
}

void weft_heap_blame(const weft_heap_t *h, const char *who) {
  const heap_state_t *s = state_of(h);
  for (size_t off = s->first; off < s->top && sealed(h, off); off += size_at(h, off))
    if (block_at(h, off)->tag & LIVE && overrun(h, off))
      weft_fatal("%s: the program wrote beyond the end of the %zu bytes at %p", who,
                 asked_at(h, off), (void *)(h->base + off + HEADER));
}

size_t weft_heap_room(const weft_heap_t *h) {
  const heap_state_t *s = state_of(h);
  return s->limit - s->top;
}

size_t weft_heap_used(const weft_heap_t *h) {
  return state_of(h)->used;
}

/* ---- making, emptying, checking ------------------------------------------------------------- */

int weft_heap_init(weft_heap_t *h, void *base, size_t limit, uintptr_t origin,
                   weft_heap_reserve_t reserve, void *arg) {
  /* The first allocation begins a cache line. */
  size_t first = weft_round_up(sizeof(heap_state_t) + HEADER, 64) - HEADER, start;
  heap_state_t *s = base;
  int rc = 0;
  limit -= limit % UNIT;
  if (limit < first || limit > SIZE_BITS || origin % UNIT || (uintptr_t)base % UNIT) return -EINVAL;
  start = weft_round_up(first, CHUNK) < limit ? weft_round_up(first, CHUNK) : limit;
  if (reserve) rc = reserve(arg, 0, start);
  if (rc) return rc;
  weft_heap_attach(h, base, reserve, arg);
  memset(s, 0, sizeof(*s));
  s->limit = limit;
  s->origin = origin;
  s->first = s->top = first;
  s->reserved = start;
  return 0;
}

void weft_heap_attach(weft_heap_t *h, void *base, weft_heap_reserve_t reserve, void *arg) {
  *h = (weft_heap_t){.base = base, .reserve = reserve, .reserve_arg = arg};
}

void weft_heap_watch(weft_heap_t *h) {
  state_of(h)->watched = WATCHED;
}

void weft_heap_reset(weft_heap_t *h) {
  heap_state_t *s = state_of(h);
  memset(s->filled, 0, sizeof(s->filled));
  memset(s->list, 0, sizeof(s->list));
  s->top = s->first;
  s->used = 0;
  s->epoch++; /* the headers left behind are worth nothing */
}

/* The broken invariant of one block, or NULL; *after_free is that of the block before and becomes
 * this one's. */
static const char *check_block(const weft_heap_t *h, size_t off, bool *after_free) {
  const heap_state_t *s = state_of(h);
  uint64_t tag = block_at(h, off)->tag, size = tag & SIZE_BITS, foot;
  if (!sealed(h, off)) return "a header was overwritten";
  if (size < BLOCK_MIN || size > s->top - off) return "a block has an impossible size";
  if (!!(tag & AFTER_FREE) != *after_free) return "a block is wrong about the one before it";
  if (tag & LIVE) {
    *after_free = false;
    if (tag >> SLACK_SHIFT > size - HEADER) return "a live block has more slack than bytes";
    return overrun(h, off) ? "the end of a live block was overwritten" : NULL;
  }
  if (*after_free) return "two free blocks are neighbours";
  if (off + size == s->top) return "the last block is free";
  memcpy(&foot, h->base + off + size - 8, 8);
  if (foot != size) return "the end of a free block was overwritten";
  *after_free = true;
  return NULL;
}

static const char *check_lists(const weft_heap_t *h, size_t free_blocks) {
  const heap_state_t *s = state_of(h);
  size_t listed = 0;
  for (unsigned c = 0; c < CLASSES; c++) {
    size_t before = 0;
    if (!s->list[c] != !(s->filled[c / 64] >> c % 64 & 1)) return "the map of lists is wrong";
    for (size_t off = s->list[c]; off; before = off, off = block_at(h, off)->next) {
      if (off < s->first || off >= s->top || !sealed(h, off)) return "a list leads astray";
      if (block_at(h, off)->tag & LIVE) return "a live block is in a list";
      if (class_of(size_at(h, off)) != c) return "a block is in the wrong list";
      if (block_at(h, off)->prev != before) return "a list does not lead back";
      if (++listed > free_blocks) return "there are more blocks in lists than free ones";
    }
  }
  return listed == free_blocks ? NULL : "a free block is in no list";
}

int weft_heap_check(const weft_heap_t *h) {
  const heap_state_t *s = state_of(h);
  const char *broken = NULL;
  size_t off, at = 0, used = 0, free_blocks = 0;
  bool after_free = false;
  if (s->first > s->top || s->top > s->reserved || s->reserved > s->limit)
    broken = "the ends are out of order";
  for (off = s->first; !broken && off < s->top; off += size_at(h, off)) {
    at = off;
    broken = check_block(h, off, &after_free);
    if (block_at(h, off)->tag & LIVE)
      used += asked_at(h, off);
    else
      free_blocks++;
  }
  if (!broken && off != s->top) broken = "the last block does not end at top";
  if (!broken && used != s->used) broken = "the sum of the live blocks is wrong";
  if (!broken) broken = check_lists(h, free_blocks);
  if (!broken) return 0;
  weft_warn("heap at %p, block at %#zx: %s", (void *)h->base, at, broken);
  return -EUCLEAN;
}
