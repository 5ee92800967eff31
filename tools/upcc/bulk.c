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

enum { MOST = 6, SMALLEST_BLOCK = 16 }; /* MOST is WEFT_UPC_OPERANDS of weft/upc_loop.h */

typedef struct run {
  char *source;  /* the operand's text: equal texts are one operand */
  char *address; /* the pointer-to-shared to the element at the current i */
  type_t *type;
  const char *block;
  const symbol_t *root; /* a static object, or NULL: a pointer */
  bool load, store;
  bool list;        /* no run: x[index[i]] */
  const char *near; /* of a list: the element itself, where all are on this node */
} run_t;

typedef struct loop {
  const symbol_t *variable;
  int first, last; /* tokens of the body */
  run_t runs[MOST];
  int n, serial;
  int lists;              /* how many runs are lists */
  expr_t *uses[2 * MOST]; /* the expressions that read lists */
  int use_of[2 * MOST];   /* which run each of them reads */
  int nuses;
  bool good;
  expr_t *target; /* of the assignment */
} loop_t;

/* The signed kind (enum kind has them first). */
static int alias_class(const type_t *type) {
  int kind = type->kind;
  if (kind == K_SCHAR || kind == K_UCHAR) return K_CHAR;
  if (kind == K_ENUM) return K_INT;
  return kind > K_UCHAR && kind < K_FLOAT ? kind - type_basics[kind].is_unsigned : kind;
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

static const char *near_text(expr_t *e, int serial) {
  place_t p;
  const place_text_t text = access_text(e, &p);
  if (text.mine) return text.own;
  text_t out = {0};
  add(&out, "__extension__({ %s*(%s)", text.setup.data,
      spell(type_pointer(type_plain(e->type)), ""));
  if (text.pointer)
    add_named(&out, serial, "weft_upc_near(@t, %s); })", text.pointer);
  else
    add_named(&out, serial, "weft_upc_near_copy(@d, &%s, %s); })", text.own, text.thread);
  return out.data;
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
                                    .near = list ? near_text(e, loop->serial) : NULL};
    loop->lists += list;
  }
  if (list) {
    loop->use_of[loop->nuses] = k;
    loop->uses[loop->nuses++] = e;
  }
  loop->runs[k].load |= load;
  loop->runs[k].store |= store;
  text_t element = {0};
  add_named(&element, loop->serial, list ? "(*(%s)@y_%d[@k - @l])" : "%s@v_%d[@k - @l]",
            list ? spell(type_pointer(type_plain(e->type)), "") : "", k);
  e->replacement = element.data;
}

bool is_pure_call(const expr_t *e) {
  return in_words("fabs sqrt fabsf sqrtf fmax fmin exp sin cos pow log floor",
                  token_text(e->a->first));
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
               e->op == E_CALL || e->op == E_CAST || e->op == E_THREADS || e->op == E_MYTHREAD ||
               e->op == E_NAME; /* no second assignment */
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

/* In what follows @x is weft_upc_x and the loop's number: [l, e) is the piece whose turn it is,
 * [e, n) the next one; q tells which of two sets of buffers is whose. Of operand K: w_K the pieces,
 * c_K where their elements are, v_K the same for this turn; of a list: y_K the places, x_K the
 * elements; t and d the tables that say where threads are. */

/* The next piece: where its operands are, where it ends, and its reads begin. */
static void emit_next(text_t *out, const loop_t *loop) {
  int s = loop->serial;
  for (int k = 0; k < loop->n; k++)
    if (!loop->runs[k].list)
      add_named(out, s,
                "@w_%d[!@q] = weft_upc_piece(%s, %s, sizeof(%s), WEFT_UPC_PIECE, @e, &@n); ", k,
                loop->runs[k].address, loop->runs[k].block, spell(loop->runs[k].type, ""));
  for (int k = 0; k < loop->n; k++)
    if (!loop->runs[k].list)
      add_named(out, s, "@c_%d[!@q] = weft_upc_piece_begin(&@w_%d[!@q], @n - @e, %d, %d, !@q); ", k,
                k, k, loop->runs[k].load);
}

static void emit_turns(text_t *out, const loop_t *loop, const char *name) {
  add_named(out, loop->serial,
            "for (weft_upc_i64 @k = @l; @k < @e; @k++) { %s = (__typeof__(%s))@k; ", name, name);
}

/* The lists of the piece: places first, then the elements. */
static void emit_lists(text_t *out, const loop_t *loop, const char *name) {
  int s = loop->serial;
  for (int k = 0; k < loop->n; k++)
    if (loop->runs[k].list)
      add_named(out, s, "weft_upc_u64 @y_%d[WEFT_UPC_LIST], @x_%d[WEFT_UPC_LIST]; ", k, k);
  emit_turns(out, loop, name);
  for (int k = 0; k < loop->n; k++)
    if (loop->runs[k].list) add_named(out, s, "@y_%d[@k - @l] = %s; ", k, loop->runs[k].address);
  add(out, "} ");
  for (int k = 0; k < loop->n; k++)
    if (loop->runs[k].list)
      add_named(out, s, "weft_upc_far_gather(@y_%d, (weft_upc_size)(@e - @l), sizeof(%s), @x_%d); ",
                k, spell(loop->runs[k].type, ""), k);
}

static void emit_body(text_t *out, const loop_t *loop, expr_t *body, const char *name) {
  emit_turns(out, loop, name);
  emit_unused(out, body);
  add(out, "; } ");
}

/* The turns where no list is needed. */
static void emit_near(text_t *out, loop_t *loop, expr_t *body, const char *name) {
  const char *far[2 * MOST];
  if (loop->lists)
    add_named(out, loop->serial,
              "const weft_upc_u64 *const @t = weft_upc_once(weft_upc.entry); "
              "const weft_upc_uptr *const @d = weft_upc_once(weft_upc.disp); (void)@t, (void)@d; ");
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
      add_named(out, s, "%s = (%s)@c_%d[@q]; ",
                spell(type_pointer(loop->runs[k].type), format_text("const weft_upc_v%d_%d", s, k)),
                spell(type_pointer(loop->runs[k].type), ""), k);
  add(out, "if (!(1");
  for (int k = 0; k < loop->n; k++)
    if (loop->runs[k].load && !loop->runs[k].list) add_named(out, s, " & @w_%d[@q].here", k);
  add_named(out, s, ")) weft_upc_far_read_end(@q); ");
  const bool runs = loop->n > loop->lists;
  if (loop->lists) {
    add(out, "%s", runs ? "if (weft_upc.far) { " : "{ ");
    emit_lists(out, loop, name);
    emit_body(out, loop, body, name);
    add(out, "%s", runs ? "} else { " : "} ");
  }
  if (runs) emit_near(out, loop, body, name);
  if (runs && loop->lists) add(out, "} ");
  for (int k = 0; k < loop->n; k++)
    if (loop->runs[k].store)
      add_named(out, s, "weft_upc_piece_end(&@w_%d[@q], @e - @l, @v_%d, @q); ", k, k);
}

/* private[i + c] = shared[i + d], or the other way round: no more than a copy. */
static expr_t *private_side(const loop_t *loop, const expr_t *top) {
  expr_t *target = strip(top->a), *value = strip(top->b);
  if (top->word != W_ASSIGN || loop->n != 1 || loop->lists) return NULL;
  expr_t *private_ = is_shared(target->type) ? value : target;
  const expr_t *other = private_ == value ? target : value;
  if (!other->replacement || private_->op != E_INDEX || is_shared(private_->type) ||
      private_->type->quals & ~Q_CONST || private_->type->kind != other->type->kind ||
      private_->type->kind == K_ENUM || !is_step(private_->b, loop))
    return NULL;
  expr_t *base = strip(private_->a);
  return base->op == E_NAME && !base->touched &&
                 (base->type->kind == K_ARRAY || is_kept(base, loop))
             ? private_
             : NULL;
}

/* What begins the loop: the index's first value, and where it ends. */
static void emit_range(text_t *out, const clauses_t *c, const loop_t *loop, expr_t *bound) {
  add_named(out, loop->serial,
            "{ %s; weft_upc_i64 @l = (weft_upc_i64)%s, @e = @l, @n, @h = (weft_upc_i64)(%s)%s; ",
            range_text(c->open + 1, c->first_end), loop->variable->name->text, emitted(bound),
            strip(c->condition)->word == W_LE ? " + 1" : "");
  if (counted_unsigned(c) && !is_unsigned(loop->variable->type))
    add_named(out, loop->serial, "if (@l < 0 && !(%s)) @h = @l; ", emitted(c->condition));
}

/* Blocks of it are copied to and from where they belong; all are under way together. */
static char *emit_copy(const clauses_t *c, loop_t *loop, expr_t *body, expr_t *bound,
                       expr_t *memory) {
  int s = loop->serial;
  text_t out = {0};
  const char *name = loop->variable->name->text;
  const run_t *run = &loop->runs[0];
  emit_range(&out, c, loop, bound);
  add_named(&out, s,
            "for (; @l < @h; @l = @e) { %s = (__typeof__(%s))@l; @n = @h; "
            "struct weft_upc_piece @w = weft_upc_piece(%s, %s, sizeof(%s), WEFT_UPC_WHOLE, @l, "
            "&@n); @e = @n; ",
            name, name, run->address, run->block, spell(run->type, ""));
  add_named(&out, s, "%s = (%s)(@w.here ? (void *)@w.at : weft_upc_far_copy(&@w, @e - @l, ",
            spell(type_pointer(run->type), format_text("const weft_upc_v%d_0", s)),
            spell(type_pointer(run->type), ""));
  add_named(&out, s, "(void *)&%s, %d)); if (@v_0) ", emitted(memory), run->load);
  emit_body(&out, loop, body, name);
  add_named(&out, s, "} if (weft_upc.far) weft_upc_far_copies_end(); %s = (__typeof__(%s))@l; }",
            name, name);
  return out.data;
}

static char *emit_loop(const clauses_t *c, loop_t *loop, expr_t *body, expr_t *bound) {
  int s = loop->serial;
  text_t out = {0};
  const char *name = loop->variable->name->text;
  emit_range(&out, c, loop, bound);
  add_named(&out, s, "int @q = 0; ");
  for (int k = 0; k < loop->n; k++)
    if (!loop->runs[k].list)
      add_named(&out, s, "struct weft_upc_piece @w_%d[2]; void *@c_%d[2]; ", k, k);
  if (loop->n == loop->lists) {
    add_named(&out, s, "if (!weft_upc.far) { if (@e < @h) @e = @h; ");
    emit_near(&out, loop, body, name);
    add(&out, "} else ");
  }
  add_named(&out, s,
            "for (;; @l = @e, @e = @n, @q = !@q) { @n = @h; if (@e < @h) { %s = "
            "(__typeof__(%s))@e; ",
            name, name);
  if (loop->lists)
    add_named(&out, s, "if (weft_upc.far && @n > @e + WEFT_UPC_LIST) @n = @e + WEFT_UPC_LIST; ");
  emit_next(&out, loop);
  add_named(&out, s, "} if (@l < @e) { ");
  emit_piece(&out, loop, body, name);
  bool store = false;
  for (int k = 0; k < loop->n; k++) store |= loop->runs[k].store;
  add_named(&out, s, "} if (@e >= @h) break; } %s%s = (__typeof__(%s))@e; }",
            store ? "if (weft_upc.far) weft_upc_far_pieces_end(); " : "", name, name);
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
  expr_t *memory = private_side(&loop, top);
  return memory ? emit_copy(c, &loop, body, bound, memory) : emit_loop(c, &loop, body, bound);
}
