/*
 * Declarators: pointers, arrays, functions, and the rules for a type once it is whole ([*], THREADS
 * in dimensions: 6.5.1.1, 6.5.2.1).
 */
#include <string.h>

#include "upcc.h"

/* Whether e names an object, so that it is no constant whatever the compiler finds out. */
static bool names_object(const expr_t *e) {
  if (!e || e->op == E_SIZEOF || e->op == E_SIZEOF_TYPE) return false;
  if (e->op == E_MYTHREAD || e->effects) return true;
  if (e->op == E_NAME) return !e->symbol || e->symbol->kind == S_OBJECT;
  if (e->op == E_STATEMENTS) return true;
  if (names_object(e->a) || names_object(e->b) || names_object(e->c)) return true;
  for (int i = 0; i < e->count; i++)
    if (names_object(e->list[i])) return true;
  return false;
}

static bool has_threads(const expr_t *e) {
  if (!e) return false;
  if (e->op == E_THREADS) return !options.threads;
  return has_threads(e->a) || has_threads(e->b) || has_threads(e->c);
}

number_t dimension_of(expr_t *e, enum dimension *form) {
  *form = D_CONSTANT;
  if (e->constant) return e->value;
  if (e->op == E_PAREN) return dimension_of(e->a, form);
  /* `(size_t)(n * THREADS)`, as in trap 48; a narrow type could cut it. */
  if (e->op == E_CAST && has_threads(e) && is_integer(e->named) &&
      type_size(e->named) >= (strip(e->a)->op == E_THREADS ? 4 : 8))
    return dimension_of(e->a, form);
  if (e->op == E_BINARY && e->word == W_STAR && (has_threads(e->a) != has_threads(e->b))) {
    enum dimension left, right;
    number_t n = number_product(dimension_of(e->a, &left), dimension_of(e->b, &right));
    *form = left == D_CONSTANT ? right : left;
    return n;
  }
  if (names_object(e) || has_threads(e)) *form = D_VARIABLE;
  const char *text = e->touched ? emitted(e) : range_text(e->first, e->last);
  return (number_t){.threads = has_threads(e),
                    .whole = has_threads(e),
                    .text = format_text("(%s)", text),
                    .at = e->first};
}

static type_t *parse_array(type_t *base) {
  expect(W_OPEN_BRACKET);
  while (at_word(W_STATIC) || at_word(W_CONST) || at_word(W_RESTRICT) || at_word(W_VOLATILE) ||
         (at_word(W_ATOMIC) && token(peek(1))->word != W_OPEN))
    advance();
  enum dimension form = D_UNKNOWN;
  number_t length = number(0);
  bool star = at_word(W_STAR) && token(peek(1))->word == W_CLOSE_BRACKET;
  if (star) {
    advance();
    form = D_VARIABLE;
    length = (number_t){.text = "*"};
  } else if (!at_word(W_CLOSE_BRACKET)) {
    expr_t *e = parse_assignment();
    check_number(e, "the size of an array");
    full_expression(e, true);
    length = dimension_of(e, &form);
    length.at = e->first;
  }
  expect(W_CLOSE_BRACKET);
  if (at_word(W_OPEN_BRACKET)) base = parse_array(base);
  return type_array(base, form, length);
}

static symbol_t *new_parameter(name_t *name, type_t *type, int at) {
  symbol_t *p = arena(sizeof *p);
  p->name = name;
  p->type = type;
  p->at = at;
  p->kind = S_OBJECT;
  return p;
}

/* As C, with the body of a struct that is defined here, for the function only. */
char *spell_parameter(const specifiers_t *s, const type_t *type, const char *name) {
  char *text = spell(type, name);
  if (s->record_last == s->record_first) return text;
  tag_records(s->type);
  char *tagged = spell(type_plain(s->type), "");
  char *body = range_text(s->record_first, s->record_last), *at = strstr(text, tagged);
  if (at) return format_text("%.*s%s%s", (int)(at - text), text, body, at + strlen(tagged));
  at = strstr(text, "weft_upc_ptr_t");
  return format_text("%.*s__typeof__((weft_upc_ptr_t)sizeof(%s))%s", (int)(at - text), text, body,
                     at + strlen("weft_upc_ptr_t"));
}

static symbol_t *parse_parameter(void) {
  specifiers_t s;
  int first = t.at, name = -1;
  parse_specifiers(&s);
  if (t.at == first) fatal(t.at, "expected a parameter before '%s'", token_text(t.at));
  type_t *type = parse_declarator(s.type, &name, false);
  parse_attributes(NULL);
  int at = name >= 0 ? name : first;
  type = check_place(type_decayed(finish_type(type, at, false)), at, "a parameter");
  name_t *n = name >= 0 ? token(name)->name : NULL;
  if (n) declare(n, S_OBJECT, type, name);
  symbol_t *p = new_parameter(n, type, at);
  if (s.record_last > s.record_first) p->emitted = spell_parameter(&s, type, n ? n->text : "");
  return p;
}

static void parse_parameters(type_t *function) {
  symbol_t **end = &function->params;
  expect(W_OPEN);
  int first = t.at;
  if (accept(W_CLOSE)) return;
  if (current()->kind == T_NAME && !current()->word && !starts_type(t.at)) { /* K&R */
    do {
      int name = expect_name();
      *end = new_parameter(token(name)->name, type_basic(K_INT), name);
      end = &(*end)->next;
    } while (accept(W_COMMA));
    expect(W_CLOSE);
    return;
  }
  function->prototype = true;
  scope_open();
  do {
    if (accept(W_ELLIPSIS)) {
      function->variadic = true;
      break;
    }
    *end = parse_parameter();
    function->touched |= (*end)->type->touched;
    end = &(*end)->next;
    if (at_word(W_SEMICOLON)) { /* GNU: (int n; int a[n], int n) */
      function->spelling = range_text(first, t.at + 1);
      end = &function->params;
    }
  } while (accept(W_COMMA) || accept(W_SEMICOLON));
  function->scope = scope_close();
  expect(W_CLOSE);
  symbol_t *only = function->params;
  if (only && !only->next && !only->name && only->type->kind == K_VOID) function->params = NULL;
}

/* What stands behind the name: ( parameters ) and [ dimensions ]. */
static type_t *parse_suffix(type_t *base) {
  if (at_word(W_OPEN_BRACKET) && token(peek(1))->word != W_OPEN_BRACKET) return parse_array(base);
  if (!at_word(W_OPEN)) return base;
  int at = t.at;
  type_t *function = type_function(base);
  parse_parameters(function);
  parse_attributes(NULL);
  function->base = parse_suffix(check_place(base, at, "the result of a function"));
  return function;
}

type_t *parse_declarator(type_t *base, int *name, bool abstract) {
  DEEPER;
  parse_attributes(NULL);
  while (accept(W_STAR)) base = parse_pointer_qualifiers(type_pointer(base));
  parse_attributes(NULL);
  bool group = at_word(W_OPEN) && token(peek(1))->word != W_CLOSE && !starts_type(peek(1));
  if (at_word(W_OPEN) && token(peek(1))->word == W_ATTRIBUTE) group = true;
  if (!group) {
    bool is_name = current()->kind == T_NAME && !current()->word;
    if (at_word(W_OPAQUE_TYPE)) is_name = true; /* typedef float _Float32, for clang */
    if (!abstract && is_name) {
      *name = t.at;
      advance();
    }
    return parse_suffix(base);
  }
  int inside = peek(1), close = matching(t.at);
  t.at = close;
  advance();
  base = parse_suffix(base);
  int end = t.at;
  t.at = inside;
  type_t *type = parse_declarator(base, name, abstract);
  if (t.at != close) fatal(t.at, "expected ')' before '%s'", token_text(t.at));
  t.at = end;
  return type;
}

/* ---- rules for whole types */

/* How many dimensions name THREADS in the dynamic environment; *odd: in another form than a
 * multiple. */
static int count_threads(const type_t *type, const type_t **odd) {
  int n = 0;
  for (; type->kind == K_ARRAY; type = type->base)
    if (type->length.threads) {
      n++;
      if (type->dimension == D_VARIABLE) *odd = type;
    }
  return n;
}

int64_t ceiling(int64_t n, int64_t by) {
  return (n + by - 1) / by;
}

/* The block size that [*] stands for: ceil(n / THREADS). */
static number_t star_block(const type_t *type, int at) {
  number_t n = type_elements(type);
  number_t block = number(1);
  if (n.threads) { /* n is the multiple of THREADS that it names */
    block = n;
    block.threads = false;
  } else if (options.threads) {
    if (n.known)
      block = number(ceiling(n.value, options.threads));
    else
      block = (number_t){
          .text = format_text("((%s + %d) / %d)", n.text, options.threads - 1, options.threads)};
  }
  if (block.known && block.value >= (int64_t)1 << options.phase_bits)
    error(at, "the block size %lld that [*] asks for is over UPC_MAX_BLOCK_SIZE, %lld (6.5.1.1)",
          (long long)block.value, (1LL << options.phase_bits) - 1);
  return block;
}

static void check_pointers(const type_t *type, int at) {
  for (; type; type = type->base) {
    const type_t *odd = NULL;
    if (type->kind != K_POINTER) continue;
    if (is_shared(type->base) && count_threads(type->base, &odd) > 1)
      error(at, "THREADS in more than one dimension of a shared array (6.5.2.1)");
    const type_t *ultimate = type_ultimate(type->base);
    if (ultimate->shared && ultimate->layout == L_STAR)
      error(at, "[*] in the type that a pointer refers to (6.5.1.1)");
  }
}

static void check_threads(const type_t *type, int at, bool object) {
  const type_t *odd = NULL;
  int n = count_threads(type, &odd);
  bool indefinite = is_indefinite(type);
  if (odd)
    error(at, "THREADS in a dimension may only be multiplied by a constant (6.5.2.1)");
  else if (indefinite && n)
    error(at, "an array with indefinite block size cannot have THREADS in its size (6.5.2.1)");
  else if (n > 1)
    error(at, "THREADS in more than one dimension of a shared array (6.5.2.1)");
  else if (object && !indefinite && n == 0 && is_complete(type) && !options.threads)
    error(at, "a shared array needs THREADS in one of its dimensions in the dynamic environment "
              "(6.5.2.1)");
}

type_t *finish_type(type_t *type, int at, bool object) {
  check_pointers(type, at);
  if (!is_shared(type)) return type;
  const type_t *ultimate = type_ultimate(type);
  if (type->kind == K_ARRAY) {
    bool variable = false;
    for (const type_t *d = type; d->kind == K_ARRAY; d = d->base)
      variable |= d->dimension == D_VARIABLE && !d->length.threads;
    if (variable && object)
      error(at, "a shared array of variable length (6.5.2.1)");
    else if (!variable)
      check_threads(type, at, object);
  }
  if (ultimate->layout == L_STAR && (object || type->kind == K_ARRAY)) {
    if (!is_complete(type)) error(at, "[*] in an array of unknown size (6.5.1.1)");
    return type_with_layout(type, L_BLOCK, star_block(type, at));
  }
  if (ultimate->kind == K_VOID && object) error(at, "a shared object of type void");
  return type;
}
