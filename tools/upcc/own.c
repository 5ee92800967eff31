/*
 * Loops over a thread's own elements: a upc_forall whose affinity steps through a static array, or
 * through the integers, visits only the own iterations, and what it reads and writes at the loop's
 * index in arrays of the same layout is plain C (no table, no test). Used from -O1 on.
 */
#include <string.h>

#include "place.h"
#include "upcc.h"

/* The loop whose body is being parsed in its own form; innermost first. */
static own_loop_t *loops;

/* e is i + c, c a known constant. */
bool own_affine(expr_t *e, const symbol_t *i, int64_t *c) {
  e = strip(e);
  if (e->op == E_NAME && e->symbol == i) {
    *c = 0;
    return true;
  }
  if (e->op != E_BINARY || (e->word != W_PLUS && e->word != W_MINUS)) return false;
  expr_t *a = strip(e->a), *b = strip(e->b);
  if (a->op == E_NAME && a->symbol == i && is_known(b)) {
    *c = e->word == W_PLUS ? b->value.value : -b->value.value;
    return true;
  }
  if (e->word == W_PLUS && b->op == E_NAME && b->symbol == i && is_known(a)) {
    *c = a->value.value;
    return true;
  }
  return false;
}

/* How many rows of the array (its first dimension) are in one block; 0: not a whole number. */
int64_t own_rows(const type_t *array) {
  if (array->kind != K_ARRAY || !is_shared(array) || is_indefinite(array)) return 0;
  number_t row = type_elements(array->base);
  const type_t *ultimate = type_ultimate((type_t *)array);
  number_t block = ultimate->layout == L_BLOCK ? ultimate->block : number(1);
  if (!row.known || row.threads || !block.known || block.threads || row.value < 1) return 0;
  return block.value % row.value ? 0 : block.value / row.value;
}

void own_enter(own_loop_t *loop) {
  loop->outer = loops;
  loops = loop;
}

void own_leave(void) {
  loops = loops->outer;
}

/* Of an array that goes by a pointer ("(*pointer)", static.c): one that the loop reads once. To C a
 * byte that is written may be one of the pointer. */
static const char *own_name(own_loop_t *loop, const char *name) {
  enum { MOST = sizeof loop->arrays / sizeof *loop->arrays };
  if (loop->row || name[0] != '(') return name;
  int i = 0;
  while (i < loop->narrays && strcmp(loop->arrays[i], name) != 0) i++;
  if (i == MOST) return name;
  loop->arrays[i] = name;
  if (i == loop->narrays) loop->narrays++;
  return format_text("(*weft_upc_own%d_%d)", loop->serial, i);
}

void own_pointers(text_t *out, const own_loop_t *loop) {
  for (int i = 0; i < loop->narrays; i++)
    add(out, "__typeof__(&%s) const weft_upc_own%d_%d = &%s; (void)weft_upc_own%d_%d; ",
        loop->arrays[i], loop->serial, i, loop->arrays[i], loop->serial, i);
}

/* The own row that the place's first subscript names, as text, if it is one of this thread. */
bool own_row(const place_t *p, char **row, const char **name) {
  if (!p->symbol || !p->head) return false;
  int64_t rows = own_rows(p->referenced), c;
  for (own_loop_t *loop = loops; loop && rows; loop = loop->outer)
    if (loop->rows == rows && own_affine(p->head, loop->variable, &c) && c == loop->offset) {
      text_t text = {0};
      if (loop->row)
        add(&text, "%s", loop->row);
      else
        add_named(&text, loop->serial, loop->rows == 1 ? "@r" : "(@k + @d)");
      *row = text.data;
      *name = own_name(loop, *name);
      return true;
    }
  return false;
}

/* &name, &(name) */
static bool is_addressed(int at) {
  int before_it = at - 1;
  while (token(before_it)->word == W_OPEN && token(at + 1)->word == W_CLOSE) before_it--;
  return token(before_it)->word == W_AND;
}

/* name: as a label, where a statement may begin. */
static bool is_label(int at, int first) {
  const int word = token(at - 1)->word;
  return token(at)->kind == T_NAME && !token(at)->word && token(at + 1)->word == W_COLON &&
         (at == first || word == W_OPEN_BRACE || word == W_CLOSE_BRACE || word == W_SEMICOLON ||
          word == W_COLON || word == W_CLOSE || word == W_ELSE || word == W_DO);
}

/* Whether the tokens of a body leave the variable alone, and may be written twice. */
static bool is_plain_token(int at, int first, const name_t *variable, bool *good) {
  const token_t *k = token(at), *next = token(at + 1), *last = token(at - 1);
  if (k->kind == T_PRAGMA || k->word == W_GOTO || k->word == W_STATIC || k->word == W_ASM ||
      k->word == W_FORALL || k->word == W_CASE || k->word == W_BARRIER || k->word == W_NOTIFY ||
      k->word == W_WAIT || k->word == W_STRUCT || k->word == W_BREAK || k->word == W_RETURN)
    *good = false;
  if (is_label(at, first)) *good = false;
  if (k->name != variable) return *good;
  for (; last->word == W_OPEN && next->word == W_CLOSE; last--, next++) { /* (i)++, of a macro */
  }
  bool assigned = next->word == W_ASSIGN ||
                  (next->word >= W_MUL_ASSIGN && next->word <= W_OR_ASSIGN) ||
                  next->word == W_SHL_ASSIGN || next->word == W_SHR_ASSIGN || next->word == W_INC ||
                  next->word == W_DEC;
  if (assigned || last->word == W_INC || last->word == W_DEC || is_addressed(at)) *good = false;
  return *good;
}

bool own_leaves_alone(int first, int last, const name_t *variable) {
  bool good = last - first < 4000;
  for (int i = first; good && i < last; i++) is_plain_token(i, first, variable, &good);
  return good;
}

/* Its address is taken nowhere in the function; behind the loop counts where another is around. */
bool own_not_addressed(const symbol_t *variable) {
  for (int i = t.function_first; i < t.function_last; i++)
    if (token(i)->name == variable->name && is_addressed(i)) return false;
  return true;
}

/* Made of constants and of private variables that the body does not assign: the same all the time.
 */
bool own_invariant(expr_t *e, int first, int last) {
  e = strip(e);
  if (!e) return true;
  if (e->op == E_NUMBER || e->op == E_THREADS || e->op == E_MYTHREAD || e->op == E_SIZEOF_TYPE)
    return true;
  if (e->op == E_NAME) {
    if (!e->symbol) return false;
    if (e->symbol->kind == S_CONSTANT) return true;
    return e->symbol->kind == S_OBJECT && !is_shared(e->type) && e->symbol->depth > 0 &&
           !e->symbol->is_static && is_integer(e->type) &&
           own_leaves_alone(first, last, e->symbol->name) && own_not_addressed(e->symbol);
  }
  if (e->op == E_BINARY || e->op == E_UNARY)
    return own_invariant(e->a, first, last) && (!e->b || own_invariant(e->b, first, last));
  return e->op == E_CAST && is_integer(e->type) && own_invariant(e->a, first, last);
}

static expr_t *assigned(expr_t *e, int word, const symbol_t *i) {
  e = strip(e);
  if (!e || e->op != E_ASSIGN || e->word != word) return NULL;
  const expr_t *left = strip(e->a);
  return left->op == E_NAME && left->symbol && (!i || left->symbol == i) ? e : NULL;
}

bool own_stride(const clauses_t *c, own_loop_t *loop) {
  expr_t *start = assigned(c->start, W_ASSIGN, NULL);
  if (!start || strip(start->b)->op != E_MYTHREAD) return false;
  const expr_t *left = strip(start->a);
  const symbol_t *i = left->symbol;
  expr_t *step = assigned(c->increment, W_ADD_ASSIGN, i);
  int end = step && strip(step->b)->op == E_THREADS ? body_end() : -1;
  const expr_t *test = c->condition;
  if (test && !own_leaves_alone(test->first, test->last, i->name)) return false;
  if (end < 0 || i->kind != S_OBJECT || !is_integer(left->type) || is_shared(left->type) ||
      type_size(left->type) < 4 /* it may wrap around */ || i->is_static ||
      !own_not_addressed(i) || !own_leaves_alone(t.at, end, i->name))
    return false;
  *loop = (own_loop_t){.variable = (symbol_t *)i, .rows = 1};
  loop->row = format_text("weft_upc_div((weft_upc_u64)%s)", i->name->text);
  return true;
}
