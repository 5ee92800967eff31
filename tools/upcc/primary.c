/*
 * Primary expressions and what follows them: names, literals, parentheses, calls, subscripts,
 * members, postfix operators, compound literals.
 */
#include <string.h>

#include "upcc.h"

static expr_t *parse_name(void) {
  expr_t *e = new_expr(E_NAME, t.at);
  name_t *name = current()->name;
  symbol_t *s = current()->meant = lookup(name);
  advance();
  e->symbol = s;
  if (!s) { /* an implicit function, a builtin, __func__: what the compiler knows */
    if (strcmp(name->text, "__func__") == 0 || strcmp(name->text, "__FUNCTION__") == 0)
      e->type = type_pointer(type_basic(K_CHAR));
    return finish(e);
  }
  e->type = s->type;
  e->lvalue = s->kind == S_OBJECT;
  e->touched = s->emitted != NULL;
  if (s->kind == S_CONSTANT || s->is_constant) {
    e->constant = s->value.known;
    e->value = s->value;
  } else if (s->kind == S_TYPEDEF) {
    fatal(e->first, "unexpected type name '%s'", name->text);
  }
  return finish(e);
}

expr_t *parse_string(void) {
  expr_t *e = new_expr(E_STRING, t.at);
  static const enum kind kinds[] = {[1] = K_CHAR, [2] = K_USHORT, [4] = K_INT};
  const int first = t.at;
  int width = 1, length = 1;
  while (current()->kind == T_STRING || (current()->kind == T_NAME && !current()->word &&
                                         current()->text[0] == '_' && !lookup(current()->name))) {
    if (string_width(current()) > width) width = string_width(current());
    advance();
  }
  for (int i = first; i < t.at; i++)
    if (token(i)->kind == T_STRING) length += string_elements(token(i), width);
  e->type = type_array(type_basic(kinds[width]), D_CONSTANT, number(length));
  e->lvalue = true;
  return finish(e);
}

static expr_t *parse_parenthesis(void) {
  expr_t *e = new_expr(E_PAREN, t.at);
  advance();
  if (at_word(W_OPEN_BRACE)) { /* a statement expression */
    e->op = E_STATEMENTS;
    e->effects = e->calls = true;
    e->type = parse_statement_expression();
    expect(W_CLOSE);
    e->touched = edited(e->first, t.at);
    return finish(e);
  }
  e->a = parse_expression();
  expect(W_CLOSE);
  e->type = e->a->type;
  e->lvalue = e->a->lvalue;
  e->bitfield = e->a->bitfield;
  return finish(e);
}

static expr_t *parse_literal(void) {
  expr_t *e;
  const token_t *k = current();
  if (k->kind == T_STRING) return parse_string();
  if (k->kind == T_NUMBER || k->kind == T_CHARACTER) {
    e = new_expr(E_NUMBER, t.at);
    constant_of(e);
    advance();
    return finish(e);
  }
  if (k->word == W_THREADS || k->word == W_MYTHREAD || k->word == W_MAX_BLOCK) {
    e = new_expr(k->word == W_THREADS    ? E_THREADS
                 : k->word == W_MYTHREAD ? E_MYTHREAD
                                         : E_MAX_BLOCK,
                 t.at);
    e->type = type_basic(K_INT);
    e->touched = true;
    advance();
    finish(e);
    if (e->op == E_MAX_BLOCK) {
      e->constant = true;
      e->value = number(((int64_t)1 << options.phase_bits) - 1);
    } else if (e->op == E_THREADS && options.threads) {
      e->value = number(options.threads);
    }
    return e;
  }
  fatal(t.at,
        k->kind == T_END ? "expected expression at end of input"
                         : "expected expression before '%s'",
        token_text(t.at));
}

static expr_t *parse_call(expr_t *callee) {
  expr_t *e = new_expr(E_CALL, callee->first);
  e->at = t.at;
  e->a = callee;
  e->effects = e->calls = true;
  const type_t *function = callee->type;
  if (function->kind == K_POINTER) function = function->base;
  bool known = function->kind == K_FUNCTION;
  if (known) e->type = function->base;
  symbol_t *param = known && function->prototype ? function->params : NULL;
  advance();
  while (!at_word(W_CLOSE)) {
    if (starts_type(t.at)) { /* a builtin that takes types */
      parse_type_name();
      e->touched |= edited(e->at, t.at);
    } else {
      expr_t *argument = parse_assignment();
      append(e, argument);
      if (!param && e->a->op == E_NAME && is_pointer_to_shared(value_type(argument)) &&
          strstr(token_text(callee->first), "printf"))
        warning(argument->first,
                "a pointer-to-shared is no argument for %%p: it is a number of 64 bits");
      if (param) {
        check_assign(param->type, argument, argument->first, "argument");
        if (is_pointer_to_shared(param->type)) e->touched = true;
      }
    }
    if (param) param = param->next;
    if (!at_word(W_CLOSE)) expect(W_COMMA);
  }
  expect(W_CLOSE);
  if (known && e->type->touched) e->touched = true;
  return finish(e);
}

static expr_t *parse_subscript(expr_t *array) {
  expr_t *e = new_expr(E_INDEX, array->first);
  e->at = t.at;
  advance();
  e->a = array;
  e->b = parse_expression();
  expect(W_CLOSE_BRACKET);
  type_t *type = value_type(array);
  if (type->kind != K_POINTER && value_type(e->b)->kind == K_POINTER) { /* 3[array] */
    type = value_type(e->b);
    if (is_shared(type->base)) {
      e->a = e->b;
      e->b = array;
    }
  }
  check_subscript(value_type(e->a), value_type(e->b), e->at);
  check_bounds(e);
  if (type->kind == K_POINTER)
    e->type = type->base;
  else if (type->kind == K_OPAQUE)
    e->type = part_type(array, true);
  e->lvalue = true;
  if (type->kind == K_POINTER && is_shared(type->base) &&
      (type->base->kind == K_VOID || !is_complete(type->base)))
    error(e->at, "subscript of a pointer to %s, whose size is not known", describe(type->base));
  return finish(e);
}

/* The type of a member: the qualifiers of the whole go over, the layout does not (6.4.4). */
static type_t *member_type(type_t *whole, symbol_t *member) {
  type_t *type = type_qualified(member->type, whole->quals);
  if (!whole->shared) return type;
  type = type_shared(type, whole->access, L_INDEFINITE, number(0), member->at);
  return type;
}

static expr_t *parse_member(expr_t *whole, enum expr_op op) {
  expr_t *e = new_expr(op, whole->first);
  e->at = t.at;
  advance();
  int name = expect_name();
  e->a = whole;
  type_t *type = op == E_ARROW ? value_type(whole) : whole->type;
  if (op == E_ARROW && type->kind == K_POINTER) type = type->base;
  symbol_t *member = find_member(type, token(name)->name);
  e->lvalue = op == E_ARROW || whole->lvalue;
  if (!member) {
    if (is_shared(type) && (type->kind == K_STRUCT || type->kind == K_UNION))
      error(name,
            is_complete(type) ? "%s has no member named '%s'"
                              : "%s is not complete: it has no member '%s'",
            describe(type), token_text(name));
    return finish(e);
  }
  e->symbol = member;
  e->bitfield = member->bitfield;
  e->type = member_type(type, member);
  return finish(e);
}

static expr_t *parse_postfix(expr_t *e) {
  for (;;) {
    switch (current()->word) {
    case W_OPEN: e = parse_call(e); break;
    case W_OPEN_BRACKET: e = parse_subscript(e); break;
    case W_DOT: e = parse_member(e, E_MEMBER); break;
    case W_ARROW: e = parse_member(e, E_ARROW); break;
    case W_INC:
    case W_DEC: {
      expr_t *step = new_expr(E_POST, e->first);
      step->at = t.at;
      step->word = current()->word;
      advance();
      step->a = e;
      step->type = type_plain(e->type);
      step->effects = true;
      e = finish(step);
      check_unary(e);
      break;
    }
    default: return e;
    }
  }
}

/* A compound literal; `cast` has its type. It may be followed by postfix operators. */
expr_t *parse_unary_from_literal(expr_t *cast) {
  cast->op = E_LITERAL;
  cast->lvalue = true;
  if (is_shared(cast->named)) error(cast->first, "a compound literal cannot be shared (6.5.1.1)");
  expr_t *braces = parse_braces(&cast->named);
  cast->type = cast->named;
  cast->effects |= braces->effects;
  cast->calls |= braces->calls;
  cast->touched |= edited(cast->first, t.at);
  return parse_postfix(finish(cast));
}

expr_t *parse_primary(void) {
  const token_t *k = current();
  if (k->kind == T_NAME && !k->word) return parse_postfix(parse_name());
  if (k->word == W_OPEN) return parse_postfix(parse_parenthesis());
  expr_t *e = parse_builtin();
  return parse_postfix(e ? e : parse_literal());
}
