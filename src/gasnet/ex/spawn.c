/*
 * spawn.c: before a job begins and just after: a program of smp-conduit or udp-conduit that was
 * started without a launcher starts itself through weftrun; GASNET_SUPERNODE_MAXSIZE makes smaller
 * nodes; the environment is made the same everywhere. Knows how programs are started, and nothing
 * of GASNet's objects.
 */
#include "gasnet/ex/internal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boot/boot.h"
#include "coll/coll.h"
#include "gasnet/tools/tools.h"
#include "runtime/runtime.h"

/* "SMP", "UDP" or "OFI": in libgasnet-<conduit>-<mode>.a, when the program is linked with one. */
extern const char *const weft_gasnet_conduit __attribute__((weak, visibility("default")));

static bool built_for(const char *conduit) {
  return &weft_gasnet_conduit && !strcmp(weft_gasnet_conduit, conduit);
}

/* ---- a program that starts itself ------------------------------------------------------------ */

/* Hosts as "a b,c" become "a,b,c"; NULL if there are none. */
static char *host_list(const char *names) {
  char *list = names ? strdup(names) : NULL, *to = list;
  bool gap = true;
  for (char *p = list; p && *p; p++) {
    const bool space = strchr(" ,\t\n", *p) != NULL;
    if (!space)
      *to++ = *p;
    else if (!gap)
      *to++ = ',';
    gap = space;
  }
  if (to && to > list && to[-1] == ',') to--;
  if (to) *to = 0;
  if (list && *list) return list;
  free(list);
  return NULL;
}

/* Does not return. arguments[0] is the program's name as it was called. Without hosts it is meant
 * for this machine alone, whatever others an allocation has: -q. */
static void run(const char *count, const char *hosts, int narguments, char **arguments) {
  const char *options[] = {"-n", count, hosts ? "--hosts" : "-q", hosts, NULL};
  weft_boot_become("weftrun", options, narguments > 0 ? narguments - 1 : 0, arguments + 1);
}

/* GASNET_CSPAWN_CMD, where %N is the number of processes and %C the command of one. */
static void run_by_command(const char *count, int narguments, char **arguments) {
  const char *command = getenv("GASNET_CSPAWN_CMD");
  if (!command) weft_fatal("GASNET_SPAWNFN=C needs GASNET_CSPAWN_CMD, with %%N and %%C in it");
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out) weft_fatal("no memory for the command of GASNET_CSPAWN_CMD");
  for (const char *p = command; *p; p++) {
    if (p[0] == '%' && p[1] == 'N')
      fputs(count, out), p++;
    else if (p[0] == '%' && p[1] == 'C') {
      for (int a = 0; a < narguments; a++) { /* each in quotes, so that the shell leaves it alone */
        fputs(a ? " '" : "'", out);
        for (const char *c = arguments[a]; *c; c++)
          *c == '\'' ? fputs("'\\''", out) : fputc(*c, out);
        fputc('\'', out);
      }
      p++;
    } else
      fputc(*p, out);
  }
  fclose(out);
  fflush(NULL);
  execl("/bin/sh", "sh", "-c", text, (char *)NULL);
  weft_fatal("cannot run /bin/sh for GASNET_CSPAWN_CMD: %s", strerror(errno));
}

static bool is_count(const char *text) {
  return text && *text && strspn(text, "0123456789") == strlen(text) && strtol(text, NULL, 10) > 0;
}

/* udp-conduit: program N [arguments]. */
static void spawn_udp(int argc, char **argv) {
  const char *how = getenv("GASNET_SPAWNFN");
  if (argc < 2 || !is_count(argv[1])) {
    fprintf(stderr,
            "usage: %s N [arguments]: a program of udp-conduit starts N processes of itself\n",
            argc ? argv[0] : "program");
    exit(1);
  }
  char *count = argv[1];
  argv[1] = argv[0];
  if (how && (*how == 'C' || *how == 'c')) run_by_command(count, argc - 1, argv + 1);
  if (how && *how && !strchr("CcLlSs", *how))
    weft_warn(
        "GASNET_SPAWNFN=%s is not understood: write L (this machine), S (ssh) or C (a command)",
        how);
  char *hosts = NULL;
  if (how && (*how == 'S' || *how == 's') && !(hosts = host_list(getenv("GASNET_SSH_SERVERS"))))
    weft_fatal("GASNET_SPAWNFN=S needs the hosts' names in GASNET_SSH_SERVERS");
  run(count, hosts, argc - 1, argv + 1);
}

/* ---- smaller nodes --------------------------------------------------------------------------- */

static int first_number(const char *const *names, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const char *text = getenv(names[i]);
    if (text && *text) return atoi(text);
  }
  return -1;
}

/* At most that many processes of a node share memory: each group gets a name of its own. */
static void split_node(void) {
  static const char *const local[] = {"MPI_LOCALRANKID", "OMPI_COMM_WORLD_LOCAL_RANK",
                                      "SLURM_LOCALID", "PMIX_LOCAL_RANK", "PMI_RANK"};
  const int most = (int)gasnett_getenv_int_withdefault("GASNET_SUPERNODE_MAXSIZE", 0, 0);
  const int rank = first_number(local, WEFT_ARRAY_LEN(local));
  const char *node = getenv("WEFT_NODE"), *by = getenv("WEFT_LAUNCHER");
  char name[512];
  if (most <= 0 || rank < 0) return;
  /* On one machine they talk through the loopback interface, as weftrun --nodes has them do. */
  if (!node && by && !strcmp(by, "weftrun")) setenv("WEFT_IFACE", weft_boot_loopback(), 0);
  snprintf(name, sizeof name, "%s/%s/%d", gasnett_gethostname(), node ? node : "", rank / most);
  setenv("WEFT_NODE", name, 1);
}

/* Decimal or 0x..., as GASNet's releases take it; 0 is as good as unset. */
static long processes(const char *text) {
  const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  char *end;
  const long n = strtol(text, &end, hex ? 16 : 10);
  if (end == text || *end || n < 0 || n > INT_MAX)
    weft_fatal("GASNET_PSHM_NODES=%s: must be a number of processes", text);
  return n;
}

void weft_gex_spawn(int *argc, char ***argv) {
  static char *none[] = {NULL};
  const char *pshm = getenv("GASNET_PSHM_NODES");
  const int n = argc && argv ? *argc : 0;
  char **arguments = argc && argv ? *argv : none;
  if (weft_job.npes) return; /* another front end has started the runtime */
  if (!weft_boot_is_launched()) {
    if (built_for("UDP")) spawn_udp(n, arguments);
    char count[24] = "";
    if (!built_for("OFI") && pshm && *pshm) snprintf(count, sizeof count, "%ld", processes(pshm));
    if (is_count(count) && strcmp(count, "1") != 0) run(count, NULL, n, arguments);
    if (built_for("OFI") && is_count(pshm) && strcmp(pshm, "1") != 0)
      weft_warn("GASNET_PSHM_NODES=%s starts programs of smp-conduit, and this is one of "
                "ofi-conduit: gasnetrun_ofi -n %s starts %s processes of it",
                pshm, pshm, pshm);
  }
  if (!built_for("SMP")) split_node();
}

/* ---- the job is known ------------------------------------------------------------------------ */

/* Those that this front end and gasnetrun read, and what the scripts of LBNL's releases and of
 * programs have that is near one. GASNET_MAXIMIZE_* have endings of the program's choice. */
static void check_names(void) {
  static const char *const names[] = {"GASNET_BACKTRACE",       "GASNET_BACKTRACE_TYPE",
                                      "GASNET_CSPAWN_CMD",      "GASNET_EXITTIMEOUT",
                                      "GASNET_EXITTIMEOUT_MIN", "GASNET_EXITTIMEOUT_MAX",
                                      "GASNET_FREEZE",          "GASNET_EXITTIMEOUT_FACTOR",
                                      "GASNET_FREEZE_ON_ERROR", "GASNET_MAX_SEGSIZE",
                                      "GASNET_NODEFILE",        "GASNET_NO_CATCH_SIGNAL",
                                      "GASNET_PSHM_NODES",      "GASNET_SPAWNFN",
                                      "GASNET_SPAWN_VERBOSE",   "GASNET_SSH_NODEFILE",
                                      "GASNET_SSH_SERVERS",     "GASNET_SUPERNODE_MAXSIZE",
                                      "GASNET_VERBOSEENV",      NULL};
  static const char *const others[] = {"GASNET_SPAWN", "GASNET_SPAWNER", NULL};
  weft_options_check_near(names, others);
}

/* Those that count later, some at the end only. PE 0 speaks for all. */
static void check_environment(void) {
  static const char *const yes_or_no[] = {"GASNET_BACKTRACE", "GASNET_FREEZE",
                                          "GASNET_FREEZE_ON_ERROR"};
  static const char *const numbers[] = {"GASNET_EXITTIMEOUT", "GASNET_EXITTIMEOUT_MIN",
                                        "GASNET_EXITTIMEOUT_MAX", "GASNET_EXITTIMEOUT_FACTOR",
                                        "GASNET_SUPERNODE_MAXSIZE"};
  double number;
  if (weft_job.pe == 0) check_names();
  for (size_t i = 0; weft_job.pe == 0 && i < WEFT_ARRAY_LEN(yes_or_no); i++) {
    const char *text = gasnett_getenv(yes_or_no[i]);
    if (text && *text && weft_tools_parse_yesno(text) < 0)
      weft_fatal("%s=%s: must be yes or no (Y, YES, 1, N, NO, 0)", yes_or_no[i], text);
  }
  for (size_t i = 0; weft_job.pe == 0 && i < WEFT_ARRAY_LEN(numbers); i++) {
    const char *text = gasnett_getenv(numbers[i]);
    if (text && *text && (weft_tools_parse_double(text, &number) < 0 || !(number >= 0)))
      weft_fatal("%s=%s: must be a number, 0 or more", numbers[i], text);
  }
}

void weft_gex_environment(void) {
  if (built_for("SMP") && weft_job.nnodes > 1)
    weft_fatal("a program of smp-conduit runs on one node, and this job has %d; build it with "
               "ofi-conduit",
               weft_job.nnodes);
  weft_tools_env_rank(weft_job.pe);
  weft_tools_crash_rank(weft_job.pe, weft_job.npes);
  if (weft_job.nmachine < weft_job.npes) {
    size_t length = 0;
    char *block = weft_tools_env_block(&length);
    weft_coll_share(&length, sizeof length);
    /* PE 0's is as long as it says, the others' becomes so. */
    block = length ? realloc(block, length) : NULL;
    if (!block) weft_fatal("no memory for %zu bytes of environment", length);
    for (size_t at = 0; at < length; at += WEFT_COLL_SHARE_MAX)
      weft_coll_share(block + at,
                      length - at < WEFT_COLL_SHARE_MAX ? length - at : WEFT_COLL_SHARE_MAX);
    if (block[length - 1] || (length > 1 && block[length - 2]))
      weft_fatal("pe 0 sent a damaged environment");
    weft_tools_env_adopt(block, length);
    free(block);
  }
  check_environment();
  weft_tools_crash_start();
}
