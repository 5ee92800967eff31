/*
 * weftrun: what its files share, under the name of the file that defines it.
 *
 * Three generations of processes. The *front* is what the user started and waits for. The *keeper*,
 * its child, is the parent of the PEs, serves PMI-1 to them and ends the job. Each notices the
 * other's sudden death and clears up, so that nothing of a job outlives a SIGKILL of any of them.
 */
#ifndef WEFTRUN_H
#define WEFTRUN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Exit statuses of our own, as shells use them. */
enum { STATUS_USAGE = 2, STATUS_NOT_RUNNABLE = 126, STATUS_NOT_FOUND = 127, STATUS_SIGNAL = 128 };

/* ---- options.c ------------------------------------------------------------------------------- */

typedef struct options {
  const char *self; /* "weftrun" or "oshrun" */
  int npes;
  bool counted_by_c; /* the name of that option was -c */
  bool uncounted;    /* there was none: 1 */
  int per_node;      /* -N: at most so many on a node; 0: not given */
  bool bind;         /* --bind-to core */
  bool quiet;        /* say nothing about options that are not needed, and no doubts */
  char unused[300];  /* the options that are not needed, as given */
  int nnodes;        /* 0: neither --nodes nor --netns was given */
  char **node_names; /* nnodes names */
  bool netns;        /* the names are network namespaces */
  const char *hosts; /* --hosts, as given */
  const char *hostfile;
  const char *wdir;
  char **exports; /* -x: nexports strings VAR=VALUE */
  int nexports;
  bool aslr; /* leave addresses random */
  bool tag;
  bool verbose;
  bool stats;          /* --stats, or WEFT_STATS=1 for the PEs */
  const char *trace;   /* --trace, or WEFT_TRACE for the PEs: absolute; NULL: none */
  const char *collect; /* --collect */
  char *parts_folder;  /* where the PEs record; NULL: nowhere */
  char **argv;         /* program and arguments, NULL at the end */
} options_t;

/* Read the command line; does not return when it is wrong or asks for help. self: what we are
 * called. */
void options_read(options_t *options, const char *self, int argc, char **argv);
/* What the PEs find in a variable: from -x, else from the environment; "": nothing. */
const char *options_value_of(const options_t *options, const char *name);
/* The node of a PE: PEs are dealt to nodes in blocks. */
int options_node_of(const options_t *options, int pe);

/* ---- weftrun.c ------------------------------------------------------------------------------- */

/* One line "weft: ..." on stderr, whole even when many write. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* One line "weftrun: ..." and exit: for errors before the job exists. */
void give_up(int status, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));
uint64_t now_ms(void);

/* What the user's shell gave us, and the PEs get again. */
typedef struct inherited {
  sigset_t mask;
  bool ignored[65]; /* by signal number */
  uint64_t fd_limit;
} inherited_t;

/* ---- recording.c ----------------------------------------------------------------------------- */

/* Tell the PEs what to record, and where. */
void recording_prepare(options_t *options);
/* In the keeper: make the place. It takes it away too, so nothing is left if the front dies. */
void recording_begin(const options_t *options);
/* All PEs have ended: write what they have left, if they have not done so themselves. */
void recording_finish(const options_t *options);
/* --collect: the same for a job of another launcher; exits. */
void recording_collect(const options_t *options) __attribute__((noreturn));

/* ---- hosts.c --------------------------------------------------------------------------------- */

/* How many --hosts names. */
int hosts_count(const options_t *options);
/* Become the site's launcher. Returns only by exiting. */
void hosts_hand_over(const options_t *options) __attribute__((noreturn));

/* ---- doubts.c -------------------------------------------------------------------------------- */

/* Say what the user may not have meant, unless -q forbids it. */
void doubts_say(const options_t *options);

/* ---- start.c --------------------------------------------------------------------------------- */

typedef struct stream {
  int fd;     /* our end of a PE's stdout or stderr; -1: none */
  char *held; /* text of a line that has not ended yet */
  size_t nheld;
} stream_t;

typedef struct pe {
  pid_t pid;
  int pmi;  /* our end of its PMI connection; -1: closed */
  char *in; /* text of a request that has not ended yet */
  size_t nin;
  stream_t out[2]; /* with --tag */
  bool joined;     /* said cmd=init */
  bool left;       /* said cmd=finalize */
  bool over;       /* said cmd=weft_over: the program has finalized, and may end as it likes */
  bool in_barrier;
  bool gathers;       /* in the barrier with a blob, for the blobs of all */
  bool in_multi_line; /* inside a request that spans lines (spawn) */
  bool aborted;       /* said cmd=abort */
  int abort_status;
  char *lost;   /* said cmd=weft_lost: its words about a connection, and it ends */
  bool asleep;  /* said cmd=weft_asleep: it has failed by its own word and waits for the end */
  bool by_term; /* said cmd=weft_term: SIGQUIT is not for it, whoever handles it there */
  bool exited;
  bool given_up;   /* it died, and the job goes on without it */
  int end_order;   /* its place among the PEs that have exited */
  int wait_status; /* valid once exited */
} pe_t;

typedef struct store store_t;

/* An exchange that has begun: the blobs so far. */
typedef struct gather {
  int fd;
  unsigned char *all; /* NULL: none has */
  size_t bytes;       /* of each PE */
} gather_t;

typedef struct job {
  const options_t *options;
  const inherited_t *inherited;
  pe_t *pes;
  int npes;
  int nrunning;
  pid_t front;
  int epoll;
  int signals;    /* signalfd */
  int front_pipe; /* reads end-of-file when the front dies and a byte for each signal that it passes
                     on; -1: it has died */
  int start_errors; /* read end: one start_error_t from each child that cannot become the program */
  store_t *store;
  int nbarrier;    /* PEs waiting in the barrier */
  bool goes_on;    /* WEFT_ON_DEATH=continue */
  int last_status; /* of the last PE that died and was given up */
  gather_t gather;
  /* The ending. */
  bool ending;
  int status;
  int got; /* the first signal to weftrun that ends jobs; 0: none */
  uint64_t got_at;
  uint64_t drop_at;          /* until when somebody may yet make room for our output; 0: for ever */
  uint64_t judge_at;         /* when to name the cause of an ending; 0: nothing has gone wrong */
  uint64_t term_at, kill_at; /* when which signal is due; 0: not */
  int kills;                 /* how often SIGKILL was sent to all that are left */
} job_t;

/* What a child could not do, and why. */
typedef struct start_error {
  int pe;
  int step; /* index into the texts of start.c */
  int error;
} start_error_t;

/* Exits when this machine cannot hold so many PEs. */
void start_check_limits(const options_t *options, inherited_t *inherited);
/* Start all PEs. On failure the job is ending already. */
void start_all(job_t *job);
/* Say what a child reported. Returns the exit status for the job. */
int start_explain(const job_t *job, const start_error_t *error);

/* ---- pmi.c ----------------------------------------------------------------------------------- */

/* The key-value store of a job, with the facts that MPICH looks for. */
store_t *pmi_store_new(const options_t *options);
/* Serve what the PE has written so far. */
void pmi_serve(job_t *job, pe_t *pe);
/* Somebody may not come to the barrier any more: is it complete without? */
void pmi_barrier(job_t *job);

/* ---- gather.c -------------------------------------------------------------------------------- */

/* A PE's blob, in hexadecimal; false if it does not fit to the others'. */
bool gather_take(job_t *job, int number, const char *bytes_text, const char *hex);
/* All are in the barrier: those that gather get everything. */
void gather_release(job_t *job);

/* ---- output.c -------------------------------------------------------------------------------- */

/* Write all of it to a standard stream, with keeper_wait. False: nobody reads any more. */
bool output_write(int fd, const char *text, size_t len);
/* Copy what a PE has written, each line behind "[pe] ". Closes the stream at its end.
 * Returns how many bytes there were. */
size_t output_copy(job_t *job, pe_t *pe, int which);
/* The same for what all PEs have written when the job has ended, unfinished lines too. */
void output_finish(job_t *job);

/* ---- ending.c -------------------------------------------------------------------------------- */

/* A PE that has exited gives no reason to end the job. */
bool ending_is_clean(const job_t *job, const pe_t *pe);
/* Something was seen that may have to end the job; ending_judge will look. */
void ending_suspect(job_t *job);
/* A PE has lost a connection: likewise, a little later. */
void ending_suspect_loss(job_t *job);
/* Name the cause if there is one, and begin to end the job. */
void ending_judge(job_t *job);
/* With WEFT_ON_DEATH=continue: a PE that was killed is named, and the job goes on without it. True:
 * that is so. */
bool ending_give_up(job_t *job, int number);
/* This PE is dead, and the others need something of it to start: end the job. */
void ending_without(job_t *job, int number);
/* Only PEs are left that have failed by their own word: they are ended. */
void ending_sleepers(job_t *job);
/* Begin to end the job; the cause has been named. first_signal goes to every process now (0: none).
 */
void ending_begin(job_t *job, int status, int first_signal);
/* Send the signals that are due. */
void ending_advance(job_t *job);
/* Some processes have not ended by many SIGKILLs. */
bool ending_gives_up(const job_t *job);
/* Signal all descendants of this process. Returns how many there were. */
int ending_signal_descendants(const job_t *job, int signal);

/* ---- keeper.c -------------------------------------------------------------------------------- */

/* What an epoll event is about: kind in the upper half, PE in the lower. */
enum watch { WATCH_SIGNALS, WATCH_FRONT, WATCH_START, WATCH_PMI, WATCH_STDOUT, WATCH_STDERR };
void keeper_watch(const job_t *job, int fd, enum watch kind, int pe);

/* Wait until a standard stream has room. The keeper sees to signals and the front's end meanwhile
 * and leaves all else, so that the PEs wait as well. False: nobody made room in time, which counts
 * once a signal ends the job, and outside of the keeper. */
bool keeper_wait(int fd);

/* Run the job. Returns the exit status. */
int keeper_run(const options_t *options, const inherited_t *inherited, int front_pipe);

#endif
