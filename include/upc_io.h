/*
 * upc_io.h: UPC 1.3, optional library: parallel input and output. A file is an ordinary file that
 * all threads open. UPC text: only upcc reads it.
 */
#ifndef WEFT_UPC_IO_H
#define WEFT_UPC_IO_H

#ifndef __UPC__
#error "upc_io.h is for UPC programs: compile with upcc"
#endif

#include <stddef.h>
#include <stdint.h>

#include <upc_types.h>

typedef int64_t upc_off_t;
typedef shared struct weft_upc_file upc_file_t;

struct upc_local_memvec {
  void *baseaddr;
  size_t len;
};
struct upc_shared_memvec {
  shared void *baseaddr;
  size_t blocksize; /* in bytes; 0: indefinite */
  size_t len;
};
struct upc_filevec {
  upc_off_t offset;
  size_t len;
};
struct upc_hint {
  const char *key;
  const char *value;
};
typedef struct upc_local_memvec upc_local_memvec_t;
typedef struct upc_shared_memvec upc_shared_memvec_t;
typedef struct upc_filevec upc_filevec_t;
typedef struct upc_hint upc_hint_t;

/* Flags of upc_all_fopen. */
#define UPC_RDONLY (1 << 0)
#define UPC_WRONLY (1 << 1)
#define UPC_RDWR (1 << 2)
#define UPC_INDIVIDUAL_FP (1 << 3)
#define UPC_COMMON_FP (1 << 4)
#define UPC_APPEND (1 << 5)
#define UPC_CREATE (1 << 6)
#define UPC_EXCL (1 << 7)
#define UPC_STRONG_CA (1 << 8)
#define UPC_TRUNC (1 << 9)
#define UPC_DELETE_ON_CLOSE (1 << 10)

#define UPC_SEEK_SET 0
#define UPC_SEEK_CUR 1
#define UPC_SEEK_END 2

/* Commands of upc_all_fcntl. */
#define UPC_GET_CA_SEMANTICS 1
#define UPC_SET_WEAK_CA_SEMANTICS 2
#define UPC_SET_STRONG_CA_SEMANTICS 3
#define UPC_GET_FP 4
#define UPC_SET_COMMON_FP 5
#define UPC_SET_INDIVIDUAL_FP 6
#define UPC_GET_FL 7
#define UPC_GET_FN 8
#define UPC_GET_HINTS 9
#define UPC_SET_HINT 10
#define UPC_ASYNC_OUTSTANDING 11

/* -1 and errno for an error, NULL of upc_all_fopen. */
extern upc_file_t *upc_all_fopen(const char *fname, int flags, size_t numhints,
                                 struct upc_hint const *hints);
extern int upc_all_fclose(upc_file_t *fd);
extern int upc_all_fsync(upc_file_t *fd);
extern upc_off_t upc_all_fseek(upc_file_t *fd, upc_off_t offset, int origin);
extern int upc_all_fset_size(upc_file_t *fd, upc_off_t size);
extern upc_off_t upc_all_fget_size(upc_file_t *fd);
extern int upc_all_fpreallocate(upc_file_t *fd, upc_off_t size);
extern int upc_all_fcntl(upc_file_t *fd, int cmd, void *arg);

/* Each returns upc_off_t, or with _async nothing: then upc_all_fwait_async or ftest_async does. */
#define WEFT_UPC_IO(RETURN, SUFFIX)                                                                \
  extern RETURN upc_all_fread_local##SUFFIX(upc_file_t *fd, void *buffer, size_t size,             \
                                            size_t nmemb, upc_flag_t flags);                       \
  extern RETURN upc_all_fread_shared##SUFFIX(upc_file_t *fd, shared void *buffer,                  \
                                             size_t blocksize, size_t size, size_t nmemb,          \
                                             upc_flag_t flags);                                    \
  extern RETURN upc_all_fwrite_local##SUFFIX(upc_file_t *fd, void *buffer, size_t size,            \
                                             size_t nmemb, upc_flag_t flags);                      \
  extern RETURN upc_all_fwrite_shared##SUFFIX(upc_file_t *fd, shared void *buffer,                 \
                                              size_t blocksize, size_t size, size_t nmemb,         \
                                              upc_flag_t flags);                                   \
  extern RETURN upc_all_fread_list_local##SUFFIX(                                                  \
      upc_file_t *fd, size_t memvec_entries, struct upc_local_memvec const *memvec,                \
      size_t filevec_entries, struct upc_filevec const *filevec, upc_flag_t flags);                \
  extern RETURN upc_all_fread_list_shared##SUFFIX(                                                 \
      upc_file_t *fd, size_t memvec_entries, struct upc_shared_memvec const *memvec,               \
      size_t filevec_entries, struct upc_filevec const *filevec, upc_flag_t flags);                \
  extern RETURN upc_all_fwrite_list_local##SUFFIX(                                                 \
      upc_file_t *fd, size_t memvec_entries, struct upc_local_memvec const *memvec,                \
      size_t filevec_entries, struct upc_filevec const *filevec, upc_flag_t flags);                \
  extern RETURN upc_all_fwrite_list_shared##SUFFIX(                                                \
      upc_file_t *fd, size_t memvec_entries, struct upc_shared_memvec const *memvec,               \
      size_t filevec_entries, struct upc_filevec const *filevec, upc_flag_t flags);
WEFT_UPC_IO(upc_off_t, )
WEFT_UPC_IO(void, _async)
#undef WEFT_UPC_IO
extern upc_off_t upc_all_fwait_async(upc_file_t *fd);
extern upc_off_t upc_all_ftest_async(upc_file_t *fd, int *flag);

#endif
