/*
 * The job's fabric: this PE's endpoint, the node's port in the process of slot 0, and the exchange
 * of their addresses.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/job.h"

/* Receive buffers of a PE, for replies; a port's are in the plan. More can arrive; the provider
 * then keeps them, bounded by the senders' few buffers each. */
enum { PE_RECEIVES = 16 };

/* Exchange 3. A PE that is not slot 0 leaves the port's part empty. */
typedef struct contact {
  uint8_t endpoint[WEFT_ADDRESS_MAX];
  uint8_t port[WEFT_ADDRESS_MAX];
  uint64_t base; /* remote address of slot 0 */
} contact_t;

static int open_port(contact_t *contact) {
  weft_job_t *j = &weft_job;
  size_t len = sizeof contact->port;
  int rc;
  j->port = calloc(1, sizeof *j->port);
  if (!j->port) return -ENOMEM;
  rc = weft_endpoint_open(j->port, &j->fabric, (size_t)j->layout.receives, j->layout.message_max,
                          true, 1);
  if (rc < 0) return rc;
  if ((rc = weft_endpoint_address(j->port, contact->port, &len)) < 0) return rc;
  contact->base = (uint64_t)(uintptr_t)weft_window_slot(&j->window, 0);
  return 0;
}

/* One region per slot, whose key is the slot's number unless the provider insists on its own. Where
 * memory is pinned at registration this pins the slot up to the heaps' limits, so
 * SHMEM_SYMMETRIC_SIZE and WEFT_PRIVATE_SIZE should be set there. */
static int register_slots(uint64_t *keys) {
  weft_job_t *j = &weft_job;
  for (int slot = 0; slot < j->nslots; slot++) {
    keys[slot] = (uint64_t)slot;
    int rc = weft_endpoint_register(j->port, weft_window_slot(&j->window, slot),
                                    weft_layout_end(&j->window.layout), &keys[slot]);
    if (rc < 0) return rc;
  }
  return 0;
}

/* Provider-chosen keys: every node's slot 0 publishes its nslots keys in the order of its PEs. */
static int exchange_keys(const uint64_t *mine) {
  weft_job_t *j = &weft_job;
  size_t most = 1;
  for (int pe = 0; pe < j->npes; pe++)
    if (j->where[pe].slot + 1u > most) most = j->where[pe].slot + 1u;
  uint64_t *give = calloc(most, sizeof *give);
  uint64_t *all = calloc(most * (size_t)j->npes, sizeof *all);
  j->region_key = calloc((size_t)j->npes, sizeof *j->region_key);
  int rc = give && all && j->region_key ? 0 : -ENOMEM;
  if (rc == 0) {
    if (j->slot == 0) memcpy(give, mine, (size_t)j->nslots * sizeof *give);
    rc = j->boot->allgather(j->boot, give, most * sizeof *give, all);
  }
  for (int pe = 0; rc == 0 && pe < j->npes; pe++)
    j->region_key[pe] = all[most * (size_t)j->leader[j->where[pe].node] + j->where[pe].slot];
  free(give);
  free(all);
  return rc;
}

static int insert_ports(weft_endpoint_t *e) {
  for (int node = 0; node < weft_job.nnodes; node++) {
    fi_addr_t index;
    int rc = weft_endpoint_insert(e, weft_job.ports[node], &index);
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
  if (rc == 0) rc = insert_ports(e);
  if (rc < 0) weft_endpoint_close(e);
  return rc;
}

int weft_job_open_fabric(void) {
  weft_job_t *j = &weft_job;
  contact_t me = {0}, *all = calloc((size_t)j->npes, sizeof *all);
  uint64_t *keys = calloc((size_t)j->nslots, sizeof *keys);
  int rc = all && keys ? 0 : -ENOMEM;
  if (rc < 0) goto out;
  rc = weft_fabric_open(&j->fabric, weft_options.provider, weft_options.iface,
                        weft_options.completion);
  if (rc < 0) goto out;
  if ((rc = open_own(&j->endpoint, me.endpoint, weft_job_contexts())) < 0) goto out;
  if (j->slot == 0 && (rc = open_port(&me)) < 0) goto out;
  if (j->slot == 0 && (rc = register_slots(keys)) < 0) goto out;
  if ((rc = j->boot->allgather(j->boot, &me, sizeof me, all)) < 0) goto out;
  if (j->fabric.provider_keys && (rc = exchange_keys(keys)) < 0) goto out;
  j->ports = calloc((size_t)j->nnodes, sizeof *j->ports);
  rc = j->ports ? 0 : -ENOMEM;
  if (rc < 0) goto out;
  for (int node = 0; node < j->nnodes; node++)
    memcpy(j->ports[node], all[j->leader[node]].port, WEFT_ADDRESS_MAX);
  if ((rc = insert_ports(&j->endpoint)) < 0) goto out;
  if (j->port && (rc = insert_ports(j->port)) < 0) goto out;
  if (j->fabric.virtual_addresses) {
    j->region_base = calloc((size_t)j->nnodes, sizeof *j->region_base);
    if (!j->region_base) {
      rc = -ENOMEM;
      goto out;
    }
    for (int node = 0; node < j->nnodes; node++) j->region_base[node] = all[j->leader[node]].base;
  }
  if (j->slot == 0) {
    j->addresses = calloc((size_t)j->npes, sizeof *j->addresses);
    rc = j->addresses ? 0 : -ENOMEM;
    for (int pe = 0; rc == 0 && pe < j->npes; pe++)
      memcpy(j->addresses[pe], all[pe].endpoint, WEFT_ADDRESS_MAX);
  }
out:
  free(keys);
  free(all);
  return rc;
}
