/*
 * The choice table. Format of a file (docs/man/weft-tune.1): one rule a line,
 *
 *     OPERATION MEMBERS BYTES ALGORITHM        # bytes as 4096 or 4K
 *
 * whose meaning is that of WEFT_RULE in choices.def. An operation that the file names has the
 * file's rules only; the others keep their defaults.
 */
#include "coll/choose.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "coll/coll.h"
#include "job/job.h"

static const struct {
  const char *name, *algorithms;
} ops[] = {
#define WEFT_CHOICE(OP, name, algorithms, help) {name, algorithms},
#include "coll/choices.def"
};

static const struct {
  int op;
  unsigned members;
  size_t bytes;
  const char *algorithm;
} defaults[] = {
#define WEFT_RULE(OP, members, bytes, algorithm) {WEFT_OP_##OP, members, bytes, #algorithm},
#include "coll/choices.def"
};
_Static_assert(WEFT_ARRAY_LEN(defaults) < WEFT_RULES_MAX, "the defaults fit");

static weft_rule_t rules[WEFT_RULES_MAX];
static int first[WEFT_OPS + 1]; /* rules of operation op: [first[op], first[op + 1]) */

weft_rule_t *weft_choose_rules(void) {
  return rules;
}

int weft_choose(int op, int members, size_t bytes) {
  int i = first[op + 1] - 1;
  while (i >= first[op] && rules[i].members > (unsigned)members) i--;
  if (weft_unlikely(i < first[op])) return 0;
  const unsigned group = rules[i].members;
  while (i > first[op] && rules[i].bytes > bytes && rules[i - 1].members == group) i--;
  return rules[i].bytes <= bytes ? rules[i].algorithm : 0;
}

static int compare(const void *left, const void *right) {
  const weft_rule_t *a = left, *b = right;
  if (a->op != b->op) return a->op < b->op ? -1 : 1;
  if (a->members != b->members) return a->members < b->members ? -1 : 1;
  return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

void weft_choose_sort(int count) {
  int i = 0;
  qsort(rules, (size_t)count, sizeof *rules, compare);
  for (int op = 0; op <= WEFT_OPS; op++) {
    while (i < count && rules[i].op < op) i++;
    first[op] = i;
  }
}

/* The number of a word in a list of words, or -1. */
static int number_of(const char *word, const char *list) {
  const size_t n = strlen(word);
  for (int i = 0;; i++) {
    const size_t length = strcspn(list, " ");
    if (length == n && strncmp(list, word, n) == 0) return i;
    if (!list[length]) return -1;
    list += length + 1;
  }
}

static int op_of(const char *name) {
  for (int op = 0; op < WEFT_OPS; op++)
    if (strcmp(ops[op].name, name) == 0) return op;
  return -1;
}

/* 1: a rule; 0: nothing on the line; ends the job if it is neither. */
static int parse(char *line, const char *path, int number, weft_rule_t *rule) {
  char *rest, *word[5], *end;
  int n = 0;
  line[strcspn(line, "#\n")] = 0;
  for (char *w = strtok_r(line, " \t\r", &rest); w && n < 5; w = strtok_r(NULL, " \t\r", &rest))
    word[n++] = w;
  if (n == 0) return 0;
  if (n != 4)
    weft_fatal("WEFT_COLL_TABLE: %s:%d: a rule is OPERATION MEMBERS BYTES ALGORITHM", path, number);
  const int op = op_of(word[0]);
  if (op < 0)
    weft_fatal("WEFT_COLL_TABLE: %s:%d: there is no operation \"%s\"", path, number, word[0]);
  const long members = strtol(word[1], &end, 10);
  if (*end || members < 1 || members > 1 << 30)
    weft_fatal("WEFT_COLL_TABLE: %s:%d: \"%s\" is no number of members", path, number, word[1]);
  if (weft_parse_size(word[2], &rule->bytes) < 0)
    weft_fatal("WEFT_COLL_TABLE: %s:%d: \"%s\" is no number of bytes", path, number, word[2]);
  const int algorithm = number_of(word[3], ops[op].algorithms);
  if (algorithm < 0)
    weft_fatal("WEFT_COLL_TABLE: %s:%d: %s can be done by \"%s\", not \"%s\"", path, number,
               word[0], ops[op].algorithms, word[3]);
  rule->op = (unsigned char)op;
  rule->members = (unsigned)members;
  rule->algorithm = (unsigned char)algorithm;
  return 1;
}

static int read_file(const char *path) {
  enum { MOST = WEFT_RULES_MAX - (int)WEFT_ARRAY_LEN(defaults) };
  char *line = NULL; /* of any length: comments may be long */
  size_t room = 0;
  weft_rule_t rule;
  int count = 0, number = 0;
  FILE *file = fopen(path, "re");
  if (!file) weft_fatal("WEFT_COLL_TABLE: cannot read %s: %s", path, strerror(errno));
  while (getline(&line, &room, file) >= 0) {
    if (!parse(line, path, ++number, &rule)) continue;
    if (count == MOST) weft_fatal("WEFT_COLL_TABLE: %s has more than %d rules", path, count);
    rules[count++] = rule;
  }
  if (ferror(file)) weft_fatal("WEFT_COLL_TABLE: cannot read %s: %s", path, strerror(errno));
  fclose(file);
  free(line);
  return count;
}

/* A default's members, 0: it does not hold here. */
static unsigned members_of(size_t rule) {
  const int op = defaults[rule].op;
  const unsigned members = defaults[rule].members;
  bool three = false; /* the operation has rules for three */
  if (weft_job.crowd < 2 || op >= WEFT_OP_SYNC_NODES || members > 3) return members;
  for (size_t i = 0; i < WEFT_ARRAY_LEN(defaults); i++)
    three |= defaults[i].op == op && defaults[i].members == 3;
  return !three ? members : members == 3 ? 2 : 0;
}

int weft_choose_load(const char *path) {
  unsigned named = 0;
  int count = path && *path ? read_file(path) : 0;
  for (int i = 0; i < count; i++) named |= 1u << rules[i].op;
  for (size_t i = 0; i < WEFT_ARRAY_LEN(defaults); i++) {
    const unsigned members = members_of(i);
    if (named >> defaults[i].op & 1 || members == 0) continue;
    rules[count++] = (weft_rule_t){.op = (unsigned char)defaults[i].op,
                                   .members = members,
                                   .bytes = defaults[i].bytes,
                                   .algorithm = (unsigned char)number_of(
                                       defaults[i].algorithm, ops[defaults[i].op].algorithms)};
  }
  return count;
}

const char *weft_coll_operation(int op, const char **algorithms) {
  if (op < 0 || op >= WEFT_OPS) return NULL;
  *algorithms = ops[op].algorithms;
  return ops[op].name;
}

void weft_coll_force(int op, int algorithm) {
  const int count = weft_choose_load(NULL);
  for (int i = 0; i < count; i++)
    if (rules[i].op == op) rules[i].algorithm = (unsigned char)algorithm;
  weft_choose_sort(count);
}
