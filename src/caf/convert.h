/*
 * convert.h: elements of one type into elements of another (Fortran 2018, 10.2.1.3), many at a
 * time.
 */
#ifndef WEFT_CAF_CONVERT_H
#define WEFT_CAF_CONVERT_H

#include "caf/caf.h"

typedef void (*weft_caf_kernel_t)(char *to, ptrdiff_t to_step, const char *from,
                                  ptrdiff_t from_step, size_t n);

typedef struct weft_caf_convert {
  /* n elements; steps in bytes. */
  void (*run)(const struct weft_caf_convert *c, char *to, ptrdiff_t to_step, const char *from,
              ptrdiff_t from_step, size_t n);
  weft_caf_element_t to, from;
  weft_caf_kernel_t kernel; /* numbers: of a part */
} weft_caf_convert_t;

/* Types that cannot be converted into each other are copied, as many bytes as both have. */
void weft_caf_convert_open(weft_caf_convert_t *c, const weft_caf_element_t *to,
                           const weft_caf_element_t *from);

#endif
