/*
 * Where a shared lvalue is (place.c), for those who load and store (access.c).
 */
#ifndef UPCC_PLACE_H
#define UPCC_PLACE_H

#include "upcc.h"

typedef struct place {
  symbol_t *symbol;    /* the root: a static object, or */
  expr_t *pointer;     /* the value of a pointer-to-shared */
  type_t *referenced;  /* the type of the root object, or what the pointer refers to */
  char *index;         /* in ultimate elements of it, or NULL: 0 */
  expr_t *subscript;   /* of the only subscript, if `subscripts` is 1 */
  int subscripts;
  expr_t *inner;       /* what the path's first member belongs to, if no pointer's */
  type_t *whole;       /* its type */
  char *path;          /* ".a[3].b", or "" */
  type_t *type;        /* of the lvalue */
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

void find_place(expr_t *e, place_t *p);
void place_text(place_t *p, place_text_t *out, bool phase);

#endif
