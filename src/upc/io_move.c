/*
 * io_move.c: UPC 1.3, upc_io.h: reading and writing. A call is described once, as pieces of memory
 * (local, or blocks of shared memory) against pieces of the file, and one loop moves the bytes.
 * With a common file pointer each thread moves an equal part. The asynchronous forms do their work
 * at once, as the specification permits; what their flags ask for at the end is done when they are
 * waited for.
 */
#include "upc/io.h"

#include <unistd.h>

struct upc_local_memvec {
  void *baseaddr;
  size_t len;
};
struct upc_shared_memvec {
  weft_upc_ptr_t baseaddr;
  size_t blocksize;
  size_t len;
};
struct upc_filevec {
  int64_t offset;
  size_t len;
};

enum { ROOM = 1 << 20 }; /* bytes that pass through this process at a time */

typedef struct transfer {
  weft_upc_file_t *file;
  bool writes;
  const struct upc_local_memvec *local; /* NULL: the memory is shared */
  const struct upc_shared_memvec *shared;
  size_t nmem;
  const struct upc_filevec *parts;
  size_t nparts;
  size_t skip; /* bytes of the first piece of memory that are another thread's part */
  char *room;
} transfer_t;

/* ---- bytes ---- */

/* Up to n bytes of the file; less only at its end. Bytes, or a negative errno. */
static int64_t file_bytes(const transfer_t *t, char *p, size_t n, int64_t at) {
  size_t done = 0;
  while (done < n) {
    const ssize_t rc = t->writes ? pwrite(t->file->fd, p + done, n - done, at + (int64_t)done)
                                 : pread(t->file->fd, p + done, n - done, at + (int64_t)done);
    if (rc < 0 && errno == EINTR) continue;
    if (rc < 0) return -errno;
    if (rc == 0) break;
    done += (size_t)rc;
  }
  return (int64_t)done;
}

/* Where byte x of a blocked region is, and how many follow it there. Phases count as 0. */
static weft_upc_place_t place_of(const struct upc_shared_memvec *v, size_t x, size_t *run) {
  weft_upc_place_t at = weft_upc_place(v->baseaddr);
  const size_t threads = (size_t)weft_job_npes();
  *run = v->len - x;
  if (v->blocksize == 0) return (weft_upc_place_t){at.thread, at.off + x};
  const size_t block = (size_t)at.thread + x / v->blocksize, phase = x % v->blocksize;
  if (*run > v->blocksize - phase) *run = v->blocksize - phase;
  return (weft_upc_place_t){(int)(block % threads),
                            at.off + block / threads * v->blocksize + phase};
}

/* Between the room and n bytes from byte x of a shared region. */
static void shared_bytes(const transfer_t *t, const struct upc_shared_memvec *v, size_t x,
                         size_t n) {
  weft_op_t op = {.unordered = true};
  weft_upc_moves_t moves = {.who = "upc_io.h", .op = &op};
  for (size_t done = 0; done < n;) {
    size_t run;
    const weft_upc_place_t at = place_of(v, x + done, &run);
    if (run > n - done) run = n - done;
    if (weft_options.check) weft_upc_check_range(at, run, "upc_io.h");
    const weft_upc_end_t memory = weft_upc_end_of(at), room = {-1, (uintptr_t)(t->room + done)};
    weft_upc_moves_add(&moves, t->writes ? room : memory, t->writes ? memory : room, run);
    done += run;
  }
  weft_upc_moves_end(&moves);
  weft_op_wait(&op);
}

/* n bytes (at most ROOM of shared memory) between byte x of memory piece m and the file. */
static int64_t move_some(const transfer_t *t, size_t m, size_t x, size_t n, int64_t at) {
  if (t->local) return file_bytes(t, (char *)t->local[m].baseaddr + x, n, at);
  if (t->writes) shared_bytes(t, &t->shared[m], x, n);
  const int64_t rc = file_bytes(t, t->room, n, at);
  if (!t->writes && rc > 0) shared_bytes(t, &t->shared[m], x, (size_t)rc);
  return rc;
}

static size_t length_of(const transfer_t *t, size_t m) {
  return t->local ? t->local[m].len : t->shared[m].len;
}

/* All pieces, in their order. Bytes, or a negative errno. */
static int64_t move_all(const transfer_t *t) {
  int64_t total = 0;
  size_t m = 0, x = t->skip;
  for (size_t k = 0; k < t->nparts; k++)
    for (size_t done = 0; done < t->parts[k].len;) {
      while (m < t->nmem && x == length_of(t, m)) m++, x = 0;
      if (m == t->nmem) return -EINVAL;
      size_t n = t->parts[k].len - done;
      if (n > length_of(t, m) - x) n = length_of(t, m) - x;
      if (t->shared && n > ROOM) n = ROOM;
      const int64_t rc = move_some(t, m, x, n, t->parts[k].offset + (int64_t)done);
      if (rc < 0) return rc;
      total += rc;
      if ((size_t)rc < n) return total; /* the file's end */
      x += n, done += n;
    }
  return total;
}

/* ---- a call ---- */

static int check_mode(const weft_upc_file_t *f, bool writes) {
  if (f->outstanding) return EBUSY;
  return f->flags & (writes ? WEFT_IO_RDONLY : WEFT_IO_WRONLY) ? EBADF : 0;
}

void upc_lock(weft_upc_ptr_t lock);
void upc_unlock(weft_upc_ptr_t lock);

/* Strong operations wait for all, and exclude one another. */
static int64_t perform(transfer_t *t, upc_flag_t *flags) {
  weft_upc_file_t *f = t->file;
  const bool strong = f->flags & WEFT_IO_STRONG;
  if (strong) *flags = 0;
  weft_upc_flags_in(*flags);
  const int error = check_mode(f, t->writes);
  t->room = t->shared ? malloc(ROOM) : NULL;
  if (error || (t->shared && !t->room)) {
    free(t->room);
    return error ? -error : -ENOMEM;
  }
  if (strong) upc_lock(f->lock);
  const int64_t rc = move_all(t);
  weft_upc_null_strict();
  if (strong) upc_unlock(f->lock);
  free(t->room);
  return rc;
}

static int64_t finish(int64_t rc, upc_flag_t flags) {
  weft_upc_flags_out(flags);
  if (rc >= 0) return rc;
  errno = (int)-rc;
  return -1;
}

/* Others read or write this thread's memory, and MYSYNC waits for them too. */
static void wait_for_others(upc_flag_t *flags) {
  if (*flags & UPC_OUT_MYSYNC) *flags = (*flags & ~UPC_OUT_MYSYNC) | UPC_OUT_ALLSYNC;
}

static int64_t list_io(weft_upc_ptr_t fd, transfer_t t, upc_flag_t *flags, const char *who) {
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, 0);
  t.file = weft_upc_file_enter(fd, 0, 0, who);
  if (!t.file) return -EBADF;
  if (t.shared) wait_for_others(flags);
  return perform(&t, flags);
}

static int64_t local_io(weft_upc_ptr_t fd, bool writes, void *buffer, size_t size, size_t nmemb,
                        upc_flag_t *flags, const char *who) {
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, size * nmemb);
  weft_upc_file_t *f = weft_upc_file_enter(fd, (uint64_t)*flags, 0, who);
  if (!f) return -EBADF;
  if (f->flags & WEFT_IO_COMMON) return -EINVAL;
  const struct upc_local_memvec memory = {buffer, size * nmemb};
  const struct upc_filevec part = {f->at, size * nmemb};
  transfer_t t = {.file = f, .writes = writes, .local = &memory, .nmem = 1, .parts = &part};
  t.nparts = 1;
  const int64_t rc = perform(&t, flags);
  if (rc > 0) f->at += rc;
  return rc;
}

/* Bytes of all threads, or a negative errno if one has one. */
static void add_up(const void *left, void *right, size_t count, const void *arg) {
  const int64_t *a = left;
  int64_t *b = right;
  (void)arg, (void)count;
  *b = *a < 0 ? *a : *b < 0 ? *b : *a + *b;
}

static int64_t shared_io(weft_upc_ptr_t fd, bool writes, weft_upc_ptr_t buffer, size_t blocksize,
                         size_t size, size_t nmemb, upc_flag_t *flags, const char *who) {
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, size * nmemb);
  const uint64_t common_part = buffer ^ blocksize << 7 ^ size * 3 ^ nmemb << 20;
  weft_upc_file_t *f = weft_upc_file_enter(fd, (uint64_t)*flags, common_part, who);
  if (!f) return -EBADF;
  const size_t n = size * nmemb, threads = (size_t)weft_job_npes(), me = (size_t)weft_job_pe();
  const bool common = f->flags & WEFT_IO_COMMON;
  /* With a common pointer: this thread's part of the region and of the file. */
  const size_t share = (n + threads - 1) / threads;
  const size_t from = !common ? 0 : share * me < n ? share * me : n;
  const size_t to = !common || from + share > n ? n : from + share;
  const struct upc_shared_memvec memory[] = {{buffer, blocksize * size, to}};
  const struct upc_filevec parts[] = {{f->at + (int64_t)from, to - from}};
  transfer_t t = {.file = f, .writes = writes, .shared = memory, .nmem = 1, .parts = parts};
  t.nparts = 1;
  t.skip = from;
  if (!common) wait_for_others(flags);
  int64_t rc = perform(&t, flags);
  if (common) rc = weft_upc_io_combine(rc, add_up);
  if (rc > 0) f->at += rc;
  return rc;
}

/* ---- asynchronous: the result waits ---- */

static void keep(weft_upc_ptr_t fd, int64_t rc, upc_flag_t flags, const char *who) {
  weft_upc_file_t *f = weft_upc_file(fd);
  if (!f) weft_fatal("%s: the file is not open", who);
  if (f->outstanding)
    weft_fatal("%s: another asynchronous operation on %s is outstanding", who, f->name);
  f->outstanding = true;
  f->result = rc;
  f->out_flags = flags;
}

static int64_t wait_async(weft_upc_ptr_t fd, const char *who) {
  weft_upc_file_t *f = weft_upc_file_enter(fd, 0, 0, who);
  if (!f) return -1;
  if (!f->outstanding)
    weft_fatal("%s: no asynchronous operation on %s is outstanding", who, f->name);
  f->outstanding = false;
  return finish(f->result, f->out_flags);
}

WEFT_API int64_t upc_all_fwait_async(weft_upc_ptr_t fd) {
  return wait_async(fd, "upc_all_fwait_async");
}

WEFT_API int64_t upc_all_ftest_async(weft_upc_ptr_t fd, int *flag) {
  *flag = 1;
  return wait_async(fd, "upc_all_ftest_async");
}

/* ---- public: each blocking and asynchronous ---- */

#define BOTH(NAME, PARAMETERS, CALL)                                                               \
  WEFT_API int64_t NAME PARAMETERS {                                                               \
    static const char who[] = #NAME;                                                               \
    const int64_t rc = CALL;                                                                       \
    return finish(rc, flags);                                                                      \
  }                                                                                                \
  WEFT_API void NAME##_async PARAMETERS {                                                          \
    static const char who[] = #NAME "_async";                                                      \
    const int64_t rc = CALL;                                                                       \
    keep(fd, rc, flags, who);                                                                      \
  }

#define LOCAL(NAME, WRITES)                                                                        \
  BOTH(NAME, (weft_upc_ptr_t fd, void *buffer, size_t size, size_t nmemb, upc_flag_t flags),       \
       local_io(fd, WRITES, buffer, size, nmemb, &flags, who))
#define SHARED(NAME, WRITES)                                                                       \
  BOTH(NAME,                                                                                       \
       (weft_upc_ptr_t fd, weft_upc_ptr_t buffer, size_t blocksize, size_t size, size_t nmemb,     \
        upc_flag_t flags),                                                                         \
       shared_io(fd, WRITES, buffer, blocksize, size, nmemb, &flags, who))
#define LIST(NAME, WRITES, KIND)                                                                   \
  BOTH(NAME,                                                                                       \
       (weft_upc_ptr_t fd, size_t memvec_entries, const struct upc_##KIND##_memvec *memvec,        \
        size_t filevec_entries, const struct upc_filevec *filevec, upc_flag_t flags),              \
       list_io(fd,                                                                                 \
               (transfer_t){.writes = WRITES,                                                      \
                            .KIND = memvec,                                                        \
                            .nmem = memvec_entries,                                                \
                            .parts = filevec,                                                      \
                            .nparts = filevec_entries},                                            \
               &flags, who))

LOCAL(upc_all_fread_local, false)
LOCAL(upc_all_fwrite_local, true)
SHARED(upc_all_fread_shared, false)
SHARED(upc_all_fwrite_shared, true)
LIST(upc_all_fread_list_local, false, local)
LIST(upc_all_fread_list_shared, false, shared)
LIST(upc_all_fwrite_list_local, true, local)
LIST(upc_all_fwrite_list_shared, true, shared)
