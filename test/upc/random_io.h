/*
 * The random test: a file, whose bytes all threads know. What is written is read after a
 * upc_all_fsync; in a call of all threads each has a part of the file of its own.
 */
#ifndef TEST_UPC_RANDOM_IO_H
#define TEST_UPC_RANDOM_IO_H

#include "random.h"

#include "files.h"

int64_t upc_all_fwrite_list_local(pts fd, size_t nm, const struct local_part *m, size_t nf,
                                  const struct file_part *f, upc_flag_t flags);
#define BEGUN_FORMS(name, ...) void name##_async(__VA_ARGS__, upc_flag_t flags);
BEGUN_FORMS(upc_all_fread_local, pts fd, void *p, size_t size, size_t n)
BEGUN_FORMS(upc_all_fwrite_shared, pts fd, pts p, size_t block, size_t size, size_t n)
BEGUN_FORMS(upc_all_fread_list_local, pts fd, size_t nm, const struct local_part *m, size_t nf,
            const struct file_part *f)
BEGUN_FORMS(upc_all_fread_list_shared, pts fd, size_t nm, const struct shared_part *m, size_t nf,
            const struct file_part *f)
BEGUN_FORMS(upc_all_fwrite_list_shared, pts fd, size_t nm, const struct shared_part *m, size_t nf,
            const struct file_part *f)

enum { FILE_MOST = 60000, SHARED_MOST = 20000, PARTS = 12 };
static char file_name[64];
static unsigned char file_model[FILE_MOST];
static size_t file_size;
static pts io_array, file; /* FILE_MOST + some on each thread */
static bool file_is_common;

static void file_open(void) {
  const bool cut = all_draw(3) == 0;
  file_is_common = all_draw(2);
  snprintf(text, sizeof text, "the file is opened, cut %d, common %d", cut, file_is_common);
  file = upc_all_fopen(file_name, RDWR | CREATE | (cut ? TRUNC : 0) | (all_draw(2) ? STRONG : 0) |
                                      (file_is_common ? COMMON : INDIVIDUAL), 0, NULL);
  CHECK(file != 0);
  if (cut) memset(file_model, 0, file_size), file_size = 0;
}

static void file_grows(size_t end) {
  if (end <= file_size) return;
  file_size = end; /* a hole is zero: the model's bytes behind the end are */
}

/* The result of a call, or of the one that was begun. */
static int64_t io_result(bool begun, int64_t result) {
  int flag = 0;
  if (!begun) return result;
  CHECK_EQ(upc_all_fcntl(file, ASYNC, NULL), 1);
  if (all_draw(2)) return upc_all_fwait_async(file);
  while (!flag) result = upc_all_ftest_async(file, &flag);
  return result;
}
#define IO(name, ...) io_result(begun, begun ? (name##_async(__VA_ARGS__), 0) : name(__VA_ARGS__))

/* A shared array goes out or comes in, through the pointer of all. */
static void io_shared(bool writes) {
  const size_t size = 1 + all_draw(all_draw(3) ? 12 : 300), n = all_draw(SHARED_MOST / size),
               at = all_draw(FILE_MOST - SHARED_MOST), block = all_draw(all_draw(2) ? 5 : 200);
  const size_t bytes = n * size;
  const pts p = io_array + weft_upc_make(all_draw((size_t)N), 0, all_draw(50));
  const upc_flag_t flags = some_mode();
  const bool begun = all_draw(2);
  const uint64_t number = all_draw(1u << 30);
  static unsigned char data[SHARED_MOST];
  snprintf(text, sizeof text, "io shared: writes %d, begun %d, %zu of %zu bytes at %zu, block %zu",
           writes, begun, n, size, at, block);
  size_t moved = at >= file_size ? 0 : file_size - at < bytes ? file_size - at : bytes;
  if (writes) moved = bytes;
  fill(data, bytes, number);
  for (size_t i = 0; i < n; i++) {
    const pts e = step(p, i, block, size);
    if ((int)weft_upc_thread(e) != ME) continue;
    if (writes)
      memcpy(weft_upc_local(e), data + i * size, size);
    else
      memset(weft_upc_local(e), 0x77, size);
  }
  upc_all_fseek(file, (int64_t)at, 0);
  before(flags);
  CHECK_EQ(writes ? IO(upc_all_fwrite_shared, file, p, block, size, n, flags)
                  : IO(upc_all_fread_shared, file, p, block, size, n, flags), moved);
  after(flags);
  CHECK_EQ(upc_all_fseek(file, 0, 1), at + moved);
  if (writes && n) memcpy(file_model + at, data, bytes), file_grows(at + bytes);
  memset(data, 0x77, bytes);
  if (!writes) memcpy(data, file_model + at, moved);
  for (size_t i = 0; i < n; i++) {
    const pts e = step(p, i, block, size);
    if ((int)weft_upc_thread(e) == ME)
      must_equal(weft_upc_local(e), data + i * size, writes ? 0 : size, "read");
  }
}

/* Each thread's bytes: its part of a range of the file. */
static unsigned char io_mine[FILE_MOST];
static void io_local(bool writes) {
  const size_t each = all_draw(all_draw(2) ? 90 : 3000), begin = all_draw(FILE_MOST / 4);
  const size_t size = 1 + all_draw(7), n = each / size, bytes = n * size;
  const size_t at = begin + each * (size_t)ME;
  const bool begun = !writes && all_draw(2);
  const uint64_t number = all_draw(1u << 30);
  const upc_flag_t flags = some_mode();
  if (begin + each * (size_t)N > FILE_MOST) return;
  snprintf(text, sizeof text, "io local: writes %d, begun %d, %zu of %zu bytes from %zu", writes,
           begun, n, size, begin);
  size_t moved = at >= file_size ? 0 : file_size - at < bytes ? file_size - at : bytes;
  if (writes) moved = bytes;
  fill(io_mine, bytes, number + (uint64_t)ME);
  if (!writes) memset(io_mine, 0x77, bytes);
  upc_all_fseek(file, (int64_t)at, 0);
  CHECK_EQ(writes ? upc_all_fwrite_local(file, io_mine, size, n, flags)
                  : IO(upc_all_fread_local, file, io_mine, size, n, flags), moved);
  CHECK_EQ(upc_all_fseek(file, 0, 1), at + moved);
  if (!writes) must_equal(io_mine, file_model + at, moved, "read");
  for (int t = 0; writes && bytes && t < N; t++) {
    fill(file_model + begin + each * (size_t)t, bytes, number + (uint64_t)t);
    file_grows(begin + each * (size_t)t + bytes);
  }
  BARRIER();
}

/* Lists: the file's pieces of each thread lie one behind the other, as thread and number say. */
static size_t file_parts(struct file_part *f, size_t nf, size_t start, uint64_t number, int t) {
  uint64_t state = mix(number, (uint64_t)t);
  size_t total = 0, at = start;
  for (size_t i = 0; i < nf; i++) {
    at += draw(&state, 20);
    f[i] = (struct file_part){(int64_t)at, draw(&state, 90)};
    at += f[i].len, total += f[i].len;
  }
  return total;
}
static size_t cut(size_t *lengths, size_t total) {
  size_t n = 0;
  while (total || n == 0) {
    const size_t some = n == PARTS - 1 ? total : any(total + 1);
    lengths[n++] = some, total -= some;
  }
  return n;
}
enum { EACH = PARTS * 110, LIST_ROOM = EACH + 100 };

/* Byte i of a piece of shared memory. */
static pts byte_at(const struct shared_part *m, size_t i) {
  return weft_upc_flat(step(m->base, i, m->block, 1));
}

static void io_list(bool writes, bool shared) {
  struct file_part f[PARTS];
  struct local_part local[PARTS];
  struct shared_part there[PARTS];
  unsigned char data[EACH], back[EACH];
  size_t lengths[PARTS];
  const size_t start = all_draw(5000), nf = 1 + all_draw(PARTS), end = start + EACH * (size_t)N;
  const uint64_t number = all_draw(1u << 30);
  const bool begun = all_draw(2) && (shared || !writes);
  const upc_flag_t flags = some_mode();
  snprintf(text, sizeof text, "io list: writes %d, shared %d, begun %d, %zu pieces from %zu",
           writes, shared, begun, nf, start);
  if (!writes && file_size < end) {
    CHECK_EQ(upc_all_fset_size(file, (int64_t)end), 0);
    file_size = end;
  }
  const size_t total = file_parts(f, nf, start + EACH * (size_t)ME, number, ME);
  const size_t nm = cut(lengths, total);
  fill(data, total, number + (uint64_t)ME);
  for (size_t i = 0, done = 0; i < nm; done += lengths[i++]) {
    const size_t block = any(25), at = ((size_t)ME * PARTS + i) * LIST_ROOM + any(50);
    local[i] = (struct local_part){io_mine + i * LIST_ROOM, lengths[i]};
    there[i] = (struct shared_part){io_array + weft_upc_make(any((size_t)N), 0, at), block,
                                    lengths[i]};
    for (size_t k = 0; k < lengths[i]; k++) {
      const unsigned char byte = writes ? data[done + k] : 0x77;
      io_mine[i * LIST_ROOM + k] = byte;
      if (shared) WEFT_UPC_PUT(unsigned char, byte_at(&there[i], k), byte);
    }
  }
  BARRIER();
  CHECK_EQ(writes ? shared ? IO(upc_all_fwrite_list_shared, file, nm, there, nf, f, flags)
                           : upc_all_fwrite_list_local(file, nm, local, nf, f, flags)
           : shared ? IO(upc_all_fread_list_shared, file, nm, there, nf, f, flags)
                    : IO(upc_all_fread_list_local, file, nm, local, nf, f, flags),
           total);
  BARRIER();
  for (size_t i = 0, done = 0; !writes && i < nm; done += lengths[i++])
    for (size_t k = 0; k < lengths[i]; k++)
      back[done + k] = shared ? WEFT_UPC_GET(unsigned char, byte_at(&there[i], k))
                              : io_mine[i * LIST_ROOM + k];
  for (size_t i = 0, done = 0; !writes && i < nf; done += f[i++].len)
    must_equal(back + done, file_model + f[i].offset, f[i].len, "read");
  for (int t = 0; writes && t < N; t++) {
    const size_t all = file_parts(f, nf, start + EACH * (size_t)t, number, t);
    fill(data, all, number + (uint64_t)t);
    for (size_t i = 0, done = 0; i < nf; done += f[i++].len) {
      memcpy(file_model + f[i].offset, data + done, f[i].len);
      if (f[i].len) file_grows((size_t)f[i].offset + f[i].len);
    }
  }
  BARRIER();
}

static void file_operation(void) {
  for (size_t left = all_draw(5); left > 0; left--) {
    const bool writes = all_draw(2), common_ways = file_is_common;
    switch (all_draw(4)) {
    case 0:
      if (common_ways) io_shared(writes);
      break;
    case 1:
      if (!common_ways) io_local(writes);
      break;
    case 2: io_list(writes, all_draw(2)); break;
    default:
      file_is_common = !file_is_common;
      CHECK_EQ(upc_all_fcntl(file, file_is_common ? SET_COMMON : SET_INDIVIDUAL, NULL), 0);
    }
    CHECK_EQ(upc_all_fsync(file), 0);
    BARRIER();
    CHECK_EQ(upc_all_fget_size(file), file_size);
    BARRIER(); /* the next write makes it longer */
  }
  if (all_draw(4)) return;
  CHECK_EQ(upc_all_fclose(file), 0);
  file_open();
}

#endif
