/*
 * What of a function stands at file scope in C: statics whose initialisers run before main, or that
 * the runtime allocates (static.c), and what their declarations name: other statics, constants, and
 * types. This is known only after those were declared: then the function is parsed again.
 */
#include "upcc.h"

static const char stays[] = "'%s' is of this function, but goes to file scope with a static that "
                            "is initialised or allocated before main: define it there";

static bool *named; /* by token: declared in a function, named by what stands at file scope */
static bool more;   /* such a name was found, and is not there yet */

bool hoist_named(int at) {
  return named && named[at];
}

bool hoist_again(void) {
  const bool again = more && t.errors == 0;
  more = false;
  return again;
}

void hoist(int at) {
  if (!named) named = arena((size_t)t.count * sizeof *named);
  more |= !named[at];
  named[at] = true;
}

/* What the text names of the function goes with it: statics, types, and constants by their values,
 * or with their types. What is declared in the text itself, from `first` on, is there anyway. */
static void check_name(int at, int first) {
  const symbol_t *x = token(at)->meant;
  if (!x || !is_local(x) || x->emitted || x->at >= first) return;
  const bool automatic = x->kind == S_OBJECT && !x->is_static;
  if (automatic)
    error(at, stays, token_text(at));
  else
    hoist(x->kind == S_TAG ? x->type->record->at : x->at);
}

static void check_names(int first, int last) {
  for (int i = first; i < last; i++)
    if (token(i)->kind == T_NAME && !token(i)->word) check_name(i, first);
}

static void check_no_function(const declared_t *d) {
  for (int i = d->initial_first; i < d->initial->last; i++)
    if (token(i)->kind == T_NAME &&
        in_words("__func__ __FUNCTION__ __PRETTY_FUNCTION__", token_text(i)))
      error(i, "'%s' in a static that is initialised before main: no function runs then",
            token_text(i));
}

/* Attributes in [i, last); not those of a structure's body. */
static void check_attributes(const specifiers_t *s, int i, int last) {
  for (; i < last; i++) {
    if (i == s->record_first && s->record_last > i) i = s->record_last;
    const int word = token(i)->word, next = token(i + 1)->word;
    const bool list = word == W_OPEN_BRACKET && next == W_OPEN_BRACKET;
    if (!list && word != W_ATTRIBUTE && word != W_ALIGNAS) continue;
    const int end = matching(list ? i : i + 1);
    check_names(i, end);
    i = end;
  }
}

/* Types of the function that its spelling names; a pointer-to-shared's names none. *text: there is
 * some of the source's in it. */
static void check_type(const type_t *type, bool *text) {
  for (; type; type = type->base) {
    const bool block = type->layout == L_BLOCK && !type->block.known;
    *text |= block || (type->kind == K_ARRAY && !type->length.known);
    if (is_pointer_to_shared(type)) return;
    for (const symbol_t *p = type->params; p; p = p->next) check_type(p->type, text);
    if (type->record && type->record->at >= t.function_first) hoist(type->record->at);
    if (type->kind != K_OPAQUE) continue;
    if (!type->alias)
      *text = true;
    else if (is_local(type->alias))
      hoist(type->alias->at);
  }
}

void hoist_with(const specifiers_t *s, const declared_t *d, int first, int last) {
  bool text = false;
  check_type(d->type, &text);
  if (text) {
    check_names(s->first, s->record_last > s->record_first ? s->record_first : s->last);
    check_names(first, last);
  }
  check_attributes(s, s->first, s->last);
  check_attributes(s, first, last);
  if (!d->initial) return;
  check_names(d->initial_first, d->initial->last);
  check_no_function(d);
}

/* A structure or enumeration that goes out, as its body ends: the text names it only. */
void hoist_body(const record_t *record, int keyword, int last) {
  check_names(keyword, last);
  insert_before(t.function_first, format_text("%s; ", range_text(keyword, last)));
  edit(keyword, last, format_text("%s %s", token_text(keyword), record->given));
}
