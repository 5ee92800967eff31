/*
 * The UPC library at random, against a model: random SEED [SEEDS] [PHASES]
 * Between what all threads draw alike (collectives, files, locks, semaphores, atomics on words of
 * everybody, memory) each does operations of its own on its lanes; after a phase all memory is what
 * the seed says.
 */
#include "random_coll.h"
#include "random_io.h"
#include "random_lane.h"

pts bupc_sem_alloc(int flags);
void bupc_sem_free(pts sem);
void bupc_sem_waitN(pts sem, size_t n);
int bupc_sem_tryN(pts sem, size_t n);
void bupc_sem_postN(pts sem, size_t n);
void bupc_memput_signal(pts dst, const void *src, size_t n, pts sem, size_t posts);

/* ---- atomics --------------------------------------------------------------------------------- */

enum { GET = 1 << 9, SET = 1 << 10, CSWAP = 1 << 11, SUB = 1 << 12, INC = 1 << 13, DEC = 1 << 14 };
enum { SUMS = UPC_ADD | SUB | INC | DEC, BITS = UPC_AND | UPC_OR | UPC_XOR };
enum { WORDS = 4 }; /* of a type, on a thread, of an owner; the last owner is everybody */
#define ATOMIC(X)                                                                                  \
  X(0, int, UPC_INT, 0)                                                                            \
  X(1, unsigned, UPC_UINT, 0)                                                                      \
  X(2, long, UPC_LONG, 0)                                                                          \
  X(3, unsigned long, UPC_ULONG, 0)                                                                \
  X(4, int32_t, UPC_INT32, 0)                                                                      \
  X(5, uint32_t, UPC_UINT32, 0)                                                                    \
  X(6, int64_t, UPC_INT64, 0)                                                                      \
  X(7, uint64_t, UPC_UINT64, 0) X(8, float, UPC_FLOAT, 1) X(9, double, UPC_DOUBLE, 1)
enum { TYPES = 10 };
static pts word_area, domains[TYPES];
static uint64_t own_words[THREADS_MOST][TYPES][WORDS], all_words[THREADS_MOST][TYPES][WORDS];

static pts word_at(int owner, int thread, size_t type, size_t word) {
  return at_thread(word_area, thread) + (pts)((((size_t)owner * TYPES) + type) * WORDS + word) * 8;
}

/* One operation, done or only known of; where only its thread uses the word, what it finds. */
#define ONE_ATOMIC(K, T, TYPE, REAL)                                                               \
  static void atomic_##K(pts p, uint64_t *word, upc_op_t op, uint64_t number, bool does,           \
                         bool looks) {                                                             \
    T x, old, a = REAL ? (T)(int)(number % 9) - 4 : (T)mix(number, 1), b = (T)(int)(number % 5);   \
    memcpy(&x, word, sizeof x);                                                                    \
    if (op == CSWAP && number % 3) a = x;                                                          \
    const T found = x, y = a;                                                                      \
    const unsigned long u = REAL ? 0 : (unsigned long)x, v = REAL ? 0 : (unsigned long)a;          \
    switch (op) {                                                                                  \
    case UPC_ADD: x = REAL ? x + a : (T)(u + v); break;                                            \
    case SUB: x = REAL ? x - a : (T)(u - v); break;                                                \
    case INC: x = REAL ? x + 1 : (T)(u + 1); break;                                                \
    case DEC: x = REAL ? x - 1 : (T)(u - 1); break;                                                \
    case UPC_MULT:                                                                                 \
      if (REAL) a = (T)(x != 0 && number % 2 ? -1 : 1);                                            \
      x = REAL ? x * a : (T)(u * v);                                                               \
      break;                                                                                       \
    case UPC_AND: x = (T)(u & v); break;                                                           \
    case UPC_OR: x = (T)(u | v); break;                                                            \
    case UPC_XOR: x = (T)(u ^ v); break;                                                           \
    case UPC_MIN: x = x < a ? x : a; break;                                                        \
    case UPC_MAX: x = x > a ? x : a; break;                                                        \
    case SET: x = a; break;                                                                        \
    case CSWAP: x = x == y ? b : x;                                                                \
    }                                                                                              \
    memcpy(word, &x, sizeof x);                                                                    \
    if (!does) return;                                                                             \
    const bool fetches = op == GET || any(2), has = op != GET && op != INC && op != DEC;           \
    (any(4) ? upc_atomic_relaxed : upc_atomic_strict)(domains[K], fetches ? &old : NULL, op, p,    \
                                                      has ? &a : NULL, op == CSWAP ? &b : NULL);   \
    if (fetches && looks) must_equal(&old, &found, sizeof old, "fetched");                         \
  }
ATOMIC(ONE_ATOMIC)
static void (*const atomics[])(pts, uint64_t *, upc_op_t, uint64_t, bool, bool) = {
#define ATOMIC_NAME(K, T, TYPE, REAL) atomic_##K,
    ATOMIC(ATOMIC_NAME)};

static upc_op_t one_of(uint64_t *state, unsigned ops) {
  for (size_t left = draw(state, (size_t)__builtin_popcount(ops)); left > 0; left--) ops &= ops - 1;
  return (upc_op_t)(ops & -ops);
}

static void own_atomics(void) {
  for (size_t left = any(8); left > 0; left--) {
    const size_t type = any(TYPES), word = any(WORDS);
    const int t = (int)any((size_t)N);
    const upc_op_t op = one_of(&own, SUMS | GET | SET | CSWAP | UPC_MULT | UPC_MIN | UPC_MAX |
                                         (type < 8 ? BITS : 0));
    snprintf(text, sizeof text, "atomic %#x of type %zu on thread %d", op, type, t);
    atomics[type](word_at(ME, t, type, word), &own_words[t][type][word], op, own, true, true);
  }
}
/* On everybody's words: which operations, the word decides; they commute. */
static void all_atomics(void) {
  static const unsigned sets[] = {SUMS, UPC_MIN, UPC_MAX, UPC_XOR};
  for (size_t left = all_draw(30); left > 0; left--) {
    const int by = (int)all_draw((size_t)N), t = (int)all_draw((size_t)N);
    const size_t type = all_draw(TYPES), word = all_draw(type < 8 ? 4 : 3);
    const upc_op_t op = one_of(&common, sets[word]);
    const uint64_t number = all_draw(1u << 30);
    atomics[type](word_at(N, t, type, word), &all_words[t][type][word], op, number, by == ME,
                  false);
  }
}

/* ---- locks, semaphores, memory --------------------------------------------------------------- */

enum { LOCKS = 4 };
static unsigned long published;
static pts locks[LOCKS];
static long counters[LOCKS], counted[LOCKS];

static void lock_use(void) {
  const size_t k = all_draw(LOCKS);
  for (int t = 0; t < N; t++) {
    const size_t times = all_draw(3);
    counted[k] += (long)times;
    for (size_t i = 0; t == ME && i < times; i++) {
      if (any(2))
        upc_lock(locks[k]);
      else
        while (!upc_lock_attempt(locks[k])) weft_upc_spin();
      const int home = (int)k % N;
      WEFT_UPC_PUT_COPY(long, &counters[k], home, WEFT_UPC_GET_COPY(long, &counters[k], home) + 1);
      if (any(3) == 0) lane_operation();
      upc_unlock(locks[k]);
    }
  }
}
static void lock_renew(void) {
  const size_t k = all_draw(LOCKS);
  const int by = (int)all_draw((size_t)N);
  if (all_draw(2)) {
    BARRIER();
    if (ME == by) upc_lock_free(locks[k]);
  } else
    upc_all_lock_free(locks[k]);
  if (all_draw(2)) {
    if (ME == by) WEFT_UPC_PUT_COPY(unsigned long, &published, 0, upc_global_lock_alloc());
    BARRIER();
    locks[k] = WEFT_UPC_GET_COPY(unsigned long, &published, 0);
    BARRIER();
  } else
    locks[k] = upc_all_lock_alloc();
  CHECK(locks[k] != 0);
}

enum { MAIL = 100000 };
static unsigned long sems[THREADS_MOST];
static pts mail;
/* Data on one thread, a strict flag on another, and a third one, who sees it, reads the data. */
static unsigned long told[THREADS_MOST];
static void told_by_flag(int from, int to, size_t at, size_t n, const unsigned char *data) {
  static unsigned long turn;
  static unsigned char got[MAIL];
  const int home = (int)all_draw((size_t)N), reader = (int)all_draw((size_t)N);
  const size_t words = n / 8, cut = any(words + 1) * 8;
  turn++;
  if (ME == from) {
    const pts p = at_thread(mail, to) + (pts)at;
    const handle h = upc_memput_nb(p + cut, data + cut, n - cut);
    for (size_t i = 0; i < cut; i += 8) {
      if (cut - i > 400 && any(9) == 0) upc_memput(p + i, data + i, 8 * any(40));
      WEFT_UPC_PUT(unsigned long, p + i, *(const unsigned long *)(const void *)(data + i));
    }
    upc_sync(h);
    WEFT_UPC_PUT_STRICT_COPY(unsigned long, &told[from], home, turn);
  }
  if (ME == reader) {
    while (WEFT_UPC_GET_STRICT_COPY(unsigned long, &told[from], home) != turn) weft_upc_spin();
    upc_memget(got, at_thread(mail, to) + (pts)at, n);
    must_equal(got, data, n, "what a strict flag told of");
  }
  BARRIER();
}

static void message(void) {
  static unsigned char data[MAIL], want[MAIL] __attribute__((aligned(8)));
  const int from = (int)all_draw((size_t)N), to = (int)all_draw((size_t)N);
  const size_t n = some_size(&common, MAIL), posts = 1 + all_draw(5), at = all_draw(MAIL - n + 1);
  const uint64_t number = all_draw(1u << 30);
  const bool by_signal = all_draw(2);
  snprintf(text, sizeof text, "mail from %d to %d, %zu bytes", from, to, n);
  fill(want, n, number);
  if (all_draw(2)) return told_by_flag(from, to, at / 8 * 8, n, want);
  const pts sem = WEFT_UPC_GET_COPY(unsigned long, &sems[to], to);
  if (ME == from) {
    memcpy(data, want, n);
    if (by_signal) {
      bupc_memput_signal(at_thread(mail, to) + (pts)at, data, n, sem, posts);
    } else {
      upc_memput(at_thread(mail, to) + (pts)at, data, n);
      weft_upc_fence();
      bupc_sem_postN(sem, posts);
    }
    memset(data, 0x55, n);
  }
  if (ME == to) {
    if (any(2))
      bupc_sem_waitN(sem, posts);
    else
      while (!bupc_sem_tryN(sem, posts)) weft_upc_spin();
    must_equal(mine(mail) + at, want, n, "mail");
  }
  BARRIER();
}

static void memory(void) {
  const size_t kind = all_draw(3), blocks = 1 + all_draw(40), each = some_size(&common, 20000);
  const int by = (int)all_draw((size_t)N), by2 = (int)all_draw((size_t)N),
            by3 = (int)all_draw((size_t)N);
  const uint64_t number = all_draw(1u << 30);
  static unsigned char data[20000], got[20000];
  snprintf(text, sizeof text, "memory %zu of %zu blocks of %zu bytes by %d", kind, blocks, each,
           by);
  pts p = kind == 0 ? upc_all_alloc(blocks, each)
          : ME != by ? 0
          : kind == 1 ? upc_global_alloc(blocks, each)
                      : upc_alloc(each);
  if (ME == by) WEFT_UPC_PUT_COPY(unsigned long, &published, by2, p);
  BARRIER();
  const pts q = WEFT_UPC_GET_COPY(unsigned long, &published, by2);
  CHECK(kind != 0 || p == q);
  CHECK((q != 0) == (each != 0));
  for (size_t i = 0; q && i < (kind == 2 ? 1 : blocks); i++) {
    fill(data, each, number + i);
    const pts block = kind == 2 ? q : weft_upc_flat(weft_upc_add_1(q, (weft_upc_i64)i, each));
    if (ME == by2) upc_memput(block, data, each);
  }
  BARRIER();
  for (size_t i = 0; q && i < (kind == 2 ? 1 : blocks); i++) {
    fill(data, each, number + i);
    const pts block = kind == 2 ? q : weft_upc_flat(weft_upc_add_1(q, (weft_upc_i64)i, each));
    if (ME == by3) upc_memget(got, block, each), must_equal(got, data, each, "allocated");
  }
  BARRIER();
  if (kind == 0 && all_draw(2))
    upc_all_free(q);
  else if (ME == by3)
    upc_free(q);
}

/* ---- phases ---------------------------------------------------------------------------------- */

static void some_operations(size_t most) {
  for (size_t left = any(most); left > 0; left--) lane_operation();
  own_atomics();
}

static void some_barrier(void) {
  const int value = (int)all_draw(1000);
  if (all_draw(2)) return weft_upc_barrier(value % 2, value, __FILE__, __LINE__);
  weft_upc_notify(value % 2, value, __FILE__, __LINE__);
  some_operations(4);
  weft_upc_wait(value % 3, value, __FILE__, __LINE__);
}

static uint64_t hash(const void *bytes, size_t n) {
  const unsigned char *p = bytes;
  uint64_t h = n;
  for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 0x100000001b3u;
  return h;
}

/* All memory, by loads of the thread that has it. */
static void verify(void) {
  static unsigned long sums[THREADS_MOST][2]; /* what each owner knows of its lane and words here */
  settle_all();
  for (int t = 0; t < N; t++) {
    WEFT_UPC_PUT_COPY(unsigned long, &sums[ME][0], t, hash(model[t], lane));
    WEFT_UPC_PUT_COPY(unsigned long, &sums[ME][1], t, hash(own_words[t], sizeof own_words[t]));
  }
  BARRIER();
  for (int t = 0; t < N; t++) {
    snprintf(text, sizeof text, "the lane and words of %d", t);
    CHECK_EQ(hash(mine(lane_at(t, ME, 0)), lane), sums[t][0]);
    CHECK_EQ(hash(mine(word_at(t, ME, 0, 0)), sizeof own_words[0]), sums[t][1]);
  }
  snprintf(text, sizeof text, "everybody's words");
  must_equal(mine(word_at(N, ME, 0, 0)), all_words[ME], sizeof all_words[ME], "differ");
  for (int k = 0; k < LOCKS; k++)
    if (k % N == ME) CHECK_EQ(counters[k], counted[k]);
  BARRIER();
}

static void one_phase(void) {
  for (size_t left = 10 + all_draw(20); left > 0; left--) {
    some_operations(10);
    switch (all_draw(12)) {
    case 0:
    case 1:
    case 2: relocalization(); break;
    case 3:
    case 4: reduction(); break;
    case 5: values(); break;
    case 6: file_operation(); break;
    case 7: lock_use(); break;
    case 8: message(); break;
    case 9: all_atomics(); break;
    case 10: all_draw(2) ? memory() : lock_renew(); break;
    default: some_barrier();
    }
  }
  verify();
}

/* What each thread gives, for all. */
static void all_get(pts *to, pts given) {
  static unsigned long from;
  from = given;
  BARRIER();
  for (int t = 0; t < N; t++) to[t] = WEFT_UPC_GET_COPY(unsigned long, &from, t);
  BARRIER();
}

int main(int argc, char **argv) {
  weft_upc_start(&argc, &argv);
  CHECK(N <= THREADS_MOST);
  seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
  const uint64_t end = seed + (argc > 2 ? strtoull(argv[2], NULL, 0) : 1);
  const int phases = argc > 3 ? atoi(argv[3]) : 3;
  lane = LANES / (size_t)N / 16 * 16;
  const pts lanes = upc_all_alloc((size_t)N, LANES);
  if (ME % 3 == 0) upc_alloc(100000); /* then offsets differ */
  all_get(area, seed % 2 ? upc_alloc(LANES) : at_thread(lanes, ME));
  coll_src = upc_all_alloc((size_t)N, COLL_ROOM), coll_dst = upc_all_alloc((size_t)N, COLL_ROOM);
  coll_perm = upc_all_alloc((size_t)N, sizeof(int));
  word_area = upc_all_alloc((size_t)N, (THREADS_MOST + 1) * sizeof own_words[0]);
  mail = upc_all_alloc((size_t)N, MAIL);
  io_array = upc_all_alloc((size_t)N, THREADS_MOST * PARTS * LIST_ROOM + FILE_MOST);
#define DOMAIN(K, T, TYPE, REAL)                                                                   \
  domains[K] = upc_all_atomicdomain_alloc(                                                         \
      TYPE, SUMS | GET | SET | CSWAP | UPC_MULT | UPC_MIN | UPC_MAX | (REAL ? 0 : BITS), K % 3);
  ATOMIC(DOMAIN)
  for (int t = 0; t < N; t++) model[t] = calloc(1, lane);
  for (int k = 0; k < LOCKS; k++) locks[k] = upc_all_lock_alloc();
  sems[ME] = bupc_sem_alloc(2);
  all_get(coll_one, upc_alloc(COLL_ROOM));
  name_file(file_name, sizeof file_name);
  if (ME == 0) unlink(file_name); /* of a process of this number that failed */
  BARRIER();
  file_open();
  BARRIER();
  for (; seed < end; seed++) {
    alarm(weft_check_patience);
    common = mix(seed, 1), own = mix(seed, (uint64_t)ME + 2);
    for (int i = 0; i < phases; i++) one_phase();
  }
  CHECK_EQ(upc_all_fclose(file), 0);
  if (ME == 0) unlink(file_name);
  for (int t = 0; t < N; t++) free(model[t]);
  for (int i = 0; i < OPS; i++) free(ops[i].buffer), free(ops[i].want);
  weft_upc_end(0);
}
