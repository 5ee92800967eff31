/*
 * The PMI-1 client against a server in this process that is as awkward as the protocol allows:
 * answers byte by byte, signals in between, values of 40 characters at most. And what it says of a
 * server that refuses or goes away. test: unit
 */
#include "boot/boot.h"
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/wait.h>

enum { VALUE_MAX = 40, MAX_KEYS = 64 };

static struct server {
  int fd;
  char keys[MAX_KEYS][64], values[MAX_KEYS][VALUE_MAX];
  int nkeys, nbarriers, npieces;
  int refuse_puts, hang_up_at_barrier;
  char abort_line[64];
} server;

static void answer(const char *format, const char *value) {
  char text[512];
  int n = snprintf(text, sizeof(text) - 1, format, value);
  text[n++] = '\n';
  for (int i = 0; i < n; i++) {
    CHECK_EQ(write(server.fd, text + i, 1), 1);
    if (i % 16 == 0) usleep(100);
  }
}

static void store(const char *key, const char *value) {
  CHECK(server.nkeys < MAX_KEYS);
  CHECK(strlen(key) < 64 && strlen(value) < VALUE_MAX);
  strcpy(server.keys[server.nkeys], key);
  strcpy(server.values[server.nkeys++], value);
}

/* This process is PE 1 of 2; the server plays PE 0, which gives the same bytes reversed in each
 * half-byte. */
static void put(const char *line) {
  char key[64], value[VALUE_MAX], *pe;
  CHECK_EQ(sscanf(line, "cmd=put kvsname=job-7 key=%63s value=%39s", key, value), 2);
  CHECK(strlen(value) < VALUE_MAX);
  store(key, value);
  pe = strstr(key, "-1-");
  CHECK(pe != NULL);
  pe[1] = '0';
  for (char *c = value; *c; c += 2) {
    char high = c[0];
    c[0] = c[1];
    c[1] = high;
  }
  store(key, value);
  server.npieces++;
}

static void get(const char *line) {
  char key[64];
  CHECK_EQ(sscanf(line, "cmd=get kvsname=job-7 key=%63s", key), 1);
  for (int i = 0; i < server.nkeys; i++) {
    if (strcmp(server.keys[i], key) != 0) continue;
    answer("cmd=get_result rc=0 msg=success value=%s", server.values[i]);
    return;
  }
  answer("cmd=get_result rc=-1 msg=no_%s value=unknown", key);
}

static int serve(const char *line) {
  if (strcmp(line, "cmd=init pmi_version=1 pmi_subversion=1") == 0) {
    answer("cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=%s", "0");
  } else if (strcmp(line, "cmd=get_maxes") == 0) {
    answer("cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=%s", "40");
  } else if (strcmp(line, "cmd=get_my_kvsname") == 0) {
    answer("cmd=my_kvsname kvsname=%s", "job-7");
  } else if (strncmp(line, "cmd=put ", 8) == 0) {
    if (!server.refuse_puts) put(line);
    answer("cmd=put_result rc=%s", server.refuse_puts ? "-1 msg=full" : "0 msg=success");
  } else if (strncmp(line, "cmd=get ", 8) == 0) {
    get(line);
  } else if (strcmp(line, "cmd=barrier_in") == 0) {
    server.nbarriers++;
    if (server.hang_up_at_barrier) return 0;
    answer("cmd=barrier_out%s", "");
  } else if (strcmp(line, "cmd=finalize") == 0) {
    answer("cmd=finalize_ack%s", "");
    return 0;
  } else {
    CHECK(strlen(line) < sizeof(server.abort_line));
    strcpy(server.abort_line, line);
  }
  return 1;
}

static void *serve_all(void *unused) {
  char line[2048];
  size_t n = 0;
  (void)unused;
  while (read(server.fd, line + n, 1) == 1) {
    if (line[n] != '\n') {
      CHECK(++n < sizeof(line));
      continue;
    }
    line[n] = '\0';
    n = 0;
    if (!serve(line)) break;
  }
  close(server.fd);
  return NULL;
}

static pthread_t start_server(void) {
  pthread_t thread;
  int ends[2];
  char text[16];
  CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  memset(&server, 0, sizeof(server));
  server.fd = ends[1];
  snprintf(text, sizeof(text), "%d", ends[0]);
  setenv("PMI_FD", text, 1);
  CHECK_EQ(pthread_create(&thread, NULL, serve_all, NULL), 0);
  return thread;
}

static void on_signal(int signal) {
  (void)signal;
}

static int interrupting;
static void *interrupt_main(void *main_thread) {
  while (__atomic_load_n(&interrupting, __ATOMIC_RELAXED)) {
    pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
    usleep(300);
  }
  return NULL;
}

static void test_exchange(void) {
  unsigned char mine[50], all[100];
  weft_boot_t *boot = NULL;
  pthread_t thread = start_server(), self = pthread_self(), interrupter;
  __atomic_store_n(&interrupting, 1, __ATOMIC_RELAXED);
  CHECK_EQ(pthread_create(&interrupter, NULL, interrupt_main, &self), 0);

  CHECK_EQ(weft_boot_open(&boot), 0);
  CHECK_STR(boot->name, "pmi1");
  CHECK_EQ(boot->pe, 1);
  CHECK_EQ(boot->npes, 2);
  for (int i = 0; i < 50; i++) mine[i] = (unsigned char)(i * 5 + 3);
  CHECK_EQ(boot->allgather(boot, mine, sizeof(mine), all), 0);
  for (int i = 0; i < 50; i++) {
    CHECK_EQ(all[i], (mine[i] << 4 | mine[i] >> 4) & 255);
    CHECK_EQ(all[50 + i], mine[i]);
  }
  CHECK_EQ(server.npieces, 3); /* 39 characters hold 19 bytes */
  CHECK_EQ(boot->allgather(boot, NULL, 0, NULL), 0);
  CHECK_EQ(server.nbarriers, 2);
  CHECK_EQ(server.npieces, 3);
  boot->finalize(boot);

  __atomic_store_n(&interrupting, 0, __ATOMIC_RELAXED);
  pthread_join(interrupter, NULL);
  pthread_join(thread, NULL);
}

static void test_refusals(void) {
  unsigned char mine[4] = {1, 2, 3, 4}, all[8];
  weft_boot_t *boot = NULL;
  pthread_t thread = start_server();
  CHECK_EQ(weft_boot_open(&boot), 0);
  server.refuse_puts = 1;
  CHECK_EQ(boot->allgather(boot, mine, 4, all), -EPROTO);
  server.refuse_puts = 0;
  server.hang_up_at_barrier = 1;
  CHECK_EQ(boot->allgather(boot, mine, 4, all), -ECONNRESET);
  CHECK(boot->allgather(boot, mine, 4, all) < 0); /* and no SIGPIPE */
  pthread_join(thread, NULL);
}

static void test_environment(void) {
  weft_boot_t *boot = NULL;
  setenv("PMI_FD", "four", 1);
  CHECK_EQ(weft_boot_open(&boot), -EINVAL);
  int ends[2];
  char number[16];
  CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  snprintf(number, sizeof number, "%d", ends[0]);
  setenv("PMI_FD", number, 1);
  setenv("PMI_RANK", "2", 1);
  CHECK_EQ(weft_boot_open(&boot), -EINVAL);
  CHECK(boot == NULL);
  close(ends[0]);
  close(ends[1]);
}

static void test_abort(void) {
  weft_boot_t *boot = NULL;
  pid_t child;
  int status;
  setenv("PMI_RANK", "1", 1);
  pthread_t thread = start_server();
  CHECK_EQ(weft_boot_open(&boot), 0);
  child = fork();
  if (child == 0) boot->abort(boot, 9);
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 9);
  boot->finalize(boot);
  pthread_join(thread, NULL);
  CHECK_STR(server.abort_line, "cmd=abort exitcode=9");
}

/* In a process of its own: a launcher is told once that a process has begun. */
static void alone(void (*test)(void)) {
  int status;
  const pid_t child = fork();
  if (child == 0) {
    test();
    _exit(0);
  }
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void) {
  /* No SA_RESTART: every blocking call of the client is interrupted again and again. */
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGUSR1, &action, NULL);
  unsetenv("WEFT_LAUNCHER");
  setenv("PMI_RANK", "1", 1);
  setenv("PMI_SIZE", "2", 1);
  alone(test_exchange);
  alone(test_refusals);
  alone(test_environment);
  alone(test_abort);
  return 0;
}
