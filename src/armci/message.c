/*
 * message.c: collectives of a group: barrier, broadcast, combining by an operation that a string
 * names, choosing; the groups that scopes mean; messages between two processes.
 */
#include "armci/internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- operations ------------------------------------------------------------------------------ */

enum operation { ADD, TIMES, MAX, MIN, LAND, LOR, BAND, BOR, OPERATIONS };

typedef struct combine {
  enum operation op;
  enum weft_armci_element type;
} combine_t;

/* The longer of two that begin alike comes first. `abs`: of absolute values. */
static const struct name {
  const char *begins;
  enum operation op;
  bool abs;
} names[] = {{"+", ADD, false},   {"*", TIMES, false},   {"max", MAX, false},
             {"min", MIN, false}, {"absmax", MAX, true}, {"absmin", MIN, true},
             {"&&", LAND, false}, {"land", LAND, false}, {"||", LOR, false},
             {"lor", LOR, false}, {"&", BAND, false},    {"band", BAND, false},
             {"|", BOR, false},   {"bor", BOR, false},   {"or", BOR, false}};

static const struct name *find(const char *op, enum weft_armci_element type, const char *who) {
  const bool real = type == WEFT_ARMCI_E_FLOAT || type == WEFT_ARMCI_E_DOUBLE;
  for (size_t i = 0; op && i < WEFT_ARRAY_LEN(names); i++) {
    if (strncmp(op, names[i].begins, strlen(names[i].begins)) != 0) continue;
    if (real && names[i].op >= BAND) break;
    return &names[i];
  }
  weft_fatal("%s: no operation '%s' for %s", who, op ? op : "(null)", real ? "reals" : "integers");
}

#define EACH(expression)                                                                           \
  for (int i = 0; i < n; i++) x[i] = (expression);                                                 \
  break
#define LOOPS(T, U, name)                                                                          \
  static void name(enum operation op, T *x, const T *y, int n) {                                   \
    switch (op) {                                                                                  \
    case ADD: EACH((T)((U)x[i] + (U)y[i]));                                                        \
    case TIMES: EACH((T)((U)x[i] * (U)y[i]));                                                      \
    case MAX: EACH(x[i] < y[i] ? y[i] : x[i]);                                                     \
    case MIN: EACH(y[i] < x[i] ? y[i] : x[i]);                                                     \
    case LAND: EACH((T)(x[i] && y[i]));                                                            \
    case LOR: EACH((T)(x[i] || y[i]));                                                             \
    case BAND: EACH((T)((uint64_t)x[i] & (uint64_t)y[i]));                                         \
    case BOR: EACH((T)((uint64_t)x[i] | (uint64_t)y[i]));                                          \
    case OPERATIONS: break;                                                                        \
    }                                                                                              \
  }                                                                                                \
  static void name##_abs(T *x, int n) {                                                            \
    for (int i = 0; i < n; i++)                                                                    \
      if (x[i] < 0) x[i] = (T)(0 - (U)x[i]);                                                       \
  }
LOOPS(int, unsigned, of_int)
LOOPS(long long, unsigned long long, of_long)
LOOPS(float, float, of_float)
LOOPS(double, double, of_double)

_Static_assert(sizeof(long) == sizeof(long long), "long and long long are combined alike");

/* weft_user_combine_t: right = left op right. */
static void combine(const void *left, void *right, size_t count, const void *arg) {
  const combine_t *c = arg;
  const int n = (int)count;
  switch (c->type) {
  case WEFT_ARMCI_E_INT: of_int(c->op, right, left, n); break;
  case WEFT_ARMCI_E_LONG:
  case WEFT_ARMCI_E_LONG_LONG: of_long(c->op, right, left, n); break;
  case WEFT_ARMCI_E_FLOAT: of_float(c->op, right, left, n); break;
  case WEFT_ARMCI_E_DOUBLE: of_double(c->op, right, left, n); break;
  }
}

static void absolute(enum weft_armci_element type, void *x, int n) {
  switch (type) {
  case WEFT_ARMCI_E_INT: of_int_abs(x, n); break;
  case WEFT_ARMCI_E_LONG:
  case WEFT_ARMCI_E_LONG_LONG: of_long_abs(x, n); break;
  case WEFT_ARMCI_E_FLOAT: of_float_abs(x, n); break;
  case WEFT_ARMCI_E_DOUBLE: of_double_abs(x, n); break;
  }
}

static size_t width(enum weft_armci_element type) {
  return type == WEFT_ARMCI_E_INT || type == WEFT_ARMCI_E_FLOAT ? 4 : 8;
}

/* ---- collective ------------------------------------------------------------------------------- */

void weft_armci_barrier(weft_armci_group_t *group) {
  if (group->id == 0)
    weft_coll_sync(weft_coll_world());
  else
    weft_team_barrier(group->team);
}

void weft_armci_broadcast(weft_armci_group_t *group, void *buffer, size_t bytes, int root) {
  weft_op_t op = {0};
  weft_team_broadcast_begin(group->team, root, buffer, buffer, bytes, &op);
  weft_team_wait(&op);
}

void weft_armci_gather(weft_armci_group_t *group, const void *mine, size_t bytes, void *all) {
  char copy[64];
  weft_op_t op = {0};
  memcpy(copy, mine, bytes);
  weft_team_gather_all_begin(group->team, all, copy, bytes, &op);
  weft_team_wait(&op);
}

static void reduce(weft_armci_group_t *group, void *x, size_t n, size_t width,
                   weft_user_combine_t function, const void *arg) {
  weft_op_t op = {0};
  const weft_reducer_t how = {.user = function, .arg = arg, .width = width};
  weft_team_reduce_all_begin(group->team, x, x, n, &how, &op);
  weft_team_wait(&op);
}

void weft_armci_combine(weft_armci_group_t *group, void *x, int n, const char *op,
                        enum weft_armci_element type, const char *who) {
  const struct name *name = find(op, type, who);
  if (n < 0 || (n && !x)) weft_fatal("%s: %d elements at %p", who, n, x);
  if (name->abs) absolute(type, x, n);
  const combine_t c = {name->op, type};
  if (n) reduce(group, x, (size_t)n, width(type), combine, &c);
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
  if (name->op != MAX && name->op != MIN) weft_fatal("%s: op is max or min, not '%s'", who, op);
  if (bytes < (int)width(type) || !x) weft_fatal("%s: %d bytes at %p", who, bytes, x);
  const choice_t c = {type, name->op == MAX};
  candidate_t mine = {.contributes = contribute, .member = group->me};
  memcpy(&mine.first, x, width(type));
  reduce(group, &mine, 1, sizeof mine, prefer, &c);
  if (mine.contributes) weft_armci_broadcast(group, x, (size_t)bytes, mine.member);
}

/* ---- scopes ---------------------------------------------------------------------------------- */

/* Made when first asked for and kept with the group. `in`: is world rank p of it? */
static weft_armci_group_t *part(weft_armci_group_t *group, bool masters) {
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
  weft_armci_group_t *made = weft_armci_group_create(group, n, list, "armci_msg");
  free(list);
  return made;
}

weft_armci_group_t *weft_armci_scope(enum weft_armci_scope scope, weft_armci_group_t *group) {
  if (scope == WEFT_ARMCI_ALL) return group;
  const int i = scope == WEFT_ARMCI_MASTERS;
  if (!group->scoped[i]) {
    group->scopes[i] = part(group, i);
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
  weft_mail_send(proc, key_of(tag), buffer, bytes);
}

int weft_armci_receive(int proc, int tag, void *buffer, size_t bytes, size_t *got,
                       const char *who) {
  int from = proc;
  if (proc >= 0) weft_armci_check(proc, who);
  const size_t n = weft_mail_receive(proc, key_of(tag), buffer, bytes, &from);
  if (n > bytes)
    weft_fatal("%s: a message of %zu bytes from %d, room for %zu", who, n, from, bytes);
  *got = n;
  return from;
}
