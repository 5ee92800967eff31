/*
 * The server of the PMI-1 wire protocol, as far as Weft and MPICH use it: a key-value store and a
 * barrier. It notes what a PE says about its end (finalize, abort); ending.c judges it.
 */
#include "weftrun/weftrun.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The limits are Hydra's: MPICH's client has buffers of that size. */
enum {
  STORE_NAME_MAX = 256,
  KEY_MAX = 64,
  VALUE_MAX = 1024,
  REQUEST_MAX = 4096,
  ANSWER_MAX = 2048
};

/* ---- the store: open addressing, twice as many places as keys; keys are never removed -------- */

struct entry {
  char *key, *value;
};

struct store {
  char name[64];
  size_t nkeys, nplaces; /* nplaces is a power of two */
  struct entry *places;
};

static struct entry *store_place(struct entry *places, size_t nplaces, const char *key) {
  size_t hash = 1469598103934665603u;
  for (const char *c = key; *c; c++) hash = (hash ^ (unsigned char)*c) * 1099511628211u;
  size_t at = (hash >> 7) & (nplaces - 1);
  while (places[at].key && strcmp(places[at].key, key) != 0) at = (at + 1) & (nplaces - 1);
  return &places[at];
}

static bool store_grow(store_t *store) {
  size_t nplaces = store->nplaces ? 2 * store->nplaces : 256;
  struct entry *places = calloc(nplaces, sizeof(*places));
  if (!places) return false;
  for (size_t i = 0; i < store->nplaces; i++) {
    struct entry *old = &store->places[i];
    if (old->key) *store_place(places, nplaces, old->key) = *old;
  }
  free(store->places);
  store->places = places;
  store->nplaces = nplaces;
  return true;
}

static bool store_put(store_t *store, const char *key, const char *value) {
  if (2 * (store->nkeys + 1) > store->nplaces && !store_grow(store)) return false;
  struct entry *place = store_place(store->places, store->nplaces, key);
  char *copy = strdup(value);
  if (!copy) return false;
  if (place->key) {
    free(place->value);
  } else {
    place->key = strdup(key);
    if (!place->key) {
      free(copy);
      return false;
    }
    store->nkeys++;
  }
  place->value = copy;
  return true;
}

/* Which PEs share a node, in the words of MPICH: blocks of (first node, nodes, PEs of each). */
static void put_process_mapping(store_t *store, const options_t *options) {
  char text[VALUE_MAX];
  int nnodes = options->nnodes ? options->nnodes : 1, n;
  if (options->npes % nnodes == 0) {
    n = snprintf(text, sizeof(text), "(vector,(0,%d,%d))", nnodes, options->npes / nnodes);
  } else {
    n = snprintf(text, sizeof(text), "(vector");
    for (int pe = 0, first = 0; pe < options->npes; pe++) {
      int node = options_node_of(options, pe);
      if (pe + 1 < options->npes && options_node_of(options, pe + 1) == node) continue;
      n += snprintf(text + n, sizeof(text) - (size_t)n, ",(%d,1,%d)", node, pe + 1 - first);
      if (n >= (int)sizeof(text) - 2) return; /* MPICH asks each PE for its host name then */
      first = pe + 1;
    }
    n += snprintf(text + n, sizeof(text) - (size_t)n, ")");
  }
  if (n < (int)sizeof(text)) store_put(store, "PMI_process_mapping", text);
}

store_t *pmi_store_new(const options_t *options) {
  store_t *store = calloc(1, sizeof(*store));
  if (!store || !store_grow(store)) return NULL;
  snprintf(store->name, sizeof(store->name), "weft_%d_%llu", (int)getpid(),
           (unsigned long long)now_ms());
  put_process_mapping(store, options);
  return store;
}

/* ---- requests and answers -------------------------------------------------------------------- */

/* A client waits for each answer before it asks again, so its socket has room; one that does not is
 * dropped. */
__attribute__((format(printf, 2, 3))) static void answer(pe_t *pe, const char *format, ...) {
  char text[ANSWER_MAX];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(text, sizeof(text) - 1, format, args);
  va_end(args);
  if (n > (int)sizeof(text) - 2) n = (int)sizeof(text) - 2;
  text[n++] = '\n';
  while (pe->pmi >= 0) {
    ssize_t sent = send(pe->pmi, text, (size_t)n, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent == n) return;
    if (sent < 0 && errno == EINTR) continue;
    close(pe->pmi);
    pe->pmi = -1;
  }
}

/* Copy the value of `name`. With `rest`, it is all that follows. False if it is missing or too
 * long. */
static bool field(const char *line, const char *name, bool rest, char *value, size_t size) {
  size_t name_len = strlen(name);
  for (const char *at = line; *at;) {
    size_t word = strcspn(at, " ");
    if (word > name_len && at[name_len] == '=' && strncmp(at, name, name_len) == 0) {
      const char *from = at + name_len + 1;
      size_t len = rest ? strlen(from) : word - name_len - 1;
      if (len >= size) return false;
      memcpy(value, from, len);
      value[len] = '\0';
      return true;
    }
    at += word;
    at += strspn(at, " ");
  }
  return false;
}

static void do_init(job_t *job, pe_t *pe, const char *line) {
  (void)job;
  (void)line;
  pe->joined = true;
  pe->left = pe->over = false; /* a second program of this PE */
  answer(pe, "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0");
}

static void do_get_maxes(job_t *job, pe_t *pe, const char *line) {
  (void)job;
  (void)line;
  answer(pe, "cmd=maxes kvsname_max=%d keylen_max=%d vallen_max=%d", STORE_NAME_MAX, KEY_MAX,
         VALUE_MAX);
}

static void do_get_my_kvsname(job_t *job, pe_t *pe, const char *line) {
  (void)line;
  answer(pe, "cmd=my_kvsname kvsname=%s", job->store->name);
}

static void do_get_appnum(job_t *job, pe_t *pe, const char *line) {
  (void)job;
  (void)line;
  answer(pe, "cmd=appnum appnum=0");
}

static void do_get_universe_size(job_t *job, pe_t *pe, const char *line) {
  (void)line;
  answer(pe, "cmd=universe_size size=%d", job->npes);
}

static void do_put(job_t *job, pe_t *pe, const char *line) {
  char key[KEY_MAX], value[VALUE_MAX];
  if (!field(line, "key", false, key, sizeof(key)) ||
      !field(line, "value", true, value, sizeof(value))) {
    answer(pe, "cmd=put_result rc=-1 msg=key_or_value_missing_or_too_long");
  } else if (!store_put(job->store, key, value)) {
    answer(pe, "cmd=put_result rc=-1 msg=out_of_memory");
  } else {
    answer(pe, "cmd=put_result rc=0 msg=success");
  }
}

static void do_get(job_t *job, pe_t *pe, const char *line) {
  char key[KEY_MAX];
  const struct entry *place = NULL;
  if (field(line, "key", false, key, sizeof(key))) {
    place = store_place(job->store->places, job->store->nplaces, key);
  }
  if (place && place->key) {
    answer(pe, "cmd=get_result rc=0 msg=success value=%s", place->value);
  } else {
    answer(pe, "cmd=get_result rc=-1 msg=key_not_found value=unknown");
  }
}

void pmi_barrier(job_t *job) {
  int missing = -1;
  for (int i = 0; i < job->npes; i++) {
    const pe_t *pe = &job->pes[i];
    if (!pe->in_barrier && !pe->given_up && !pe->asleep) return;
    if (!pe->in_barrier && missing < 0) missing = i;
  }
  if (job->nbarrier == 0) return;
  if (missing >= 0 && job->gather.all) {
    ending_without(job, missing);
    return;
  }
  job->nbarrier = 0;
  for (int i = 0; i < job->npes; i++) {
    pe_t *pe = &job->pes[i];
    if (pe->in_barrier && !pe->gathers && !pe->given_up) answer(pe, "cmd=barrier_out");
    pe->in_barrier = false;
  }
  gather_release(job);
}

static void enter_barrier(job_t *job, pe_t *pe) {
  pe->in_barrier = true;
  if (++job->nbarrier == job->npes || job->goes_on) pmi_barrier(job);
  if (job->nbarrier > 0) ending_suspect(job); /* if a PE has left already, others wait in vain */
}

/* The next four wait for no answer. */
static void do_lost(job_t *job, pe_t *pe, const char *line) {
  char text[REQUEST_MAX];
  if (pe->lost || !field(line, "text", true, text, sizeof(text))) return;
  pe->lost = strdup(text);
  ending_suspect_loss(job);
}

static void do_asleep(job_t *job, pe_t *pe, const char *line) {
  (void)line;
  if (!job->goes_on || pe->asleep) return;
  pe->asleep = true;
  say("pe %d (pid %d) has failed by its own word; the others go on", (int)(pe - job->pes),
      (int)pe->pid);
  pmi_barrier(job);
}

static void do_term(job_t *job, pe_t *pe, const char *line) {
  (void)job;
  (void)line;
  pe->by_term = true;
}

static void do_over(job_t *job, pe_t *pe, const char *line) {
  char over[4];
  (void)job;
  pe->over = field(line, "over", false, over, sizeof(over)) && strcmp(over, "1") == 0;
}

static void do_barrier_in(job_t *job, pe_t *pe, const char *line) {
  (void)line;
  if (!pe->in_barrier) enter_barrier(job, pe);
}

static void do_gather(job_t *job, pe_t *pe, const char *line) {
  char bytes[16], value[REQUEST_MAX];
  if (pe->in_barrier) return;
  if (!field(line, "bytes", false, bytes, sizeof(bytes)) ||
      !field(line, "value", false, value, sizeof(value)) ||
      !gather_take(job, (int)(pe - job->pes), bytes, value)) {
    answer(pe, "cmd=weft_gathered rc=-1 msg=the_blobs_differ_in_size");
    return;
  }
  pe->gathers = true;
  enter_barrier(job, pe);
}

static void do_finalize(job_t *job, pe_t *pe, const char *line) {
  (void)job;
  (void)line;
  pe->left = true;
  answer(pe, "cmd=finalize_ack");
}

static void do_abort(job_t *job, pe_t *pe, const char *line) {
  char status[16];
  pe->aborted = true;
  pe->abort_status =
      field(line, "exitcode", false, status, sizeof(status)) ? atoi(status) & 255 : 1;
  ending_suspect(job);
}

static void do_unsupported(job_t *job, pe_t *pe, const char *line) {
  char cmd[64] = "unknown";
  (void)job;
  field(line, "cmd", false, cmd, sizeof(cmd));
  answer(pe, "cmd=%s_result rc=-1 msg=not_supported_by_weftrun", cmd);
}

static void serve_line(job_t *job, pe_t *pe, const char *line) {
  static const struct {
    const char *cmd;
    void (*serve)(job_t *job, pe_t *pe, const char *line);
  } commands[] = {
      {"init", do_init},
      {"get_maxes", do_get_maxes},
      {"get_my_kvsname", do_get_my_kvsname},
      {"get_appnum", do_get_appnum},
      {"get_universe_size", do_get_universe_size},
      {"put", do_put},
      {"get", do_get},
      {"barrier_in", do_barrier_in},
      {"weft_gather", do_gather},
      {"finalize", do_finalize},
      {"abort", do_abort},
      {"weft_lost", do_lost},
      {"weft_asleep", do_asleep},
      {"weft_term", do_term},
      {"weft_over", do_over},
  };
  char cmd[64];
  if (pe->in_multi_line) {
    if (strcmp(line, "endcmd") != 0) return;
    pe->in_multi_line = false;
    answer(pe, "cmd=spawn_result rc=-1 msg=not_supported_by_weftrun");
    return;
  }
  if (strncmp(line, "mcmd=", 5) == 0) {
    pe->in_multi_line = true;
    return;
  }
  if (!field(line, "cmd", false, cmd, sizeof(cmd))) cmd[0] = '\0';
  for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
    if (strcmp(cmd, commands[i].cmd) == 0) {
      commands[i].serve(job, pe, line);
      return;
    }
  }
  do_unsupported(job, pe, line);
}

static void serve_lines(job_t *job, pe_t *pe) {
  char *line = pe->in, *end;
  while ((end = memchr(line, '\n', (size_t)(pe->in + pe->nin - line)))) {
    *end = '\0';
    serve_line(job, pe, line);
    line = end + 1;
  }
  pe->nin -= (size_t)(line - pe->in);
  memmove(pe->in, line, pe->nin);
}

void pmi_serve(job_t *job, pe_t *pe) {
  if (!pe->in) pe->in = malloc(REQUEST_MAX);
  while (pe->pmi >= 0) {
    if (!pe->in || pe->nin == REQUEST_MAX) break; /* no memory, or not PMI-1 at all */
    ssize_t n = recv(pe->pmi, pe->in + pe->nin, REQUEST_MAX - pe->nin, MSG_DONTWAIT);
    if (n > 0) {
      pe->nin += (size_t)n;
      serve_lines(job, pe);
    } else if (n < 0 && errno == EAGAIN) {
      return;
    } else if (n == 0 || errno != EINTR) {
      break;
    }
  }
  if (pe->pmi >= 0) close(pe->pmi); /* epoll forgets it by itself */
  pe->pmi = -1;
}
