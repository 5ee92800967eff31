/*
 * What the driver does with each file: preprocess, translate, compile; and the link at the end.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver.h"

static char *folder; /* of temporary files, or NULL */
static list_t made;  /* temporary files */

static void remove_temporaries(void) {
  for (int i = 0; i < made.count; i++) unlink(made.items[i]);
  if (folder) rmdir(folder);
}

static char *temporary(const char *base, const char *suffix) {
  if (driver.save_temps) return format_text("%s%s", base, suffix);
  if (!folder) {
    const char *where = getenv("TMPDIR");
    folder = format_text("%s/upcc.XXXXXX", where && *where ? where : "/tmp");
    if (!mkdtemp(folder)) give_up("%s: %s", folder, strerror(errno));
    atexit(remove_temporaries);
  }
  char *name = format_text("%s/%d-%s%s", folder, made.count, base, suffix);
  list_add(&made, name);
  return name;
}

static void print_command(const list_t *command) {
  for (int i = 0; i < command->count; i++)
    fprintf(driver.show ? stdout : stderr, "%s%s", i ? " " : "", command->items[i]);
  fputc('\n', driver.show ? stdout : stderr);
}

static int status_of(pid_t child) {
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return 1;
  if (WIFSIGNALED(status))
    fprintf(stderr, "upcc: a command was ended by signal %d\n", WTERMSIG(status));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int run_quietly(const list_t *command, text_t *messages) {
  int ends[2] = {-1, -1};
  if (driver.verbose || driver.show) print_command(command);
  if (driver.show) return 0;
  if (messages && pipe(ends) != 0) give_up("pipe: %s", strerror(errno));
  fflush(NULL);
  pid_t child = fork();
  if (child < 0) give_up("fork: %s", strerror(errno));
  if (child == 0) {
    if (messages) {
      dup2(ends[1], 2);
      close(ends[0]);
      close(ends[1]);
    }
    execvp(command->items[0], command->items);
    fprintf(stderr, "upcc: %s: %s\n", command->items[0], strerror(errno));
    _exit(127);
  }
  if (messages) {
    char block[4096];
    close(ends[1]);
    for (ssize_t n; (n = read(ends[0], block, sizeof block)) > 0;)
      add_bytes(messages, block, (size_t)n);
    close(ends[0]);
  }
  return status_of(child);
}

int run(const list_t *command) {
  return run_quietly(command, NULL);
}

static bool ends_with(const char *name, const char *suffix) {
  size_t n = strlen(name), m = strlen(suffix);
  return n > m && strcmp(name + n - m, suffix) == 0;
}

static char *base_of(const char *name) {
  const char *slash = strrchr(name, '/');
  char *base = format_text("%s", slash ? slash + 1 : name);
  if (ends_with(base, ".trans.c")) base[strlen(base) - strlen(".trans.c")] = 0;
  char *dot = strrchr(base, '.');
  if (dot && dot != base) *dot = 0;
  return base;
}

static void add_compiler(list_t *command) {
  char *copy = format_text("%s", driver.compiler);
  for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) list_add(command, word);
}

/* The macros of 6.7.2 and of the libraries (7.4, 7.5 and the optional ones). */
static void add_macros(list_t *c) {
  static const char *const fixed[] = {"-D__UPC__=1",
                                      "-D__UPC_VERSION__=201311L",
                                      "-D__UPC_COLLECTIVE__=1",
                                      "-D__UPC_TICK__=1",
                                      "-D__UPC_ATOMIC__=1",
                                      "-D__UPC_CASTABLE__=1",
                                      "-D__UPC_NB__=1",
                                      "-D__UPC_IO__=1",
                                      "-D__WEFT_UPC__=1"};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) list_add(c, fixed[i]);
  list_add(c, format_text("-DUPC_MAX_BLOCK_SIZE=%d", (1 << options.phase_bits) - 1));
  list_add(c, format_text("-DWEFT_UPC_THREAD_BITS=%d", options.thread_bits));
  list_add(c, format_text("-DWEFT_UPC_PHASE_BITS=%d", options.phase_bits));
  list_add(c, format_text("-DWEFT_UPC_ADDR_BITS=%d", options.addr_bits));
  if (options.threads) {
    list_add(c, "-D__UPC_STATIC_THREADS__=1");
    list_add(c, format_text("-DTHREADS=%d", options.threads));
  } else {
    list_add(c, "-D__UPC_DYNAMIC_THREADS__=1");
  }
}

/* Without -Wundef THREADS in #if would silently be 0 (trap 20). Other names are none of our
 * business. */
static void print_messages(text_t *messages) {
  bool skip = false;
  for (char *line = messages->data; line && *line;) {
    char *end = strchr(line, '\n');
    size_t n = end ? (size_t)(end - line) + 1 : strlen(line);
    bool detail = line[0] == ' ';
    if (!detail) {
      char *text = format_text("%.*s", (int)n, line);
      skip = strstr(text, "Wundef") && !strstr(text, "\"THREADS\"") && !strstr(text, "'THREADS'");
    }
    if (!skip) fwrite(line, 1, n, stderr);
    line += n;
  }
}

static bool gives_undef(void) {
  for (int i = 0; i < driver.flags.count; i++)
    if (strcmp(driver.flags.items[i], "-Wundef") == 0) return true;
  return false;
}

static int preprocess(const char *input, const char *output, const char *object) {
  list_t c = {0};
  text_t messages = {0};
  add_compiler(&c);
  list_add(&c, "-E");
  if (!gives_undef() && !options.threads) list_add(&c, "-Wundef");
  add_macros(&c);
  list_add_all(&c, &driver.flags);
  list_add_all(&c, &driver.preprocess);
  if (driver.dependencies && object) {
    if (!*driver.dependencies) {
      list_add(&c, "-MF");
      list_add(&c, format_text("%s.d", base_of(object)));
    }
    list_add(&c, "-MT");
    list_add(&c, object);
  }
  list_add(&c, "-isystem");
  list_add(&c, options.include);
  const char *slash = strrchr(input, '/');
  list_add(
      &c,
      "-idirafter"); /* Berkeley's driver finds <file> beside the source, and programs rely on it */
  list_add(&c, slash ? format_text("%.*s", (int)(slash - input + 1), input) : ".");
  list_add(&c, "-x");
  list_add(&c, "c");
  list_add(&c, input);
  if (output) {
    list_add(&c, "-o");
    list_add(&c, output);
  }
  int status = run_quietly(&c, gives_undef() ? NULL : &messages);
  print_messages(&messages);
  return status;
}

static char *read_file(const char *name, size_t *size) {
  FILE *file = fopen(name, "r");
  if (!file) give_up("%s: %s", name, strerror(errno));
  text_t text = {0};
  char block[65536];
  for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;) add_bytes(&text, block, n);
  fclose(file);
  *size = text.length;
  add_bytes(&text, "\0\0\0\0\0\0\0\0", 8);
  return text.data;
}

/* In a child, since a translation's state is the process's. */
static int translate_file(const char *input, const char *text_file, const char *output) {
  if (driver.verbose || driver.show)
    fprintf(driver.show ? stdout : stderr, "upcc: translate %s to %s\n", input, output);
  if (driver.show) return 0;
  fflush(NULL);
  pid_t child = fork();
  if (child < 0) give_up("fork: %s", strerror(errno));
  if (child > 0) return status_of(child);
  struct rlimit stack; /* long chains of operators are deep trees */
  if (getrlimit(RLIMIT_STACK, &stack) == 0 &&
      (stack.rlim_max == RLIM_INFINITY || stack.rlim_max >= 100 << 20)) {
    stack.rlim_cur = 100 << 20;
    setrlimit(RLIMIT_STACK, &stack);
  }
  size_t size;
  text_t out = {0};
  char *text = read_file(text_file, &size);
  const char *slash = strrchr(input, '/');
  options.main_file = input;
  options.source_folder = slash ? format_text("%.*s", (int)(slash - input + 1), input) : "./";
  int status = translate(text, size, &out);
  if (status == 0) {
    FILE *file = fopen(output, "w");
    if (!file || fwrite(out.data, 1, out.length, file) != out.length || fclose(file) != 0) {
      fprintf(stderr, "upcc: %s: %s\n", output, strerror(errno));
      status = 1;
    }
  }
  _exit(status);
}

/* From C, translated or not, to an object or assembly. */
static int compile(const char *input, const char *output, bool translated) {
  list_t c = {0};
  add_compiler(&c);
  list_add(&c, driver.stage == STAGE_ASSEMBLE ? "-S" : "-c");
  list_add_all(&c, &driver.flags);
  list_add_all(&c, &driver.compile);
  if (translated) {
    list_add(&c, "-Wno-unknown-pragmas");
    list_add(&c, strstr(driver.compiler, "clang") ? "-fno-caret-diagnostics"
                                                  : "-ftrack-macro-expansion=0");
  } else {
    list_add_all(&c, &driver.preprocess);
  }
  list_add(&c, "-isystem");
  list_add(&c, options.include);
  list_add(&c, "-x");
  list_add(&c, ends_with(input, ".i") ? "cpp-output" : "c");
  list_add(&c, input);
  list_add(&c, "-o");
  list_add(&c, output);
  return run(&c);
}

static const char *output_of(const char *input, const char *suffix) {
  return driver.output ? driver.output : format_text("%s%s", base_of(input), suffix);
}

/* One source; *object is what the link takes. */
static int build_source(const char *input, const char **object) {
  bool translated = ends_with(input, ".trans.c"), plain = ends_with(input, ".i");
  char *base = base_of(input);
  if (access(input, R_OK) != 0) give_up("%s: %s", input, strerror(errno));
  if (driver.stage == STAGE_PREPROCESS) return preprocess(input, driver.output, NULL);
  const char *c_file = input;
  bool whole = driver.stage == STAGE_LINK;
  *object = whole ? temporary(base, ".o")
                  : output_of(input, driver.stage == STAGE_ASSEMBLE ? ".s" : ".o");
  if (plain && driver.stage == STAGE_TRANSLATE)
    return translate_file(input, input, output_of(input, ".trans.c"));
  if (!translated && !plain) {
    char *text = temporary(base, ".i");
    c_file = driver.stage == STAGE_TRANSLATE ? output_of(input, ".trans.c")
                                             : temporary(base, ".trans.c");
    int status = preprocess(input, text, *object);
    if (status == 0) status = translate_file(input, text, c_file);
    if (status || driver.stage == STAGE_TRANSLATE) return status;
  }
  return compile(c_file, *object, !plain);
}

static int link_program(const list_t *objects) {
  list_t c = {0};
  if (!driver.show && !same_settings(objects)) return 1;
  add_compiler(&c);
  list_add_all(&c, &driver.flags);
  list_add_all(&c, objects);
  list_add_all(&c, &driver.link);
  if (driver.heap) list_add(&c, format_text("-Wl,--defsym=weft_upc_default_heap=%s", driver.heap));
  list_add(&c, format_text("-L%s", driver.library));
  list_add(&c, format_text("-Wl,-rpath,%s", driver.library));
  list_add(&c, "-lweft");
  list_add(&c, "-lm");
  list_add(&c, "-o");
  list_add(&c, driver.output ? driver.output : "a.out");
  return run(&c);
}

static bool is_source(const char *name) {
  return ends_with(name, ".upc") || ends_with(name, ".c") || ends_with(name, ".i");
}

static void refuse_others(const char *name) {
  static const char *const cxx[] = {".cc", ".cpp", ".cxx", ".C", ".c++", ".hpp"};
  for (size_t i = 0; i < sizeof cxx / sizeof *cxx; i++)
    if (ends_with(name, cxx[i])) give_up("%s: C++ is not UPC", name);
}

int build(void) {
  list_t objects = {0};
  int sources = 0, status = 0;
  for (int i = 0; i < driver.inputs.count; i++) sources += is_source(driver.inputs.items[i]);
  if (driver.output && driver.stage != STAGE_LINK && sources > 1) give_up("-o with several files");
  for (int i = 0; i < driver.inputs.count; i++) {
    const char *input = driver.inputs.items[i], *object = input;
    refuse_others(input);
    if (is_source(input)) {
      int failed = build_source(input, &object);
      if (failed) status = failed;
    }
    list_add(&objects, object);
  }
  if (status == 0 && driver.stage == STAGE_LINK) status = link_program(&objects);
  return status;
}
