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
    "  -x VAR[=VALUE]      set (or just pass on) an environment variable; may be repeated\n"
    "  --wdir DIR          run in this directory\n"
    "  --aslr              keep addresses random; without it they are equal on all PEs, which\n"
    "                      lets shmem_align go beyond a page\n"
    "  --tag               begin every line of output with the number of its PE\n"
    "  --stats             print a table of every PE's operations, bytes and waits at the end\n"
    "  --trace FILE        write a trace of them, for Perfetto (ui.perfetto.dev) and weft-report\n"
    "  --collect FILE      write that trace of what a job under another launcher left when it "
    "crashed\n"
    "  -v, --verbose       say what is started, and what ended how\n"
    "  -h, --help          this text\n"
    "  -V, --version       the version\n"
    "\n"
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
  OPT_VERSION
} option_id_t;

static const struct option_name {
  const char *name;
  option_id_t id;
  bool has_value;
} option_names[] = {
    /* clang-format off */
    {"-n", OPT_NPES, true},
    {"-np", OPT_NPES, true},
    {"--np", OPT_NPES, true},
    {"--nodes", OPT_NODES, true},
    {"--netns", OPT_NETNS, true},
    {"--hosts", OPT_HOSTS, true},
    {"--host", OPT_HOSTS, true},
    {"--hostfile", OPT_HOSTFILE, true},
    {"-x", OPT_EXPORT, true},
    {"--wdir", OPT_WDIR, true},
    {"--aslr", OPT_ASLR, false},
    {"--tag", OPT_TAG, false},
    {"--stats", OPT_STATS, false},
    {"--trace", OPT_TRACE, true},
    {"--collect", OPT_COLLECT, true},
    {"-v", OPT_VERBOSE, false},
    {"--verbose", OPT_VERBOSE, false},
    {"-h", OPT_HELP, false},
    {"--help", OPT_HELP, false},
    {"-V", OPT_VERSION, false},
    {"--version", OPT_VERSION, false},
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

static void read_node_names(options_t *options, const char *list) {
  char *copy = strdup(list), *rest = copy;
  options->node_names = allocate(strlen(list) + 1, sizeof(char *));
  options->nnodes = 0;
  options->netns = true;
  while (rest) {
    char *name = strsep(&rest, ",");
    if (!*name || strchr(name, '/')) {
      give_up(STATUS_USAGE, "--netns takes names of network namespaces such as a,b, not '%s'",
              list);
    }
    options->node_names[options->nnodes++] = name;
  }
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

static void apply(options_t *options, option_id_t id, const char *name, const char *value) {
  switch (id) {
  case OPT_NPES: options->npes = read_count(name, value); break;
  case OPT_NODES: number_nodes(options, read_count(name, value)); break;
  case OPT_NETNS: read_node_names(options, value); break;
  case OPT_HOSTS: options->hosts = value; break;
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

/* Find "-n 4", "--nodes 2" or "--nodes=2" at argv[at]; returns the index of the next word. */
static int read_option(options_t *options, char **argv, int at) {
  char *word = argv[at];
  size_t len = strncmp(word, "--", 2) == 0 ? strcspn(word, "=") : strlen(word);
  for (size_t i = 0; i < sizeof(option_names) / sizeof(option_names[0]); i++) {
    const struct option_name *known = &option_names[i];
    if (strlen(known->name) != len || strncmp(known->name, word, len) != 0) continue;
    const char *value = NULL;
    if (!known->has_value) {
      if (word[len]) give_up(STATUS_USAGE, "%s takes no value", known->name);
    } else if (word[len]) {
      value = word + len + 1;
    } else if (argv[at + 1]) {
      value = argv[++at];
    } else {
      give_up(STATUS_USAGE, "%s needs a value", known->name);
    }
    apply(options, known->id, known->name, value);
    return at + 1;
  }
  give_up(STATUS_USAGE, "unknown option %s; see %s --help", word, options->self);
}

static void check_together(const options_t *options) {
  bool hosts = options->hosts || options->hostfile;
  if (options->collect && options->argv[0]) {
    give_up(STATUS_USAGE, "--collect %s runs no program", options->collect);
  }
  if (!options->argv[0] && !options->collect) {
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

void options_read(options_t *options, int argc, char **argv) {
  const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
  int at = 1;
  memset(options, 0, sizeof(*options));
  options->self = slash ? slash + 1 : argc > 0 ? argv[0] : "weftrun";
  options->npes = 1;
  options->exports = allocate((size_t)argc + 4, sizeof(char *)); /* and recording.c's */
  while (at < argc && argv[at][0] == '-') {
    if (strcmp(argv[at], "--") == 0) {
      at++;
      break;
    }
    at = read_option(options, argv, at);
  }
  options->argv = argv + at;
  check_together(options);
}

int options_node_of(const options_t *options, int pe) {
  return (int)((int64_t)pe * options->nnodes / options->npes);
}
