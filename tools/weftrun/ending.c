/*
 * How a job ends: the cause is named in one line, every process gets a signal it can handle
 * (SIGQUIT if it has a handler for that, as clients of GASNet-1 may; else SIGTERM), then, after a
 * short grace, one it cannot. Descendants of the PEs are included: this process is their subreaper.
 */
#include "weftrun/weftrun.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

/* Milliseconds. JUDGE: a PE that dies closes its connections, and a peer that notices may complain
 * before we see the death itself; so complaints wait this long for a better cause. */
enum {
  JUDGE_MS = 30,
  JUDGE_LOSS_MS = 300,
  GRACE_MS = 500,
  LAST_GRACE_MS = 1000,
  AGAIN_MS = 20,
  KILLS_MAX = 200 /* a count: a machine that stood still for seconds is no reason to give up */
};

/* ---- signals to all descendants -------------------------------------------------------------- */

/* Bit 2 of SigCgt in /proc/PID/status. */
static bool handles_quit(pid_t pid) {
  char path[64], line[256];
  unsigned long long caught = 0;
  snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
  FILE *f = fopen(path, "re");
  while (f && fgets(line, sizeof(line), f))
    if (sscanf(line, "SigCgt: %llx", &caught) == 1) break;
  if (f) fclose(f);
  return caught >> (SIGQUIT - 1) & 1;
}

typedef struct process {
  pid_t pid, parent;
  bool ours;
  int signal;
} process_t;

/* Fields 1 and 4 of /proc/PID/stat; the name in between may hold anything. */
static bool read_process(const char *pid, process_t *process) {
  char path[64], text[512], *after_name;
  snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t n = read(fd, text, sizeof(text) - 1);
  close(fd);
  if (n <= 0) return false;
  text[n] = '\0';
  after_name = strrchr(text, ')');
  int parent;
  if (!after_name || sscanf(after_name + 1, " %*c %d", &parent) != 1) return false;
  *process = (process_t){.pid = atoi(pid), .parent = parent};
  return true;
}

static process_t *list_processes(size_t *count) {
  process_t *list = NULL;
  size_t n = 0, room = 0;
  DIR *proc = opendir("/proc");
  for (struct dirent *entry; proc && (entry = readdir(proc));) {
    if (!isdigit((unsigned char)entry->d_name[0])) continue;
    if (n == room) {
      room = room ? 2 * room : 1024;
      process_t *more = realloc(list, room * sizeof(*list));
      if (!more) break;
      list = more;
    }
    if (read_process(entry->d_name, &list[n])) n++;
  }
  if (proc) closedir(proc);
  *count = n;
  return list;
}

static int compare_pids(const void *a, const void *b) {
  return ((const process_t *)a)->pid - ((const process_t *)b)->pid;
}

static bool parent_is_ours(process_t *list, size_t n, pid_t parent, pid_t self) {
  process_t key = {.pid = parent};
  if (parent == self) return true;
  const process_t *found = bsearch(&key, list, n, sizeof(key), compare_pids);
  return found && found->ours;
}

static bool wants_term(const job_t *job, pid_t pid) {
  for (int i = 0; i < job->npes; i++)
    if (job->pes[i].pid == pid) return job->pes[i].by_term;
  return false;
}

/* SIGQUIT asks those who handle it, and ends the others by SIGTERM. */
static int signal_for(const job_t *job, pid_t pid, int signal) {
  const bool term = signal == SIGQUIT && (!handles_quit(pid) || wants_term(job, pid));
  return term ? SIGTERM : signal;
}

/* signal 0: each its own. */
static void send_all(const process_t *list, size_t n, int signal) {
  for (size_t i = 0; i < n; i++)
    if (list[i].ours) kill(list[i].pid, signal ? signal : list[i].signal);
}

/* Without /proc these are all that are known. */
static int signal_pes(const job_t *job, int signal) {
  int count = 0;
  for (int i = 0; job && i < job->npes; i++) {
    if (!job->pes[i].pid || job->pes[i].exited) continue;
    kill(job->pes[i].pid, signal_for(job, job->pes[i].pid, signal));
    count++;
  }
  return count;
}

int ending_signal_descendants(const job_t *job, int signal) {
  size_t n;
  process_t *list = list_processes(&n);
  pid_t self = getpid();
  int count = 0;
  if (!list) return signal_pes(job, signal);
  qsort(list, n, sizeof(*list), compare_pids);
  for (bool changed = true; changed;) { /* a child's pid may be below its parent's */
    changed = false;
    for (size_t i = 0; i < n; i++) {
      if (list[i].ours || !parent_is_ours(list, n, list[i].parent, self)) continue;
      list[i].ours = changed = true;
      list[i].signal = signal_for(job, list[i].pid, signal);
      count++;
    }
  }
  /* Where PEs may die, those that live a moment longer would report it: all stop first. */
  const bool goes_on = job && job->goes_on;
  if (goes_on) send_all(list, n, SIGSTOP);
  send_all(list, n, 0);
  if (goes_on) send_all(list, n, SIGCONT);
  free(list);
  return count;
}

/* ---- the cause ------------------------------------------------------------------------------- */

static const char *on_node(const job_t *job, int pe, char *text, size_t size) {
  const options_t *options = job->options;
  text[0] = '\0';
  if (options->nnodes) {
    snprintf(text, size, ", node %s", options->node_names[options_node_of(options, pe)]);
  }
  return text;
}

static bool killed(const pe_t *pe) {
  return pe->exited && !pe->given_up && WIFSIGNALED(pe->wait_status);
}

/* libfabric 1.17 can crash in a process whose peer is gone (rxm takes the error of an injected
 * message for one with a context), so a crash explains nothing that another PE's end explains too.
 */
static bool crashed(const pe_t *pe) {
  return killed(pe) &&
         (WTERMSIG(pe->wait_status) == SIGSEGV || WTERMSIG(pe->wait_status) == SIGBUS);
}

static bool failed(const pe_t *pe) {
  return pe->exited && !pe->lost && !pe->given_up && WIFEXITED(pe->wait_status) &&
         WEXITSTATUS(pe->wait_status) != 0;
}

static bool deserted(const pe_t *pe) {
  return pe->exited && !pe->lost && !pe->given_up && pe->joined && !pe->left && !pe->over;
}

/* Others wait in a barrier that this PE will never enter: it may never have spoken PMI. */
static bool missed(const job_t *job, const pe_t *pe) {
  return job->nbarrier > 0 && pe->exited && !pe->lost && !pe->given_up;
}

static bool is_checked(const options_t *options) {
  const char *value = options_value_of(options, "WEFT_CHECK");
  /* As base/options.c reads it. */
  return *value && !strchr("0nNfF", *value) && strncasecmp(value, "off", 3) != 0;
}

static void name_cause(job_t *job, int number) {
  const pe_t *pe = &job->pes[number];
  char node[300];
  int pid = (int)pe->pid;
  const bool may_tell = crashed(pe) && pe->joined && !is_checked(job->options);
  const char *hint = may_tell ? " (WEFT_CHECK=1 may tell why)" : "";
  on_node(job, number, node, sizeof(node));
  if (killed(pe)) {
    int signal = WTERMSIG(pe->wait_status);
    ending_begin(job, STATUS_SIGNAL + signal, SIGQUIT);
    say("pe %d (pid %d%s) was killed by signal %d (%s%s)%s; ending the job", number, pid, node,
        signal, strsignal(signal), WCOREDUMP(pe->wait_status) ? ", core dumped" : "", hint);
  } else if (pe->lost) {
    ending_begin(job, 1, SIGQUIT);
    say("pe %d: %s", number, pe->lost);
  } else if (pe->aborted) {
    ending_begin(job, pe->abort_status, SIGQUIT);
    say("pe %d (pid %d%s) ended the job with status %d", number, pid, node, pe->abort_status);
  } else if (failed(pe)) {
    int status = WEXITSTATUS(pe->wait_status);
    ending_begin(job, status, SIGQUIT);
    say("pe %d (pid %d%s) exited with status %d; ending the job", number, pid, node, status);
  } else if (deserted(pe)) {
    ending_begin(job, 1, SIGQUIT);
    say("pe %d (pid %d%s) exited without finalizing; ending the job", number, pid, node);
  } else {
    ending_begin(job, 1, SIGQUIT);
    say("pe %d (pid %d%s) exited while the others wait for it; ending the job", number, pid, node);
  }
}

bool ending_is_clean(const job_t *job, const pe_t *pe) {
  return !killed(pe) && !pe->aborted && !pe->lost && !failed(pe) && !deserted(pe) &&
         !missed(job, pe);
}

bool ending_give_up(job_t *job, int number) {
  pe_t *pe = &job->pes[number];
  char node[300];
  if (!job->goes_on || job->ending || pe->aborted || !(killed(pe) || pe->asleep)) return false;
  job->last_status = killed(pe) ? STATUS_SIGNAL + WTERMSIG(pe->wait_status) : 1;
  pe->given_up = true;
  const bool missed_now = job->gather.all && !pe->in_barrier; /* pmi_barrier says what follows */
  if (!pe->asleep)
    say("pe %d (pid %d%s) was killed by signal %d (%s)%s", number, (int)pe->pid,
        on_node(job, number, node, sizeof(node)), WTERMSIG(pe->wait_status),
        strsignal(WTERMSIG(pe->wait_status)), missed_now ? "" : "; the others go on");
  pmi_barrier(job);
  return true;
}

void ending_without(job_t *job, int number) {
  if (job->ending) return;
  ending_begin(job, 1, SIGQUIT);
  say("pe %d died while the job started, and the others cannot go on without it", number);
}

void ending_sleepers(job_t *job) {
  for (int i = 0; i < job->npes; i++)
    if (!job->pes[i].exited && !job->pes[i].asleep) return;
  for (int i = 0; i < job->npes; i++)
    if (!job->pes[i].exited) kill(job->pes[i].pid, SIGKILL);
}

void ending_suspect(job_t *job) {
  if (!job->judge_at) job->judge_at = now_ms() + JUDGE_MS;
}

/* Whose death it was may not be known yet. */
void ending_suspect_loss(job_t *job) {
  if (!job->judge_at) job->judge_at = now_ms() + JUDGE_LOSS_MS;
}

void ending_judge(job_t *job) {
  if (job->ending || !job->judge_at) return;
  /* What came first in time is not known; what explains the others is. */
  for (int i = 0; i < job->npes; i++) {
    if (killed(&job->pes[i]) && !crashed(&job->pes[i])) {
      name_cause(job, i);
      return;
    }
  }
  if (now_ms() < job->judge_at && job->nrunning > 0) return;
  job->judge_at = 0;
  /* Of the crashed ones the one that was seen first: the others may be libfabric's. */
  int first = 0;
  for (int i = 1; i < job->npes; i++) {
    if (crashed(&job->pes[i]) &&
        (!crashed(&job->pes[first]) || job->pes[i].end_order < job->pes[first].end_order))
      first = i;
  }
  for (int rank = 0; rank < 6; rank++) {
    for (int i = 0; i < job->npes; i++) {
      const pe_t *pe = &job->pes[i];
      bool cause = rank == 0   ? pe->aborted && !pe->lost
                   : rank == 1 ? failed(pe)
                   : rank == 2 ? deserted(pe) && !crashed(pe)
                   : rank == 3 ? crashed(pe) && i == first
                   : rank == 4 ? missed(job, pe)
                               : pe->lost != NULL;
      if (!cause) continue;
      name_cause(job, i);
      return;
    }
  }
}

/* ---- the schedule ---------------------------------------------------------------------------- */

void ending_begin(job_t *job, int status, int first_signal) {
  uint64_t now = now_ms();
  job->ending = true;
  job->status = status;
  job->term_at = first_signal == SIGTERM ? 0 : now + GRACE_MS;
  job->kill_at = now + LAST_GRACE_MS;
  job->kills = 0;
  if (first_signal) ending_signal_descendants(job, first_signal);
}

void ending_advance(job_t *job) {
  uint64_t now = now_ms();
  if (job->term_at && now >= job->term_at) {
    job->term_at = 0;
    ending_signal_descendants(job, SIGTERM);
  }
  if (job->kill_at && now >= job->kill_at) {
    job->kill_at = now + AGAIN_MS; /* until none is left: a process may have forked meanwhile */
    ending_signal_descendants(job, SIGKILL);
    job->kills++;
  }
}

bool ending_gives_up(const job_t *job) {
  return job->ending && job->kills >= KILLS_MAX;
}
