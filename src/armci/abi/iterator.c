/*
 * iterator.c: the segments of a strided piece of memory, one after the other.
 */
#include "armci/abi/abi.h"
#include <iterator.h>

void armci_stride_info_init(stride_info_t *info, void *base, int levels, const int *stride,
                            const int *count) {
  if (levels < 0 || levels > ARMCI_MAX_STRIDE_LEVEL)
    weft_armci_fatal("armci_stride_info_init: %d levels of strides (0 to %d)", levels,
                     ARMCI_MAX_STRIDE_LEVEL);
  *info = (stride_info_t){.base_ptr = base, .stride_levels = levels, .size = 1};
  info->seg_count[0] = count[0];
  for (int i = 0; i < levels; i++) {
    info->stride_arr[i] = stride[i];
    info->seg_count[i + 1] = count[i + 1];
    info->size *= count[i + 1];
  }
}

void armci_stride_info_destroy(stride_info_t *info) {
  (void)info;
}

int armci_stride_info_size(stride_info_t *info) {
  return info->size;
}

int armci_stride_info_count(stride_info_t *info) {
  return info->size;
}

int armci_stride_info_pos(stride_info_t *info) {
  return info->pos;
}

void armci_stride_info_next(stride_info_t *info) {
  info->pos++;
  for (int i = 0; i < info->stride_levels; i++) {
    if (++info->itr[i] < info->seg_count[i + 1]) return;
    info->itr[i] = 0;
  }
}

int armci_stride_info_has_more(stride_info_t *info) {
  return info->pos < info->size;
}

void *armci_stride_info_seg_ptr(stride_info_t *info) {
  ptrdiff_t off = 0; /* beyond what an int holds */
  for (int i = 0; i < info->stride_levels; i++)
    off += (ptrdiff_t)info->itr[i] * info->stride_arr[i];
  return info->base_ptr + off;
}

int armci_stride_info_seg_off(stride_info_t *info) {
  return (int)((char *)armci_stride_info_seg_ptr(info) - info->base_ptr);
}

int armci_stride_info_seg_size(stride_info_t *info) {
  return info->seg_count[0];
}
