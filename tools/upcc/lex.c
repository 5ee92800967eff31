/*
 * From text to tokens. A token points into the text; line markers set file and line of those that
 * follow; pragmas are tokens, which the parser never sees: `advance` passes them and obeys those of
 * UPC (6.7.1). Knows no grammar.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "upcc.h"

struct translation t;

static const struct {
  uint8_t word;
  const char *spellings;
} keywords[] = {
#define KEYWORD(word, spellings) {W_##word, spellings},
    UPCC_KEYWORDS(KEYWORD, KEYWORD)
#undef KEYWORD
};
static const struct {
  uint8_t word, length;
  const char *text;
} marks[] = {
#define MARK(word, text) {W_##word, sizeof text - 1, text},
    UPCC_MARKS(MARK, MARK)
#undef MARK
};

enum { NAMES = 1 << 14 };
static name_t *names[NAMES];

name_t *name_of(const char *text, size_t length) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 16777619u;
  name_t **at = &names[(hash ^ hash >> 15) % NAMES];
  for (; *at; at = &(*at)->next)
    if ((*at)->length == length && memcmp((*at)->text, text, length) == 0) return *at;
  *at = arena(sizeof **at);
  (*at)->text = memcpy(arena(length + 1), text, length);
  (*at)->length = (uint32_t)length;
  return *at;
}

/* Programs of older standards may use them as names. */
static const char *const c23_words[] = {"alignas",       "alignof",      "constexpr",
                                        "static_assert", "thread_local", "typeof_unqual",
                                        NULL};

static bool is_one_of(const char *text, const char *const *words) {
  while (*words && strcmp(text, *words) != 0) words++;
  return *words;
}

static void add_keywords(void) {
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    for (const char *s = keywords[i].spellings; *s; s += strspn(s, " ")) {
      size_t n = strcspn(s, " ");
      name_t *name = name_of(s, n);
      name->word = keywords[i].word;
      name->common = name->word == W_SHARED || name->word == W_STRICT || name->word == W_RELAXED;
      name->upc = name->word >= W_MYTHREAD;
      name->c23 = is_one_of(name->text, c23_words);
      s += n;
    }
}

static bool starts_name(char c) {
  return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}
bool in_name(char c) {
  return starts_name(c) || isdigit((unsigned char)c);
}

/* What the lexer knows beside the tokens. */
static struct {
  const char *at, *end;
  unsigned line;
  int file;
  bool c_code; /* between #pragma upc c_code and upc_code */
  int room;
} l;

/* A universal character name: so gcc's preprocessor writes letters beyond ASCII. */
static bool is_universal(const char *c) {
  return *c == '\\' && l.end - c > 1 && (c[1] == 'u' || c[1] == 'U');
}

static token_t *new_token(enum token_kind kind, const char *text, size_t length) {
  if (t.count == l.room) {
    l.room = l.room ? l.room * 2 : 1 << 14;
    t.tokens = realloc(t.tokens, (size_t)l.room * sizeof *t.tokens);
    if (!t.tokens) give_up("out of memory");
  }
  token_t *k = &t.tokens[t.count++];
  *k = (token_t){.text = text,
                 .length = (uint32_t)length,
                 .line = l.line,
                 .file = (uint16_t)l.file,
                 .kind = (uint8_t)kind};
  return k;
}

static int file_of(const char *name, size_t length, bool system) {
  for (int i = t.nfiles; i-- > 0;)
    if (strlen(t.files[i].name) == length && memcmp(t.files[i].name, name, length) == 0 &&
        t.files[i].system == system)
      return i;
  if (t.nfiles == UINT16_MAX) give_up("too many files");
  t.files = realloc(t.files, (size_t)(t.nfiles + 1) * sizeof *t.files);
  if (!t.files) give_up("out of memory");
  source_file_t *file = &t.files[t.nfiles];
  *file = (source_file_t){format_text("%.*s", (int)length, name), system, false};
  size_t own = options.source_folder ? strlen(options.source_folder) : 0;
  if (own && length > own && memcmp(name, options.source_folder, own) == 0) file->system = false;
  size_t folder = options.include ? strlen(options.include) : 0;
  if (folder && length > folder + 1 && memcmp(name, options.include, folder) == 0)
    file->ours = strncmp(file->name + folder + 1, "upc", 3) == 0 ||
                 strncmp(file->name + folder + 1, "bupc", 4) == 0;
  return t.nfiles++;
}

/* `# 12 "file" 1 3` and `#line 12 "file"`; other directives are left alone. */
static void directive(const char *from, const char *to) {
  const char *c = from + 1;
  while (c < to && (*c == ' ' || *c == '\t')) c++;
  bool pragma = to - c >= 6 && strncmp(c, "pragma", 6) == 0;
  if (pragma) {
    new_token(T_PRAGMA, from, (size_t)(to - from));
    const char *word = c + 6 + strspn(c + 6, " \t");
    if (strncmp(word, "upc", 3) == 0) {
      word += 3 + strspn(word + 3, " \t");
      if (strncmp(word, "c_code", 6) == 0) l.c_code = true;
      if (strncmp(word, "upc_code", 8) == 0) l.c_code = false;
      if (strncmp(word, "c23", 3) == 0) t.c23 = true;
    }
    return;
  }
  if (to - c >= 4 && strncmp(c, "line", 4) == 0) c += 4;
  while (c < to && (*c == ' ' || *c == '\t')) c++;
  if (c >= to || !isdigit((unsigned char)*c)) return;
  unsigned line = (unsigned)strtoul(c, NULL, 10);
  const char *open = memchr(c, '"', (size_t)(to - c));
  if (open) {
    const char *close = open + 1;
    while (close < to && *close != '"') close += close[0] == '\\' && close + 1 < to ? 2 : 1;
    bool system = false;
    for (const char *flag = close; flag < to; flag++) system |= *flag == '3';
    l.file = file_of(open + 1, (size_t)(close - open - 1), system);
  }
  l.line = line - 1; /* the end of this line is still to be counted */
}

static void quoted(const char *from, enum token_kind kind) {
  char quote = *l.at++;
  while (l.at < l.end && *l.at != quote && *l.at != '\n')
    l.at += *l.at == '\\' && l.at + 1 < l.end && l.at[1] != '\n' ? 2 : 1;
  if (l.at < l.end && *l.at == quote) l.at++;
  new_token(kind, from, (size_t)(l.at - from));
}

static void number_token(void) {
  const char *from = l.at++;
  while (l.at < l.end) {
    bool exponent = strchr("eEpP", l.at[-1]) && (*l.at == '+' || *l.at == '-');
    bool separator = *l.at == '\'' && l.at + 1 < l.end && in_name(l.at[1]); /* C23: 1'000 */
    if (!in_name(*l.at) && *l.at != '.' && !exponent && !separator) break;
    l.at++;
  }
  new_token(T_NUMBER, from, (size_t)(l.at - from));
}

static void word_token(void) {
  const char *from = l.at;
  while (l.at < l.end && (in_name(*l.at) || is_universal(l.at))) l.at++;
  size_t n = (size_t)(l.at - from);
  bool prefix = (n == 1 && strchr("LuU", *from)) || (n == 2 && from[0] == 'u' && from[1] == '8');
  if (prefix && l.at < l.end && (*l.at == '"' || *l.at == '\'')) {
    quoted(from, *l.at == '"' ? T_STRING : T_CHARACTER);
    return;
  }
  name_t *name = name_of(from, n);
  token_t *k = new_token(T_NAME, from, n);
  k->name = name;
  const source_file_t *file = t.nfiles ? &t.files[l.file] : NULL;
  bool header = file && file->system && !file->ours;
  if (name->c23 && !t.c23) return;
  k->word = (l.c_code && name->upc) || (header && name->common) ? 0 : name->word;
}

static void mark_token(void) {
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if ((size_t)(l.end - l.at) >= marks[i].length &&
        memcmp(l.at, marks[i].text, marks[i].length) == 0) {
      new_token(T_PUNCTUATION, l.at, marks[i].length)->word = marks[i].word;
      l.at += marks[i].length;
      return;
    }
  new_token(T_PUNCTUATION, l.at, 1); /* the back end complains about it */
  l.at++;
}

void lex(char *text, size_t size) {
  add_keywords();
  t.text = text;
  t.size = size;
  l.at = text;
  l.end = text + size;
  l.line = 1;
  if (options.main_file) l.file = file_of(options.main_file, strlen(options.main_file), false);
  bool fresh = true; /* only blanks before on this line */
  while (l.at < l.end) {
    char c = *l.at;
    if (c == '\n') {
      l.line++;
      l.at++;
      fresh = true;
      continue;
    }
    if (isspace((unsigned char)c) || (c == '\\' && l.at + 1 < l.end && l.at[1] == '\n')) {
      l.at++;
      continue;
    }
    if (c == '#' && fresh) {
      const char *to = memchr(l.at, '\n', (size_t)(l.end - l.at));
      if (!to) to = l.end;
      directive(l.at, to);
      l.at = to;
      continue;
    }
    fresh = false;
    if (starts_name(c) || is_universal(l.at))
      word_token();
    else if (isdigit((unsigned char)c) ||
             (c == '.' && l.at + 1 < l.end && isdigit((unsigned char)l.at[1])))
      number_token();
    else if (c == '"' || c == '\'')
      quoted(l.at, c == '"' ? T_STRING : T_CHARACTER);
    else
      mark_token();
  }
  new_token(T_END, l.end, 0);
}

char *token_text(int at) {
  return format_text("%.*s", (int)token(at)->length, token(at)->text);
}

bool is_ours(int at) {
  return t.files[token(at)->file].ours;
}

/* #pragma upc strict | relaxed | c_code | upc_code; the place is checked where it takes effect. */
static void obey_pragma(int at) {
  const token_t *k = token(at);
  const char *end = k->text + k->length, *c = k->text + 1;
  c += strspn(c, " \t");
  c += strlen("pragma");
  c += strspn(c, " \t");
  if (end - c < 3 || strncmp(c, "upc", 3) != 0 || in_name(c[3])) return;
  edit(at, at + 1, "");
  c += 3;
  c += strspn(c, " \t");
  size_t n = 0;
  while (c + n < end && in_name(c[n])) n++;
  bool strict = n == 6 && strncmp(c, "strict", n) == 0;
  bool relaxed = n == 7 && strncmp(c, "relaxed", n) == 0;
  bool code = (n == 6 && strncmp(c, "c_code", n) == 0) ||
              (n == 8 && strncmp(c, "upc_code", n) == 0) || (n == 3 && strncmp(c, "c23", n) == 0);
  if (!strict && !relaxed && !code) {
    warning(at, "unknown pragma: #pragma upc takes strict, relaxed, c_code or upc_code");
    return;
  }
  if (strspn(c + n, " \t\r") < (size_t)(end - c) - n)
    warning(at, "#pragma upc %.*s: what follows is ignored", (int)n, c);
  if (code) return;
  int last = before(at);
  if (t.depth > 0 && (last < 0 || token(last)->word != W_OPEN_BRACE))
    warning(at, "#pragma upc %.*s is allowed at file scope or first in a block (6.7.1)", (int)n, c);
  t.strict = strict;
}

void obey_pragmas(void) {
  while (current()->kind == T_PRAGMA) obey_pragma(t.at++);
}

void advance(void) {
  if (current()->kind != T_END) t.at++;
  obey_pragmas();
}

int peek(int n) {
  int at = t.at;
  while (n-- > 0 && token(at)->kind != T_END) do
      at++;
    while (token(at)->kind == T_PRAGMA);
  return at;
}

int before(int at) {
  do at--;
  while (at >= 0 && token(at)->kind == T_PRAGMA);
  return at;
}

bool accept(enum word word) {
  if (current()->word != word) return false;
  advance();
  return true;
}

static const char *spelling_of(enum word word) {
  for (size_t i = sizeof marks / sizeof *marks; i-- > 0;) /* digraphs stand first */
    if (marks[i].word == word) return marks[i].text;
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (keywords[i].word == word) return keywords[i].spellings;
  return "?";
}

static void unexpected(const char *wanted) {
  const token_t *k = current();
  if (k->kind == T_END)
    fatal(before(t.at) >= 0 ? before(t.at) : 0, "expected %s at end of input", wanted);
  fatal(t.at, "expected %s before '%s'", wanted, token_text(t.at));
}

int expect(enum word word) {
  int at = t.at;
  if (current()->word != word) unexpected(format_text("'%s'", spelling_of(word)));
  advance();
  return at;
}

int expect_name(void) {
  int at = t.at;
  if (current()->kind != T_NAME || current()->word) unexpected("identifier");
  advance();
  return at;
}

int deeper(void) {
  if (++t.nesting > 4000) fatal(t.at, "nested too deep");
  return t.nesting;
}

void shallower(const int *level) {
  t.nesting = *level - 1;
}

int matching(int open) {
  int depth = 0;
  for (int i = open; token(i)->kind != T_END; i++) switch (token(i)->word) {
    case W_OPEN:
    case W_OPEN_BRACE:
    case W_OPEN_BRACKET: depth++; break;
    case W_CLOSE:
    case W_CLOSE_BRACE:
    case W_CLOSE_BRACKET:
      if (--depth == 0) return i;
      break;
    default: break;
    }
  fatal(open, "'%s' is not closed", token_text(open));
}
