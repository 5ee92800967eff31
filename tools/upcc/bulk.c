/*
 * Loops over consecutive elements: for (i ...; i < n; i++) with one expression as its body, whose
 * shared operands run through one thread's elements in order. The loop is cut at the ends of
 * blocks. A piece on this node is a plain loop over local addresses; of a piece elsewhere, what is
 * read is fetched at once into a buffer (all operands together), and what is written leaves at
 * once. From -O1 on.
 */
#include <string.h>

#include "place.h"
#include "upcc.h"

enum { MOST = 6, SMALLEST_BLOCK = 16 };

typedef struct run {
  char *source;  /* the operand's text: equal texts are one operand */
  char *address; /* the pointer-to-shared to the element at the current i */
  type_t *type;
  char *block;
  const symbol_t *root; /* a static object, or NULL: a pointer */
  bool load, store;
} run_t;

typedef struct loop {
  const symbol_t *variable;
  int first, last; /* tokens of the body */
  run_t runs[MOST];
  int n, serial;
  bool good;
} loop_t;

static expr_t *strip(expr_t *e) {
  while (e && e->op == E_PAREN) e = e->a;
  return e;
}

static bool is_steady(expr_t *e, const loop_t *loop) {
  e = strip(e);
  if (e->op == E_NAME && e->symbol == loop->variable) return false;
  if (e->op == E_NAME && e->symbol && is_pointer_to_shared(e->type) && !is_shared(e->type))
    return e->symbol->depth > 0 && !e->symbol->is_static &&
           own_leaves_alone(loop->first, loop->last, e->symbol->name) &&
           own_not_addressed(e->symbol);
  if (e->op == E_BINARY && is_integer(e->type))
    return is_steady(e->a, loop) && is_steady(e->b, loop);
  return own_invariant(e, loop->first, loop->last);
}

/* A[..][i + c] of a static array or a steady pointer, relaxed, along a thread's elements. */
static bool is_run(expr_t *e, const loop_t *loop, const symbol_t **root) {
  int64_t c;
  if (e->op != E_INDEX || e->bitfield || !is_word_sized(e->type) || !is_arithmetic(e->type) ||
      e->type->quals)
    return false;
  if (e->type->access == A_STRICT || (e->type->access == A_DEFAULT && e->strict)) return false;
  const number_t block = e->type->block;
  if (!is_indefinite(e->type) &&
      (e->type->layout != L_BLOCK || !block.known || block.value < SMALLEST_BLOCK))
    return false;
  if (!own_affine(e->b, loop->variable, &c)) return false;
  e = strip(e->a);
  for (; e->op == E_INDEX && e->type->kind == K_ARRAY; e = strip(e->a))
    if (!is_steady(e->b, loop)) return false;
  *root = e->op == E_NAME && e->type->kind == K_ARRAY ? e->symbol : NULL;
  return *root || is_steady(e, loop);
}

static void take(expr_t *e, loop_t *loop, bool load, bool store) {
  const symbol_t *root;
  if (!is_run(e, loop, &root)) {
    loop->good = false;
    return;
  }
  char *source = range_text(e->first, e->last);
  int k = 0;
  while (k < loop->n && strcmp(loop->runs[k].source, source) != 0) k++;
  if (k == MOST) {
    loop->good = false;
    return;
  }
  if (k == loop->n) {
    text_t address = {0};
    emit_address(&address, e);
    loop->runs[loop->n++] =
        (run_t){source, address.data, type_plain(e->type), block_text(e->type), root, false, false};
  }
  loop->runs[k].load |= load;
  loop->runs[k].store |= store;
  e->replacement = format_text("weft_upc_v%d_%d[weft_upc_k%d - weft_upc_l%d]", loop->serial, k,
                               loop->serial, loop->serial);
}

static bool is_pure_call(const expr_t *e) {
  static const char *const names[] = {"fabs", "sqrt", "fabsf", "sqrtf", "fmax", "fmin",
                                      "exp",  "sin",  "cos",   "pow",   "log",  "floor"};
  const token_t *k = token(e->a->first);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == k->length && memcmp(names[i], k->text, k->length) == 0) return true;
  return false;
}

static void visit(expr_t *e, loop_t *loop) {
  if (!e || !loop->good || (!e->touched && !e->calls)) return;
  if (is_shared(e->type) && e->lvalue) {
    if (e->op == E_PAREN)
      visit(e->a, loop);
    else
      take(e, loop, true, false);
    return;
  }
  if (e->op == E_CALL && !is_pure_call(e)) loop->good = false;
  bool plain = e->op == E_PAREN || e->op == E_BINARY || e->op == E_UNARY || e->op == E_INDEX ||
               e->op == E_ASSIGN || e->op == E_CALL || e->op == E_CAST || e->op == E_THREADS ||
               e->op == E_MYTHREAD || e->op == E_NAME;
  if (!plain || is_pointer_to_shared(value_type(e)) ||
      (e->op == E_NAME && e->symbol && e->symbol->emitted))
    loop->good = false;
  if (e->op == E_BINARY && (e->word == W_AND_AND || e->word == W_OR_OR)) loop->good = false;
  visit(e->a, loop);
  visit(e->b, loop);
  for (int i = 0; i < e->count; i++) visit(e->list[i], loop);
}

/* What is written may be nothing else that is read or written. */
static bool may_overlap(const loop_t *loop) {
  for (int i = 0; i < loop->n; i++)
    for (int j = 0; j < loop->n; j++)
      if (i != j && loop->runs[i].store &&
          (!loop->runs[i].root || !loop->runs[j].root || loop->runs[i].root == loop->runs[j].root))
        return true;
  return false;
}

static void emit_piece(text_t *out, const loop_t *loop, expr_t *body, const char *name) {
  int s = loop->serial;
  for (int k = 0; k < loop->n; k++)
    add(out,
        "struct weft_upc_piece weft_upc_w%d_%d = weft_upc_piece(%s, %s, sizeof(%s), weft_upc_l%d, "
        "&weft_upc_e%d); ",
        s, k, loop->runs[k].address, loop->runs[k].block, spell(loop->runs[k].type, ""), s, s);
  for (int k = 0; k < loop->n; k++)
    add(out,
        "%s = (%s)weft_upc_piece_begin(&weft_upc_w%d_%d, weft_upc_e%d - weft_upc_l%d, "
        "weft_upc_z%d_%d, %d); ",
        spell(type_pointer(loop->runs[k].type), format_text("weft_upc_v%d_%d", s, k)),
        spell(type_pointer(loop->runs[k].type), ""), s, k, s, s, s, k, loop->runs[k].load);
  for (int k = 0; k < loop->n; k++)
    if (loop->runs[k].load) add(out, "if (!weft_upc_w%d_%d.here) weft_upc_far_read_end(); ", s, k);
  add(out,
      "for (weft_upc_i64 weft_upc_k%d = weft_upc_l%d; weft_upc_k%d < weft_upc_e%d; weft_upc_k%d++) "
      "{ %s = (__typeof__(%s))weft_upc_k%d; ",
      s, s, s, s, s, name, name, s);
  emit_unused(out, body);
  add(out, "; } ");
  for (int k = 0; k < loop->n; k++)
    if (loop->runs[k].store)
      add(out,
          "weft_upc_piece_end(&weft_upc_w%d_%d, weft_upc_e%d - weft_upc_l%d, weft_upc_z%d_%d); ", s,
          k, s, s, s, k);
}

/* The whole statement, or NULL: it stays a loop of single accesses. */
char *bulk_loop(const clauses_t *c, expr_t *body) {
  expr_t *bound = NULL;
  loop_t loop = {.first = body->first, .last = body->last, .good = true};
  symbol_t *variable = counted(c, &bound);
  if (!variable || !body->touched || !own_not_addressed(variable) ||
      !own_leaves_alone(body->first, body->last, variable->name) ||
      !own_invariant(bound, body->first, body->last))
    return NULL;
  loop.variable = variable;
  loop.serial = ++t.serial;
  expr_t *top = strip(body);
  if (top->op != E_ASSIGN) return NULL;
  expr_t *target = strip(top->a);
  if (is_shared(target->type) && target->lvalue)
    take(target, &loop, top->word != W_ASSIGN, true);
  else
    visit(target, &loop);
  visit(top->b, &loop);
  bool good =
      loop.good && loop.n > 0 && !may_overlap(&loop) && !is_pointer_to_shared(value_type(target));
  if (!good) {
    bulk_forget(body);
    return NULL;
  }
  int s = loop.serial;
  char *name = format_text("%.*s", (int)variable->name->length, variable->name->text);
  text_t out = {0};
  add(&out,
      "{ %s; weft_upc_i64 weft_upc_l%d = (weft_upc_i64)%s, weft_upc_h%d = (weft_upc_i64)(%s)%s; ",
      range_text(c->open + 1, c->first_end), s, name, s, emitted(bound),
      strip(c->condition)->word == W_LE ? " + 1" : "");
  for (int k = 0; k < loop.n; k++)
    add(&out, "weft_upc_8 weft_upc_z%d_%d[WEFT_UPC_PIECE / 8]; ", s, k);
  add(&out,
      "while (weft_upc_l%d < weft_upc_h%d) { weft_upc_i64 weft_upc_e%d = weft_upc_h%d; %s = "
      "(__typeof__(%s))weft_upc_l%d; ",
      s, s, s, s, name, name, s);
  emit_piece(&out, &loop, body, name);
  add(&out, "weft_upc_l%d = weft_upc_e%d; } %s = (__typeof__(%s))weft_upc_l%d; }", s, s, name, name,
      s);
  return out.data;
}

/* The accesses of the tree are single ones again. */
void bulk_forget(expr_t *e) {
  if (!e) return;
  e->replacement = NULL;
  bulk_forget(e->a);
  bulk_forget(e->b);
  bulk_forget(e->c);
  for (int i = 0; i < e->count; i++) bulk_forget(e->list[i]);
}
