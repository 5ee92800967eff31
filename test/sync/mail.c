/*
 * Mail: every length from nothing to many parts, to every PE and oneself, received in another order
 * than sent (keys, senders), from anybody, before the receiver asks and after; order within a key,
 * also where a message passes the one in front of it.
 */
#include "../check.h"

#include "am/am.h"
#include "coll/coll.h"
#include "job/job.h"
#include "runtime/runtime.h"
#include "sync/sync.h"

enum { LARGE = 100000, MANY = 200 };
static const size_t lengths[] = {0, 1, 7, 63, 64, 200, 4096, 8192, 65537, LARGE};
static unsigned char out[LARGE], in[LARGE + 1];
static uint32_t sent[64]; /* letters, to each PE */

static void send(int to, uint64_t key, const void *data, size_t n) {
  weft_mail_send(to, key, data, n);
  sent[to]++;
}

static unsigned char byte_of(int from, int to, size_t n, size_t i) {
  return (unsigned char)(i * 7 + i / 251 + n + (size_t)(from * 31 + to));
}

static void send_length(int to, size_t n, uint64_t key) {
  for (size_t i = 0; i < n; i++) out[i] = byte_of(weft_job.pe, to, n, i);
  send(to, key, out, n);
  memset(out, 0xee, n); /* it is the caller's again */
}

static void receive_length(int from, size_t n, uint64_t key) {
  int sender = -2;
  memset(in, 0xdd, n + 1);
  CHECK_EQ(weft_mail_receive(from, key, in, n, &sender), n);
  CHECK_EQ(sender, from);
  for (size_t i = 0; i < n; i++)
    if (in[i] != byte_of(from, weft_job.pe, n, i))
      CHECK_EQ(in[i], byte_of(from, weft_job.pe, n, i));
  CHECK_EQ(in[n], 0xdd);
}

/* All lengths to all; the last key is asked for first. */
static void all_lengths(void) {
  const int n = WEFT_ARRAY_LEN(lengths);
  for (int i = 0; i < n; i++)
    for (int to = 0; to < weft_job.npes; to++) send_length(to, lengths[i], (uint64_t)i << 40 | 5);
  for (int i = n - 1; i >= 0; i--)
    for (int from = 0; from < weft_job.npes; from++)
      receive_length(from, lengths[i], (uint64_t)i << 40 | 5);
}

static void in_order(void) {
  const int next = (weft_job.pe + 1) % weft_job.npes;
  const int before = (weft_job.pe + weft_job.npes - 1) % weft_job.npes;
  for (int i = 0; i < MANY; i++) send(next, 9, &i, sizeof i);
  for (int i = 0; i < MANY; i++) {
    int got = -1;
    weft_mail_receive(before, 9, &got, sizeof got, NULL);
    CHECK_EQ(got, i);
  }
}

/* Everyone but PE 0 sends; nobody says in which order. What does not fit is left out. */
static void from_anyone(void) {
  int seen[64] = {0};
  const int me[2] = {weft_job.pe, ~weft_job.pe};
  if (weft_job.pe) send(0, 77, me, sizeof me);
  for (int i = 1; !weft_job.pe && i < weft_job.npes; i++) {
    int got[2] = {-1, -5}, sender;
    CHECK_EQ(weft_mail_receive(-1, 77, got, sizeof got[0], &sender), sizeof me);
    CHECK_EQ(got[0], sender);
    CHECK_EQ(got[1], -5);
    CHECK_EQ(seen[sender]++, 0);
  }
}

/* The next two, the second one first, as mail.c sends them. Nothing can be sent after that. */
static void passing(void) {
  enum { HANDLER = 9, KEY = 9 };
  const int next = (weft_job.pe + 1) % weft_job.npes;
  const int before = (weft_job.pe + weft_job.npes - 1) % weft_job.npes;
  for (int i = 1; i >= 0 && weft_job.npes > 1; i--) {
    const struct {
      uint64_t key, n, offset;
      uint32_t number, unused;
    } part = {KEY, sizeof i, 0, sent[next] + (uint32_t)i, 0};
    int32_t words[8];
    memcpy(words, &part, sizeof words);
    weft_am_request(next, WEFT_AM_MEDIUM, HANDLER, &i, sizeof i, 0, 0, NULL, 8, words);
  }
  for (int i = 0; i < 2 && weft_job.npes > 1; i++) {
    int got = -1;
    weft_mail_receive(before, KEY, &got, sizeof got, NULL);
    CHECK_EQ(got, i);
  }
}

int main(void) {
  weft_runtime_start("mail");
  weft_mail_start();
  weft_coll_sync(weft_team_world());
  for (int round = 0; round < 2; round++) {
    all_lengths();
    in_order();
    from_anyone();
  }
  passing();
  weft_coll_sync(weft_team_world());
  weft_mail_stop();
  weft_runtime_stop();
  return 0;
}
