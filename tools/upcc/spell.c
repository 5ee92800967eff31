/*
 * Types as text: as the C type that stands for them in the output (a pointer-to-shared is
 * weft_upc_ptr_t, everything else keeps its size), and as UPC for messages.
 */
#include <string.h>

#include "upcc.h"

/* (A product with THREADS may be beyond an int.) */
const char *number_text(const number_t *n) {
  if (n->whole) return n->text;
  if (n->threads && n->known && n->value == 1) return "WEFT_UPC_THREADS";
  if (n->threads && n->known)
    return format_text("(%lldLL * WEFT_UPC_THREADS)", (long long)n->value);
  if (n->threads)
    return format_text("((weft_upc_i64)%s * WEFT_UPC_THREADS)", n->text ? n->text : "?");
  if (!n->known) return n->text ? n->text : "?";
  return format_text("%lld", (long long)n->value);
}

const char *symbol_text(const symbol_t *s) {
  return s->emitted ? s->emitted : s->name->text;
}

const char *block_text(const type_t *type) {
  while (type->kind == K_ARRAY) type = type->base;
  if (type->layout == L_INDEFINITE) return "0";
  if (type->layout == L_DEFAULT) return "1";
  return number_text(&type->block);
}

const char *elements_text(const type_t *type) {
  number_t n = type_elements(type);
  return number_text(&n);
}

static char *quals_text(int quals) {
  return format_text("%s%s%s%s", quals & Q_CONST ? "const " : "",
                     quals & Q_VOLATILE ? "volatile " : "", quals & Q_RESTRICT ? "__restrict " : "",
                     quals & Q_ATOMIC ? "_Atomic " : "");
}

static char *shared_text(const type_t *type) {
  static const char *const access[] = {"", "relaxed ", "strict "};
  if (type->layout == L_DEFAULT) return format_text("%sshared ", access[type->access]);
  if (type->layout == L_INDEFINITE) return format_text("%sshared [] ", access[type->access]);
  if (type->layout == L_STAR) return format_text("%sshared [*] ", access[type->access]);
  return format_text("%sshared [%s] ", access[type->access], number_text(&type->block));
}

/* A struct without a tag gets one where its body is, once its type must be written elsewhere. */
static char *record_text(const type_t *type) {
  static const char *const words[] = {
      [K_ENUM] = "enum", [K_STRUCT] = "struct", [K_UNION] = "union"};
  record_t *record = type->record;
  if (record->tag) return format_text("%s %s", words[type->kind], record->tag->text);
  if (!record->given) {
    record->given = format_text("weft_upc_tag%d", ++t.serial);
    if (record->body >= 0) insert_before(record->body, format_text("%s ", record->given));
  }
  return format_text("%s %s", words[type->kind], record->given);
}

static void tag_inner(const type_t *type, bool named) {
  while (type->base) type = type->base;
  if (!type->record || type->record->tagged) return;
  type->record->tagged = true;
  if (named) record_text(type);
  for (const symbol_t *m = type->record->members; m; m = m->next)
    tag_inner(m->type, m->name != NULL);
}

/* Its text goes elsewhere now, where no tags can be put in later: so they are put in for all that
 * is defined inside; an anonymous member has none. */
void tag_records(const type_t *type) {
  tag_inner(type, true);
}

static char *spelled(const type_t *type, const char *declarator, bool upc);

static char *params_text(const type_t *type, bool upc) {
  text_t out = NO_TEXT;
  if (!type->prototype) return out.data;
  if (!type->params && !type->variadic) add(&out, "void");
  if (type->spelling) add(&out, "%s ", type->spelling);
  for (symbol_t *p = type->params; p; p = p->next) {
    if (p != type->params) add(&out, ", ");
    if (p->emitted && !upc)
      add(&out, "%s", p->emitted);
    else
      add(&out, "%s", spelled(p->type, p->name ? p->name->text : "", upc));
  }
  if (type->variadic) add(&out, out.length ? ", ..." : "...");
  return out.data;
}

static char *join(const char *specifier, const char *declarator) {
  bool blank = *declarator && *declarator != '[' && *declarator != '(';
  return format_text("%s%s%s", specifier, blank || *declarator ? " " : "", declarator);
}

static char *spelled_pointer(const type_t *type, const char *declarator, bool upc) {
  if (is_shared(type->base) && !upc)
    return join(format_text("%sweft_upc_ptr_t", quals_text(type->quals & ~Q_RESTRICT)), declarator);
  bool wrap = type->base->kind == K_ARRAY || type->base->kind == K_FUNCTION;
  return spelled(type->base,
                 format_text(wrap ? "(*%s%s)" : "*%s%s", quals_text(type->quals), declarator), upc);
}

static char *spelled(const type_t *type, const char *declarator, bool upc) {
  if (type->alias && ((upc && type->shared == type->alias->type->shared) ||
                      (!type->touched && lookup(type->alias->name) == type->alias &&
                       !(t.outside && is_local(type->alias)))))
    return join(
        format_text("%s%s", quals_text(type->quals & ~type->alias_quals),
                    upc ? type->alias->name->text : symbol_text(type->alias)),
        declarator);
  const char *shared = upc && type->shared ? shared_text(type) : "";
  if (type->shared && type->kind == K_POINTER && upc)
    declarator = format_text("%s%s", shared, declarator);
  switch (type->kind) {
  case K_POINTER: return spelled_pointer(type, declarator, upc);
  case K_ARRAY:
    return spelled(type->base,
                   format_text("%s[%s]", declarator,
                               type->dimension == D_UNKNOWN ? "" : number_text(&type->length)),
                   upc);
  case K_FUNCTION:
    return spelled(type->base, format_text("%s(%s)", declarator, params_text(type, upc)), upc);
  case K_STRUCT:
  case K_UNION:
  case K_ENUM:
    return join(format_text("%s%s%s", shared, quals_text(type->quals), record_text(type)),
                declarator);
  case K_OPAQUE:
    return join(format_text("%s%s%s", shared, quals_text(type->quals), type->spelling), declarator);
  default:
    return join(
        format_text("%s%s%s", shared, quals_text(type->quals), type_basics[type->kind].name),
        declarator);
  }
}

char *spell(const type_t *type, const char *declarator) {
  return spelled(type, declarator, false);
}

char *describe(const type_t *type) {
  return format_text("'%s'", spelled(type, "", true));
}
