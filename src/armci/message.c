/*
 * message.c: collectives of a group: barrier, broadcast, combining by an operation that a string
 * names, choosing; the groups that scopes mean; messages between two processes.
 */
#include "armci/internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- operations ------------------------------------------------------------------------------ */

/* The longer of two that begin alike comes first. `abs`: of absolute values. */
static const struct name {
  const char *begins;
  enum weft_combine op;
  bool abs, bits;
} names[] = {{.begins = "+", .op = WEFT_COMBINE_sum},
             {.begins = "*", .op = WEFT_COMBINE_prod},
             {.begins = "max", .op = WEFT_COMBINE_max},
             {.begins = "min", .op = WEFT_COMBINE_min},
             {.begins = "absmax", .op = WEFT_COMBINE_max, .abs = true},
             {.begins = "absmin", .op = WEFT_COMBINE_min, .abs = true},
             {.begins = "&&", .op = WEFT_COMBINE_land},
             {.begins = "land", .op = WEFT_COMBINE_land},
             {.begins = "||", .op = WEFT_COMBINE_lor},
             {.begins = "lor", .op = WEFT_COMBINE_lor},
             {.begins = "&", .op = WEFT_COMBINE_and, .bits = true},
             {.begins = "band", .op = WEFT_COMBINE_and, .bits = true},
             {.begins = "|", .op = WEFT_COMBINE_or, .bits = true},
             {.begins = "bor", .op = WEFT_COMBINE_or, .bits = true},
             {.begins = "or", .op = WEFT_COMBINE_or, .bits = true}};

static const struct name *find(const char *op, enum weft_armci_element type, const char *who) {
  const bool real = type == WEFT_ARMCI_E_FLOAT || type == WEFT_ARMCI_E_DOUBLE;
  for (size_t i = 0; op && i < WEFT_ARRAY_LEN(names); i++) {
    if (strncmp(op, names[i].begins, strlen(names[i].begins)) != 0) continue;
    if (real && names[i].bits) break;
    return &names[i];
  }
  weft_fatal("%s: no operation '%s' for %s", who, op ? op : "(null)", real ? "reals" : "integers");
}

static enum weft_type type_of(enum weft_armci_element type) {
  static const enum weft_type types[] = {[WEFT_ARMCI_E_INT] = WEFT_TYPE_I32,
                                         [WEFT_ARMCI_E_LONG] = WEFT_TYPE_I64,
                                         [WEFT_ARMCI_E_LONG_LONG] = WEFT_TYPE_I64,
                                         [WEFT_ARMCI_E_FLOAT] = WEFT_TYPE_FLOAT,
                                         [WEFT_ARMCI_E_DOUBLE] = WEFT_TYPE_DOUBLE};
  return types[type];
}

#define ABSOLUTE(T, U)                                                                             \
  for (T *v = x; v < (T *)x + n; v++)                                                              \
    if (*v < 0) *v = (T)(0 - (U) * v);                                                             \
  break

/* The least integer is its own absolute value. */
static void absolute(enum weft_armci_element type, void *x, int n) {
  switch (type) {
  case WEFT_ARMCI_E_INT: ABSOLUTE(int, unsigned);
  case WEFT_ARMCI_E_LONG:
  case WEFT_ARMCI_E_LONG_LONG: ABSOLUTE(int64_t, uint64_t);
  case WEFT_ARMCI_E_FLOAT: ABSOLUTE(float, float);
  case WEFT_ARMCI_E_DOUBLE: ABSOLUTE(double, double);
  }
}

/* What WEFT_CHECK=1 compares of an operation. */
static uint64_t operation(enum weft_type type, const struct name *name, bool selects) {
  return (uint64_t)type << 32 | (uint64_t)name->op << 8 | (uint64_t)name->abs << 1 | selects;
}

/* ---- collective ------------------------------------------------------------------------------ */

/* With WEFT_CHECK=1 begun as all others are, with which it is compared then. */
void weft_armci_barrier(weft_armci_group_t *group, const char *who) {
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, "ARMCI_Barrier", 0);
  if (weft_likely(!weft_options.check)) {
    weft_coll_sync(group->team);
    return;
  }
  weft_op_t op = {0};
  weft_team_name(group->team, who);
  weft_team_barrier_begin(group->team, &op);
  weft_team_wait(&op);
}

void weft_armci_broadcast(weft_armci_group_t *group, void *buffer, size_t bytes, int root,
                          const char *who) {
  weft_op_t op = {0};
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, "armci_msg_bcast", bytes);
  weft_team_name(group->team, who);
  weft_team_broadcast_begin(group->team, root, buffer, buffer, bytes, &op);
  weft_team_wait(&op);
}

void weft_armci_gather(weft_armci_group_t *group, const void *mine, size_t bytes, void *all,
                       const char *who) {
  char copy[64];
  weft_op_t op = {0};
  memcpy(copy, mine, bytes);
  weft_team_name(group->team, who);
  weft_team_gather_all_begin(group->team, all, copy, bytes, &op);
  weft_team_wait(&op);
}

static void reduce(weft_armci_group_t *group, void *x, size_t n, const weft_reducer_t *how,
                   const char *who) {
  weft_op_t op = {0};
  weft_team_name(group->team, who);
  weft_team_reduce_all_begin(group->team, x, x, n, how, &op);
  weft_team_wait(&op);
}

void weft_armci_combine(weft_armci_group_t *group, void *x, int n, const char *op,
                        enum weft_armci_element type, const char *who) {
  const struct name *name = find(op, type, who);
  const enum weft_type element = type_of(type);
  const weft_reducer_t how = {.combine = weft_data_combine(element, name->op),
                              .width = weft_data_width(element),
                              .check = operation(element, name, false)};
  if (n < 0 || (n && !x)) weft_fatal("%s: %d elements at %p", who, n, x);
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, (size_t)n * how.width);
  if (name->abs) absolute(type, x, n);
  if (n) reduce(group, x, (size_t)n, &how, who);
}

/* Whoever does not contribute never wins; if nobody does, everyone keeps what it has. */
typedef struct candidate {
  union {
    int i;
    long long l;
    float f;
    double d;
  } first;
  int contributes, member;
} candidate_t;

typedef struct choice {
  enum weft_armci_element type;
  bool largest;
} choice_t;

static bool is_less(const candidate_t *a, const candidate_t *b, enum weft_armci_element type) {
  switch (type) {
  case WEFT_ARMCI_E_INT: return a->first.i < b->first.i;
  case WEFT_ARMCI_E_FLOAT: return a->first.f < b->first.f;
  case WEFT_ARMCI_E_DOUBLE: return a->first.d < b->first.d;
  default: return a->first.l < b->first.l;
  }
}

static void prefer(const void *left, void *right, size_t count, const void *arg) {
  const choice_t *c = arg;
  const candidate_t *other = left;
  candidate_t *best = right;
  for (size_t i = 0; i < count; i++, other++, best++) {
    if (!other->contributes) continue;
    const bool better = c->largest ? is_less(best, other, c->type) : is_less(other, best, c->type);
    const bool tie = !is_less(best, other, c->type) && !is_less(other, best, c->type);
    if (!best->contributes || better || (tie && other->member < best->member)) *best = *other;
  }
}

void weft_armci_select(weft_armci_group_t *group, void *x, int bytes, const char *op,
                       enum weft_armci_element type, bool contribute, const char *who) {
  const struct name *name = find(op, type, who);
  const size_t width = weft_data_width(type_of(type));
  if (name->op != WEFT_COMBINE_max && name->op != WEFT_COMBINE_min)
    weft_fatal("%s: op is max or min, not '%s'", who, op);
  if (bytes < (int)width || !x) weft_fatal("%s: %d bytes at %p", who, bytes, x);
  const choice_t c = {type, name->op == WEFT_COMBINE_max};
  candidate_t mine = {.contributes = contribute, .member = group->me};
  memcpy(&mine.first, x, width);
  const weft_reducer_t how = {.user = prefer,
                              .arg = &c,
                              .width = sizeof mine,
                              .check = operation(type_of(type), name, true)};
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, (size_t)bytes);
  reduce(group, &mine, 1, &how, who);
  if (mine.member < 0 || mine.member >= group->size)
    weft_fatal("%s: the members chose member %d of %d", who, mine.member, group->size);
  if (mine.contributes) weft_armci_broadcast(group, x, (size_t)bytes, mine.member, who);
}

/* ---- scopes ---------------------------------------------------------------------------------- */

/* Of a group: the members on this node, or the first one of every node. */
static weft_armci_group_t *part(weft_armci_group_t *group, bool masters, const char *who) {
  int *list = malloc((size_t)group->size * sizeof *list), n = 0;
  if (!list) weft_fatal("ARMCI: no memory for a scope");
  for (int i = 0; i < group->size; i++) {
    const int node = weft_job_node_of(group->list[i]);
    bool in = node == weft_job.node;
    if (masters) {
      in = true;
      for (int k = 0; in && k < i; k++) in = weft_job_node_of(group->list[k]) != node;
    }
    if (in) list[n++] = i;
  }
  weft_armci_group_t *made = weft_armci_group_create(group, n, list, who);
  free(list);
  return made;
}

weft_armci_group_t *weft_armci_scope(enum weft_armci_scope scope, weft_armci_group_t *group,
                                     const char *who) {
  if (scope == WEFT_ARMCI_ALL) return group; /* the others are made when first asked for */
  const int i = scope == WEFT_ARMCI_MASTERS;
  if (!group->scoped[i]) {
    group->scopes[i] = part(group, i, who);
    group->scoped[i] = true;
  }
  return group->scopes[i];
}

/* ---- messages -------------------------------------------------------------------------------- */

static uint64_t key_of(int tag) {
  return (uint64_t)1 << 62 | (uint32_t)tag;
}

void weft_armci_send(int proc, int tag, const void *buffer, size_t bytes, const char *who) {
  weft_armci_check(proc, who);
  WEFT_SPAN_TO(WEFT_TRACE_PUT, who, bytes, proc, 0);
  weft_mail_send(proc, key_of(tag), buffer, bytes);
}

int weft_armci_receive(int proc, int tag, void *buffer, size_t bytes, size_t *got,
                       const char *who) {
  int from = proc;
  if (proc >= 0) weft_armci_check(proc, who);
  WEFT_SPAN(WEFT_TRACE_WAIT, who, 0);
  weft_patience_begin(weft_options.check ? who : NULL, weft_options.patience_s);
  const size_t n = weft_mail_receive(proc, key_of(tag), buffer, bytes, &from);
  weft_patience_end();
  if (n > bytes)
    weft_fatal("%s: a message of %zu bytes from %d, room for %zu", who, n, from, bytes);
  *got = n;
  return from;
}
