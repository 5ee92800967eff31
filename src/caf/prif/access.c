/*
 * access.c: put and get, contiguous and strided, by handle or by address, with notification
 * (PRIF 0.8, contiguous and strided coarray access). Bytes are moved as they are.
 */
#include <string.h>

#include "caf/chain.h"
#include "caf/prif/glue.h"

/* Where the kernel maps nothing. */
enum { NO_ADDRESS = 1 << 16 };

static int find(weft_prif_place_t *place, int image, void *handle, intptr_t at, const char *who) {
  const int images = weft_caf.initial ? weft_caf_team_size(weft_caf.initial) : 0;
  if (weft_unlikely(image < 1 || image > images))
    return weft_prif_fail(PRIF_WRONG, "%s: image %d does not exist (images are 1 to %d)", who,
                          image, images);
  place->pe = image - 1;
  if (weft_unlikely(weft_caf.survive) &&
      weft_caf_find(weft_caf.initial, image, weft_prif_report()) < 0)
    return weft_prif_code();
  if (handle) {
    place->here = weft_prif_coarray_of(handle, who)->data + at;
    return PRIF_GOOD;
  }
  if (weft_unlikely((uintptr_t)at < NO_ADDRESS))
    return weft_prif_fail(PRIF_WRONG, "%s: %#llx is no address", who, (unsigned long long)at);
  place->there = (uintptr_t)at;
  place->here = weft_caf_here(place->pe, place->there);
  return PRIF_GOOD;
}

int weft_prif_find_object(weft_prif_place_t *place, int image, void *handle, intptr_t at,
                          const char *who) {
  const int code = find(place, image, handle, at, who);
  if (code) return code;
  if (!place->here || (uintptr_t)place->here % 8)
    return weft_prif_fail(PRIF_WRONG, "%s: address %#llx is no coarray's, or not a multiple of 8",
                          who, (unsigned long long)at);
  return PRIF_GOOD;
}

/* Sections of bytes. */
static void describe(weft_caf_section_t *s, void *at, size_t element, int rank,
                     const ptrdiff_t *stride, const size_t *extent) {
  s->at = at;
  s->element = (weft_caf_element_t){.class = WEFT_CAF_RAW, .bytes = element};
  s->rank = rank;
  for (int d = 0; d < rank; d++)
    s->dim[d] = (struct weft_caf_dim){.n = extent[d], .step = stride[d]};
}

static void move(const weft_prif_place_t *place, weft_caf_section_t *remote,
                 const weft_caf_section_t *local, bool write) {
  remote->at = place->here ? place->here : (char *)place->there;
  if (write && place->here)
    weft_caf_put(place->pe, remote, local, true);
  else if (write)
    weft_caf_chain_put(place->pe, remote, local);
  else if (place->here)
    weft_caf_get(place->pe, local, remote, true);
  else
    weft_caf_chain_get(place->pe, local, remote);
}

/* One block: bytes that its owner may be polling are moved once and whole. */
static inline void move_block(const weft_prif_place_t *place, void *buffer, size_t n, bool write) {
  uintptr_t at;
  if (weft_unlikely(!place->here)) {
    weft_caf_section_t remote, local;
    describe(&remote, NULL, n, 0, NULL, NULL);
    describe(&local, buffer, n, 0, NULL, NULL);
    move(place, &remote, &local, write);
    return;
  }
  const bool near = weft_direct_at(place->here, place->pe, &at);
  void *to = write ? (void *)at : buffer;
  const void *from = write ? buffer : (const void *)at;
  if (!near && write)
    weft_caf_put_away(place->pe, place->here, from, n);
  else if (!near)
    weft_caf_get_away(place->pe, place->here, to, n);
  else if (n <= 8)
    weft_direct_store(to, from, n);
  else
    memmove(to, from, n);
}

/* Tell the target: it sees the data before. */
static int notify(int image, void *handle, intptr_t at, const char *who) {
  weft_prif_place_t place;
  const int code = weft_prif_find_object(&place, image, handle, at, who);
  if (code) return code;
  weft_caf_event_post(place.pe, place.here, &(weft_caf_report_t){0});
  return PRIF_GOOD;
}

/* with_notify: the notify variable is at `notify_at` of a handle, or at that address. */
int weft_prif_put(int image, void *handle, intptr_t at, void *buffer, size_t n, bool with_notify,
                  void *notify_handle, intptr_t notify_at) {
  weft_prif_place_t place;
  const int code = find(&place, image, handle, at, "prif_put");
  if (weft_unlikely(code)) return code;
  if (n) move_block(&place, buffer, n, true);
  return with_notify ? notify(image, notify_handle, notify_at, "prif_put") : PRIF_GOOD;
}

int weft_prif_get(int image, void *handle, intptr_t at, void *buffer, size_t n) {
  weft_prif_place_t place;
  const int code = find(&place, image, handle, at, "prif_get");
  if (weft_unlikely(code)) return code;
  if (n) move_block(&place, buffer, n, false);
  return PRIF_GOOD;
}

/* The rank is the extents' number; strides are in bytes and of any sign. */
static int check_rank(int rank, int strides, int remote_strides, const char *who) {
  if (rank >= 0 && rank <= WEFT_CAF_RANK_MAX && strides == rank && remote_strides == rank)
    return PRIF_GOOD;
  return weft_prif_fail(PRIF_WRONG, "%s: %d extents, %d strides of the image and %d of the buffer",
                        who, rank, remote_strides, strides);
}

static int strided(int image, void *handle, intptr_t at, int remote_strides,
                   const ptrdiff_t *remote_stride, void *buffer, int strides,
                   const ptrdiff_t *stride, size_t element, int rank, const size_t *extent,
                   bool write, const char *who) {
  weft_prif_place_t place;
  weft_caf_section_t remote, local;
  int code = check_rank(rank, strides, remote_strides, who);
  if (!code) code = find(&place, image, handle, at, who);
  if (code) return code;
  describe(&remote, NULL, element, rank, remote_stride, extent);
  describe(&local, buffer, element, rank, stride, extent);
  if (element && weft_caf_elements(&local)) move(&place, &remote, &local, write);
  return PRIF_GOOD;
}

int weft_prif_put_strided(int image, void *handle, intptr_t at, int remote_strides,
                          const ptrdiff_t *remote_stride, void *buffer, int strides,
                          const ptrdiff_t *stride, size_t element, int rank, const size_t *extent,
                          bool with_notify, void *notify_handle, intptr_t notify_at) {
  static const char who[] = "prif_put_strided";
  const int code = strided(image, handle, at, remote_strides, remote_stride, buffer, strides,
                           stride, element, rank, extent, true, who);
  if (code) return code;
  return with_notify ? notify(image, notify_handle, notify_at, who) : PRIF_GOOD;
}

int weft_prif_get_strided(int image, void *handle, intptr_t at, int remote_strides,
                          const ptrdiff_t *remote_stride, void *buffer, int strides,
                          const ptrdiff_t *stride, size_t element, int rank, const size_t *extent) {
  return strided(image, handle, at, remote_strides, remote_stride, buffer, strides, stride, element,
                 rank, extent, false, "prif_get_strided");
}
