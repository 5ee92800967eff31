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

/* Places in one another, outermost first: each is inside what the one before it is at. */
typedef struct path {
  place_t at[16];
  int n;
} path_t;

static place_t *enter(path_t *path, type_t *type) {
  if (path->n == 16) fatal(t.at, "an initialiser of more than 16 levels");
  path->at[path->n] = start(type);
  return &path->at[path->n++];
}

/* Also through anonymous structs and unions. */
static type_t *enter_member(path_t *path, type_t *type, const name_t *name) {
  place_t *p = enter(path, type);
  for (; p->member; p->member = p->member->next) {
    symbol_t *m = p->member;
    if (m->name == name) return m->type;
    if (!m->name && m->type && find_member(m->type, name))
      return enter_member(path, m->type, name);
  }
  return type_basic(K_UNKNOWN);
}

static type_t *enter_element(path_t *path, type_t *type, place_t *p) {
  number_t n = parse_constant("the index of a designator");
  p->several = path->n > 0 || at_word(W_ELLIPSIS);
  if (accept(W_ELLIPSIS)) n = parse_constant("the index of a designator");
  expect(W_CLOSE_BRACKET);
  enter(path, type)->index = n.known ? n.value : p->index;
  return type->kind == K_ARRAY ? type->base : type_basic(K_UNKNOWN);
}

/* [n], [n ... m], .member, or an old "member:", gives the type that is designated. */
static type_t *parse_designators(place_t *p, path_t *path) {
  type_t *type = p->type;
  bool old_style = current()->kind == T_NAME;
  while (at_word(W_OPEN_BRACKET) || at_word(W_DOT) || old_style) {
    if (accept(W_OPEN_BRACKET)) {
      type = enter_element(path, type, p);
    } else {
      if (!old_style) advance();
      type = enter_member(path, type, token(expect_name())->name);
      old_style = false;
    }
  }
  p->index = path->at[0].index;
  p->member = path->at[0].member;
  if (!accept(W_ASSIGN) && !at_word(W_OPEN_BRACE)) accept(W_COLON);
  return type;
}

static void parse_filling(expr_t *list, place_t *p, bool braced);

/* An array of characters, which a string fills. */
static bool takes_text(const type_t *type) {
  return type->kind == K_ARRAY && is_integer(type->base) && type->base->kind != K_UNKNOWN;
}

static bool is_text(const expr_t *e, const type_t *type) {
  return e->op == E_STRING && takes_text(type);
}

/* Behind the innermost place of the path, and those around it down to `least`. */
static void fill_rest(expr_t *list, path_t *path, int least) {
  while (path->n-- > least) {
    step(&path->at[path->n]);
    parse_filling(list, &path->at[path->n], false);
  }
}

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
    path_t path = {.n = 0};
    type_t *inner = next_type(enter(&path, type));
    while (is_aggregate(inner) && !is_text(e, inner)) inner = next_type(enter(&path, inner));
    if (!is_text(e, inner)) {
      check_assign(inner, e, first, "initialization");
      converted_expression(e, inner);
    }
    append(list, e);
    fill_rest(list, &path, 0);
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
    path_t path = {.n = 0};
    if (old_style || (braced && (at_word(W_DOT) || at_word(W_OPEN_BRACKET))))
      type = parse_designators(p, &path);
    const int filled = list->count;
    parse_element(list, type);
    if (list->list[filled]->op == E_BRACES && !p->several)
      list->list[filled]->value = number(p->index);
    fill_rest(list, &path, 1);
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
    else if (current()->kind == T_STRING && e->count == 0 && takes_text(*type)) {
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
