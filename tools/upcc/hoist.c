/*
 * What of a function stands at file scope in C: statics whose initialisers run before main, or that
 * the runtime allocates (static.c), and the structures that are defined with them.
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

/* Types and constants of the function are none there, or others. */
static void check_names(const specifiers_t *s) {
  for (int i = s->record_first; i < s->record_last; i++) {
    if (token(i)->kind != T_NAME || token(i)->word) continue;
    const int word = token(before(i))->word;
    const bool tag = word == W_STRUCT || word == W_UNION || word == W_ENUM;
    const symbol_t *x = tag ? token(i)->name->tag : lookup(token(i)->name);
    if (x && is_local(x) && x->at < s->record_first &&
        (tag || x->kind == S_TYPEDEF || x->kind == S_CONSTANT))
      error(i, stays, token_text(i));
  }
}

void hoist_record(const specifiers_t *s) {
  record_t *record = s->type->record;
  bool found = false;
  check_names(s);
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
