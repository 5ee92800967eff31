/*
 * io.c: UPC 1.3, upc_io.h: files. A file is an ordinary one that every thread opens. Opening and
 * closing agree on one error for all threads. What is written is seen by all threads of a machine
 * at once, so weak and strong consistency differ only in that strong operations exclude one
 * another.
 */
#include "upc/io.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
  weft_upc_file_t **open; /* at handle - 1; all threads open and close alike */
  size_t room;
} files;

weft_upc_ptr_t upc_all_lock_alloc(void);
void upc_all_lock_free(weft_upc_ptr_t lock);

weft_upc_file_t *weft_upc_file(weft_upc_ptr_t fd) {
  return fd > 0 && fd <= files.room ? files.open[fd - 1] : NULL;
}

weft_upc_file_t *weft_upc_file_enter(weft_upc_ptr_t fd, uint64_t same, uint64_t common,
                                     const char *who) {
  weft_upc_file_t *f = weft_upc_file(fd);
  if (f && (f->flags & WEFT_IO_COMMON)) same ^= common;
  weft_upc_enter(fd ^ same << 20, who);
  if (!f) errno = EBADF;
  return f;
}

int64_t weft_upc_io_combine(int64_t mine, weft_user_combine_t combine) {
  const weft_reducer_t how = {.user = combine, .width = sizeof mine};
  int64_t all = 0;
  weft_op_t op = {0};
  weft_team_reduce_all_begin(weft_team_world(), &all, &mine, 1, &how, &op);
  weft_team_wait(&op);
  return all;
}

static void take_larger(const void *left, void *right, size_t count, const void *arg) {
  const int64_t *a = left;
  int64_t *b = right;
  (void)arg;
  for (size_t i = 0; i < count; i++)
    if (a[i] > b[i]) b[i] = a[i];
}

/* The same error number for all. Collective. */
static int agree_on(int error) {
  return (int)weft_upc_io_combine(error, take_larger);
}

/* -1 and errno, or 0. */
static int io_return(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

/* ---- hints: kept and told, not acted upon but for file_perm ---- */

static const char *hint_of(size_t n, const struct upc_hint *hints, const char *key) {
  for (size_t i = 0; i < n; i++)
    if (hints[i].key && strcmp(hints[i].key, key) == 0) return hints[i].value;
  return NULL;
}

static int add_hint(weft_upc_file_t *f, const struct upc_hint *hint) {
  if (!hint || !hint->key || !hint->value) return EINVAL;
  char *value = strdup(hint->value);
  for (size_t i = 0; value && i < f->nhints; i++)
    if (strcmp(f->hints[i].key, hint->key) == 0) {
      free((char *)f->hints[i].value);
      f->hints[i].value = value;
      return 0;
    }
  struct upc_hint *more = realloc(f->hints, (f->nhints + 1) * sizeof *more);
  if (more) f->hints = more;
  char *key = strdup(hint->key);
  if (!value || !more || !key) {
    free(value), free(key);
    return ENOMEM;
  }
  f->hints[f->nhints++] = (struct upc_hint){key, value};
  return 0;
}

static void forget(weft_upc_file_t *f) {
  for (size_t i = 0; i < f->nhints; i++)
    free((char *)f->hints[i].key), free((char *)f->hints[i].value);
  if (f->fd >= 0) close(f->fd);
  if (f->folder >= 0) close(f->folder);
  free(f->hints), free(f->name), free(f);
}

/* ---- open ---- */

static bool exactly_one(int flags) {
  return flags && !(flags & (flags - 1));
}

static int check_flags(int flags) {
  if (flags & ~(2 * WEFT_IO_DELETE - 1)) return EINVAL;
  if (!exactly_one(flags & (WEFT_IO_RDONLY | WEFT_IO_WRONLY | WEFT_IO_RDWR))) return EINVAL;
  if (!exactly_one(flags & (WEFT_IO_COMMON | WEFT_IO_INDIVIDUAL))) return EINVAL;
  if ((flags & WEFT_IO_EXCL) && !(flags & WEFT_IO_CREATE)) return EINVAL;
  if ((flags & WEFT_IO_TRUNC) && (flags & WEFT_IO_RDONLY)) return EINVAL;
  return 0;
}

/* The program may change its folder before the file is deleted. */
static int folder_of(const weft_upc_file_t *f) {
  if (!(f->flags & WEFT_IO_DELETE) || f->name[0] == '/') return AT_FDCWD;
  const int folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  return folder < 0 ? AT_FDCWD : folder;
}

static void delete_file(const weft_upc_file_t *f) {
  if (f->flags & WEFT_IO_DELETE) unlinkat(f->folder, f->name, 0);
}

static int64_t size_of(const weft_upc_file_t *f) {
  struct stat s;
  return fstat(f->fd, &s) == 0 ? (int64_t)s.st_size : -1;
}

/* In octal digits; what is none is ignored. */
static mode_t permissions(size_t n, const struct upc_hint *hints) {
  const char *text = hint_of(n, hints, "file_perm");
  char *end = NULL;
  const long mode = text ? strtol(text, &end, 8) : -1;
  return mode >= 0 && mode <= 07777 && end != text && !*end ? (mode_t)mode : 0666;
}

static int open_file(weft_upc_file_t *f, int how, mode_t mode) {
  how |= f->flags & WEFT_IO_RDWR ? O_RDWR : f->flags & WEFT_IO_WRONLY ? O_WRONLY : O_RDONLY;
  f->fd = open(f->name, how | O_CLOEXEC, mode);
  return f->fd < 0 ? errno : 0;
}

enum { OWNER = S_IRUSR | S_IWUSR }; /* opens a new file once more, on the other threads */

static int make_file(weft_upc_file_t *f, mode_t mode, bool *made) {
  const int how = f->flags & WEFT_IO_TRUNC ? O_TRUNC : 0;
  if (!(f->flags & WEFT_IO_CREATE)) return open_file(f, how, 0);
  const int error = open_file(f, O_CREAT | O_EXCL, mode | OWNER);
  *made = error == 0;
  if (error != EEXIST || (f->flags & WEFT_IO_EXCL)) return error;
  return open_file(f, O_CREAT | how, mode | OWNER);
}

/* All have it open: what the hint withholds from the owner goes. */
static void restrict_owner(const weft_upc_file_t *f, mode_t mode) {
  struct stat s;
  if ((mode & OWNER) != OWNER && fstat(f->fd, &s) == 0)
    fchmod(f->fd, s.st_mode & 07777 & ~(OWNER & ~mode));
}

/* Thread 0 makes the file before the others look for it. Nobody writes before all know where it
 * ends. */
static int open_all(weft_upc_file_t *f, mode_t mode) {
  bool made = false;
  int error = agree_on(weft_job_pe() == 0 ? make_file(f, mode, &made) : 0);
  if (error) return error;
  if (weft_job_pe() != 0) error = open_file(f, 0, 0);
  if (f->flags & WEFT_IO_APPEND) f->at = size_of(f);
  error = agree_on(error);
  if (made) restrict_owner(f, mode);
  return error;
}

static size_t free_handle(void) {
  for (size_t i = 0; i < files.room; i++)
    if (!files.open[i]) return i;
  const size_t room = files.room ? 2 * files.room : 8;
  weft_upc_file_t **more = realloc(files.open, room * sizeof *more);
  if (!more) weft_fatal("upc_all_fopen: no memory for %zu files", room);
  memset(more + files.room, 0, (room - files.room) * sizeof *more);
  files.open = more;
  const size_t first = files.room;
  files.room = room;
  return first;
}

WEFT_API weft_upc_ptr_t upc_all_fopen(const char *fname, int flags, size_t numhints,
                                      const struct upc_hint *hints) {
  weft_upc_enter((uint64_t)flags << 32 ^ numhints, "upc_all_fopen");
  weft_upc_file_t *f = calloc(1, sizeof *f);
  if (!f || !(f->name = strdup(fname))) weft_fatal("upc_all_fopen: no memory");
  *f = (weft_upc_file_t){.fd = -1, .flags = flags, .name = f->name, .folder = AT_FDCWD};
  int error = check_flags(flags);
  for (size_t i = 0; i < numhints && !error; i++) error = add_hint(f, &hints[i]);
  error = agree_on(error);
  if (!error) error = open_all(f, permissions(numhints, hints));
  if (error) {
    forget(f);
    errno = error;
    return 0;
  }
  f->folder = folder_of(f);
  f->lock = upc_all_lock_alloc();
  const size_t handle = free_handle();
  files.open[handle] = f;
  return weft_upc_pack(0, handle + 1);
}

/* ---- sync, close ---- */

static int store(const weft_upc_file_t *f) {
  return (f->flags & WEFT_IO_RDONLY) || fsync(f->fd) == 0 || errno == EINVAL ? 0 : errno;
}

static int sync_file(weft_upc_file_t *f) {
  const int error = store(f);
  weft_upc_null_strict();
  weft_coll_sync(weft_team_world());
  return error;
}

WEFT_API int upc_all_fsync(weft_upc_ptr_t fd) {
  weft_upc_file_t *f = weft_upc_file_enter(fd, 0, 0, "upc_all_fsync");
  return f ? io_return(sync_file(f)) : -1;
}

WEFT_API int upc_all_fclose(weft_upc_ptr_t fd) {
  weft_upc_file_t *f = weft_upc_file_enter(fd, 0, 0, "upc_all_fclose");
  if (!f || f->outstanding) {
    errno = f ? EBUSY : EBADF;
    return -1;
  }
  const int error = agree_on(sync_file(f));
  if (weft_job_pe() == 0) delete_file(f);
  upc_all_lock_free(f->lock);
  files.open[fd - 1] = NULL;
  forget(f);
  return io_return(error);
}

void weft_upc_io_stop(bool deletes) {
  for (size_t i = 0; i < files.room; i++) {
    weft_upc_file_t *f = files.open[i];
    if (!f) continue;
    store(f);
    if (deletes) delete_file(f);
    files.open[i] = NULL;
    forget(f);
  }
}

/* ---- position and size ---- */

WEFT_API int64_t upc_all_fseek(weft_upc_ptr_t fd, int64_t offset, int origin) {
  enum { SET, CUR, END };
  weft_upc_file_t *f = weft_upc_file_enter(fd, 0, (uint64_t)offset * 4 + (uint64_t)origin,
                                           "upc_all_fseek");
  if (!f) return -1;
  int64_t from = origin == CUR ? f->at : origin == END ? size_of(f) : 0;
  /* One end for all: who went on alone would write, and move it for the others. */
  if (origin == END && (f->flags & WEFT_IO_COMMON))
    from = weft_upc_io_combine(from, take_larger);
  int64_t to;
  if (origin < SET || origin > END || f->outstanding || __builtin_add_overflow(from, offset, &to) ||
      to < 0) {
    errno = EINVAL;
    return -1;
  }
  return f->at = to;
}

WEFT_API int upc_all_fset_size(weft_upc_ptr_t fd, int64_t size) {
  weft_upc_file_t *f = weft_upc_file_enter(fd, (uint64_t)size, 0, "upc_all_fset_size");
  if (!f) return -1;
  int error = sync_file(f);
  if (!error && weft_job_pe() == 0 && ftruncate(f->fd, size) < 0) error = errno;
  return io_return(agree_on(error));
}

WEFT_API int64_t upc_all_fget_size(weft_upc_ptr_t fd) {
  weft_upc_file_t *f = weft_upc_file_enter(fd, 0, 0, "upc_all_fget_size");
  return f ? size_of(f) : -1;
}

WEFT_API int upc_all_fpreallocate(weft_upc_ptr_t fd, int64_t size) {
  weft_upc_file_t *f = weft_upc_file_enter(fd, (uint64_t)size, 0, "upc_all_fpreallocate");
  if (!f) return -1;
  weft_coll_sync(weft_team_world()); /* a thread that still asks for the size gets the old one */
  int error = f->flags & WEFT_IO_RDONLY ? EBADF : size < 0 ? EINVAL : 0;
  if (!error && size > 0 && weft_job_pe() == 0)
    error = -weft_reserve_file(f->fd, 0, (size_t)size);
  return io_return(agree_on(error));
}

/* ---- control ---- */

enum {
  GET_CA = 1,
  SET_WEAK_CA,
  SET_STRONG_CA,
  GET_FP,
  SET_COMMON_FP,
  SET_INDIVIDUAL_FP,
  GET_FL,
  GET_FN,
  GET_HINTS,
  SET_HINT,
  ASYNC_OUTSTANDING
};

static int change(weft_upc_file_t *f, int remove, int add) {
  f->flags = (f->flags & ~remove) | add;
  return io_return(sync_file(f));
}

WEFT_API int upc_all_fcntl(weft_upc_ptr_t fd, int cmd, void *arg) {
  const int pointers = WEFT_IO_COMMON | WEFT_IO_INDIVIDUAL;
  weft_upc_file_t *f = weft_upc_file_enter(fd, (uint64_t)cmd, 0, "upc_all_fcntl");
  if (!f) return -1;
  if (cmd == ASYNC_OUTSTANDING) return f->outstanding;
  if (f->outstanding) cmd = 0;
  switch (cmd) {
  case GET_CA: return f->flags & WEFT_IO_STRONG;
  case SET_WEAK_CA: return change(f, WEFT_IO_STRONG, 0);
  case SET_STRONG_CA: return change(f, 0, WEFT_IO_STRONG);
  case GET_FP: return f->flags & pointers;
  case SET_COMMON_FP: f->at = 0; return change(f, pointers, WEFT_IO_COMMON);
  case SET_INDIVIDUAL_FP: f->at = 0; return change(f, pointers, WEFT_IO_INDIVIDUAL);
  case GET_FL: return f->flags;
  case GET_FN: *(const char **)arg = f->name; return 0;
  case GET_HINTS: *(const struct upc_hint **)arg = f->hints; return (int)f->nhints;
  case SET_HINT: {
    const int error = add_hint(f, arg), also = sync_file(f);
    return io_return(error ? error : also);
  }
  default: errno = EINVAL; return -1;
  }
}
