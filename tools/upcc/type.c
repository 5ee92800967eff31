/*
 * Types: making them, and questions about them. Rules that end in a message are in check.c.
 */
#include <limits.h>
#include <string.h>

#include "upcc.h"

const struct type_basics type_basics[K_OPAQUE] = {[K_UNKNOWN] = {"int", 0, false},
                                                  [K_VOID] = {"void", 1, false},
                                                  [K_BOOL] = {"_Bool", 1, true},
                                                  [K_CHAR] = {"char", 1, CHAR_MIN == 0},
                                                  [K_SCHAR] = {"signed char", 1, false},
                                                  [K_UCHAR] = {"unsigned char", 1, true},
                                                  [K_SHORT] = {"short", 2, false},
                                                  [K_USHORT] = {"unsigned short", 2, true},
                                                  [K_INT] = {"int", 4, false},
                                                  [K_UINT] = {"unsigned int", 4, true},
                                                  [K_LONG] = {"long", 8, false},
                                                  [K_ULONG] = {"unsigned long", 8, true},
                                                  [K_LLONG] = {"long long", 8, false},
                                                  [K_ULLONG] = {"unsigned long long", 8, true},
                                                  [K_INT128] = {"__int128", 16, false},
                                                  [K_UINT128] = {"unsigned __int128", 16, true},
                                                  [K_FLOAT] = {"float", 4, false},
                                                  [K_DOUBLE] = {"double", 8, false},
                                                  [K_LDOUBLE] = {"long double", 16, false}};

static type_t *new_type(enum kind kind) {
  type_t *type = arena(sizeof *type);
  type->kind = (uint8_t)kind;
  return type;
}

type_t *type_basic(enum kind kind) {
  static type_t *basic[K_OPAQUE];
  if (!basic[kind]) basic[kind] = new_type(kind);
  return basic[kind];
}

type_t *type_copy(const type_t *type) {
  type_t *copy = arena(sizeof *copy);
  *copy = *type;
  return copy;
}

type_t *type_opaque(const char *spelling, type_t *part) {
  type_t *type = new_type(K_OPAQUE);
  type->spelling = spelling;
  type->base = part;
  return type;
}

type_t *type_pointer(type_t *to) {
  type_t *type = new_type(K_POINTER);
  type->base = to;
  type->touched = to->touched || is_shared(to);
  return type;
}

type_t *type_array(type_t *of, enum dimension dimension, number_t length) {
  type_t *type = new_type(K_ARRAY);
  type->base = of;
  type->dimension = (uint8_t)dimension;
  type->length = length;
  type->touched = of->touched;
  return type;
}

type_t *type_function(type_t *result) {
  type_t *type = new_type(K_FUNCTION);
  type->base = result;
  type->touched = result->touched;
  return type;
}

/* Qualifiers of an array are its elements' (C11 6.7.3). */
type_t *type_qualified(type_t *type, int quals) {
  if ((type->quals | quals) == type->quals && type->kind != K_ARRAY) return type;
  if (!quals) return type;
  type = type_copy(type);
  if (type->kind == K_ARRAY) {
    type->base = type_qualified(type->base, quals);
    type->alias = NULL;
  } else {
    type->quals |= (uint8_t)quals;
  }
  return type;
}

type_t *type_with_layout(type_t *type, enum layout layout, number_t block) {
  type = type_copy(type);
  type->alias = NULL;
  if (type->kind == K_ARRAY) {
    type->base = type_with_layout(type->base, layout, block);
  } else {
    type->layout = (uint8_t)layout;
    type->block = block;
  }
  return type;
}

type_t *type_shared(type_t *type, enum access access, enum layout layout, number_t block, int at) {
  if (type->kind == K_ARRAY) {
    type = type_copy(type);
    type->alias = NULL;
    type->base = type_shared(type->base, access, layout, block, at);
    type->touched = true;
    return type;
  }
  if (type->shared && layout != L_DEFAULT && type->layout != L_DEFAULT) {
    type_t *other = type_copy(type);
    other->layout = (uint8_t)layout;
    other->block = block;
    if (other_block(type, other)) error(at, "two different block sizes in one type (6.5.1.1)");
  }
  if (type->shared && access && type->access && access != type->access)
    error(at, "'strict' and 'relaxed' in one type (6.5.1.1)");
  if (type->kind == K_VOID && (layout == L_BLOCK || layout == L_STAR))
    error(at, "a block size for 'shared void' (6.5.1.1)");
  if (type->kind == K_FUNCTION) error(at, "a function cannot be shared (6.5.1.1)");
  type = type_copy(type);
  type->shared = type->touched = true;
  if (access) type->access = (uint8_t)access;
  if (layout != L_DEFAULT) {
    type->layout = (uint8_t)layout;
    type->block = block;
  }
  return type;
}

type_t *type_plain(type_t *type) {
  if (!type->quals && !type->shared) return type;
  if (type->quals && !type->shared && type->alias && type->alias_quals) {
    type = type_copy(type);
    type->alias = NULL;
  }
  type = type_private(type);
  type = type_copy(type);
  type->quals = 0;
  return type;
}

/* Of the type itself and, of an array, its elements. */
type_t *type_private(type_t *type) {
  if (!is_shared(type)) return type;
  type = type_copy(type);
  if (type->kind == K_ARRAY) {
    type->base = type_private(type->base);
    type->touched = type->base->touched;
  } else {
    if (type->alias && is_shared(type->alias->type)) type->alias = NULL;
    type->shared = false;
    type->access = type->layout = 0;
    type->touched = (type->kind == K_POINTER || type->kind == K_FUNCTION) &&
                    (type->base->touched || is_shared(type->base));
  }
  return type;
}

type_t *type_ultimate(type_t *type) {
  while (type->kind == K_ARRAY) type = type->base;
  return type;
}

type_t *type_decayed(type_t *type) {
  if (type->kind == K_ARRAY) return type_pointer(type->base);
  if (type->kind == K_FUNCTION) return type_pointer(type);
  return type;
}

bool is_shared(const type_t *type) {
  while (type->kind == K_ARRAY) type = type->base;
  return type->shared;
}

bool is_pointer_to_shared(const type_t *type) {
  return type->kind == K_POINTER && is_shared(type->base);
}

bool is_integer(const type_t *type) {
  return type->kind == K_UNKNOWN || type->kind == K_ENUM ||
         (type->kind >= K_BOOL && type->kind <= K_UINT128);
}

/* After promotion: what is narrower than an int becomes one. */
bool is_unsigned(const type_t *type) {
  return type->kind >= K_INT && type->kind < K_INT128 && type_basics[type->kind].is_unsigned;
}

bool is_arithmetic(const type_t *type) {
  return is_integer(type) || (type->kind >= K_FLOAT && type->kind <= K_OPAQUE);
}

bool is_word_sized(const type_t *type) {
  return type->kind == K_POINTER || type->kind == K_ENUM ||
         (type->kind >= K_BOOL && type->kind <= K_ULLONG) || type->kind == K_FLOAT ||
         type->kind == K_DOUBLE;
}

bool is_complete(const type_t *type) {
  switch (type->kind) {
  case K_VOID:
  case K_FUNCTION: return false;
  case K_ARRAY: return type->dimension != D_UNKNOWN && is_complete(type->base);
  case K_STRUCT:
  case K_UNION: return type->record->complete;
  default: return true;
  }
}

/* The block size of what a pointer refers to: 0 for [], [0]; 1 where nothing is written. */
static number_t block_of(const type_t *type) {
  while (type->kind == K_ARRAY) type = type->base;
  if (type->layout == L_INDEFINITE) return number(0);
  if (type->layout == L_DEFAULT) return number(1);
  return type->block;
}

bool has_phase(const type_t *referenced) {
  number_t block = block_of(referenced);
  return !block.known || block.value > 1 || block.threads;
}

bool is_indefinite(const type_t *referenced) {
  number_t block = block_of(referenced);
  return block.known && block.value == 0;
}

/* *sure is false where only the compiler can compare. */
bool same_block(const type_t *a, const type_t *b, bool *sure) {
  number_t x = block_of(a), y = block_of(b);
  *sure = true;
  if (x.known && y.known) return x.value == y.value && x.threads == y.threads;
  if (x.text && y.text && strcmp(x.text, y.text) == 0) return true;
  *sure = false;
  return true;
}

bool other_block(const type_t *a, const type_t *b) {
  bool sure;
  if (!same_block(a, b, &sure)) return true;
  if (!sure && !block_of(a).threads && !block_of(b).threads)
    insert_before(t.item, format_text("_Static_assert(%s == %s, \"two different block sizes\"); ",
                                      block_text(a), block_text(b)));
  return false;
}

bool same_type(const type_t *a, const type_t *b) {
  if (a->kind == K_UNKNOWN || b->kind == K_UNKNOWN) return true;
  if (a->kind != b->kind)
    return (a->kind == K_ENUM && is_integer(b)) || (b->kind == K_ENUM && is_integer(a));
  switch (a->kind) {
  case K_POINTER: return is_shared(a->base) == is_shared(b->base) && same_type(a->base, b->base);
  case K_ARRAY:
    if (a->dimension == D_CONSTANT && b->dimension == D_CONSTANT && a->length.known &&
        b->length.known &&
        (a->length.value != b->length.value || a->length.threads != b->length.threads))
      return false;
    return same_type(a->base, b->base);
  case K_FUNCTION: return same_type(a->base, b->base);
  case K_STRUCT:
  case K_UNION:
  case K_ENUM: return a->record == b->record;
  case K_OPAQUE: return strcmp(a->spelling, b->spelling) == 0;
  default: return true;
  }
}

bool identical_type(const type_t *a, const type_t *b) {
  bool sure;
  for (; a && b; a = a->base, b = b->base) {
    if (a->kind != b->kind || a->quals != b->quals || is_shared(a) != is_shared(b) ||
        a->access != b->access || !same_type(a, b) || (is_shared(a) && !same_block(a, b, &sure)))
      return false;
    symbol_t *p = a->params, *q = b->params;
    for (; p && q && identical_type(p->type, q->type); p = p->next, q = q->next) {
    }
    if (p || q || (!a->base && !b->base)) return !p && !q;
  }
  return false;
}

int type_size(const type_t *type) {
  return type->kind == K_POINTER ? 8 : type->kind < K_OPAQUE ? type_basics[type->kind].size : 0;
}

number_t number(int64_t value) {
  return (number_t){.known = true, .value = value};
}

number_t number_product(number_t a, number_t b) {
  if (a.known && b.known) {
    number_t product = {.known = true, .threads = a.threads || b.threads};
    if (!__builtin_mul_overflow(a.value, b.value, &product.value)) return product;
  }
  bool threads = a.threads || b.threads;
  a.threads = b.threads = false;
  char *text = format_text("((weft_upc_i64)%s * %s)", number_text(&a), number_text(&b));
  return (number_t){.threads = threads, .text = text};
}

number_t type_elements(const type_t *type) {
  number_t n = number(1);
  for (; type->kind == K_ARRAY; type = type->base)
    n = number_product(n, type->dimension == D_UNKNOWN ? number(1) : type->length);
  return n;
}

/* Also through anonymous structs and unions. */
symbol_t *find_member(const type_t *type, const name_t *name) {
  if (type->kind != K_STRUCT && type->kind != K_UNION) return NULL;
  for (symbol_t *m = type->record->members; m; m = m->next) {
    if (m->name == name) return m;
    if (!m->name && m->type) {
      symbol_t *inner = find_member(m->type, name);
      if (inner) return inner;
    }
  }
  return NULL;
}
