/*
 * What names mean: a stack of scopes for ordinary identifiers and one for tags, so that a look-up
 * is one step.
 */
#include <string.h>

#include "upcc.h"

static struct frame {
  struct frame *outer;
  symbol_t *symbols; /* by `next` */
  symbol_t *tags;
} *frames;
static int depth;

void scope_open(void) {
  struct frame *frame = arena(sizeof *frame);
  frame->outer = frames;
  frames = frame;
  depth++;
}

struct frame *scope_close(void) {
  for (symbol_t *s = frames->symbols; s; s = s->next) s->name->symbol = s->outer;
  for (symbol_t *s = frames->tags; s; s = s->next) s->name->tag = s->outer;
  struct frame *closed = frames;
  frames = frames->outer;
  depth--;
  return closed;
}

/* The newest first in the list: backwards. */
static void declare_again(const symbol_t *s) {
  if (!s) return;
  declare_again(s->next);
  if (s->kind != S_TAG && s->kind != S_CONSTANT) return;
  symbol_t *again = declare(s->name, s->kind, s->type, s->at);
  again->value = s->value;
  again->emitted = s->emitted;
}

void scope_declare(const struct frame *closed) {
  if (!closed) return;
  declare_again(closed->symbols);
  declare_again(closed->tags);
}

symbol_t *declare(name_t *name, enum symbol_kind kind, type_t *type, int at) {
  symbol_t *s = arena(sizeof *s);
  symbol_t **meaning = kind == S_TAG ? &name->tag : &name->symbol;
  symbol_t **scope = kind == S_TAG ? &frames->tags : &frames->symbols;
  *s = (symbol_t){.name = name,
                  .at = at,
                  .depth = depth,
                  .kind = (uint8_t)kind,
                  .type = type,
                  .outer = *meaning,
                  .next = *scope};
  return *meaning = *scope = s;
}

symbol_t *lookup(const name_t *name) {
  return name->symbol;
}

symbol_t *lookup_here(const name_t *name) {
  return name->symbol && name->symbol->depth == depth ? name->symbol : NULL;
}

symbol_t *lookup_tag_here(const name_t *name) {
  return name->tag && name->tag->depth == depth ? name->tag : NULL;
}

bool is_local(const symbol_t *s) {
  enum { FILE_SCOPE = 2 }; /* behind what compilers know by themselves */
  return s->depth > FILE_SCOPE;
}

static name_t *name_of_text(const char *text) {
  return name_of(text, strlen(text));
}

/* What compilers know without a declaration and programs use as types or with a type. */
void predeclare(void) {
  scope_open();
  static const char *const types[] = {"__builtin_va_list", "__int128_t", "__uint128_t",
                                      "__builtin_ms_va_list", "__builtin_sysv_va_list"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    declare(name_of_text(types[i]), S_TYPEDEF, type_opaque(types[i], NULL), 0);
  declare(name_of_text("weft_upc_ptr_t"), S_TYPEDEF, type_basic(K_ULONG), 0);
  /* Words of C23 that programs of older standards declare themselves. */
  static const char *const constants[] = {"false", "true", "nullptr"};
  declare(name_of_text("bool"), S_TYPEDEF, type_basic(K_BOOL), 0);
  for (int i = 0; i < 3; i++)
    declare(name_of_text(constants[i]), S_CONSTANT,
            i < 2 ? type_basic(K_BOOL) : type_pointer(type_basic(K_VOID)), 0)
        ->value = number(i == 1);
  static const char *const longs[] = {"__builtin_expect", "__builtin_strlen"};
  for (size_t i = 0; i < sizeof longs / sizeof *longs; i++)
    declare(name_of_text(longs[i]), S_FUNCTION, type_function(type_basic(K_LONG)), 0);
}
