/*
 * Mail: messages that wait at their receiver until it asks for them, matched by sender and key. For
 * what PEs have to tell each other before they have anything in common: how a set of PEs comes to
 * be, and front ends' own sends and receives. A letter travels as active messages, in as many parts
 * as it takes. Letters of one PE to another are received in the order in which they were sent: they
 * are numbered, as a packet that the helper has sent may be passed by the next one.
 */
#include <stdlib.h>
#include <string.h>

#include "am/am.h"
#include "sync/sync.h"

enum { HANDLER = 9, PART_WORDS = 8 };

typedef struct letter {
  struct letter *next;
  int from;
  uint64_t key;
  uint32_t number; /* of its sender's to this PE */
  size_t n, have;  /* bytes, and how many are here */
  char data[];
} letter_t;

/* What every part says, as the arguments of its message. */
typedef struct part {
  uint64_t key, n, offset;
  uint32_t number, unused;
} part_t;

_Static_assert(sizeof(part_t) == PART_WORDS * sizeof(int32_t), "a part's words");

static struct {
  weft_lock_t lock;
  letter_t *first;  /* in order of arrival, those of one sender in its order */
  uint32_t *sent;   /* per PE */
  uint32_t *begins; /* per PE: the first number of which nothing has arrived */
} mail;

/* Numbers go round. */
static bool is_behind(uint32_t a, uint32_t b) {
  return (int32_t)(a - b) > 0;
}

/* NULL: no memory. */
static letter_t *find_or_add(int from, const part_t *part) {
  letter_t *l, **at = &mail.first;
  while ((l = *at) && (l->from != from || is_behind(part->number, l->number))) at = &l->next;
  if (l && l->number == part->number) return l;
  l = malloc(sizeof *l + part->n);
  if (!l) return NULL;
  *l =
      (letter_t){.next = *at, .from = from, .key = part->key, .number = part->number, .n = part->n};
  *at = l;
  for (const letter_t *k = l; k; k = k->next)
    if (k->from == from && k->number == mail.begins[from]) mail.begins[from]++;
  return l;
}

static void deliver(int from, const part_t *part, const void *data, size_t n) {
  weft_lock(&mail.lock);
  if (!mail.begins) { /* it came after the end */
    weft_unlock(&mail.lock);
    return;
  }
  letter_t *l = find_or_add(from, part);
  const bool fits = l && l->n == part->n;
  if (fits) {
    if (n) memcpy(l->data + part->offset, data, n);
    l->have += n;
  }
  weft_unlock(&mail.lock);
  if (!l) weft_fatal("no memory for a message of %zu bytes from PE %d", (size_t)part->n, from);
  if (!fits) weft_fatal("a part of a message from PE %d says another length", from);
}

static void arrive(weft_token_t *token, void *data, size_t n, int32_t a0, int32_t a1, int32_t a2,
                   int32_t a3, int32_t a4, int32_t a5, int32_t a6, int32_t a7) {
  const int32_t words[PART_WORDS] = {a0, a1, a2, a3, a4, a5, a6, a7};
  part_t part;
  memcpy(&part, words, sizeof part);
  if (token->nargs != PART_WORDS || part.n > PTRDIFF_MAX - sizeof(letter_t))
    weft_fatal("PE %u sent a damaged message", token->from);
  if (part.offset > part.n || n > part.n - part.offset)
    weft_fatal("a message from PE %u says %zu bytes and has more", token->from, (size_t)part.n);
  deliver((int)token->from, &part, data, n);
}

void weft_mail_start(void) {
  if (mail.sent) return;
  mail.sent = calloc((size_t)weft_job.npes, sizeof *mail.sent);
  mail.begins = calloc((size_t)weft_job.npes, sizeof *mail.begins);
  if (!mail.sent || !mail.begins || weft_am_open() < 0)
    weft_fatal("no memory for messages between %d PEs; start fewer", weft_job.npes);
  weft_am_register(HANDLER, (weft_am_handler_t)arrive);
}

void weft_mail_stop(void) {
  weft_lock(&mail.lock);
  while (mail.first) {
    letter_t *l = mail.first;
    mail.first = l->next;
    free(l);
  }
  free(mail.sent);
  free(mail.begins);
  mail.sent = mail.begins = NULL;
  weft_unlock(&mail.lock);
}

void weft_mail_send(int pe, uint64_t key, const void *data, size_t n) {
  const bool self = pe == weft_job.pe;
  const size_t max = self ? SIZE_MAX : weft_am_max_medium(pe);
  const uint32_t number = __atomic_fetch_add(&mail.sent[pe], 1, __ATOMIC_RELAXED);
  size_t at = 0;
  do {
    const size_t bytes = n - at < max ? n - at : max;
    const part_t part = {.key = key, .n = n, .offset = at, .number = number};
    int32_t words[PART_WORDS];
    memcpy(words, &part, sizeof part);
    if (self)
      deliver(pe, &part, data, n);
    else
      weft_am_request(pe, WEFT_AM_MEDIUM, HANDLER, (const char *)data + at, bytes, 0, 0, NULL,
                      PART_WORDS, words);
    at += bytes;
  } while (at < n);
}

/* Of this letter's sender all that is in front of it is here too. */
static bool has_turn(const letter_t *l) {
  return is_behind(mail.begins[l->from], l->number);
}

/* Takes the first letter that fits and is whole, or NULL. */
static letter_t *take(int from, uint64_t key) {
  letter_t *l, **at = &mail.first;
  weft_lock(&mail.lock);
  while ((l = *at) && (l->key != key || (from >= 0 && l->from != from) || !has_turn(l)))
    at = &l->next;
  if (l && l->have < l->n) l = NULL;
  if (l) *at = l->next;
  weft_unlock(&mail.lock);
  return l;
}

bool weft_mail_try(int from, uint64_t key, void *to, size_t max, size_t *n) {
  letter_t *l = take(from, key);
  if (!l) return false;
  *n = l->n;
  memcpy(to, l->data, l->n < max ? l->n : max);
  free(l);
  return true;
}

size_t weft_mail_receive(int from, uint64_t key, void *to, size_t max, int *sender) {
  letter_t *l;
  WEFT_WAIT_UNTIL((l = take(from, key)));
  const size_t n = l->n;
  if (n && max) memcpy(to, l->data, n < max ? n : max);
  if (sender) *sender = l->from;
  free(l);
  return n;
}
