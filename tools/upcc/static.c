/*
 * Declarations that are written anew, and shared statics: a thread's part of a shared object is a C
 * static of the same name, so an own element is plain C. What initialisers must do at run time goes
 * to a function that the runtime calls before main (traps 25 to 27).
 */
#include <string.h>

#include "upcc.h"

static const type_t *main_type;
static const char *main_name;

static const char *coefficient(number_t n) {
  n.threads = false;
  return number_text(&n);
}

/* 6.5.2: ceil(n / B) blocks are dealt to the threads in turn. */
const char *own_elements_text(const type_t *type) {
  number_t n = type_elements(type);
  const type_t *ultimate = type_ultimate((type_t *)type);
  number_t block = ultimate->layout == L_BLOCK ? ultimate->block : number(1);
  if (ultimate->layout == L_INDEFINITE || type->kind != K_ARRAY) return number_text(&n);
  if (n.known && block.known && block.value > 0) {
    int64_t blocks = ceiling(n.value, block.value);
    if (!n.threads && options.threads) blocks = ceiling(blocks, options.threads);
    return format_text("%lld", (long long)(blocks * block.value));
  }
  const char *b = number_text(&block);
  if (n.threads) return format_text("((%s + %s - 1) / %s * %s)", coefficient(n), b, b, b);
  return format_text("(((%s + %s - 1) / %s + %d) / %d * %s)", coefficient(n), b, b,
                     options.threads - 1, options.threads ? options.threads : 1, b);
}

/* Static storage, so that the compiler accepts only constants. */
static bool is_static_object(const specifiers_t *s) {
  return s->storage == W_STATIC || (t.depth == 0 && s->storage != W_TYPEDEF);
}

static bool needs_run(const specifiers_t *s, const declared_t *d) {
  return d->initial && is_static_object(s) && !is_constant_initial(d->initial);
}

/* Likewise the initialiser of a shared array, whose elements go to their owners. */
static bool runs(const specifiers_t *s, const declared_t *d) {
  const bool dealt = is_shared(d->type) && d->type->kind == K_ARRAY && !is_indefinite(d->type);
  return needs_run(s, d) || (d->initial && dealt);
}

static char *initial_text(const declared_t *d) {
  return range_text(d->initial_first, d->initial->last);
}

static const char *without_extern(const specifiers_t *s) {
  char *copy = format_text("%s", s->kept.data);
  if (s->storage == W_EXTERN) memset(copy + s->storage_at, ' ', strlen("extern"));
  return copy;
}

/* A table in the function before main, of what `e` fills from element `base` on; its elements go to
 * their owners. */
static void spread_table(const declared_t *d, type_t *table, const expr_t *e, const char *base) {
  table->alias = NULL;
  table->dimension = D_UNKNOWN;
  const char *kind = type_ultimate(table)->quals ? "static " : "static const ";
  char *size = format_text("sizeof(%s)", spell(type_plain(type_ultimate(d->type)), ""));
  int s = ++t.serial;
  add_marker(&at_start, e->first);
  add(&at_start,
      "  { %s%s = %s; weft_upc_spread((void *)%s, weft_upc_table%d, sizeof weft_upc_table%d / %s, "
      "%s, %s, %s); }\n",
      is_constant_initial(e) ? kind : "", spell(table, format_text("weft_upc_table%d", s)),
      range_text(e == d->initial ? d->initial_first : e->first, e->last), symbol_text(d->symbol), s,
      s, size, base, is_indefinite(d->type) ? "0" : block_text(d->type), size);
}

static void spread_rows(const declared_t *d, const type_t *type, const expr_t *e,
                        const char *base) {
  bool inner = false, flat = e->op == E_BRACES;
  for (const type_t *x = type->base; x->kind == K_ARRAY; x = x->base) inner |= x->length.threads;
  for (int i = 0; i < e->count; i++)
    flat &= e->list[i]->op != E_BRACES && token(before(e->list[i]->first))->word != W_ASSIGN;
  if (!inner) {
    spread_table(d, type_copy(type_private((type_t *)type)), e, base);
  } else if (flat) { /* elements follow one another whatever THREADS is */
    type_t *ultimate = type_private(type_ultimate((type_t *)type));
    spread_table(d, type_array(ultimate, D_UNKNOWN, number(0)), e, base);
  } else {
    for (int i = 0; i < e->count; i++) {
      const expr_t *row = e->list[i];
      if (row->op != E_BRACES || !row->value.known)
        error(row->first, "an initialiser for an array with THREADS in an inner dimension: rows "
                          "must be in braces");
      else
        spread_rows(d, type->base, row,
                    format_text("%s + %lld * (weft_upc_size)%s", base, (long long)row->value.value,
                                elements_text(type->base)));
    }
  }
}

/* A run-time initialiser of an object that is the same in C: assigned before main. */
static void assign_at_start(const declared_t *d, const type_t *type) {
  int s = ++t.serial;
  add_marker(&at_start, d->initial_first);
  add(&at_start,
      "  { %s = %s; __builtin_memcpy((void *)&%s, &weft_upc_value%d, sizeof weft_upc_value%d); }\n",
      spell(type, format_text("weft_upc_value%d", s)), initial_text(d), symbol_text(d->symbol), s,
      s);
}

/* Data that no executable can hold, or that would make every start slow, and all of a shared
 * library, whose data lies outside the symmetric image: the runtime allocates it. */
static const int64_t big_bytes = 64 << 20;
static text_t sizes; /* statements that say how many elements arrays have */
static text_t bigs; /* rows of the table that registers pointers to them, and to others */
static int nbigs;

/* Declared without a size, and perhaps big where it is defined: this file goes by a pointer. */
static bool is_open(const specifiers_t *s, const declared_t *d) {
  return s->storage == W_EXTERN && d->type->kind == K_ARRAY && !is_complete(d->symbol->type) &&
         d->initial_first < 0 && !strstr(d->attributes, "asm");
}

static bool is_big(const specifiers_t *s, const declared_t *d) {
  const type_t *type = d->type;
  if (!is_shared(type) || type->kind == K_FUNCTION) return false;
  if (is_open(s, d)) return true;
  number_t n = type_elements(type);
  int size = type_size(type_ultimate(d->type));
  if (options.library) return true;
  if (type->kind != K_ARRAY || !is_complete(type) || !n.known) return false;
  int64_t own = is_indefinite(type) || n.threads || !options.threads
                    ? n.value
                    : ceiling(n.value, options.threads);
  return own > big_bytes / (size ? size : 8);
}

/* Of an object with linkage, for all files: its definition defines this, too. */
static char *pointer_name(const declared_t *d) {
  return format_text("weft_upc_at_%s", d->symbol->name->text);
}

bool is_hoisted(const specifiers_t *s, const declared_t *d) {
  if (s->storage == W_TYPEDEF) return hoist_named(d->name);
  return t.depth > 0 && (runs(s, d) || is_big(s, d) || hoist_named(d->name));
}

void name_static(const specifiers_t *s, declared_t *d) {
  if (d->symbol->emitted) return;
  const char *name = d->symbol->name->text;
  if (s->storage == W_TYPEDEF) {
    if (is_hoisted(s, d)) d->symbol->emitted = format_text("weft_upc_%s_%d", name, ++t.serial);
  } else if (is_big(s, d)) {
    const bool local = s->storage == W_STATIC;
    d->pointer = local ? format_text("weft_upc_big%d_%s", ++t.serial, name) : pointer_name(d);
    d->symbol->emitted = format_text("(*%s)", d->pointer);
  } else if (is_hoisted(s, d) && s->storage != W_EXTERN && d->type->kind != K_FUNCTION) {
    d->symbol->emitted = format_text("weft_upc_%s_%d", name, ++t.serial);
  }
}

static char *pointer_text(const declared_t *d, const char *pointer) {
  const bool array = d->type->kind == K_ARRAY;
  const char *n = array && is_complete(d->type) ? own_elements_text(d->type) : "";
  return spell(type_plain(type_ultimate(d->type)),
               format_text(array ? "(*%s)[%s]" : "*%s", pointer, n));
}

/* The runtime sets the pointer: to the object, or, where that is 0, to memory for it. */
static void add_big(const declared_t *d, const char *name, const char *pointer,
                    const char *object) {
  add(&bigs, "%s{\"%s\", (void **)&%s, %s, %s}", nbigs++ ? ", " : "", name, pointer,
      is_complete(d->type) ? format_text("sizeof *%s", pointer) : "0", object);
}

/* What the pointer of an object leads to. A library finds the executable's C object, if there is
 * one, by a weak symbol. */
static const char *object_text(const specifiers_t *s, const declared_t *d) {
  const char *name = d->symbol->name->text;
  /* (By way of a number: -Wcast-qual.) */
  if (!is_big(s, d)) return format_text("(void *)(weft_upc_size)&%s", name);
  if (!options.library) return "0";
  const int n = ++t.serial;
  add(&at_end, "extern __attribute__((__weak__)) char weft_upc_other%d[] __asm__(\"%s\");\n", n,
      name);
  return format_text("weft_upc_other%d", n);
}

/* The pointer to this thread's part, by which files go that cannot name the part itself: one for
 * all files and libraries, set before main. Tentative, as the object may be in several files; what
 * only dead code names nobody has to define. */
static void emit_pointer(text_t *out, const specifiers_t *s, const declared_t *d) {
  static const char seen[] = "__visibility__(\"default\")";
  const char *name = d->symbol->name->text;
  if (t.depth == 0 && s->storage != W_STATIC && (s->storage != W_EXTERN || d->initial)) {
    const char *pointer = pointer_name(d);
    add(out, " %s __attribute__((__common__, %s));", pointer_text(d, pointer), seen);
    add_big(d, name, pointer, object_text(s, d));
  } else if (d->pointer && s->storage != W_STATIC) {
    add(out, "extern %s __attribute__((%s));", pointer_text(d, d->pointer), seen);
  } else if (d->pointer) {
    add(out, "static %s __attribute__((__unused__));", pointer_text(d, d->pointer));
    add_big(d, format_text("%s@%s:%d", name, t.files[0].name, ++t.serial), d->pointer, "0");
  }
}

/* Declarations of one array in several files must agree in size; the linker compares these symbols
 * (trap 26), and the assembler where -flto makes one file of several. They are in a function, as
 * clang's -flto takes two equal symbols outside of one for an error. */
static void add_size_symbol(const declared_t *d) {
  number_t n = type_elements(d->type);
  if (d->type->kind != K_ARRAY || !is_complete(d->type) || !n.known || d->symbol->sized) return;
  d->symbol->sized = true;
  const char *name = d->symbol->name->text;
  const char *symbol = format_text("\\\"weft_upc_elements_of_%s\\\"", name);
  add(&sizes,
      "  __asm__(\".ifdef %s\\n.if %s - %lld\\n"
      ".error \\\"weft_upc_elements_of_%s: two declarations differ in size\\\"\\n"
      ".endif\\n.else\\n.globl %s\\n.set %s, %lld\\n.endif\");\n",
      symbol, symbol, (long long)n.value, name, symbol, symbol, (long long)n.value);
}

/* Without const: written once, before main. */
static type_t *writable(const type_t *type) {
  type_t *copy = type_copy(type);
  copy->quals &= (uint8_t)~Q_CONST;
  copy->alias = NULL;
  if (type->kind == K_ARRAY) copy->base = writable(type->base);
  return copy;
}

static bool holds_pointer_to_shared(const type_t *type) {
  type = type_ultimate((type_t *)type);
  if (type->kind != K_STRUCT && type->kind != K_UNION) return is_pointer_to_shared(type);
  for (const symbol_t *m = type->record->members; m; m = m->next)
    if (m->type && holds_pointer_to_shared(m->type)) return true;
  return false;
}

/* A constant that may be assigned before main is no constant to the compiler, in no declaration: it
 * would put it where nobody may write, and take its value for 0. */
static bool is_assigned_constant(const specifiers_t *s, const declared_t *d) {
  return (is_static_object(s) || s->storage == W_EXTERN) && d->type->kind != K_FUNCTION &&
         !is_shared(d->type) && type_ultimate(d->type)->quals & Q_CONST &&
         (needs_run(s, d) || holds_pointer_to_shared(d->type));
}

bool needs_edit(const specifiers_t *s, const declared_t *d) {
  return d->type->touched || s->written || needs_run(s, d) || is_hoisted(s, d) ||
         (s->storage != W_TYPEDEF && is_assigned_constant(s, d));
}

static void emit_shared(text_t *out, const specifiers_t *s, const declared_t *d) {
  if (t.depth == 0 && s->storage != W_STATIC) add_size_symbol(d);
  if (is_big(s, d)) {
    emit_pointer(out, s, d);
    if (d->initial && d->type->kind == K_ARRAY)
      spread_rows(d, d->type, d->initial, "0");
    else if (d->initial)
      assign_at_start(d, type_plain(type_ultimate(d->type)));
    return;
  }
  type_t *ultimate = type_ultimate(d->type);
  bool array = d->type->kind == K_ARRAY, run = runs(s, d);
  const char *kept = s->kept.data;
  if (d->initial && options.pedantic_errors && array)
    error(d->initial->first,
          "an initialiser for a shared array: its meaning is implementation-defined (6.5.2)");
  if (d->initial && array && type_ultimate(d->symbol->type)->kind != ultimate->kind)
    error(d->initial->first,
          "an initialiser for a shared array of vectors: give their type a name");
  const char *name = symbol_text(d->symbol);
  bool tentative = t.depth == 0 && !d->initial && !s->storage && is_complete(d->type);
  if (!is_complete(d->type))
    name = format_text("%s[]", name);
  else if (array)
    name = format_text("%s[%s]", name, own_elements_text(d->type));
  if (d->initial && s->storage == W_EXTERN) kept = without_extern(s);
  ultimate = type_private(type_copy(ultimate));
  if (ultimate->quals & Q_CONST) ultimate = writable(ultimate);
  add(out, "%s%s%s%s", kept, spell(ultimate, name), d->attributes,
      tentative ? " __attribute__((__common__))" : "");
  if (d->initial && !run) add(out, " = %s", initial_text(d));
  add(out, ";");
  emit_pointer(out, s, d);
  if (run && array)
    spread_rows(d, d->type, d->initial, "0");
  else if (run)
    assign_at_start(d, type_plain(ultimate));
}

static void emit_private(text_t *out, const specifiers_t *s, const declared_t *d) {
  bool run = needs_run(s, d);
  const char *name = symbol_text(d->symbol), *kept = run ? without_extern(s) : s->kept.data;
  d->symbol->assigned = is_assigned_constant(s, d);
  type_t *type = d->symbol->assigned ? writable(d->type) : d->type;
  add(out, "%s%s%s", kept, spell(type, name), d->attributes);
  if (d->initial && !run) add(out, " = %s", initial_text(d));
  add(out, ";");
  if (run) assign_at_start(d, type);
}

void emit_declared(text_t *out, const specifiers_t *s, const declared_t *d) {
  if (s->storage == W_TYPEDEF) {
    if (is_shared(d->type)) return; /* nobody writes its name any more */
    t.outside = is_hoisted(s, d);
    char *text = format_text("typedef %s%s%s;", s->kept.data,
                             spell(d->type, symbol_text(d->symbol)), d->attributes);
    if (t.outside)
      insert_before(t.function_first, format_text("%s ", text));
    else
      add(out, "%s", text);
    t.outside = false;
    return;
  }
  t.outside = is_hoisted(s, d);
  text_t outside = NO_TEXT;
  if (is_shared(d->type) && d->type->kind != K_FUNCTION)
    emit_shared(t.outside ? &outside : out, s, d);
  else
    emit_private(t.outside ? &outside : out, s, d);
  if (outside.length) insert_before(t.function_first, format_text("%s ", outside.data));
  t.outside = false;
}

void main_defined(const type_t *type, const char *name) {
  main_type = type;
  main_name = name;
}

/* Of what stands outside of a function, where it begins, for one that is parsed again. */
static struct {
  size_t start, bigs;
  int nbigs;
} mark;

void statics_mark(void) {
  mark.start = at_start.length;
  mark.bigs = bigs.length;
  mark.nbigs = nbigs;
}

void statics_back(void) {
  at_start.length = mark.start;
  if (at_start.data) at_start.data[mark.start] = 0;
  bigs.length = mark.bigs;
  if (bigs.data) bigs.data[mark.bigs] = 0;
  nbigs = mark.nbigs;
}

/* What stands behind the last token: main, and the registration of this file. */
void finish_unit(void) {
  static const char ours[] = "\n# 1 \"<upcc>\"\n"; /* no lines of the user's for debuggers */
  add(&at_end, "%s", ours);
  if (at_start.length)
    add(&at_end, "static WEFT_UPC_OURS void weft_upc_initialise(void) {%s%s}\n", at_start.data,
        ours);
  if (nbigs) add(&at_end, "static const struct weft_upc_big weft_upc_bigs[] = {%s};\n", bigs.data);
  add(&at_end,
      "static struct weft_upc_unit weft_upc_this_unit = {0, \"%s\", WEFT_UPC_THREAD_BITS, "
      "WEFT_UPC_PHASE_BITS, WEFT_UPC_ADDR_BITS, 0, %d, %s, %s, %d};\n"
      "static WEFT_UPC_OURS void __attribute__((__constructor__)) weft_upc_register_unit(void) {\n"
      "  weft_upc_register(&weft_upc_this_unit);\n%s}\n",
      t.nfiles ? t.files[0].name : "", options.threads,
      at_start.length ? "weft_upc_initialise" : "0", nbigs ? "weft_upc_bigs" : "0", nbigs,
      sizes.length ? sizes.data : "");
  add(&at_end,
      "static const char weft_upc_settings[] __attribute__((__used__)) = \"weft-upc settings: %s, "
      "pointers of %d+%d+%d bits\";\n",
      options.threads ? format_text("-T=%d", options.threads) : "dynamic THREADS",
      options.thread_bits, options.phase_bits, options.addr_bits);
  if (!main_type) return;
  int n = 0;
  for (const symbol_t *p = main_type->params; p; p = p->next) n++;
  static const char *const arguments[] = {"", "argc", "argc, argv", "argc, argv, environment"};
  bool is_void = main_type->base->kind == K_VOID;
  add(&at_end,
      "WEFT_UPC_C_MAIN int weft_upc_c_main(int argc, char **argv, char **environment) "
      "__asm__(\"main\");\n"
      "int weft_upc_c_main(int argc, char **argv, char **environment) {\n"
      "  (void)environment;\n"
      "  weft_upc_start(&argc, &argv);\n"
      "  %s%s(%s)%s;\n}\n",
      is_void ? "" : "weft_upc_end(", main_name, arguments[n > 3 ? 3 : n],
      is_void ? "; weft_upc_end(0)" : ")");
}
