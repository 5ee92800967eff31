/*
 * Leases of a port's spare buffers, without a network: nobody has more than there are, whoever
 * waits comes in turn, a client that dies with leases out gives them back by time, and none is ever
 * lost.
 */
#include "flow/lease.h"

#include "check.h"

enum { SPARES = 4, CLIENTS = 12, ROUNDS = 3000, PATIENCE = 1000 };

static weft_leases_t leases;

static int total_held(void) {
  int n = 0;
  for (uint32_t c = 0; c < CLIENTS; c++) n += weft_lease_held(&leases, c);
  return n;
}

static void check_alone(void) {
  weft_leases_open(&leases, SPARES);
  CHECK_EQ(weft_lease_ask(&leases, 7, 1, 2, 0), 2);
  CHECK_EQ(weft_lease_ask(&leases, 7, 1, 9, 0), 2);
  CHECK_EQ(weft_lease_ask(&leases, 7, 1, 5, 0), 0); /* waits */
  CHECK_EQ(leases.waiting, 1);
  CHECK(weft_lease_use(&leases, 7, 0, 1) && weft_lease_use(&leases, 7, 5, 1));
  CHECK_EQ(weft_lease_settle(&leases, 7, true), 1u << 0 | 1u << 5); /* it waits for more itself */
  weft_waiting_t grant;
  CHECK(weft_lease_next(&leases, 2, &grant) && grant.client == 7 && grant.wants == 2);
  CHECK(weft_lease_use(&leases, 7, 0, 3));
  CHECK_EQ(weft_lease_settle(&leases, 7, false), 0); /* one acknowledgement for all it holds */
  weft_lease_return(&leases, 7, 3);
  CHECK_EQ(weft_lease_settle(&leases, 7, false), 1);
  CHECK(!weft_lease_use(&leases, 7, 0, 4)); /* it has none */
  CHECK(weft_leases_sound(&leases) && total_held() == 0);
}

/* All want without end; each has its turn, and between two of them not more than everybody else's.
 */
static void check_turns(void) {
  int got[CLIENTS] = {0}, last[CLIENTS] = {0}, longest = 0, grants = 0;
  uint32_t has[SPARES];
  int nhas = 0;
  weft_leases_open(&leases, SPARES);
  for (uint32_t c = 0; c < CLIENTS; c++)
    for (int n = weft_lease_ask(&leases, c, c, SPARES, 0); n > 0; n--) has[nhas++] = c;
  for (int round = 0; round < ROUNDS; round++) {
    const uint32_t user = has[round % SPARES];
    weft_waiting_t grant;
    CHECK(weft_lease_use(&leases, user, round % 64, (uint64_t)round));
    CHECK_EQ(weft_lease_settle(&leases, user, true), 1ull << round % 64); /* others wait */
    CHECK_EQ(weft_lease_ask(&leases, user, user, 2, (uint64_t)round), 0);
    CHECK(weft_lease_next(&leases, (uint64_t)round, &grant) && grant.wants == 1);
    has[round % SPARES] = grant.client;
    got[grant.client]++;
    if (grants - last[grant.client] > longest) longest = grants - last[grant.client];
    last[grant.client] = grants++;
    CHECK(weft_leases_sound(&leases));
  }
  CHECK(longest <= CLIENTS + SPARES);
  for (int c = 0; c < CLIENTS; c++)
    CHECK(got[c] >= ROUNDS / CLIENTS - SPARES && got[c] <= ROUNDS / CLIENTS + SPARES);
}

/* Client 0 dies with all leases, one of them used and not told; 1 waits for them. */
static void check_death(void) {
  uint32_t client = 99;
  weft_waiting_t grant;
  weft_leases_open(&leases, SPARES);
  CHECK_EQ(weft_lease_ask(&leases, 0, 0, SPARES, 100), SPARES);
  CHECK(weft_lease_use(&leases, 0, 3, 100));
  CHECK_EQ(weft_lease_ask(&leases, 1, 0, SPARES, 101), 0);
  CHECK(!weft_lease_next(&leases, 101, &grant));
  CHECK(!weft_lease_expire(&leases, 100 + PATIENCE, PATIENCE, &client)); /* not yet */
  CHECK(weft_lease_expire(&leases, 101 + PATIENCE, PATIENCE, &client) && client == 0);
  CHECK_EQ(weft_lease_settle(&leases, client, false), 1u << 3);
  CHECK(!weft_lease_expire(&leases, 101 + PATIENCE, PATIENCE, &client));
  CHECK_EQ(leases.expired, SPARES - 1);
  CHECK(weft_lease_next(&leases, 2000, &grant) && grant.client == 1 && grant.wants == SPARES);
  CHECK(!weft_lease_use(&leases, 0, 4, 2001)); /* it was not dead after all: no lease of its own */
  CHECK_EQ(weft_lease_held(&leases, 1), SPARES);
}

/* Client 0 is known to be dead: what it had is free at once, used or not, and 2 waits no longer. */
static void check_drop(void) {
  weft_waiting_t grant;
  weft_leases_open(&leases, SPARES);
  CHECK_EQ(weft_lease_ask(&leases, 0, 0, SPARES, 100), SPARES);
  CHECK(weft_lease_use(&leases, 0, 3, 100));
  CHECK_EQ(weft_lease_ask(&leases, 2, 0, SPARES, 101), 0);
  CHECK_EQ(weft_lease_ask(&leases, 1, 0, SPARES, 102), 0);
  weft_lease_drop(&leases, 0);
  weft_lease_drop(&leases, 2);
  CHECK(weft_leases_sound(&leases));
  CHECK(weft_lease_next(&leases, 103, &grant) && grant.client == 1 && grant.wants == SPARES);
  CHECK_EQ(leases.expired, 0);
}

/* Clients do what they like; nothing is lost or doubled, and in the end all is free. */
static void check_random(void) {
  uint32_t seed = 12345, client;
  weft_waiting_t grant;
  weft_leases_open(&leases, SPARES);
  for (uint64_t now = 0; now < 200000; now++) {
    seed = seed * 1664525u + 1013904223u;
    client = (seed >> 8) % CLIENTS;
    const int held = weft_lease_held(&leases, client), n = (int)(seed >> 20) % 4;
    switch ((seed >> 24) % 6) {
    case 0: CHECK(weft_lease_ask(&leases, client, 1, n, now) <= SPARES - total_held() + n); break;
    case 1: CHECK_EQ(weft_lease_use(&leases, client, (int)(now % 64), now), held > 0); break;
    case 2: weft_lease_return(&leases, client, n); break;
    case 3: weft_lease_settle(&leases, client, n & 1); break;
    case 4: weft_lease_done(&leases, client); break;
    case 5:
      while (weft_lease_next(&leases, now, &grant)) CHECK(grant.wants >= 1);
      while (weft_lease_expire(&leases, now, PATIENCE, &client))
        CHECK(weft_lease_settle(&leases, client, false) != 0);
    }
    CHECK(weft_leases_sound(&leases) && total_held() <= SPARES);
  }
  while (weft_lease_next(&leases, 300000, &grant)) {
  }
  while (weft_lease_expire(&leases, 1000000, PATIENCE, &client))
    weft_lease_settle(&leases, client, false);
  while (weft_lease_next(&leases, 1000000, &grant))
    weft_lease_return(&leases, grant.client, SPARES);
  CHECK_EQ(total_held(), 0);
  CHECK_EQ(weft_lease_ask(&leases, 50, 1, SPARES, 1000000), SPARES); /* every one is there */
}

int main(void) {
  check_alone();
  check_turns();
  check_death();
  check_drop();
  check_random();
  return 0;
}
