/*
 * Four clients flood one port with patches of 128 KB: is it fair? The port's own arbitration
 * (flow/lease.h) runs here under a clock of the test's, so no scheduler has a say. With a processor
 * each, every client gets between 80 and 120 % of the mean, whatever the buffers and the order of
 * arrival. Where three clients share a processor by slices and the fourth has its own, the same
 * port serves the fourth more often: what is uneven between real processes is their scheduler's.
 */
#include "flow/lease.h"

#include "check.h"

enum { CLIENTS = 4, PATCH = 128 << 10, BASE = 3 << 10, SPARE = 32 << 10, QUEUE = 256 };
enum { SEND_NS = 4000, SERVE_NS = 3000, WIRE_NS = 10000, SLICE_NS = 3000000 };
static const uint64_t end_ns = 1000000000;

typedef struct packet {
  uint32_t client;
  uint32_t bytes, left;
  int lease; /* 1 + the client's name for it, or 0 */
  int returns;
  bool word; /* returns leases, and is in no buffer */
} packet_t;

/* What happens at a time: a packet is at the port, the port is done with one, a note is at a
 * client, a client may send. */
enum kind { ARRIVES, SERVED, NOTED, SENDS };
typedef struct event {
  uint64_t at;
  enum kind kind;
  packet_t packet;
  int granted, freed; /* NOTED: leases; base buffers */
  uint64_t ids;
} event_t;

static struct client {
  uint32_t left;
  int busy, buffers, leases; /* base buffers under way, of so many */
  uint32_t on_lease;
  bool stepping;
  uint64_t transfers;
} clients[CLIENTS];

static event_t events[QUEUE];
static packet_t arrived[QUEUE], heard[QUEUE];
static int nevents, narrived, nheard;
static weft_leases_t leases;
static uint64_t now, seed;
static bool serving, crowded;

static uint64_t chance(uint64_t below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (seed >> 33) % below;
}

static void later(uint64_t ns, event_t e) {
  e.at = now + ns;
  CHECK(nevents < QUEUE);
  events[nevents++] = e;
}

static uint64_t wire(void) {
  return WIRE_NS + chance(WIRE_NS / 2);
}

/* Crowded: the last client has a processor, the others share one by turns. */
static bool runs(uint32_t client) {
  return !crowded || client == CLIENTS - 1 || now / SLICE_NS % (CLIENTS - 1) == client;
}

/* ---- a client: flow.c's rules of what leaves next -------------------------------------------- */

static bool send_one(uint32_t i) {
  struct client *c = &clients[i];
  packet_t p = {.client = i};
  const bool small = c->left <= BASE / 2, base = c->busy < c->buffers;
  if (c->left == 0) {
    p.word = c->leases > 0;
    if (!p.word) return false;
  } else if (base && (small || c->leases == 0)) {
    c->busy++;
    p.bytes = c->left < BASE ? c->left : BASE;
  } else if (c->leases > 0) {
    p.lease = 1 + __builtin_ctz(~c->on_lease);
    c->on_lease |= 1u << (p.lease - 1);
    c->leases--;
    p.bytes = c->left < SPARE ? c->left : SPARE;
  } else {
    return false;
  }
  p.left = c->left -= p.bytes;
  if (p.left == 0) {
    p.returns = c->leases;
    c->leases = 0;
  }
  const uint64_t cost = SEND_NS + p.bytes / 8;
  later(cost + wire(), (event_t){.kind = ARRIVES, .packet = p});
  later(cost, (event_t){.kind = SENDS, .packet.client = i});
  return true;
}

static void step(uint32_t i) {
  struct client *c = &clients[i];
  c->stepping = true;
  if (!runs(i)) {
    later(SLICE_NS - now % SLICE_NS, (event_t){.kind = SENDS, .packet.client = i});
    return;
  }
  if (c->left == 0 && c->busy == 0 && c->on_lease == 0) { /* all of it was applied */
    c->transfers++;
    c->left = PATCH;
  }
  c->stepping = send_one(i);
}

/* ---- the port: flow_port.c's use of the leases ----------------------------------------------- */

static void tell(uint32_t client, int granted, int freed, uint64_t ids) {
  if (granted || freed || ids)
    later(wire(), (event_t){.kind = NOTED,
                            .packet.client = client,
                            .granted = granted,
                            .freed = freed,
                            .ids = ids});
}

static int ask(const packet_t *p) {
  const int wants = (int)((p->left + SPARE - 1) / SPARE) - weft_lease_held(&leases, p->client);
  return weft_lease_ask(&leases, p->client, 0, wants, now);
}

static void serve_next(void) {
  for (int i = 0; i < narrived; i++) { /* all that is there is heard before the next is served */
    if (!arrived[i].lease && arrived[i].left) tell(arrived[i].client, ask(&arrived[i]), 0, 0);
    heard[nheard++] = arrived[i];
  }
  narrived = 0;
  serving = nheard > 0;
  if (!serving) return;
  later(SERVE_NS + heard[0].bytes / 2, (event_t){.kind = SERVED, .packet = heard[0]});
  memmove(heard, heard + 1, (size_t)--nheard * sizeof *heard);
}

static void served(const packet_t *p) {
  weft_waiting_t next;
  if (p->lease) CHECK(weft_lease_use(&leases, p->client, p->lease - 1, now));
  weft_lease_return(&leases, p->client, p->returns);
  int granted = p->left ? ask(p) : 0;
  if (!p->left && !p->word) weft_lease_done(&leases, p->client);
  const uint64_t ids = weft_lease_settle(&leases, p->client, p->left > 0);
  while (weft_lease_next(&leases, now, &next))
    if (next.client == p->client)
      granted += next.wants;
    else
      tell(next.client, next.wants, 0, 0);
  tell(p->client, granted, !p->lease && !p->word, ids);
  serve_next();
}

/* ---- the clock ------------------------------------------------------------------------------- */

static void happen(const event_t *e) {
  struct client *c = &clients[e->packet.client];
  switch (e->kind) {
  case ARRIVES:
    arrived[narrived++] = e->packet;
    if (!serving) serve_next();
    break;
  case SERVED: served(&e->packet); break;
  case NOTED:
    c->leases += e->granted;
    c->busy -= e->freed;
    c->on_lease &= ~(uint32_t)e->ids;
    if (!c->stepping) step(e->packet.client);
    break;
  case SENDS: step(e->packet.client); break;
  }
}

/* Each client's transfers in % of the mean: the least and the most. */
static void flood(int buffers, int spares, bool shared, uint64_t start, int *least, int *most) {
  uint64_t all = 0;
  memset(clients, 0, sizeof clients);
  nevents = narrived = nheard = 0;
  now = 0, seed = start, crowded = shared, serving = false;
  weft_leases_open(&leases, spares);
  for (uint32_t i = 0; i < CLIENTS; i++) {
    clients[i] = (struct client){.left = PATCH, .buffers = buffers, .stepping = true};
    later(chance(100000), (event_t){.kind = SENDS, .packet.client = i});
  }
  while (now < end_ns) {
    int first = 0;
    CHECK(nevents > 0);
    for (int i = 1; i < nevents; i++)
      if (events[i].at < events[first].at) first = i;
    const event_t e = events[first];
    events[first] = events[--nevents];
    now = e.at;
    happen(&e);
    CHECK(weft_leases_sound(&leases));
  }
  *least = INT32_MAX, *most = 0;
  for (int i = 0; i < CLIENTS; i++) all += clients[i].transfers;
  for (int i = 0; i < CLIENTS; i++) {
    const int share = (int)(100 * CLIENTS * clients[i].transfers / all);
    if (share < *least) *least = share;
    if (share > *most) *most = share;
  }
  printf("%d base buffers, %d leases, %d processors: %llu transfers, shares %d to %d %%\n", buffers,
         spares, shared ? 2 : CLIENTS, (unsigned long long)all, *least, *most);
}

int main(void) {
  int least, most;
  for (int spares = 0; spares <= 8; spares += 4)
    for (int buffers = 1; buffers <= 4; buffers += 3) {
      flood(buffers, spares, false, (uint64_t)(1 + spares), &least, &most);
      CHECK(least >= 80 && most <= 120);
    }
  flood(2, 4, true, 1, &least, &most);
  CHECK(least < 80 && most > 120);
  return 0;
}
