/*
 * Arithmetic, comparison and conversion of pointers-to-shared (6.4.2, 6.4.3), and the sizeof family
 * (6.4.1), as calls of weft/upc_pointer.h.
 */
#include <string.h>

#include "upcc.h"

static char *element_size(const type_t *referenced) {
  return format_text("sizeof(%s)", spell(type_plain(type_ultimate((type_t *)referenced)), ""));
}

static bool is_one(const number_t *n) {
  return n->known && n->value == 1 && !n->threads;
}

/* p + e, `e` in elements of the type referred to; `step`: e is the constant 1. */
void emit_add(text_t *out, const type_t *referenced, const char *p, const char *e, bool step) {
  number_t k = type_elements(referenced);
  char *size = element_size(referenced);
  const char *elements =
      is_one(&k) ? e : format_text("(weft_upc_i64)(%s) * %s", e, number_text(&k));
  step = step && is_one(&k);
  if (is_indefinite(referenced))
    add(out, "weft_upc_add_0(%s, %s, %s)", p, elements, size);
  else if (!has_phase(referenced) && step)
    add(out, "weft_upc_next_1(%s, %s)", p, size);
  else if (!has_phase(referenced))
    add(out, "weft_upc_add_1(%s, %s, %s)", p, elements, size);
  else if (step)
    add(out, "weft_upc_next(%s, %s, %s)", p, block_text(referenced), size);
  else
    add(out, "weft_upc_add(%s, %s, %s, %s)", p, elements, block_text(referenced), size);
}

static char *difference(const type_t *referenced, const char *p, const char *q) {
  char *size = element_size(referenced);
  number_t k = type_elements(referenced);
  char *n = is_indefinite(referenced)
                ? format_text("weft_upc_sub_0(%s, %s, %s)", p, q, size)
                : format_text("weft_upc_sub(%s, %s, %s, %s)", p, q, block_text(referenced), size);
  return is_one(&k) ? n : format_text("(%s / (weft_upc_i64)%s)", n, number_text(&k));
}

bool is_pointer_operation(const expr_t *e) {
  return e->op == E_BINARY && e->word != W_AND_AND && e->word != W_OR_OR &&
         (is_pointer_to_shared(value_type(e->a)) || is_pointer_to_shared(value_type(e->b)));
}

/* A side of == or !=: flat, since the phase does not count (6.4.2). */
static char *comparand(expr_t *e) {
  if (null_constant(e)) return format_text("(weft_upc_ptr_t)0");
  const type_t *type = value_type(e);
  bool phase = type->kind == K_POINTER && (has_phase(type->base) || type->base->kind == K_VOID);
  return phase ? format_text("weft_upc_flat(%s)", emitted(e)) : emitted(e);
}

void emit_pointer_binary(text_t *out, expr_t *e) {
  const type_t *x = value_type(e->a), *y = value_type(e->b);
  bool p = is_pointer_to_shared(x), q = is_pointer_to_shared(y);
  const type_t *pointer = p ? x : y;
  if (e->word == W_EQ || e->word == W_NE) {
    add(out, "(%s %s %s)", comparand(e->a), token_text(e->at), comparand(e->b));
  } else if (p && q) {
    char *n = difference(x->base, emitted(e->a), emitted(e->b));
    if (e->word == W_MINUS)
      add(out, "(long)%s", n);
    else
      add(out, "(%s %s 0)", n, token_text(e->at));
  } else if (e->word == W_PLUS) {
    expr_t *n = p ? e->b : e->a;
    emit_add(out, pointer->base, emitted(p ? e->a : e->b), format_text("(%s)", emitted(n)),
             is_known(n) && n->value.value == 1);
  } else if (e->word == W_MINUS) {
    emit_add(out, pointer->base, emitted(e->a), format_text("-(weft_upc_i64)(%s)", emitted(e->b)),
             false);
  } else { /* p < 0: an error that was reported, or null */
    add(out, "(%s %s %s)", comparand(e->a), token_text(e->at), comparand(e->b));
  }
}

/* When elements of two types have different sizes, as a condition for the compiler; NULL: never. */
static const char *other_size(const type_t *a, const type_t *b) {
  a = type_ultimate((type_t *)a);
  b = type_ultimate((type_t *)b);
  const int x = type_size(a), y = type_size(b);
  if (x && y) return x == y ? NULL : "1";
  if (same_type(a, b) && a->kind == b->kind) return NULL;
  return format_text("%s != %s", element_size(a), element_size(b));
}

/* Whether a conversion sets the phase to 0 (6.4.3), likewise. */
static const char *loses_phase(const type_t *to, const type_t *from) {
  bool from_void = from->kind == K_VOID, to_void = to->kind == K_VOID, sure;
  if ((!from_void && !has_phase(from)) || to_void) return NULL;
  if (!has_phase(to)) return "1";
  if (from_void) return NULL;
  if (!is_complete(to) || !is_complete(from) || !same_block(to, from, &sure)) return "1";
  const char *size = other_size(to, from);
  if (sure) return size;
  char *block = format_text("%s != %s", block_text(to), block_text(from));
  return size ? format_text("(%s) | (%s)", block, size) : block;
}

void emit_converted(text_t *out, expr_t *e, const type_t *to) {
  const type_t *type = value_type(e);
  if (!is_pointer_to_shared(to)) {
    emit(out, e);
  } else if (null_constant(e) && !is_pointer_to_shared(type)) {
    add(out, "(weft_upc_ptr_t)0");
  } else if (is_pointer_to_shared(type)) {
    const char *flat = loses_phase(to->base, type->base);
    if (flat)
      add(out, "weft_upc_flat_if(%s, %s)", flat, emitted(e));
    else
      emit(out, e);
  } else {
    add(out, "(weft_upc_ptr_t)(");
    emit(out, e);
    add(out, ")");
  }
}

/* upc_blocksizeof and upc_elemsizeof are constants; upc_localsizeof too, where we know the sizes.
 */
void emit_sizeof_value(expr_t *e) {
  const type_t *ultimate = type_ultimate(e->named);
  e->constant = false;
  if (!is_shared(ultimate)) return;
  if (e->word == W_BLOCKSIZEOF) {
    number_t block = ultimate->layout == L_INDEFINITE ? number(0)
                     : ultimate->layout == L_DEFAULT  ? number(1)
                                                      : ultimate->block;
    e->constant = block.known && !block.threads;
    e->value = block;
  } else if (type_size(ultimate)) {
    e->constant = true;
    e->value = number(type_size(ultimate));
  }
}

void emit_sizeof(text_t *out, expr_t *e) {
  const type_t *type = e->named;
  char *size = element_size(type);
  if (e->word == W_ALIGNOF) {
    add(out, "_Alignof(%s)", spell(type_plain(type_ultimate((type_t *)type)), ""));
  } else if (e->word == W_BLOCKSIZEOF) {
    add(out, "((weft_upc_size)%s)", block_text(type));
  } else if (e->word == W_ELEMSIZEOF) {
    add(out, "%s", size);
  } else if (type->kind != K_ARRAY) {
    add(out, "%s", size);
  } else {
    add(out, "((weft_upc_size)%s * %s)",
        e->word == W_LOCALSIZEOF ? own_elements_text(type) : elements_text(type), size);
  }
}
