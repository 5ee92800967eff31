/*
 * Files: which flags there are, how a file is made and deleted, sizes beyond 4 GB and such as are
 * none. With an argument, a misuse that ends the job with one line, or an end of the program with a
 * file open (misuse.sh).
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/fsuid.h>
#include <sys/stat.h>

#include "runtime.h"

#include "check.h"
#include "files.h"

static char name[64];
static pts array;

static void refused(int flags) {
  CHECK_EQ(upc_all_fopen(name, flags, 0, NULL), 0);
  CHECK_EQ(errno, EINVAL);
}

static mode_t mode_of(void) {
  struct stat s;
  CHECK_EQ(stat(name, &s), 0);
  return s.st_mode & 0777;
}

static void made(const char *perm, mode_t wanted) {
  const struct hint hint = {"file_perm", perm};
  const pts f = upc_all_fopen(name, RDWR | CREATE | EXCL | COMMON | DELETE, 1, &hint);
  CHECK(f != 0);
  CHECK_EQ(mode_of(), wanted);
  CHECK_EQ(upc_all_fwrite_shared(f, array, 1, 1, (size_t)N, 0), N);
  upc_all_fclose(f);
  CHECK_EQ(access(name, F_OK), -1);
}

static void sizes(void) {
  const int64_t far = (int64_t)5 << 30;
  int64_t word = ME, back[2];
  pts f = upc_all_fopen(name, RDWR | INDIVIDUAL, 0, NULL);
  CHECK_EQ(upc_all_fset_size(f, far), 0);
  CHECK_EQ(upc_all_fseek(f, 8 * ME, 2), far + 8 * ME);
  CHECK_EQ(upc_all_fwrite_local(f, &word, 8, 1, 0), 8);
  CHECK_EQ(upc_all_fget_size(f), far + 8 * N);
  upc_all_fsync(f);
  CHECK_EQ(upc_all_fseek(f, far + (ME + 1) % N * 8, 0), far + (ME + 1) % N * 8);
  CHECK_EQ(upc_all_fread_local(f, back, 8, 2, 0), (ME + 1) % N == N - 1 ? 8 : 16);
  CHECK_EQ(upc_all_fset_size(f, 10), 0);
  CHECK_EQ(upc_all_fpreallocate(f, -1), -1);
  CHECK_EQ(errno, EINVAL);
  CHECK_EQ(upc_all_fset_size(f, -1), -1);
  upc_all_fclose(f);
  f = upc_all_fopen(name, RDONLY | COMMON | DELETE, 0, NULL);
  CHECK_EQ(upc_all_fpreallocate(f, 0), -1);
  CHECK_EQ(errno, EBADF);
  CHECK_EQ(upc_all_fset_size(f, 5), -1);
  CHECK_EQ(upc_all_fget_size(f), 10);
  upc_all_fclose(f);
}

/* The file is where it was opened, whatever is called so elsewhere. */
static void elsewhere(void) {
  char folder[80];
  snprintf(folder, sizeof folder, "%s-folder", name);
  CHECK_EQ(chdir("/tmp"), 0);
  const pts f = upc_all_fopen(strrchr(name, '/') + 1, RDWR | CREATE | COMMON | DELETE, 0, NULL);
  if (ME == 0) CHECK_EQ(mkdir(folder, 0700), 0);
  BARRIER();
  CHECK_EQ(chdir(folder), 0);
  if (ME == 0) close(open(strrchr(name, '/') + 1, O_CREAT | O_RDWR, 0600));
  CHECK_EQ(upc_all_fclose(f), 0);
  CHECK_EQ(access(name, F_OK), -1);
  CHECK_EQ(access(strrchr(name, '/') + 1, F_OK), 0);
  BARRIER();
  if (ME == 0) CHECK_EQ(unlink(strrchr(name, '/') + 1), 0);
  if (ME == 0) CHECK_EQ(rmdir(folder), 0);
}

static void misuse(const char *what, const char *file) {
  const pts f = upc_all_fopen(file, RDWR | CREATE | COMMON | DELETE, 0, NULL);
  char c = 0;
  if (strcmp(what, "close") == 0) ME ? upc_all_fsync(f) : upc_all_fclose(f);
  if (strcmp(what, "seek") == 0) upc_all_fseek(f, ME, 0);
  if (strcmp(what, "write") == 0) upc_all_fwrite_shared(f, array, 4, 1, (size_t)ME + 1, 0);
  if (strcmp(what, "open") == 0) upc_all_fopen(file, ME ? RDWR | COMMON : RDONLY | COMMON, 0, NULL);
  if (strcmp(what, "notify") == 0) {
    weft_upc_notify(0, 0, __FILE__, __LINE__);
    upc_all_fsync(f);
  }
  if (strcmp(what, "async") == 0) {
    upc_all_fcntl(f, SET_INDIVIDUAL, NULL);
    for (int i = 0; i < 2; i++) upc_all_fwrite_local_async(f, &c, 1, 1, 0);
  }
  if (strcmp(what, "wait") == 0) upc_all_fwait_async(f);
  if (strcmp(what, "exit") == 0 && ME == 1) upc_global_exit(0);
}

int main(int argc, char **argv) {
  weft_upc_start(&argc, &argv);
  array = upc_all_alloc((size_t)N, 64);
  if (argc > 2) {
    misuse(argv[1], argv[2]);
    BARRIER();
    weft_upc_end(0);
  }
  name_file(name, sizeof name);
  refused(RDWR | RDONLY | COMMON);
  refused(RDWR);
  refused(RDWR | COMMON | INDIVIDUAL);
  refused(RDWR | COMMON | EXCL);
  refused(RDONLY | COMMON | CREATE | TRUNC); /* nothing to be written is lost */
  refused(RDWR | COMMON | 2 * DELETE);
  umask(022);
  setfsuid(65534); /* a file that only root may open twice is not for the test */
  made("0666", 0644);
  made("0444", 0444);
  made("0200", 0200);
  made("rw", 0644);
  setfsuid(geteuid());
  elsewhere();
  upc_all_fclose(upc_all_fopen(name, RDWR | CREATE | COMMON, 0, NULL));
  sizes();
  weft_upc_end(0);
}
