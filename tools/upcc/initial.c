/*
 * Initialisers: expressions and braces with designators, matched with the type that they fill, so
 * that conversions to pointers-to-shared happen inside aggregates too, and arrays get their length.
 */
#include <string.h>

#include "upcc.h"

/* The object that the next element of a list fills. */
typedef struct place {
  type_t *type;     /* of the aggregate */
  symbol_t *member; /* struct or union: the next one */
  int64_t index;    /* array: the next one */
  int64_t most;     /* array: how many there are so far */
  bool several;     /* a designator names a range, or something inside the element */
} place_t;

static bool is_aggregate(const type_t *type) {
  return type->kind == K_ARRAY || type->kind == K_STRUCT || type->kind == K_UNION;
}

static place_t start(type_t *type) {
  place_t p = {.type = type};
  if (type->kind == K_STRUCT || type->kind == K_UNION) p.member = type->record->members;
  return p;
}

static bool is_named(const symbol_t *m) {
  return m->name || (m->type && is_aggregate(m->type));
}

static type_t *next_type(place_t *p) {
  if (p->type->kind == K_ARRAY) return p->type->base;
  while (p->member && !is_named(p->member)) p->member = p->member->next;
  return p->member ? p->member->type : type_basic(K_UNKNOWN);
}

static void step(place_t *p) {
  if (p->type->kind == K_ARRAY) {
    if (++p->index > p->most) p->most = p->index;
  } else if (p->member) {
    p->member = p->type->kind == K_UNION ? NULL : p->member->next;
  }
}

static bool is_full(place_t *p) {
  if (p->type->kind == K_ARRAY)
    return p->type->dimension == D_CONSTANT && p->type->length.known && !p->type->length.threads &&
           p->index >= p->type->length.value;
  next_type(p);
  return !p->member;
}

/* [n], [n ... m], .member: moves p, and gives the type that is designated. */
static type_t *parse_designators(place_t *p) {
  type_t *type = p->type;
  bool outermost = true;
  while (at_word(W_OPEN_BRACKET) || at_word(W_DOT)) {
    if (accept(W_OPEN_BRACKET)) {
      number_t n = parse_constant("the index of a designator");
      p->several = !outermost || at_word(W_ELLIPSIS);
      if (accept(W_ELLIPSIS)) n = parse_constant("the index of a designator");
      expect(W_CLOSE_BRACKET);
      if (outermost && n.known) p->index = n.value;
      type = type->kind == K_ARRAY ? type->base : type_basic(K_UNKNOWN);
    } else {
      advance();
      int name = expect_name();
      symbol_t *member = find_member(type, token(name)->name);
      if (outermost)
        for (p->member = p->type->kind == K_STRUCT || p->type->kind == K_UNION
                             ? p->type->record->members
                             : NULL;
             p->member && p->member != member && p->member->name;)
          p->member = p->member->next;
      type = member ? member->type : type_basic(K_UNKNOWN);
    }
    outermost = false;
  }
  if (!accept(W_ASSIGN) && !at_word(W_OPEN_BRACE)) accept(W_COLON);
  return type;
}

static void parse_filling(expr_t *list, place_t *p, bool braced);

/* One element for an object of the type; braces may be left out around aggregates. */
static void parse_element(expr_t *list, type_t *type) {
  if (at_word(W_OPEN_BRACE)) {
    append(list, parse_braces(&type));
    return;
  }
  int first = t.at;
  bool string = current()->kind == T_STRING && type->kind == K_ARRAY;
  if (is_aggregate(type) && !string) {
    expr_t *e = parse_assignment();
    if (e->type->kind == type->kind && same_type(type_private(e->type), type)) {
      full_expression(e, true);
      append(list, e);
      return;
    }
    /* It is the first element inside: give it the innermost type, and fill the rest. */
    place_t p = start(type);
    type_t *inner = next_type(&p);
    place_t stack[16];
    int n = 0;
    stack[n++] = p;
    while (is_aggregate(inner) && n < 16) {
      stack[n++] = start(inner);
      inner = next_type(&stack[n - 1]);
    }
    check_assign(inner, e, first, "initialization");
    converted_expression(e, inner);
    append(list, e);
    while (n-- > 0) {
      step(&stack[n]);
      parse_filling(list, &stack[n], false);
    }
    return;
  }
  expr_t *e = parse_assignment();
  check_assign(type, e, first, "initialization");
  converted_expression(e, type);
  append(list, e);
}

static void parse_filling(expr_t *list, place_t *p, bool braced) {
  for (;;) {
    if (!braced) {
      if (is_full(p) || !at_word(W_COMMA)) return;
      int next = token(peek(1))->word;
      if (next == W_CLOSE_BRACE || next == W_DOT || next == W_OPEN_BRACKET) return;
      advance();
    }
    type_t *type = next_type(p);
    p->several = false;
    bool old_style = current()->kind == T_NAME && !current()->word &&
                     token(peek(1))->word == W_COLON && p->type->kind != K_ARRAY;
    if (old_style) { /* member: value */
      symbol_t *member = find_member(p->type, current()->name);
      advance();
      advance();
      p->member = member;
      type = member ? member->type : type_basic(K_UNKNOWN);
    } else if (braced && (at_word(W_DOT) || at_word(W_OPEN_BRACKET))) {
      type = parse_designators(p);
    }
    parse_element(list, type);
    expr_t *filled = list->list[list->count - 1];
    if (filled->op == E_BRACES && !p->several) filled->value = number(p->index);
    step(p);
    if (braced) return;
  }
}

/* An array of unknown length gets its initialiser's. */
static void complete(type_t **type, number_t length) {
  if ((*type)->kind != K_ARRAY || (*type)->dimension != D_UNKNOWN) return;
  *type = type_copy(*type);
  (*type)->alias = NULL;
  (*type)->dimension = D_CONSTANT;
  (*type)->length = length;
}

expr_t *parse_braces(type_t **type) {
  DEEPER;
  expr_t *e = new_expr(E_BRACES, t.at);
  expect(W_OPEN_BRACE);
  place_t p = start(*type);
  bool scalar = !is_aggregate(*type);
  while (!at_word(W_CLOSE_BRACE)) {
    if (scalar)
      parse_element(e, *type);
    else if ((*type)->kind == K_ARRAY && current()->kind == T_STRING &&
             (*type)->base->kind != K_POINTER && e->count == 0 && is_integer((*type)->base) &&
             (*type)->base->kind != K_UNKNOWN) {
      expr_t *string = parse_string();
      append(e, string);
      p.most = string->type->length.value;
    } else
      parse_filling(e, &p, true);
    if (!accept(W_COMMA)) break;
  }
  expect(W_CLOSE_BRACE);
  complete(type, number(p.most));
  e->type = *type;
  return finish(e);
}

expr_t *parse_initializer(type_t **type) {
  if (at_word(W_OPEN_BRACE)) return parse_braces(type);
  int first = t.at;
  expr_t *e = parse_assignment();
  if (e->type->kind == K_ARRAY) complete(type, e->type->length);
  if ((*type)->kind != K_ARRAY) check_assign(*type, e, first, "initialization");
  converted_expression(e, *type);
  return e;
}

/* Whether the compiler can compute it before the program runs, as a static initialiser. */
bool is_constant_initial(const expr_t *e) {
  if (!e) return true;
  if (e->op == E_SIZEOF || e->op == E_SIZEOF_TYPE) return true;
  if (e->op == E_MYTHREAD || (e->op == E_THREADS && !options.threads)) return false;
  if (is_pointer_to_shared(e->type) && !null_constant(e)) return false;
  if (is_shared(e->type) && e->lvalue) return false;
  if (e->op == E_CALL && e->type->touched) return false;
  if (!is_constant_initial(e->a) || !is_constant_initial(e->b) || !is_constant_initial(e->c))
    return false;
  for (int i = 0; i < e->count; i++)
    if (!is_constant_initial(e->list[i])) return false;
  return true;
}
