/*
 * By arithmetic: a job of 150,000 PEs on 10,000 nodes. What tables and staging take, from the very
 * types and plans that jobs use, what is exchanged at the start, and how many connections a halo
 * and trees need; each against a bound that a machine of 64 GB per node keeps. test: unit
 */
#include "coll/schedule.h"
#include "job/job.h"
#include "port/port.h"

#include "check.h"

enum { PES = 150000, NODES = 10000, LOCAL = PES / NODES };

#define KB ((size_t)1 << 10)
#define MB ((size_t)1 << 20)
#define GB ((size_t)1 << 30)

/* What a node's port and its clients may need, and how much of it a PE has in its slot. */
static void check_port(void) {
  const weft_plan_input_t in = {.memory = 64 * GB,
                                .clients = PES - LOCAL,
                                .channels = 9,
                                .lanes = WEFT_LANES_MAX,
                                .helpers = 1};
  CHECK_EQ(weft_plan_make(&weft_ports, &in), 0);
  CHECK(weft_ports.total <= 64 * GB / 20);
  CHECK(weft_ports.buffers >= 1 && weft_ports.channels >= 1);
  /* Staging of a PE: one set of buffers per node and lane. Pages come with the first packet to a
   * node, so this is address space; what active messages touch at the start is a line per node. */
  const size_t lanes = (size_t)weft_ports.channels + WEFT_LANES_MAX;
  const size_t space = lanes * NODES *
                       (sizeof(weft_stage_t) + WEFT_CACHELINE +
                        (size_t)weft_ports.buffers * weft_ports.buffer_bytes);
  const size_t touched = (size_t)WEFT_LANES_MAX * NODES * sizeof(weft_stage_t);
  printf("staging: %zu MB of address space of a PE, %zu KB touched\n", space / MB, touched / KB);
  CHECK(space <= 4 * GB);
  CHECK(touched <= 4 * MB);
}

/* State that grows with PEs: displacement, place and key of each. With nodes: a bit per node for
 * what was put, an address of each port. Beside a port: where all PEs are answered. */
static void check_tables(void) {
  const size_t per_pe = sizeof *weft_job.disp + sizeof *weft_job.where + sizeof *weft_job.keys +
                        sizeof *weft_job.pids + sizeof *weft_job.leader + sizeof *weft_job.local;
  const size_t pe = PES * per_pe + NODES / 8 + NODES * sizeof *weft_job.ports;
  const size_t port = PES * sizeof *weft_job.addresses;
  printf("tables: %zu KB in a PE, %zu KB more beside a port\n", pe / KB, port / KB);
  CHECK(per_pe <= 40);
  CHECK(pe <= 8 * MB);
  CHECK(port <= 16 * MB);
  CHECK((int)PES < (int)WEFT_MAX_PES && (int)NODES < (int)WEFT_MAX_NODES);
}

/* With whom a node exchanges messages in collectives, by the schedules that they go by. */
static struct {
  int n, node[256];
} met;

static void meet(int64_t node) {
  int i = 0;
  if (node < 0 || node >= NODES) return;
  while (i < met.n && met.node[i] != node) i++;
  CHECK(i < 256);
  met.node[i] = (int)node;
  met.n += i == met.n;
}

static void meet_all(int v) {
  const int power = weft_power_below(NODES);
  met.n = 0;
  for (int64_t d = weft_child_first(WEFT_ALG_TREE, v, NODES); d;
       d = weft_child_next(WEFT_ALG_TREE, d))
    meet(v + d);
  if (v > 0) meet(v & (v - 1)); /* its parent */
  for (int k = 0; k < weft_gathering_stages(NODES); k++) {
    const weft_gathering_t g = weft_gathering(v, NODES, k);
    const weft_doubling_t d = weft_doubling(v, NODES, k);
    meet(g.to), meet(g.from), meet(d.to), meet(d.from);
  }
  for (int k = 0; v < power && 1 << k < power; k++) meet(weft_halving(v, power, 1, k).partner);
  meet(v < power ? v + power : v - power);
}

/* A PE connects to the ports that it talks to when it does, at most once to each, and nobody to
 * PEs. A port has its node's PEs times nodes at most, of which descriptors are taken on use. */
static void check_connections(void) {
  const int neighbours = 26; /* a halo */
  int most = 0;
  for (int v = 0; v < NODES; v++) {
    meet_all(v);
    if (met.n > most) most = met.n;
  }
  printf("connections: of a PE to %d nodes for collectives, and to its neighbours\n", most);
  CHECK(most >= 14 && most <= 2 * 14 + 1); /* 2^14 > NODES */
  CHECK(neighbours + most < 1024);
  CHECK(LOCAL * (neighbours + most) < 65536); /* into a port: descriptors of one process */
}

int main(void) {
  check_port();
  check_tables();
  check_connections();
  return 0;
}
