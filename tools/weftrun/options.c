/*
 * The command line of weftrun. Every mistake is one line and exit status 2.
 */
#include "weftrun/weftrun.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NPES_LIMIT = 1000000 };

static const char help_text[] =
    "usage: %s [options] program [arguments]\n"
    "Start a program as a job of several processing elements (PEs) on this machine.\n"
    "\n"
    "  -n, -np N           number of PEs (1)\n"
    "  --nodes K           pretend that this machine is K nodes: the PEs of two nodes share no "
    "memory\n"
    "  --netns A,B,...     one node per network namespace; PEs are dealt in blocks\n"
    "  --hosts A,B,...     run on these machines, by srun, prterun, mpirun or mpiexec.hydra,\n"
    "  --hostfile FILE     whichever is found first\n"
    "  -N, -ppn K          PEs per node: without -n as many on each node (this machine is one)\n"
    "  --bind-to WHAT      none (the default), or core: each PE to a processor of its own\n"
    "  -x VAR[=VALUE]      set (or just pass on) an environment variable; may be repeated\n"
    "  --wdir DIR          run in this directory\n"
    "  --aslr              keep addresses random; without it they are equal on all PEs, which\n"
    "                      lets shmem_align go beyond a page\n"
    "  --tag               begin every line of output with the number of its PE\n"
    "  --stats             print a table of every PE's operations, bytes and waits at the end\n"
    "  --trace FILE        write a trace of them, for Perfetto (ui.perfetto.dev) and weft-report\n"
    "  --collect FILE      write that trace of what a job under another launcher left when it "
    "crashed\n"
    "  -q, --quiet         do not say which options of other launchers are not needed here, nor\n"
    "                      what may be meant otherwise\n"
    "  -v, --verbose       say what is started, and what ended how\n"
    "  -h, --help          this text\n"
    "  -V, --version       the version\n"
    "\n"
    "Options of mpirun, mpiexec and srun that place and bind processes are taken and not needed.\n"
    "PE 0 reads the standard input. When a PE dies, the job ends and its status is returned.\n";

typedef enum option_id {
  OPT_NPES,
  OPT_NODES,
  OPT_NETNS,
  OPT_HOSTS,
  OPT_HOSTFILE,
  OPT_EXPORT,
  OPT_WDIR,
  OPT_ASLR,
  OPT_TAG,
  OPT_STATS,
  OPT_TRACE,
  OPT_COLLECT,
  OPT_VERBOSE,
  OPT_HELP,
  OPT_VERSION,
  OPT_PER_NODE,
  OPT_BIND,
  OPT_MAP,
  OPT_QUIET,
  OPT_ENV,   /* Hydra's -env VAR VALUE */
  OPT_UNUSED /* of other launchers: nothing that has to be done here */
} option_id_t;

/* Names of more than a letter are taken with one dash and with two. */
static const struct option_name {
  const char *name;
  option_id_t id;
  int nvalues;
} option_names[] = {
    /* clang-format off */
    {"n", OPT_NPES, 1}, {"np", OPT_NPES, 1}, {"c", OPT_NPES, 1}, {"ntasks", OPT_NPES, 1},
    {"nodes", OPT_NODES, 1},
    {"netns", OPT_NETNS, 1},
    {"hosts", OPT_HOSTS, 1}, {"host", OPT_HOSTS, 1}, {"H", OPT_HOSTS, 1},
    {"hostfile", OPT_HOSTFILE, 1}, {"machinefile", OPT_HOSTFILE, 1}, {"f", OPT_HOSTFILE, 1},
    {"x", OPT_EXPORT, 1},
    {"env", OPT_ENV, 2}, {"genv", OPT_ENV, 2},
    {"wdir", OPT_WDIR, 1}, {"wd", OPT_WDIR, 1}, {"chdir", OPT_WDIR, 1},
    {"aslr", OPT_ASLR, 0},
    {"tag", OPT_TAG, 0}, {"tag-output", OPT_TAG, 0}, {"prepend-rank", OPT_TAG, 0},
    {"l", OPT_TAG, 0}, {"label", OPT_TAG, 0},
    {"stats", OPT_STATS, 0},
    {"trace", OPT_TRACE, 1},
    {"collect", OPT_COLLECT, 1},
    {"v", OPT_VERBOSE, 0}, {"verbose", OPT_VERBOSE, 0},
    {"q", OPT_QUIET, 0}, {"quiet", OPT_QUIET, 0},
    {"h", OPT_HELP, 0}, {"help", OPT_HELP, 0},
    {"V", OPT_VERSION, 0}, {"version", OPT_VERSION, 0},
    {"N", OPT_PER_NODE, 1}, {"ppn", OPT_PER_NODE, 1}, {"npernode", OPT_PER_NODE, 1},
    {"ntasks-per-node", OPT_PER_NODE, 1},
    {"bind-to", OPT_BIND, 1}, {"bind-to-core", OPT_BIND, 0},
    {"map-by", OPT_MAP, 1},
    {"rank-by", OPT_UNUSED, 1}, {"cpu-bind", OPT_UNUSED, 1}, {"distribution", OPT_UNUSED, 1},
    {"mca", OPT_UNUSED, 2}, {"gmca", OPT_UNUSED, 2}, {"mpi", OPT_UNUSED, 1},
    {"oversubscribe", OPT_UNUSED, 0}, {"nooversubscribe", OPT_UNUSED, 0},
    {"overcommit", OPT_UNUSED, 0}, {"O", OPT_UNUSED, 0},
    {"use-hwthread-cpus", OPT_UNUSED, 0}, {"allow-run-as-root", OPT_UNUSED, 0},
    {"report-bindings", OPT_UNUSED, 0}, {"display-map", OPT_UNUSED, 0}, {"nolocal", OPT_UNUSED, 0},
    {"kill-on-bad-exit", OPT_UNUSED, 0}, {"genvall", OPT_UNUSED, 0}, {"envall", OPT_UNUSED, 0},
    /* clang-format on */
};

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) give_up(1, "out of memory");
  return memory;
}

static int read_count(const char *name, const char *text) {
  char *end;
  long value = strtol(text, &end, 10);
  if (end == text || *end || value < 1) {
    give_up(STATUS_USAGE, "%s takes a number from 1, not '%s'", name, text);
  }
  if (value > NPES_LIMIT) {
    give_up(STATUS_USAGE, "%s %s: more than %d is not supported", name, text, NPES_LIMIT);
  }
  return (int)value;
}

/* -c is another name of -n to mpirun, and the processors of a process to srun, where -n is given as
 * well. */
static void set_npes(options_t *options, const char *name, const char *text) {
  const int count = read_count(name, text), before = options->npes;
  const bool c = name[strspn(name, "-")] == 'c';
  if (before && before != count && options->counted_by_c != c)
    give_up(STATUS_USAGE, "-c %d is another name of -n here, and -n says %d", c ? count : before,
            c ? before : count);
  options->npes = count;
  options->counted_by_c = c;
}

/* "a,b": none is empty. */
static bool is_list_of_names(const char *list) {
  size_t len = strlen(list);
  return len > 0 && list[0] != ',' && list[len - 1] != ',' && !strstr(list, ",,");
}

static void read_node_names(options_t *options, const char *list) {
  char *rest = strdup(list);
  if (!is_list_of_names(list) || strchr(list, '/'))
    give_up(STATUS_USAGE, "--netns takes names of network namespaces such as a,b, not '%s'", list);
  options->node_names = allocate(strlen(list) + 1, sizeof(char *));
  options->nnodes = 0;
  options->netns = true;
  while (rest) options->node_names[options->nnodes++] = strsep(&rest, ",");
}

static void number_nodes(options_t *options, int count) {
  options->nnodes = count;
  options->netns = false;
  options->node_names = allocate((size_t)count, sizeof(char *));
  for (int i = 0; i < count; i++) {
    char name[16];
    snprintf(name, sizeof(name), "%d", i);
    options->node_names[i] = strdup(name);
  }
}

/* "VAR=VALUE", or "VAR" for the value it has now. */
static void add_export(options_t *options, const char *text) {
  size_t name_len = strcspn(text, "=");
  char *pair;
  if (name_len == 0) give_up(STATUS_USAGE, "-x takes VAR=VALUE, not '%s'", text);
  if (text[name_len]) {
    pair = strdup(text);
  } else {
    const char *value = getenv(text);
    if (!value) give_up(STATUS_USAGE, "-x %s: no such variable in the environment", text);
    pair = allocate(name_len + strlen(value) + 2, 1);
    sprintf(pair, "%s=%s", text, value);
  }
  options->exports[options->nexports++] = pair;
}

/* A note for check_together, which says all of them in one line. */
static void note_unused(options_t *options, const char *word, char *const *values, int n) {
  size_t at = strlen(options->unused), room = sizeof(options->unused);
  at += (size_t)snprintf(options->unused + at, room - at, "%s%s", at ? ", " : "", word);
  for (int i = 0; i < n && at < room; i++)
    at += (size_t)snprintf(options->unused + at, room - at, " %s", values[i]);
}

/* "core", or "core:overload-allowed". Behind "none" stand the larger places of mpirun and Hydra. */
static void read_binding(options_t *options, const char *name, char *const *values, int n) {
  static const char *const places[] = {"core",    "hwthread", "none",    "socket",
                                       "package", "numa",     "board",   "machine",
                                       "l1cache", "l2cache",  "l3cache", "user"};
  const char *value = n > 0 ? values[0] : "core";
  size_t place = 0, len = strcspn(value, ":");
  const size_t count = sizeof(places) / sizeof(places[0]);
  while (place < count && (strlen(places[place]) != len || strncmp(places[place], value, len) != 0))
    place++;
  if (place == count)
    give_up(STATUS_USAGE, "%s takes none, core or hwthread, not '%s'", name, value);
  if (place > 2)
    note_unused(options, name, values, n);
  else
    options->bind = place < 2;
}

/* "ppr:4:node" is -N 4; how PEs are dealt to sockets and cores decides nothing here. */
static void read_map(options_t *options, const char *name, char *const *values) {
  char what[32];
  int count;
  if (sscanf(values[0], "ppr:%d:%31[a-z]", &count, what) == 2 && count > 0 &&
      strcmp(what, "node") == 0)
    options->per_node = count;
  else
    note_unused(options, name, values, 1);
}

static void add_pair(options_t *options, const char *name, const char *value) {
  char *pair = allocate(strlen(name) + strlen(value) + 2, 1);
  sprintf(pair, "%s=%s", name, value);
  add_export(options, pair);
  free(pair);
}

static void apply(options_t *options, option_id_t id, const char *name, char *const *values,
                  int n) {
  const char *value = n > 0 ? values[0] : NULL;
  switch (id) {
  case OPT_NPES: set_npes(options, name, value); break;
  case OPT_PER_NODE: options->per_node = read_count(name, value); break;
  case OPT_BIND: read_binding(options, name, values, n); break;
  case OPT_MAP: read_map(options, name, values); break;
  case OPT_QUIET: options->quiet = true; break;
  case OPT_ENV: add_pair(options, values[0], values[1]); break;
  case OPT_UNUSED: note_unused(options, name, values, n); break;
  case OPT_NODES: number_nodes(options, read_count(name, value)); break;
  case OPT_NETNS: read_node_names(options, value); break;
  case OPT_HOSTS:
    if (!is_list_of_names(value))
      give_up(STATUS_USAGE, "%s takes names of hosts such as a,b, not '%s'", name, value);
    options->hosts = value;
    break;
  case OPT_HOSTFILE: options->hostfile = value; break;
  case OPT_EXPORT: add_export(options, value); break;
  case OPT_WDIR: options->wdir = value; break;
  case OPT_ASLR: options->aslr = true; break;
  case OPT_TAG: options->tag = true; break;
  case OPT_STATS: options->stats = true; break;
  case OPT_TRACE:
    if (!*value) give_up(STATUS_USAGE, "--trace takes the name of a file to write");
    options->trace = value;
    break;
  case OPT_COLLECT: options->collect = value; break;
  case OPT_VERBOSE: options->verbose = true; break;
  case OPT_HELP: printf(help_text, options->self); exit(0);
  case OPT_VERSION: printf("%s (Weft) " WEFT_VERSION "\n", options->self); exit(0);
  }
}

static const struct option_name *find_option(const char *word, size_t *len) {
  const bool two = word[1] == '-';
  const char *name = word + 1 + two;
  *len = two ? strcspn(name, "=") : strlen(name);
  for (size_t i = 0; i < sizeof(option_names) / sizeof(option_names[0]); i++) {
    const struct option_name *known = &option_names[i];
    if (strlen(known->name) == *len && strncmp(known->name, name, *len) == 0 && (*len > 1 || !two))
      return known;
  }
  return NULL;
}

/* "-n4", as srun takes it: a number right behind the letter. */
static const struct option_name *find_number(const char *word) {
  const char letter[] = {'-', word[1], '\0'};
  size_t len;
  if (word[1] == '\0' || word[2] < '0' || word[2] > '9') return NULL;
  const struct option_name *known = find_option(letter, &len);
  return known && (known->id == OPT_NPES || known->id == OPT_PER_NODE) ? known : NULL;
}

/* Read "-n 4", "-n4", "--nodes 2" or "--nodes=2" at argv[at]; returns the next word's index. */
static int read_option(options_t *options, char **argv, int at) {
  size_t len;
  char *word = argv[at], *values[2] = {NULL, NULL};
  const struct option_name *known = find_option(word, &len), *numbered = find_number(word);
  if (!known && !numbered)
    give_up(STATUS_USAGE, "unknown option %s; see %s --help", word, options->self);
  if (!known) {
    apply(options, numbered->id, word, (char *[]){word + 2}, 1);
    return at + 1;
  }
  char *after = strchr(word, '=');
  int n = 0;
  if (after) {
    if (known->nvalues != 1)
      give_up(STATUS_USAGE, "%.*s takes %s", (int)(after - word), word,
              known->nvalues ? "two words" : "no value");
    *after = '\0';
    values[n++] = after + 1;
  }
  for (; n < known->nvalues; n++) {
    if (!argv[at + 1]) give_up(STATUS_USAGE, "%s needs a value", word);
    values[n] = argv[++at];
  }
  apply(options, known->id, word, values, n);
  return at + 1;
}

/* -N K: with hosts the other launcher deals them out. */
static void count_per_node(options_t *options, bool hosts) {
  const int nodes = options->hosts ? hosts_count(options) : options->nnodes ? options->nnodes : 1;
  if (!options->per_node) return;
  if (options->hostfile && !options->npes)
    give_up(STATUS_USAGE, "-N %d with --hostfile needs -n, the number of all PEs",
            options->per_node);
  if (!options->npes) options->npes = nodes * options->per_node;
  if (hosts) return;
  if ((options->npes + nodes - 1) / nodes > options->per_node && !options->quiet)
    say("-N %d: this machine is %d node%s, so %d PEs are on each; --nodes makes it pretend more",
        options->per_node, nodes, nodes > 1 ? "s" : "", (options->npes + nodes - 1) / nodes);
}

/* What follows from several options. */
static void settle(options_t *options) {
  const bool hosts = options->hosts || options->hostfile;
  count_per_node(options, hosts);
  if (hosts && options->bind) note_unused(options, "--bind-to", (char *[]){"core"}, 1);
  options->uncounted = !options->npes;
  if (!options->npes) options->npes = 1;
  if (*options->unused && !options->quiet)
    say("%s: not needed here%s", options->unused,
        hosts ? ", and not handed over" : "; PEs run where the system puts them");
}

static void check_together(const options_t *options) {
  bool hosts = options->hosts || options->hostfile;
  if (options->collect && options->argv[0]) {
    give_up(STATUS_USAGE, "--collect %s runs no program", options->collect);
  }
  if (!options->argv[0] && !options->collect) {
    if (options->trace)
      give_up(STATUS_USAGE, "no program given: --trace has taken %s as the file to write",
              options->trace);
    give_up(STATUS_USAGE, "no program given; see %s --help", options->self);
  }
  if (options->hosts && options->hostfile) {
    give_up(STATUS_USAGE, "--hosts and --hostfile exclude each other");
  }
  if (hosts && options->nnodes) {
    give_up(STATUS_USAGE, "--nodes and --netns are for jobs on this machine, without --hosts");
  }
  if (options->nnodes > options->npes) {
    give_up(STATUS_USAGE, "%d nodes need at least as many PEs, not -n %d", options->nnodes,
            options->npes);
  }
}

void options_read(options_t *options, const char *self, int argc, char **argv) {
  int at = 1;
  memset(options, 0, sizeof(*options));
  options->self = self;
  options->exports = allocate((size_t)argc + 4, sizeof(char *)); /* and recording.c's */
  while (at < argc && argv[at][0] == '-') {
    if (strcmp(argv[at], "--") == 0) {
      at++;
      break;
    }
    at = read_option(options, argv, at);
  }
  options->argv = argv + at;
  settle(options);
  check_together(options);
}

const char *options_value_of(const options_t *options, const char *name) {
  const size_t len = strlen(name);
  for (int i = options->nexports - 1; i >= 0; i--) {
    const char *pair = options->exports[i];
    if (strncmp(pair, name, len) == 0 && pair[len] == '=') return pair + len + 1;
  }
  const char *value = getenv(name);
  return value ? value : "";
}

int options_node_of(const options_t *options, int pe) {
  return (int)((int64_t)pe * options->nnodes / options->npes);
}
