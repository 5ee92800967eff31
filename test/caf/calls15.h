/*
 * The calls by which code of gfortran 15 and 16 reaches other images.
 */
#ifndef WEFT_TEST_CALLS15_H
#define WEFT_TEST_CALLS15_H

#include "caf/gfortran/abi.h"

void _gfortran_caf_register_accessor(int, void (*)(void));
void _gfortran_caf_register_accessors_finish(void);
int _gfortran_caf_get_remote_function_index(int);
void _gfortran_caf_get_from_remote(void *, const gfc_t *, const size_t *, int, size_t, void **,
                                   size_t *, gfc_t *, bool, int, void *, size_t, int *, void **,
                                   int *);
void _gfortran_caf_send_to_remote(void *, gfc_t *, const size_t *, int, size_t, const void *,
                                  const size_t *, const gfc_t *, int, void *, size_t, int *,
                                  void **, int *);
int _gfortran_caf_is_present_on_remote(void *, int, int, void *, size_t);
#if WEFT_GFORTRAN >= 16
#define LAST_TYPES int *, int *, void **, int *, void **, int *
#else
#define LAST_TYPES int *, void **, int *, int *
#endif
void _gfortran_caf_transfer_between_remotes(void *, gfc_t *, size_t *, int, int, void *, size_t,
                                            void *, const gfc_t *, const size_t *, int, int, void *,
                                            size_t, size_t, bool, LAST_TYPES);

#endif
