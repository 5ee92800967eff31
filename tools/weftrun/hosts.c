/*
 * --hosts: other machines are reached by the launcher that the site already has. weftrun becomes it
 * (exec), with the same job in its words. Nothing of the job runs through us then.
 */
#include "weftrun/weftrun.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

typedef struct command {
  char **words;
  size_t n, room;
} command_t;

static void add(command_t *command, const char *word) {
  if (command->n + 1 >= command->room) {
    command->room = command->room ? 2 * command->room : 64;
    command->words = realloc(command->words, command->room * sizeof(char *));
    if (!command->words) give_up(1, "out of memory");
  }
  /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): no caller has NULL */
  command->words[command->n++] = strdup(word);
  command->words[command->n] = NULL;
}

static void add_pair(command_t *command, const char *option, const char *value) {
  add(command, option);
  add(command, value);
}

static void add_number(command_t *command, const char *option, int value) {
  char text[16];
  snprintf(text, sizeof(text), "%d", value);
  add_pair(command, option, text);
}

int hosts_count(const options_t *options) {
  int n = 1;
  for (const char *c = options->hosts; c && *c; c++) n += *c == ',';
  return n;
}

/* PEs are dealt to hosts in blocks. */
static int pes_per_host(const options_t *options) {
  if (options->per_node) return options->per_node;
  int nhosts = hosts_count(options);
  return (options->npes + nhosts - 1) / nhosts;
}

/* "a,b" as "a:2,b:2", the way Open MPI and PRRTE count; a host that has a count keeps it. */
static void add_counted_hosts(command_t *command, const options_t *options) {
  char *copy = strdup(options->hosts), *rest = copy;
  char *text = calloc(strlen(copy) + 16 * (size_t)hosts_count(options) + 1, 1), *at = text;
  while (rest) {
    char *host = strsep(&rest, ",");
    at += sprintf(at, "%s%s", at == text ? "" : ",", host);
    if (!strchr(host, ':')) at += sprintf(at, ":%d", pes_per_host(options));
  }
  add_pair(command, "--host", text);
  free(text);
  free(copy);
}

static bool is_ours(const char *variable) {
  static const char *const prefixes[] = {"WEFT_", "SHMEM_", "SMA_", "GASNET_", "UPC_", "ARMCI_"};
  for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
    if (strncmp(variable, prefixes[i], strlen(prefixes[i])) == 0) return true;
  return false;
}

/* Open MPI and PRRTE pass on what they are told to; Hydra and Slurm pass on everything. */
static void add_variables(command_t *command, const options_t *options) {
  char name[256];
  for (char **variable = environ; *variable; variable++) {
    size_t len = strcspn(*variable, "=");
    bool asked = is_ours(*variable);
    for (int i = 0; i < options->nexports; i++) {
      asked |= strncmp(options->exports[i], *variable, len + 1) == 0;
    }
    if (!asked || len >= sizeof(name)) continue;
    memcpy(name, *variable, len);
    name[len] = '\0';
    add_pair(command, "-x", name);
  }
}

static void build_srun(command_t *command, const options_t *options) {
  char *file = options->hostfile ? realpath(options->hostfile, NULL) : NULL;
  add_pair(command, "--mpi=pmi2", "--kill-on-bad-exit=1");
  add(command, "--cpu-bind=none");
  add_number(command, "-n", options->npes);
  if (options->hosts) add_number(command, "-N", hosts_count(options));
  if (options->hosts || options->per_node)
    add_number(command, "--ntasks-per-node", pes_per_host(options));
  add_pair(command, "-w", file ? file : options->hosts);
  if (options->wdir) add_pair(command, "--chdir", options->wdir);
  if (options->tag) add(command, "--label");
  free(file);
}

/* A PE's helper thread must not share a single core with it, hence no binding. */
static void build_open(command_t *command, const options_t *options, bool prte) {
  add_number(command, "-n", options->npes);
  if (options->hosts) {
    add_counted_hosts(command, options);
  } else {
    add_pair(command, "--hostfile", options->hostfile);
  }
  char map[48] = "slot";
  if (options->per_node) snprintf(map, sizeof(map), "ppr:%d:node", options->per_node);
  if (prte) strcat(map, ":OVERSUBSCRIBE");
  add_pair(command, "--map-by", map);
  add_pair(command, "--bind-to", "none");
  if (!prte) add(command, "--oversubscribe");
  if (geteuid() == 0) add(command, "--allow-run-as-root");
  if (options->wdir) add_pair(command, "--wdir", options->wdir);
  if (options->tag && prte) add_pair(command, "--output", "tag");
  if (options->tag && !prte) add(command, "--tag-output");
  add_variables(command, options);
}

static void build_prterun(command_t *command, const options_t *options) {
  build_open(command, options, true);
}

static void build_mpirun(command_t *command, const options_t *options) {
  build_open(command, options, false);
}

static void build_hydra(command_t *command, const options_t *options) {
  add_number(command, "-n", options->npes);
  if (options->hosts) {
    add_pair(command, "-hosts", options->hosts);
    add_number(command, "-ppn", pes_per_host(options));
  } else {
    add_pair(command, "-f", options->hostfile);
    if (options->per_node) add_number(command, "-ppn", options->per_node);
  }
  if (options->wdir) add_pair(command, "-wdir", options->wdir);
  if (options->tag) add(command, "-prepend-rank");
}

static bool in_path(const char *name, char *path, size_t size) {
  const char *list = getenv("PATH");
  while (list && *list) {
    size_t len = strcspn(list, ":");
    int n = snprintf(path, size, "%.*s/%s", (int)len, list, name);
    if (len > 0 && n < (int)size && access(path, X_OK) == 0) return true;
    list += len + (list[len] == ':');
  }
  return false;
}

/* There are mpiruns of several MPIs. */
static bool is_open_mpi(const char *path) {
  char command[4200], line[256] = "";
  snprintf(command, sizeof(command), "'%s' --version 2>/dev/null", path);
  FILE *pipe = popen(command, "r");
  if (!pipe) return false;
  while (fgets(line, sizeof(line), pipe) && !strstr(line, "Open MPI")) line[0] = '\0';
  pclose(pipe);
  return line[0] != '\0';
}

static bool usable(const char *name, char *path, size_t size) {
  if (strcmp(name, "srun") == 0 && !getenv("SLURM_JOB_ID")) return false;
  if (!in_path(name, path, size)) return false;
  return strcmp(name, "mpirun") != 0 || is_open_mpi(path);
}

/* The launchers tell it in many words, or run on this machine. */
static void check_file(const char *path) {
  struct stat st;
  if (access(path, R_OK) != 0 || stat(path, &st) != 0)
    give_up(STATUS_USAGE, "cannot read the host file %s: %s", path, strerror(errno));
  if (S_ISDIR(st.st_mode)) give_up(STATUS_USAGE, "the host file %s is a directory", path);
}

void hosts_hand_over(const options_t *options) {
  static const struct {
    const char *name;
    void (*build)(command_t *command, const options_t *options);
  } launchers[] = {
      {"srun", build_srun},
      {"prterun", build_prterun},
      {"mpirun", build_mpirun},
      {"mpiexec.hydra", build_hydra},
  };
  char path[4096];
  command_t command = {0};

  if (options->hostfile) check_file(options->hostfile);
  for (int i = 0; i < options->nexports; i++) putenv(options->exports[i]);
  unsetenv("WEFT_LAUNCHER");
  for (size_t i = 0; i < sizeof(launchers) / sizeof(launchers[0]); i++) {
    if (!usable(launchers[i].name, path, sizeof(path))) continue;
    add(&command, path);
    launchers[i].build(&command, options);
    for (char **word = options->argv; *word; word++) add(&command, *word);
    if (options->verbose) {
      char text[900] = "";
      for (size_t w = 0, at = 0; w < command.n && at < sizeof(text); w++) {
        at += (size_t)snprintf(text + at, sizeof(text) - at, " %s", command.words[w]);
      }
      say("handing over to%s", text);
    }
    execv(path, command.words);
    give_up(STATUS_NOT_RUNNABLE, "cannot run %s: %s", path, strerror(errno));
  }
  give_up(STATUS_USAGE, "--hosts needs one of srun (inside a Slurm allocation), prterun, mpirun "
                        "(Open MPI) or mpiexec.hydra, and found none");
}
