/*
 * upcc: what its files share, under the name of the file that defines it.
 *
 * The translator reads preprocessed text (GNU C11 and UPC 1.3), parses and types it in one pass,
 * and registers edits: ranges of tokens whose text is replaced. Printing copies the source byte by
 * byte between edits. One translation per process; the state is global to the tool.
 */
#ifndef UPCC_H
#define UPCC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "types.h"
#include "words.h"

/* ---- message.c: memory, text, messages ------------------------------------------------------- */

/* Zeroed memory that lives until the end. */
void *arena(size_t bytes);

typedef struct text {
  char *data; /* ends with a zero byte; NULL: nothing was added */
  size_t length, room;
} text_t;
#define NO_TEXT {.data = ""} /* "" also where nothing is added */
void add(text_t *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same with @x for weft_upc_xSERIAL, a name of one piece of the output. */
void add_named(text_t *text, int serial, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool read_text(const char *file, text_t *text);     /* the whole file; false: errno says why not */
bool in_words(const char *words, const char *word); /* one of those between blanks */
void add_bytes(text_t *text, const char *bytes, size_t n);
char *format_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

enum level { NOTE, WARNING, ERROR };
/* One message in gcc's format about token `at`: file:line:column, the user's line, a caret. */
void message(enum level level, int at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define error(at, ...) message(ERROR, at, __VA_ARGS__)
#define warning(at, ...) message(WARNING, at, __VA_ARGS__)
/* An error after which the parser does not know where it is: prints it and ends the translation. */
void fatal(int at, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));
/* "upcc: ..." and exit 1: no place in a source is meant. */
void give_up(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* ---- lex.c ----------------------------------------------------------------------------------- */

/* An identifier, once per spelling; what it means now is on top of its stacks (scope.c). */
typedef struct name {
  const char *text; /* ended by a zero byte */
  uint32_t length;
  uint8_t word; /* a keyword, or 0 */
  bool upc;     /* a keyword of UPC: an identifier behind #pragma upc c_code */
  bool common;  /* shared, strict or relaxed: an identifier in C headers, too */
  bool c23;     /* a keyword of C23: an identifier in older C */
  struct symbol *symbol;
  struct symbol *tag;
  struct name *next;
} name_t;

enum token_kind { T_END, T_NAME, T_NUMBER, T_STRING, T_CHARACTER, T_PUNCTUATION, T_PRAGMA };
typedef struct token {
  const char *text;     /* into the source */
  name_t *name;         /* T_NAME */
  struct symbol *meant; /* T_NAME: what an expression, or a type, means by it; or NULL */
  uint32_t length, line;
  uint16_t file;
  uint8_t kind;
  uint8_t word; /* enum word: punctuation or keyword */
} token_t;

typedef struct source_file {
  const char *name; /* as in the line marker, escapes kept */
  bool system;      /* a system header: `shared` is an identifier there */
  bool ours;        /* our own upc headers: UPC text, and pointers may be taken apart */
} source_file_t;

/* The state of the one translation. */
struct translation {
  char *text;
  size_t size;
  token_t *tokens;
  int count;
  source_file_t *files;
  int nfiles;
  int at;      /* the current token; never a pragma */
  bool strict; /* what shared accesses without a qualifier are: #pragma upc strict | relaxed */
  int depth;   /* of blocks: 0 at file scope */
  int errors;
  type_t *function;   /* the type of the function being parsed, or NULL */
  int function_first; /* where its external declaration begins */
  int function_last;  /* where its body ends */
  int item;           /* where the innermost declaration or statement of a block begins */
  int serial;         /* for the names of temporaries */
  int loads;          /* shared reads emitted so far */
  int nesting;        /* of what the parser is inside, against endless recursion */
  bool silent;        /* parsed before: messages are out */
  bool again;         /* the function was parsed before: warnings are out */
  bool outside;       /* what is spelled goes to file scope, out of the function */
  bool c23;           /* weft/upc_standard.h says so */
};
extern struct translation t;

/* Options of the translation, from the command line. */
struct options {
  int threads; /* -T, or 0 */
  int thread_bits, phase_bits, addr_bits;
  bool extern_main, pedantic_errors, optimise, no_warnings;
  bool library;        /* -fPIC: for a shared library, perhaps */
  const char *include; /* our headers */
  const char *main_file;
  const char *source_folder; /* its folder: never one of system headers */
};
extern struct options options;

void lex(char *text, size_t size); /* fills t */
bool in_name(char c);              /* may it stand in an identifier? */
name_t *name_of(const char *text, size_t length);
static inline token_t *token(int at) {
  return &t.tokens[at];
}
static inline token_t *current(void) {
  return &t.tokens[t.at];
}
char *token_text(int at);
bool is_ours(int at);
/* `#pragma upc ...` at the token: applies it (lex.c calls advance only). */
void advance(void);
void obey_pragmas(void); /* those that stand here */
int peek(int n);         /* the n-th token after the current one, pragmas left out */
static inline bool at_word(enum word word) {
  return current()->word == word;
}
bool accept(enum word word);
int expect(enum word word); /* returns the index of the token passed over */
int expect_name(void);
/* In what calls itself: one level deeper until the block ends, with a limit instead of an overflow.
 */
#define DEEPER __attribute__((__cleanup__(shallower), __unused__)) const int level = deeper()
int deeper(void);
void shallower(const int *level);
int matching(int open); /* the index of the bracket that closes this one */
int before(int at);     /* the index of the last token before this one that is no pragma */

/* ---- scope.c --------------------------------------------------------------------------------- */

void scope_open(void);
struct frame *scope_close(void);
void scope_declare(const struct frame *closed); /* its tags and constants here */
symbol_t *declare(name_t *name, enum symbol_kind kind, type_t *type, int at);
symbol_t *lookup(const name_t *name);
symbol_t *lookup_here(const name_t *name); /* in the innermost scope only */
symbol_t *lookup_tag_here(const name_t *name);
bool is_local(const symbol_t *s); /* declared in a function */
void predeclare(void);

/* ---- type.c: see types.h; declaration.c, declarator.c, record.c ------------------------------ */

typedef struct specifiers {
  type_t *type;
  int first, last; /* tokens */
  int storage; /* W_TYPEDEF, W_EXTERN, W_STATIC, W_AUTO, W_REGISTER or 0 */
  int storage_at; /* where its word begins in `kept` */
  bool is_thread, auto_type, is_constant;
  int record_first, record_last; /* a struct, union or enum with a body, else equal */
  text_t kept;                   /* what is no type: storage, inline, attributes */
  bool written;                  /* `shared` or a layout stands here */
} specifiers_t;

bool starts_type(int at);
void parse_specifiers(specifiers_t *s);
void pass_attributes(void);          /* of a statement or a label */
void parse_attributes(text_t *kept); /* __attribute__, asm labels; also none */
type_t *parse_declarator(type_t *base, int *name, bool abstract);
char *spell_parameter(const specifiers_t *s, const type_t *type, const char *name);
type_t *parse_type_name(void);
type_t *parse_pointer_qualifiers(type_t *pointer); /* behind a "*" */
void parse_translation(void);
void parse_declaration(void);
/* Two types, where sharing is concerned; the rest is the compiler's. */
bool agrees(const type_t *a, const type_t *b);
void static_assertion(void);
/* Compute [*], check the rules of 6.5.1.1 and 6.5.2.1 for the type of a declared object. */
type_t *finish_type(type_t *type, int at, bool object);

/* ---- initial.c ------------------------------------------------------------------------------- */

expr_t *parse_initializer(type_t **type); /* after "=" ; registers conversions as edits */
expr_t *parse_braces(type_t **type);      /* { ... }: completes an array of unknown length */
bool is_constant_initial(const expr_t *e);

/* ---- expression.c, primary.c, gnu.c ---------------------------------------------------------- */

expr_t *parse_expression(void);
expr_t *parse_assignment(void);
expr_t *parse_conditional(void);
expr_t *parse_unary_from_literal(expr_t *cast); /* at the brace of (T){...} */
expr_t *parse_primary(void);
expr_t *parse_builtin(void); /* NULL: none of those that take types or statements */
expr_t *parse_string(void);
void parse_asm(void);
bool is_vector(const char *attributes);
type_t *vector_by(type_t *type, const char *before, const char *behind);
expr_t *new_expr(enum expr_op op, int first);
expr_t *strip(expr_t *e);                   /* without parentheses and __extension__; NULL stays */
void append(expr_t *e, expr_t *part);       /* to the list */
expr_t *finish(expr_t *e);                  /* sets the end, gathers what operands say */
void full_expression(expr_t *e, bool used); /* register the edit for a whole expression */
void converted_expression(expr_t *e, const type_t *to); /* the same, converted to a type */
/* A dimension or another constant: its value, or its text; *form tells constants from the rest. */
number_t dimension_of(expr_t *e, enum dimension *form);
number_t parse_constant(const char *what); /* an integer constant expression */
type_t *value_type(const expr_t *e);       /* after decay, without qualifiers */
type_t *part_type(const expr_t *whole, bool element); /* of a vector, or of a complex number */
type_t *arithmetic_type(const type_t *a, const type_t *b); /* what both are converted to */
void fold(expr_t *e);                      /* constant.c: the value of e from its operands */
void constant_of(expr_t *e);               /* constant.c: of a literal */
/* constant.c: bytes of a string's elements; how many there are, where they have `width` bytes. */
int string_width(const token_t *k);
int string_elements(const token_t *k, int width);
bool is_known(const expr_t *e);            /* an integer constant whose value we have */

/* ---- check.c: what the specification does not allow ------------------------------------------ */

void check_assign(const type_t *to, const expr_t *from, int at, const char *what);
void check_cast(const type_t *to, const expr_t *from, int at);
void check_binary(expr_t *e);
void check_compound(const expr_t *e);
void check_subscript(const type_t *array, const type_t *index, int at);
void check_bounds(const expr_t *e); /* array[index] */
void check_number(const expr_t *e, const char *what);
void check_choice(const type_t *b, const type_t *c, int at);
void check_arithmetic(const type_t *pointer, int at); /* needs the size of what is referred to */
void check_unary(expr_t *e);
bool check_lvalue(const expr_t *e, int at); /* THREADS and MYTHREAD are none */
bool is_read_only(const expr_t *e);
/* The type of what cannot be shared: private, with an error if it was not. */
type_t *check_place(type_t *type, int at, const char *what);
bool null_constant(const expr_t *e);

/* ---- statement.c, forall.c ------------------------------------------------------------------- */

void parse_compound(void); /* "{" ... "}" ; opens no scope of its own for parameters */
void parse_statement(void);
type_t *parse_statement_expression(void); /* at "{": the type of the last expression */
void parse_forall(void);

/* ---- jump.c ---------------------------------------------------------------------------------- */

typedef struct forall_place {
  int inside, nest;
} forall_place_t;
void jump_nest(int step); /* into and out of a loop or switch */
forall_place_t jump_enter_forall(void);
void jump_leave_forall(forall_place_t outer);
void jump_out(int at, const char *what);
void jump_break(int at);
void jump_label(int at);
void jump_goto(int at);
void jump_function_end(void);

/* ---- edit.c ---------------------------------------------------------------------------------- */

/* Replace tokens [first, last) by the text; an edit around others is registered after them. */
void edit(int first, int last, const char *replacement);
void insert_before(int at, const char *text); /* in the order of the calls */
void insert_after(int at, const char *text);
void forget_edits(int first, int last); /* the range is parsed again */
bool edited(int first, int last);       /* something in the range changes */
/* The range on one line, with the edits registered so far. */
void add_range(text_t *out, int first, int last);
char *range_text(int first, int last);
void print_translation(text_t *out);
void add_marker(text_t *out, int at); /* what follows is at the token's line */
extern text_t at_end;                 /* text behind the last token */
extern text_t at_start;               /* body of the function that runs before main */

/* ---- emit.c, place.c, pointer.c, spell.c ----------------------------------------------------- */

void emit(text_t *out, expr_t *e);        /* the value */
void emit_unused(text_t *out, expr_t *e); /* for its effects */
void emit_converted(text_t *out, expr_t *e, const type_t *to);
void emit_address(text_t *out,
                  expr_t *e); /* pointer-to-shared to a shared lvalue, with its phase */
/* The local address of what a pointer-to-shared refers to, if that names a static object. */
bool emit_own_address(text_t *out, expr_t *pointer);
void emit_load(text_t *out, expr_t *e);
void emit_assign(text_t *out, expr_t *e);
void emit_step(text_t *out, expr_t *e, bool used); /* ++ and -- */
void emit_sizeof(text_t *out, expr_t *e);
void emit_sizeof_value(expr_t *e);    /* folds upc_blocksizeof and upc_elemsizeof */
bool is_member_path(const expr_t *e); /* a member of a shared struct, or inside one */
bool is_part(const expr_t *e); /* an element of a shared vector; of a complex number a half */
void emit_add(text_t *out, const type_t *pointer, const char *p, const char *e, bool constant_one);
void emit_pointer_binary(text_t *out, expr_t *e);
char *emitted(expr_t *e);
bool is_pointer_operation(const expr_t *e);

char *spell(const type_t *type, const char *declarator); /* the C type that replaces it */
void tag_records(const type_t *type);
const char *elements_text(const type_t *type);           /* the number of ultimate elements */
const char *number_text(const number_t *n);
const char *symbol_text(const symbol_t *s); /* its name in the output */
int64_t ceiling(int64_t n, int64_t by);     /* n / by, rounded up */
const char *block_text(const type_t *type);

/* ---- static.c, hoist.c: shared statics ------------------------------------------------------- */

/* One declared object or function whose text in the output is not the source's. */
typedef struct declared {
  symbol_t *symbol;
  type_t *type;
  int name;               /* token, or -1 */
  expr_t *initial;        /* NULL: none */
  int initial_first;      /* tokens of the initialiser */
  const char *attributes; /* behind the declarator */
  const char *pointer;    /* the file goes by this pointer to the thread's part; or NULL */
} declared_t;
bool needs_edit(const specifiers_t *s, const declared_t *d);
/* Is it of a function, but stands at file scope, as it is initialised or allocated before main? */
bool is_hoisted(const specifiers_t *s, const declared_t *d);
void name_static(const specifiers_t *s, declared_t *d); /* its name in the output, where another */
void emit_declared(text_t *out, const specifiers_t *s, const declared_t *d);
const char *own_elements_text(const type_t *type); /* how many elements one thread has */
/* hoist.c */
void hoist(int at);       /* what is declared at the token goes to file scope, too */
bool hoist_named(int at); /* was hoist called for this token when the function was parsed before? */
/* What the declared object or type names goes with it; its declarator is [first, last). */
void hoist_with(const specifiers_t *s, const declared_t *d, int first, int last);
void hoist_body(const record_t *record, int keyword, int last);
bool hoist_again(void); /* the function is to be parsed again, for there is more of this */
void statics_mark(void);  /* static.c: the function begins here */
void statics_back(void);  /* what was noted since then is forgotten: it is parsed again */
/* A definition of main was read, which C calls by this name. */
void main_defined(const type_t *type, const char *name);
void finish_unit(void);

/* ---- translate.c, main.c --------------------------------------------------------------------- */

int translate(char *text, size_t size, text_t *out);

#endif
