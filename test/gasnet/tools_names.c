/* Every function of GASNet's tools is a symbol of the library, also those that the header inlines,
 * and every macro of the specification is defined. */
#define GASNETT_THREAD_SAFE 1
#include <gasnet_tools.h>
#include <dlfcn.h>

#include "check.h"
#include "gasnet/tools_macros.h"

/* mpi.h of Open MPI 5 asks so whether its own copy of the platform's names is newer. */
#if !defined(_PORTABLE_PLATFORM_H) || _PORTABLE_PLATFORM_H != PLATFORM_HEADER_VERSION ||           \
    PLATFORM_HEADER_VERSION >= 24
#error "Open MPI's mpi.h would keep its names back"
#endif

/* clang-format off */
static const char functions[] =
    "atomic32_add atomic32_compare_and_swap atomic32_decrement atomic32_decrement_and_test "
    "atomic32_increment atomic32_read atomic32_set atomic32_subtract atomic32_swap atomic64_add "
    "atomic64_compare_and_swap atomic64_decrement atomic64_decrement_and_test "
    "atomic64_increment atomic64_read atomic64_set atomic64_subtract atomic64_swap atomic_add "
    "atomic_compare_and_swap atomic_decrement atomic_decrement_and_test atomic_increment "
    "atomic_read atomic_set atomic_signed atomic_subtract atomic_swap backtrace_init checksum "
    "close_streams compiler_fence cond_broadcast cond_destroy cond_init cond_signal cond_wait "
    "count0s count0s_copy count0s_uint32_t count0s_uint64_t count0s_uintptr_t cpu_count "
    "diagnostic_gethandlers envdbl_display envint_display envstr_display exe_name "
    "fatalerror_nopos flush_streams format_addrlist format_addrlist_bufsz format_dt "
    "format_memveclist format_memveclist_bufsz format_number format_op format_putigeti "
    "format_putigeti_bufsz format_putsgets format_putsgets_bufsz format_putvgetv "
    "format_putvgetv_bufsz format_strides format_strides_bufsz format_ti freezeForDebuggerErr "
    "freezeForDebuggerNow getPhysMemSz getenv getenv_dbl_withdefault getenv_int_withdefault "
    "getenv_withdefault getenv_yesno_withdefault gethostname gettimeofday_us isLittleEndian "
    "killmyprocess local_mb local_rmb local_wmb maximize_rlimit maximize_rlimits mmap "
    "mutex_assertlocked mutex_assertunlocked mutex_destroy mutex_destroy_ignoreerr mutex_init "
    "mutex_lock mutex_trylock mutex_unlock nsleep parse_int performance_warning_str "
    "print_backtrace print_backtrace_ifenabled reghandler release_version release_version_str "
    "run_diagnostics rwlock_assertlocked rwlock_assertrdlocked rwlock_assertunlocked "
    "rwlock_assertwrlocked rwlock_destroy rwlock_init rwlock_rdlock rwlock_tryrdlock "
    "rwlock_trywrlock rwlock_unlock rwlock_wrlock sched_yield set_affinity setenv spinloop_hint "
    "strongatomic32_add strongatomic32_compare_and_swap strongatomic32_decrement "
    "strongatomic32_decrement_and_test strongatomic32_increment strongatomic32_read "
    "strongatomic32_set strongatomic32_subtract strongatomic32_swap strongatomic64_add "
    "strongatomic64_compare_and_swap strongatomic64_decrement strongatomic64_decrement_and_test "
    "strongatomic64_increment strongatomic64_read strongatomic64_set strongatomic64_subtract "
    "strongatomic64_swap strongatomic_add strongatomic_compare_and_swap strongatomic_decrement "
    "strongatomic_decrement_and_test strongatomic_increment strongatomic_read strongatomic_set "
    "strongatomic_subtract strongatomic_swap tick_granularityus tick_overheadus ticks_now "
    "ticks_to_ns ticks_to_us unsetenv verboseenv weak_mb weak_rmb weak_wmb";
/* clang-format on */

int main(void) {
  char name[128];
  int n = 0;
  for (const char *p = functions; *p; n++) {
    const size_t length = strcspn(p, " ");
    snprintf(name, sizeof name, "gasnett_%.*s", (int)length, p);
    if (!dlsym(RTLD_DEFAULT, name)) fprintf(stderr, "no symbol %s\n", name);
    CHECK(dlsym(RTLD_DEFAULT, name) != NULL);
    p += length;
    p += strspn(p, " ");
  }
  CHECK_EQ(n, 153);
  CHECK(gasnett_ticks_now() > 0); /* so that the library is linked */
  return 0;
}
