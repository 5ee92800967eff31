/*
 * Jumps over the edge of a upc_forall statement (6.6.2): undefined, so a warning. Each statement
 * knows the innermost forall it is in, by number; labels and gotos are compared at the function's
 * end.
 */
#include <string.h>

#include "upcc.h"

enum { MOST = 1024 };
static struct jump {
  const name_t *name;
  int forall, at;
} labels[MOST], gotos[MOST];
static int nlabels, ngotos;
static int inside;   /* the innermost forall, 0: none */
static int numbered; /* foralls so far */
static int nest;     /* loops and switches inside the innermost forall */

void jump_nest(int step) {
  nest += step;
}

forall_place_t jump_enter_forall(void) {
  forall_place_t outer = {inside, nest};
  inside = ++numbered;
  nest = 0;
  return outer;
}

void jump_leave_forall(forall_place_t outer) {
  inside = outer.inside;
  nest = outer.nest;
}

void jump_out(int at, const char *what) {
  if (inside) warning(at, "%s leaves a upc_forall statement: undefined (6.6.2)", what);
}

void jump_break(int at) {
  if (nest == 0) jump_out(at, "break");
}

/* A label, or case or default of a switch outside of the forall. */
void jump_label(int at) {
  if (token(at)->word) {
    if (inside && nest == 0)
      warning(at, "a case label inside upc_forall of a switch outside: undefined (6.6.2)");
    return;
  }
  if (nlabels < MOST) labels[nlabels++] = (struct jump){token(at)->name, inside, at};
}

void jump_goto(int at) {
  if (ngotos < MOST) gotos[ngotos++] = (struct jump){token(at)->name, inside, at};
}

void jump_function_end(void) {
  for (int i = 0; i < ngotos; i++)
    for (int j = 0; j < nlabels; j++)
      if (labels[j].name == gotos[i].name && labels[j].forall != gotos[i].forall)
        warning(gotos[i].at, "goto over the edge of a upc_forall statement: undefined (6.6.2)");
  nlabels = ngotos = inside = nest = 0;
}
