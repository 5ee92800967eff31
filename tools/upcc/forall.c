/*
 * upc_forall (6.6.2): a for loop whose body runs where the affinity says. Nesting is known at run
 * time only: the outermost forall that is not "continue" decides, through calls too. Where the
 * affinity steps evenly, the loop visits the own iterations only (own.c).
 */
#include <string.h>

#include "place.h"
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
    add(&out,
        is_unsigned(type) ? "weft_upc_mod((weft_upc_u64)(" : "weft_upc_mod_floor((weft_upc_i64)(");
    emit(&out, affinity);
    add(&out, ")) == (weft_upc_u64)WEFT_UPC_MYTHREAD");
  } else {
    error(affinity->first,
          "the affinity of upc_forall is %s: neither an integer nor a "
          "pointer-to-shared (6.6.2)",
          describe(type));
    return NULL;
  }
  return out.data;
}

void parse_clauses(clauses_t *c) {
  *c = (clauses_t){.keyword = t.at, .is_for = at_word(W_FOR)};
  advance();
  c->open = expect(W_OPEN);
  c->declares = starts_type(t.at);
  if (c->declares) {
    parse_declaration();
  } else {
    if (!at_word(W_SEMICOLON)) full_expression(c->start = parse_expression(), false);
    expect(W_SEMICOLON);
  }
  c->first_end = before(t.at);
  int loads = t.loads;
  if (!at_word(W_SEMICOLON)) full_expression(c->condition = parse_expression(), true);
  c->waits = t.loads > loads;
  expect(W_SEMICOLON);
  bool last = c->is_for ? at_word(W_CLOSE) : at_word(W_SEMICOLON);
  if (!last) full_expression(c->increment = parse_expression(), false);
  if (c->is_for) {
    c->close = expect(W_CLOSE);
    return;
  }
  c->third_end = expect(W_SEMICOLON);
  if (!at_word(W_CONTINUE) && !at_word(W_CLOSE))
    c->affinity = parse_expression();
  else
    accept(W_CONTINUE);
  c->close = expect(W_CLOSE);
}

static void parse_forall_body(void) {
  forall_place_t outer = jump_enter_forall();
  parse_statement();
  jump_leave_forall(outer);
}

#define depth_text                                                                                 \
  "__attribute__((__cleanup__(weft_upc_forall_end))) int @outer = weft_upc_forall_depth++; "

/* Whether a clause calls a function, which may have a forall of its own: only those that the body
 * calls are nested. */
static bool calls_others(const clauses_t *c) {
  for (int i = c->open + 2; i < c->close; i++) {
    const token_t *callee = token(i - 1);
    const bool named = callee->kind == T_NAME && !callee->word;
    if (token(i)->word == W_OPEN &&
        (callee->word == W_CLOSE || callee->word == W_CLOSE_BRACKET ||
         (named && !in_words("upc_threadof upc_phaseof", token_text(i - 1)))))
      return true;
  }
  return false;
}

/* Every iteration, with the test. */
static void plain_forall(const clauses_t *c) {
  char *test = c->affinity ? affinity_test(c->affinity) : NULL;
  const bool calls = test && calls_others(c);
  if (test) {
    text_t begin = {0}, condition = {0};
    const int s = ++t.serial;
    add_named(&begin, s, calls ? "{ for" : "{ " depth_text "for");
    edit(c->keyword, c->keyword + 1, begin.data);
    add_named(&condition, s,
              calls ? ") if ((%s) | (weft_upc_forall_depth > 0)) { " depth_text
                    : ") if ((%s) | (@outer > 0))",
              test);
    edit(c->third_end, c->close + 1, condition.data);
  } else {
    edit(c->keyword, c->keyword + 1, "{ for");
    edit(c->third_end, c->close + 1, ")");
  }
  parse_forall_body();
  insert_after(before(t.at), calls ? " } }" : " }");
}

/* i < bound or i <= bound, and i++: the variable, else NULL. */
symbol_t *counted(const clauses_t *c, expr_t **bound) {
  expr_t *test = strip(c->condition), *step = strip(c->increment);
  if (!test || !step || test->op != E_BINARY || (test->word != W_LT && test->word != W_LE))
    return NULL;
  expr_t *i = strip(test->a);
  if (i->op != E_NAME || !i->symbol || i->symbol->kind != S_OBJECT || !is_integer(i->type) ||
      is_shared(i->type) || i->type->kind == K_UNKNOWN || i->symbol->depth < 3 ||
      i->symbol->is_static || type_size(i->type) > 8 || type_size(value_type(test->b)) > 8)
    return NULL;
  bool one = (step->op == E_POST || step->op == E_PRE) && step->word == W_INC;
  if (step->op == E_ASSIGN && step->word == W_ADD_ASSIGN)
    one = is_known(step->b) && step->b->value.value == 1;
  expr_t *stepped = one ? strip(step->a) : NULL;
  if (!stepped || stepped->op != E_NAME || stepped->symbol != i->symbol ||
      !is_integer(test->b->type))
    return NULL;
  if (c->start) { /* one assignment to it */
    expr_t *start = strip(c->start);
    if (start->op != E_ASSIGN || start->word != W_ASSIGN || strip(start->a)->op != E_NAME ||
        strip(start->a)->symbol != i->symbol)
      return NULL;
  } else if (!c->declares) {
    return NULL;
  }
  *bound = test->b;
  return i->symbol;
}

static bool may_lack_sign(const type_t *type) {
  return type->kind == K_ENUM || type->kind == K_UNKNOWN ||
         (is_unsigned(type) && type_size(type) >= type_size(type_basic(K_INT)));
}

bool counted_unsigned(const clauses_t *c) {
  const expr_t *test = strip(c->condition);
  return may_lack_sign(value_type(test->a)) || may_lack_sign(value_type(test->b));
}

/* Whether i + c is the same in the affinity's type and in 64 bits, for all values of i. */
static bool is_wide(const type_t *type, const own_loop_t *loop) {
  if (!is_unsigned(type)) return true;
  if (!is_unsigned(loop->variable->type) || type_size(type) < type_size(loop->variable->type))
    return false;
  return loop->offset == 0 || (type_size(type) == 8 && loop->offset > 0);
}

/* The affinity as rows of a layout: &A[i + c] ..., or the integer i + c: rows are 1. */
static bool even_affinity(expr_t *affinity, own_loop_t *loop) {
  affinity = strip(affinity);
  const type_t *type = value_type(affinity);
  if (is_integer(type)) {
    loop->rows = 1;
    return !affinity->touched && own_affine(affinity, loop->variable, &loop->offset) &&
           is_wide(type, loop);
  }
  expr_t *e = affinity;
  if (e->op == E_ADDRESS)
    e = strip(e->a);
  else if (e->type->kind != K_ARRAY)
    return false;
  if (!is_shared(e->type) || !e->lvalue || e->op != E_INDEX) return false;
  while (strip(e->a)->op == E_INDEX) { /* later subscripts stay in the row */
    number_t most = strip(e->a)->type->length;
    if (!is_known(e->b) || e->b->value.value < 0 || strip(e->a)->type->kind != K_ARRAY ||
        !most.known || most.threads || e->b->value.value >= most.value)
      return false;
    e = strip(e->a);
  }
  expr_t *array = strip(e->a);
  if (array->op != E_NAME || array->type->kind != K_ARRAY) return false;
  loop->rows = own_rows(array->type);
  return loop->rows > 0 && own_affine(e->b, loop->variable, &loop->offset);
}

/* Where the body ends: the token behind it. Known without parsing only for blocks and expressions.
 */
int body_end(void) {
  if (at_word(W_OPEN_BRACE)) return matching(t.at) + 1;
  int word = current()->word;
  if (word && word != W_OPEN && word != W_STAR && word != W_INC && word != W_DEC) return -1;
  int i = t.at;
  while (token(i)->word != W_SEMICOLON && token(i)->kind != T_END) {
    int w = token(i)->word;
    i = w == W_OPEN || w == W_OPEN_BRACKET || w == W_OPEN_BRACE ? matching(i) + 1 : i + 1;
  }
  return i + 1;
}

/* The loops over the own iterations, open to the body: k is i + c, in [l, h). In a cyclic layout r
 * counts rows; else f is where a block begins, e where it ends, and k + d the row. */
static void own_header(text_t *out, const own_loop_t *loop) {
  long long rows = loop->rows;
  if (rows == 1)
    add_named(out, loop->serial,
              "weft_upc_i64 @k = weft_upc_first(@l), @r = weft_upc_div_floor(@k), "
              "@e = @r + weft_upc_count(@k, @h); "
              "for (; @r < @e; @k += WEFT_UPC_THREADS, @r++) { ");
  else
    add_named(out, loop->serial,
              "for (weft_upc_i64 @f = weft_upc_first_block(@l, %lld); @f < @h; "
              "@f += %lldLL * WEFT_UPC_THREADS) { "
              "weft_upc_i64 @k = @f < @l ? @l : @f, @e = @f + %lld < @h ? @f + %lld : @h, "
              "@d = (weft_upc_i64)weft_upc_div((weft_upc_u64)(@f / %lld)) * %lld - @f; (void)@d; "
              "for (; @k < @e; @k++) { ",
              rows, rows, rows, rows, rows, rows);
}

/* The body is parsed twice: for all iterations, where another forall decides, and for the own ones.
 * The range of the own ones is of signed numbers: where i or its bound may be beyond these, the
 * first form runs with a test. */
static void own_forall(const clauses_t *c, own_loop_t *loop, expr_t *bound) {
  int s = loop->serial = ++t.serial, body = t.at;
  const char *name = loop->variable->name->text;
  char *start = range_text(c->open + 1, c->first_end), *limit = emitted(bound);
  parse_forall_body();
  char *all = range_text(body, before(t.at) + 1);
  forget_edits(body, t.at);
  bool silent = t.silent;
  t.silent = true;
  t.at = body;
  own_enter(loop);
  parse_forall_body();
  own_leave();
  t.silent = silent;
  long long offset = loop->offset;
  text_t set = {0}, out = {0}, end = {0};
  const bool beyond = counted_unsigned(c);
  add_named(&set, s, "%s = (__typeof__(%s))(@k - %lld); ", name, name, offset);
  add_named(&out, s, "{ %s; " depth_text, start);
  add_named(&out, s,
            "weft_upc_i64 @l = (weft_upc_i64)((weft_upc_u64)%s + (weft_upc_u64)%lld), "
            "@h = (weft_upc_i64)((weft_upc_u64)(%s)%s + (weft_upc_u64)%lld); ",
            name, offset, limit, strip(c->condition)->word == W_LE ? " + 1" : "", offset);
  if (beyond)
    add_named(&out, s, "int @beyond = (@l | @h | (weft_upc_i64)%s | (weft_upc_i64)(%s)) < 0; ",
              name, limit);
  add_named(&out, s, beyond ? "if ((@outer > 0) | @beyond) { " : "if (@outer > 0) { ");
  add(&out, "for (; %s; %s++) ", emitted(c->condition), name);
  if (beyond) add_named(&out, s, "if ((@outer > 0) | (%s)) ", affinity_test(c->affinity));
  add(&out, "{ %s } } else { ", all);
  own_pointers(&out, loop);
  own_header(&out, loop);
  add(&out, "%s", set.data);
  edit(c->keyword, c->close + 1, out.data);
  add_named(&end, s, " }%s %s = (__typeof__(%s))((@l < @h ? @h : @l) - %lld); } }",
            loop->rows == 1 ? "" : " }", name, name, offset);
  insert_after(before(t.at), end.data);
}

void parse_forall(void) {
  clauses_t c;
  own_loop_t loop = {0};
  expr_t *bound = NULL;
  scope_open();
  t.depth++;
  parse_clauses(&c);
  int end = options.optimise && c.affinity ? body_end() : -1;
  loop.variable = end > 0 ? counted(&c, &bound) : NULL;
  if (loop.variable && own_not_addressed(loop.variable) && even_affinity(c.affinity, &loop) &&
      own_leaves_alone(t.at, end, loop.variable->name) && own_invariant(bound, t.at, end))
    own_forall(&c, &loop, bound);
  else
    plain_forall(&c);
  t.depth--;
  scope_close();
}
