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
static pid_t maker;  /* the process that made it */
static list_t made;  /* temporary files */

/* (The process that translates a file may exit at an error, and there are other files.) */
static void remove_temporaries(void) {
  if (getpid() != maker) return;
  for (int i = 0; i < made.count; i++) unlink(made.items[i]);
  if (folder) rmdir(folder);
}

static char *temporary(const char *base, const char *suffix) {
  if (driver.save_temps) return format_text("%s%s", base, suffix);
  if (!folder) {
    const char *where = getenv("TMPDIR");
    folder = format_text("%s/upcc.XXXXXX", where && *where ? where : "/tmp");
    if (!mkdtemp(folder)) give_up("%s: %s", folder, strerror(errno));
    maker = getpid();
    atexit(remove_temporaries);
  }
  char *name = format_text("%s/%d-%s%s", folder, made.count, base, suffix);
  list_add(&made, name);
  return name;
}

/* As a shell reads it. */
static void print_word(FILE *to, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_./:=,@%+-";
  const bool quoted = !*word || word[strspn(word, plain)];
  if (quoted) fputc('\'', to);
  for (; *word; word++) {
    if (*word == '\'')
      fputs("'\\''", to);
    else
      fputc(*word, to);
  }
  if (quoted) fputc('\'', to);
}

/* What is done (-v) or would be done (-show); true: it is only shown. */
static bool show(const list_t *command) {
  FILE *to = driver.show ? stdout : stderr;
  if (!driver.verbose && !driver.show) return false;
  for (int i = 0; i < command->count; i++) {
    if (i) fputc(' ', to);
    print_word(to, command->items[i]);
  }
  fputc('\n', to);
  fflush(to);
  return driver.show;
}

static int status_of(pid_t child) {
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return 1;
  if (WIFSIGNALED(status))
    fprintf(stderr, "upcc: a command was ended by signal %d\n", WTERMSIG(status));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* A command's exit status. With -show it is printed only. *messages: its standard error, caught;
 * NULL: it goes where ours goes. */
static int run(const list_t *command, text_t *messages) {
  int ends[2] = {-1, -1};
  if (show(command)) return 0;
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

static const char *folder_of(const char *file, const char *none) {
  const char *slash = strrchr(file, '/');
  return slash ? format_text("%.*s", (int)(slash - file + 1), file) : none;
}

/* The macros of 6.7.2 and of the libraries (7.4, 7.5 and the optional ones). */
static void add_macros(list_t *c) {
  list_add_words(c, "-D__UPC__=1 -D__UPC_VERSION__=201311L -D__UPC_COLLECTIVE__=1 -D__UPC_TICK__=1 "
                    "-D__UPC_ATOMIC__=1 -D__UPC_CASTABLE__=1 -D__UPC_NB__=1 -D__UPC_IO__=1 "
                    "-D__WEFT_UPC__=1");
  list_add_words(c, format_text("-DUPC_MAX_BLOCK_SIZE=%d -DWEFT_UPC_THREAD_BITS=%d "
                                "-DWEFT_UPC_PHASE_BITS=%d -DWEFT_UPC_ADDR_BITS=%d",
                                (1 << options.phase_bits) - 1, options.thread_bits,
                                options.phase_bits, options.addr_bits));
  list_add_words(c, options.threads
                        ? format_text("-D__UPC_STATIC_THREADS__=1 -DTHREADS=%d", options.threads)
                        : "-D__UPC_DYNAMIC_THREADS__=1");
}

/* The word, and not a part of a longer one; compilers differ in their quotes. */
static bool has_word(const char *text, const char *word) {
  size_t n = strlen(word);
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
    if ((at == text || !in_name(at[-1]) || at[-1] & 0x80) && (!in_name(at[n]) || at[n] & 0x80))
      return true;
  return false;
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
      skip = strstr(text, "Wundef") && !has_word(text, "THREADS");
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

/* Is the folder one of those that -I names? */
static bool is_named(const char *folder) {
  struct stat one, other;
  if (stat(folder, &one) != 0) return false;
  for (int i = 0; i < driver.preprocess.count; i++) {
    const char *arg = driver.preprocess.items[i];
    if (strncmp(arg, "-I", 2) != 0) continue;
    const char *name =
        arg[2] || i + 1 == driver.preprocess.count ? arg + 2 : driver.preprocess.items[i + 1];
    if (stat(name, &other) == 0 && one.st_ino == other.st_ino && one.st_dev == other.st_dev)
      return true;
  }
  return false;
}

/* Of -MD and -MMD: what the rule makes, and the file it goes to where none is named. */
static void add_rule(list_t *c, const char *object) {
  if (!driver.dependencies) return;
  if (!*driver.dependencies) list_add_each(c, "-MF", format_text("%s.d", base_of(object)), NULL);
  list_add_each(c, "-MT", object, NULL);
}

/* `object`: what a rule of make names; NULL: the compiler's own choice. */
static int preprocess(const char *input, const char *output, const char *object) {
  list_t c = {0};
  text_t messages = {0};
  list_add_words(&c, driver.compiler);
  list_add(&c, "-E");
  if (!gives_undef() && !options.threads) list_add(&c, "-Wundef");
  add_macros(&c);
  list_add_all(&c, &driver.flags);
  list_add_all(&c, &driver.preprocess);
  if (driver.comments && driver.stage == STAGE_PREPROCESS) list_add(&c, driver.comments);
  if (object) add_rule(&c, object);
  list_add_each(&c, "-isystem", options.include, "-include", "weft/upc_standard.h", NULL);
  /* Berkeley's driver finds <file> beside the source, and programs rely on it. (Of a folder that -I
   * names too the compiler would make one of system headers, in which `shared` is a name.) */
  const char *folder = folder_of(input, ".");
  if (!is_named(folder)) list_add_each(&c, "-idirafter", folder, NULL);
  list_add_each(&c, "-x", "c", input, NULL);
  if (output) list_add_each(&c, "-o", output, NULL);
  int status = run(&c, gives_undef() ? NULL : &messages);
  print_messages(&messages);
  return status;
}

/* In a child, since a translation's state is the process's. */
static int translate_file(const char *input, const char *text_file, const char *output) {
  list_t words = {0};
  list_add_each(&words, "upcc: translate", input, "to", output, NULL);
  if (show(&words)) return 0;
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
  text_t text = {0}, out = {0};
  if (!read_text(text_file, &text)) give_up("%s: %s", text_file, strerror(errno));
  add_bytes(&text, "\0\0\0\0\0\0\0\0", 8);
  options.main_file = input;
  options.source_folder = folder_of(input, "./");
  int status = translate(text.data, text.length - 8, &out);
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
  list_add_words(&c, driver.compiler);
  list_add(&c, driver.stage == STAGE_ASSEMBLE ? "-S" : "-c");
  list_add_all(&c, &driver.flags);
  list_add_all(&c, &driver.compile);
  if (translated) { /* the text is expanded: these are names now */
    list_add_each(&c, "-Ulinux", "-Uunix", NULL);
    list_add(&c, "-Wno-unknown-pragmas");
    list_add(&c, strstr(driver.compiler, "clang") ? "-fno-caret-diagnostics"
                                                  : "-ftrack-macro-expansion=0");
    /* gcc takes the lines that say where text is from for pedantry. */
    if (driver.pedantic && !strstr(driver.compiler, "clang"))
      list_add_each(&c, "-Wno-pedantic", "-Wpointer-arith", "-Wpointer-sign", NULL);
  } else {
    list_add_all(&c, &driver.preprocess);
  }
  const bool preprocessed = ends_with(input, ".i"); /* clang warns of an unused folder */
  if (!preprocessed) list_add_each(&c, "-isystem", options.include, NULL);
  list_add_each(&c, "-x", preprocessed ? "cpp-output" : "c", input, "-o", output, NULL);
  return run(&c, NULL);
}

static const char *output_of(const char *input, const char *suffix) {
  return driver.output ? driver.output : format_text("%s%s", base_of(input), suffix);
}

static bool is_assembly(const char *name) {
  return ends_with(name, ".s") || ends_with(name, ".S") || ends_with(name, ".sx");
}

static bool is_source(const char *name) {
  return ends_with(name, ".upc") || ends_with(name, ".c") || ends_with(name, ".i") ||
         is_assembly(name) || strcmp(name, "-") == 0;
}

/* An object that is kept, or only linked, or that shows nothing but errors. */
static const char *object_of(const char *input) {
  const bool whole = driver.stage == STAGE_LINK || driver.syntax_only;
  return whole ? temporary(base_of(input), ".o")
               : output_of(input, driver.stage == STAGE_ASSEMBLE ? ".s" : ".o");
}

/* The name of that object for make: as if it were kept. */
static const char *rule_of(const char *input, const char *object) {
  if (driver.stage == STAGE_LINK) return format_text("%s.o", base_of(input));
  return driver.syntax_only ? output_of(input, ".o") : object;
}

/* The compiler's own business. (There is no translation of it.) */
static int assemble(const char *input, const char **object) {
  const bool text = driver.stage == STAGE_PREPROCESS || /* -S is -E, as with gcc */
                    (driver.stage == STAGE_ASSEMBLE && !driver.syntax_only);
  list_t c = {0};
  if (driver.stage == STAGE_TRANSLATE) return 0;
  list_add_words(&c, driver.compiler);
  list_add_all(&c, &driver.flags);
  list_add_all(&c, &driver.preprocess);
  if (text && driver.comments) list_add(&c, driver.comments);
  list_add_each(&c, text ? "-E" : "-c", input, NULL);
  if (text && driver.output) list_add_each(&c, "-o", driver.output, NULL);
  if (!text) {
    *object = object_of(input);
    add_rule(&c, rule_of(input, *object));
    list_add_each(&c, "-o", *object, NULL);
  }
  return run(&c, NULL);
}

/* One source; *object is what the link takes. */
static int build_source(const char *input, const char **object) {
  if (is_assembly(input)) return assemble(input, object);
  bool translated = ends_with(input, ".trans.c"), plain = ends_with(input, ".i");
  char *base = base_of(input);
  if (strcmp(input, "-") != 0 && access(input, R_OK) != 0)
    give_up("%s: %s", input, strerror(errno));
  if (driver.stage == STAGE_PREPROCESS) return preprocess(input, driver.output, NULL);
  const char *c_file = input;
  *object = object_of(input);
  if (plain && driver.stage == STAGE_TRANSLATE)
    return translate_file(input, input, output_of(input, ".trans.c"));
  if (!translated && !plain) {
    char *text = temporary(base, ".i");
    c_file = driver.stage == STAGE_TRANSLATE ? output_of(input, ".trans.c")
                                             : temporary(base, ".trans.c");
    int status = preprocess(input, text, rule_of(input, *object));
    if (status == 0) status = translate_file(input, text, c_file);
    if (status || driver.stage == STAGE_TRANSLATE) return status;
  }
  return compile(c_file, *object, !plain);
}

static int link_program(const list_t *objects) {
  list_t c = {0};
  if (!driver.show && !same_settings(objects)) return 1;
  list_add_words(&c, driver.compiler);
  list_add_all(&c, &driver.flags);
  list_add_all(&c, objects);
  list_add_all(&c, &driver.link);
  if (driver.heap) list_add(&c, format_text("-Wl,--defsym=weft_upc_default_heap=%s", driver.heap));
  list_add_each(&c, format_text("-L%s", driver.library),
                format_text("-Wl,-rpath,%s", driver.library), "-lweft", "-lm", "-o",
                driver.output ? driver.output : "a.out", NULL);
  return run(&c, NULL);
}

int build(void) {
  list_t objects = {0};
  int sources = 0, status = 0;
  for (int i = 0; i < driver.inputs.count; i++) sources += is_source(driver.inputs.items[i]);
  if (driver.output && driver.stage != STAGE_LINK && sources > 1) give_up("-o with several files");
  for (int i = 0; i < driver.inputs.count; i++) {
    const char *input = driver.inputs.items[i], *object = input;
    const char *dot = strrchr(input, '.');
    if (dot && in_words(".cc .cpp .cxx .C .c++ .hpp", dot)) give_up("%s: C++ is not UPC", input);
    if (is_source(input)) {
      int failed = build_source(input, &object);
      if (failed) status = failed;
    }
    list_add(&objects, object);
  }
  if (status == 0 && driver.stage == STAGE_LINK) status = link_program(&objects);
  return status;
}
