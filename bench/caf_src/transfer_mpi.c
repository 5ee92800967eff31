/* What transfer.f90 measures, in MPI: windows of 64 messages with an acknowledgement for puts,
 * MPI_Get for gets, MPI_Rget where the next block is under way, messages for halos. The same
 * figures. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 524288, BLOCK = 262144, STREAM = 8 * BLOCK, SIDE = 512, TURNS = 3, WINDOW = 64 };
static double *area, local[2 * MOST], *b, *c, a[STREAM], got[2][2][BLOCK], grid[SIDE][SIDE],
    edge[SIDE], sink;
static MPI_Win area_window, b_window, c_window;
static int me, n, peer, first;

static void say(const char *figure, int bytes, double value, const char *unit) {
  if (me) return;
  printf("%s,%d,%.6g,%s\n", figure, bytes, value, unit);
  fflush(stdout);
}

static double slowest(double took) {
  MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return took;
}

static void messages(int words, int count) {
  MPI_Request r[WINDOW];
  for (int i = 0; i < count;) {
    int k = 0;
    for (; k < WINDOW && i < count; k++, i++) {
      double *at = first ? local + i % MOST : area + i % MOST;
      if (first)
        MPI_Isend(at, words, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r[k]);
      else
        MPI_Irecv(at, words, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r[k]);
    }
    MPI_Waitall(k, r, MPI_STATUSES_IGNORE);
    if (first)
      MPI_Recv(NULL, 0, MPI_CHAR, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
      MPI_Send(NULL, 0, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
  }
}

static void rate(const char *figure, int words, int get) {
  int count = MOST / words, most = get ? 500 : words == 1 ? 4000 : 2000;
  double best = 0;
  if (count > most) count = most;
  if (count < 8) count = 8;
  for (int turn = 0; turn < TURNS; turn++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    if (!get) {
      messages(words, count);
    } else if (first) {
      for (int i = 0; i < count; i++)
        MPI_Get(local + i % MOST, words, MPI_DOUBLE, peer, i % MOST, words, MPI_DOUBLE,
                area_window);
      MPI_Win_flush(peer, area_window);
    }
    double rate = n / 2 * count / slowest(MPI_Wtime() - begin);
    best = rate > best ? rate : best;
  }
  say(figure, 8 * words, best / 1e6, "M/s");
}

/* ---- STREAM ---- */

static void combine(int op, int k, int count, const double *x, const double *y) {
  for (int i = 0; i < count; i++)
    a[k + i] = op == 0 ? x[i] : op == 1 ? 3 * x[i] : op == 2 ? x[i] + y[i] : x[i] + 3 * y[i];
}

static void fetch(double *to, MPI_Win w, int at, int count) {
  MPI_Get(to, count, MPI_DOUBLE, peer, at, count, MPI_DOUBLE, w);
  MPI_Win_flush(peer, w);
}

static int begin_block(int op, int k, int slot, MPI_Request *r) {
  MPI_Rget(got[slot][0], BLOCK, MPI_DOUBLE, peer, k, BLOCK, MPI_DOUBLE, b_window, &r[0]);
  if (op >= 2)
    MPI_Rget(got[slot][1], BLOCK, MPI_DOUBLE, peer, k, BLOCK, MPI_DOUBLE, c_window, &r[1]);
  return op >= 2 ? 2 : 1;
}

static void stream(int op, int how, int count) {
  static double x[STREAM], y[STREAM];
  MPI_Request r[2][2];
  switch (how) {
  case 0:
    for (int i = 0; i < count; i++) {
      fetch(x, b_window, i, 1);
      if (op >= 2) fetch(y, c_window, i, 1);
      combine(op, i, 1, x, y);
    }
    break;
  case 1:
    fetch(x, b_window, 0, count);
    if (op >= 2) fetch(y, c_window, 0, count);
    combine(op, 0, count, x, y);
    break;
  case 2:
    for (int k = 0; k < count; k += BLOCK) {
      fetch(got[0][0], b_window, k, BLOCK);
      if (op >= 2) fetch(got[0][1], c_window, k, BLOCK);
      combine(op, k, BLOCK, got[0][0], got[0][1]);
    }
    break;
  default: {
    int requests = begin_block(op, 0, 0, r[0]);
    for (int k = 0, slot = 0; k < count; k += BLOCK, slot = !slot) {
      if (k + BLOCK < count) begin_block(op, k + BLOCK, !slot, r[!slot]);
      MPI_Waitall(requests, r[slot], MPI_STATUSES_IGNORE);
      combine(op, k, BLOCK, got[slot][0], got[slot][1]);
    }
  }
  }
}

static void streams(void) {
  static const char *const operation[] = {"copy", "scale", "add", "triad"}, *const ways[] = {
                                                                                "loop", "statement",
                                                                                "blocks", "pushed"};
  for (int op = 0; op < 4; op++)
    for (int how = 0; how < 4; how++) {
      int count = how == 0 ? 1024 : STREAM;
      double best = 0;
      char figure[40];
      for (int turn = 0; turn < TURNS; turn++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        if (first) stream(op, how, count);
        double speed = 8e-6 * (op < 2 ? 2 : 3) * count / slowest(MPI_Wtime() - begin);
        best = speed > best ? speed : best;
      }
      snprintf(figure, sizeof figure, "stream_%s_%s", operation[op], ways[how]);
      say(figure, 0, best, "MB/s");
    }
  for (int i = 0; i < STREAM; i++) sink += a[i];
}

/* ---- overlap, halos ---- */

static void compute(double seconds) {
  static volatile double x;
  for (double end = MPI_Wtime() + seconds; MPI_Wtime() < end;)
    for (int i = 0; i < 20; i++) x = x * 0.5 + i;
}

/* A message there and its acknowledgement; the receiver computes as long, too. */
static double message(int words, double seconds) {
  MPI_Request r;
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  if (first)
    MPI_Isend(local, words, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r);
  else
    MPI_Irecv(area, words, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &r);
  if (seconds > 0) compute(seconds);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  if (first)
    MPI_Recv(NULL, 0, MPI_CHAR, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Send(NULL, 0, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
  return MPI_Wtime() - begin;
}

static void overlaps(void) {
  for (int words = 1; words <= 65536; words *= 16) {
    double put = 1, both = 1;
    for (int i = 0; i < 20; i++) {
      double took = message(words, 0);
      put = took < put ? took : put;
    }
    MPI_Bcast(&put, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 20; i++) {
      double took = message(words, put);
      both = took < both ? took : both;
    }
    say("overlap", 8 * words, 2 * put > both ? 100 * (2 * put - both) / put : 0, "%");
  }
}

static void halos(void) {
  enum { COUNT = 30 };
  typedef struct cell {
    int kind;
    double t, flow[3];
  } cell_t;
  static cell_t cells[SIDE][4];
  MPI_Datatype row, derived;
  double best[3] = {1e9, 1e9, 1e9};
  MPI_Type_vector(SIDE, 1, SIDE, MPI_DOUBLE, &row);
  MPI_Type_vector(SIDE, 1, 4 * sizeof(cell_t) / 8, MPI_DOUBLE, &derived);
  MPI_Type_commit(&row);
  MPI_Type_commit(&derived);
  for (int turn = 0; turn < TURNS; turn++)
    for (int what = 0; what < 3; what++) {
      MPI_Barrier(MPI_COMM_WORLD);
      double begin = MPI_Wtime();
      for (int i = 0; i < COUNT; i++)
        MPI_Sendrecv(edge, what ? SIDE : 0, MPI_DOUBLE, peer, 0,
                     what == 2 ? (void *)&cells[0][0].t : (void *)grid, what > 0,
                     what == 2 ? derived : row, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      double took = (MPI_Wtime() - begin) * 1e6 / COUNT;
      best[what] = took < best[what] ? took : best[what];
    }
  say("sync_images", 0, best[0], "us");
  say("halo_row", 8 * SIDE, best[1], "us");
  say("halo_derived", 8 * SIDE, best[2], "us");
}

int main(int argc, char **argv) {
  static const int sizes[] = {1, 8, 64, 256, 2048, 16384, 131072, MOST};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  first = me < n / 2;
  peer = first ? me + n / 2 : me - n / 2;
  MPI_Win_allocate(2 * MOST * 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &area, &area_window);
  MPI_Win_allocate(STREAM * 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &b, &b_window);
  MPI_Win_allocate(STREAM * 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &c, &c_window);
  memset(area, 0, 2 * MOST * 8);
  memset(local, 1, sizeof local);
  for (int i = 0; i < STREAM; i++) b[i] = c[i] = me;
  MPI_Win_lock_all(0, area_window);
  MPI_Win_lock_all(0, b_window);
  MPI_Win_lock_all(0, c_window);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 8; i++) {
    rate("put_rate", sizes[i], 0);
    rate("get_rate", sizes[i], 1);
  }
  if (n == 2) streams();
  if (n == 2) overlaps();
  halos();
  say("done", 0, 0, "");
  MPI_Win_unlock_all(area_window);
  MPI_Win_unlock_all(b_window);
  MPI_Win_unlock_all(c_window);
  MPI_Win_free(&area_window);
  MPI_Win_free(&b_window);
  MPI_Win_free(&c_window);
  MPI_Finalize();
  return 0;
}
