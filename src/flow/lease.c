/*
 * The spare buffers of a port and their users; lease.h says how. Few leases and few waiting:
 * all is found by looking.
 */
#include "flow/lease.h"

#include <string.h>

static int count(const weft_leases_t *l, enum weft_lease_state state) {
  int n = 0;
  for (int i = 0; i < l->spares; i++) n += l->lease[i].state == state;
  return n;
}

static int count_of(const weft_leases_t *l, uint32_t client, enum weft_lease_state state) {
  int n = 0;
  for (int i = 0; i < l->spares; i++)
    n += l->lease[i].state == state && l->lease[i].client == client;
  return n;
}

int weft_lease_held(const weft_leases_t *l, uint32_t client) {
  return count_of(l, client, WEFT_LEASE_OUT);
}

void weft_leases_open(weft_leases_t *l, int spares) {
  memset(l, 0, sizeof *l);
  l->spares = spares < WEFT_LEASES_MAX ? spares : WEFT_LEASES_MAX;
}

static void end(weft_leases_t *l, int i) {
  l->lease[i].state = WEFT_LEASE_FREE;
  l->busy--;
}

static weft_waiting_t *at(weft_leases_t *l, int i) {
  return &l->queue[(l->first + i) % WEFT_WAITING_MAX];
}

static int place_of(weft_leases_t *l, uint32_t client) {
  for (int i = 0; i < l->waiting; i++)
    if (at(l, i)->client == client) return i;
  return -1;
}

static void wait(weft_leases_t *l, uint32_t client, uint32_t flow, int wants) {
  const weft_waiting_t entry = {.client = client, .flow = flow, .wants = wants};
  const int place = place_of(l, client);
  if (place >= 0)
    *at(l, place) = entry;
  else if (l->waiting < WEFT_WAITING_MAX)
    *at(l, l->waiting++) = entry;
}

static void grant(weft_leases_t *l, uint32_t client, int n, uint64_t now) {
  for (int i = 0; i < l->spares && n > 0; i++) {
    if (l->lease[i].state != WEFT_LEASE_FREE) continue;
    l->lease[i] = (weft_lease_t){.state = WEFT_LEASE_OUT, .client = client, .since = now};
    l->busy++;
    l->granted++;
    n--;
  }
}

int weft_lease_ask(weft_leases_t *l, uint32_t client, uint32_t flow, int wants, uint64_t now) {
  if (wants <= 0 || l->spares == 0) return 0;
  const int left = count(l, WEFT_LEASE_FREE), n = wants < left ? wants : left;
  if (n == 0 || l->waiting > 0) {
    wait(l, client, flow, wants);
    return 0;
  }
  grant(l, client, n, now);
  return n;
}

void weft_lease_done(weft_leases_t *l, uint32_t client) {
  const int place = place_of(l, client);
  if (place < 0) return;
  for (int i = place; i + 1 < l->waiting; i++) *at(l, i) = *at(l, i + 1);
  l->waiting--;
}

void weft_lease_drop(weft_leases_t *l, uint32_t client) {
  weft_lease_done(l, client);
  for (int i = 0; i < l->spares; i++)
    if (l->lease[i].state != WEFT_LEASE_FREE && l->lease[i].client == client) end(l, i);
}

bool weft_lease_use(weft_leases_t *l, uint32_t client, int id, uint64_t now) {
  for (int i = 0; i < l->spares; i++) {
    weft_lease_t *lease = &l->lease[i];
    if (lease->state != WEFT_LEASE_OUT || lease->client != client) continue;
    lease->state = WEFT_LEASE_USED;
    lease->id = (uint8_t)id;
    lease->since = now;
    return true;
  }
  return false;
}

void weft_lease_return(weft_leases_t *l, uint32_t client, int n) {
  for (int i = 0; i < l->spares && n > 0; i++) {
    if (l->lease[i].state != WEFT_LEASE_OUT || l->lease[i].client != client) continue;
    end(l, i);
    n--;
  }
}

uint64_t weft_lease_used(const weft_leases_t *l, uint32_t client) {
  uint64_t ids = 0;
  for (int i = 0; i < l->spares; i++)
    if (l->lease[i].state == WEFT_LEASE_USED && l->lease[i].client == client)
      ids |= (uint64_t)1 << l->lease[i].id;
  return ids;
}

uint64_t weft_lease_settle(weft_leases_t *l, uint32_t client, bool more) {
  const int used = count_of(l, client, WEFT_LEASE_USED);
  const uint64_t ids = weft_lease_used(l, client);
  if (used == 0) return 0;
  if (weft_lease_held(l, client) > 0 && l->waiting == 0 && !(more && 2 * used >= l->spares))
    return 0;
  for (int i = 0; i < l->spares; i++)
    if (l->lease[i].state == WEFT_LEASE_USED && l->lease[i].client == client) end(l, i);
  return ids;
}

/* An equal share of what is free, at least one. */
bool weft_lease_next(weft_leases_t *l, uint64_t now, weft_waiting_t *granted) {
  const int left = count(l, WEFT_LEASE_FREE);
  if (left == 0 || l->waiting == 0) return false;
  const int share = (left + l->waiting - 1) / l->waiting;
  *granted = *at(l, 0);
  if (granted->wants > share) granted->wants = share;
  l->first = (l->first + 1) % WEFT_WAITING_MAX;
  l->waiting--;
  grant(l, granted->client, granted->wants, now);
  return true;
}

bool weft_lease_expire(weft_leases_t *l, uint64_t now, uint64_t after, uint32_t *client) {
  for (int i = 0; i < l->spares; i++) {
    weft_lease_t *lease = &l->lease[i];
    if (lease->state != WEFT_LEASE_OUT || now - lease->since <= after) continue;
    end(l, i);
    l->expired++;
  }
  for (int i = 0; i < l->spares; i++) {
    if (l->lease[i].state != WEFT_LEASE_USED || weft_lease_held(l, l->lease[i].client)) continue;
    *client = l->lease[i].client;
    return true;
  }
  return false;
}

bool weft_leases_sound(const weft_leases_t *l) {
  const int out = count(l, WEFT_LEASE_OUT), used = count(l, WEFT_LEASE_USED);
  if (l->spares > WEFT_LEASES_MAX || l->waiting < 0 || l->waiting > WEFT_WAITING_MAX) return false;
  if (out + used != l->busy || count(l, WEFT_LEASE_FREE) + l->busy != l->spares) return false;
  for (int i = 0; i < l->waiting; i++)
    for (int j = 0; j < i; j++)
      if (l->queue[(l->first + i) % WEFT_WAITING_MAX].client ==
          l->queue[(l->first + j) % WEFT_WAITING_MAX].client)
        return false;
  return true;
}
