/*
 * What the specification does not allow, one function per kind of construct. C's own rules are the
 * compiler's, except where it would see two pointers-to-shared as two integers.
 */
#include <string.h>

#include "upcc.h"

bool null_constant(const expr_t *e) {
  while (e->op == E_PAREN || (e->op == E_OTHER && e->count == 1))
    e = e->op == E_PAREN ? e->a : e->list[0];
  if (e->op == E_CAST && e->named->kind == K_POINTER && e->named->base->kind == K_VOID &&
      !e->named->base->quals)
    return null_constant(e->a);
  bool nullptr = e->op == E_NAME && e->type->kind == K_POINTER;
  return is_known(e) && e->value.value == 0 && (is_integer(e->type) || nullptr);
}

type_t *check_place(type_t *type, int at, const char *what) {
  if (!is_shared(type)) return type;
  error(at, "%s cannot be shared (6.5.1.1)", what);
  return type_private(type);
}

static bool knows(const type_t *type) {
  return type->kind != K_UNKNOWN && type->kind != K_OPAQUE;
}

/* What referenced pointers and functions lead to: to the compiler all pointers-to-shared are one
 * type. */
static bool agrees_behind(const type_t *to, const type_t *from) {
  to = type_ultimate((type_t *)to);
  from = type_ultimate((type_t *)from);
  if (to->kind != from->kind) return true;
  return to->kind == K_FUNCTION ? agrees(to, from)
                                : to->kind != K_POINTER || agrees(to->base, from->base);
}

/* Two referenced types, neither of them void: block sizes and element types. */
static void check_referenced(const type_t *to, const type_t *from, int at, const char *what) {
  if (to->kind == K_VOID || from->kind == K_VOID) return;
  if (other_block(to, from))
    error(at,
          "%s between pointers-to-shared of different block sizes without a cast (6.4.3): %s "
          "from %s",
          what, describe(type_pointer((type_t *)to)), describe(type_pointer((type_t *)from)));
  else if (!same_type(to, from) || !agrees_behind(to, from))
    warning(at, "%s from an incompatible pointer type: %s from %s", what,
            describe(type_pointer((type_t *)to)), describe(type_pointer((type_t *)from)));
}

void check_assign(const type_t *to, const expr_t *from, int at, const char *what) {
  const type_t *type = value_type(from);
  to = type_decayed((type_t *)to);
  if (!knows(type) || !knows(to)) return;
  if (is_pointer_to_shared(to)) {
    if (is_pointer_to_shared(type))
      check_referenced(to->base, type->base, at, what);
    else if (!null_constant(from) && !is_ours(at))
      error(at,
            type->kind == K_POINTER
                ? "%s makes a pointer-to-shared from a pointer-to-local (6.4.3): %s from %s"
                : "%s makes a pointer-to-shared from another type (6.4.3): %s from %s",
            what, describe(to), describe(type));
  } else if (is_pointer_to_shared(type) && to->kind != K_BOOL) {
    error(at,
          to->kind == K_POINTER ? "%s makes a pointer-to-local from a pointer-to-shared without a "
                                  "cast (6.4.3): %s from %s"
                                : "%s makes %s from a pointer-to-shared: %s",
          what, describe(to), describe(type));
  } else if (to->kind == K_POINTER && type->kind == K_POINTER && !null_constant(from) &&
             !agrees_behind(to->base, type->base)) {
    warning(at, "%s from an incompatible pointer type: %s from %s", what, describe(to),
            describe(type));
  }
}

void check_cast(const type_t *to, const expr_t *from, int at) {
  const type_t *type = value_type(from);
  if (is_shared(to) && to->kind != K_VOID) {
    error(at, "a cast to a shared type: %s (6.5.1.1)", describe(to));
    return;
  }
  if (is_pointer_to_shared(type) && to->kind >= K_FLOAT && to->kind <= K_LDOUBLE)
    error(at, "a cast from %s to %s", describe(type), describe(to));
  if (!knows(type) || is_ours(at) || !is_pointer_to_shared(to) || is_pointer_to_shared(type) ||
      null_constant(from))
    return;
  error(at,
        type->kind == K_POINTER
            ? "a cast from a pointer-to-local to a pointer-to-shared (6.4.3): %s from %s"
            : "a cast to a pointer-to-shared from another type (6.4.3): %s from %s",
        describe(to), describe(type));
}

static bool is_relational(int word) {
  return word == W_LT || word == W_GT || word == W_LE || word == W_GE;
}

void check_arithmetic(const type_t *pointer, int at) {
  if (pointer->base->kind == K_VOID || !is_complete(pointer->base))
    error(at, "arithmetic on %s: the type it refers to is not complete (6.4.2)", describe(pointer));
}

/* op=: a pointer-to-shared takes += and -= of integers, and no other object takes one (C11
 * 6.5.16.2); the compiler would see numbers. */
void check_compound(const expr_t *e) {
  const type_t *to = value_type(e->a), *by = value_type(e->b);
  const bool steps = e->word == W_ADD_ASSIGN || e->word == W_SUB_ASSIGN;
  if (is_pointer_to_shared(to) && steps && (is_integer(by) || !knows(by)))
    check_arithmetic(to, e->at);
  else if (is_pointer_to_shared(to) || is_pointer_to_shared(by))
    error(e->at, "invalid operands: %s and %s", describe(to), describe(by));
}

/* array[index], whichever stands in front */
void check_subscript(const type_t *array, const type_t *index, int at) {
  if (is_pointer_to_shared(array) ? !is_integer(index) && knows(index)
                                  : is_pointer_to_shared(index))
    error(at, "the subscript is %s, which is no integer", describe(index));
}

/* At run time nobody sees where one array ends and the next begins. The one behind the last may be
 * named for its address. */
void check_bounds(const expr_t *e) {
  const expr_t *array = strip(e->a);
  const number_t *n = &array->type->length;
  if (array->type->kind != K_ARRAY || !is_shared(array->type) || !is_known(e->b)) return;
  const bool counted = array->op == E_NAME && n->known && (!n->threads || options.threads);
  const int64_t at = e->b->value.value, last = n->value * (n->threads ? options.threads : 1);
  if (at < 0 || (counted && at > last))
    warning(e->at, "the subscript %lld is outside of %s", (long long)at, describe(array->type));
}

/* A number is wanted, which the compiler would take a pointer-to-shared for. */
void check_number(const expr_t *e, const char *what) {
  const type_t *type = value_type(e);
  if (is_pointer_to_shared(type))
    error(e->first, "%s is %s, which is no number", what, describe(type));
}

/* a ? b : c */
void check_choice(const type_t *b, const type_t *c, int at) {
  if (b->base->kind != K_VOID && c->base->kind != K_VOID && other_block(b->base, c->base))
    message(options.pedantic_errors ? ERROR : WARNING, at,
            "pointers-to-shared of different block sizes in a conditional expression: %s and %s "
            "(6.4.3)",
            describe(b), describe(c));
}

void check_binary(expr_t *e) {
  const type_t *x = value_type(e->a), *y = value_type(e->b);
  bool p = is_pointer_to_shared(x), q = is_pointer_to_shared(y);
  if ((!p && !q) || e->word == W_AND_AND || e->word == W_OR_OR) return;
  e->touched = true;
  if (e->word == W_EQ || e->word == W_NE || e->word == W_MINUS || is_relational(e->word)) {
    if (p && q) {
      bool of_void = x->base->kind == K_VOID || y->base->kind == K_VOID;
      bool equality = e->word == W_EQ || e->word == W_NE;
      if (!of_void && other_block(x->base, y->base))
        message(equality && !options.pedantic_errors ? WARNING : ERROR, e->at,
                "pointers-to-shared of different block sizes: %s and %s (6.4.2)", describe(x),
                describe(y));
      else if (e->word != W_EQ && e->word != W_NE &&
               (of_void || !is_complete(x->base) || !is_complete(y->base)))
        error(e->at,
              is_relational(e->word) ? "comparison of %s, whose type is not complete (6.4.2)"
                                     : "difference of %s, whose type is not complete (6.4.2)",
              describe(is_complete(x->base) ? y : x));
      return;
    }
    const type_t *other = p ? y : x;
    if (e->word == W_MINUS && p && is_integer(y)) {
      check_arithmetic(x, e->at);
      return;
    }
    if (knows(other) && !null_constant(p ? e->b : e->a) && !is_ours(e->at))
      error(e->at, "a pointer-to-shared and another type: %s and %s (6.4.2)", describe(x),
            describe(y));
    return;
  }
  if (e->word == W_PLUS && (p ? is_integer(y) : is_integer(x))) {
    check_arithmetic(p ? x : y, e->at);
    return;
  }
  error(e->at, "invalid operands: %s and %s", describe(x), describe(y));
}

static void check_sizeof(const expr_t *e) {
  const type_t *type = e->named;
  bool shared = is_shared(type) && (!e->a || e->a->lvalue);
  if (e->a && e->a->bitfield) error(e->at, "sizeof of a bit-field");
  if (e->word == W_SIZEOF || e->word == W_ALIGNOF) {
    if (e->word == W_SIZEOF && shared && (type->kind == K_VOID || !is_complete(type)))
      error(e->at, "sizeof of the incomplete type %s (6.4.1)", describe(type));
    return;
  }
  const char *name = e->word == W_LOCALSIZEOF   ? "upc_localsizeof"
                     : e->word == W_BLOCKSIZEOF ? "upc_blocksizeof"
                                                : "upc_elemsizeof";
  if (type->kind == K_FUNCTION)
    error(e->at, "%s of a function (6.4.1)", name);
  else if (!shared && knows(type))
    error(e->at, "%s of %s, which is not shared (6.4.1)", name, describe(type));
  else if (type_ultimate((type_t *)type)->kind == K_VOID)
    error(e->at, "%s of %s (6.4.1)", name, describe(type));
  else if (!is_complete(type_ultimate((type_t *)type)))
    error(e->at, "%s of the incomplete type %s (6.4.1)", name, describe(type));
}

bool check_lvalue(const expr_t *e, int at) {
  if (e->op != E_THREADS && e->op != E_MYTHREAD) return true;
  error(at, "'%s' is no lvalue (6.3)", token_text(e->first));
  return false;
}

/* The compiler refuses to change other constants: it does not see shared ones, nor those that are
 * assigned before main (static.c), or parts of them. */
bool is_read_only(const expr_t *e) {
  if (!(e->type->quals & Q_CONST)) return false;
  if (is_shared(e->type)) return true;
  while (e->op == E_PAREN || e->op == E_MEMBER ||
         (e->op == E_INDEX && e->a->type->kind == K_ARRAY))
    e = e->a;
  return e->op == E_NAME && e->symbol && e->symbol->assigned;
}

static void check_step(const expr_t *e) {
  check_lvalue(e->a, e->at);
  const type_t *type = value_type(e->a);
  if (is_pointer_to_shared(type)) check_arithmetic(type, e->at);
  if (is_read_only(e->a)) error(e->at, "'++' or '--' of a read-only object");
}

void check_unary(expr_t *e) {
  switch (e->op) {
  case E_SIZEOF:
  case E_SIZEOF_TYPE: check_sizeof(e); break;
  case E_PRE:
  case E_POST:
    check_step(e);
    if (is_pointer_to_shared(e->type)) e->touched = true;
    break;
  case E_UNARY:
    if (e->word != W_NOT) check_number(e->a, "the operand");
    break;
  case E_ADDRESS:
    if (e->a->bitfield) error(e->at, "cannot take the address of a bit-field");
    check_lvalue(e->a, e->at);
    break;
  case E_DEREF: {
    const type_t *type = value_type(e->a);
    if (is_pointer_to_shared(type) && type->base->kind != K_VOID && !is_complete(type->base) &&
        type->base->kind != K_ARRAY && type->base->kind != K_STRUCT && type->base->kind != K_UNION)
      error(e->at, "dereference of %s, whose type is not complete", describe(type));
    break;
  }
  default: break;
  }
}
