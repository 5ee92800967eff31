/*
 * Options come from the environment: presets, names with a twin, bad values, unknown names.
 * test: unit
 */
#include "base/base.h"
#include "check.h"

extern char **environ;

static char said[8192];
static int real[3];

/* Collect what is printed on a stream until `said_end`. */
static FILE *said_begin(int fd) {
  FILE *f = tmpfile();
  CHECK(f != NULL);
  fflush(NULL);
  real[fd] = dup(fd);
  CHECK(dup2(fileno(f), fd) == fd);
  return f;
}

static void said_end(FILE *f, int fd) {
  size_t n;
  fflush(NULL);
  CHECK(dup2(real[fd], fd) == fd);
  close(real[fd]);
  rewind(f);
  n = fread(said, 1, sizeof(said) - 1, f);
  said[n] = 0;
  fclose(f);
}

static int read_with(const char *name, const char *value) {
  FILE *f = said_begin(2);
  int rc;
  setenv(name, value, 1);
  rc = weft_options_read();
  unsetenv(name);
  said_end(f, 2);
  return rc;
}

static void refused(const char *name, const char *value, const char *line) {
  CHECK_EQ(read_with(name, value), -EINVAL);
  CHECK_STR(said, line);
}

static void accepted(const char *name, const char *value) {
  CHECK_EQ(read_with(name, value), 0);
  CHECK_STR(said, "");
}

static void presets(void) {
  CHECK_EQ(weft_options_read(), 0);
  CHECK_EQ(weft_options.symmetric_size, 0);
  CHECK_EQ(weft_options.check, 0);
  CHECK_EQ(weft_options.coalesce, 1);
  CHECK_EQ(weft_options.coalesce_max, 65536);
  CHECK_EQ(weft_options.stage_age_us, 2000);
  CHECK_EQ(weft_options.coll_scratch, 131072);
  CHECK_STR(weft_options.provider, "auto");
  CHECK_STR(weft_options.completion, "auto");
  CHECK_STR(weft_options.shm, "memfd");
  CHECK_STR(weft_options.node, "");
}

static void values(void) {
  accepted("WEFT_CHECK", "1");
  CHECK_EQ(weft_options.check, 1);
  accepted("WEFT_COALESCE", "0");
  CHECK_EQ(weft_options.coalesce, 0);
  CHECK_EQ(weft_options.check, 0); /* gone with the variable */
  accepted("WEFT_DEBUG", "pack_max=7,completion=flush");
  CHECK_EQ(weft_options.pack_max, 7);
  CHECK_STR(weft_options.completion, "flush");
  accepted("WEFT_DEBUG", "helper_spin_us=0");
  CHECK_EQ(weft_options.helper_spin_us, 0);
  accepted("WEFT_CHECK", ""); /* set to nothing: not set */
  CHECK_EQ(weft_options.check, 0);
  accepted("SHMEM_INFO", "please");
  CHECK_EQ(weft_options.info, 1);
  accepted("SHMEM_INFO", "no");
  CHECK_EQ(weft_options.info, 0);
  accepted("SHMEM_SYMMETRIC_SIZE", "128T");
  accepted("SMA_SYMMETRIC_SIZE", "1k");
  CHECK_EQ(weft_options.symmetric_size, 1024);
  setenv("SMA_SYMMETRIC_SIZE", "1k", 1);
  accepted("SHMEM_SYMMETRIC_SIZE", "2k"); /* the new name wins */
  CHECK_EQ(weft_options.symmetric_size, 2048);
  unsetenv("SMA_SYMMETRIC_SIZE");
}

/* The program writes over its environment. */
static void written_over(void) {
  char variable[] = "WEFT_IFACE=eth0", word[] = "WEFT_SHM=file";
  putenv(variable);
  putenv(word);
  CHECK_EQ(weft_options_read(), 0);
  memset(variable, 'x', sizeof variable - 1);
  memset(word, 'x', sizeof word - 1);
  CHECK_STR(weft_options.iface, "eth0");
  CHECK_STR(weft_options.shm, "file");
  clearenv();
}

static void bad_values(void) {
  refused("WEFT_CHECK", "maybe", "weft: WEFT_CHECK=maybe: expected 0 or 1\n");
  refused("WEFT_DEBUG", "completion=flu",
          "weft: WEFT_DEBUG=completion=flu: expected auto|counter|delivery|flush\n");
  refused("WEFT_DEBUG", "stage_age_us=-1",
          "weft: WEFT_DEBUG=stage_age_us=-1: expected a whole number from 0 to 2147483647\n");
  refused(
      "WEFT_DEBUG", "stage_age_us=2147483648",
      "weft: WEFT_DEBUG=stage_age_us=2147483648: expected a whole number from 0 to 2147483647\n");
  refused("WEFT_DEBUG", "stage_age_us=99999999999999999999",
          "weft: WEFT_DEBUG=stage_age_us=99999999999999999999: expected a whole number from 0 to "
          "2147483647\n");
  refused("WEFT_DEBUG", "pack_max=1,pace=2",
          "weft: WEFT_DEBUG: 'pace=2' is not name=value of a name in weft-info's list\n");
  refused("WEFT_DEBUG", "check=1",
          "weft: WEFT_DEBUG: 'check=1' is not name=value of a name in weft-info's list\n");
  refused("SMA_SYMMETRIC_SIZE", "lots",
          "weft: SMA_SYMMETRIC_SIZE=lots: expected a number of bytes such as 65536, 512M or 1.5G, "
          "at most 128T\n");
  refused("WEFT_PRIVATE_SIZE", "129T",
          "weft: WEFT_PRIVATE_SIZE=129T: expected a number of bytes such as 65536, 512M or 1.5G, "
          "at most 128T\n");
}

static void unknown_names(void) {
  FILE *f;
  int n;
  setenv("WEFT_COALESC", "1", 1);
  setenv("WEFT_LOCAL_RANK", "1", 1);
  setenv("WEFT_TEST_ANYTHING", "1", 1);
  setenv("WEFT_BENCHMARK", "1", 1);
  setenv("WEFT_LAUNCHER", "1", 1);
  setenv("WEFTISH", "1", 1);
  setenv("WEFT_CHECK", "1", 1);
  setenv("WEFT_DEBUG", "pack_max=1", 1);
  f = said_begin(2);
  n = weft_options_check_names();
  said_end(f, 2);
  CHECK_EQ(n, 1);
  CHECK_STR(said, "weft: WEFT_COALESC is not an option of Weft; the nearest is WEFT_COALESCE\n");
}

static void printing(void) {
  FILE *f;
  setenv("SMA_SYMMETRIC_SIZE", "3M", 1);
  CHECK_EQ(weft_options_read(), 0);
  f = said_begin(1);
  weft_options_print();
  said_end(f, 1);
  CHECK(strstr(said, "SHMEM_SYMMETRIC_SIZE|SMA_SYMMETRIC_SIZE = 3145728  (environment: "
                     "SMA_SYMMETRIC_SIZE)\n"));
  CHECK(strstr(said, "WEFT_DEBUG=coalesce_max = 65536  (default)\n    largest put"));
}

int main(void) {
  clearenv();
  presets();
  values();
  written_over();
  bad_values();
  unknown_names();
  printing();
  return 0;
}
