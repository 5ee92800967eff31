/*
 * iterator.h: the segments of a strided piece of memory, one after the other.
 */
#ifndef _STRIDE_INFO_H_
#define _STRIDE_INFO_H_

#include "armci.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  char *base_ptr;
  int stride_levels;
  int stride_arr[ARMCI_MAX_STRIDE_LEVEL];    /* bytes */
  int seg_count[ARMCI_MAX_STRIDE_LEVEL + 1]; /* bytes of a segment, then numbers */
  int size, pos;                             /* segments, and which is the present one */
  int itr[ARMCI_MAX_STRIDE_LEVEL];           /* its place in every level */
} stride_info_t;

void armci_stride_info_init(stride_info_t *info, void *base, int levels, const int *stride,
                            const int *count);
void armci_stride_info_destroy(stride_info_t *info);
/* Segments in all. */
int armci_stride_info_size(stride_info_t *info);
/* The number of the present segment; size when there are no more. */
int armci_stride_info_pos(stride_info_t *info);
/* Segments, as size. */
int armci_stride_info_count(stride_info_t *info);
void armci_stride_info_next(stride_info_t *info);
int armci_stride_info_has_more(stride_info_t *info);
/* The present segment: its address, bytes, and bytes from the base. */
void *armci_stride_info_seg_ptr(stride_info_t *info);
int armci_stride_info_seg_size(stride_info_t *info);
int armci_stride_info_seg_off(stride_info_t *info);

#ifdef __cplusplus
}
#endif

#endif
