/*
 * The job's fabric: this PE's endpoint, the node's ports in the processes of its first slots, and
 * the exchange of their addresses. A process inserts one port of each node, however many there are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "job/exchange.h"

/* Receive buffers of a PE, for replies; a port's are in the plan. More can arrive; the provider
 * then keeps them, bounded by the senders' few buffers each. */
enum { PE_RECEIVES = 16 };

/* Connections are descriptors, and the limit that counts is the hard one. */
void weft_job_raise_file_limit(void) {
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) < 0 || files.rlim_cur == files.rlim_max) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

/* One endpoint for both: one poll advances all that concerns this process, and what two such
 * processes send each other travels on one connection, whose packets carry TCP's acknowledgements
 * of the other direction. Not where this PE sends to other helpers than its own, or where its
 * endpoint has contexts. */
static bool port_is_own(void) {
  return weft_job_contexts() == 1 && weft_job_helper_of(weft_job.pe) == weft_job.slot;
}

static int open_port(contact_t *contact) {
  weft_job_t *j = &weft_job;
  size_t len = sizeof contact->port;
  int rc, receives = j->layout.receives;
  if (port_is_own()) {
    j->port = &j->endpoint;
    receives += PE_RECEIVES;
  } else if (!(j->port = calloc(1, sizeof *j->port))) {
    return -ENOMEM;
  }
  rc = weft_endpoint_open(j->port, &j->fabric, (size_t)receives, j->layout.message_max, true, 1);
  if (rc < 0) return rc;
  if ((rc = weft_endpoint_address(j->port, contact->port, &len)) < 0) return rc;
  if (j->port == &j->endpoint) memcpy(contact->endpoint, contact->port, sizeof contact->endpoint);
  contact->base = (uint64_t)(uintptr_t)weft_window_slot(&j->window, 0);
  return 0;
}

/* Nobody outside of the job can tell the keys of its memory: they are drawn from its secret. */
static void draw_keys(void) {
  const uint64_t note = WEFT_HASH_NOTE;
  weft_job.note_mask = weft_hash_keyed(&weft_job.secret, &note, sizeof note);
  for (uint64_t pe = 0; pe < (uint64_t)weft_job.npes; pe++) {
    const uint64_t what[2] = {WEFT_HASH_KEY, pe};
    weft_job.keys[pe] =
        weft_hash_keyed(&weft_job.secret, what, sizeof what) & weft_job.fabric.key_mask;
  }
}

uint64_t weft_job_lent_key(void) {
  static uint64_t lent;
  const uint64_t what[3] = {WEFT_HASH_LENT, (uint64_t)weft_job.pe,
                            __atomic_add_fetch(&lent, 1, __ATOMIC_RELAXED)};
  return weft_hash_keyed(&weft_job.secret, what, sizeof what) & weft_job.fabric.key_mask;
}

uint64_t weft_job_word(uint64_t n) {
  const uint64_t what[2] = {WEFT_HASH_WORD, n};
  return weft_hash_keyed(&weft_job.secret, what, sizeof what);
}

/* And so is what the packets between a PE and a node begin with. It is the same for all ports of
 * the node: the result of a call may come from another port than the call went to (service.c). A
 * reader of one pair's packets cannot speak for another pair. */
static uint64_t token_of(const contact_t *all, int of, int node) {
  const contact_t *pe = &all[of], *host = &all[weft_job_leader(node)];
  struct {
    uint64_t what, nonces[2];
    uint8_t addresses[2][WEFT_ADDRESS_MAX];
  } pair = {.what = WEFT_HASH_TOKEN, .nonces = {pe->nonce, host->nonce}};
  memcpy(pair.addresses[0], pe->endpoint, WEFT_ADDRESS_MAX);
  memcpy(pair.addresses[1], host->port, WEFT_ADDRESS_MAX);
  return weft_hash_keyed(&weft_job.secret, &pair, sizeof pair);
}

/* One region per slot, under the key of its PE unless the provider insists on its own. Where
 * memory is pinned at registration this pins the slot up to the heaps' limits, which are small
 * there unless somebody asks for more (lay_out in job.c). */
static int register_slots(uint64_t *keys) {
  weft_job_t *j = &weft_job;
  for (int slot = 0; slot < j->nslots; slot++) {
    keys[slot] = j->keys[j->local[slot]];
    int rc = weft_endpoint_register(j->port, weft_window_slot(&j->window, slot),
                                    weft_layout_end(&j->window.layout), &keys[slot]);
    if (rc < 0) return rc;
  }
  return 0;
}

/* Provider-chosen keys: every port publishes its nslots keys in the order of its node's PEs. hosts:
 * per node, the PE with the port that serves this one. */
static int exchange_keys(const uint64_t *mine, const int *hosts) {
  weft_job_t *j = &weft_job;
  size_t most = 1;
  for (int pe = 0; pe < j->npes; pe++)
    if (j->where[pe].slot + 1u > most) most = j->where[pe].slot + 1u;
  uint64_t *give = calloc(most, sizeof *give);
  uint64_t *all = calloc(most * (size_t)j->npes, sizeof *all);
  int rc = give && all ? 0 : -ENOMEM;
  if (rc == 0) {
    if (j->port) memcpy(give, mine, (size_t)j->nslots * sizeof *give);
    rc = weft_porter_hear(give, most * sizeof *give);
    if (rc == 0) rc = j->boot->allgather(j->boot, give, most * sizeof *give, all);
    if (rc == 0) rc = weft_porter_tell(all, most * sizeof *give * (size_t)j->npes);
  }
  for (int pe = 0; rc == 0 && pe < j->npes; pe++)
    j->keys[pe] = all[most * (size_t)hosts[j->where[pe].node] + j->where[pe].slot];
  free(give);
  free(all);
  return rc;
}

static int insert_ports(weft_endpoint_t *e, uint8_t (*ports)[WEFT_ADDRESS_MAX]) {
  for (int node = 0; node < weft_job.nnodes; node++) {
    fi_addr_t index;
    int rc = weft_endpoint_insert(e, ports[node], &index);
    if (rc < 0) return rc;
    if (index != (fi_addr_t)node) {
      weft_warn("the libfabric provider %s numbers addresses differently from their order: choose "
                "another one with WEFT_PROVIDER",
                e->fabric->name);
      return -ENOTSUP;
    }
  }
  return 0;
}

static int open_own(weft_endpoint_t *e, uint8_t address[WEFT_ADDRESS_MAX], int contexts) {
  size_t len = WEFT_ADDRESS_MAX;
  int rc = weft_endpoint_open(e, &weft_job.fabric, PE_RECEIVES, weft_job.layout.message_max, false,
                              contexts);
  if (rc == 0) rc = weft_endpoint_address(e, address, &len);
  return rc;
}

int weft_job_contexts(void) {
  const int most = weft_job.layout.channels;
  return weft_job.fabric.contexts < most ? weft_job.fabric.contexts : most;
}

int weft_job_open_endpoint(weft_endpoint_t *e, uint8_t address[WEFT_ADDRESS_MAX]) {
  int rc = open_own(e, address, 1);
  if (rc == 0) rc = insert_ports(e, weft_job.ports);
  if (rc < 0) weft_endpoint_close(e);
  return rc;
}

/* Per node, the PE whose process has the node's port of this helper. */
static void find_hosts(int *hosts, int helper) {
  for (int pe = 0; pe < weft_job.npes; pe++)
    if (weft_job.where[pe].slot == helper) hosts[weft_job.where[pe].node] = pe;
}

static void list_ports(uint8_t (*ports)[WEFT_ADDRESS_MAX], const contact_t *all, const int *hosts) {
  for (int node = 0; node < weft_job.nnodes; node++)
    memcpy(ports[node], all[hosts[node]].port, WEFT_ADDRESS_MAX);
}

/* What this process's port needs: the ports to which it sends for the PEs that it serves, which are
 * those of the helpers of its own number, and where the PEs are that it answers. */
static int acquaint_port(const contact_t *all) {
  weft_job_t *j = &weft_job;
  uint8_t (*peers)[WEFT_ADDRESS_MAX] = calloc((size_t)j->nnodes, sizeof *peers);
  int *hosts = calloc((size_t)j->nnodes, sizeof *hosts);
  j->addresses = calloc((size_t)j->npes, sizeof *j->addresses);
  j->client_tokens = calloc((size_t)j->npes, sizeof *j->client_tokens);
  int rc = peers && hosts && j->addresses && j->client_tokens ? 0 : -ENOMEM;
  if (rc == 0) {
    find_hosts(hosts, j->slot);
    list_ports(peers, all, hosts);
    if (j->port != &j->endpoint) rc = insert_ports(j->port, peers);
    for (int pe = 0; pe < j->npes; pe++) {
      memcpy(j->addresses[pe], all[pe].endpoint, WEFT_ADDRESS_MAX);
      j->client_tokens[pe] = token_of(all, pe, j->node);
    }
  }
  free(peers);
  free(hosts);
  return rc;
}

/* What this PE needs to reach every node. */
static int acquaint_own(const contact_t *all, const int *hosts) {
  weft_job_t *j = &weft_job;
  j->ports = calloc((size_t)j->nnodes, sizeof *j->ports);
  j->tokens = calloc((size_t)j->nnodes, sizeof *j->tokens);
  if (!j->ports || !j->tokens) return -ENOMEM;
  list_ports(j->ports, all, hosts);
  for (int node = 0; node < j->nnodes; node++) j->tokens[node] = token_of(all, j->pe, node);
  int rc = insert_ports(&j->endpoint, j->ports);
  if (rc < 0 || !j->fabric.virtual_addresses) return rc;
  j->region_base = calloc((size_t)j->nnodes, sizeof *j->region_base);
  if (!j->region_base) return -ENOMEM;
  for (int node = 0; node < j->nnodes; node++) j->region_base[node] = all[hosts[node]].base;
  return 0;
}

/* What both ends of a connection must do alike: notes with writes, how remote memory is addressed,
 * whose its keys are, contexts of an endpoint. */
static uint32_t manner_of(const weft_fabric_t *f) {
  return (uint32_t)f->notes | (uint32_t)f->virtual_addresses << 1 |
         (uint32_t)f->provider_keys << 2 | (uint32_t)weft_job_contexts() << 3;
}

/* Whoever connects is asked to know the secret, if everybody can tell it. */
enum { HAS_DOOR = 1 << 30 };

static void open_door_for_all(contact_t *all) {
  bool shut = true;
  for (int pe = 0; pe < weft_job.npes; pe++) {
    shut = shut && all[pe].manner & HAS_DOOR;
    all[pe].manner &= ~HAS_DOOR;
  }
  if (!shut) weft_fabric_shut_door(NULL);
}

/* Hosts may have different libfabrics, and "auto" chooses on each. */
static int same_provider(const contact_t *all) {
  for (int pe = 1; pe < weft_job.npes; pe++) {
    if (strncmp(all[pe].provider, all[0].provider, sizeof all->provider) != 0) {
      weft_warn("PE %d has libfabric's provider %.16s, PE 0 %.16s: set WEFT_PROVIDER to one that "
                "all have",
                pe, all[pe].provider, all[0].provider);
      return -EINVAL;
    }
    if (all[pe].manner != all[0].manner) {
      weft_warn("libfabric's provider %.16s is not the same on PE %d as on PE 0: all hosts need "
                "the same version of libfabric",
                all[0].provider, pe);
      return -EINVAL;
    }
  }
  return 0;
}

/* libfabric takes the loopback interface where no other one is up, or where it is told to. Then
 * nobody on another host would reach this PE, which they would see after WEFT_LINK_TIMEOUT only. */
static int no_loopback_between_hosts(const contact_t *all) {
  const contact_t *one = NULL, *other = NULL; /* on different networks, if both are set */
  int pe = 0;
  if (!weft_endpoint_has_tcp_addresses(&weft_job.endpoint)) return 0;
  for (int i = 0; i < weft_job.npes && !one; i++)
    if (all[i].network && weft_links_is_loopback(all[i].endpoint)) one = &all[pe = i];
  for (int i = 0; i < weft_job.npes && one && !other; i++)
    if (all[i].network && all[i].network != one->network) other = &all[i];
  if (!other) return 0;
  char name[WEFT_LINK_NAME];
  weft_links_name(one->endpoint, name);
  weft_warn("PE %d has the address %s, which other hosts cannot reach: is its network interface "
            "up? WEFT_IFACE chooses one",
            pe, name);
  return -ENETUNREACH;
}

/* Everybody's, of which the port's part may come from a process of its own. */
static int exchange_contacts(contact_t *me, contact_t *all) {
  weft_job_t *j = &weft_job;
  contact_t port = *me;
  int rc = weft_porter_hear(&port, sizeof port);
  if (rc < 0) return rc;
  memcpy(me->port, port.port, sizeof me->port);
  me->base = port.base;
  rc = j->boot->allgather(j->boot, me, sizeof *me, all);
  return rc < 0 ? rc : weft_porter_tell(all, (size_t)j->npes * sizeof *all);
}

int weft_job_find_fabric(void) {
  weft_fabric_expect(weft_job.layout.message_max);
  return weft_fabric_find(&weft_job.fabric, weft_options.provider, weft_options.iface,
                          weft_options.completion);
}

int weft_job_open_fabric(void) {
  weft_job_t *j = &weft_job;
  contact_t me = {0}, *all = calloc((size_t)j->npes, sizeof *all);
  uint64_t *keys = calloc((size_t)j->nslots, sizeof *keys);
  int *hosts = calloc((size_t)j->nnodes, sizeof *hosts);
  bool has_port = j->slot < j->nhelpers;
  int rc = all && keys && hosts ? weft_random_draw(&me.nonce, sizeof me.nonce) : -ENOMEM;
  if (rc < 0) goto out;
  if (has_port && weft_job_goes_on()) {
    if ((rc = weft_porter_fork()) < 0) goto out;
    has_port = j->is_porter;
  }
  find_hosts(hosts, weft_job_helper_of(j->pe));
  weft_job_raise_file_limit();
  if (!j->fabric.info && (rc = weft_job_find_fabric()) < 0) goto out;
  if ((rc = weft_fabric_open(&j->fabric)) < 0) goto out;
  draw_keys();
  if (weft_fabric_is_over_tcp(&j->fabric) && (rc = weft_fabric_shut_door(&j->secret)) < 0) goto out;
  if (has_port && (rc = open_port(&me)) < 0) goto out;
  if (j->port != &j->endpoint &&
      (rc = open_own(&j->endpoint, me.endpoint, weft_job_contexts())) < 0)
    goto out;
  if (has_port && (rc = register_slots(keys)) < 0) goto out;
  snprintf(me.provider, sizeof me.provider, "%s", j->fabric.name);
  me.manner = manner_of(&j->fabric) | (weft_fabric_has_door(&j->endpoint) ? HAS_DOOR : 0);
  me.network = weft_job_network();
  if ((rc = exchange_contacts(&me, all)) < 0) goto out;
  open_door_for_all(all);
  if ((rc = same_provider(all)) < 0) goto out;
  if ((rc = no_loopback_between_hosts(all)) < 0) goto out;
  if (j->fabric.provider_keys && (rc = exchange_keys(keys, hosts)) < 0) goto out;
  if ((rc = acquaint_own(all, hosts)) < 0) goto out;
  if (has_port) rc = acquaint_port(all);
  weft_porter_part();
out:
  free(hosts);
  free(keys);
  free(all);
  return rc;
}
