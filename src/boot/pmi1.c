/*
 * The client of the PMI-1 wire protocol: lines of "cmd=... key=value" over the descriptor PMI_FD,
 * each answered by one line. weftrun, MPICH's Hydra and Slurm's pmi2 plugin serve it. It knows
 * nothing of what the values mean.
 *
 * MPICH in the same process may speak over the same descriptor: requests of the two never overlap,
 * because both are made by collective calls of the program's thread. Only abort may interrupt a
 * request: it is one short write, which a socket takes whole, and waits for no answer.
 */
#include "base/base.h"
#include "boot/boot_internal.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  LINE_SIZE = 4096,    /* longest answer we accept */
  REQUEST_SIZE = 1024, /* longest request we make: what every known server accepts */
  NAME_SIZE = 256
};

typedef struct weft_boot_pmi1 {
  weft_boot_t boot;
  weft_kvs_t kvs;
  int fd;
  char store[NAME_SIZE]; /* the launcher's name for the job's key-value store */
  size_t have;           /* bytes in `in` that belong to the next answers */
  char in[LINE_SIZE];
  char line[LINE_SIZE]; /* the last answer, without its newline */
} weft_boot_pmi1_t;

static weft_boot_pmi1_t *pmi1_of_kvs(weft_kvs_t *kvs) {
  return (weft_boot_pmi1_t *)((char *)kvs - offsetof(weft_boot_pmi1_t, kvs));
}

/* A program that a PE starts has PMI_FD, but not the descriptor; a file of its own may have the
 * number. */
static bool is_wire(int fd) {
  struct stat kind;
  if (fstat(fd, &kind) != 0) return false;
  if (getenv("WEFT_LAUNCHER")) return S_ISSOCK(kind.st_mode);
  return !S_ISREG(kind.st_mode) && !S_ISDIR(kind.st_mode) && !S_ISCHR(kind.st_mode);
}

/* PMI_FD is a socket everywhere we know, but nothing promises it. No SIGPIPE where that can be
 * helped. */
int weft_boot_pmi1_send(int fd, const char *text, size_t len) {
  bool is_socket = true;
  if (!is_wire(fd)) return -ENOTCONN;
  while (len > 0) {
    ssize_t n = is_socket ? send(fd, text, len, MSG_NOSIGNAL) : write(fd, text, len);
    if (n < 0 && errno == ENOTSOCK) {
      is_socket = false;
    } else if (n < 0 && errno != EINTR) {
      return -errno;
    } else if (n > 0) {
      text += n;
      len -= (size_t)n;
    }
  }
  return 0;
}

/* The next line of the launcher into pmi1->line. */
static int pmi1_receive(weft_boot_pmi1_t *pmi1) {
  for (;;) {
    char *end = memchr(pmi1->in, '\n', pmi1->have);
    if (end) {
      size_t len = (size_t)(end - pmi1->in);
      memcpy(pmi1->line, pmi1->in, len);
      pmi1->line[len] = '\0';
      pmi1->have -= len + 1;
      memmove(pmi1->in, end + 1, pmi1->have);
      return 0;
    }
    if (pmi1->have == LINE_SIZE) return -EMSGSIZE;
    ssize_t n = read(pmi1->fd, pmi1->in + pmi1->have, LINE_SIZE - pmi1->have);
    if (n == 0) return -ECONNRESET;
    if (n < 0 && errno != EINTR) return -errno;
    if (n > 0) pmi1->have += (size_t)n;
  }
}

/* The value of `name` in the last answer; NULL if it has none. It ends at a blank or at the end of
 * the line. */
static const char *pmi1_field(const weft_boot_pmi1_t *pmi1, const char *name, size_t *len) {
  size_t name_len = strlen(name);
  for (const char *at = pmi1->line; *at;) {
    size_t word = strcspn(at, " ");
    if (word > name_len && at[name_len] == '=' && strncmp(at, name, name_len) == 0) {
      *len = word - name_len - 1;
      return at + name_len + 1;
    }
    at += word;
    at += strspn(at, " ");
  }
  return NULL;
}

static int pmi1_number(const weft_boot_pmi1_t *pmi1, const char *name, int fallback) {
  size_t len;
  const char *text = pmi1_field(pmi1, name, &len);
  return text ? atoi(text) : fallback;
}

/* Send one request, wait for a line. *well: it is the answer `answer`, with its rc=0. */
static int pmi1_try(weft_boot_pmi1_t *pmi1, const char *answer, const char *request, bool *well) {
  size_t len;
  int rc = weft_boot_pmi1_send(pmi1->fd, request, strlen(request));
  if (rc == 0) rc = pmi1_receive(pmi1);
  if (rc) {
    weft_warn("the launcher does not answer over PMI: %s; is it still there?", strerror(-rc));
    return rc;
  }
  const char *cmd = pmi1_field(pmi1, "cmd", &len);
  *well = cmd && len == strlen(answer) && strncmp(cmd, answer, len) == 0 &&
          pmi1_number(pmi1, "rc", 0) == 0;
  return 0;
}

__attribute__((format(printf, 3, 4))) static int
pmi1_ask(weft_boot_pmi1_t *pmi1, const char *answer, const char *format, ...) {
  char request[REQUEST_SIZE];
  bool well;
  va_list args;
  va_start(args, format);
  int n = vsnprintf(request, sizeof(request), format, args);
  va_end(args);
  if (n < 0 || (size_t)n >= sizeof(request)) return -EMSGSIZE;

  int rc = pmi1_try(pmi1, answer, request, &well);
  if (rc || well) return rc;
  request[strcspn(request, "\n")] = '\0';
  weft_warn("the launcher answers the PMI request '%.200s' by '%.200s'; weftrun and mpiexec.hydra "
            "do better",
            request, pmi1->line);
  return -EPROTO;
}

/* ---- the store: values are hexadecimal, because PMI-1 values are words ----------------------- */

void weft_boot_pmi1_encode(const void *bytes, size_t len, char *text) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < len; i++) {
    const unsigned char byte = ((const unsigned char *)bytes)[i];
    text[2 * i] = digits[byte >> 4];
    text[2 * i + 1] = digits[byte & 15];
  }
}

static int pmi1_put(weft_kvs_t *kvs, const char *key, const void *bytes, size_t len) {
  weft_boot_pmi1_t *pmi1 = pmi1_of_kvs(kvs);
  char text[REQUEST_SIZE];
  if (2 * len >= sizeof(text)) return -EMSGSIZE;
  weft_boot_pmi1_encode(bytes, len, text);
  text[2 * len] = '\0';
  return pmi1_ask(pmi1, "put_result", "cmd=put kvsname=%s key=%s value=%s\n", pmi1->store, key,
                  text);
}

static int pmi1_fence(weft_kvs_t *kvs) {
  return pmi1_ask(pmi1_of_kvs(kvs), "barrier_out", "cmd=barrier_in\n");
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

static int pmi1_get(weft_kvs_t *kvs, int pe, const char *key, void *bytes, size_t len) {
  weft_boot_pmi1_t *pmi1 = pmi1_of_kvs(kvs);
  size_t text_len = 0;
  (void)pe; /* it is part of the key */
  int rc = pmi1_ask(pmi1, "get_result", "cmd=get kvsname=%s key=%s\n", pmi1->store, key);
  if (rc) return rc;
  const char *text = pmi1_field(pmi1, "value", &text_len);
  if (!text || text_len != 2 * len) goto damaged;
  for (size_t i = 0; i < len; i++) {
    int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
    if (high < 0 || low < 0) goto damaged;
    ((unsigned char *)bytes)[i] = (unsigned char)(high << 4 | low);
  }
  return 0;

damaged:
  weft_warn("the launcher's store holds %zu characters for %s, expected %zu hexadecimal digits; is "
            "every PE linked with the same Weft?",
            text_len, key, 2 * len);
  return -EPROTO;
}

/* ---- the boot object ------------------------------------------------------------------------- */

/* Another launcher may run inside a PE of weftrun's. weftrun's store says whose it is. */
static bool has_other_store;

static bool pmi1_is_weftrun(void) {
  const char *launcher = getenv("WEFT_LAUNCHER");
  return launcher && strcmp(launcher, "weftrun") == 0 && !has_other_store;
}

static int pmi1_allgather(weft_boot_t *boot, const void *mine, size_t len, void *all) {
  weft_boot_pmi1_t *pmi1 = (weft_boot_pmi1_t *)boot;
  if (weft_boot_mpi_ended_pmi1()) return -ESHUTDOWN;
  if (len == 0 || !pmi1_is_weftrun()) return weft_kvs_allgather(&pmi1->kvs, boot, mine, len, all);
  int rc = 0;
  for (size_t at = 0; at < len && rc == 0; at += WEFT_BOOT_GATHER_MAX) {
    const size_t part = len - at < WEFT_BOOT_GATHER_MAX ? len - at : WEFT_BOOT_GATHER_MAX;
    rc = weft_boot_gather(pmi1->fd, boot->npes, (const char *)mine + at, part, (char *)all + at,
                          len);
  }
  return rc;
}

int weft_boot_pmi1_send_abort(int status) {
  char request[64];
  int fd;
  if (!getenv("PMI_FD") || weft_boot_mpi_ended_pmi1()) return -ENOTCONN;
  int rc = weft_boot_env_int("PMI_FD", 0, 1 << 30, &fd);
  if (rc) return rc;
  int n = snprintf(request, sizeof(request), "cmd=abort exitcode=%d\n", status);
  return weft_boot_pmi1_send(fd, request, (size_t)n);
}

/* A request without an answer. True: weftrun has it. */
static bool tell(const char *request) {
  int fd;
  return pmi1_is_weftrun() && getenv("PMI_FD") && !weft_boot_mpi_ended_pmi1() &&
         weft_boot_env_int("PMI_FD", 0, 1 << 30, &fd) == 0 &&
         weft_boot_pmi1_send(fd, request, strlen(request)) == 0;
}

bool weft_boot_tell_lost(const char *line) {
  char request[WEFT_BOOT_LOST_MAX + 32];
  snprintf(request, sizeof request, "cmd=weft_lost text=%.*s\n", WEFT_BOOT_LOST_MAX, line);
  return tell(request);
}

void weft_boot_tell_asleep(void) {
  tell("cmd=weft_asleep\n");
}

void weft_boot_tell_over(bool over) {
  if (over && weft_boot_mpi_state() == WEFT_MPI_RUNNING) return; /* it is MPI_Finalize that ends */
  tell(over ? "cmd=weft_over over=1\n" : "cmd=weft_over over=0\n");
}

void weft_boot_tell_term(void) {
  tell("cmd=weft_term\n");
}

static struct {
  int *pids;
  int n;
} peers;

void weft_boot_know_peers(int *pids, int n) {
  free(peers.pids);
  peers.pids = pids;
  peers.n = n;
}

/* Does this process run what we run? A number may have been given to another. */
static bool is_ours(int pid) {
  char link[64], mine[512], theirs[512];
  snprintf(link, sizeof link, "/proc/%d/exe", pid);
  ssize_t n = readlink("/proc/self/exe", mine, sizeof mine);
  return n > 0 && readlink(link, theirs, sizeof theirs) == n &&
         memcmp(mine, theirs, (size_t)n) == 0;
}

/* After MPICH's finalize Hydra takes no more orders, minds no exit status, and a death by signal
 * only now and then: so the PEs of this machine are ended from here. weftrun minds all three. */
static void end_peers(void) {
  for (int i = 0; i < peers.n; i++)
    if (peers.pids[i] != getpid() && is_ours(peers.pids[i])) kill(peers.pids[i], SIGKILL);
  kill(getpid(), SIGKILL);
}

void weft_boot_pmi1_abort(int status) {
  if (weft_boot_pmi1_send_abort(status) != 0 && weft_boot_mpi_ended_pmi1() && !pmi1_is_weftrun())
    end_peers();
  weft_boot_exit(status);
}

static void __attribute__((noreturn)) pmi1_abort(weft_boot_t *boot, int status) {
  (void)boot;
  weft_boot_pmi1_abort(status);
}

static void pmi1_finalize(weft_boot_t *boot) {
  weft_boot_pmi1_t *pmi1 = (weft_boot_pmi1_t *)boot;
  weft_nodes_free(pmi1->kvs.nodes);
  pmi1->kvs.nodes = NULL;
  /* MPICH says it in MPI_Finalize. Where a program ends without that weftrun is told from here. */
  const bool running = weft_boot_mpi_state() == WEFT_MPI_RUNNING && pmi1_is_weftrun();
  if (weft_boot_mpi_state() != WEFT_MPI_NONE && !weft_boot_mpi_is_open_mpi() && !running) return;
  (void)pmi1_ask(pmi1, "finalize_ack", "cmd=finalize\n");
}

/* A put is "cmd=put kvsname= key= value=\n" and the three words; AROUND covers the text and our
 * keys. */
size_t weft_boot_pmi1_value_max(int vallen_max, size_t name) {
  enum { AROUND = 100 };
  const int room = REQUEST_SIZE - (int)name - AROUND;
  const int text = vallen_max <= room ? vallen_max - (vallen_max > 0) : room;
  return text < 2 ? 0 : (size_t)text / 2;
}

static int pmi1_connect(weft_boot_pmi1_t *pmi1) {
  size_t len = 0;
  int rc = pmi1_ask(pmi1, "response_to_init", "cmd=init pmi_version=1 pmi_subversion=1\n");
  if (rc == 0) rc = pmi1_ask(pmi1, "maxes", "cmd=get_maxes\n");
  if (rc) return rc;
  int value_max = pmi1_number(pmi1, "vallen_max", 0);

  rc = pmi1_ask(pmi1, "my_kvsname", "cmd=get_my_kvsname\n");
  if (rc) return rc;
  const char *name = pmi1_field(pmi1, "kvsname", &len);
  if (!name || len == 0 || len >= NAME_SIZE) {
    weft_warn("the launcher names its PMI store by '%.200s'; weftrun and mpiexec.hydra do better",
              pmi1->line);
    return -EPROTO;
  }
  memcpy(pmi1->store, name, len);
  pmi1->store[len] = '\0';

  pmi1->kvs.value_max = weft_boot_pmi1_value_max(value_max, len);
  if (pmi1->kvs.value_max == 0) {
    weft_warn("the launcher's PMI store takes values of %d characters only; start with weftrun or "
              "mpiexec.hydra",
              value_max);
    return -EPROTO;
  }
  return 0;
}

/* Who shares a machine, if the launcher knows: one text for all PEs. */
static int pmi1_find_nodes(weft_boot_pmi1_t *pmi1) {
  char request[NAME_SIZE + 64];
  size_t len = 0;
  bool well;
  snprintf(request, sizeof request, "cmd=get kvsname=%s key=PMI_process_mapping\n", pmi1->store);
  int rc = pmi1_try(pmi1, "get_result", request, &well);
  const char *text = rc == 0 && well ? pmi1_field(pmi1, "value", &len) : NULL;
  if (!text) return rc;
  int *names = malloc((size_t)pmi1->boot.npes * sizeof *names);
  if (!names) return -ENOMEM;
  if (weft_nodes_parse(text, pmi1->boot.npes, names))
    rc = weft_nodes_new(&pmi1->boot, names, &pmi1->kvs.nodes);
  free(names);
  return rc;
}

bool weft_boot_pmi1_is_here(void) {
  const char *text = getenv("PMI_FD");
  char *end;
  if (!text) return false;
  const long fd = strtol(text, &end, 10);
  return end == text || *end || is_wire((int)fd); /* (that it is no number, open says) */
}

bool weft_boot_pmi1_is_lost(void) {
  const char *size = getenv("PMI_SIZE");
  return getenv("PMI_FD") && !weft_boot_pmi1_is_here() && size && atoi(size) > 1 &&
         !getenv(WEFT_BOOT_JOINED);
}

int weft_boot_pmi1_open(weft_boot_t **out) {
  static weft_boot_pmi1_t pmi1;
  int rc = weft_boot_env_int("PMI_FD", 0, 1 << 30, &pmi1.fd);
  if (rc == 0) rc = weft_boot_env_int("PMI_SIZE", 1, 1 << 30, &pmi1.boot.npes);
  if (rc == 0) rc = weft_boot_env_int("PMI_RANK", 0, pmi1.boot.npes - 1, &pmi1.boot.pe);
  pmi1.have = 0;
  pmi1.kvs.nodes = NULL;
  if (rc == 0) fcntl(pmi1.fd, F_SETFD, FD_CLOEXEC); /* a program this one starts is not a PE */
  if (rc == 0) rc = pmi1_connect(&pmi1);
  has_other_store = rc == 0 && strncmp(pmi1.store, "weft_", 5) != 0;
  if (rc == 0 && !pmi1_is_weftrun()) rc = pmi1_find_nodes(&pmi1);
  if (rc) return rc;
  setenv(WEFT_BOOT_JOINED, "1", 1);

  pmi1.kvs.put = pmi1_put;
  pmi1.kvs.fence = pmi1_fence;
  pmi1.kvs.get = pmi1_get;
  pmi1.boot.name = pmi1_is_weftrun() ? "weftrun" : "pmi1";
  pmi1.boot.allgather = pmi1_allgather;
  pmi1.boot.abort = pmi1_abort;
  pmi1.boot.finalize = pmi1_finalize;
  *out = &pmi1.boot;
  return 0;
}
