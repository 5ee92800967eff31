/*
 * Declaration specifiers: storage, type, qualifiers, and UPC's shared, layout, strict and relaxed
 * (6.5.1.1); type names; struct, union and enum.
 */
#include <string.h>

#include "upcc.h"

/* What the words of a type add up to. */
typedef struct basic {
  int longs, shorts, chars, ints, floats, doubles, signeds, unsigneds, bools, int128s, complexes;
  bool is_void, any;
} basic_t;

typedef struct sharing {
  bool shared;
  enum access access;
  enum layout layout;
  number_t block;
  int at, quals;
} sharing_t;

static type_t *parse_record(int *first, int *last);

bool starts_type(int at) {
#define NO_TYPE(word, spellings)
#define TYPE(word, spellings) [W_##word] = true,
  static const bool types[] = {UPCC_KEYWORDS(NO_TYPE, TYPE)};
#undef NO_TYPE
#undef TYPE
  const token_t *k = token(at);
  if (k->word == W_OPEN_BRACKET && token(at + 1)->word == W_OPEN_BRACKET) /* [[attribute]] */
    return starts_type(matching(at) + 1);
  if (k->kind != T_NAME) return false;
  if (k->word == W_NONE) {
    const symbol_t *s = lookup(k->name);
    return s && s->kind == S_TYPEDEF;
  }
  if (k->word == W_ATTRIBUTE && token(at + 1)->word == W_OPEN)
    return starts_type(matching(at + 1) + 1);
  if (k->word == W_EXTENSION || k->word == W_ATTRIBUTE) return starts_type(at + 1);
  return k->word < sizeof types && types[k->word];
}

/* [ ], [*], [constant] behind shared. */
static void parse_layout(sharing_t *s) {
  int at = t.at;
  enum layout layout = L_BLOCK;
  number_t block = number(1);
  advance();
  if (at_word(W_CLOSE_BRACKET)) {
    layout = L_INDEFINITE;
  } else if (at_word(W_STAR) && token(peek(1))->word == W_CLOSE_BRACKET) {
    layout = L_STAR;
    advance();
  } else {
    block = parse_constant("the block size");
    if (!block.known && !block.text)
      error(block.at, "the block size is no integer constant (6.5.1.1)");
    else if (block.threads)
      error(block.at, "the block size is no constant: THREADS is none in the dynamic environment");
    else if (block.known && block.value < 0)
      error(block.at, "the block size is negative (6.5.1.1)");
    else if (block.known && block.value >= (int64_t)1 << options.phase_bits)
      error(block.at, "the block size %lld is over UPC_MAX_BLOCK_SIZE, %lld (6.5.1.1)",
            (long long)block.value, (1LL << options.phase_bits) - 1);
    if (!block.known && !block.text) block = number(1);
    if (block.known && block.value == 0) layout = L_INDEFINITE;
  }
  expect(W_CLOSE_BRACKET);
  const type_t first = {.layout = (uint8_t)s->layout, .block = s->block};
  const type_t second = {.layout = (uint8_t)layout, .block = block};
  if (s->layout != L_DEFAULT && (s->layout != layout || other_block(&first, &second)))
    error(at, "two different block sizes in one type (6.5.1.1)");
  s->layout = layout;
  s->block = block;
}

/* One qualifier, if there is one here. */
static bool parse_qualifier(sharing_t *s) {
  int at = t.at;
  switch (current()->word) {
  case W_CONST: s->quals |= Q_CONST; break;
  case W_VOLATILE: s->quals |= Q_VOLATILE; break;
  case W_RESTRICT: s->quals |= Q_RESTRICT; break;
  case W_ATOMIC:
    if (token(peek(1))->word == W_OPEN) return false;
    s->quals |= Q_ATOMIC;
    break;
  case W_STRICT:
  case W_RELAXED: {
    enum access access = at_word(W_STRICT) ? A_STRICT : A_RELAXED;
    if (s->access && s->access != access) error(at, "'strict' and 'relaxed' in one type (6.5.1.1)");
    s->access = access;
    if (!s->at) s->at = at;
    break;
  }
  case W_SHARED:
    s->shared = true;
    s->at = at;
    advance();
    while (at_word(W_OPEN_BRACKET)) parse_layout(s);
    return true;
  case W_NULLABILITY:
  case W_EXTENSION: break;
  default: return false;
  }
  advance();
  return true;
}

static type_t *qualify(type_t *type, const sharing_t *s) {
  type = type_qualified(type, s->quals);
  if (s->access && !s->shared && !is_shared(type) && type->kind != K_UNKNOWN)
    error(s->at, "'%s' without 'shared' (6.5.1.1)", s->access == A_STRICT ? "strict" : "relaxed");
  else if (s->shared || s->access)
    type = type_shared(type, s->access, s->layout, s->block, s->at);
  return type;
}

type_t *parse_pointer_qualifiers(type_t *pointer) {
  sharing_t s = {0};
  while (parse_qualifier(&s) || at_word(W_ATTRIBUTE)) parse_attributes(NULL);
  return qualify(pointer, &s);
}

static bool parse_basic(basic_t *b) {
  switch (current()->word) {
  case W_VOID: b->is_void = true; break;
  case W_CHAR: b->chars++; break;
  case W_SHORT: b->shorts++; break;
  case W_INT: b->ints++; break;
  case W_LONG: b->longs++; break;
  case W_FLOAT: b->floats++; break;
  case W_DOUBLE: b->doubles++; break;
  case W_SIGNED: b->signeds++; break;
  case W_UNSIGNED: b->unsigneds++; break;
  case W_BOOL: b->bools++; break;
  case W_COMPLEX: b->complexes++; break;
  case W_INT128: b->int128s++; break;
  default: return false;
  }
  b->any = true;
  advance();
  return true;
}

static type_t *basic_type(const basic_t *b) {
  bool u = b->unsigneds;
  enum kind kind = b->is_void     ? K_VOID
                   : b->bools     ? K_BOOL
                   : b->chars     ? (u            ? K_UCHAR
                                     : b->signeds ? K_SCHAR
                                                  : K_CHAR)
                   : b->shorts    ? (u ? K_USHORT : K_SHORT)
                   : b->floats    ? K_FLOAT
                   : b->doubles   ? (b->longs ? K_LDOUBLE : K_DOUBLE)
                   : b->int128s   ? (u ? K_UINT128 : K_INT128)
                   : b->longs > 1 ? (u ? K_ULLONG : K_LLONG)
                   : b->longs     ? (u ? K_ULONG : K_LONG)
                                  : (u ? K_UINT : K_INT);
  if (!b->complexes) return type_basic(kind);
  if (kind == K_INT && !b->ints && !b->signeds) kind = K_DOUBLE;
  return type_opaque(format_text("_Complex %s", type_basics[kind].name), type_basic(kind));
}

/* typeof(type or expression), typeof_unqual, _Atomic(type) */
static type_t *parse_typeof(void) {
  int first = t.at, word = current()->word;
  advance();
  expect(W_OPEN);
  type_t *type;
  if (starts_type(t.at)) {
    type = parse_type_name();
  } else {
    expr_t *e = parse_expression();
    type = e->type;
    if (e->touched && !type->touched) full_expression(e, true);
  }
  expect(W_CLOSE);
  if (type->kind == K_UNKNOWN) type = type_opaque(range_text(first, before(t.at) + 1), NULL);
  return word == W_TYPEOF_UNQUAL ? type_plain(type) : type;
}

/* _BitInt(n), with its sign in front or behind. */
static type_t *parse_bit_int(bool is_unsigned) {
  int first = t.at;
  advance();
  expect(W_OPEN);
  parse_constant("the width of a _BitInt");
  expect(W_CLOSE);
  char *bits = range_text(first, before(t.at) + 1);
  is_unsigned |= accept(W_UNSIGNED);
  accept(W_SIGNED);
  return type_opaque(format_text("%s%s", is_unsigned ? "unsigned " : "", bits), NULL);
}

/* A storage class, function specifier, or attribute: kept in the output. */
static bool parse_kept(specifiers_t *s) {
  int first = t.at;
  switch (current()->word) {
  case W_TYPEDEF:
  case W_EXTERN:
  case W_STATIC:
  case W_AUTO:
  case W_REGISTER:
    s->storage = current()->word;
    s->storage_at = (int)s->kept.length;
    break;
  case W_THREAD_LOCAL: s->is_thread = true; break;
  case W_CONSTEXPR: s->is_constant = true; break;
  case W_INLINE:
  case W_NORETURN:
  case W_EXTENSION: break;
  case W_OPEN_BRACKET:
    if (token(peek(1))->word != W_OPEN_BRACKET) return false;
    parse_attributes(&s->kept);
    return true;
  case W_ATTRIBUTE:
  case W_ALIGNAS: parse_attributes(&s->kept); return true;
  default: return false;
  }
  advance();
  if (token(first)->word != W_TYPEDEF) add(&s->kept, "%s ", token_text(first));
  return true;
}

/* A type specifier that is no basic word; NULL: none here. */
static type_t *parse_named(specifiers_t *s) {
  switch (current()->word) {
  case W_STRUCT:
  case W_UNION:
  case W_ENUM: return parse_record(&s->record_first, &s->record_last);
  case W_TYPEOF:
  case W_TYPEOF_UNQUAL:
  case W_ATOMIC: return parse_typeof();
  case W_AUTO_TYPE:
    s->auto_type = true;
    advance();
    return type_opaque("__auto_type", NULL);
  case W_OPAQUE_TYPE: {
    int first = t.at;
    advance();
    bool is_complex = accept(W_COMPLEX);
    type_t *real = type_opaque(token_text(first), NULL);
    return is_complex ? type_opaque(format_text("%s _Complex", real->spelling), real) : real;
  }
  default: break;
  }
  if (current()->kind != T_NAME || current()->word) return NULL;
  symbol_t *symbol = lookup(current()->name);
  if (!symbol || symbol->kind != S_TYPEDEF) return NULL;
  current()->meant = symbol;
  if (symbol->emitted) edit(t.at, t.at + 1, symbol->emitted);
  advance();
  type_t *type = symbol->type;
  if (type->alias != symbol && type->kind != K_ARRAY) {
    type = type_copy(type);
    type->alias = symbol;
    type->alias_quals = type->quals;
  }
  return type;
}

void parse_specifiers(specifiers_t *s) {
  *s = (specifiers_t){.first = t.at, .kept = NO_TEXT};
  basic_t basic = {0};
  sharing_t sharing = {0};
  type_t *type = NULL;
  for (;;) {
    if (parse_kept(s) || parse_qualifier(&sharing)) continue;
    if (!type && parse_basic(&basic)) continue;
    if (basic.complexes && at_word(W_OPAQUE_TYPE)) {
      char *real = token_text(t.at);
      type = type_opaque(format_text("_Complex %s", real), type_opaque(real, NULL));
      advance();
      continue;
    }
    if (!type && at_word(W_BIT_INT)) {
      type = parse_bit_int(basic.unsigneds);
      continue;
    }
    if (basic.any || type) break;
    type = parse_named(s);
    if (!type) break;
  }
  if (t.c23 && s->storage == W_AUTO && !type && !basic.any) { /* the type is the initialiser's */
    s->auto_type = true;
    memset(s->kept.data + s->storage_at, ' ', strlen("auto"));
  }
  if (!type) type = basic_type(&basic);
  s->last = t.at;
  s->type = qualify(type, &sharing);
  s->written = sharing.shared || sharing.access;
}

type_t *parse_type_name(void) {
  specifiers_t s;
  int first = t.at, name = -1;
  parse_specifiers(&s);
  type_t *type = parse_declarator(s.type, &name, true);
  type = finish_type(type, first, false);
  int last = before(t.at) + 1;
  if (type->touched || s.written) edit(first, last, spell(type_private(type), ""));
  return type;
}

/* ---- struct, union, enum */

/* Those that are no int have the type of the enumeration, which has to hold all of them. */
static void widen_enumerators(const symbol_t *first, symbol_t *last) {
  int64_t least = 0, greatest = 0;
  for (const symbol_t *s = last; s; s = s == first ? NULL : s->next) {
    if (s->kind != S_CONSTANT) continue;
    if (s->value.value < least) least = s->value.value;
    if (s->value.value > greatest) greatest = s->value.value;
  }
  const enum kind kind = least < 0 ? K_LONG : greatest > UINT32_MAX ? K_ULONG : K_UINT;
  for (symbol_t *s = last; s; s = s == first ? NULL : s->next)
    if (s->kind == S_CONSTANT && s->type->kind != K_INT) s->type = type_basic(kind);
}

static void parse_enumerators(record_t *record) {
  int64_t next = 0;
  bool known = true;
  symbol_t *first = NULL, *s = NULL;
  while (!at_word(W_CLOSE_BRACE)) {
    int name = expect_name();
    s = declare(token(name)->name, S_CONSTANT, type_basic(K_INT), name);
    if (!first) first = s;
    parse_attributes(NULL);
    if (accept(W_ASSIGN)) {
      number_t value = parse_constant("the value of an enumeration constant");
      known = value.known && !value.threads;
      next = value.value;
    }
    s->type = type_basic(next == (int32_t)next ? K_INT : next == (uint32_t)next ? K_UINT : K_LONG);
    s->value = number(next++);
    s->value.known = known;
    if (record->outside) {
      s->emitted = format_text("weft_upc_%s_%d", s->name->text, ++t.serial);
      edit(name, name + 1, s->emitted);
    } else if (hoist_named(name) && known) {
      s->emitted = format_text("(%s)", number_text(&s->value));
    } else if (hoist_named(name)) {
      hoist(record->at);
    }
    s->value.text = known ? NULL : symbol_text(s);
    if (!accept(W_COMMA)) break;
  }
  widen_enumerators(first, s);
  record->complete = true;
}

static void add_member(symbol_t ***end, name_t *name, type_t *type, int at, bool bitfield) {
  symbol_t *m = arena(sizeof *m);
  m->kind = S_MEMBER;
  m->name = name;
  m->type = type;
  m->at = at;
  m->bitfield = bitfield;
  **end = m;
  *end = &m->next;
}

/* One declarator of a struct's declaration. */
typedef struct member_text {
  type_t *type;
  name_t *name;
  char *width, *attributes;
} member_text_t;

static void rewrite_members(const specifiers_t *s, const member_text_t *list, int n) {
  text_t out = {0};
  if (s->record_last > s->record_first) {
    tag_records(s->type);
    add(&out, "%s; ", range_text(s->record_first, s->record_last));
  }
  for (int i = 0; i < n; i++) {
    const name_t *name = list[i].name;
    add(&out, "%s%s%s%s; ", s->kept.data, spell(list[i].type, name ? name->text : ""),
        list[i].width, list[i].attributes);
  }
  edit(s->first, at_word(W_SEMICOLON) ? t.at + 1 : t.at, out.data);
}

static member_text_t parse_member(const specifiers_t *s, symbol_t ***end) {
  int first = t.at, name = -1;
  type_t *type = at_word(W_COLON) ? s->type : parse_declarator(s->type, &name, false);
  int width = t.at, at = name >= 0 ? name : first;
  bool bitfield = accept(W_COLON);
  if (bitfield) parse_constant("the width of a bit-field");
  int last = before(t.at) + 1;
  text_t attributes = NO_TEXT;
  parse_attributes(&attributes);
  type = finish_type(check_place(type, at, "a member of a struct or union"), at, false);
  member_text_t m = {type, name >= 0 ? token(name)->name : NULL,
                     bitfield ? range_text(width, last) : "", attributes.data};
  add_member(end, m.name, vector_by(type, s->kept.data, m.attributes), at, bitfield);
  return m;
}

static void parse_members_of(const specifiers_t *s, symbol_t ***end) {
  enum { MOST = 256 };
  member_text_t list[MOST];
  bool touched = s->written;
  int n = 0;
  do {
    if (n == MOST) fatal(t.at, "too many members in one declaration");
    list[n] = parse_member(s, end);
    touched |= list[n++].type->touched;
  } while (accept(W_COMMA));
  if (touched) rewrite_members(s, list, n);
}

static void parse_members(record_t *record) {
  symbol_t **end = &record->members;
  while (!at_word(W_CLOSE_BRACE)) {
    if (at_word(W_STATIC_ASSERT)) {
      static_assertion();
      continue;
    }
    if (accept(W_SEMICOLON)) continue;
    specifiers_t s;
    int first = t.at;
    parse_specifiers(&s);
    if (t.at == first) fatal(t.at, "expected a member before '%s'", token_text(t.at));
    if (at_word(W_SEMICOLON)) { /* an anonymous struct or union */
      if (s.type->kind == K_STRUCT || s.type->kind == K_UNION)
        add_member(&end, NULL, s.type, first, false);
    } else {
      parse_members_of(&s, &end);
    }
    if (!at_word(W_CLOSE_BRACE)) expect(W_SEMICOLON); /* gcc takes the last one without */
  }
  record->complete = true;
}

static int inside_outside; /* bodies of records that go out of a function, around this one */

/* The body of a structure or union without a tag begins here: it is an anonymous member. */
static bool is_anonymous(enum kind kind) {
  if (kind == K_ENUM || !at_word(W_OPEN_BRACE)) return false;
  int end = matching(t.at) + 1;
  while (token(end)->word == W_ATTRIBUTE) end = matching(end + 1) + 1;
  return token(end)->word == W_SEMICOLON;
}

/* The record of a tag: of this scope where it is defined or declared, else any. */
static record_t *record_of(name_t *tag, int at, bool here, enum kind kind, type_t **type) {
  symbol_t *s = tag ? (here ? lookup_tag_here(tag) : tag->tag) : NULL;
  if (s && s->type->kind == kind) {
    *type = s->type;
    return s->type->record;
  }
  *type = arena(sizeof **type);
  (*type)->kind = (uint8_t)kind;
  record_t *record = (*type)->record = arena(sizeof *record);
  record->at = at;
  record->body = -1;
  record->tag = tag;
  record->outside = hoist_named(at) || (inside_outside && (tag || !is_anonymous(kind)));
  symbol_t *symbol = tag ? declare(tag, S_TAG, *type, at) : NULL;
  if (record->outside) {
    record->tag = NULL;
    record->given = format_text("weft_upc_tag%d", ++t.serial);
    if (symbol) symbol->emitted = record->given;
    if (kind != K_ENUM)
      insert_before(t.function_first, format_text("%s; ", spell(*type, "")));
  }
  return record;
}

static type_t *parse_record(int *first, int *last) {
  DEEPER;
  int word = current()->word, keyword = t.at, at = t.at;
  enum kind kind = word == W_ENUM ? K_ENUM : word == W_STRUCT ? K_STRUCT : K_UNION;
  *first = *last = t.at;
  advance();
  parse_attributes(NULL);
  name_t *tag = NULL;
  const int place = t.at;
  if (current()->kind == T_NAME && !current()->word) {
    tag = current()->name;
    at = t.at;
    advance();
  }
  if (kind == K_ENUM && at_word(W_COLON) && starts_type(peek(1))) {
    specifiers_t values; /* C23: their type */
    advance();
    parse_specifiers(&values);
  }
  bool body = at_word(W_OPEN_BRACE);
  if (!body && !tag) fatal(t.at, "expected identifier or '{'");
  type_t *type;
  record_t *record = record_of(tag, at, body || at_word(W_SEMICOLON), kind, &type);
  if (tag) token(at)->meant = tag->tag;
  if (tag && !record->tag) edit(at, at + 1, record->given); /* it was given another one */
  if (!body) return type;
  if (!tag && record->outside) insert_before(place, format_text("%s ", record->given));
  record->body = place;
  inside_outside += record->outside;
  advance();
  if (kind == K_ENUM)
    parse_enumerators(record);
  else
    parse_members(record);
  expect(W_CLOSE_BRACE);
  parse_attributes(NULL);
  inside_outside -= record->outside;
  if (record->outside)
    hoist_body(record, keyword, before(t.at) + 1);
  else
    *last = before(t.at) + 1;
  return type;
}
