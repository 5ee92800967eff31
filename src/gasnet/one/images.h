/*
 * images.h: what coll.c (calls, handles, threads as images) and moves.c (which data
 * go where) share. An operation of GASNet-1's collectives is one of a process: the call of its last
 * image begins it.
 */
#ifndef WEFT_GASNET_IMAGES_H
#define WEFT_GASNET_IMAGES_H

#include "gasnet/ex/team.h"

/* Images of each member of a team. */
typedef struct weft_gasnet_images {
  gasnet_image_t *first; /* of each member, and the number of all */
  gasnet_image_t most;   /* of any member */
} weft_gasnet_images_t;

enum weft_gasnet_kind {
  WEFT_GASNET_BROADCAST,
  WEFT_GASNET_SCATTER,
  WEFT_GASNET_GATHER,
  WEFT_GASNET_GATHER_ALL,
  WEFT_GASNET_EXCHANGE,
  WEFT_GASNET_REDUCE, /* element by element */
  WEFT_GASNET_BLOCKS, /* an array dealt to the images, to one element: reduce with a block size */
  WEFT_GASNET_SCAN
};

/* Elements dealt to images in blocks; block 0: all are the image's that `offset` names. */
typedef struct weft_gasnet_deal {
  size_t block, offset;
} weft_gasnet_deal_t;

/* What an image says. */
typedef struct weft_gasnet_call {
  const char *who; /* the function */
  enum weft_gasnet_kind kind;
  gasnet_team_handle_t team;
  gasnet_image_t root;
  void *dst, *src;
  void *const *dsts, *const *srcs; /* lists, of forms with M */
  bool lists;
  size_t n; /* bytes of a block or of an element */
  size_t count;
  weft_gasnet_deal_t from, to;
  gasnet_coll_fn_handle_t function;
  int argument, flags;
} weft_gasnet_call_t;

/* What the images of this process say together. */
typedef struct weft_gasnet_joint {
  weft_gasnet_call_t call;
  const weft_gasnet_images_t *images;
  gasnet_image_t mine;  /* images here */
  char **dsts, **srcs;  /* of each of them */
  char *at_root;        /* the root image's address of what only it has */
  bool *came;           /* which have called */
  gasnet_image_t calls; /* how many */
  gasnet_image_t owed;  /* how many have yet to sync */
  gasnet_coll_fn_entry_t function;
  char *array, *result; /* SCAN, BLOCKS: everything, at the collecting member; REDUCE: an element */
  int phase;
  gex_Rank_t me, size; /* of the team */
  bool begun;
  weft_op_t op;
  struct weft_gasnet_joint *next;
} weft_gasnet_joint_t;

/* ---- moves.c ---- */
void weft_gasnet_begin(weft_gasnet_joint_t *joint);

#endif
