/*
 * What of a function stands at file scope in C: statics whose initialisers run before main, or that
 * the runtime allocates (static.c), the structures that are defined with them, and what they name.
 * This is known only after they were declared: then the function is parsed again.
 */
#include "upcc.h"

static const char stays[] = "'%s' is of this function, but goes to file scope with a static that "
                            "is initialised or allocated before main: define it there";

/* Such a structure goes there, too, under a tag that nothing else there has. */
bool is_record_hoisted(const specifiers_t *s, const declared_t *list, int n) {
  if (s->type->kind != K_STRUCT && s->type->kind != K_UNION) return false;
  for (int i = 0; i < n; i++) { /* a pointer-to-shared does not name it in C */
    const type_t *type = list[i].type;
    const bool names_it = is_shared(type) || !is_pointer_to_shared(type_ultimate((type_t *)type));
    if (names_it && is_hoisted(s, &list[i])) return true;
  }
  return false;
}

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

/* What the text names of the function goes with it: statics, and constants by their values. What is
 * declared in the text itself, from `first` on, is there anyway. */
static void check_name(const specifiers_t *s, int at, int first) {
  const symbol_t *x = token(at)->meant;
  if (!x || !is_local(x) || x->emitted) return;
  const bool object = x->kind == S_OBJECT || x->kind == S_FUNCTION;
  if (x->at >= (object ? first : s->first)) return;
  if (x->kind == S_TAG && !x->type->record->tag) return; /* it is there, under another one */
  if (object ? x->is_static || x->kind == S_FUNCTION : x->kind == S_CONSTANT && x->value.known) {
    if (!named) named = arena((size_t)t.count * sizeof *named);
    more |= !named[x->at];
    named[x->at] = true;
  } else {
    error(at, stays, token_text(at));
  }
}

static void check_names(const specifiers_t *s, int first, int last) {
  for (int i = first; i < last; i++)
    if (token(i)->kind == T_NAME && !token(i)->word) check_name(s, i, first);
}

static void check_no_function(const declared_t *d) {
  for (int i = d->initial_first; i < d->initial->last; i++)
    if (token(i)->kind == T_NAME &&
        in_words("__func__ __FUNCTION__ __PRETTY_FUNCTION__", token_text(i)))
      error(i, "'%s' in a static that is initialised before main: no function runs then",
            token_text(i));
}

/* Attributes up to token `last`, where the declarator's end; not those of a structure's body. */
static void check_attributes(const specifiers_t *s, int last) {
  for (int i = s->first; i < last; i++) {
    if (i == s->record_first && s->record_last > i) i = s->record_last;
    const int word = token(i)->word, next = token(i + 1)->word;
    const bool list = word == W_OPEN_BRACKET && next == W_OPEN_BRACKET;
    if (!list && word != W_ATTRIBUTE && word != W_ALIGNAS) continue;
    const int end = matching(list ? i : i + 1);
    check_names(s, i, end);
    i = end;
  }
}

void check_hoisted_names(const specifiers_t *s, const declared_t *d, int declarator_last) {
  check_attributes(s, declarator_last);
  if (!d->initial) return;
  check_names(s, d->initial_first, d->initial->last);
  check_no_function(d);
}

void hoist_record(const specifiers_t *s) {
  record_t *record = s->type->record;
  bool found = false;
  check_names(s, s->record_first, s->record_last);
  if (record->tag) record->given = format_text("weft_upc_tag%d", ++t.serial);
  for (int i = s->record_first; record->tag && i < t.at; i++) {
    const int word = token(before(i))->word;
    if (token(i)->kind != T_NAME || token(i)->name != record->tag) continue;
    if (!found || word == W_STRUCT || word == W_UNION) edit(i, i + 1, record->given);
    found = true;
  }
  record->tag = NULL;
  spell(type_plain(s->type), "");
  record->keyword = -1;
  insert_before(t.function_first,
                format_text("%s; ", range_text(s->record_first, s->record_last)));
}

/* A structure or enumeration of another declaration of the function. */
void check_hoisted(const declared_t *d) {
  const type_t *x = d->type;
  while (x->base && (x->kind != K_POINTER || !is_shared(x->base))) x = x->base;
  const record_t *record = x->record;
  if (!record) return;
  const symbol_t *tag = record->tag ? record->tag->tag : NULL;
  if (record->keyword >= t.function_first)
    error(d->name, stays, record->tag ? record->tag->text : token_text(record->keyword));
  else if (tag && is_local(tag) && tag->type->record == record)
    error(d->name, stays, record->tag->text);
}
