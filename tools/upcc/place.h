/*
 * Where a shared lvalue is (place.c), for those who load and store (access.c).
 */
#ifndef UPCC_PLACE_H
#define UPCC_PLACE_H

#include "upcc.h"

typedef struct place {
  symbol_t *symbol;   /* the root, a static object; NULL: `pointer` is the root */
  expr_t *pointer;    /* the value of a pointer-to-shared */
  type_t *referenced; /* the type of the root object, or what the pointer refers to */
  char *index;        /* in ultimate elements of it, or NULL: 0 */
  expr_t *subscript;  /* of the only subscript, if `subscripts` is 1 */
  int subscripts;
  expr_t *head;  /* the first subscript of a static array */
  char *rest;    /* what the other subscripts add, in ultimate elements, or NULL */
  expr_t *inner; /* what the path's first member belongs to, if no pointer's */
  type_t *whole; /* its type */
  char *path;    /* ".a[3].b", or "" */
  char *part;    /* the number of a part of what all this leads to, or NULL */
  type_t *type;  /* of the lvalue */
  bool strict;
} place_t;

typedef struct place_text {
  text_t setup;        /* declarations of temporaries, each ended by "; " */
  const char *own;     /* static root: this thread's copy, an lvalue */
  const char *thread;  /* static root: whose copy is meant */
  const char *phase;   /* static root */
  const char *pointer; /* pointer root: flat, or with the phase if that was asked for */
  bool mine;           /* the copy is this thread's: no table is needed */
} place_text_t;

/* A loop over own elements (own.c): i + offset runs through the own rows of arrays with so many
 * rows in a block. */
typedef struct own_loop {
  symbol_t *variable; /* i */
  int64_t offset, rows;
  int serial;      /* of the names in the output */
  const char *row; /* the own row as text, where no names were made for it */
  const char *arrays[8]; /* found in the body: they go by pointers, which the loop reads once */
  int narrays;
  struct own_loop *outer;
} own_loop_t;
void own_enter(own_loop_t *loop);
void own_leave(void);
bool own_affine(expr_t *e, const symbol_t *i, int64_t *c);
int64_t own_rows(const type_t *array);
bool own_row(const place_t *p, char **row, const char **name); /* *name: as it is without loops */
void own_pointers(text_t *out, const own_loop_t *loop);
bool own_leaves_alone(int first, int last, const name_t *variable);
bool own_not_addressed(const symbol_t *variable);
bool own_invariant(expr_t *e, int first, int last);

/* The clauses of a for or upc_forall. */
typedef struct clauses {
  bool is_for, waits;       /* waits: the condition reads shared data */
  int keyword, open, close; /* tokens */
  int first_end;            /* behind the first clause, its semicolon left out */
  int third_end;            /* the third semicolon */
  expr_t *start, *condition, *increment, *affinity; /* NULL: none; start also where it declares */
  bool declares;
} clauses_t;
void parse_clauses(clauses_t *c);
/* i < bound or i <= bound, and i++: the variable, else NULL. */
symbol_t *counted(const clauses_t *c, expr_t **bound);
/* `i < bound` may be worked out without signs: then an i below 0 lies behind most bounds. */
bool counted_unsigned(const clauses_t *c);
/* for (i = MYTHREAD; ...; i += THREADS): every element at i of a cyclic array is own. */
bool own_stride(const clauses_t *c, own_loop_t *loop);
int body_end(void); /* the token behind the body that begins here, or -1 */
char *bulk_loop(const clauses_t *c, expr_t *body);

bool is_pure_call(const expr_t *e);
char *together_begin(expr_t *e);
void together_end(void);

void find_place(expr_t *e, place_t *p);
void place_text(place_t *p, place_text_t *out, bool phase);
const char *where(const place_text_t *text); /* access.c: as arguments of a macro */
place_text_t access_text(expr_t *e, place_t *p); /* both, without the phase */

#endif
