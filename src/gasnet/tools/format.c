/*
 * format.c: gasnet_tools, GASNet's values and the lists of its VIS functions as text, for
 * messages. Only reads what it is given; knows no job.
 */
#include "gasnet/ex/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- sets of constants ---- */

typedef struct name {
  uint32_t bit;
  const char *text;
} name_t;
/* clang-format off */
#define NAME(x) {(uint32_t)(x), #x}
static const name_t data_types[] = {
    NAME(GEX_DT_I32), NAME(GEX_DT_U32), NAME(GEX_DT_I64), NAME(GEX_DT_U64), NAME(GEX_DT_FLT),
    NAME(GEX_DT_DBL), NAME(GEX_DT_USER)};
static const name_t operations[] = {
    NAME(GEX_OP_AND),  NAME(GEX_OP_OR),    NAME(GEX_OP_XOR),  NAME(GEX_OP_ADD),  NAME(GEX_OP_SUB),
    NAME(GEX_OP_MULT), NAME(GEX_OP_MIN),   NAME(GEX_OP_MAX),  NAME(GEX_OP_INC),  NAME(GEX_OP_DEC),
    NAME(GEX_OP_SET),  NAME(GEX_OP_CAS),   NAME(GEX_OP_FAND), NAME(GEX_OP_FOR),  NAME(GEX_OP_FXOR),
    NAME(GEX_OP_FADD), NAME(GEX_OP_FSUB),  NAME(GEX_OP_FMULT), NAME(GEX_OP_FMIN),
    NAME(GEX_OP_FMAX), NAME(GEX_OP_FINC),  NAME(GEX_OP_FDEC), NAME(GEX_OP_SWAP), NAME(GEX_OP_FCAS),
    NAME(GEX_OP_GET),  NAME(GEX_OP_USER),  NAME(GEX_OP_USER_NC)};
static const name_t token_fields[] = {
    NAME(GEX_TI_SRCRANK), NAME(GEX_TI_EP), NAME(GEX_TI_ENTRY), NAME(GEX_TI_IS_REQ),
    NAME(GEX_TI_IS_LONG)};
/* clang-format on */

/* Adds a name to buf at *n, if there is a buf. */
static void add(char *buf, size_t *n, const char *text) {
  const size_t length = strlen(text);
  if (*n) {
    if (buf) buf[*n] = '|';
    ++*n;
  }
  if (buf) memcpy(buf + *n, text, length);
  *n += length;
}

static size_t names_of(char *buf, const name_t *list, size_t count, uint32_t value) {
  size_t n = 0;
  for (size_t i = 0; i < count; i++) {
    if (value & list[i].bit) add(buf, &n, list[i].text);
    value &= ~list[i].bit;
  }
  if (value || !n) { /* what has no name */
    char rest[16];
    snprintf(rest, sizeof rest, value ? "0x%x" : "0", value);
    add(buf, &n, rest);
  }
  if (buf) buf[n] = 0;
  return n + 1;
}

size_t gasnett_format_dt(char *buf, gex_DT_t dt) {
  return names_of(buf, data_types, WEFT_ARRAY_LEN(data_types), dt);
}
size_t gasnett_format_op(char *buf, gex_OP_t op) {
  return names_of(buf, operations, WEFT_ARRAY_LEN(operations), op);
}
size_t gasnett_format_ti(char *buf, gex_TI_t ti) {
  return names_of(buf, token_fields, WEFT_ARRAY_LEN(token_fields), ti);
}

/* ---- lists ---- */

enum { HEAD = 256, ITEM = 64, STRIDE = 24 };

static char *next_of(size_t i, size_t count) {
  static char last[] = "}", comma[] = ", ";
  return i + 1 == count ? last : comma;
}

size_t gasnett_format_memveclist_bufsz(size_t count) {
  return HEAD + count * ITEM;
}

gasnett_memveclist_stats_t gasnett_format_memveclist(char *buf, size_t count,
                                                     gex_Memvec_t const *list) {
  gasnett_memveclist_stats_t stats = {.minsz = SIZE_MAX, .minaddr = (void *)UINTPTR_MAX};
  char *items = buf, *p;
  for (size_t i = 0; i < count; i++) {
    char *first = list[i].gex_addr;
    const size_t size = list[i].gex_len;
    if (size < stats.minsz) stats.minsz = size;
    if (size > stats.maxsz) stats.maxsz = size;
    stats.totalsz += size;
    if (size && first < (char *)stats.minaddr) stats.minaddr = first;
    if (size && first + size - 1 > (char *)stats.maxaddr) stats.maxaddr = first + size - 1;
  }
  if (!count) stats.minsz = 0;
  p = items + snprintf(items, HEAD,
                       "%zu entries, %" PRIuPTR " bytes, sizes %zu..%zu, [%p...%p] {%s", count,
                       stats.totalsz, stats.minsz, stats.maxsz,
                       stats.totalsz ? stats.minaddr : NULL, stats.maxaddr, count ? "" : "}");
  for (size_t i = 0; i < count; i++)
    p += snprintf(p, ITEM, "{%p, %zu}%s", list[i].gex_addr, list[i].gex_len, next_of(i, count));
  return stats;
}

size_t gasnett_format_addrlist_bufsz(size_t count) {
  return HEAD + count * ITEM;
}

gasnett_addrlist_stats_t gasnett_format_addrlist(char *buf, size_t count, void *const *list,
                                                 size_t len) {
  gasnett_addrlist_stats_t stats = {.minaddr = (void *)UINTPTR_MAX};
  for (size_t i = 0; i < count; i++) {
    char *first = list[i], *last = first + (len ? len - 1 : 0);
    if (first < (char *)stats.minaddr) stats.minaddr = first;
    if (last > (char *)stats.maxaddr) stats.maxaddr = last;
  }
  char *p = buf + snprintf(buf, HEAD, "%zu entries of %zu bytes, [%p...%p] {%s", count, len,
                           count ? stats.minaddr : NULL, stats.maxaddr, count ? "" : "}");
  for (size_t i = 0; i < count; i++) p += snprintf(p, ITEM, "%p%s", list[i], next_of(i, count));
  return stats;
}

size_t gasnett_format_strides_bufsz(size_t count) {
  return 8 + count * STRIDE;
}

void gasnett_format_strides(char *buf, size_t count, const ptrdiff_t *list) {
  char *p = stpcpy(buf, count ? "[" : "[]");
  for (size_t i = 0; i < count; i++)
    p += snprintf(p, STRIDE, "%td%s", list[i], i + 1 == count ? "]" : ", ");
}

/* ---- whole operations ---- */

static char *head(char *buf, size_t bytes, gex_Rank_t rank) {
  return buf + snprintf(buf, HEAD, "(%zu data bytes) peer=%u\n", bytes, rank);
}

size_t gasnett_format_putvgetv_bufsz(size_t dstcount, size_t srccount) {
  return HEAD + gasnett_format_memveclist_bufsz(dstcount) +
         gasnett_format_memveclist_bufsz(srccount);
}

size_t gasnett_format_putvgetv(char *buf, gex_TM_t tm, gex_Rank_t rank, size_t dstcount,
                               gex_Memvec_t const *dstlist, size_t srccount,
                               gex_Memvec_t const *srclist) {
  size_t bytes = 0;
  (void)tm;
  for (size_t i = 0; i < dstcount; i++) bytes += dstlist[i].gex_len;
  char *p = stpcpy(head(buf, bytes, rank), "dst: ");
  gasnett_format_memveclist(p, dstcount, dstlist);
  p = stpcpy(p + strlen(p), "\nsrc: ");
  gasnett_format_memveclist(p, srccount, srclist);
  return bytes;
}

size_t gasnett_format_putigeti_bufsz(size_t dstcount, size_t srccount) {
  return HEAD + gasnett_format_addrlist_bufsz(dstcount) + gasnett_format_addrlist_bufsz(srccount);
}

size_t gasnett_format_putigeti(char *buf, gex_TM_t tm, gex_Rank_t rank, size_t dstcount,
                               void *const *dstlist, size_t dstlen, size_t srccount,
                               void *const *srclist, size_t srclen) {
  (void)tm;
  char *p = stpcpy(head(buf, dstcount * dstlen, rank), "dst: ");
  gasnett_format_addrlist(p, dstcount, dstlist, dstlen);
  p = stpcpy(p + strlen(p), "\nsrc: ");
  gasnett_format_addrlist(p, srccount, srclist, srclen);
  return dstcount * dstlen;
}

size_t gasnett_format_putsgets_bufsz(size_t stridelevels) {
  return 2 * HEAD + 3 * gasnett_format_strides_bufsz(stridelevels);
}

size_t gasnett_format_putsgets(char *buf, void *stats, gex_TM_t tm, gex_Rank_t rank, void *dstaddr,
                               const ptrdiff_t dststrides[], void *srcaddr,
                               const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[],
                               size_t stridelevels) {
  size_t bytes = elemsz;
  (void)stats;
  (void)tm;
  for (size_t i = 0; i < stridelevels; i++) bytes *= count[i];
  char *p = head(buf, bytes, rank);
  p += snprintf(p, HEAD / 2, "stridelevels=%zu elemsz=%zu counts=", stridelevels, elemsz);
  gasnett_format_strides(p, stridelevels, (const ptrdiff_t *)count);
  p += strlen(p);
  p += snprintf(p, HEAD / 4, "\ndst: %p strides=", dstaddr);
  gasnett_format_strides(p, stridelevels, dststrides);
  p += strlen(p);
  p += snprintf(p, HEAD / 4, "\nsrc: %p strides=", srcaddr);
  gasnett_format_strides(p, stridelevels, srcstrides);
  return bytes;
}
