// weft-count: counts the machine instructions of one call in any unmodified program and library.
//
// The program keeps the process that its launcher started; an orphan traces it with ptrace, plants
// breakpoints at the asked symbols and single-steps one call of each. Counts are exact and can be
// tests where the machine has no hardware counters. It must not know Weft: ELF tables and /proc are
// all it reads, so it works for any library. x86-64 only.

#define _GNU_SOURCE
#include "weft-count.h"
#include "base/base.h"

#include <stdio.h>

#define EXIT_CANNOT 77 // this machine or its permissions do not allow counting: tests skip

#if !defined(__x86_64__)
int main(void) {
  fprintf(stderr, "weft-count: single-stepping is written for x86-64 Linux only\n");
  return EXIT_CANNOT;
}
#else

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <getopt.h>
#include <link.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  const char *name, *object; // object: a glob for the file name, or NULL
  int marker;                // the marker's number, or -1
  long seen;                 // calls met so far
  long counted;              // of them
  int places;                // breakpoints planted for it
  bool done;
} target_t;
enum { BP_ENTRY = -1, BP_LINK_MAP = -2, BP_NONE = -3 };
typedef struct {
  uint64_t addr;
  uint8_t saved;
  int target; // index, or BP_*
} bp_t;
typedef enum { RUN, OVER, STEP } state_t; // OVER: stepping off a breakpoint; STEP: being counted
typedef struct {
  pid_t tid;
  state_t state;
  int bp;
} thread_t;

static target_t *targets;
static bp_t *bps;
static thread_t *threads;
static int ntargets, nbps, nthreads;

static struct {
  int pe;
  bool markers, trace;
  long skip, calls, limit;
  const char *out;
} opt = {.calls = 1, .limit = 2000000};

static const char raw_name[] = "int3"; // the one target of all raw int3 instructions
static const char *opt_to;             // NULL: libfabric and its providers
static report_t report = {.to = "libfabric"};
static pid_t pe_pid;
static int mem_fd = -1;
static uint64_t r_debug_addr;

// The one count that runs. `tid` 0: none.
static struct {
  pid_t tid;
  int target;
  uint64_t ret, sp; // ends when pc == ret and the stack is one word shorter; sp 0: at a marker
  uint64_t last_pc;
  count_t c;
} now;

static void fail(const char *what) {
  fprintf(stderr, "weft-count: %s: %s\n", what, strerror(errno));
  _exit(EXIT_CANNOT);
}

// ---- the counted process's memory and registers ----

static size_t mem_read(uint64_t addr, void *to, size_t bytes) {
  ssize_t n = pread(mem_fd, to, bytes, (off_t)addr);
  return n < 0 ? 0 : (size_t)n;
}

static uint64_t mem_word(uint64_t addr) {
  uint64_t w = 0;
  mem_read(addr, &w, sizeof w);
  return w;
}

// Writing fails where text was unmapped in the meantime; that is harmless.
static void mem_byte(int fd, uint64_t addr, uint8_t byte) {
  if (pwrite(fd, &byte, 1, (off_t)addr) != 1) return;
}

static void regs_get(pid_t tid, struct user_regs_struct *r) {
  memset(r, 0, sizeof *r);
  ptrace(PTRACE_GETREGS, tid, NULL, r);
}

static void regs_set_pc(pid_t tid, uint64_t pc) {
  ptrace(PTRACE_POKEUSER, tid, (void *)offsetof(struct user_regs_struct, rip), (void *)pc);
}

// ---- breakpoints ----

static bool bp_wanted(const bp_t *b) {
  return b->target < 0 ? b->target != BP_NONE : !targets[b->target].done;
}

static bp_t *bp_find(uint64_t addr) {
  for (int i = 0; i < nbps; i++)
    if (bps[i].addr == addr) return &bps[i];
  return NULL;
}

// While a call is counted no breakpoint stands in the text, so other threads pass them freely.
static void bp_plant_all(void) {
  for (int i = 0; i < nbps; i++)
    mem_byte(mem_fd, bps[i].addr, bp_wanted(&bps[i]) ? 0xcc : bps[i].saved);
}

static void bp_lift_all(int fd) {
  for (int i = 0; i < nbps; i++) mem_byte(fd, bps[i].addr, bps[i].saved);
}

static void bp_add(uint64_t addr, int target) {
  uint8_t saved;
  if (bp_find(addr) || mem_read(addr, &saved, 1) != 1) return;
  *PUSH(bps, nbps) = (bp_t){.addr = addr, .saved = saved, .target = target};
  if (target >= 0) targets[target].places++;
  if (!now.tid) mem_byte(mem_fd, addr, 0xcc);
}

// ---- what a scan of the objects finds ----

static void found_object(object_t *o) {
  if (opt_to)
    o->stop = fnmatch(opt_to, o->name, 0) == 0;
  else
    o->stop = !fnmatch("libfabric.so*", o->name, 0) || !fnmatch("lib*-fi.so*", o->name, 0);
}

// An indirect function's table entry is its resolver, not the function: it cannot be counted.
static void found_symbol(const object_t *o, const char *name, uint64_t addr, bool indirect) {
  for (int t = 0; t < ntargets; t++) {
    const target_t *x = &targets[t];
    if (!x->name || x->marker >= 0 || strcmp(x->name, name)) continue;
    if (x->object && fnmatch(x->object, o->name, 0)) continue;
    if (!indirect)
      bp_add(addr, t);
    else
      fprintf(stderr, "weft-count: %s in %s is indirect (IFUNC), skipped\n", name, o->name);
  }
}

static void found_marker(int number, uint64_t addr) {
  int t = 0;
  if (!opt.markers) return;
  while (t < ntargets && targets[t].marker != number) t++;
  if (t == ntargets) PUSH(targets, ntargets)->marker = number;
  bp_add(addr, t);
}

// ---- counting ----

static void count_name(count_t *c, const target_t *t) {
  c->pe = opt.pe;
  c->call = opt.skip + t->counted + 1;
  if (t->name)
    snprintf(c->what, sizeof c->what, "%s", t->name);
  else
    snprintf(c->what, sizeof c->what, "marker %d", t->marker);
}

static void report_missing_all(void) {
  for (int i = 0; i < ntargets; i++) {
    const target_t *t = &targets[i];
    count_t c = {0};
    count_name(&c, t);
    if (t->done || (now.tid && now.target == i) || (t->name == raw_name && !t->seen)) continue;
    report_missing(&report, &c, t->seen, t->places || t->seen);
  }
}

static void count_clear(void) {
  for (int i = 0; i < nobjects; i++) {
    objects[i].self = 0, objects[i].entered = -1;
    for (int k = 0; k < objects[i].nsyms; k++) objects[i].syms[k].self = 0;
    for (int k = 0; k < objects[i].nsections; k++) objects[i].sections[k].self = 0;
  }
}

// Classifies the instruction at b. Returns true for a repeated string instruction, which the
// processor reports once per iteration but which is one instruction.
static bool count_decode(const uint8_t *b) {
  bool lock = false, rep = false;
  for (;; b++) {
    if (*b == 0xf0)
      lock = true;
    else if (*b == 0xf2 || *b == 0xf3)
      rep = true;
    else if (*b != 0x66 && *b != 0x67 && *b != 0x2e && *b != 0x36 && *b != 0x3e && *b != 0x26 &&
             *b != 0x64 && *b != 0x65)
      break;
  }
  if ((*b & 0xf0) == 0x40) b++;
  bool string =
      (*b >= 0xa4 && *b <= 0xa7) || (*b >= 0xaa && *b <= 0xaf) || (*b >= 0x6c && *b <= 0x6f);
  if (rep && string) return true;
  bool swap = (*b == 0x86 || *b == 0x87) && b[1] < 0xc0; // xchg with memory locks by itself
  now.c.locked += lock || swap;
  now.c.syscalls += (*b == 0x0f && b[1] == 0x05) || (*b == 0xcd && b[1] == 0x80);
  now.c.fences += *b == 0x0f && b[1] == 0xae && !rep && b[2] >= 0xe8;
  return false;
}

// Accounts the instruction at pc, which is about to execute.
static void count_instruction(uint64_t pc, const uint8_t *code) {
  if (count_decode(code) && pc == now.last_pc) return;
  now.last_pc = pc;
  object_t *o = object_find(pe_pid, pc);
  if (o) {
    sym_t *s = object_symbol(o, pc);
    if (o->entered < 0) o->entered = now.c.total;
    if (o->stop && now.c.to < 0) now.c.to = now.c.total;
    o->self++;
    if (s) s->self++;
    if (opt.trace)
      fprintf(report.file, "%6ld %s %s+%#lx\n", now.c.total, o->name, s ? s->name : "?",
              (unsigned long)(pc - o->bias - (s ? s->start : 0)));
  }
  now.c.total++;
}

static void thread_go(thread_t *t, int sig) {
  ptrace(t->state == RUN ? PTRACE_CONT : PTRACE_SINGLESTEP, t->tid, NULL, (void *)(long)sig);
}

static void count_end(thread_t *t, bool complete) {
  now.c.complete = complete;
  report_count(&report, &now.c);
  targets[now.target].done = ++targets[now.target].counted >= opt.calls;
  now.tid = 0;
  t->state = RUN;
  bp_plant_all();
}

// The counted thread stands before its next instruction.
static void count_step(thread_t *t) {
  struct user_regs_struct r;
  uint8_t code[24] = {0};
  regs_get(t->tid, &r);
  mem_read(r.rip, code, 15);
  int marker = targets[now.target].marker;
  if (now.sp && r.rip == now.ret && r.rsp == now.sp + 8) {
    count_end(t, true);
  } else if (!now.sp && marker < 0 && code[0] == 0xcc) {
    count_end(t, true);
    regs_set_pc(t->tid, r.rip + 1);
  } else if (!now.sp && marker >= 0 &&
             memcmp(code,
                    "\x0f\x1f\x80"
                    "e",
                    4) == 0 &&
             code[4] == marker && code[5] == 'C' && code[6] == 'W') {
    count_end(t, true);
  } else if (now.c.total >= opt.limit) {
    count_end(t, false);
  } else {
    count_instruction(r.rip, code);
  }
  thread_go(t, 0);
}

static void count_begin(thread_t *t, int target, uint64_t pc, bool call) {
  struct user_regs_struct r;
  regs_get(t->tid, &r);
  bp_lift_all(mem_fd);
  memset(&now, 0, sizeof now);
  now.tid = t->tid;
  now.target = target;
  now.c.tid = t->tid;
  now.c.to = -1;
  count_name(&now.c, &targets[target]);
  if (call) now.sp = r.rsp, now.ret = mem_word(r.rsp);
  regs_set_pc(t->tid, pc);
  count_clear();
  t->state = STEP;
  count_step(t);
}

// ---- threads and their stops ----

static thread_t *thread_find(pid_t tid) {
  for (int i = 0; i < nthreads; i++)
    if (threads[i].tid == tid) return &threads[i];
  return NULL;
}

static void thread_drop(pid_t tid) {
  for (int i = 0; i < nthreads; i++)
    if (threads[i].tid == tid) threads[i].tid = -1;
}

static uint64_t auxv(uint64_t key) {
  char file[64];
  uint64_t pair[2], value = 0;
  snprintf(file, sizeof file, "/proc/%d/auxv", (int)pe_pid);
  int fd = open(file, O_RDONLY | O_CLOEXEC);
  while (read(fd, pair, sizeof pair) == sizeof pair && pair[0])
    if (pair[0] == key) value = pair[1];
  close(fd);
  return value;
}

// After an exec: forget the old image, run to the new one's entry point.
static void image_start(void) {
  char file[64];
  snprintf(file, sizeof file, "/proc/%d/mem", (int)pe_pid);
  if (mem_fd >= 0) close(mem_fd);
  mem_fd = open(file, O_RDWR | O_CLOEXEC);
  if (mem_fd < 0) fail(file);
  now.tid = 0;
  objects_forget();
  nbps = nthreads = 0;
  bps = NULL, threads = NULL;
  r_debug_addr = 0;
  bp_add(auxv(AT_ENTRY), BP_ENTRY);
}

// The dynamic linker calls the function at r_brk when it has loaded an object (<link.h>).
static void image_entered(void) {
  uint64_t ph = auxv(AT_PHDR), n = auxv(AT_PHNUM), bias = 0, dynamic = 0;
  Elf64_Phdr p;
  for (uint64_t i = 0; i < n; i++) {
    mem_read(ph + i * sizeof p, &p, sizeof p);
    if (p.p_type == PT_PHDR) bias = ph - p.p_vaddr;
    if (p.p_type == PT_DYNAMIC) dynamic = p.p_vaddr;
  }
  for (uint64_t d = dynamic ? bias + dynamic : 0, tag; d && (tag = mem_word(d)); d += 16)
    if (tag == DT_DEBUG) r_debug_addr = mem_word(d + 8);
  objects_scan(pe_pid);
  if (r_debug_addr) bp_add(mem_word(r_debug_addr + offsetof(struct r_debug, r_brk)), BP_LINK_MAP);
  if (!opt.markers) return;
  for (int t = 0; t < ntargets; t++)
    if (targets[t].name == raw_name) return;
  *PUSH(targets, ntargets) = (target_t){.name = raw_name, .marker = -1};
}

static bool link_map_ready(void) {
  int state = 0;
  mem_read(r_debug_addr + offsetof(struct r_debug, r_state), &state, sizeof state);
  return state == RT_CONSISTENT;
}

static void breakpoint(thread_t *t, bp_t *b) {
  int i = b - bps, target = b->target;
  regs_set_pc(t->tid, b->addr);
  if (!now.tid && target == BP_LINK_MAP && link_map_ready()) objects_scan(pe_pid); // may move bps
  if (!now.tid && target == BP_ENTRY) {
    image_entered();
    bps[i].target = BP_NONE;
  }
  if (!now.tid && target >= 0 && !targets[target].done) {
    if (targets[target].seen++ >= opt.skip) {
      bool call = targets[target].marker < 0;
      count_begin(t, target, bps[i].addr + (call ? 0 : 7), call);
      return;
    }
  }
  mem_byte(mem_fd, bps[i].addr, bps[i].saved);
  t->state = OVER;
  t->bp = i;
  thread_go(t, 0);
}

// A SIGTRAP of a thread that is not being counted.
static void trap(thread_t *t) {
  struct user_regs_struct r;
  uint8_t byte = 0;
  if (t->state == OVER) {
    if (!now.tid && bp_wanted(&bps[t->bp])) mem_byte(mem_fd, bps[t->bp].addr, 0xcc);
    t->state = RUN;
    thread_go(t, 0);
    return;
  }
  regs_get(t->tid, &r);
  bp_t *b = bp_find(r.rip - 1);
  if (b) {
    breakpoint(t, b);
    return;
  }
  mem_read(r.rip - 1, &byte, 1);
  bool raw = opt.markers && byte == 0xcc;
  int i = 0;
  while (raw && targets[i].name != raw_name) i++;
  // Begin and end alternate: a region that is skipped has passed two of them.
  if (raw && !now.tid && !targets[i].done && targets[i].seen++ >= 2 * opt.skip)
    count_begin(t, i, r.rip, false);
  else
    thread_go(t, raw ? 0 : SIGTRAP);
}

// A child process is not followed. It shares or copied our text: give it back without breakpoints.
// (A vfork child shares it; its parent plants them again when the child has gone on.)
static bool child_released(pid_t tid) {
  char file[64], line[128];
  int tgid = pe_pid;
  snprintf(file, sizeof file, "/proc/%d/status", (int)tid);
  FILE *f = fopen(file, "re");
  while (f && fgets(line, sizeof line, f)) sscanf(line, "Tgid: %d", &tgid);
  if (f) fclose(f);
  if (tgid == pe_pid) return false;
  snprintf(file, sizeof file, "/proc/%d/mem", (int)tid);
  int fd = open(file, O_RDWR | O_CLOEXEC);
  if (!now.tid) bp_lift_all(fd);
  close(fd);
  ptrace(PTRACE_DETACH, tid, NULL, NULL);
  return true;
}

static void stopped(pid_t tid, int status) {
  int sig = WSTOPSIG(status), event = status >> 16;
  if (event == PTRACE_EVENT_EXEC) image_start();
  thread_t *t = thread_find(tid);
  if (!t && child_released(tid)) return;
  if (!t) (t = PUSH(threads, nthreads))->tid = tid;
  if (event == PTRACE_EVENT_STOP && sig != SIGTRAP) {
    ptrace(PTRACE_LISTEN, tid, NULL, NULL); // a group stop, as from Ctrl-Z
    return;
  }
  if (event == PTRACE_EVENT_VFORK_DONE && !now.tid) bp_plant_all();
  if (event == PTRACE_EVENT_EXIT) {
    if (now.tid == tid) count_end(t, false);
    if (tid == pe_pid && mem_fd >= 0) report_missing_all(); // the launcher still waits
  }
  if (event) {
    thread_go(t, 0);
  } else if (sig != SIGTRAP) {
    now.c.signals += t->state == STEP;
    thread_go(t, sig);
  } else if (t->state == STEP) {
    count_step(t);
  } else {
    trap(t);
  }
}

static void trace(int go) {
  long options = PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                 PTRACE_O_TRACEVFORK | PTRACE_O_TRACEVFORKDONE | PTRACE_O_TRACEEXIT |
                 PTRACE_O_EXITKILL;
  if (ptrace(PTRACE_SEIZE, pe_pid, NULL, (void *)options)) fail("ptrace");
  if (write(go, "g", 1) != 1) fail("pipe");
  close(go);
  for (;;) {
    int status;
    pid_t tid = waitpid(-1, &status, __WALL);
    if (tid < 0 && errno == EINTR) continue;
    if (tid < 0) break; // nobody left
    if (WIFSTOPPED(status))
      stopped(tid, status);
    else
      thread_drop(tid);
  }
  _exit(0);
}

// Forks the tracer as an orphan, so that the program stays its launcher's own child and finds no
// child it did not make; returns in the program, which is traced from its exec on.
static void tracer_start(void) {
  int go[2];
  char byte;
  pe_pid = getpid();
  if (pipe2(go, O_CLOEXEC)) fail("pipe");
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
  pid_t middle = fork();
  if (middle < 0) fail("fork");
  if (middle == 0) {
    pid_t tracer = fork();
    if (tracer) _exit(tracer < 0);
    int keep = dup2(go[1], 3); // hold nothing of the program's: its sockets must close with it
    weft_close_range(4, ~0u);
    signal(SIGINT, SIG_IGN), signal(SIGTERM, SIG_IGN), signal(SIGHUP, SIG_IGN);
    report.file = opt.out ? fopen(opt.out, "we") : stderr;
    if (!report.file) fail(opt.out);
    report_head(&report);
    found = (found_t){found_object, found_symbol, found_marker};
    trace(keep);
  }
  close(go[1]);
  waitpid(middle, NULL, 0);
  if (read(go[0], &byte, 1) != 1) _exit(EXIT_CANNOT);
  close(go[0]);
  prctl(PR_SET_PTRACER, 0);
}

// ---- the command ----

static const char usage[] =
    "usage: weft-count [options] PROGRAM [ARGUMENTS]\n"
    "counts the instructions of a call, also of one PE of a job: weftrun -n 2 weft-count ...\n"
    "  -s, --symbol NAME[@OBJECT]  count a call of it (repeatable; OBJECT: a file glob)\n"
    "  -m, --markers               count between markers (test/count/marker.h) and raw int3\n"
    "  -k, --skip N                let N calls pass first\n"
    "  -n, --calls N               count N calls, each by itself (default 1)\n"
    "  -p, --pe N                  count in this PE only (default 0); others run untouched\n"
    "  -t, --to GLOB               report the count up to these objects (default libfabric)\n"
    "  -l, --limit N               give up after N instructions (default 2000000)\n"
    "  -c, --csv                   comma-separated rows\n"
    "  -o, --out FILE              write there instead of to stderr\n"
    "  -x, --trace                 list every instruction\n"
    "  -h, --help\n"
    "  -V, --version\n";

static void add_symbol(char *name) {
  char *at = strchr(name, '@');
  if (at) *at++ = 0;
  *PUSH(targets, ntargets) = (target_t){.name = name, .object = at, .marker = -1};
}

static long number(const char *text) {
  char *end;
  long n = strtol(text, &end, 10);
  if (*text && !*end && n >= 0) return n;
  fprintf(stderr, "weft-count: %s is not a count\n", text);
  exit(2);
}

static void options(int argc, char **argv) {
  static const struct option names[] = {
      {"symbol", 1, 0, 's'}, {"markers", 0, 0, 'm'}, {"skip", 1, 0, 'k'},    {"calls", 1, 0, 'n'},
      {"pe", 1, 0, 'p'},     {"to", 1, 0, 't'},      {"limit", 1, 0, 'l'},   {"csv", 0, 0, 'c'},
      {"out", 1, 0, 'o'},    {"trace", 0, 0, 'x'},   {"version", 0, 0, 'V'}, {"help", 0, 0, 'h'},
      {0, 0, 0, 0}};
  for (int c; (c = getopt_long(argc, argv, "+s:mk:n:p:t:l:co:xhV", names, NULL)) != -1;) {
    switch (c) {
    case 's': add_symbol(optarg); break;
    case 'm': opt.markers = true; break;
    case 'k': opt.skip = number(optarg); break;
    case 'n': opt.calls = number(optarg); break;
    case 'p': opt.pe = number(optarg); break;
    case 't': opt_to = report.to = optarg; break;
    case 'l': opt.limit = number(optarg); break;
    case 'c': report.csv = true; break;
    case 'o': opt.out = optarg; break;
    case 'x': opt.trace = true; break;
    case 'h': fputs(usage, stdout); exit(0);
    case 'V': exit(puts("weft-count (Weft) " WEFT_VERSION) < 0);
    default: exit(2); // getopt has said it
    }
  }
  if (optind < argc && (ntargets || opt.markers)) return;
  const char *what = optind < argc ? "name a --symbol or --markers;" : "which program?";
  fprintf(stderr, "weft-count: %s see weft-count --help\n", what);
  exit(2);
}

// Which PE a launcher says this process is; alone it is PE 0.
static int pe_rank(void) {
  static const char *const names[] = {"PMI_RANK", "PMIX_RANK", "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *rank = getenv(names[i]);
    if (rank) return atoi(rank);
  }
  return 0;
}

int main(int argc, char **argv) {
  options(argc, argv);
  if (pe_rank() == opt.pe) {
    FILE *out = opt.out ? fopen(opt.out, "we") : NULL; // the tracer opens it again
    if (opt.out && (!out || fclose(out))) {
      fprintf(stderr, "weft-count: cannot write %s: %s\n", opt.out, strerror(errno));
      return 2;
    }
    setenv("LD_BIND_NOW", "1", 1); // else the first call would count the dynamic linker
    tracer_start();
  }
  execvp(argv[optind], &argv[optind]);
  const int error = errno;
  fprintf(stderr, "weft-count: %s: %s\n", argv[optind], strerror(error));
  return error == ENOENT ? 127 : 126;
}
#endif
