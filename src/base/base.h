/*
 * base: words that every file uses. Status is an int, 0 or a negative errno. A failure is logged
 * once, where it is decided. This folder knows nothing of jobs, windows or networks.
 */
#ifndef WEFT_BASE_H
#define WEFT_BASE_H

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "weft/sanitizers.h"

#define WEFT_API __attribute__((visibility("default")))
#define weft_likely(x) __builtin_expect(!!(x), 1)
#define weft_unlikely(x) __builtin_expect(!!(x), 0)
#define WEFT_CACHELINE 64
#define WEFT_NOINLINE __attribute__((noinline))
/* A thread's own variable that a hot path reads: no call to find it. There is little room for such
 * in a library that is opened late, so only a few words. */
#define WEFT_THREAD __thread __attribute__((tls_model("initial-exec")))
#define WEFT_COLD __attribute__((cold, noinline))
#define WEFT_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

static inline size_t weft_round_up(size_t x, size_t unit) {
  return (x + unit - 1) / unit * unit;
}
static inline size_t weft_smaller(size_t a, size_t b) {
  return a < b ? a : b;
}
static inline size_t weft_larger(size_t a, size_t b) {
  return a > b ? a : b;
}

/* ---- log.c ---------------------------------------------------------------------------------- */

/* The number printed in "weft: pe N: "; -1 (nothing printed) until the job is known. */
void weft_log_set_pe(int pe);
/* Warnings and fatal errors wait this long before they are printed; 0 by default. At start-up most
 * mistakes are made by all PEs alike: when PE 0 has printed its line the job ends before the others
 * print theirs. */
void weft_log_set_delay(int ms);
/* In memory that the PEs of a node share, 0 at first: where several end with the same line, to the
 * same stream, one says it. NULL: each does. It waits so long before: what another node says
 * meanwhile ends the job. */
typedef struct weft_log_first {
  uint64_t begun, written; /* hash of the line */
} weft_log_first_t;
void weft_log_share(weft_log_first_t *first, int patience_ms);
/* How many warnings there were. */
unsigned weft_log_warnings(void);
/* How a fatal error ends the job; exit(status) until this is set. */
void weft_log_set_abort(void (*end)(void *arg, int status), void *arg);
/* One line "weft: pe N: ..." on stderr. */
void weft_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Only with WEFT_VERBOSE=1 or SHMEM_DEBUG. */
void weft_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* One line, then the whole job ends with status 1. */
void weft_fatal(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn, cold));
/* The same line of a process that dies in a moment by itself. */
void weft_last_words(const char *format, ...) __attribute__((format(printf, 1, 2), cold));
/* The same in a language's own form: `head` names this PE, and the rest may be others' line. */
void weft_last_line(const char *head, const char *text) __attribute__((cold));
/* End the job with a status; the reason has been printed. */
void weft_end_job(int status) __attribute__((noreturn, cold));

/* ---- options.c: one line per option in options.def ------------------------------------------ */

/* The type of an option selects its parser. flag: any value turns it on (but 0, no, off, false do
 * not); word: one of the words that begin its help text. A variable set to nothing counts as not
 * set. */
typedef bool weft_opt_bool_t;
typedef bool weft_opt_flag_t;
typedef int weft_opt_int_t;
typedef size_t weft_opt_size_t;
typedef const char *weft_opt_string_t;
typedef const char *weft_opt_word_t;

typedef struct weft_options {
#define WEFT_OPTION(field, type, env, preset, help) type field;
#include "base/options.def"
#undef WEFT_OPTION
} weft_options_t;

extern weft_options_t weft_options;

/* Read the environment once; a bad value is one clear line and -EINVAL. */
int weft_options_read(void);
/* One warning per WEFT_ variable of the environment that is no option, and per SHMEM_ or SMA_
 * variable that is one but for a letter or two (the rest are other libraries'), with the nearest;
 * returns how many. One PE calls it, once the job is known. */
int weft_options_check_names(void);
/* The same for a front end's own variables: one warning per variable that is one of `names` but for
 * a letter or two, with the same prefix (up to its '_'), and none of `others`, which mean something
 * to other libraries. Both end with NULL; `others` may be NULL. */
int weft_options_check_near(const char *const *names, const char *const *others);
/* Every option with value, source and help text, as SHMEM_INFO=1 and weft-info print it. */
void weft_options_print(void);
/* "3.1M" -> bytes: an integer or decimal number and an optional k/K m/M g/G t/T (powers of 1024),
 * rounded up (OpenSHMEM 1.6 section 8). 0 or -EINVAL. */
int weft_parse_size(const char *text, size_t *bytes);

/* ---- hash.c: what can be told only with a secret ------------------------------------------ */

typedef struct weft_secret {
  unsigned char bytes[16];
} weft_secret_t;

/* n of the system's random bytes, at most 256. 0 or -EIO. */
int weft_random_draw(void *bytes, size_t n);
/* What is hashed with the job's secret begins with one of these, in 8 bytes: so the result for one
 * purpose tells nothing of another's. */
enum weft_hash_for {
  WEFT_HASH_KEY = 1,
  WEFT_HASH_TOKEN,
  WEFT_HASH_NOTE,
  WEFT_HASH_LENT,
  WEFT_HASH_WORD,
  WEFT_HASH_CONNECTION
};
/* SipHash-2-4 of n bytes. */
uint64_t weft_hash_keyed(const weft_secret_t *secret, const void *data, size_t n);

/* ---- copy.c ---------------------------------------------------------------------------------- */
/* memcpy for processors that have AVX, and for Zen 5; weft_direct_move (weft/direct.h) says where
 * they are used. */
void *weft_copy_by_vectors(void *to, const void *from, size_t n);
void *weft_copy_by_wide_vectors(void *to, const void *from, size_t n);
/* memcpy to memory that another processor read last. */
void weft_copy_to_reader(void *to, const void *from, size_t n);
/* nblocks blocks of `block` bytes, one every dst or sst bytes. */
void weft_copy_strided(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t block,
                       size_t nblocks);

/* ---- handle.c: what a program holds by address --------------------------------------------- */

/* n bytes of zeros, aligned to 128; NULL: no memory. With WEFT_CHECK=1 whoever touches them after
 * weft_handle_free is told what was destroyed: "a team". */
void *weft_handle_new(size_t n, const char *what);
void weft_handle_free(void *handle);
/* A fault at this address: if it is one of these, the job ends with that line. */
void weft_handle_explain(uintptr_t at);

/* ---- system.c: what Linux has, and C libraries not or only later ----------------------------- */

/* The kernel's number of the calling thread. */
int weft_thread_id(void);
/* The next one of /proc/self/fd, which may be NULL. False: there is none. */
bool weft_next_descriptor(DIR *dir, int *fd);
/* Those of stdin, stdout and stderr that are closed become /dev/null: what is opened next would be
 * in their place, and written to by whatever the process prints. */
void weft_fill_standard(void);
/* As ftruncate, but a size above ulimit -f is an error (-EFBIG) and not a signal. 0 or a negative
 * errno. */
int weft_set_file_size(int fd, size_t bytes);
/* Reserve memory, or room on the disk, for a part of a file; signals wait meanwhile. 0 or a
 * negative errno. */
int weft_reserve_file(int fd, size_t at, size_t bytes);
/* Close all descriptors from `first` to `last` that are open. */
void weft_close_range(unsigned first, unsigned last);

/* ---- calls.c: a library's calls of others ---------------------------------------------------- */

/* The library that `function` is in calls the function `name` of another one: from now on its calls
 * go to `by` (NULL: they stay as they are). Returns where they went before; NULL: it has no such
 * calls, and nothing was done. */
void *weft_calls_set(const void *function, const char *name, void *by);
/* Libraries that are loaded from now on, and look for `function` by its name, find `by`. False:
 * they do not. */
bool weft_calls_offer(const void *function, const char *name, const void *by);

/* ---- memory.c: the machine's, or what the process's control groups leave of it --------------- */

/* Bytes that there are; 0: the system does not say. */
size_t weft_memory_total(void);
/* Bytes that limits of the process leave to a file that is mapped: of address space (ulimit -v, and
 * what batch systems make of h_vmem) and of the file's size (ulimit -f); 0: there is no limit, or
 * the system does not say. */
size_t weft_memory_mappable(void);
/* Bytes that could be given out now; a 64th of all is left to the system. */
size_t weft_memory_available(void);
/* Is there memory to let something grow from `from` to `to` bytes, in so many processes at once?
 * The kernel gives pages out until it kills somebody. A look takes 40 us: one for each 4 MB. */
bool weft_memory_suffices(size_t from, size_t to, int processes);

/* ---- clock and processor -------------------------------------------------------------------- */

uint64_t weft_clock_ns(void);
/* Sleep in small steps: if the whole machine stands still meanwhile, and its clock goes on, one
 * step at most counts as over. */
void weft_sleep_ms(int ms);
/* The kernel's slice of this thread and of those that it makes from now on, 100,000 ns at least:
 * how long one runs while others of its processor are ready. With a short one it is run sooner
 * after it has slept, and gives up less when it yields. 0 or a negative errno. A thread of a policy
 * of its own keeps what it has; a kernel before Linux 6.12 accepts it without effect. */
int weft_slice_set(uint64_t ns);
/* The processors that this process may run on, a bit each (modulo the mask's size); how many. */
enum { WEFT_CPU_WORDS = 16 };
int weft_cpu_mask(uint64_t mask[WEFT_CPU_WORDS]);
/* "3" or "2-5,7": processors, in this order, at most `room` of them. How many, or -EINVAL. */
int weft_parse_cpus(const char *text, int *cpus, int room);

static inline void weft_cpu_relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield" ::: "memory");
#endif
}

/* ---- atomics, named for their use ----------------------------------------------------------- */

/* Publish: everything written before is seen by a thread that observes this store with
 * weft_observe. Example: fill a ring slot, then weft_publish(&slot->seq, n). */
#define weft_publish(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define weft_observe(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
/* A value others may change at any time, read or written whole but ordering nothing. */
#define weft_peek(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define weft_poke(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
/* Stores before it are seen before stores after it: shmem_fence on a node. */
static inline void weft_fence_stores(void) {
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
}
/* Stores before it are seen before loads after it: shmem_quiet on a node (both of two PEs that put,
 * quiet and get cannot miss each other). */
static inline void weft_fence_full(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Memory that one thread gives away and another gets back through a third process: ThreadSanitizer
 * does not see that process, so it is told that what came before weft_seen_given comes before what
 * follows weft_seen_got, for the same address. Nothing otherwise. */
#if WEFT_TSAN
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#define weft_seen_given(address) __tsan_release((void *)(address))
#define weft_seen_got(address) __tsan_acquire((void *)(address))
#else
#define weft_seen_given(address) ((void)(address))
#define weft_seen_got(address) ((void)(address))
#endif

/* A function whose accesses ThreadSanitizer does not see. With no_sanitize clang still watches its
 * atomic accesses and its begin, and everything where it is inlined. */
#if WEFT_TSAN && defined(__clang__)
#define WEFT_UNSEEN __attribute__((disable_sanitizer_instrumentation, noinline))
#else
#define WEFT_UNSEEN __attribute__((no_sanitize("thread")))
#endif

/* A function whose stores ThreadSanitizer does not see, as it was told of them before. The model
 * checker (test/model), which stands in its place, sees them. */
#if defined(WEFT_MODEL)
#define WEFT_TOLD_BEFORE
#else
#define WEFT_TOLD_BEFORE WEFT_UNSEEN
#endif

/* A lock held for a few instructions. Waiters yield the processor: the holder may not be running.
 */
typedef struct weft_lock {
  char held;
} weft_lock_t;

static inline bool weft_lock_try(weft_lock_t *lock) {
  return !__atomic_test_and_set(&lock->held, __ATOMIC_ACQUIRE);
}
void weft_lock_wait(weft_lock_t *lock);
static inline void weft_lock(weft_lock_t *lock) {
  if (weft_unlikely(!weft_lock_try(lock))) weft_lock_wait(lock);
}
static inline void weft_unlock(weft_lock_t *lock) {
  __atomic_clear(&lock->held, __ATOMIC_RELEASE);
}

/* The same in memory that the processes of a node share. It names its holder, which may die;
 * job/private.h waits for one. */
typedef struct weft_node_lock {
  uint32_t holder; /* its slot + 1; 0: free */
} weft_node_lock_t;

static inline bool weft_node_lock_try(weft_node_lock_t *lock, uint32_t me) {
  uint32_t free = 0;
  return __atomic_compare_exchange_n(&lock->holder, &free, me, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED);
}
static inline void weft_node_unlock(weft_node_lock_t *lock) {
  __atomic_store_n(&lock->holder, 0, __ATOMIC_RELEASE);
}

/* One of many, alone in its cache line. */
typedef struct weft_block_lock {
  _Alignas(WEFT_CACHELINE) weft_node_lock_t lock;
} weft_block_lock_t;
enum { WEFT_BLOCK_LOCKS = 32 }; /* of a slot: together with the rest of weft_shared_t a page */

#endif
