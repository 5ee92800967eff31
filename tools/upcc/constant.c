/*
 * Integer constant expressions: values of literals and of operators whose operands are constant.
 * A value may be a multiple of THREADS (6.5.2.1). What is beyond us (sizeof a struct, builtins) is
 * left to the compiler: the number keeps its text.
 */
#include <stdlib.h>
#include <string.h>

#include "upcc.h"

static void set(expr_t *e, int64_t value) {
  e->constant = true;
  e->value = number(value);
}

/* What stands in a literal: an escape of digits is one element, a code point may be several. */
typedef struct character {
  uint32_t value;
  bool is_point;
} character_t;

static character_t escaped(const char **at) {
  static const char letters[] = "abeEfnrtv", values[] = "\a\b\033\033\f\n\r\t\v";
  const char kind = *(*at)++;
  char *end = (char *)*at;
  uint32_t value = 0;
  if (kind == 'u' || kind == 'U') {
    const char *digits = format_text("%.*s", kind == 'u' ? 4 : 8, *at);
    value = (uint32_t)strtoul(digits, &end, 16);
    *at += end - digits;
    return (character_t){value, true};
  }
  if (kind >= '0' && kind <= '7') {
    const char *digits = format_text("%.3s", *at - 1);
    value = (uint32_t)strtoul(digits, &end, 8);
    *at += end - digits - 1;
    return (character_t){value, false};
  }
  if (kind == 'x') {
    value = (uint32_t)strtoul(*at, &end, 16);
    *at = end;
    return (character_t){value, false};
  }
  const char *known = strchr(letters, kind);
  return (character_t){known ? (unsigned char)values[known - letters] : (unsigned char)kind, false};
}

static character_t next_character(const char **at) {
  const unsigned char *c = (const unsigned char *)(*at)++;
  int n = 1;
  if (*c == '\\') return escaped(at);
  while (*c >= 0xc0 && n < 4 && (c[n] & 0xc0) == 0x80) n++;
  uint32_t value = n > 1 ? *c & 0x7fu >> n : *c;
  for (int i = 1; i < n; i++) value = value << 6 | (c[i] & 0x3f);
  *at += n - 1;
  return (character_t){value, n > 1};
}

/* Elements of so many bytes. */
static int elements_of(character_t c, int width) {
  if (!c.is_point || width == 4) return 1;
  if (width == 2) return c.value > 0xffff ? 2 : 1;
  return c.value < 0x80 ? 1 : c.value < 0x800 ? 2 : c.value < 0x10000 ? 3 : 4;
}

int string_width(const token_t *k) {
  const char c = k->text[0];
  return c == 'L' || c == 'U' ? 4 : c == 'u' && k->text[1] != '8' ? 2 : 1;
}

int string_elements(const token_t *k, int width) {
  const char *at = memchr(k->text, '"', k->length), *end = k->text + k->length - 1;
  int n = 0;
  if (at) at++;
  while (at && at < end) n += elements_of(next_character(&at), width);
  return n;
}

/* One character is a char of this machine; of several, as in gcc, each is a byte of the int. False:
 * not only bytes, and left to the compiler. */
static bool character(const char *at, const char *end, int64_t *value) {
  int n = 0;
  for (*value = 0; at < end; n++) {
    const character_t c = next_character(&at);
    if (c.is_point) return false;
    *value = (*value << 8 | (c.value & 0xff)) & UINT32_MAX;
  }
  *value = n == 1 ? (int64_t)(char)*value : (int64_t)(int32_t)*value;
  return n > 0;
}

static type_t *character_type(const token_t *k) {
  const char prefix = k->text[0];
  return type_basic(prefix == 'u' ? K_USHORT : prefix == 'U' ? K_UINT : K_INT);
}

void constant_of(expr_t *e) {
  const token_t *k = token(e->first);
  if (k->kind == T_CHARACTER) {
    e->type = character_type(k);
    int64_t value;
    const char *end = k->text + k->length - 1;
    if (k->text[0] == '\'' && character(k->text + 1, end, &value)) set(e, value);
    return;
  }
  bool hex = k->length > 1 && k->text[0] == '0' && (k->text[1] == 'x' || k->text[1] == 'X');
  bool real = memchr(k->text, '.', k->length) != NULL;
  int longs = 0, is_unsigned = 0, is_float = 0, imaginary = 0;
  for (uint32_t i = 0; i < k->length; i++) {
    char c = k->text[i];
    real |= hex ? c == 'p' || c == 'P' : c == 'e' || c == 'E';
    longs += c == 'l' || c == 'L';
    is_unsigned |= c == 'u' || c == 'U';
    is_float |= !hex && (c == 'f' || c == 'F');
    imaginary |= c == 'i' || c == 'j';
  }
  if (imaginary) {
    e->type = type_opaque("_Complex double", type_basic(K_DOUBLE));
  } else if (real) {
    if (hex) is_float = k->text[k->length - 1] == 'f' || k->text[k->length - 1] == 'F';
    e->type = type_basic(is_float ? K_FLOAT : longs ? K_LDOUBLE : K_DOUBLE);
  } else {
    bool binary = k->length > 2 && k->text[0] == '0' && (k->text[1] == 'b' || k->text[1] == 'B');
    char *digits = token_text(e->first), *to = digits;
    for (const char *from = digits; *from; from++)
      if (*from != '\'') *to++ = *from;
    *to = 0;
    uint64_t value = binary ? strtoull(digits + 2, NULL, 2) : strtoull(digits, NULL, 0);
    bool decimal = k->text[0] != '0';
    bool wide = longs || value > (is_unsigned || !decimal ? UINT32_MAX : INT32_MAX);
    if (!decimal && !is_unsigned) is_unsigned = !wide ? value > INT32_MAX : value > INT64_MAX;
    e->type = type_basic(wide ? (is_unsigned ? K_ULONG : K_LONG) : is_unsigned ? K_UINT : K_INT);
    set(e, (int64_t)value);
  }
}

bool is_known(const expr_t *e) {
  return e->constant && e->value.known && !e->value.threads;
}

/* Wrap the value to the type, as a conversion does. */
static int64_t wrapped(const type_t *type, int64_t v) {
  if (type->kind == K_BOOL) return v != 0;
  int size = type->kind == K_ENUM ? 4 : type_size(type);
  if (size == 0 || size >= 8) return v;
  int left = 64 - 8 * size;
  uint64_t top = (uint64_t)v << left;
  bool zeros = type->kind != K_ENUM && type_basics[type->kind].is_unsigned;
  return zeros ? (int64_t)(top >> left) : (int64_t)top >> left;
}

/* Both operands are converted to one type first, but for shifts. */
static void fold_binary(expr_t *e) {
  const bool shift = e->word == W_SHL || e->word == W_SHR;
  const type_t *type = shift ? e->type : arithmetic_type(e->a->type, e->b->type);
  bool u = is_unsigned(type);
  int64_t a = wrapped(type, e->a->value.value);
  int64_t b = shift ? e->b->value.value : wrapped(type, e->b->value.value);
  uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
  int order = u ? (ua > ub) - (ua < ub) : (a > b) - (a < b);
  bool division = e->word == W_SLASH || e->word == W_PERCENT;
  if (division && (b == 0 || (a == INT64_MIN && b == -1))) return;
  switch (e->word) {
  case W_PLUS: set(e, (int64_t)(ua + ub)); break;
  case W_MINUS: set(e, (int64_t)(ua - ub)); break;
  case W_STAR: set(e, (int64_t)(ua * ub)); break;
  case W_SLASH: set(e, u ? (int64_t)(ua / ub) : a / b); break;
  case W_PERCENT: set(e, u ? (int64_t)(ua % ub) : a % b); break;
  case W_SHL: set(e, (int64_t)(ua << (ub & 63))); break;
  case W_SHR: set(e, u ? (int64_t)(ua >> (ub & 63)) : a >> (ub & 63)); break;
  case W_AND: set(e, a & b); break;
  case W_OR: set(e, a | b); break;
  case W_XOR: set(e, a ^ b); break;
  case W_AND_AND: set(e, a && b); break;
  case W_OR_OR: set(e, a || b); break;
  case W_LT: set(e, order < 0); break;
  case W_GT: set(e, order > 0); break;
  case W_LE: set(e, order <= 0); break;
  case W_GE: set(e, order >= 0); break;
  case W_EQ: set(e, order == 0); break;
  default: set(e, order != 0); break;
  }
  e->value.value = wrapped(e->type, e->value.value);
}

static void fold_unary(expr_t *e) {
  int64_t a = e->a->value.value;
  switch (e->word) {
  case W_PLUS: set(e, a); break;
  case W_MINUS: set(e, (int64_t)(0 - (uint64_t)a)); break;
  case W_TILDE: set(e, ~a); break;
  case W_NOT: set(e, !a); break;
  default: return;
  }
  e->value.value = wrapped(e->type, e->value.value);
}

void fold(expr_t *e) {
  bool a = e->a && e->a->constant, b = e->b && e->b->constant;
  switch (e->op) {
  case E_PAREN:
    e->constant = a;
    if (a) e->value = e->a->value;
    break;
  case E_UNARY:
    if (a && !e->a->value.threads) fold_unary(e);
    break;
  case E_CAST:
    if (a && !e->a->value.threads && is_integer(e->named) && e->named->kind != K_UNKNOWN) {
      e->constant = true;
      e->value = e->a->value;
      e->value.value = wrapped(e->named, e->value.value);
    }
    break;
  case E_BINARY:
    if (!a || !b) break;
    if (!e->a->value.threads && !e->b->value.threads) {
      if (e->type->kind != K_UNKNOWN && is_integer(e->type)) fold_binary(e);
    } else if (e->word == W_STAR && !(e->a->value.threads && e->b->value.threads)) {
      e->constant = true;
      e->value = number_product(e->a->value, e->b->value);
    }
    break;
  case E_CONDITION:
    if (a && !e->a->value.threads) {
      const expr_t *chosen = e->a->value.value && e->b ? e->b : e->a->value.value ? e->a : e->c;
      e->constant = chosen->constant;
      e->value = chosen->value;
      if (!e->value.threads) e->value.value = wrapped(e->type, e->value.value);
    }
    break;
  case E_THREADS:
    e->constant = true;
    e->value = (number_t){.known = true, .threads = true, .value = 1};
    break;
  default: break;
  }
}

number_t parse_constant(const char *what) {
  int first = t.at;
  expr_t *e = parse_conditional();
  full_expression(e, true);
  if (!is_integer(e->type)) error(e->at, "%s is no integer", what);
  enum dimension form;
  number_t n = dimension_of(e, &form);
  if (form == D_VARIABLE) n.text = NULL;
  n.at = first;
  return n;
}
