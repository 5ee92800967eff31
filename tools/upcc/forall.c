/*
 * upc_forall (6.6.2): a for loop whose body runs where the affinity says. Nesting is known at run
 * time only: the outermost forall that is not "continue" decides, through calls too.
 */
#include <string.h>

#include "upcc.h"

/* The test that an iteration is this thread's; NULL: every thread runs it. */
static char *affinity_test(expr_t *affinity) {
  const type_t *type = value_type(affinity);
  text_t out = {0};
  if (is_pointer_to_shared(type)) {
    add(&out, "weft_upc_thread(");
    emit(&out, affinity);
    add(&out, ") == (weft_upc_u64)WEFT_UPC_MYTHREAD");
  } else if (is_integer(type)) {
    add(&out, "weft_upc_mod((weft_upc_u64)(");
    emit(&out, affinity);
    add(&out, ")) == (weft_upc_u64)WEFT_UPC_MYTHREAD");
  } else {
    error(affinity->first, "the affinity of upc_forall is %s: neither an integer nor a "
                           "pointer-to-shared (6.6.2)",
          describe(type));
    return NULL;
  }
  return out.data;
}

void parse_forall(void) {
  int keyword = t.at;
  expr_t *affinity = NULL;
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
  if (!at_word(W_SEMICOLON)) full_expression(parse_expression(), true);
  expect(W_SEMICOLON);
  if (!at_word(W_SEMICOLON)) full_expression(parse_expression(), false);
  int semicolon = expect(W_SEMICOLON);
  if (!at_word(W_CONTINUE) && !at_word(W_CLOSE)) affinity = parse_expression();
  else accept(W_CONTINUE);
  int close = expect(W_CLOSE);
  char *test = affinity ? affinity_test(affinity) : NULL;
  if (test) {
    int serial = ++t.serial;
    edit(keyword, keyword + 1,
         format_text("{ __attribute__((__cleanup__(weft_upc_forall_end))) int weft_upc_outer%d = "
                     "weft_upc_forall_depth++; for", serial));
    edit(semicolon, close + 1, format_text(") if ((%s) | (weft_upc_outer%d > 0))", test, serial));
  } else {
    edit(keyword, keyword + 1, "{ for");
    edit(semicolon, close + 1, ")");
  }
  forall_place_t outer = jump_enter_forall();
  parse_statement();
  jump_leave_forall(outer);
  insert_after(before(t.at), " }");
  t.depth--;
  scope_close();
}
