/*
 * Operators: from the comma down to casts and unary operators. Builds a typed tree of one full
 * expression; nothing is emitted before the whole is known.
 */
#include <string.h>

#include "place.h"
#include "upcc.h"

static expr_t *parse_cast(void);
static expr_t *parse_unary(void);

expr_t *new_expr(enum expr_op op, int first) {
  expr_t *e = arena(sizeof *e);
  e->op = (uint8_t)op;
  e->first = first;
  e->at = first;
  e->type = type_basic(K_UNKNOWN);
  e->strict = t.strict;
  return e;
}

expr_t *strip(expr_t *e) {
  while (e && (e->op == E_PAREN ||
               (e->op == E_OTHER && e->count == 1 && token(e->first)->word == W_EXTENSION)))
    e = e->op == E_PAREN ? e->a : e->list[0];
  return e;
}

void append(expr_t *e, expr_t *part) {
  if ((e->count & (e->count - 1)) == 0) {
    expr_t **list = arena((size_t)(e->count ? e->count * 2 : 1) * sizeof *list);
    if (e->count) memcpy(list, e->list, (size_t)e->count * sizeof *list);
    e->list = list;
  }
  e->list[e->count++] = part;
}

static void gather(expr_t *e, const expr_t *part) {
  if (!part) return;
  e->touched |= part->touched;
  e->effects |= part->effects;
  e->calls |= part->calls;
}

expr_t *finish(expr_t *e) {
  e->last = before(t.at) + 1;
  gather(e, e->a);
  gather(e, e->b);
  gather(e, e->c);
  for (int i = 0; i < e->count; i++) gather(e, e->list[i]);
  if (is_shared(e->type) && e->lvalue) e->touched = true;
  fold(e);
  return e;
}

/* After decay, without qualifiers: what the value of e has. */
type_t *value_type(const expr_t *e) {
  return type_plain(type_decayed(e->type));
}

/* The parts of a shared object are shared, too (place.c). */
type_t *part_type(const expr_t *whole, bool element) {
  type_t *of = whole->type, *type = of->kind == K_OPAQUE ? of->base : NULL;
  if (!is_shared(of) || !whole->lvalue || whole->bitfield)
    return type ? type : type_basic(K_UNKNOWN);
  if (of->kind != K_OPAQUE) type = of; /* __real__ of a number that is all real */
  if (!type) {
    char *value = format_text("(*(%s)0)", spell(type_pointer(type_plain(of)), ""));
    type = type_opaque(
        format_text(element ? "__typeof__(%s[0])" : "__typeof__(__real__ %s)", value), NULL);
  }
  return type_shared(type_qualified(type, of->quals), of->access, L_INDEFINITE, number(0),
                     whole->first);
}

type_t *arithmetic_type(const type_t *a, const type_t *b) {
  if (a->kind == K_OPAQUE) return (type_t *)a;
  if (b->kind == K_OPAQUE) return (type_t *)b;
  if (a->kind == K_UNKNOWN || b->kind == K_UNKNOWN) return type_basic(K_UNKNOWN);
  int x = a->kind == K_ENUM ? K_UINT : a->kind, y = b->kind == K_ENUM ? K_UINT : b->kind;
  int kind = x > y ? x : y;
  return kind <= K_LDOUBLE ? type_basic(kind < K_INT ? K_INT : kind) : type_basic(K_UNKNOWN);
}

/* By word; 0: no binary operator. */
static const uint8_t precedence[UINT8_MAX + 1] = {
    [W_STAR] = 10, [W_SLASH] = 10, [W_PERCENT] = 10, [W_PLUS] = 9, [W_MINUS] = 9,   [W_SHL] = 8,
    [W_SHR] = 8,   [W_LT] = 7,     [W_GT] = 7,       [W_LE] = 7,   [W_GE] = 7,      [W_EQ] = 6,
    [W_NE] = 6,    [W_AND] = 5,    [W_XOR] = 4,      [W_OR] = 3,   [W_AND_AND] = 2, [W_OR_OR] = 1};

static expr_t *binary(int word, int at, expr_t *a, expr_t *b) {
  expr_t *e = new_expr(E_BINARY, a->first);
  e->word = word;
  e->at = at;
  e->a = a;
  e->b = b;
  type_t *x = value_type(a), *y = value_type(b);
  bool pointer = x->kind == K_POINTER || y->kind == K_POINTER;
  if (precedence[word] <= 2 || precedence[word] == 6 || precedence[word] == 7) /* a truth value */
    e->type = type_basic(K_INT);
  else if (word == W_SHL || word == W_SHR)
    e->type = arithmetic_type(x, type_basic(K_INT));
  else if (!pointer)
    e->type = arithmetic_type(x, y);
  else if (word == W_MINUS && x->kind == K_POINTER && y->kind == K_POINTER)
    e->type = type_basic(K_LONG);
  else
    e->type = x->kind == K_POINTER ? x : y;
  finish(e);
  check_binary(e);
  return e;
}

static expr_t *parse_binary(int least) {
  expr_t *left = parse_cast();
  for (int level; (level = precedence[current()->word]) >= least;) {
    int word = current()->word, at = t.at;
    advance();
    left = binary(word, at, left, parse_binary(level + 1));
  }
  return left;
}

/* The type of a ? b : c where pointers meet (6.5.15 of C; 6.4.3 where they are shared). */
static type_t *condition_type(const expr_t *b, const expr_t *c) {
  type_t *x = value_type(b), *y = value_type(c);
  if (x->kind == K_POINTER && y->kind == K_POINTER) {
    if (null_constant(c)) return x;
    if (null_constant(b)) return y;
    return x->base->kind == K_VOID ? x : y->base->kind == K_VOID ? y : x;
  }
  if (x->kind == K_POINTER) return x;
  if (y->kind == K_POINTER) return y;
  if (is_arithmetic(x) && is_arithmetic(y)) return arithmetic_type(x, y);
  return x;
}

expr_t *parse_conditional(void) {
  DEEPER;
  expr_t *a = parse_binary(1);
  if (!at_word(W_QUESTION)) return a;
  expr_t *e = new_expr(E_CONDITION, a->first);
  e->at = t.at;
  advance();
  e->a = a;
  e->b = at_word(W_COLON) ? NULL : parse_expression(); /* a ?: c */
  expect(W_COLON);
  e->c = parse_conditional();
  const expr_t *b = e->b ? e->b : a;
  e->type = condition_type(b, e->c);
  bool x = is_pointer_to_shared(value_type(b)), y = is_pointer_to_shared(value_type(e->c));
  if (x != y && (x || y) && !null_constant(x ? e->c : b) &&
      value_type(x ? e->c : b)->kind != K_UNKNOWN)
    error(e->at, "a pointer-to-shared and another type in a conditional expression (6.4.3)");
  else if (x && y && !null_constant(b) && !null_constant(e->c))
    check_choice(value_type(b), value_type(e->c), e->at);
  e->touched = x || y;
  return finish(e);
}

static bool is_assignment(int word) {
  return word == W_ASSIGN || (word >= W_MUL_ASSIGN && word <= W_OR_ASSIGN) ||
         word == W_SHL_ASSIGN || word == W_SHR_ASSIGN;
}

expr_t *parse_assignment(void) {
  DEEPER;
  expr_t *a = parse_conditional();
  if (!is_assignment(current()->word)) return a;
  expr_t *e = new_expr(E_ASSIGN, a->first);
  e->at = t.at;
  e->word = current()->word;
  advance();
  e->a = a;
  e->b = parse_assignment();
  e->type = type_plain(a->type);
  e->effects = true;
  e->touched = is_pointer_to_shared(e->type);
  finish(e);
  if (!check_lvalue(a, e->at)) return e;
  if (is_shared(a->type) && a->lvalue && a->type->kind == K_ARRAY)
    error(e->at, "assignment to an array");
  else if (is_read_only(a))
    error(e->at, "assignment to a read-only object");
  else if (e->word == W_ASSIGN)
    check_assign(a->type, e->b, e->at, "assignment");
  else
    check_compound(e);
  return e;
}

expr_t *parse_expression(void) {
  expr_t *left = parse_assignment();
  while (at_word(W_COMMA)) {
    expr_t *e = new_expr(E_COMMA, left->first);
    e->at = t.at;
    advance();
    e->a = left;
    e->b = parse_assignment();
    e->type = value_type(e->b);
    left = finish(e);
  }
  return left;
}

/* ( type-name ) and what follows: a cast, or a compound literal. */
static expr_t *parse_cast(void) {
  DEEPER;
  if (!at_word(W_OPEN) || !starts_type(peek(1))) return parse_unary();
  expr_t *e = new_expr(E_CAST, t.at);
  advance();
  e->named = parse_type_name();
  expect(W_CLOSE);
  e->touched = edited(e->first, t.at);
  if (at_word(W_OPEN_BRACE)) return parse_unary_from_literal(e);
  e->a = parse_cast();
  e->type = type_plain(e->named);
  e->strict = t.strict;
  finish(e);
  check_cast(e->named, e->a, e->first);
  if (is_pointer_to_shared(value_type(e->a)) || is_pointer_to_shared(e->type)) e->touched = true;
  return e;
}

static expr_t *parse_sizeof(void) {
  expr_t *e = new_expr(E_SIZEOF, t.at);
  e->word = current()->word;
  e->type = type_basic(K_ULONG);
  advance();
  if (at_word(W_OPEN) && starts_type(peek(1))) {
    int open = t.at;
    advance();
    type_t *named = parse_type_name();
    expect(W_CLOSE);
    if (at_word(W_OPEN_BRACE)) { /* sizeof (T){...} */
      expr_t *literal = new_expr(E_CAST, open);
      literal->named = named;
      e->a = parse_unary_from_literal(literal);
      e->named = e->a->type;
    } else {
      e->op = E_SIZEOF_TYPE;
      e->named = named;
    }
  } else {
    e->a = parse_unary();
    e->named = e->a->type;
  }
  e->last = before(t.at) + 1;
  bool touched = edited(e->first, e->last) || (e->a && e->a->touched);
  check_unary(e);
  e->touched = touched || is_shared(e->named) || e->word >= W_LOCALSIZEOF || e->word == W_MAX_BLOCK;
  int size = type_size(e->named);
  if (e->word == W_SIZEOF && size && !is_shared(e->named)) {
    e->constant = true;
    e->value = number(size);
  } else if (e->word == W_SIZEOF && e->named->kind == K_ARRAY && is_complete(e->named)) {
    number_t n = type_elements(e->named);
    size = type_size(type_ultimate(e->named));
    if (n.known && size) {
      e->constant = true;
      e->value = number_product(n, number(size));
    }
  } else if (e->word == W_BLOCKSIZEOF || e->word == W_ELEMSIZEOF) {
    emit_sizeof_value(e);
  }
  return e;
}

static expr_t *prefix(enum expr_op op) {
  expr_t *e = new_expr(op, t.at);
  e->word = current()->word;
  advance();
  e->a = parse_cast();
  return e;
}

static expr_t *parse_address(void) {
  expr_t *e = prefix(E_ADDRESS);
  const type_t *type = e->a->type;
  e->type = type_pointer(e->a->type);
  if (is_shared(type) && e->a->lvalue && is_member_path(e->a))
    e->type = type_pointer(type_with_layout(e->a->type, L_INDEFINITE, number(0)));
  finish(e);
  check_unary(e);
  return e;
}

static expr_t *parse_dereference(void) {
  expr_t *e = prefix(E_DEREF);
  type_t *type = value_type(e->a);
  if (type->kind == K_POINTER) e->type = type->base;
  e->lvalue = e->type->kind != K_FUNCTION;
  finish(e);
  check_unary(e);
  return e;
}

static expr_t *parse_unary(void) {
  expr_t *e;
  switch (current()->word) {
  case W_INC:
  case W_DEC:
    e = prefix(E_PRE);
    e->type = type_plain(e->a->type);
    e->effects = true;
    finish(e);
    check_unary(e);
    return e;
  case W_AND: return parse_address();
  case W_STAR: return parse_dereference();
  case W_PLUS:
  case W_MINUS:
  case W_TILDE:
  case W_NOT:
    e = prefix(E_UNARY);
    e->type =
        e->word == W_NOT ? type_basic(K_INT) : arithmetic_type(value_type(e->a), type_basic(K_INT));
    finish(e);
    check_unary(e);
    return e;
  case W_REAL:
  case W_IMAG:
  case W_EXTENSION:
    e = prefix(E_OTHER);
    e->list = arena(sizeof *e->list);
    e->list[e->count++] = e->a;
    e->a = NULL;
    if (e->word == W_EXTENSION)
      e->type = e->list[0]->type;
    else if (e->word == W_IMAG && e->list[0]->type->kind < K_OPAQUE)
      e->type = value_type(e->list[0]); /* 0, of a number that is all real */
    else
      e->type = part_type(e->list[0], false);
    e->lvalue = is_shared(e->type) && e->list[0]->lvalue;
    return finish(e);
  case W_AND_AND: /* the address of a label */
    e = new_expr(E_OTHER, t.at);
    advance();
    expect_name();
    e->type = type_pointer(type_basic(K_VOID));
    return finish(e);
  case W_SIZEOF:
  case W_ALIGNOF:
  case W_LOCALSIZEOF:
  case W_BLOCKSIZEOF:
  case W_ELEMSIZEOF: return parse_sizeof();
  default: return parse_primary();
  }
}

/* `to` is NULL where the value is not converted. */
static void register_expression(expr_t *e, bool used, const type_t *to) {
  text_t out = {0};
  char *reads = together_begin(e);
  add(&out, "%s%s", reads ? "__extension__({ " : "", reads ? reads : "");
  if (to)
    emit_converted(&out, e, to);
  else if (used)
    emit(&out, e);
  else
    emit_unused(&out, e);
  add(&out, "%s", reads ? "; })" : "");
  edit(e->first, e->last, out.data);
  together_end();
}

void full_expression(expr_t *e, bool used) {
  if (e->touched) register_expression(e, used, NULL);
}

void converted_expression(expr_t *e, const type_t *to) {
  if (e->touched || is_pointer_to_shared(to)) register_expression(e, true, to);
}
