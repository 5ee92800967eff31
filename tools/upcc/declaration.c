/*
 * Declarations and function definitions, at file scope and in blocks. Those in which something
 * shared occurs are written anew (static.c); all others stay as they are.
 */
#include <string.h>

#include "upcc.h"

enum { MOST = 256 }; /* declarators of one declaration that is written anew */

void static_assertion(void) {
  advance();
  expect(W_OPEN);
  full_expression(parse_conditional(), true);
  if (accept(W_COMMA)) parse_string();
  expect(W_CLOSE);
  expect(W_SEMICOLON);
}

bool agrees(const type_t *a, const type_t *b) {
  for (; a && b && a->kind != K_UNKNOWN && b->kind != K_UNKNOWN; a = a->base, b = b->base) {
    bool sure;
    const type_t *x = type_ultimate((type_t *)a), *y = type_ultimate((type_t *)b);
    if (x->shared != y->shared || is_pointer_to_shared(a) != is_pointer_to_shared(b)) return false;
    if (x->shared && (!same_block(x, y, &sure) || !same_type(x, y) ||
                      (x->access != y->access && x->access && y->access)))
      return false;
    if (a->kind != b->kind) return true;
    const bool prototypes = a->prototype && b->prototype;
    const symbol_t *p = prototypes ? a->params : NULL, *q = b->params;
    for (; p && q; p = p->next, q = q->next)
      if (!agrees(p->type, q->type)) return false;
  }
  return true;
}

/* What was declared before under this name must agree. */
static void check_redeclared(const symbol_t *old, const type_t *type, int at) {
  if (!old || old->kind == S_TYPEDEF || agrees(old->type, type)) return;
  error(at, "conflicting types for '%s': %s", old->name->text, describe(type));
  message(NOTE, old->at, "it was declared as %s", describe(old->type));
}

/* By its attributes a name may mean a type that is known by its spelling, which is the name. */
static void name_vector(symbol_t *type_name, const char *attributes) {
  const bool vector = is_vector(attributes);
  if (vector || strstr(attributes, "mode"))
    type_name->type = type_opaque(symbol_text(type_name), vector ? type_name->type : NULL);
}

static symbol_t *declare_object(const specifiers_t *s, type_t *type, int name,
                                const char *attributes) {
  name_t *n = token(name)->name;
  symbol_t *old = lookup_here(n);
  if (!old && s->storage == W_EXTERN && lookup(n) && lookup(n)->kind == S_OBJECT) old = lookup(n);
  if (s->storage == W_TYPEDEF) {
    return declare(n, S_TYPEDEF, type, name);
  }
  check_redeclared(old, type, name);
  if (old && old->kind == S_OBJECT && is_complete(old->type) && !is_complete(type))
    type = old->type;
  type = vector_by(type, s->kept.data, attributes);
  symbol_t *symbol = declare(n, type->kind == K_FUNCTION ? S_FUNCTION : S_OBJECT, type, name);
  symbol->is_static = s->storage == W_STATIC || s->storage == W_EXTERN || t.depth == 0;
  symbol->sized = old && old->sized;
  if (old && is_shared(type) && (is_complete(old->type) || !is_complete(type)))
    symbol->emitted = old->emitted; /* else it goes by another pointer, or by its name */
  return symbol;
}

static void check_object(const specifiers_t *s, type_t *type, int name) {
  if (s->storage == W_TYPEDEF || !is_shared(type)) return;
  if (type->kind != K_FUNCTION && t.depth > 0 && s->storage != W_STATIC && s->storage != W_EXTERN)
    check_place(type, name, "an object with automatic storage");
  else if (s->is_thread)
    check_place(type, name, "a thread-local object");
}

/* The program's main is called by ours, which starts the job: it has another symbol, and keeps its
 * name for __func__ and debuggers. clang allows that name for C's kinds of main only, and no
 * prototype can be made of parameters whose types come behind them. */
static void rename_main(symbol_t *s, const type_t *type, int storage) {
  if (options.extern_main || strcmp(s->name->text, "main") != 0) return;
  const symbol_t *first = type->params;
  s->renamed = true;
  if (storage != W_STATIC && type->base->kind == K_INT &&
      (!first || (type->prototype && first->type->kind == K_INT)))
    insert_before(t.function_first,
                  format_text("extern %s __asm__(\"weft_upc_main\"); ", spell(type, "main")));
  else
    s->emitted = "weft_upc_main";
}

/* What stands in front of the body, with the names of K&R parameters, whose types follow. */
static char *header_text(const specifiers_t *s, const declared_t *d) {
  text_t out = NO_TEXT, name = NO_TEXT;
  const bool kr = !d->type->prototype && d->type->params;
  if (s->record_last > s->record_first) {
    tag_records(s->type);
    add(&out, "%s; ", range_text(s->record_first, s->record_last));
  }
  add(&name, "%s%s", symbol_text(d->symbol), kr ? "(" : "");
  for (const symbol_t *p = kr ? d->type->params : NULL; p; p = p->next)
    add(&name, "%s%s", p->name->text, p->next ? ", " : ")");
  add(&out, "%s%s%s", s->kept.data, d->attributes, spell(kr ? d->type->base : d->type, name.data));
  return out.data;
}

static void parse_kr_declarations(const type_t *function) {
  for (symbol_t *p = function->params; p; p = p->next) declare(p->name, S_OBJECT, p->type, p->at);
  while (!at_word(W_OPEN_BRACE) && current()->kind != T_END) {
    specifiers_t s;
    int first = t.at;
    parse_specifiers(&s);
    if (t.at == first) fatal(t.at, "expected a declaration before '%s'", token_text(t.at));
    text_t out = {0};
    bool touched = s.written;
    if (touched && s.record_last > s.record_first && s.type->kind != K_ENUM)
      hoist(s.type->record->at); /* clang takes one that is defined here for incomplete */
    do {
      int name = -1;
      type_t *type = type_decayed(parse_declarator(s.type, &name, false));
      parse_attributes(NULL);
      if (name < 0) break;
      type = check_place(type, name, "a parameter");
      touched |= type->touched;
      symbol_t *param = lookup_here(token(name)->name);
      if (param) param->type = type;
      for (symbol_t *p = function->params; p; p = p->next)
        if (p->name == token(name)->name) p->type = type;
      add(&out, "%s%s; ", s.kept.data, spell_parameter(&s, type, token_text(name)));
    } while (accept(W_COMMA));
    if (touched) edit(first, t.at + 1, out.data);
    expect(W_SEMICOLON);
  }
}

/* The declarator is read; at "{" or the declarations of K&R parameters. */
static void parse_function(const specifiers_t *s, const declared_t *d) {
  type_t *outer = t.function;
  int header_last = before(t.at) + 1;
  t.function = d->type;
  scope_open();
  scope_declare(d->type->scope);
  if (d->type->prototype) {
    for (symbol_t *p = d->type->params; p; p = p->next)
      if (p->name) declare(p->name, S_OBJECT, p->type, p->at);
  } else {
    parse_kr_declarations(d->type);
  }
  if (d->type->touched || s->written) {
    edit(s->first, header_last, header_text(s, d));
  } else if (d->symbol->emitted) {
    edit(d->name, d->name + 1, d->symbol->emitted);
  }
  if (d->symbol->renamed) main_defined(d->type, symbol_text(d->symbol));
  if (t.depth == 0 && at_word(W_OPEN_BRACE)) t.function_last = matching(t.at);
  parse_compound();
  if (d->symbol->renamed && d->type->base->kind != K_VOID)
    insert_before(before(t.at), "return 0; "); /* as the end of main does (C11 5.1.2.2.3) */
  if (t.depth == 0) jump_function_end();
  scope_close();
  t.function = outer;
}

static declared_t parse_declared(specifiers_t *s, bool first_one, bool *function_body) {
  declared_t d = {.name = -1, .initial_first = -1};
  text_t attributes = NO_TEXT;
  int first = t.at;
  d.type = parse_declarator(s->type, &d.name, false);
  parse_attributes(&attributes);
  d.attributes = attributes.data;
  const int last = t.at;
  if (d.name < 0) {
    if (t.at == first) fatal(t.at, "expected a declarator before '%s'", token_text(t.at));
    return d;
  }
  bool is_typedef = s->storage == W_TYPEDEF;
  *function_body = false;
  if (d.type->kind == K_FUNCTION && first_one && !is_typedef)
    *function_body =
        at_word(W_OPEN_BRACE) || (!at_word(W_SEMICOLON) && !at_word(W_COMMA) && starts_type(t.at));
  if (is_typedef && is_shared(d.type) && type_ultimate(d.type)->layout == L_STAR)
    error(d.name, "[*] in a typedef (6.5.1.1)");
  bool sized_by_initial = at_word(W_ASSIGN) && !is_complete(d.type);
  if (!sized_by_initial) d.type = finish_type(d.type, d.name, !is_typedef);
  check_object(s, d.type, d.name);
  d.symbol = declare_object(s, d.type, d.name, d.attributes);
  if (at_word(W_ASSIGN)) d.initial_first = peek(1);
  name_static(s, &d);
  if (is_typedef) name_vector(d.symbol, is_vector(s->kept.data) ? s->kept.data : d.attributes);
  if (d.type->kind == K_FUNCTION) rename_main(d.symbol, d.type, s->storage);
  if (accept(W_ASSIGN)) {
    if (s->auto_type && !at_word(W_OPEN_BRACE)) {
      d.initial = parse_assignment();
      d.symbol->type = d.type = value_type(d.initial);
      full_expression(d.initial, true);
    } else {
      d.initial = parse_initializer(&d.type);
      d.symbol->is_constant = s->is_constant && is_known(d.initial) && is_integer(d.type);
      if (d.symbol->is_constant) d.symbol->value = d.initial->value;
      if (sized_by_initial) d.type = finish_type(d.type, d.name, true);
      d.symbol->type = vector_by(d.type, s->kept.data, d.attributes);
    }
  }
  if (is_hoisted(s, &d)) hoist_with(s, &d, first, last);
  if (d.initial) name_static(s, &d); /* behind this, for it may name itself */
  return d;
}

/* The pointer-to-shared that all pointers and dimensions around it lead to, or NULL. */
static const type_t *innermost(const type_t *type) {
  while (!is_pointer_to_shared(type) && (type->kind == K_POINTER || type->kind == K_ARRAY))
    type = type->base;
  return is_pointer_to_shared(type) ? type : NULL;
}

/* The same type with other qualifiers of that pointer. */
static type_t *with_innermost(const type_t *type, int quals) {
  type_t *copy = type_copy(type);
  copy->alias = NULL;
  if (is_pointer_to_shared(type))
    copy->quals = (uint8_t)quals;
  else
    copy->base = with_innermost(type->base, quals);
  return copy;
}

/* Declarators of automatic pointers-to-shared may stay in one declaration where the pointers have
 * the same qualifiers. A for statement has no room for two: there their types become the same. */
static bool one_declaration(const specifiers_t *s, declared_t *list, int n) {
  if (s->storage || s->record_last > s->record_first || t.depth == 0) return false;
  int all = 0;
  bool same = true;
  for (int i = 0; i < n; i++) {
    const type_t *type = innermost(list[i].type);
    if (!type || is_shared(list[i].type)) return false;
    same &= type->quals == innermost(list[0].type)->quals;
    all |= type->quals & (Q_VOLATILE | Q_ATOMIC);
  }
  if (same || token(before(s->first))->word != W_OPEN) return same;
  for (int i = 0; i < n; i++) list[i].type = with_innermost(list[i].type, all);
  return true;
}

static void rewrite(const specifiers_t *s, declared_t *list, int n) {
  text_t out = NO_TEXT;
  if (s->record_last > s->record_first) {
    tag_records(s->type);
    add(&out, "%s;", range_text(s->record_first, s->record_last));
  }
  bool one = one_declaration(s, list, n);
  for (int i = 0; i < n; i++) {
    text_t part = NO_TEXT;
    emit_declared(&part, s, &list[i]);
    if (one) list[i].symbol->assigned = true; /* perhaps not const in C: checked here */
    if (one && i > 0) { /* ", name = value" */
      char *name = strstr(part.data, "weft_upc_ptr_t ");
      out.data[--out.length] = 0; /* the semicolon */
      add(&out, ",%s", name ? name + strlen("weft_upc_ptr_t") : part.data);
    } else {
      add(&out, "%s%s", i && out.length ? " " : "", part.data);
    }
  }
  edit(s->first, t.at + 1, out.length ? out.data : ";");
}

void parse_declaration(void) {
  if (at_word(W_STATIC_ASSERT)) {
    static_assertion();
    return;
  }
  specifiers_t s;
  declared_t list[MOST];
  int n = 0;
  bool touched = false, body = false;
  if (t.depth == 0) t.function_first = t.item = t.at;
  parse_specifiers(&s);
  if (at_word(W_SEMICOLON)) {
    if (s.written)
      edit(s.first, t.at + 1,
           format_text("%s;", s.record_last > s.record_first
                                  ? range_text(s.record_first, s.record_last)
                                  : ""));
    else if (s.type->record && s.type->record->outside)
      edit(s.first, t.at + 1, ";"); /* else C would take it for another one */
    advance();
    return;
  }
  do {
    declared_t d = parse_declared(&s, n == 0, &body);
    if (body) {
      parse_function(&s, &d);
      return;
    }
    if (n == MOST) fatal(t.at, "too many declarators in one declaration");
    if (d.name < 0) break;
    touched |= needs_edit(&s, &d);
    list[n++] = d;
  } while (accept(W_COMMA));
  if (!at_word(W_SEMICOLON)) expect(W_SEMICOLON);
  if (touched) {
    rewrite(&s, list, n);
  } else {
    for (int i = 0; i < n; i++)
      if (list[i].symbol->emitted) edit(list[i].name, list[i].name + 1, list[i].symbol->emitted);
  }
  expect(W_SEMICOLON);
}

static void parse_external(void) {
  const int first = t.at;
  const bool strict = t.strict;
  statics_mark();
  parse_declaration();
  t.again = true;
  while (hoist_again()) {
    forget_edits(first, t.at);
    statics_back();
    t.at = first;
    t.strict = strict;
    parse_declaration();
  }
  t.again = false;
}

void parse_translation(void) {
  predeclare();
  scope_open();
  obey_pragmas();
  while (current()->kind != T_END) {
    if (accept(W_SEMICOLON)) continue;
    if (at_word(W_ASM)) {
      parse_attributes(NULL);
      expect(W_SEMICOLON);
      continue;
    }
    int before_it = t.at;
    parse_external();
    if (t.at == before_it) fatal(t.at, "expected a declaration before '%s'", token_text(t.at));
  }
}
