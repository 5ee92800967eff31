/*
 * data: bytes and elements in local memory: shapes and the cursors that go over them, accumulate,
 * and the one definition of what an atomic operation does. Knows no PE, no network and no job.
 */
#ifndef WEFT_DATA_H
#define WEFT_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "data/accumulate.h"
#include "data/combine.h"
#include "data/shape.h"
#include "weft/direct.h"

/* ---- apply.c ---- */

/* Apply an atomic to memory of this node; the old value. The one definition of what the operations
 * do. */
uint64_t weft_data_apply(void *object, enum weft_amo op, size_t width, uint64_t operand,
                         uint64_t cond);

/* Copy to memory of this node. A scalar (1, 2, 4 or 8 bytes, aligned) is stored once and whole: its
 * owner may be polling it. */
void weft_data_store(void *to, const void *from, size_t n);
/* The same where the two may overlap. */
void weft_data_move(void *to, const void *from, size_t n);
/* Words of the same width one behind the other, n bytes in all, each stored like that. */
void weft_data_store_words(void *to, const void *words, size_t n, size_t width);

#endif
