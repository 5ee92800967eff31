/*
 * From a process to a PE: limits, environment, namespaces, exec. What goes wrong in a child comes
 * back through a pipe, so that it is said once and by one process.
 */
#include "weftrun/weftrun.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boot/boot.h"

enum step { STEP_STDIN, STEP_NETNS_OPEN, STEP_NETNS_ENTER, STEP_WDIR, STEP_ENVIRONMENT, STEP_EXEC };

enum { SPARE_FDS = 32, SPARE_PIDS = 300 };

static long read_number(const char *path) {
  long number = 0;
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  if (fscanf(file, "%ld", &number) != 1) number = 0;
  fclose(file);
  return number;
}

void start_check_limits(const options_t *options, inherited_t *inherited) {
  struct rlimit files, processes;
  rlim_t need = (rlim_t)options->npes * (options->tag ? 3 : 1) + SPARE_FDS;
  long pids = read_number("/proc/sys/kernel/pid_max");

  getrlimit(RLIMIT_NOFILE, &files);
  inherited->fd_limit = files.rlim_cur;
  if (files.rlim_max < need) {
    give_up(STATUS_USAGE, "%d PEs need %llu open files, the limit is %llu (ulimit -Hn)",
            options->npes, (unsigned long long)need, (unsigned long long)files.rlim_max);
  }
  if (files.rlim_cur < need) {
    files.rlim_cur = need;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  getrlimit(RLIMIT_NPROC, &processes);
  if (geteuid() != 0 && processes.rlim_cur < (rlim_t)options->npes + 2) {
    give_up(STATUS_USAGE, "%d PEs are more than the %llu processes of a user (ulimit -u)",
            options->npes, (unsigned long long)processes.rlim_cur);
  }
  if (pids > 0 && options->npes > pids - SPARE_PIDS) {
    give_up(STATUS_USAGE, "%d PEs are more than the processes of this machine (pid_max is %ld)",
            options->npes, pids);
  }
}

/* The usual mistake: a program of this directory without "./". */
static bool is_here(const options_t *options) {
  struct stat st;
  return !options->wdir && !strchr(options->argv[0], '/') && !stat(options->argv[0], &st) &&
         S_ISREG(st.st_mode) && !access(options->argv[0], X_OK);
}

/* exec's errors are those of the file, and of what it takes to run it. */
static const char *why_not_run(const options_t *options, int error) {
  const char *path = options->argv[0];
  struct stat st;
  const bool seen = strchr(path, '/') && (*path == '/' || !options->wdir) && !stat(path, &st);
  if (seen && error == ENOENT)
    return "it is there, but its interpreter (of a script) or loader (of a program for another "
           "system) is not";
  if (seen && S_ISDIR(st.st_mode)) return "it is a directory";
  if (seen && error == EACCES && S_ISREG(st.st_mode) && !(st.st_mode & 0111))
    return "it is not executable (chmod +x makes it so)";
  if (error == ENOEXEC) return "it is a program for another kind of machine, or damaged";
  return strerror(error);
}

int start_explain(const job_t *job, const start_error_t *error) {
  const options_t *options = job->options;
  const char *node =
      options->nnodes ? options->node_names[options_node_of(options, error->pe)] : "";
  const char *why = strerror(error->error);
  switch (error->step) {
  case STEP_STDIN:
    say("cannot open /dev/null, which pe %d and others read: %s", error->pe, why);
    return 1;
  case STEP_NETNS_OPEN:
    say("there is no network namespace '%s': /run/netns/%s: %s", node, node, why);
    return 1;
  case STEP_NETNS_ENTER:
    say("not permitted to enter the network namespace '%s': %s (it takes root)", node, why);
    return 1;
  case STEP_WDIR: say("cannot change to the directory '%s': %s", options->wdir, why); return 1;
  case STEP_EXEC:
    if (error->error == ENOENT && is_here(options))
      say("cannot run '%s': it is not in the PATH; the one of this directory is ./%s",
          options->argv[0], options->argv[0]);
    else
      say("cannot run '%s': %s", options->argv[0], why_not_run(options, error->error));
    return error->error == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_RUNNABLE;
  default: say("cannot start pe %d: %s", error->pe, why); return 1;
  }
}

/* ---- in the child ---------------------------------------------------------------------------- */

static void __attribute__((noreturn)) child_fail(int errors, int pe, enum step step) {
  start_error_t error = {.pe = pe, .step = step, .error = errno};
  ssize_t ignored = write(errors, &error, sizeof(error));
  (void)ignored;
  _exit(STATUS_NOT_FOUND);
}

static int set_number(const char *name, int value) {
  char text[16];
  snprintf(text, sizeof(text), "%d", value);
  return setenv(name, text, 1);
}

/* MPI_LOCAL* are Hydra's names; wrapper scripts that pick a processor or a card know them. */
static int child_environment(const options_t *options, int pe, int pmi) {
  int first = 0, last = options->npes - 1, failed = 0;
  if (options->nnodes) {
    int node = options_node_of(options, pe);
    for (first = pe; first > 0 && options_node_of(options, first - 1) == node; first--) {
    }
    for (last = pe; last < options->npes - 1 && options_node_of(options, last + 1) == node;
         last++) {
    }
    failed |= setenv("WEFT_NODE", options->node_names[node], 1);
    /* Pretended nodes talk through the loopback interface, namespaces through their own. */
    if (!options->netns) failed |= setenv("WEFT_IFACE", weft_boot_loopback(), 0);
  }
  for (int i = 0; i < options->nexports; i++) failed |= putenv(options->exports[i]);
  failed |= setenv("WEFT_LAUNCHER", "weftrun", 1) || unsetenv("WEFT_LAUNCHER_JOINED");
  failed |= set_number("PMI_FD", pmi);
  failed |= set_number("PMI_RANK", pe);
  failed |= set_number("PMI_SIZE", options->npes);
  failed |= set_number("PMI_SPAWNED", 0);
  failed |= set_number("MPI_LOCALRANKID", pe - first);
  failed |= set_number("MPI_LOCALNRANKS", last - first + 1);
  return failed;
}

static void child_enter_netns(const options_t *options, int errors, int pe) {
  char path[512];
  snprintf(path, sizeof(path), "/run/netns/%s", options->node_names[options_node_of(options, pe)]);
  int netns = open(path, O_RDONLY | O_CLOEXEC);
  if (netns < 0) child_fail(errors, pe, STEP_NETNS_OPEN);
  if (setns(netns, CLONE_NEWNET)) child_fail(errors, pe, STEP_NETNS_ENTER);
  close(netns);
}

/* The k-th PE of this machine on the k-th processor that we may use. More PEs than processors are
 * left alone: two on one would wait for each other. */
static void child_bind(const options_t *options, int pe) {
  cpu_set_t all, one;
  if (!options->bind || sched_getaffinity(0, sizeof(all), &all) || CPU_COUNT(&all) < options->npes)
    return;
  int cpu = 0;
  for (int left = pe; left >= 0; cpu++) left -= CPU_ISSET(cpu, &all) ? 1 : 0;
  CPU_ZERO(&one);
  CPU_SET(cpu - 1, &one);
  sched_setaffinity(0, sizeof(one), &one);
}

static void child_restore(const inherited_t *inherited) {
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = inherited->fd_limit;
  setrlimit(RLIMIT_NOFILE, &files);
  if (!inherited->ignored[SIGPIPE]) signal(SIGPIPE, SIG_DFL);
  if (inherited->ignored[SIGCHLD]) signal(SIGCHLD, SIG_IGN);
  if (inherited->ignored[SIGALRM]) signal(SIGALRM, SIG_IGN);
  sigprocmask(SIG_SETMASK, &inherited->mask, NULL);
}

/* Equal addresses on all PEs. Some containers forbid it; then they stay random and all works but
 * shmem_align beyond a page. */
static void child_fix_addresses(void) {
  int now = personality(0xffffffff);
  if (now != -1) personality((unsigned long)now | ADDR_NO_RANDOMIZE);
}

/* execvp gives a file that is no program to the shell, as it has to for scripts without #!. One
 * that begins as programs do is none of those; the kernel is asked, since it may know how to run
 * programs of other machines. */
static void child_exec(char *const *argv) {
  char magic[4] = "";
  const int file = strchr(argv[0], '/') ? open(argv[0], O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
  const ssize_t got = file < 0 ? 0 : read(file, magic, sizeof(magic));
  if (file >= 0) close(file);
  if (got == sizeof(magic) && memcmp(magic, "\177ELF", sizeof(magic)) == 0)
    execv(argv[0], argv);
  else
    execvp(argv[0], argv);
}

/* All other descriptors of the keeper close themselves at exec. */
static void __attribute__((noreturn)) child_become_pe(const job_t *job, int pe, pid_t keeper,
                                                      int pmi, const int out[2], int errors) {
  const options_t *options = job->options;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != keeper) _exit(1); /* it died before we asked */

  if (options->netns) child_enter_netns(options, errors, pe);
  if (pe != 0) {
    int null = open("/dev/null", O_RDONLY);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0) child_fail(errors, pe, STEP_STDIN);
    if (null != STDIN_FILENO) close(null);
  }
  if (options->tag) {
    dup2(out[0], STDOUT_FILENO);
    dup2(out[1], STDERR_FILENO);
  }
  fcntl(pmi, F_SETFD, 0);
  if (child_environment(options, pe, pmi)) child_fail(errors, pe, STEP_ENVIRONMENT);
  if (options->wdir && chdir(options->wdir)) child_fail(errors, pe, STEP_WDIR);
  child_bind(options, pe);
  child_restore(job->inherited);
  if (!options->aslr) child_fix_addresses();
  child_exec(options->argv);
  child_fail(errors, pe, STEP_EXEC);
}

/* ---- in the keeper --------------------------------------------------------------------------- */

static int start_one(job_t *job, int number, int errors) {
  pe_t *pe = &job->pes[number];
  int pmi[2] = {-1, -1}, pipes[2][2] = {{-1, -1}, {-1, -1}}, rc = 0;
  pid_t keeper = getpid();

  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pmi)) return errno;
  for (int i = 0; i < 2 && job->options->tag; i++) {
    if (pipe2(pipes[i], O_CLOEXEC)) goto failed;
  }
  pid_t pid = fork();
  if (pid < 0) goto failed;
  if (pid == 0) {
    const int out[2] = {pipes[0][1], pipes[1][1]};
    child_become_pe(job, number, keeper, pmi[1], out, errors);
  }
  pe->pid = pid;
  pe->pmi = pmi[0];
  job->nrunning++;
  keeper_watch(job, pe->pmi, WATCH_PMI, number);
  for (int i = 0; i < 2 && job->options->tag; i++) {
    pe->out[i].fd = pipes[i][0];
    fcntl(pe->out[i].fd, F_SETFL, O_NONBLOCK);
    keeper_watch(job, pe->out[i].fd, i == 0 ? WATCH_STDOUT : WATCH_STDERR, number);
    close(pipes[i][1]);
  }
  close(pmi[1]);
  return 0;

failed:
  rc = errno;
  for (int i = 0; i < 2; i++) {
    if (pmi[i] >= 0) close(pmi[i]);
    if (pipes[i][0] >= 0) close(pipes[i][0]);
    if (pipes[i][1] >= 0) close(pipes[i][1]);
  }
  return rc;
}

void start_all(job_t *job) {
  const options_t *options = job->options;
  int errors[2];
  if (pipe2(errors, O_CLOEXEC)) {
    ending_begin(job, 1, 0);
    say("cannot start the job: %s", strerror(errno));
    return;
  }
  fcntl(errors[0], F_SETFL, O_NONBLOCK);
  job->start_errors = errors[0];
  keeper_watch(job, errors[0], WATCH_START, 0);
  for (int i = 0; i < job->npes && !job->ending; i++) {
    int rc = start_one(job, i, errors[1]);
    if (rc) {
      ending_begin(job, 1, SIGTERM);
      say("cannot start pe %d of %d: %s%s", i, job->npes, strerror(rc),
          rc == EAGAIN ? " (a limit of processes, such as ulimit -u)" : "");
      break;
    }
    if (options->verbose && options->nnodes) {
      say("pe %d is pid %d, node %s", i, (int)job->pes[i].pid,
          options->node_names[options_node_of(options, i)]);
    } else if (options->verbose) {
      say("pe %d is pid %d", i, (int)job->pes[i].pid);
    }
  }
  close(errors[1]);
}
