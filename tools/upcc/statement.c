/*
 * Statements. Only the expressions in them, UPC's own statements and loops that read shared data in
 * their conditions change; everything else is passed over.
 */
#include <string.h>

#include "upcc.h"

static int value_depth = -1; /* the depth of the innermost statement expression */
static type_t *value_of_last;

static void parse_label(void) {
  while (current()->kind == T_NAME && !current()->word && token(peek(1))->word == W_COLON) {
    jump_label(t.at);
    advance();
    advance();
    parse_attributes(NULL);
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
  return e->constant && e->value.known && e->value.value == 0;
}

static void parse_body(void) {
  bool loop = t.in_loop;
  t.in_loop = true;
  jump_nest(+1);
  parse_statement();
  jump_nest(-1);
  t.in_loop = loop;
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

static void parse_for(void) {
  advance();
  expect(W_OPEN);
  scope_open();
  t.depth++;
  if (starts_type(t.at)) {
    parse_declaration();
  } else {
    if (!at_word(W_SEMICOLON)) full_expression(parse_expression(), false);
    expect(W_SEMICOLON);
  }
  int loads = t.loads, semicolon = before(t.at);
  bool endless = at_word(W_SEMICOLON);
  if (!endless) full_expression(parse_expression(), true);
  bool waits = t.loads > loads;
  expect(W_SEMICOLON);
  if (!at_word(W_CLOSE)) full_expression(parse_expression(), false);
  expect(W_CLOSE);
  parse_body();
  if (waits)
    insert_after(semicolon, " weft_upc_spin(), ");
  else if (endless && t.loads > loads)
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
  parse_condition();
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
    if (!is_integer(type))
      error(e->first, "the value of upc_%s is no integer but %s (6.6.1)", name, describe(type));
    add(&out, "1, (int)(");
    emit(&out, e);
    add(&out, ")");
  }
  add(&out, ", \"%s\", %u)", t.files[k->file].name, k->line);
  edit(first, before(t.at) + 1, out.data);
  expect(W_SEMICOLON);
}

static void statement(void) {
  parse_label();
  t.statement_first = t.at;
  switch (current()->word) {
  case W_OPEN_BRACE: parse_compound(); break;
  case W_IF: parse_if(); break;
  case W_WHILE: parse_while(); break;
  case W_DO: parse_do(); break;
  case W_FOR: parse_for(); break;
  case W_FORALL: parse_forall(); break;
  case W_SWITCH: parse_switch(); break;
  case W_CASE:
  case W_DEFAULT:
    parse_case();
    if (!at_word(W_CLOSE_BRACE)) parse_item();
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

void parse_statement(void) {
  deeper();
  statement();
  shallower();
}

/* A declaration or a statement in a block. */
static void block_item(void) {
  if (at_word(W_LABEL)) {
    while (!accept(W_SEMICOLON)) advance();
    return;
  }
  bool label = current()->kind == T_NAME && !current()->word && token(peek(1))->word == W_COLON;
  bool attribute = at_word(W_ATTRIBUTE) || at_word(W_EXTENSION);
  if (label) {
    parse_label();
    if (!at_word(W_CLOSE_BRACE)) parse_item();
  } else if (at_word(W_STATIC_ASSERT) || starts_type(t.at)) {
    parse_declaration();
  } else if (attribute && at_word(W_ATTRIBUTE)) { /* fallthrough and the like */
    parse_attributes(NULL);
    expect(W_SEMICOLON);
  } else {
    parse_statement();
  }
}

void parse_item(void) {
  deeper();
  block_item();
  shallower();
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
