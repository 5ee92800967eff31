/*
 * Statements. Only the expressions in them, UPC's own statements and loops that read shared data in
 * their conditions change; everything else is passed over.
 */
#include <string.h>

#include "place.h"
#include "upcc.h"

static int value_depth = -1; /* the depth of the innermost statement expression */
static type_t *value_of_last;

static void block_item(void);
static void parse_item(void);

/* True: there was one. */
static bool parse_labels(void) {
  for (bool any = false;; any = true) {
    pass_attributes();
    if (current()->kind != T_NAME || current()->word || token(peek(1))->word != W_COLON) return any;
    jump_label(t.at);
    advance();
    advance();
  }
}

static void parse_expression_statement(void) {
  if (accept(W_SEMICOLON)) return;
  expr_t *e = parse_expression();
  bool value =
      value_depth == t.depth && at_word(W_SEMICOLON) && token(peek(1))->word == W_CLOSE_BRACE;
  if (value) value_of_last = value_type(e);
  full_expression(e, value);
  expect(W_SEMICOLON);
}

/* ( condition ): whether it is the constant 0, so that do ... while (0) is no loop. */
static bool parse_condition(void) {
  expect(W_OPEN);
  expr_t *e = parse_expression();
  full_expression(e, true);
  expect(W_CLOSE);
  return is_known(e) && e->value.value == 0;
}

static void parse_body(void) {
  jump_nest(+1);
  parse_statement();
  jump_nest(-1);
}

/* A loop that may wait for another thread reads again and yields (trap 14). */
static void parse_while(void) {
  int loads = t.loads;
  advance();
  int open = t.at;
  parse_condition();
  parse_body();
  if (t.loads > loads) insert_after(open, "weft_upc_spin(), ");
}

static void parse_do(void) {
  int loads = t.loads;
  advance();
  parse_body();
  if (!at_word(W_WHILE)) expect(W_WHILE);
  advance();
  int open = t.at;
  bool never = parse_condition();
  expect(W_SEMICOLON);
  if (t.loads > loads && !never) insert_after(open, "weft_upc_spin(), ");
}

/* A body of one expression, with or without braces: its first token, or -1. */
static int expression_body(void) {
  int at = t.at;
  if (at_word(W_OPEN_BRACE)) {
    at = peek(1);
    int close = matching(t.at);
    if (at != t.at + 1 || token(before(close))->word != W_SEMICOLON) return -1;
  }
  const token_t *k = token(at);
  bool starts =
      (k->kind == T_NAME && !k->word && !starts_type(at) && token(at + 1)->word != W_COLON) ||
      k->word == W_OPEN || k->word == W_STAR;
  return starts ? at : -1;
}

/* A body that begins with an expression; the closing brace is left to the caller. */
static void parse_single(const clauses_t *c, bool braces) {
  expr_t *e = parse_expression();
  bool only = at_word(W_SEMICOLON) && (!braces || token(peek(1))->word == W_CLOSE_BRACE);
  char *whole = only ? bulk_loop(c, e) : NULL;
  if (!whole) full_expression(e, false);
  expect(W_SEMICOLON);
  if (whole) edit(c->keyword, (braces ? t.at : before(t.at)) + 1, whole);
  while (braces && !at_word(W_CLOSE_BRACE)) {
    if (current()->kind == T_END) expect(W_CLOSE_BRACE);
    parse_item();
  }
}

/* The same with what surrounds it: a scope of its own, and the pragma that ends with it. */
static void parse_single_body(const clauses_t *c) {
  bool braces = at_word(W_OPEN_BRACE), strict = t.strict;
  jump_nest(+1);
  scope_open();
  t.depth += braces;
  if (braces) advance();
  parse_single(c, braces);
  t.strict = strict;
  t.depth -= braces;
  scope_close();
  if (braces) expect(W_CLOSE_BRACE);
  jump_nest(-1);
}

static void parse_for(void) {
  clauses_t c;
  scope_open();
  t.depth++;
  int loads = t.loads;
  parse_clauses(&c);
  int semicolon = c.condition ? before(c.condition->first) : c.first_end;
  own_loop_t own;
  bool stride = options.optimise && own_stride(&c, &own);
  if (stride) own_enter(&own);
  if (options.optimise && expression_body() >= 0)
    parse_single_body(&c);
  else
    parse_body();
  if (stride) own_leave();
  if (c.waits)
    insert_after(semicolon, " weft_upc_spin(), ");
  else if (!c.condition && t.loads > loads)
    insert_after(semicolon, " weft_upc_spin(), 1");
  t.depth--;
  scope_close();
}

static void parse_if(void) {
  advance();
  parse_condition();
  parse_statement();
  if (accept(W_ELSE)) parse_statement();
}

static void parse_switch(void) {
  advance();
  expect(W_OPEN);
  expr_t *e = parse_expression();
  check_number(e, "the value of switch");
  full_expression(e, true);
  expect(W_CLOSE);
  jump_nest(+1);
  parse_statement();
  jump_nest(-1);
}

static void parse_case(void) {
  jump_label(t.at);
  if (!accept(W_DEFAULT)) {
    advance();
    full_expression(parse_conditional(), true);
    if (accept(W_ELLIPSIS)) full_expression(parse_conditional(), true);
  }
  expect(W_COLON);
}

static void parse_return(void) {
  jump_out(t.at, "return");
  advance();
  if (!at_word(W_SEMICOLON)) {
    expr_t *e = parse_expression();
    if (t.function) {
      if (t.function->base->kind != K_VOID) check_assign(t.function->base, e, e->first, "return");
      converted_expression(e, t.function->base);
    } else {
      full_expression(e, true);
    }
  }
  expect(W_SEMICOLON);
}

static void parse_goto(void) {
  advance();
  if (accept(W_STAR))
    full_expression(parse_expression(), true);
  else
    jump_goto(expect_name());
  expect(W_SEMICOLON);
}

/* upc_notify, upc_wait, upc_barrier, upc_fence (6.6.1) */
static void parse_synchronization(void) {
  int word = current()->word, first = t.at;
  const char *name = word == W_NOTIFY ? "notify" : word == W_WAIT ? "wait" : "barrier";
  const token_t *k = token(first);
  advance();
  if (word == W_FENCE) {
    if (!at_word(W_SEMICOLON)) error(t.at, "upc_fence takes no value (6.6.1)");
    edit(first, first + 1, "weft_upc_fence()");
    if (!at_word(W_SEMICOLON)) parse_expression();
    expect(W_SEMICOLON);
    return;
  }
  text_t out = {0};
  add(&out, "weft_upc_%s(", name);
  if (at_word(W_SEMICOLON)) {
    add(&out, "0, 0");
  } else {
    expr_t *e = parse_expression();
    const type_t *type = value_type(e);
    if (type->kind == K_POINTER) /* converted as an assignment would */
      warning(e->first, "the value of upc_%s makes an integer from %s", name, describe(type));
    else if (!is_arithmetic(type))
      error(e->first, "the value of upc_%s is %s, which is no number (6.6.1)", name,
            describe(type));
    add(&out, "1, (int)(");
    emit(&out, e);
    add(&out, ")");
  }
  add(&out, ", \"%s\", %u)", t.files[k->file].name, k->line);
  edit(first, before(t.at) + 1, out.data);
  expect(W_SEMICOLON);
}

static void in_scope(void (*parse)(void)) {
  scope_open();
  parse();
  scope_close();
}

void parse_statement(void) {
  DEEPER;
  if (parse_labels() && at_word(W_CLOSE_BRACE)) return; /* C23: at the end of a block */
  switch (current()->word) {
  case W_OPEN_BRACE: parse_compound(); break;
  case W_IF: in_scope(parse_if); break;
  case W_WHILE: in_scope(parse_while); break;
  case W_DO: in_scope(parse_do); break;
  case W_FOR: parse_for(); break;
  case W_FORALL: parse_forall(); break;
  case W_SWITCH: in_scope(parse_switch); break;
  case W_CASE:
  case W_DEFAULT:
    parse_case();
    if (!at_word(W_CLOSE_BRACE)) block_item(); /* a declaration cannot stand here */
    break;
  case W_RETURN: parse_return(); break;
  case W_GOTO: parse_goto(); break;
  case W_BREAK:
  case W_CONTINUE:
    if (at_word(W_BREAK)) jump_break(t.at);
    advance();
    expect(W_SEMICOLON);
    break;
  case W_ASM:
    parse_asm();
    expect(W_SEMICOLON);
    break;
  case W_NOTIFY:
  case W_WAIT:
  case W_BARRIER:
  case W_FENCE: parse_synchronization(); break;
  default: parse_expression_statement(); break;
  }
}

static void block_item(void) {
  DEEPER;
  if (at_word(W_LABEL)) {
    while (!accept(W_SEMICOLON)) advance();
    return;
  }
  bool label = current()->kind == T_NAME && !current()->word && token(peek(1))->word == W_COLON;
  if (label) {
    parse_labels();
    if (!at_word(W_CLOSE_BRACE)) block_item();
  } else if (at_word(W_STATIC_ASSERT) || starts_type(t.at)) {
    parse_declaration();
  } else {
    parse_statement();
  }
}

/* A declaration or a statement in a block. */
static void parse_item(void) {
  int outer = t.item;
  t.item = t.at;
  block_item();
  t.item = outer;
}

void parse_compound(void) {
  bool strict = t.strict;
  if (!at_word(W_OPEN_BRACE)) expect(W_OPEN_BRACE);
  scope_open();
  t.depth++;
  advance();
  while (!at_word(W_CLOSE_BRACE)) {
    if (current()->kind == T_END) expect(W_CLOSE_BRACE);
    parse_item();
  }
  t.strict = strict;
  t.depth--;
  scope_close();
  expect(W_CLOSE_BRACE);
}

type_t *parse_statement_expression(void) {
  int depth = value_depth;
  type_t *outer = value_of_last;
  value_depth = t.depth + 1;
  value_of_last = type_basic(K_VOID);
  parse_compound();
  type_t *type = value_of_last;
  value_depth = depth;
  value_of_last = outer;
  return type;
}
