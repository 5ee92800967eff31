/*
 * What the user may not have meant, and nothing else would tell: a line for each, and the job runs.
 * Knows ELF, the names of Open MPI's libraries, and what other launchers leave in the environment.
 */
#include "weftrun/weftrun.h"

#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a program of Open MPI finds no launcher in weftrun: each PE is alone -------------------- */

/* libmpi, libmpi_mpifh, liboshmem and others, of Open MPI 2 to 5. (MPICH's libmpi has another
 * number, and weftrun serves it.) */
static bool is_of_open_mpi(const char *library) {
  const char *version = strstr(library, ".so.");
  return version && (strcmp(version, ".so.40") == 0 || strcmp(version, ".so.20") == 0) &&
         (strncmp(library, "libmpi", 6) == 0 || strncmp(library, "liboshmem", 9) == 0);
}

/* These look for themselves (boot/mpi.c). */
static bool is_of_weft(const char *library) {
  return strstr(library, "weft") || strncmp(library, "libarmci", 8) == 0;
}

/* What base/log.c writes with: the program has libweft.a in it. */
static const char log_format[] = "weft: pe %d: ";

typedef struct image {
  const char *at;
  size_t size;
} image_t;

/* So many bytes of the file; NULL: it has not got them. */
static const void *part(const image_t *image, size_t offset, size_t bytes) {
  if (offset > image->size || image->size - offset < bytes || offset % sizeof(void *)) return NULL;
  return image->at + offset;
}

/* The strings' table as it lies in the file. */
static const char *table(const image_t *image, const ElfW(Phdr) * headers, int n, size_t address) {
  for (int i = 0; i < n; i++) {
    const size_t inside = address - headers[i].p_vaddr, offset = headers[i].p_offset + inside;
    if (headers[i].p_type == PT_LOAD && inside < headers[i].p_filesz && offset < image->size)
      return image->at + offset;
  }
  return NULL;
}

static bool needs_open_mpi(const image_t *image) {
  const ElfW(Ehdr) *head = part(image, 0, sizeof(*head));
  if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return false;
  if (head->e_phentsize != sizeof(ElfW(Phdr))) return false; /* of 32 bits, or damaged */
  const int n = head->e_phnum;
  const ElfW(Phdr) *headers = part(image, head->e_phoff, (size_t)n * sizeof(*headers));
  const ElfW(Dyn) *entries = NULL;
  size_t nentries = 0;
  for (int i = 0; headers && i < n; i++) {
    if (headers[i].p_type != PT_DYNAMIC) continue;
    entries = part(image, headers[i].p_offset, headers[i].p_filesz);
    nentries = headers[i].p_filesz / sizeof(*entries);
  }
  const char *names = NULL, *end = image->at + image->size;
  for (size_t i = 0; entries && i < nentries; i++)
    if (entries[i].d_tag == DT_STRTAB) names = table(image, headers, n, entries[i].d_un.d_ptr);
  bool found = false;
  for (size_t i = 0; names && i < nentries; i++) {
    const size_t at = entries[i].d_un.d_val;
    if (entries[i].d_tag != DT_NEEDED || at >= (size_t)(end - names)) continue;
    if (!memchr(names + at, 0, (size_t)(end - names) - at)) continue;
    if (is_of_weft(names + at)) return false;
    found |= is_of_open_mpi(names + at);
  }
  return found && !memmem(image->at, image->size, log_format, sizeof(log_format) - 1);
}

/* As execvp finds it; -1: it says what is wrong itself. */
static int open_program(const options_t *options) {
  const char *name = options->argv[0], *list = getenv("PATH");
  char path[4096];
  int fd = -1;
  if (strchr(name, '/')) {
    const bool inside = options->wdir && *name != '/';
    snprintf(path, sizeof(path), "%s%s%s", inside ? options->wdir : "", inside ? "/" : "", name);
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  }
  while (fd < 0 && list && *list) {
    const size_t len = strcspn(list, ":");
    const int n = snprintf(path, sizeof(path), "%.*s/%s", (int)len, list, name);
    if (len > 0 && n < (int)sizeof(path) && access(path, X_OK) == 0)
      fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    list += len + (list[len] == ':');
  }
  return fd;
}

static void doubt_program(const options_t *options) {
  struct stat st;
  const int fd = open_program(options);
  if (fd < 0) return;
  if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
    image_t image = {.size = (size_t)st.st_size};
    void *at = mmap(NULL, image.size, PROT_READ, MAP_PRIVATE, fd, 0);
    image.at = at;
    if (at != MAP_FAILED && needs_open_mpi(&image))
      say("%s is linked with Open MPI: started by weftrun each of the %d processes is alone; Open "
          "MPI's mpirun starts them as one job",
          options->argv[0], options->npes);
    if (at != MAP_FAILED) munmap(at, image.size);
  }
  close(fd);
}

/* ---- other launchers ------------------------------------------------------------------------- */

static int number(const char *variable) {
  const char *text = getenv(variable);
  return text ? atoi(text) : -1;
}

/* "srun -n 4 weftrun -n 4": four jobs. The first of us says so. A PE that starts weftrun means it,
 * and so does a shell: srun --pty gives only one of its tasks a terminal. */
static bool doubt_copies(const options_t *options) {
  static const struct {
    const char *launcher, *size, *rank;
  } others[] = {{"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
                {"mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                {"mpiexec or weftrun", "PMI_SIZE", "PMI_RANK"}};
  for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
    if (number(others[i].size) <= 1 || (i == 0 && getenv("SLURM_PTY_PORT"))) continue;
    if (number(others[i].rank) == 0 && !getenv("WEFT_LAUNCHER_JOINED"))
      say("%s has started %s %d times, and each starts a job of %d of its own; without %s it is "
          "one job",
          others[i].launcher, options->self, number(others[i].size), options->npes, options->self);
    return true;
  }
  return false;
}

/* mpirun and srun use all nodes of an allocation. "srun -N 1 weftrun" wants one of them. */
static void doubt_nodes(const options_t *options) {
  const int nodes = number("SLURM_JOB_NUM_NODES");
  const bool wants_one = number("SLURM_STEP_NUM_NODES") == 1 && !getenv("SLURM_PTY_PORT");
  if (nodes > 1 && !wants_one && !options->netns)
    say("Slurm gave this job %d nodes, and weftrun starts all %d processes on this one; srun "
        "--mpi=pmix (or pmi2) uses all, and so does --hosts",
        nodes, options->npes);
}

/* "weftrun ./sum -n 4": one PE, with arguments. */
static void doubt_order(const options_t *options) {
  const char *first = options->argv[1], *second = first ? options->argv[2] : NULL;
  if (!second || (strcmp(first, "-n") != 0 && strcmp(first, "-np") != 0)) return;
  if (strspn(second, "0123456789") != strlen(second) || atoi(second) <= 1) return;
  say("%s %s is an argument of %s here, and 1 process starts; %s's options stand before the "
      "program",
      first, second, options->argv[0], options->self);
}

void doubts_say(const options_t *options) {
  if (options->quiet) return;
  if (options->uncounted) doubt_order(options);
  const bool copies = doubt_copies(options);
  if (options->npes == 1) return;
  if (!copies) doubt_nodes(options);
  doubt_program(options);
}
