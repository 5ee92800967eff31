/*
 * Independent reads of one expression begin together (from -O1 on): what two or more shared
 * operands need is worked out first; if all are on this node they are loaded, else those elsewhere
 * are begun, and waited for once. C leaves the order of operands open; only operands that are
 * evaluated in any case, before any call, and whose addresses have no effects are taken. Reads
 * whose addresses hold such reads follow in a second round, and so on.
 */
#include <string.h>

#include "place.h"
#include "upcc.h"

enum { MOST = 8 };

typedef struct round {
  expr_t *reads[MOST];
  int n;
  bool closed; /* something may have happened: later operands stay where they are */
} round_t;

static expr_t **taken; /* whose replacement is ours, in all rounds of the expression */
static int ntaken;

static int collect(expr_t *e, round_t *r);

/* The reads that the address of a shared lvalue needs. */
static int collect_address(expr_t *e, round_t *r) {
  e = strip(e);
  if (e->op == E_NAME) return 0;
  if (e->op == E_MEMBER) return collect_address(e->a, r);
  if (e->op == E_OTHER) return collect_address(e->list[0], r);
  if (is_part(e)) return collect_address(e->a, r) + collect(e->b, r);
  bool inside = e->op == E_INDEX && is_shared(e->a->type) && e->a->type->kind == K_ARRAY;
  int n = inside ? collect_address(e->a, r) : collect(e->a, r);
  return n + collect(e->op == E_INDEX ? e->b : NULL, r);
}

static bool is_simple_read(const expr_t *e) {
  return is_word_sized(e->type) && !e->bitfield && !(e->type->quals & Q_VOLATILE) && !e->effects &&
         !e->calls && type_ultimate(e->type)->access != A_STRICT &&
         (type_ultimate(e->type)->access != A_DEFAULT || !e->strict);
}

static void take(expr_t *e, round_t *r) {
  place_t p;
  if (r->n == MOST || r->closed || !is_simple_read(e)) return;
  if (!access_text(e, &p).mine) r->reads[r->n++] = e;
}

/* How many shared reads e makes that are not replaced yet; those that may go now are in r. */
static int collect(expr_t *e, round_t *r) {
  e = strip(e);
  if (!e || !e->touched || e->replacement) return 0;
  if (is_shared(e->type) && e->lvalue && e->op != E_STATEMENTS) {
    int inside = collect_address(e, r);
    if (e->type->kind == K_ARRAY) return inside;
    if (inside == 0) take(e, r);
    return inside + 1;
  }
  expr_t *left = strip(e->a);
  bool shared_left = left && is_shared(left->type) && left->lvalue;
  int n = 0;
  switch (e->op) {
  case E_STATEMENTS:
  case E_LITERAL:
  case E_BRACES:
  case E_SIZEOF:
  case E_SIZEOF_TYPE: r->closed |= e->calls; return 0;
  case E_ADDRESS:
  case E_PRE:
  case E_POST:
  case E_ASSIGN:
    n = shared_left ? collect_address(left, r) : collect(e->a, r);
    return n + collect(e->b, r);
  case E_CONDITION:
  case E_COMMA: n = collect(e->a, r); break;
  case E_BINARY:
    n = collect(e->a, r);
    if (e->word != W_AND_AND && e->word != W_OR_OR) return n + collect(e->b, r);
    break;
  case E_OTHER: /* _Generic and the like evaluate one of several */
    if (e->count == 1) return collect(e->list[0], r);
    break;
  default:
    n = collect(e->a, r) + collect(e->b, r) + collect(e->c, r);
    for (int i = 0; i < e->count; i++) n += collect(e->list[i], r);
    r->closed |= e->op == E_CALL && !is_pure_call(e);
    return n;
  }
  r->closed |= e->calls || e->effects;
  return n;
}

/* The same text is the same object. */
static int same_read(const round_t *r, int k) {
  char *text = range_text(r->reads[k]->first, r->reads[k]->last);
  for (int i = 0; i < k; i++)
    if (strcmp(text, range_text(r->reads[i]->first, r->reads[i]->last)) == 0) return i;
  return k;
}

static void emit_place(text_t *out, expr_t *e, int s) {
  place_t p;
  const place_text_t text = access_text(e, &p);
  char *type = spell(type_plain(e->type), "");
  add(out, "%s", text.setup.data);
  add(out, "WEFT_UPC_OPERAND%s(%s, %d, %s) ", text.pointer ? "" : "_COPY", type, s, where(&text));
}

static void emit_round(text_t *out, const round_t *r) {
  int serial[MOST], same[MOST];
  for (int k = 0; k < r->n; k++) {
    same[k] = same_read(r, k);
    serial[k] = same[k] < k ? serial[same[k]] : ++t.serial;
    if (same[k] == k) emit_place(out, r->reads[k], serial[k]);
  }
  text_t here = {0}, load = {0}, begin = {0}, end = {0};
  for (int k = 0; k < r->n; k++) {
    r->reads[k]->replacement = format_text("weft_upc_v%d", serial[k]);
    if (same[k] < k) continue;
    add(&here, "%sweft_upc_h%d", here.length ? " & " : "", serial[k]);
    add(&load, "WEFT_UPC_OPERAND_LOAD(%d) ", serial[k]);
    add(&begin, "WEFT_UPC_OPERAND_BEGIN(%d) ", serial[k]);
    add(&end, "WEFT_UPC_OPERAND_END(%d) ", serial[k]);
  }
  add(out, "if (__builtin_expect(%s, 1)) { %s} else { %sweft_upc_far_read_end(0); %s} ", here.data,
      load.data, begin.data, end.data);
  t.loads += r->n;
}

/* What stands before the expression that is then emitted; NULL: nothing begins together. */
char *together_begin(expr_t *e) {
  text_t out = {0};
  if (!options.optimise || !e->touched) return NULL;
  for (;;) {
    round_t r = {0};
    collect(e, &r);
    int distinct = 0;
    for (int k = 0; k < r.n; k++) distinct += same_read(&r, k) == k;
    if (distinct < 2) break;
    emit_round(&out, &r);
    expr_t **more = arena((size_t)(ntaken + r.n) * sizeof *more);
    if (ntaken) memcpy(more, taken, (size_t)ntaken * sizeof *more);
    memcpy(more + ntaken, r.reads, (size_t)r.n * sizeof *more);
    taken = more;
    ntaken += r.n;
  }
  return out.data;
}

/* The expression's reads are single ones again. */
void together_end(void) {
  for (int i = 0; i < ntaken; i++) taken[i]->replacement = NULL;
  ntaken = 0;
}
