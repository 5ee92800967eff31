/*
 * Loops over consecutive elements: for (i ...; i < n; i++) with one expression as its body, whose
 * shared operands run through one thread's elements in order. The loop is cut at the ends of
 * blocks. A piece on this node is a plain loop over local addresses; of a piece elsewhere, what is
 * read is fetched at once into a buffer (all operands together), while the piece before it is
 * computed, and what is written leaves at once. Operands x[index[i]], whose index holds private
 * data or such runs, are read as lists where a job has several nodes. From -O1 on.
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
  bool list;  /* x[index[i]]: no run, and */
  char *near; /* the element itself, where all are on this node */
} run_t;

typedef struct loop {
  const symbol_t *variable;
  int first, last; /* tokens of the body */
  run_t runs[MOST];
  int n, serial;
  int lists;                   /* how many runs are lists, */
  expr_t *uses[2 * MOST];      /* the expressions that read them, */
  int use_of[2 * MOST], nuses; /* and which */
  bool good;
  expr_t *target; /* of the assignment */
} loop_t;

static int alias_class(const type_t *type) {
  switch (type->kind) {
  case K_UCHAR:
  case K_SCHAR: return K_CHAR;
  case K_USHORT: return K_SHORT;
  case K_UINT:
  case K_ENUM: return K_INT;
  case K_ULONG: return K_LONG;
  case K_ULLONG: return K_LLONG;
  default: return type->kind;
  }
}

static const symbol_t *named_array(expr_t *e) {
  for (e = strip(e); e && e->op == E_INDEX; e = strip(e->a)) {
  }
  return e && e->op == E_NAME && e->type->kind == K_ARRAY ? e->symbol : NULL;
}

/* Objects of these types are different ones (C11 6.5, 7). */
static bool is_apart(const type_t *a, const type_t *b) {
  int x = alias_class(a), y = alias_class(b);
  return x != y && x != K_CHAR && y != K_CHAR;
}

/* A private variable, which the body does not assign by its name, keeps its value: nobody has its
 * address, or the loop's one assignment goes elsewhere. */
static bool is_kept(expr_t *e, const loop_t *loop) {
  const symbol_t *v = e->symbol;
  if (e->op != E_NAME || !v || v->kind != S_OBJECT || v == loop->variable || is_shared(e->type) ||
      e->type->quals & Q_VOLATILE || !own_leaves_alone(loop->first, loop->last, v->name))
    return false;
  if (v->depth > 0 && !v->is_static && own_not_addressed(v)) return true;
  const expr_t *target = loop->target;
  if (target && (is_shared(target->type) || target->op == E_NAME || named_array(loop->target)))
    return true;
  return target && is_apart(e->type, target->type);
}

static bool is_steady(expr_t *e, const loop_t *loop) {
  e = strip(e);
  if (e->op == E_NAME && (is_integer(e->type) || is_pointer_to_shared(e->type)) && is_kept(e, loop))
    return true;
  if (e->op == E_BINARY && is_integer(e->type))
    return is_steady(e->a, loop) && is_steady(e->b, loop);
  if (e->op == E_NAME && e->symbol == loop->variable) return false;
  return own_invariant(e, loop->first, loop->last);
}

/* What can be fetched before its turn: a relaxed element of A[..][] or of a steady pointer. */
static bool is_element(expr_t *e, const loop_t *loop, const symbol_t **root) {
  if (e->op != E_INDEX || e->bitfield || !is_word_sized(e->type) || !is_arithmetic(e->type) ||
      e->type->quals)
    return false;
  if (e->type->access == A_STRICT || (e->type->access == A_DEFAULT && e->strict)) return false;
  e = strip(e->a);
  for (; e->op == E_INDEX && e->type->kind == K_ARRAY; e = strip(e->a))
    if (!is_steady(e->b, loop)) return false;
  *root = e->op == E_NAME && e->type->kind == K_ARRAY ? e->symbol : NULL;
  return *root || is_steady(e, loop);
}

/* i, or i + and - what the loop leaves alone. */
static bool is_step(expr_t *e, const loop_t *loop) {
  e = strip(e);
  if (e->op == E_NAME) return e->symbol == loop->variable;
  if (e->op != E_BINARY || (e->word != W_PLUS && e->word != W_MINUS)) return false;
  if (is_step(e->a, loop)) return is_steady(e->b, loop);
  return e->word == W_PLUS && is_steady(e->a, loop) && is_step(e->b, loop);
}

/* The element at i + c, along a thread's elements. */
static bool is_run(expr_t *e, const loop_t *loop) {
  const number_t block = e->type->block;
  if (!is_indefinite(e->type) &&
      (e->type->layout != L_BLOCK || !block.known || block.value < SMALLEST_BLOCK))
    return false;
  return is_step(e->b, loop);
}

/* The loop's assignment cannot change what e, private, reads. */
static bool is_left_alone(expr_t *e, const loop_t *loop) {
  expr_t *target = loop->target;
  if (own_invariant(e, loop->first, loop->last)) return true;
  if (target->op == E_NAME && target->symbol && target->symbol->depth > 0 &&
      !target->symbol->is_static && own_not_addressed(target->symbol))
    return e->op != E_NAME || e->symbol != target->symbol;
  const symbol_t *a = named_array(e), *b = named_array(target);
  if (a && b) return a != b;
  return e->op == E_INDEX && is_apart(e->type, target->type);
}

static void visit(expr_t *e, loop_t *loop);

/* An index that can be worked out before the elements of its list are used: private reads are left
 * alone by the loop, shared ones are runs. */
static bool is_early(expr_t *e, loop_t *loop) {
  e = strip(e);
  if (e->op == E_NAME && e->symbol == loop->variable) return true;
  if (is_shared(e->type) && e->lvalue) {
    const symbol_t *root;
    if (!is_element(e, loop, &root) || !is_run(e, loop)) return false;
    visit(e, loop);
    return loop->good;
  }
  if (e->op == E_BINARY || e->op == E_UNARY || e->op == E_CAST)
    return is_integer(e->type) && is_early(e->a, loop) && (!e->b || is_early(e->b, loop));
  if (e->op != E_INDEX) return is_steady(e, loop);
  expr_t *a = strip(e->a);
  bool base = a->op == E_NAME && a->symbol && a->symbol->kind == S_OBJECT &&
              own_leaves_alone(loop->first, loop->last, a->symbol->name) &&
              (a->type->kind == K_ARRAY || (a->symbol->depth > 0 && own_not_addressed(a->symbol)));
  return base && !(e->type->quals & Q_VOLATILE) && is_left_alone(e, loop) && is_early(e->b, loop);
}

static char *near_text(expr_t *e) {
  place_t p;
  place_text_t text;
  find_place(e, &p);
  place_text(&p, &text, false);
  if (text.mine) return format_text("%s", text.own);
  char *at = text.pointer ? format_text("weft_upc_near(%s)", text.pointer)
                          : format_text("weft_upc_near_copy(&%s, %s)", text.own, text.thread);
  return format_text("__extension__({ %s*(%s)%s; })", text.setup.data,
                     spell(type_pointer(type_plain(e->type)), ""), at);
}

static void take(expr_t *e, loop_t *loop, bool load, bool store) {
  const symbol_t *root;
  bool good = is_element(e, loop, &root), list = good && !is_run(e, loop);
  if (list) good = load && !store && is_early(e->b, loop);
  char *source = range_text(e->first, e->last);
  int k = 0;
  while (k < loop->n && strcmp(loop->runs[k].source, source) != 0) k++;
  if (!good || k == MOST || (list && loop->nuses == 2 * MOST)) {
    loop->good = false;
    return;
  }
  if (k == loop->n) {
    text_t address = {0};
    emit_address(&address, e);
    loop->runs[loop->n++] = (run_t){.source = source,
                                    .address = address.data,
                                    .type = type_plain(e->type),
                                    .block = block_text(e->type),
                                    .root = root,
                                    .list = list,
                                    .near = list ? near_text(e) : NULL};
    loop->lists += list;
  }
  if (list) {
    loop->use_of[loop->nuses] = k;
    loop->uses[loop->nuses++] = e;
  }
  loop->runs[k].load |= load;
  loop->runs[k].store |= store;
  e->replacement = list ? format_text("(*(%s)weft_upc_y%d_%d[weft_upc_k%d - weft_upc_l%d])",
                                      spell(type_pointer(type_plain(e->type)), ""), loop->serial, k,
                                      loop->serial, loop->serial)
                        : format_text("weft_upc_v%d_%d[weft_upc_k%d - weft_upc_l%d]", loop->serial,
                                      k, loop->serial, loop->serial);
}

bool is_pure_call(const expr_t *e) {
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

/* The accesses of the tree are single ones again. */
static void forget(expr_t *e) {
  if (!e) return;
  e->replacement = NULL;
  forget(e->a);
  forget(e->b);
  forget(e->c);
  for (int i = 0; i < e->count; i++) forget(e->list[i]);
}

/* The next piece: where its operands are, where it ends, and its reads begin. */
static void emit_next(text_t *out, const loop_t *loop) {
  int s = loop->serial;
  for (int k = 0; k < loop->n; k++)
    if (!loop->runs[k].list)
      add(out,
          "weft_upc_w%d_%d[!weft_upc_q%d] = weft_upc_piece(%s, %s, sizeof(%s), weft_upc_e%d, "
          "&weft_upc_n%d); ",
          s, k, s, loop->runs[k].address, loop->runs[k].block, spell(loop->runs[k].type, ""), s, s);
  for (int k = 0; k < loop->n; k++)
    if (!loop->runs[k].list)
      add(out,
          "weft_upc_c%d_%d[!weft_upc_q%d] = weft_upc_piece_begin(&weft_upc_w%d_%d[!weft_upc_q%d], "
          "weft_upc_n%d - weft_upc_e%d, weft_upc_z%d_%d[!weft_upc_q%d], %d, !weft_upc_q%d); ",
          s, k, s, s, k, s, s, s, s, k, s, loop->runs[k].load, s);
}

static void emit_turns(text_t *out, const loop_t *loop, const char *name) {
  int s = loop->serial;
  add(out,
      "for (weft_upc_i64 weft_upc_k%d = weft_upc_l%d; weft_upc_k%d < weft_upc_e%d; weft_upc_k%d++) "
      "{ %s = (__typeof__(%s))weft_upc_k%d; ",
      s, s, s, s, s, name, name, s);
}

/* The lists of the piece: places first, then the elements. */
static void emit_lists(text_t *out, const loop_t *loop, const char *name) {
  int s = loop->serial;
  for (int k = 0; k < loop->n; k++)
    if (loop->runs[k].list)
      add(out, "weft_upc_u64 weft_upc_y%d_%d[WEFT_UPC_LIST], weft_upc_x%d_%d[WEFT_UPC_LIST]; ", s,
          k, s, k);
  emit_turns(out, loop, name);
  for (int k = 0; k < loop->n; k++)
    if (loop->runs[k].list)
      add(out, "weft_upc_y%d_%d[weft_upc_k%d - weft_upc_l%d] = %s; ", s, k, s, s,
          loop->runs[k].address);
  add(out, "} ");
  for (int k = 0; k < loop->n; k++)
    if (loop->runs[k].list)
      add(out,
          "weft_upc_far_gather(weft_upc_y%d_%d, (weft_upc_size)(weft_upc_e%d - weft_upc_l%d), "
          "sizeof(%s), weft_upc_x%d_%d); ",
          s, k, s, s, spell(loop->runs[k].type, ""), s, k);
}

static void emit_body(text_t *out, const loop_t *loop, expr_t *body, const char *name) {
  emit_turns(out, loop, name);
  emit_unused(out, body);
  add(out, "; } ");
}

/* The turns where no list is needed. */
static void emit_near(text_t *out, loop_t *loop, expr_t *body, const char *name) {
  const char *far[2 * MOST];
  for (int i = 0; i < loop->nuses; i++) {
    far[i] = loop->uses[i]->replacement;
    loop->uses[i]->replacement = loop->runs[loop->use_of[i]].near;
  }
  emit_body(out, loop, body, name);
  for (int i = 0; i < loop->nuses; i++) loop->uses[i]->replacement = far[i];
}

/* The piece whose reads have begun. */
static void emit_piece(text_t *out, loop_t *loop, expr_t *body, const char *name) {
  int s = loop->serial;
  for (int k = 0; k < loop->n; k++)
    if (!loop->runs[k].list)
      add(out, "%s = (%s)weft_upc_c%d_%d[weft_upc_q%d]; ",
          spell(type_pointer(loop->runs[k].type), format_text("const weft_upc_v%d_%d", s, k)),
          spell(type_pointer(loop->runs[k].type), ""), s, k, s);
  add(out, "if (!(1");
  for (int k = 0; k < loop->n; k++)
    if (loop->runs[k].load && !loop->runs[k].list)
      add(out, " & weft_upc_w%d_%d[weft_upc_q%d].here", s, k, s);
  add(out, ")) weft_upc_far_read_end(weft_upc_q%d); ", s);
  const bool runs = loop->n > loop->lists;
  if (loop->lists) {
    add(out, "%s", runs ? "if (weft_upc.far) { " : "{ ");
    emit_lists(out, loop, name);
    emit_body(out, loop, body, name);
    add(out, "%s", runs ? "} else " : "} ");
  }
  if (runs) emit_near(out, loop, body, name);
  for (int k = 0; k < loop->n; k++)
    if (loop->runs[k].store)
      add(out,
          "weft_upc_piece_end(&weft_upc_w%d_%d[weft_upc_q%d], weft_upc_e%d - weft_upc_l%d, "
          "weft_upc_z%d_%d[weft_upc_q%d]); ",
          s, k, s, s, s, s, k, s);
}

/* i runs from l to h; [l, e) is the piece whose turn it is, [e, n) the next one, and q tells which
 * of two sets of buffers is whose. */
static char *emit_loop(const clauses_t *c, loop_t *loop, expr_t *body, expr_t *bound) {
  int s = loop->serial;
  text_t out = {0};
  char *name = format_text("%.*s", (int)loop->variable->name->length, loop->variable->name->text);
  add(&out,
      "{ %s; weft_upc_i64 weft_upc_l%d = (weft_upc_i64)%s, weft_upc_e%d = weft_upc_l%d, "
      "weft_upc_n%d, weft_upc_h%d = (weft_upc_i64)(%s)%s; int weft_upc_q%d = 0; ",
      range_text(c->open + 1, c->first_end), s, name, s, s, s, s, emitted(bound),
      strip(c->condition)->word == W_LE ? " + 1" : "", s);
  for (int k = 0; k < loop->n; k++)
    if (!loop->runs[k].list)
      add(&out,
          "weft_upc_8 weft_upc_z%d_%d[2][WEFT_UPC_PIECE / 8]; struct weft_upc_piece "
          "weft_upc_w%d_%d[2]; void *weft_upc_c%d_%d[2]; ",
          s, k, s, k, s, k);
  if (loop->n == loop->lists) {
    add(&out, "if (!weft_upc.far) { if (weft_upc_e%d < weft_upc_h%d) weft_upc_e%d = weft_upc_h%d; ",
        s, s, s, s);
    emit_near(&out, loop, body, name);
    add(&out, "} else ");
  }
  add(&out,
      "for (;; weft_upc_l%d = weft_upc_e%d, weft_upc_e%d = weft_upc_n%d, weft_upc_q%d = "
      "!weft_upc_q%d) { weft_upc_n%d = weft_upc_h%d; if (weft_upc_e%d < weft_upc_h%d) { %s = "
      "(__typeof__(%s))weft_upc_e%d; ",
      s, s, s, s, s, s, s, s, s, s, name, name, s);
  if (loop->lists)
    add(&out,
        "if (weft_upc.far && weft_upc_n%d > weft_upc_e%d + WEFT_UPC_LIST) weft_upc_n%d = "
        "weft_upc_e%d + WEFT_UPC_LIST; ",
        s, s, s, s);
  emit_next(&out, loop);
  add(&out, "} if (weft_upc_l%d < weft_upc_e%d) { ", s, s);
  emit_piece(&out, loop, body, name);
  add(&out, "} if (weft_upc_e%d >= weft_upc_h%d) break; } %s = (__typeof__(%s))weft_upc_e%d; }", s,
      s, name, name, s);
  return out.data;
}

/* The whole statement, or NULL: it stays a loop of single accesses. */
char *bulk_loop(const clauses_t *c, expr_t *body) {
  expr_t *bound = NULL;
  loop_t loop = {.first = body->first, .last = body->last, .good = true};
  symbol_t *variable = counted(c, &bound);
  if (!variable || !body->touched || !own_not_addressed(variable) ||
      !own_leaves_alone(body->first, body->last, variable->name))
    return NULL;
  loop.variable = variable;
  loop.serial = ++t.serial;
  expr_t *top = strip(body);
  if (top->op != E_ASSIGN) return NULL;
  expr_t *target = loop.target = strip(top->a);
  if (!is_steady(bound, &loop)) return NULL;
  if (is_shared(target->type) && target->lvalue)
    take(target, &loop, top->word != W_ASSIGN, true);
  else
    visit(target, &loop);
  visit(top->b, &loop);
  bool good =
      loop.good && loop.n > 0 && !may_overlap(&loop) && !is_pointer_to_shared(value_type(target));
  if (!good) {
    forget(body);
    return NULL;
  }
  t.loads++;
  return emit_loop(c, &loop, body, bound);
}
