/*
 * Where a shared lvalue is. Its root is a static object or a pointer-to-shared; from there an index
 * in ultimate elements leads on (6.5.2), and behind the first member everything is as in C (6.4.4).
 * Turned into text once: temporaries, and what names the object in a load or store.
 */
#include <string.h>

#include "upcc.h"
#include "place.h"

bool is_member_path(const expr_t *e) {
  e = strip((expr_t *)e);
  if (e->op == E_MEMBER || e->op == E_ARROW) return true;
  return e->op == E_INDEX && e->a->type->kind == K_ARRAY && is_member_path(e->a);
}

bool is_part(const expr_t *e) {
  e = strip((expr_t *)e);
  if (!is_shared(e->type) || !e->lvalue) return false;
  return e->op == E_INDEX ? e->a->type->kind == K_OPAQUE : e->op == E_OTHER && e->count == 1;
}

static char *join_index(const char *sum, const char *index, const type_t *element) {
  number_t k = type_elements(element);
  bool one = k.known && k.value == 1 && !k.threads;
  char *scaled = one ? format_text("(weft_upc_i64)(%s)", index)
                     : format_text("(weft_upc_i64)(%s) * %s", index, number_text(&k));
  return sum ? format_text("%s + %s", sum, scaled) : scaled;
}

/* MYTHREAD + c * THREADS: an element of this thread in a cyclic array. *row: c. */
static bool own_index(expr_t *e, char **row) {
  e = strip(e);
  if (e->op == E_MYTHREAD) {
    *row = format_text("0");
    return true;
  }
  if (e->op != E_BINARY || e->word != W_PLUS) return false;
  expr_t *a = strip(e->a), *b = strip(e->b);
  if (b->op == E_MYTHREAD) {
    expr_t *swap = a;
    a = b;
    b = swap;
  }
  if (a->op != E_MYTHREAD) return false;
  if (b->op == E_THREADS) {
    *row = format_text("1");
    return true;
  }
  if (b->op != E_BINARY || b->word != W_STAR) return false;
  expr_t *x = strip(b->a), *y = strip(b->b);
  if ((x->op == E_THREADS) == (y->op == E_THREADS)) return false;
  *row = emitted(x->op == E_THREADS ? y : x);
  return true;
}

/* The path behind the first member, as C text; `e` is inside a member path. */
static void take_path(expr_t *e, place_t *p, text_t *path) {
  e = strip(e);
  if (e->op == E_INDEX) {
    take_path(e->a, p, path);
    add(path, "[");
    emit(path, e->b);
    add(path, "]");
    return;
  }
  if (e->op == E_MEMBER && is_member_path(e->a))
    take_path(e->a, p, path);
  else {
    p->whole = e->op == E_ARROW ? value_type(e->a)->base : e->a->type;
    if (e->op == E_ARROW) {
      p->pointer = e->a;
      p->referenced = value_type(e->a)->base;
    } else {
      p->inner = e->a;
    }
  }
  name_t *name = e->symbol ? e->symbol->name : token(e->last - 1)->name;
  add(path, ".%s", name->text);
}

/* Follow subscripts and dereferences down to the root. */
static void take_root(expr_t *e, place_t *p) {
  e = strip(e);
  if (e->op == E_NAME) {
    p->symbol = e->symbol;
    p->referenced = e->type;
  } else if (e->op == E_INDEX) {
    p->subscript = p->subscript ? p->subscript : e->b;
    p->subscripts++;
    if (strip(e->a)->type->kind == K_ARRAY && e->a->lvalue)
      take_root(e->a, p);
    else {
      p->pointer = e->a;
      p->referenced = value_type(e->a)->base;
    }
    p->index = join_index(p->index, emitted(e->b), e->type);
    if (p->symbol && strip(e->a)->op == E_NAME)
      p->head = e->b;
    else
      p->rest = join_index(p->rest, emitted(e->b), e->type);
  } else if (e->op == E_DEREF) {
    expr_t *a = strip(e->a);
    const bool sum = a->op == E_BINARY && a->word == W_PLUS;
    expr_t *array = sum ? strip(a->a) : a;
    if (array->type->kind == K_ARRAY && array->lvalue && !is_member_path(array)) {
      p->subscripts = 1; /* *A, *(A + i): such forms are no own rows */
      take_root(array, p);
      p->subscripts++;
      if (sum) {
        p->subscript = a->b;
        p->index = join_index(p->index, emitted(a->b), e->type);
      }
    } else {
      p->pointer = e->a;
      p->referenced = value_type(e->a)->base;
    }
  } else {
    fatal(e->first, "this shared object cannot be reached");
  }
}

static void take_part(expr_t *e, place_t *p) {
  find_place(e->op == E_INDEX ? e->a : e->list[0], p);
  p->part = e->op == E_INDEX ? emitted(e->b) : format_text(e->word == W_IMAG ? "1" : "0");
}

void find_place(expr_t *e, place_t *p) {
  *p = (place_t){0};
  e = strip(e);
  text_t path = NO_TEXT;
  if (is_part(e)) {
    take_part(e, p);
  } else {
    if (is_member_path(e)) take_path(e, p, &path);
    p->path = path.data;
    if (p->inner)
      take_root(p->inner, p);
    else if (!p->pointer)
      take_root(e, p);
  }
  p->type = e->type;
  p->strict = e->type->access == A_STRICT ||
              (type_ultimate(e->type)->access == A_DEFAULT && e->strict) ||
              type_ultimate(e->type)->access == A_STRICT;
}

/* ---- text */

static bool one_block(const type_t *array) {
  number_t n = type_elements(array), block = type_ultimate((type_t *)array)->block;
  if (!is_complete(array) || array->kind != K_ARRAY) return false;
  if (!n.known || !block.known) return false;
  if (n.threads) return n.value <= block.value;
  return options.threads && (n.value + block.value - 1) / block.value <= options.threads;
}

static void static_blocked(place_t *p, place_text_t *out, const char *name) {
  int s = ++t.serial;
  const char *block = block_text(p->referenced);
  add(&out->setup,
      "weft_upc_u64 weft_upc_x%d = (weft_upc_u64)(%s), weft_upc_b%d = weft_upc_x%d / %s", s,
      p->index, s, s, block);
  out->phase = format_text("weft_upc_x%d - weft_upc_b%d * %s", s, s, block);
  if (one_block(p->referenced)) {
    add(&out->setup, "; ");
    out->thread = format_text("weft_upc_b%d", s);
    out->own = format_text("%s[%s]", name, out->phase);
  } else {
    add(&out->setup, ", weft_upc_q%d = weft_upc_div(weft_upc_b%d); ", s, s);
    out->thread = format_text("weft_upc_b%d - weft_upc_q%d * (weft_upc_u64)WEFT_UPC_THREADS", s, s);
    out->own = format_text("%s[weft_upc_q%d * %s + %s]", name, s, block, out->phase);
  }
}

static void static_text(place_t *p, place_text_t *out) {
  const char *name = symbol_text(p->symbol);
  bool array = p->referenced->kind == K_ARRAY;
  char *row;
  out->thread = "0";
  out->phase = "0";
  if (array && own_row(p, &row, &name)) {
    number_t length = type_elements(p->referenced->base);
    char *scaled =
        length.known && length.value == 1 ? row : format_text("%s * %s", row, number_text(&length));
    out->own = format_text("%s[%s%s%s]%s", name, scaled, p->rest ? " + " : "",
                           p->rest ? p->rest : "", p->path);
    out->thread = "WEFT_UPC_MYTHREAD";
    out->mine = true;
    return;
  }
  if (!array) {
    out->own = name;
  } else if (is_indefinite(p->referenced)) {
    out->own = format_text("%s[%s]", name, p->index ? p->index : "0");
  } else if (!p->index) {
    out->own = format_text("%s[0]", name);
  } else if (has_phase(p->referenced)) {
    static_blocked(p, out, name);
  } else if (p->subscripts == 1 && p->referenced->base->kind != K_ARRAY && !p->subscript->effects &&
             own_index(p->subscript, &row)) {
    out->own = format_text("%s[%s]", name, row);
    out->thread = "WEFT_UPC_MYTHREAD";
    out->mine = true;
  } else {
    int s = ++t.serial;
    add(&out->setup,
        "weft_upc_u64 weft_upc_x%d = (weft_upc_u64)(%s), weft_upc_q%d = "
        "weft_upc_div(weft_upc_x%d); ",
        s, p->index, s, s);
    out->own = format_text("%s[weft_upc_q%d]", name, s);
    out->thread = format_text("weft_upc_x%d - weft_upc_q%d * (weft_upc_u64)WEFT_UPC_THREADS", s, s);
  }
  if (p->path[0]) {
    out->own = format_text("%s%s", out->own, p->path);
    out->phase = "0";
  }
}

/* A flat pointer for an access; with its phase for an address. */
static void pointer_text(place_t *p, place_text_t *out, bool phase) {
  text_t text = {0};
  char *root = emitted(p->pointer);
  if (p->index && p->path[0] == 0 && phase) {
    emit_add(&text, type_ultimate(p->referenced), root, p->index, false);
  } else {
    bool flat = has_phase(p->referenced) || p->referenced->kind == K_VOID;
    if (p->index)
      emit_add(&text, type_ultimate(p->referenced), root, p->index, false);
    else
      add(&text, "%s", root);
    if (flat && (!phase || p->path[0])) {
      char *inner = text.data;
      text = (text_t){0};
      add(&text, "weft_upc_flat(%s)", inner);
    }
  }
  if (p->path[0])
    add(&text, " + __builtin_offsetof(%s, %s)", spell(type_plain(type_ultimate(p->whole)), ""),
        p->path + 1);
  out->pointer = text.data;
}

void place_text(place_t *p, place_text_t *out, bool phase) {
  *out = (place_text_t){.setup = NO_TEXT};
  if (p->symbol)
    static_text(p, out);
  else
    pointer_text(p, out, phase && !p->part);
  if (!p->part) return;
  const char *type = spell(type_plain(p->type), "");
  out->phase = "0";
  if (out->own)
    out->own = format_text("((__typeof__(%s) *)&%s)[%s]", type, out->own, p->part);
  else
    out->pointer = format_text("%s + (weft_upc_u64)(%s) * sizeof(%s)", out->pointer, p->part, type);
}

place_text_t access_text(expr_t *e, place_t *p) {
  place_text_t text;
  find_place(e, p);
  place_text(p, &text, false);
  return text;
}
