/*
 * abi.h: what gfortran's coarray calls are made of, as gfortran 8 to 14 pass it: descriptors,
 * vector subscripts, references (15 and later have descriptors only). Layouts as seen in calls of
 * gfortran 12 on x86-64 and in GCC's libcaf.h; nothing here knows what is done with them.
 */
#ifndef WEFT_CAF_GFORTRAN_ABI_H
#define WEFT_CAF_GFORTRAN_ABI_H

#include "caf/caf.h"
#include "caf/chain.h"

/* An entry point, declared and defined. */
#define CAF(result, name, arguments)                                                               \
  WEFT_API result _gfortran_caf_##name arguments;                                                  \
  result _gfortran_caf_##name arguments

/* Where a failure of a call goes that has these three arguments. */
#define REPORT                                                                                     \
  (weft_caf_report_t) {                                                                            \
    stat, errmsg, errmsg_len                                                                       \
  }

/* May the word be an address of a program's? Text is none. */
static inline bool gfc_is_address(uintptr_t word) {
  return word >= 65536 && word >> 47 == 0;
}

/* Types of a descriptor. */
enum {
  GFC_INTEGER = 1,
  GFC_LOGICAL,
  GFC_REAL,
  GFC_COMPLEX,
  GFC_DERIVED,
  GFC_CHARACTER,
  GFC_CLASS,
  GFC_VOID = 10
};

typedef weft_caf_descriptor_t gfc_t;

/* Types of register. */
enum {
  COARRAY_STATIC,
  COARRAY_ALLOC,
  LOCK_STATIC,
  LOCK_ALLOC,
  CRITICAL,
  EVENT_STATIC,
  EVENT_ALLOC,
  COMPONENT_REGISTER,
  COMPONENT_ALLOCATE,
  MAP_EXISTING /* gfortran 16: another name for a coarray or a part of it */
};

/* One dimension of the remote section of get, send, sendget, in declared indices. */
typedef struct caf_vector {
  size_t nvec; /* 0: the triplet */
  union {
    struct {
      void *vector;
      int kind;
    } v;
    struct {
      ptrdiff_t lower, upper, stride;
    } triplet;
  } u;
} caf_vector_t;

typedef struct caf_reference {
  struct caf_reference *next;
  int type; /* enum caf_ref_type */
  size_t item_size;
  union {
    struct {
      ptrdiff_t offset, token_offset; /* token_offset 0: neither allocatable nor pointer */
    } c;
    struct {
      unsigned char mode[WEFT_CAF_RANK_MAX]; /* enum weft_caf_mode */
      int static_type;                       /* of a static array */
      union {
        struct {
          ptrdiff_t start, end, stride;
        } s;
        struct {
          void *vector;
          size_t nvec;
          int kind;
        } v;
      } dim[WEFT_CAF_RANK_MAX];
    } a;
  } u;
} caf_reference_t;

enum caf_ref_type { REF_COMPONENT, REF_ARRAY, REF_STATIC_ARRAY };

_Static_assert(sizeof(caf_vector_t) == 32, "V");
_Static_assert(sizeof(caf_reference_t) == 408, "R");
_Static_assert(offsetof(caf_reference_t, u.a.static_type) == 40, "R");
_Static_assert(offsetof(caf_reference_t, u.a.dim) == 48, "R");

/* ---- describe.c ---- */

weft_caf_element_t gfc_element(int type, int kind, size_t bytes);
/* The section of a descriptor in this process. */
void gfc_section(weft_caf_section_t *s, const gfc_t *d, int kind);
/* The other way: a rank-1 array of n integers; their size in bytes. */
void gfc_integers(gfc_t *d, void *at, size_t bytes, size_t n, ptrdiff_t lower);
/* The remote section: at + what V or the descriptor say. Places of vectors are allocated; give them
 * back with gfc_release. */
void gfc_remote(weft_caf_section_t *s, char *at, const gfc_t *d, const caf_vector_t *v, int kind);
void gfc_release(weft_caf_section_t *s);
/* Index i of a vector subscript. */
ptrdiff_t gfc_index(const void *vector, int kind, size_t i);

/* ---- check.c ---- */

/* Else the report has it. The image that a statement names is computed from the coarray's bounds:
 * this is asked first. */
bool gfc_is_allocated(const weft_caf_coarray_t *c, const weft_caf_report_t *report);
/* gfortran 12 drops the stat= of an assignment to a coarray: so if the image has failed nothing is
 * assigned, and the next image control statement tells of it. team NULL: the current one. */
bool gfc_is_lost(int image, const weft_caf_team_t *team, const int *stat);
/* With WEFT_CHECK=1: */
/* The section that gfc_remote made of d and v is inside the coarray; else a line, and the end. */
void gfc_check(const weft_caf_coarray_t *c, const weft_caf_section_t *s, const gfc_t *d,
               const caf_vector_t *v);
/* dimension 0: elements are counted. */
void gfc_check_index(ptrdiff_t index, int dimension, ptrdiff_t lower, ptrdiff_t upper);

/* ---- list.c; team NULL: the current one ---- */

/* Of a variable of the program: without a team it is a line, and the end. */
const weft_caf_team_t *gfc_team(void *variable, const char *what);
/* A variable's address, or NULL. */
static inline const weft_caf_team_t *gfc_team_at(void **variable, const char *what) {
  return variable ? weft_caf_team_of(*variable, &(weft_caf_report_t){0}, what) : NULL;
}
int gfc_image_status(const weft_caf_team_t *team, int image);
/* A rank-1 array of the images in this state, of kind 4 unless told. The compiler frees it. */
void gfc_list_images(gfc_t *array, const weft_caf_team_t *team, int state, const int *kind);

#endif
