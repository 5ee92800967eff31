/*
 * The command line of upcc: its own options, those of Berkeley UPC, GUPC and clang-upc that scripts
 * use, and the compiler's, which pass on. docs/man/upcc.1 lists them.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/base.h"
#include "driver.h"

driver_t driver = {.stage = STAGE_LINK};

void list_add(list_t *list, const char *item) {
  list->items = realloc(list->items, (size_t)(list->count + 2) * sizeof *list->items);
  if (!list->items) give_up("out of memory");
  list->items[list->count++] = (char *)item;
  list->items[list->count] = NULL;
}

void list_add_each(list_t *list, ...) {
  va_list items;
  va_start(items, list);
  for (const char *item; (item = va_arg(items, const char *));) list_add(list, item);
  va_end(items);
}

void list_add_words(list_t *list, const char *text) {
  char *copy = format_text("%s", text);
  for (char *word = strtok(copy, " \t\n"); word; word = strtok(NULL, " \t\n")) list_add(list, word);
}

void list_add_all(list_t *list, const list_t *other) {
  for (int i = 0; i < other->count; i++) list_add(list, other->items[i]);
}

static const char usage[] =
    "upcc: compile and link UPC programs\n"
    "  upcc [options] file.upc ...\n"
    "  -c -S -E -o FILE -I -D -O -g ...   as with gcc; what upcc does not know goes to the "
    "compiler\n"
    "  -T=N            the program runs with N threads always (THREADS is a constant)\n"
    "  -trans          stop after the translation to C: FILE.trans.c\n"
    "  -save-temps     keep FILE.i and FILE.trans.c\n"
    "  -show           print the commands instead of running them;  -v  print and run them\n"
    "  -extern-main    the program's main is C and calls bupc_init\n"
    "  -shared-heap=N  each thread's heap in MB (or with KB, MB, GB)\n"
    "  -fupc-packed-bits=T,P,A   bits of thread, phase and address in a pointer-to-shared\n"
    "  WEFT_CC names the compiler, UPCC_FLAGS further options. See upcc(1).\n";

/* "-name=value" or "--name=value": the value; NULL: another option. */
static const char *value_of(const char *arg, const char *name) {
  while (*arg == '-') arg++;
  size_t n = strlen(name);
  return strncmp(arg, name, n) == 0 && arg[n] == '=' ? arg + n + 1 : NULL;
}

static bool is_option(const char *arg, const char *name) {
  while (*arg == '-') arg++;
  return strcmp(arg, name) == 0;
}

static void set_threads(const char *value) {
  char *end;
  long n = strtol(value, &end, 10);
  if (*end || n < 1) give_up("-T: '%s' is no number of threads", value);
  if (n > 1L << 20) give_up("-T: %ld threads are too many", n);
  options.threads = (int)n;
}

/* Slots have a gap of 4 GB for brk behind their static data, so offsets need 33 bits. */
static void set_bits(const char *value) {
  int thread, phase, addr;
  char rest;
  if (sscanf(value, "%d,%d,%d%c", &thread, &phase, &addr, &rest) != 3 || thread < 1 || phase < 1 ||
      thread > 20 || phase > 30 || addr < 33 || addr > 47 || thread + phase + addr != 64)
    give_up(
        "-fupc-packed-bits=%s: wanted are T,P,A with a sum of 64, T up to 20, P up to 30, A from "
        "33 to 47",
        value);
  options.thread_bits = thread;
  options.phase_bits = phase;
  options.addr_bits = addr;
}

/* A number of MB unless a suffix says otherwise. */
static void set_heap(const char *value) {
  size_t bytes;
  const bool bare = strspn(value, "0123456789.") == strlen(value);
  if (weft_parse_size(format_text("%s%s", value, bare ? "M" : ""), &bytes) < 0 || bytes == 0)
    give_up("-shared-heap: '%s' is no size", value);
  driver.heap = format_text("%zu", bytes);
}

/* What Berkeley's driver takes and has no meaning here; some may have a value. */
static bool is_ignored(const char *arg) {
  static const char words[] =
      "nopthreads nolines pthreads lines uses-mpi smart-output checks nochecks size-warn "
      "nosize-warn "
      "require-size norequire-size opt noopt trace notrace norc fupc-debug fupc-inline-lib "
      "fno-upc-inline-lib nosave-temps inst cupc2c stats";
  const char *name = arg + strspn(arg, "-"), *value = strchr(name, '=');
  if (value)
    return in_words("pthreads network conf inst", format_text("%.*s", (int)(value - name), name));
  return in_words(words, name) || strncmp(arg, "-Wu,", 4) == 0 || strncmp(arg, "-Ww,", 4) == 0;
}

/* Options with their own meaning here; 0: none of them. */
static bool own_option(const char *arg) {
  const char *value, *name = arg + strspn(arg, "-");
  if ((value = value_of(arg, "T")))
    set_threads(value);
  else if (strncmp(arg, "-fupc-threads-", 14) == 0)
    set_threads(arg + 14);
  else if (strncmp(arg, "-T", 2) == 0 && arg[2] >= '0' && arg[2] <= '9')
    set_threads(arg + 2);
  else if ((value = value_of(arg, "fupc-packed-bits")))
    set_bits(value);
  else if ((value = value_of(arg, "shared-heap")))
    set_heap(value);
  else if (is_option(arg, "trans"))
    driver.stage = STAGE_TRANSLATE;
  else if (in_words("save-temps save-all-temps", name))
    driver.save_temps = true;
  else if (in_words("show showme", name))
    driver.show = true;
  else if (in_words("-v -vv --vv", arg))
    driver.verbose = true;
  else if (is_option(arg, "extern-main"))
    options.extern_main = true;
  else
    return is_ignored(arg);
  return true;
}

static bool begins_with(const char *arg, const char *prefix) {
  return strncmp(arg, prefix, strlen(prefix)) == 0;
}

static bool is_preprocessor_option(const char *arg) {
  return in_words("-D -U -I -M -i", format_text("%.2s", arg)) || begins_with(arg, "-Wp,") ||
         in_words("-nostdinc -P", arg);
}

/* Whether the next argument belongs to this one. */
static bool takes_next(const char *arg) {
  return in_words("-o -D -U -I -L -l -x -T -MF -MT -MQ -include -imacros -isystem -iquote "
                  "-idirafter -Xlinker -Xpreprocessor -Xassembler -u -z --param -link-with "
                  "--link-with -network --network -shared-heap --shared-heap -conf --conf",
                  arg);
}

static void pair(list_t *list, const char *arg, const char *next) {
  list_add(list, arg);
  if (next) list_add(list, next);
}

/* UPC extends C99, and so does what we write: older standards are C99 with their own `inline`. The
 * last one counts. */
static bool old_inline;
static const char *standard(const char *arg) {
  bool gnu = in_words("-std=gnu89 -std=gnu90", arg);
  bool old = gnu || in_words("-ansi -std=c89 -std=c90 -std=iso9899:1990 -std=iso9899:199409", arg);
  if (old || begins_with(arg, "-std=")) old_inline = old;
  return gnu ? "-std=gnu99" : old ? "-std=c99" : arg;
}

static void add_compiler_words(const char *words) {
  int from = driver.compile.count;
  list_add_words(&driver.compile, words);
  for (int i = from; i < driver.compile.count; i++)
    driver.compile.items[i] = format_text("%s", standard(driver.compile.items[i]));
}

static void compiler_option(const char *arg, const char *next) {
  arg = standard(arg);
  if (strcmp(arg, "-MD") == 0 || strcmp(arg, "-MMD") == 0)
    driver.dependencies = driver.dependencies ? driver.dependencies : "";
  if (strcmp(arg, "-MF") == 0 && next) driver.dependencies = next;
  if (strncmp(arg, "-O", 2) == 0) options.optimise = strcmp(arg, "-O0") != 0;
  if (in_words("-pedantic -Wpedantic -pedantic-errors -Werror=pedantic", arg))
    driver.pedantic = true;
  if (strcmp(arg, "-pedantic-errors") == 0) options.pedantic_errors = true;
  if (strcasecmp(arg, "-fpic") == 0 || strcmp(arg, "-shared") == 0) options.library = true;
  if (in_words("-M -MM", arg)) driver.only_rules = true;
  if (strcmp(arg, "-w") == 0) options.no_warnings = true;
  if (is_preprocessor_option(arg))
    pair(&driver.preprocess, arg, next);
  else if (strncmp(arg, "-l", 2) == 0)
    pair(&driver.inputs, arg, next);
  else if (begins_with(arg, "-L") || begins_with(arg, "-Wl,") || in_words("-Xlinker -z -u", arg))
    pair(&driver.link, arg, next);
  else if (strncmp(arg, "-Wc,", 4) == 0)
    add_compiler_words(arg + 4); /* Berkeley's: -Wc,"-O3 -std=gnu99", also nothing */
  else
    pair(&driver.flags, arg, next);
}

static void one_argument(const char *arg, const char *next) {
  if (in_words("-c -S -E", arg))
    driver.stage = arg[1] == 'c' ? STAGE_OBJECT : arg[1] == 'S' ? STAGE_ASSEMBLE : STAGE_PREPROCESS;
  else if (strcmp(arg, "-o") == 0)
    driver.output = next;
  else if (strcmp(arg, "-T") == 0)
    set_threads(next ? next : "");
  else if (strcmp(arg, "-x") == 0) {
    if (next && strstr(next, "++")) give_up("C++ is not UPC");
  } else if (next && is_option(arg, "shared-heap"))
    set_heap(next);
  else if (next && (is_option(arg, "network") || is_option(arg, "conf")))
    return;
  else if (next && is_option(arg, "link-with"))
    driver.compiler = next;
  else if (strcmp(arg, "-fsyntax-only") == 0)
    driver.syntax_only = true;
  else if (in_words("-C -CC", arg))
    driver.comments = arg;
  else if (own_option(arg))
    return;
  else if (arg[0] == '-' && arg[1])
    compiler_option(arg, next);
  else
    list_add(&driver.inputs, arg);
}

/* Our headers and library: beside the program where it is installed, else where it was built. */
static void find_ourselves(void) {
  char path[4096];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  options.include = WEFT_BUILD_INCLUDE;
  driver.library = WEFT_BUILD_LIBRARY;
  for (int i = 0; n > 0 && i < 2; i++)
    while (n > 0 && path[--n] != '/') {
    }
  if (n <= 0) return;
  char *include = format_text("%.*s/include", (int)n, path);
  if (access(format_text("%s/weft/upc_access.h", include), R_OK) != 0) return;
  options.include = include;
  driver.library = format_text("%.*s/%s", (int)n, path, WEFT_LIBRARY_FOLDER);
}

/* The next word as gcc reads files of arguments: in quotes blanks belong to it, and behind a
 * backslash every character. NULL: none. */
static char *next_word(const char **at) {
  text_t word = NO_TEXT;
  const char *c = *at + strspn(*at, " \t\n\r\f\v");
  char quote = 0;
  if (!*c) return NULL;
  for (; *c && (quote || !isspace((unsigned char)*c)); c++) {
    if (*c == '\\' && c[1])
      add_bytes(&word, ++c, 1);
    else if (quote ? *c == quote : *c == '"' || *c == '\'')
      quote = quote ? 0 : *c;
    else
      add_bytes(&word, c, 1);
  }
  *at = c;
  return word.data;
}

/* An argument, or those in the file that it names as @FILE, and in files that these name. */
static void add_argument(list_t *all, const char *arg, int depth) {
  text_t text = NO_TEXT;
  if (arg[0] != '@' || !read_text(arg + 1, &text)) {
    list_add(all, arg);
    return;
  }
  if (depth == 100) give_up("%s: files of arguments that name one another", arg);
  const char *at = text.data;
  for (char *word; (word = next_word(&at));) add_argument(all, word, depth + 1);
}

void read_options(int argc, char **argv) {
  list_t all = {0};
  find_ourselves();
  const char *compiler = getenv("WEFT_CC");
  driver.compiler = compiler && *compiler ? compiler : WEFT_COMPILER;
  static const char *const names[] = {"UPCC_FLAGS", NULL};
  weft_options_check_near(names, NULL);
  if (getenv("UPCC_FLAGS")) list_add_words(&all, getenv("UPCC_FLAGS"));
  for (int i = 1; i < argc; i++) add_argument(&all, argv[i], 0);
  for (int i = 0; i < all.count; i++) {
    const char *arg = all.items[i];
    if (is_option(arg, "version") && arg[0] == '-') {
      printf("upcc (Weft) %s, UPC 1.3\n", WEFT_VERSION);
      exit(0);
    }
    if ((is_option(arg, "help") || strcmp(arg, "-h") == 0) && arg[0] == '-') {
      fputs(usage, stdout);
      exit(0);
    }
    bool two = takes_next(arg);
    one_argument(arg, two ? all.items[i + 1] : NULL);
    if (two && i + 1 < all.count) i++;
  }
  if (driver.syntax_only && driver.stage > STAGE_ASSEMBLE) driver.stage = STAGE_OBJECT;
  if (driver.only_rules) driver.stage = STAGE_PREPROCESS;
  list_add_words(&driver.flags, WEFT_SANITIZE_FLAGS);
  if (old_inline) list_add(&driver.flags, "-fgnu89-inline");
  if (driver.inputs.count == 0) give_up("no input files");
}
