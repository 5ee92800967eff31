/*
 * Put, get and accumulate in every form against the same done to an array of one's own: contiguous,
 * strided with 0 to 8 levels, lists; blocking and begun; shapes that are contiguous in disguise;
 * totals beyond 2 GB; what is refused by a code.
 */
#include "armci_test.h"

enum { SIZE = 1 << 16, ROUNDS = 60 };
static unsigned char model[SIZE], local[SIZE], back[SIZE];
static void **at;

/* A strided shape that fits SIZE bytes: strides of the own and of the other side differ. */
typedef struct shape {
  int levels, count[9], near[8], far[8];
} shape_t;

static shape_t shape_new(int unit, bool disguised) {
  shape_t s = {.levels = (int)(draw() % 9)};
  int near = s.count[0] = unit * (1 + (int)(draw() % 40)), far = near;
  for (int i = 0; i < s.levels; i++) {
    s.count[i + 1] = 1 + (int)(draw() % (i < 3 ? 4 : 2));
    if (!disguised && draw() % 2) near += unit * (int)(draw() % 5);
    if (!disguised && draw() % 2) far += unit * (int)(draw() % 5);
    s.near[i] = near, s.far[i] = far;
    near *= s.count[i + 1], far *= s.count[i + 1];
    if (near > SIZE / 2 || far > SIZE / 2) {
      s.count[i + 1] = 1;
      s.levels = i;
    }
  }
  return s;
}

/* Byte offsets of the k-th block; false when there are no more. */
static bool block(const shape_t *s, int k, long *near, long *far) {
  *near = *far = 0;
  for (int i = 0; i < s->levels; i++) {
    *near += (long)(k % s->count[i + 1]) * s->near[i];
    *far += (long)(k % s->count[i + 1]) * s->far[i];
    k /= s->count[i + 1];
  }
  return k == 0;
}

static void fill(unsigned char *p) {
  for (int i = 0; i < SIZE; i++) p[i] = (unsigned char)draw();
}

static void compare_remote(int proc) {
  CHECK_EQ(ARMCI_Get(at[proc], back, SIZE, proc), 0);
  CHECK(!memcmp(back, model, SIZE));
}

static void strided(int proc, bool nb) {
  armci_hdl_t handle;
  long near, far;
  for (int r = 0; r < ROUNDS; r++) {
    shape_t s = shape_new(1, r % 4 == 0);
    int *n = s.levels ? s.near : NULL, *f = s.levels ? s.far : NULL; /* trap 16 */
    fill(local);
    for (int k = 0; block(&s, k, &near, &far); k++)
      memcpy(model + far, local + near, (size_t)s.count[0]);
    if (nb) {
      ARMCI_INIT_HANDLE(&handle);
      CHECK_EQ(ARMCI_NbPutS(local, n, at[proc], f, s.count, s.levels, proc, &handle), 0);
      CHECK_EQ(ARMCI_Wait(&handle), 0);
    } else {
      CHECK_EQ(ARMCI_PutS(local, n, at[proc], f, s.count, s.levels, proc), 0);
    }
    memset(local, 0xab, SIZE); /* the source is the caller's again */
    if (nb) {
      CHECK_EQ(ARMCI_NbGetS(at[proc], f, local, n, s.count, s.levels, proc, &handle), 0);
      CHECK_EQ(ARMCI_Wait(&handle), 0);
    } else {
      CHECK_EQ(ARMCI_GetS(at[proc], f, local, n, s.count, s.levels, proc), 0);
    }
    for (int k = 0; block(&s, k, &near, &far); k++)
      CHECK(!memcmp(local + near, model + far, (size_t)s.count[0]));
    if (r % 8 == 7) compare_remote(proc);
  }
}

static void lists(int proc, bool nb) {
  enum { LISTS = 3, MANY = 20 };
  armci_hdl_t handle;
  for (int r = 0; r < 10; r++) {
    void *src[LISTS][MANY], *dst[LISTS][MANY];
    armci_giov_t iov[LISTS];
    long place = 0;
    fill(local);
    for (int l = 0; l < LISTS; l++) {
      iov[l].bytes = 1 + (int)(draw() % 300);
      iov[l].ptr_array_len = 1 + (int)(draw() % MANY);
      iov[l].src_ptr_array = src[l], iov[l].dst_ptr_array = dst[l];
      for (int k = 0; k < iov[l].ptr_array_len; k++, place += 321) {
        src[l][k] = local + place;
        dst[l][k] = (char *)at[proc] + SIZE - 400 - place;
        memcpy(model + SIZE - 400 - place, local + place, (size_t)iov[l].bytes);
      }
    }
    if (nb) {
      CHECK_EQ(ARMCI_NbPutV(iov, LISTS, proc, &handle), 0);
      CHECK_EQ(ARMCI_Wait(&handle), 0);
    } else {
      CHECK_EQ(ARMCI_PutV(iov, LISTS, proc), 0);
    }
    compare_remote(proc);
    for (int l = 0; l < LISTS; l++) iov[l].src_ptr_array = dst[l], iov[l].dst_ptr_array = src[l];
    memset(local, 0, SIZE);
    CHECK_EQ(nb ? ARMCI_NbGetV(iov, LISTS, proc, &handle) : ARMCI_GetV(iov, LISTS, proc), 0);
    if (nb) CHECK_EQ(ARMCI_Wait(&handle), 0);
    for (int l = 0; l < LISTS; l++)
      for (int k = 0; k < iov[l].ptr_array_len; k++)
        CHECK(!memcmp(src[l][k], model + ((char *)dst[l][k] - (char *)at[proc]),
                      (size_t)iov[l].bytes));
  }
}

/* Trap 19: codes, and nothing is moved. */
static void refused(int proc) {
  void *one[1] = {local}, *other[1] = {at[proc]};
  armci_giov_t v = {.src_ptr_array = one, .dst_ptr_array = other, .ptr_array_len = 1, .bytes = 8};
  CHECK(ARMCI_PutV(NULL, 1, proc) < 0);
  CHECK(ARMCI_PutV(&v, 0, proc) < 0);
  v.bytes = -8;
  CHECK(ARMCI_PutV(&v, 1, proc) < 0);
  v.bytes = 0; /* this is nothing, and no mistake */
  CHECK_EQ(ARMCI_PutV(&v, 1, proc), 0);
  v.bytes = 8, v.src_ptr_array = NULL;
  CHECK(ARMCI_GetV(&v, 1, proc) < 0);
  v.src_ptr_array = one, v.ptr_array_len = -1;
  CHECK(ARMCI_NbPutV(&v, 1, proc, NULL) < 0);
  v.ptr_array_len = 1;
  CHECK(ARMCI_PutV(&v, 1, np + 3) < 0);
  CHECK_EQ(ARMCI_Put(local, at[proc], 0, proc), 0);
  compare_remote(proc);
}

static void values(int proc) {
  char *p = at[proc];
  armci_hdl_t h;
  CHECK_EQ(ARMCI_PutValueInt(-7, p, proc), 0);
  CHECK_EQ(ARMCI_PutValueLong(1L << 40, p + 8, proc), 0);
  CHECK_EQ(ARMCI_NbPutValueFloat(1.5f, p + 16, proc, &h), 0);
  CHECK_EQ(ARMCI_Wait(&h), 0);
  CHECK_EQ(ARMCI_NbPutValueDouble(-2.25, p + 24, proc, NULL), 0);
  CHECK_EQ(ARMCI_WaitProc(proc), 0);
  CHECK_EQ(ARMCI_GetValueInt(p, proc), -7);
  CHECK_EQ(ARMCI_GetValueLong(p + 8, proc), 1L << 40);
  CHECK(ARMCI_GetValueFloat(p + 16, proc) == 1.5f);
  CHECK(ARMCI_GetValueDouble(p + 24, proc) == -2.25);
}

/* Trap 17: 2049 blocks of 1 MB that are the same one, to oneself, for the time it takes. */
static void beyond_2_gb(void) {
  enum { MB = 1 << 20 };
  char *mine = calloc(2, MB);
  void *all[NP_MAX];
  int count[2] = {MB, 2049}, none[1] = {0};
  CHECK_EQ(ARMCI_Malloc(all, MB), 0);
  memset(mine, 5, MB);
  if (me == 0) {
    CHECK_EQ(ARMCI_PutS(mine, none, all[me], none, count, 1, me), 0);
    CHECK_EQ(ARMCI_GetS(all[me], none, mine + MB, none, count, 1, me), 0);
    CHECK(!memcmp(mine, mine + MB, MB));
  }
  CHECK_EQ(ARMCI_Free(all[me]), 0);
  free(mine);
}

int main(int argc, char **argv) {
  void *all[NP_MAX];
  armci_begin(&argc, &argv);
  at = all;
  CHECK_EQ(ARMCI_Malloc(all, SIZE), 0);
  memset(all[me], 0, SIZE);
  ARMCI_Barrier();
  for (int k = 0; k < np; k++) { /* each process in turn is everybody's neighbour's, once */
    const int proc = (me + k) % np;
    memset(model, 0, SIZE);
    CHECK_EQ(ARMCI_Put(model, all[proc], SIZE, proc), 0);
    strided(proc, false);
    strided(proc, true);
    lists(proc, false);
    lists(proc, true);
    refused(proc);
    values(proc);
    ARMCI_Barrier();
  }
  beyond_2_gb();
  CHECK_EQ(ARMCI_Free(all[me]), 0);
  return armci_end();
}
