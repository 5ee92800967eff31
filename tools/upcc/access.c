/*
 * Reads and writes of shared lvalues, and assignments that have to do with them: the macros of
 * weft/upc_access.h with the place filled in. An address is evaluated once (trap 11).
 */
#include <string.h>

#include "place.h"
#include "upcc.h"

static const char *scalar_suffix(const place_t *p) {
  return p->strict ? "_STRICT" : "";
}

static char *value_spelling(const type_t *type) {
  return spell(type_plain((type_t *)type), "");
}

/* The arguments that say where: "(p)", or "(&own), thread". Arguments of macros that come from the
 * program are in parentheses: a compound literal may have commas. */
const char *where(const place_text_t *text) {
  if (text->pointer) return format_text("(%s)", text->pointer);
  return format_text("(&%s), %s", text->own, text->thread);
}

/* A struct of scalars of one size has no padding; *size: theirs. It is read by an assignment, so no
 * member is const. */
static bool is_dense(const type_t *type, int *size) {
  type = type_ultimate((type_t *)type);
  if (type->kind == K_STRUCT && type->record->complete) {
    for (const symbol_t *m = type->record->members; m; m = m->next)
      if (m->bitfield || (m->type->quals & Q_CONST) || !is_dense(m->type, size)) return false;
    return true;
  }
  if (!is_word_sized(type) || type->kind == K_ENUM || (*size && *size != type_size(type)))
    return false;
  *size = type_size(type);
  return true;
}

static const char *load_text(const place_t *p, const place_text_t *text) {
  if (text->mine && !p->strict) return text->own;
  int size = 0;
  const char *how = is_word_sized(p->type)                   ? "GET"
                    : !p->strict && is_dense(p->type, &size) ? "READ_DENSE"
                                                             : "READ";
  return format_text("WEFT_UPC_%s%s%s(%s, %s)", how, scalar_suffix(p), text->pointer ? "" : "_COPY",
                     value_spelling(p->type), where(text));
}

static char *store_text(const place_t *p, const place_text_t *text, const char *value) {
  if (text->mine && !p->strict) return format_text("(%s = (%s))", text->own, value);
  return format_text("WEFT_UPC_%s%s%s(%s, %s, (%s))", is_word_sized(p->type) ? "PUT" : "WRITE",
                     scalar_suffix(p), text->pointer ? "" : "_COPY", value_spelling(p->type),
                     where(text), value);
}

static void add_wrapped(text_t *out, const place_text_t *text, const char *body) {
  if (text->setup.length)
    add(out, "__extension__({ %s%s; })", text->setup.data, body);
  else
    add(out, "%s", body);
}

void emit_address(text_t *out, expr_t *e) {
  place_t p;
  place_text_t text;
  find_place(e, &p);
  p.head = NULL; /* the phase is wanted: not by way of own rows */
  place_text(&p, &text, true);
  char *body = text.pointer
                   ? format_text("(%s)", text.pointer)
                   : format_text("weft_upc_at(&%s, %s, %s)", text.own, text.thread, text.phase);
  add_wrapped(out, &text, body);
}

/* A static object, an element, or a member of it: found without emitting anything. */
static bool is_static_path(expr_t *e) {
  e = strip(e);
  if (e->op == E_NAME) return true;
  return (e->op == E_MEMBER || (e->op == E_INDEX && e->a->type->kind == K_ARRAY)) &&
         is_static_path(e->a);
}

/* A thread that casts to a pointer-to-local has the object (6.4.3): the compiler sees which. */
bool emit_own_address(text_t *out, expr_t *pointer) {
  place_t p;
  expr_t *e = strip(pointer);
  if (e->op == E_ADDRESS)
    e = strip(e->a);
  else if (e->type->kind != K_ARRAY)
    return false;
  if (!is_shared(e->type) || !e->lvalue || e->replacement || !is_static_path(e)) return false;
  const place_text_t text = access_text(e, &p);
  add_wrapped(out, &text, format_text("&%s", text.own));
  return true;
}

/* ---- bit-fields: the struct around them is read; bytes of the unit are written (trap 28) */

/* A pointer to the struct that the last member of the path belongs to. Its own path is part of it.
 */
static void bitfield_base(expr_t *e, place_t *p, text_t *pointer, type_t **type) {
  *type = e->op == E_ARROW ? value_type(e->a)->base : e->a->type;
  find_place(e, p);
  if (e->op == E_ARROW) {
    add(pointer, "weft_upc_flat(%s)", emitted(e->a));
  } else {
    add(pointer, "weft_upc_flat(");
    emit_address(pointer, e->a);
    add(pointer, ")");
  }
}

static void bitfield_load(text_t *out, expr_t *e) {
  place_t p;
  text_t pointer = {0};
  type_t *type;
  e = strip(e);
  bitfield_base(e, &p, &pointer, &type);
  add(out, "WEFT_UPC_READ%s(%s, %s).%s", scalar_suffix(&p), value_spelling(type), pointer.data,
      e->symbol->name->text);
}

static void bitfield_store(text_t *out, expr_t *e, const char *operation, const char *value,
                           bool effects, bool old) {
  place_t p;
  text_t pointer = {0};
  type_t *type;
  bitfield_base(e, &p, &pointer, &type);
  add(out, "WEFT_UPC_PUT_BITS%s(%s, %s, %s, %s, (%s), %d, %d)", scalar_suffix(&p),
      value_spelling(type), pointer.data, e->symbol->name->text, operation, value, effects, old);
}

void emit_load(text_t *out, expr_t *e) {
  t.loads++;
  if (e->bitfield) {
    bitfield_load(out, e);
    return;
  }
  if (e->type->kind == K_VOID || (!is_complete(e->type) && e->type->kind != K_ARRAY)) {
    error(e->first, "a value of the type %s", describe(e->type));
    return;
  }
  place_t p;
  const place_text_t text = access_text(e, &p);
  add_wrapped(out, &text, load_text(&p, &text));
}

/* The new value of `old op value`, in C; pointers-to-shared step by elements. */
static char *combined(const type_t *type, int word, const char *spelling, const char *old,
                      const char *value) {
  if (is_pointer_to_shared(type)) {
    text_t sum = {0};
    char *e = word == W_SUB_ASSIGN ? format_text("-(weft_upc_i64)(%s)", value)
                                   : format_text("(%s)", value);
    emit_add(&sum, type->base, old, e, false);
    return sum.data;
  }
  return format_text("%s %s (%s)", old, spelling, value);
}

/* The operator of an op= token, without its "=". */
static char *operator_of(const expr_t *e) {
  const token_t *k = token(e->at);
  return format_text("%.*s", (int)k->length - 1, k->text);
}

/* lvalue = lvalue op value, for a shared lvalue; the value is the new one, or with `old` the old.
 */
static void update(text_t *out, expr_t *lvalue, int word, const char *operation, const char *value,
                   bool old) {
  place_t p;
  int s = ++t.serial;
  t.loads++;
  place_text_t text = access_text(lvalue, &p);
  char *spelling = value_spelling(p.type), *name = format_text("weft_upc_o%d", s);
  add(out, "__extension__({ %s", text.setup.data);
  if (text.pointer) {
    add(out, "weft_upc_ptr_t weft_upc_p%d = %s; ", s, text.pointer);
    text.pointer = format_text("weft_upc_p%d", s);
  } else {
    add(out, "__typeof__(%s) *weft_upc_a%d = &%s; ", spelling, s, text.own);
    text.own = format_text("*weft_upc_a%d", s);
    if (!text.mine || p.strict) {
      add(out, "weft_upc_u64 weft_upc_t%d = (weft_upc_u64)(%s); ", s, text.thread);
      text.thread = format_text("weft_upc_t%d", s);
    }
  }
  add(out, "__typeof__(%s) %s = %s; ", spelling, name, load_text(&p, &text));
  add(out, "%s%s; ", old ? "(void)" : "",
      store_text(&p, &text, combined(p.type, word, operation, name, value)));
  if (old) add(out, "%s; ", name);
  add(out, "})");
}

/* A private lvalue that holds a pointer-to-shared. */
static void update_private(text_t *out, expr_t *lvalue, int word, const char *value, bool old,
                           bool one) {
  const type_t *type = value_type(lvalue);
  char *place = emitted(lvalue), *name = place;
  bool simple = lvalue->op == E_NAME;
  int s = ++t.serial;
  text_t sum = {0};
  if (!simple) name = format_text("(*weft_upc_p%d)", s);
  char *e = word == W_SUB_ASSIGN || word == W_DEC ? format_text("-(weft_upc_i64)(%s)", value)
                                                  : format_text("(%s)", value);
  emit_add(&sum, type->base, name, e, one && word == W_INC);
  if (simple && !old) {
    add(out, "(%s = %s)", name, sum.data);
    return;
  }
  add(out, "__extension__({ ");
  if (!simple) add(out, "weft_upc_ptr_t *weft_upc_p%d = (weft_upc_ptr_t *)&(%s); ", s, place);
  if (old)
    add(out, "weft_upc_ptr_t weft_upc_o%d = %s; %s = %s; weft_upc_o%d; })", s, name, name, sum.data,
        s);
  else
    add(out, "%s = %s; })", name, sum.data);
}

static void store(text_t *out, expr_t *e) {
  expr_t *lvalue = strip(e->a);
  text_t value = NO_TEXT;
  emit_converted(&value, e->b, e->word == W_ASSIGN ? lvalue->type : e->b->type);
  if (lvalue->replacement) {
    add(out, "%s %s %s", lvalue->replacement, token_text(e->at), value.data);
  } else if (lvalue->bitfield) {
    const bool effects = e->b->effects || e->b->calls;
    bitfield_store(out, lvalue, token_text(e->at), value.data, effects, false);
  } else if (e->word != W_ASSIGN) {
    update(out, lvalue, e->word, operator_of(e), value.data, false);
  } else {
    place_t p;
    const place_text_t text = access_text(lvalue, &p);
    add_wrapped(out, &text, store_text(&p, &text, value.data));
  }
}

void emit_assign(text_t *out, expr_t *e) {
  expr_t *lvalue = strip(e->a);
  if (is_shared(lvalue->type) && lvalue->lvalue) {
    store(out, e);
    return;
  }
  const type_t *type = value_type(lvalue);
  if (e->word != W_ASSIGN && is_pointer_to_shared(type)) {
    update_private(out, lvalue, e->word, emitted(e->b), false, false);
    return;
  }
  emit(out, e->a);
  add(out, " %s ", token_text(e->at));
  if (e->word == W_ASSIGN)
    emit_converted(out, e->b, lvalue->type);
  else
    emit(out, e->b);
}

void emit_step(text_t *out, expr_t *e, bool used) {
  expr_t *lvalue = strip(e->a);
  bool old = used && e->op == E_POST;
  if (is_shared(lvalue->type) && lvalue->lvalue) {
    if (lvalue->bitfield)
      bitfield_store(out, lvalue, e->word == W_INC ? "+=" : "-=", "1", false, old);
    else
      update(out, lvalue, e->word == W_INC ? W_ADD_ASSIGN : W_SUB_ASSIGN,
             e->word == W_INC ? "+" : "-", "1", old);
  } else if (is_pointer_to_shared(value_type(lvalue))) {
    update_private(out, lvalue, e->word, "1", old, true);
  } else {
    bool post = e->op == E_POST;
    if (!post) add(out, "%s ", token_text(e->at));
    emit(out, e->a);
    if (post) add(out, " %s", token_text(e->at));
  }
}
