/*
 * upc_nb.h: UPC 1.3, optional library: transfers that are begun and completed later. A handle is
 * valid for the thread that got it. UPC text: only upcc reads it.
 */
#ifndef WEFT_UPC_NB_H
#define WEFT_UPC_NB_H

#ifndef __UPC__
#error "upc_nb.h is for UPC programs: compile with upcc"
#endif

#include <stddef.h>

typedef struct weft_upc_transfer *upc_handle_t;
#define UPC_COMPLETE_HANDLE ((upc_handle_t)0)

extern upc_handle_t upc_memcpy_nb(shared void *__restrict dst, shared const void *__restrict src,
                                  size_t n);
extern upc_handle_t upc_memget_nb(void *__restrict dst, shared const void *__restrict src,
                                  size_t n);
extern upc_handle_t upc_memput_nb(shared void *__restrict dst, const void *__restrict src,
                                  size_t n);
extern upc_handle_t upc_memset_nb(shared void *dst, int c, size_t n);
extern void upc_sync(upc_handle_t handle);
extern int upc_sync_attempt(upc_handle_t handle);

extern void upc_memcpy_nbi(shared void *__restrict dst, shared const void *__restrict src,
                           size_t n);
extern void upc_memget_nbi(void *__restrict dst, shared const void *__restrict src, size_t n);
extern void upc_memput_nbi(shared void *__restrict dst, const void *__restrict src, size_t n);
extern void upc_memset_nbi(shared void *dst, int c, size_t n);
extern void upc_synci(void);
extern int upc_synci_attempt(void);

#endif
