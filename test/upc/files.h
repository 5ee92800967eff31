/*
 * What the tests of files share: upc_io.h as generated code sees it. Include it behind runtime.h.
 */
#ifndef WEFT_TEST_UPC_FILES_H
#define WEFT_TEST_UPC_FILES_H

struct local_part {
  void *base;
  size_t len;
};
struct shared_part {
  pts base;
  size_t block, len;
};
struct file_part {
  int64_t offset;
  size_t len;
};
struct hint {
  const char *key, *value;
};
pts upc_all_fopen(const char *name, int flags, size_t n, const struct hint *hints);
int upc_all_fclose(pts fd);
int upc_all_fsync(pts fd);
int64_t upc_all_fseek(pts fd, int64_t offset, int origin);
int upc_all_fset_size(pts fd, int64_t size);
int64_t upc_all_fget_size(pts fd);
int upc_all_fpreallocate(pts fd, int64_t size);
int upc_all_fcntl(pts fd, int cmd, void *arg);
int64_t upc_all_fread_local(pts fd, void *p, size_t size, size_t n, upc_flag_t flags);
int64_t upc_all_fwrite_local(pts fd, void *p, size_t size, size_t n, upc_flag_t flags);
int64_t upc_all_fread_shared(pts fd, pts p, size_t block, size_t size, size_t n, upc_flag_t flags);
int64_t upc_all_fwrite_shared(pts fd, pts p, size_t block, size_t size, size_t n, upc_flag_t flags);
void upc_all_fwrite_local_async(pts fd, void *p, size_t size, size_t n, upc_flag_t flags);
int64_t upc_all_fread_list_local(pts fd, size_t nm, const struct local_part *m, size_t nf,
                                 const struct file_part *f, upc_flag_t flags);
int64_t upc_all_fwrite_list_shared(pts fd, size_t nm, const struct shared_part *m, size_t nf,
                                   const struct file_part *f, upc_flag_t flags);
int64_t upc_all_fread_list_shared(pts fd, size_t nm, const struct shared_part *m, size_t nf,
                                  const struct file_part *f, upc_flag_t flags);
void upc_all_fwrite_list_local_async(pts fd, size_t nm, const struct local_part *m, size_t nf,
                                     const struct file_part *f, upc_flag_t flags);
void upc_all_fread_shared_async(pts fd, pts p, size_t block, size_t size, size_t n,
                                upc_flag_t flags);
int64_t upc_all_fwait_async(pts fd);
int64_t upc_all_ftest_async(pts fd, int *flag);

enum { RDONLY = 1, WRONLY = 2, RDWR = 4, INDIVIDUAL = 8, COMMON = 16, APPEND = 32, CREATE = 64 };
enum { EXCL = 128, STRONG = 256, TRUNC = 512, DELETE = 1024 };
enum { GET_CA = 1, SET_WEAK, SET_STRONG, GET_FP, SET_COMMON, SET_INDIVIDUAL, GET_FL, GET_FN };
enum { GET_HINTS = 9, SET_HINT, ASYNC };

/* The same new name for all, of `room` characters. Collective. */
static inline void name_file(char *name, size_t room) {
  static long leader;
  if (ME == 0) leader = (long)getpid();
  BARRIER();
  snprintf(name, room, "/tmp/weft-upc-io-%ld", WEFT_UPC_GET_COPY(long, &leader, 0));
}

#endif
