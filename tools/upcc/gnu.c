/*
 * What GNU C adds to expressions and declarations: builtins that take types or members, _Generic,
 * attributes, asm. All of it is copied; only what is shared inside changes.
 */
#include <string.h>

#include "upcc.h"

/* __builtin_offsetof(type, member[index].member) */
static void parse_offsetof(expr_t *e) {
  parse_type_name();
  expect(W_COMMA);
  while (!at_word(W_CLOSE)) {
    if (accept(W_OPEN_BRACKET)) {
      append(e, parse_expression());
      expect(W_CLOSE_BRACKET);
    } else {
      advance();
    }
  }
  e->type = type_basic(K_ULONG);
}

/* _Generic(e, type: e, ..., default: e). Of pointers-to-shared, which are all one type in C, the
 * choice is made here: e->b. For others the associations with such pointers are left out. */
static void parse_generic(expr_t *e) {
  expr_t *control = parse_assignment();
  type_t *type = value_type(control);
  const bool shared = is_pointer_to_shared(type);
  expr_t *fallback = NULL, *chosen = NULL;
  if (!shared) append(e, control);
  for (int comma; comma = t.at, accept(W_COMMA);) {
    type_t *label = NULL;
    if (!accept(W_DEFAULT)) label = parse_type_name();
    expect(W_COLON);
    expr_t *part = parse_assignment();
    const bool other = label && is_pointer_to_shared(label);
    if (!shared && !other) append(e, part);
    if (!shared && other) edit(comma, part->last, "");
    if (!label)
      fallback = part;
    else if (chosen || type->kind == K_UNKNOWN || shared != other)
      continue;
    else if (shared ? identical_type(type_plain(label), type) : same_type(label, type))
      chosen = part;
  }
  if (!chosen) chosen = fallback;
  if (chosen) e->type = value_type(chosen);
  if (!shared) return;
  if (!chosen) error(control->first, "_Generic: no association with the type %s", describe(type));
  e->b = chosen;
  e->touched = true;
}

static void parse_choose(expr_t *e) {
  for (int i = 0; i < 3; i++) {
    if (i) expect(W_COMMA);
    append(e, parse_assignment());
  }
  if (e->list[0]->constant) e->type = e->list[e->list[0]->value.value ? 1 : 2]->type;
}

static const type_t *type_or_expression(void) {
  return starts_type(t.at) ? parse_type_name() : parse_assignment()->type;
}

/* Berkeley's bupc_assert_type(a, b): 1 if both are of one type, qualifiers and layout included. */
static void parse_assert_type(expr_t *e) {
  const type_t *a = type_or_expression();
  expect(W_COMMA);
  bool same = identical_type(a, type_or_expression());
  e->type = type_basic(K_INT);
  e->constant = true;
  e->value = number(same);
  e->replacement = same ? "1" : "0";
}

expr_t *parse_builtin(void) {
  int word = current()->word;
  if (word != W_VA_ARG && word != W_OFFSETOF && word != W_TYPES_COMPATIBLE && word != W_CHOOSE &&
      word != W_CONVERTVECTOR && word != W_GENERIC && word != W_ASSERT_TYPE)
    return NULL;
  expr_t *e = new_expr(E_OTHER, t.at);
  advance();
  expect(W_OPEN);
  switch (word) {
  case W_VA_ARG:
  case W_CONVERTVECTOR:
    append(e, parse_assignment());
    expect(W_COMMA);
    e->type = parse_type_name();
    e->effects = true;
    if (is_shared(e->type)) error(e->first, "a shared type has no value to pass (6.5.1.1)");
    break;
  case W_OFFSETOF: parse_offsetof(e); break;
  case W_TYPES_COMPATIBLE:
    parse_type_name();
    expect(W_COMMA);
    parse_type_name();
    e->type = type_basic(K_INT);
    break;
  case W_CHOOSE: parse_choose(e); break;
  case W_ASSERT_TYPE: parse_assert_type(e); break;
  default: parse_generic(e); break;
  }
  expect(W_CLOSE);
  e->touched |= e->replacement || edited(e->first, t.at);
  return finish(e);
}

/* Of attributes' arguments only alignments and sizes are expressions, up to `last`: other names are
 * words. */
static void attribute_name(int *last) {
  static const char words[] = "aligned __aligned__ vector_size __vector_size__";
  if (current()->kind != T_NAME || current()->word) return;
  if (t.at >= *last) {
    const int open = peek(1);
    if (token(open)->word == W_OPEN && in_words(words, token_text(t.at))) *last = matching(open);
    return;
  }
  const int word = token(before(t.at))->word;
  const bool tag = word == W_STRUCT || word == W_UNION || word == W_ENUM;
  symbol_t *s = tag ? current()->name->tag : lookup(current()->name);
  current()->meant = s;
  if (s && s->emitted) edit(t.at, t.at + 1, s->emitted);
}

static void skip_group(text_t *kept, int first) {
  int close = matching(t.at), last = token(first)->word == W_ALIGNAS ? close : 0;
  for (; t.at < close; advance()) attribute_name(&last);
  advance();
  if (kept) {
    add(kept, " ");
    add_range(kept, first, close + 1);
  }
}

bool is_vector(const char *attributes) {
  return strstr(attributes, "vector_size") || strstr(attributes, "ext_vector_type");
}

static type_t *vector_of(type_t *type, const char *attributes) {
  if (type->kind != K_POINTER && type->kind != K_ARRAY && type->kind != K_FUNCTION) {
    type_t *element = type_plain(type), *vector = type_copy(type);
    vector->kind = K_OPAQUE;
    vector->alias = NULL;
    vector->base = element;
    vector->spelling = format_text("__typeof__(%s %s)", spell(element, ""), attributes);
    return vector;
  }
  type = type_copy(type);
  type->alias = NULL;
  type->base = vector_of(type->base, attributes);
  return type;
}

/* What an object is if its declaration, before or behind its name, makes it a vector. */
type_t *vector_by(type_t *type, const char *before, const char *behind) {
  if (is_vector(before)) type = vector_of(type, before);
  return is_vector(behind) ? vector_of(type, behind) : type;
}

/* Attributes and asm labels behind or inside a declarator, as they are. */
void parse_attributes(text_t *kept) {
  for (;;) {
    int first = t.at;
    if (at_word(W_ATTRIBUTE) || at_word(W_ASM) || at_word(W_ALIGNAS)) {
      advance();
      while (at_word(W_VOLATILE)) advance();
      if (!at_word(W_OPEN)) fatal(t.at, "expected '('");
      skip_group(kept, first);
    } else if (at_word(W_NULLABILITY) || at_word(W_EXTENSION)) {
      advance();
    } else if (at_word(W_OPEN_BRACKET) && token(peek(1))->word == W_OPEN_BRACKET) {
      skip_group(kept, first); /* [[attribute]] */
    } else {
      return;
    }
  }
}

/* Attributes of a statement or a label; an asm behind them is a statement. */
void pass_attributes(void) {
  for (;;) {
    if (at_word(W_ATTRIBUTE))
      advance();
    else if (!at_word(W_OPEN_BRACKET) || token(peek(1))->word != W_OPEN_BRACKET)
      return;
    skip_group(NULL, 0);
  }
}

/* An asm statement: operands are expressions and may touch shared data only through values. */
void parse_asm(void) {
  advance();
  while (at_word(W_VOLATILE) || at_word(W_GOTO) || at_word(W_INLINE)) advance();
  expect(W_OPEN);
  int depth = 1;
  while (depth > 0 && current()->kind != T_END) {
    if (at_word(W_OPEN) && token(before(t.at))->kind == T_STRING) {
      advance();
      expr_t *operand = parse_expression();
      if (is_shared(operand->type) && operand->lvalue &&
          memchr(token(before(before(operand->first)))->text, '=', 3))
        error(operand->first, "an asm statement cannot write to a shared object");
      full_expression(operand, true);
      expect(W_CLOSE);
      continue;
    }
    if (at_word(W_OPEN)) depth++;
    if (at_word(W_CLOSE)) depth--;
    advance();
  }
}
