/*
 * Types, symbols and expressions of upcc. A type is never changed once it is shared by two users:
 * qualified versions are copies.
 */
#ifndef UPCC_TYPES_H
#define UPCC_TYPES_H

#include <stdbool.h>
#include <stdint.h>

/* A number that may be beyond our evaluator (sizeof a struct ...): then only its text is known. */
typedef struct number {
  bool known;
  bool threads; /* times THREADS, which is no constant */
  bool whole;   /* the text has THREADS in it already, in another form than a multiple */
  int64_t value;
  const char *text; /* NULL: print the value */
  int at;
} number_t;

enum kind {
  K_UNKNOWN, /* what we cannot type; an error only where something shared depends on it */
  K_VOID,
  K_BOOL,
  K_CHAR,
  K_SCHAR,
  K_UCHAR,
  K_SHORT,
  K_USHORT,
  K_INT,
  K_UINT,
  K_LONG,
  K_ULONG,
  K_LLONG,
  K_ULLONG,
  K_INT128,
  K_UINT128,
  K_FLOAT,
  K_DOUBLE,
  K_LDOUBLE,
  K_OPAQUE, /* complex, vectors, _Float128, __builtin_va_list: known by its spelling */
  K_ENUM,
  K_POINTER,
  K_ARRAY,
  K_FUNCTION,
  K_STRUCT,
  K_UNION
};
enum { Q_CONST = 1, Q_VOLATILE = 2, Q_RESTRICT = 4, Q_ATOMIC = 8 };
enum access { A_DEFAULT, A_RELAXED, A_STRICT };
enum layout { L_DEFAULT, L_INDEFINITE, L_STAR, L_BLOCK };
enum dimension { D_UNKNOWN, D_CONSTANT, D_VARIABLE };

typedef struct type {
  uint8_t kind, quals;
  bool shared;
  uint8_t access, layout;
  number_t block;    /* L_BLOCK */
  bool touched;      /* something shared is inside: spelled otherwise than in the source */
  struct type *base; /* referenced, element, or returned type; K_OPAQUE: of its parts, or NULL */
  uint8_t dimension; /* K_ARRAY */
  number_t length;
  struct symbol *params; /* K_FUNCTION, linked by `next` */
  bool prototype, variadic;
  struct frame *scope;   /* of the parameters: tags and constants, for the body */
  struct record *record; /* K_STRUCT, K_UNION, K_ENUM */
  const char *spelling;  /* K_OPAQUE; K_FUNCTION: parameters declared ahead, or NULL */
  struct symbol *alias;  /* the typedef it came by */
  uint8_t alias_quals;   /* the alias has these itself */
} type_t;

typedef struct record {
  struct name *tag;  /* NULL: none */
  const char *given; /* a tag that we put in, or instead */
  int at;            /* the token that first names it, or its keyword */
  int body;          /* where the body is: the token that stands where a tag may, or -1 */
  bool outside;      /* goes out of the function, to file scope (hoist.c) */
  struct symbol *members;
  bool complete;
  bool tagged; /* it and all records inside have a tag each (spell.c) */
} record_t;

enum symbol_kind { S_OBJECT, S_FUNCTION, S_TYPEDEF, S_CONSTANT, S_MEMBER, S_TAG };
typedef struct symbol {
  struct name *name;
  uint8_t kind;
  bool sized, bitfield, is_static, renamed, is_constant, assigned;
  int depth; /* of the scope */
  int at;    /* token */
  type_t *type;
  number_t value;       /* S_CONSTANT, is_constant */
  const char *emitted;  /* another name in the output, or NULL; of a parameter: all of it */
  struct symbol *outer; /* what it hides */
  struct symbol *next;  /* of the scope, parameters, or members */
} symbol_t;

enum expr_op {
  E_NAME,
  E_NUMBER,
  E_STRING,
  E_PAREN,
  E_CALL,
  E_INDEX,
  E_MEMBER,
  E_ARROW,
  E_POST,
  E_PRE,
  E_ADDRESS,
  E_DEREF,
  E_UNARY,
  E_CAST,
  E_SIZEOF,
  E_SIZEOF_TYPE,
  E_BINARY,
  E_ASSIGN,
  E_CONDITION,
  E_COMMA,
  E_STATEMENTS,
  E_LITERAL,
  E_BRACES,
  E_THREADS,
  E_MYTHREAD,
  E_MAX_BLOCK,
  E_OTHER
};
typedef struct expr {
  uint8_t op;
  bool lvalue, touched, effects, calls;
  bool strict; /* what the pragma says here */
  bool bitfield;
  int first, last; /* tokens [first, last) */
  int at;          /* the operator */
  int word;        /* the operator */
  type_t *type;
  type_t *named; /* E_CAST, E_SIZEOF_TYPE, E_LITERAL: the type written */
  struct expr *a, *b, *c;
  struct expr **list; /* arguments, or other parts, in the order of the source */
  int count;
  const char *replacement; /* a shared lvalue that is a plain C lvalue here (bulk.c) */
  symbol_t *symbol;        /* E_NAME; E_MEMBER, E_ARROW: the member */
  number_t value;
  bool constant; /* value holds */
} expr_t;

/* type.c */
extern const struct type_basics {
  const char *name;
  uint8_t size;
  bool is_unsigned;
} type_basics[]; /* by kind, below K_OPAQUE */
type_t *type_basic(enum kind kind);
type_t *type_copy(const type_t *type);
type_t *type_opaque(const char *spelling, type_t *part);
type_t *type_pointer(type_t *to);
type_t *type_array(type_t *of, enum dimension dimension, number_t length);
type_t *type_function(type_t *result);
type_t *type_qualified(type_t *type, int quals);
/* The type shared: through arrays down to the element, as the specification has it (6.5.2). */
type_t *type_shared(type_t *type, enum access access, enum layout layout, number_t block, int at);
type_t *type_with_layout(type_t *type, enum layout layout, number_t block);
type_t *type_plain(type_t *type);   /* without qualifiers and shared */
type_t *type_private(type_t *type); /* without shared only */
type_t *type_ultimate(type_t *type);
type_t *type_decayed(type_t *type);
bool is_shared(const type_t *type); /* an array is when its elements are */
bool is_pointer_to_shared(const type_t *type);
bool is_integer(const type_t *type); /* also K_UNKNOWN: nothing can be said against it */
bool is_unsigned(const type_t *type);
bool is_arithmetic(const type_t *type);
bool is_word_sized(const type_t *type); /* a scalar of 1, 2, 4 or 8 bytes */
bool is_complete(const type_t *type);
bool has_phase(const type_t *referenced); /* block size neither 0 nor 1, or not known */
bool is_indefinite(const type_t *referenced);
bool same_block(const type_t *a, const type_t *b, bool *sure);
/* Known to be so. Where only the compiler can tell, it is to say so at this line (trap 44). */
bool other_block(const type_t *a, const type_t *b);
bool same_type(const type_t *a, const type_t *b);
bool identical_type(const type_t *a, const type_t *b); /* with qualifiers and layouts */
int type_size(const type_t *type);                     /* 0: not known */
number_t type_elements(const type_t *type);            /* ultimate elements; text where not known */
number_t number(int64_t value);
number_t number_product(number_t a, number_t b);
symbol_t *find_member(const type_t *type, const struct name *name);
char *describe(const type_t *type); /* as UPC, for messages */

#endif
