/*
 * The driver's part of upcc: its options, and the commands it runs.
 */
#ifndef UPCC_DRIVER_H
#define UPCC_DRIVER_H

#include "upcc.h"

typedef struct list {
  char **items; /* NULL at the end */
  int count;
} list_t;
void list_add(list_t *list, const char *item);
void list_add_each(list_t *list, ...) __attribute__((sentinel));
void list_add_words(list_t *list, const char *text); /* words between blanks */
void list_add_all(list_t *list, const list_t *other);

enum stage { STAGE_PREPROCESS, STAGE_TRANSLATE, STAGE_ASSEMBLE, STAGE_OBJECT, STAGE_LINK };

typedef struct driver {
  enum stage stage;  /* where to stop */
  list_t inputs;     /* files and -l options, in order */
  list_t flags;      /* for the compiler, preprocessing and compiling */
  list_t preprocess; /* -D, -I, -M...: for preprocessing only */
  list_t compile;    /* for compiling only */
  list_t link;       /* for linking only */
  const char *output;
  const char *compiler;
  const char *library;      /* the folder of libweft */
  const char *heap;         /* -shared-heap, in bytes, or NULL */
  const char *comments;     /* -C or -CC: they stay in what -E prints; or NULL */
  const char *dependencies; /* -MF's file, "" where gcc would choose it, or NULL */
  bool save_temps, verbose, show;
  bool only_rules;  /* -M, -MM: no more than the preprocessor's */
  bool pedantic;    /* -pedantic and its relatives */
  bool syntax_only; /* no object is kept */
} driver_t;
extern driver_t driver;

void read_options(int argc, char **argv); /* does not return when there is nothing to do */
int build(void);                          /* everything that the options ask for */
/* Objects and archives of other settings (-T, -fupc-packed-bits) are not linked: one line. */
bool same_settings(const list_t *objects);

#endif
