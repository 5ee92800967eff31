/*
 * A real small job whose packets become inputs of the fuzz targets (scripts/fuzz): every PE writes
 * what its endpoint has received to the folder that is its argument, as wire.h has inputs, a few
 * messages each: port-* what came to a port, own-* what came to a PE. Slot offsets are moved to
 * where the targets have them.
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire.h"

enum { TOGETHER = 4, FILES = 60, WORDS = 200 };

weft_receive_t *__real_weft_endpoint_take(weft_endpoint_t *e);
weft_receive_t *__wrap_weft_endpoint_take(weft_endpoint_t *e);

static const char *folder;
static struct {
  uint8_t bytes[TOGETHER * (MESSAGE_MAX + 2)];
  size_t n;
  int messages, files;
} inputs[2]; /* of the port, of the PE */
static weft_lock_t lock;

static void write_input(const char *name, int file, const void *bytes, size_t n) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s-%d-%d", folder, name, weft_job.pe, file);
  FILE *out = fopen(path, "we");
  FUZZ_CHECK(out && fwrite(bytes, 1, n, out) == n && fclose(out) == 0);
}

static void record(const weft_receive_t *r) {
  const uintptr_t heap = weft_job.window.layout.heap;
  const int kind = ((const weft_packet_t *)r->data)->kind;
  const bool own = kind == WEFT_PACKET_REPLY || kind == WEFT_PACKET_FLOW_REPLY;
  __typeof__(*inputs) *to = &inputs[own];
  if (r->len >= MESSAGE_MAX || to->files == FILES) return;
  uint8_t *at = to->bytes + to->n + 2;
  memcpy(at, r->data, r->len);
  for (size_t i = sizeof(weft_packet_t); i + 8 <= r->len; i += 8) {
    uint64_t word;
    memcpy(&word, at + i, sizeof word);
    if (word < heap || word >= heap + END - 3 * PAGE) continue;
    word -= heap - 3 * PAGE;
    memcpy(at + i, &word, sizeof word);
  }
  at[-2] = (uint8_t)r->len, at[-1] = (uint8_t)(r->len >> 8);
  to->n += r->len + 2;
  if (++to->messages < TOGETHER) return;
  write_input(own ? "own" : "port", to->files++, to->bytes, to->n);
  to->n = 0, to->messages = 0;
}

weft_receive_t *__wrap_weft_endpoint_take(weft_endpoint_t *e) {
  weft_receive_t *r = __real_weft_endpoint_take(e);
  if (r && folder && r->len >= sizeof(weft_packet_t)) {
    weft_lock(&lock);
    record(r);
    weft_unlock(&lock);
  }
  return r;
}

void fuzz_broken(const char *file, int line, const char *what) {
  fprintf(stderr, "%s:%d %s\n", file, line, what);
  shmem_global_exit(1);
  abort();
}

/* Puts, atomics, gets, strided transfers, signals, locks and collectives, between nodes. */
static void work(int round) {
  static long words[WORDS], others[WORDS], lock_word;
  static uint64_t signal;
  static int counts[8];
  const int to = (shmem_my_pe() + shmem_n_pes() / 2) % shmem_n_pes();
  for (int i = 0; i < 8; i++) shmem_long_p(&words[i], round, to);
  shmem_long_atomic_add(&words[9], 1, to);
  shmem_int_atomic_inc(&counts[0], to);
  shmem_long_atomic_compare_swap(&words[10], 0, round, to);
  shmem_int_atomic_swap(&counts[1], 4, to);
  shmem_long_iput(words + 20, others, 3, 2, 40, to);
  shmem_long_iget(others, words + 20, 2, 3, 40, to);
  shmem_getmem_nbi(others, words, 24, to);
  shmem_long_put_signal(words, others, 10, &signal, 1, SHMEM_SIGNAL_ADD, to);
  shmem_long_put_nbi(words, others, WORDS, to);
  shmem_quiet();
  shmem_set_lock(&lock_word);
  shmem_clear_lock(&lock_word);
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, others, words, 30);
  shmem_barrier_all();
}

int main(int argc, char **argv) {
  shmem_init();
  if (argc > 1) folder = argv[1];
  for (int round = 0; round < 50; round++) work(round);
  shmem_finalize();
  return 0;
}
