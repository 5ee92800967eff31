/*
 * Edits, and the printing of the translation: bytes of the source between edits, `#line`-like
 * markers where an edit has swallowed lines. Knows no grammar.
 */
#include <stdlib.h>
#include <string.h>

#include "upcc.h"

typedef struct change {
  int last; /* replaces [token, last); 0: only insertions */
  const char *replacement;
  text_t before, after; /* insertions before the token, and after it */
} change_t;
static change_t **changes; /* by token */
static int nchanges;
text_t at_end, at_start;

static change_t *change_at(int at) {
  if (at >= nchanges) {
    int n = t.count + 1;
    changes = realloc(changes, (size_t)n * sizeof *changes);
    if (!changes) give_up("out of memory");
    memset(changes + nchanges, 0, (size_t)(n - nchanges) * sizeof *changes);
    nchanges = n;
  }
  if (!changes[at]) changes[at] = arena(sizeof(change_t));
  return changes[at];
}

static const change_t *find(int at) {
  return at < nchanges ? changes[at] : NULL;
}

void edit(int first, int last, const char *replacement) {
  change_t *change = change_at(first);
  change->last = last;
  change->replacement = replacement;
}

void forget_edits(int first, int last) {
  for (int i = first; i < last && i < nchanges; i++)
    if (token(i)->kind != T_PRAGMA) changes[i] = NULL;
}

void insert_before(int at, const char *text) {
  add(&change_at(at)->before, "%s", text);
}

void insert_after(int at, const char *text) {
  add(&change_at(at)->after, "%s", text);
}

bool edited(int first, int last) {
  for (int i = first; i < last; i++)
    if (find(i) && token(i)->kind != T_PRAGMA) return true;
  return false;
}

/* "return(x)" may have lost its parenthesis: two names stay two. */
static void add_apart(text_t *out, const char *text) {
  if (out->length && in_name(out->data[out->length - 1]) && in_name(*text)) add_bytes(out, " ", 1);
  add(out, "%s", text);
}

/* Tokens keep a blank where there was one; a line marker or an end of line is a blank too. */
void add_range(text_t *out, int first, int last) {
  bool fresh = true;
  for (int i = first; i < last;) {
    const change_t *change = find(i);
    const token_t *k = token(i);
    bool touching = i > 0 && token(i - 1)->text + token(i - 1)->length == k->text;
    if (!fresh && !touching) add_bytes(out, " ", 1);
    fresh = false;
    if (change && change->before.data) add_apart(out, change->before.data);
    int next = i + 1;
    if (change && change->last > i && change->last <= last) {
      add_apart(out, change->replacement);
      next = change->last;
    } else if (k->kind == T_PRAGMA) {
      add(out, "\n%s\n", token_text(i));
    } else {
      add_bytes(out, k->text, k->length);
    }
    change = find(next - 1);
    if (change && change->after.data) add(out, "%s", change->after.data);
    i = next;
  }
}

char *range_text(int first, int last) {
  text_t text = NO_TEXT;
  add_range(&text, first, last);
  return text.data;
}

void add_marker(text_t *out, int at) {
  const token_t *k = token(at);
  const source_file_t *file = &t.files[k->file];
  add(out, "\n# %u \"%s\"%s\n", k->line, file->name, file->system ? " 3" : "");
}

void print_translation(text_t *out) {
  const char *from = t.text;
  for (int i = 0; i < t.count;) {
    const change_t *change = find(i);
    if (!change) {
      i++;
      continue;
    }
    const token_t *k = token(i);
    add_bytes(out, from, (size_t)(k->text - from));
    from = k->text;
    if (change->before.data) add_apart(out, change->before.data);
    int next = i + 1;
    if (change->last > i) {
      next = change->last;
      const token_t *end = token(next - 1);
      add_apart(out, change->replacement);
      const char *stop = end->text + end->length;
      if (memchr(from, '\n', (size_t)(stop - from)) && end->kind != T_PRAGMA)
        add_marker(out, next - 1);
      from = stop;
    }
    change = find(next - 1);
    if (change && change->after.data) {
      const token_t *end = token(next - 1);
      add_bytes(out, from, (size_t)(end->text + end->length - from));
      from = end->text + end->length;
      add(out, "%s", change->after.data);
    }
    i = next;
  }
  add_bytes(out, from, (size_t)(t.text + t.size - from));
}
