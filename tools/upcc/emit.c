/*
 * Expressions as C text. What has nothing shared inside is copied; operators around it are copied
 * with their operands emitted; the rest goes to access.c and pointer.c.
 */
#include <string.h>

#include "upcc.h"

char *emitted(expr_t *e) {
  text_t out = NO_TEXT;
  emit(&out, e);
  return out.data;
}

/* The tokens of e, with its parts emitted. */
static void emit_parts(text_t *out, expr_t *e) {
  int at = e->first;
  expr_t *heads[] = {e->a, e->b, e->c};
  for (int i = 0; i < 3 + e->count; i++) {
    expr_t *part = i < 3 ? heads[i] : e->list[i - 3];
    if (!part) continue;
    if (part->first > at) {
      add_range(out, at, part->first);
      add(out, " ");
    }
    emit(out, part);
    add(out, " ");
    at = part->last;
  }
  if (e->last > at) add_range(out, at, e->last);
}

static void emit_call(text_t *out, expr_t *e) {
  const type_t *function = e->a->type;
  if (function->kind == K_POINTER) function = function->base;
  bool typed = function->kind == K_FUNCTION && function->prototype;
  symbol_t *param = typed ? function->params : NULL;
  int at = e->a->last;
  emit(out, e->a);
  for (int i = 0; i < e->count; i++) {
    expr_t *argument = e->list[i];
    add_range(out, at, argument->first);
    if (param)
      emit_converted(out, argument, param->type);
    else
      emit(out, argument);
    at = argument->last;
    if (param) param = param->next;
  }
  add_range(out, at, e->last);
}

static void emit_cast(text_t *out, expr_t *e) {
  const type_t *from = value_type(e->a), *to = e->named;
  if (is_pointer_to_shared(to)) {
    add(out, "(");
    emit_converted(out, e->a, to);
    add(out, ")");
    return;
  }
  add_range(out, e->first, e->a->first);
  if (!is_pointer_to_shared(from) || to->kind != K_POINTER)
    emit(out, e->a);
  else if (!emit_own_address(out, e->a))
    add(out, "weft_upc_local(%s)", emitted(e->a));
}

static void emit_condition(text_t *out, expr_t *e) {
  add(out, "(");
  emit(out, e->a);
  if (e->b) {
    add(out, " ? ");
    emit_converted(out, e->b, e->type);
    add(out, " : ");
  } else {
    add(out, " ?: ");
  }
  emit_converted(out, e->c, e->type);
  add(out, ")");
}

static void emit_name(text_t *out, const expr_t *e) {
  if (e->symbol && e->symbol->emitted)
    add(out, "%s", e->symbol->emitted);
  else
    add_range(out, e->first, e->last);
}

static void emit_operator(text_t *out, expr_t *e) {
  switch (e->op) {
  case E_NAME: emit_name(out, e); break;
  case E_ASSIGN: emit_assign(out, e); break;
  case E_PRE:
  case E_POST: emit_step(out, e, true); break;
  case E_CALL: emit_call(out, e); break;
  case E_CAST: emit_cast(out, e); break;
  case E_BINARY:
    if (is_pointer_operation(e))
      emit_pointer_binary(out, e);
    else
      emit_parts(out, e);
    break;
  case E_ADDRESS:
    if (is_shared(e->a->type) && e->a->lvalue)
      emit_address(out, e->a);
    else
      emit_parts(out, e);
    break;
  case E_CONDITION:
    if (is_pointer_to_shared(e->type))
      emit_condition(out, e);
    else
      emit_parts(out, e);
    break;
  case E_COMMA:
    emit_unused(out, e->a);
    add(out, ", ");
    emit(out, e->b);
    break;
  case E_SIZEOF:
  case E_SIZEOF_TYPE:
    if (is_shared(e->named) || e->word >= W_LOCALSIZEOF)
      emit_sizeof(out, e);
    else
      emit_parts(out, e);
    break;
  case E_THREADS:
    if (options.threads)
      add(out, "%d", options.threads);
    else
      add(out, "((int)WEFT_UPC_THREADS)");
    break;
  case E_MYTHREAD: add(out, "((int)WEFT_UPC_MYTHREAD)"); break;
  case E_OTHER:
    if (e->b) /* what _Generic chooses */
      add(out, "(%s)", emitted(e->b));
    else
      emit_parts(out, e);
    break;
  case E_MAX_BLOCK: add(out, "%d", (1 << options.phase_bits) - 1); break;
  case E_STATEMENTS:
  case E_LITERAL:
  case E_BRACES: add_range(out, e->first, e->last); break;
  default: emit_parts(out, e); break;
  }
}

void emit(text_t *out, expr_t *e) {
  const char *replacement = is_shared(e->type) ? strip(e)->replacement : e->replacement;
  if (replacement) {
    add(out, "%s", replacement);
  } else if (!e->touched) {
    add_range(out, e->first, e->last);
  } else if (is_shared(e->type) && e->lvalue && e->op != E_STATEMENTS) {
    if (e->type->kind == K_ARRAY)
      emit_address(out, e);
    else if (e->type->kind == K_FUNCTION)
      emit_parts(out, e);
    else
      emit_load(out, e);
  } else {
    emit_operator(out, e);
  }
}

/* A store is a statement expression; clang warns where nobody wants its value, also in the last
 * part of `a ? b : c` and `a && b`. */
static void emit_unwanted(text_t *out, const expr_t *e) {
  const expr_t *lvalue = strip(e->a);
  if (is_shared(lvalue->type) && lvalue->lvalue && !lvalue->replacement) add(out, "(void)");
}

void emit_unused(text_t *out, expr_t *e) {
  if (e->touched && e->op == E_PAREN) {
    add(out, "(");
    emit_unused(out, e->a);
    add(out, ")");
  } else if (e->touched && (e->op == E_PRE || e->op == E_POST)) {
    emit_unwanted(out, e);
    emit_step(out, e, false);
  } else if (e->touched && e->op == E_ASSIGN) {
    emit_unwanted(out, e);
    emit_assign(out, e);
  } else if (e->touched && e->op == E_COMMA) {
    emit_unused(out, e->a);
    add(out, ", ");
    emit_unused(out, e->b);
  } else if (e->touched && (e->op == E_CONDITION ||
                            (e->op == E_BINARY && (e->word == W_AND_AND || e->word == W_OR_OR)))) {
    add(out, "(void)(");
    emit(out, e);
    add(out, ")");
  } else if (e->touched && e->op == E_CAST && e->named->kind == K_VOID) {
    add(out, "(void)(");
    emit_unused(out, e->a);
    add(out, ")");
  } else {
    emit(out, e);
  }
}
