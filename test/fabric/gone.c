/*
 * Writes that are under way to a process when it dies, over a provider that counts deliveries:
 * those that it reports are waited for no more, nor those that were given up, and what is both is
 * counted once (src/fabric/failure.c). Argument: the provider.
 */
#include <signal.h>
#include <sys/wait.h>

#include "check.h"
#include "fabric/fabric_internal.h"

enum { SHORT = 4, LONG = 2, WRITES = SHORT + LONG, LARGE = 64 << 20, KEY = 1 };

static const char *provider;
static weft_fabric_t fabric;
static weft_endpoint_t e;
static char *memory;

static void open_endpoint(void) {
  CHECK_EQ(weft_fabric_find(&fabric, provider, NULL, "counter"), 0);
  CHECK_EQ(weft_fabric_open(&fabric), 0);
  CHECK_EQ(weft_endpoint_open(&e, &fabric, 4, 4096, false, 1), 0);
  memory = calloc(1, LARGE);
}

/* It never looks at what comes. */
static void be_target(int fd) {
  char address[WEFT_ADDRESS_MAX] = {0};
  size_t len = sizeof address;
  uint64_t key = KEY;
  open_endpoint();
  CHECK_EQ(weft_endpoint_register(&e, memory, LARGE, &key), 0);
  CHECK_EQ(weft_endpoint_address(&e, address, &len), 0);
  CHECK(write(fd, address, sizeof address) == sizeof address);
  for (;;) pause();
}

static bool forgive(const weft_endpoint_t *endpoint, uint64_t to, bool failed) {
  (void)endpoint, (void)to;
  return failed;
}

/* The short ones have left, the long ones fill the connection. Returns when the target is dead. */
static void write_to_dying(weft_op_t *op) {
  char address[WEFT_ADDRESS_MAX];
  fi_addr_t index;
  int fds[2];
  CHECK(pipe(fds) == 0);
  const pid_t child = fork();
  if (child == 0) be_target(fds[1]);
  CHECK(child > 0 && read(fds[0], address, sizeof address) == sizeof address);
  open_endpoint();
  CHECK_EQ(weft_endpoint_insert(&e, address, &index), 0);
  for (uint64_t i = 0; i < SHORT; i++) weft_endpoint_inject_write(&e, index, &i, sizeof i, 0, KEY);
  for (int i = 0; i < LONG; i++) weft_endpoint_write(&e, index, memory, LARGE, 0, KEY, op);
  for (int i = 0; i < 1000; i++) weft_endpoint_poll(&e);
  CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
  CHECK_EQ(e.injected, WRITES);
  CHECK_EQ(fi_cntr_read(e.writes), 0);
  close(fds[0]), close(fds[1]);
}

static void check(bool at_once) {
  weft_op_t op = {.attended = true};
  write_to_dying(&op);
  if (at_once) weft_endpoint_give_up(&e, WRITES);
  CHECK_EQ(e.gone, at_once ? WRITES : 0);
  CHECK_WITHIN(30, (weft_endpoint_poll(&e), weft_op_is_done(&op) && e.failed >= SHORT));
  CHECK(e.gone == (at_once ? WRITES : e.failed) && e.gone <= WRITES);
  weft_endpoint_give_up(&e, WRITES);
  CHECK_EQ(e.gone, WRITES);
  weft_endpoint_close(&e), weft_fabric_close(&fabric);
  free(memory);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  provider = argv[1];
  CHECK_EQ(weft_options_read(), 0);
  weft_fabric_forgive(forgive);
  check(false);
  check(true);
  return 0;
}
