/* gasnet_tools: clocks, sums over bytes, annotations, properties of the machine, and a fatal error
 * with a backtrace by the client's own mechanism, by the C library's, and none. */
#include <gasnet_tools.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "check.h"
#include "gasnet/apart.h"

GASNETT_INLINE(twice) int twice(int x) {
  return 2 * x;
}
GASNETT_NEVER_INLINE(thrice, static int thrice(int x)) {
  return 3 * x;
}
GASNETT_IDENT(tools_system_ident, "$ToolsSystem: here $");

static int own_backtrace(int fd) {
  return write(fd, "own backtrace\n", 14) != 14;
}
gasnett_backtrace_type_t gasnett_backtrace_user = {"OWN", own_backtrace, 1};

static void die(void) {
  gasnett_backtrace_init(gasnett_exe_name());
  gasnett_fatalerror("it is %d", 42);
}
static void die_nopos(void) {
  gasnett_fatalerror_nopos("nowhere %s", "at all");
}
static void kill_me(void) {
  gasnett_killmyprocess(17);
}

static void bytes(void) {
  char from[100], to[100];
  for (size_t n = 0; n < sizeof from; n++) {
    size_t zeroes = 0;
    for (size_t i = 0; i < n; i++) zeroes += !(from[i] = (char)(i * 7 % 5 * (i % 3)));
    memset(to, 1, sizeof to);
    CHECK_EQ(gasnett_count0s(from, n), zeroes);
    CHECK_EQ(gasnett_count0s_copy(to, from, n), zeroes);
    CHECK(!memcmp(to, from, n) && (n == sizeof to || to[n] == 1));
    uint64_t sum = gasnett_checksum(from, (int)n);
    CHECK(sum == gasnett_checksum(to, (int)n));
    if (!n) continue;
    to[n - 1]++;
    CHECK(sum != gasnett_checksum(to, (int)n));
  }
  for (int i = 0; i < 64; i++) CHECK_EQ(gasnett_count0s_uint64_t(UINT64_C(1) << i), 7);
  for (int i = 0; i < 32; i++) CHECK_EQ(gasnett_count0s_uint32_t(UINT32_C(1) << i), 3);
  CHECK_EQ(gasnett_count0s_uintptr_t(0), sizeof(uintptr_t));
}

static void clocks(void) {
  gasnett_tick_t begin = gasnett_ticks_now();
  CHECK_EQ(gasnett_nsleep(2000000), 0);
  gasnett_tick_t end = gasnett_ticks_now();
  CHECK(gasnett_ticks_to_ns(end - begin) >= 2000000 && gasnett_ticks_to_us(end - begin) >= 2000);
  CHECK(begin > GASNETT_TICK_MIN && end < GASNETT_TICK_MAX);
  CHECK(gasnett_tick_granularityus() > 0 && gasnett_tick_overheadus() > 0);
  CHECK(gasnett_gettimeofday_us() > UINT64_C(1700000000) * 1000000);
}

int main(void) {
  int evaluated = 0;
  GASNETT_UNUSED_ARGS8(evaluated++, evaluated++, evaluated++, evaluated++, evaluated++, evaluated++,
                       evaluated++, evaluated++);
  CHECK_EQ(evaluated, 8);
  if_pf(twice(2) != 4 || thrice(2) != 6) CHECK(0);
  CHECK(GASNETT_PREDICT_TRUE(7) && !GASNETT_PREDICT_FALSE(0));
  bytes();
  clocks();

  CHECK(gasnett_cpu_count() > 0 && gasnett_getPhysMemSz(1) > 1 << 20);
  CHECK(*gasnett_gethostname() && strstr(gasnett_exe_name(), "tools_system"));
  CHECK_EQ(1 << GASNETT_PAGESHIFT, GASNETT_PAGESIZE);
  CHECK_STR(gasnett_release_version_str(), "2025.8.0");
  CHECK(gasnett_release_version() == UINT64_C(2025080000));
  CHECK_EQ(gasnett_isLittleEndian(), 1);
  CHECK(gasnett_performance_warning_str() != NULL);
  cpu_set_t before;
  CHECK_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  if (CPU_ISSET(0, &before)) {
    CHECK_EQ(gasnett_set_affinity(gasnett_cpu_count()), 0); /* modulo their number: 0 */
    CHECK_EQ(sched_getcpu(), 0);
  }
  sched_setaffinity(0, sizeof before, &before);
  char *page = gasnett_mmap(2 * GASNETT_PAGESIZE);
  CHECK(page[0] == 0 && page[2 * GASNETT_PAGESIZE - 1] == 0);
  char *where = gasnett_current_loc;
  CHECK(strstr(where, "main at ") && strstr(where, "tools_system.c:"));
  free(where);
  CHECK(gasnett_reghandler(SIGUSR1, SIG_IGN) == SIG_DFL);
  CHECK(gasnett_reghandler(SIGUSR1, SIG_DFL) == SIG_IGN);
  struct rlimit limit;
  CHECK(gasnett_maximize_rlimits() && gasnett_maximize_rlimit(RLIMIT_STACK, "RLIMIT_STACK"));
  CHECK(getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur == limit.rlim_max);
  GASNETT_TRACE_PRINTF("%d", 1), GASNETT_STATS_PRINTF("%d", 1);

  CHECK_EQ(apart(kill_me), 17);
  CHECK_EQ(apart(die_nopos), 128 + SIGABRT);
  CHECK(!strcmp(said, "*** FATAL ERROR: nowhere at all\n"));
  gasnett_setenv("GASNET_BACKTRACE", "1");
  CHECK_EQ(apart(die), 128 + SIGABRT);
  CHECK(strstr(said, "(die at ") && strstr(said, "it is 42") && strstr(said, "own backtrace\n"));
  gasnett_setenv("GASNET_BACKTRACE_TYPE", "NONESUCH,EXECINFO");
  CHECK_EQ(apart(die), 128 + SIGABRT);
  CHECK(strstr(said, "called NONESUCH") && strstr(said, "main") && !strstr(said, "own backtrace"));
  return 0;
}
