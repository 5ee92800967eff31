/*
 * What the fuzz targets share. A target takes bytes that came from outside and says whether Weft
 * took them; what ends a job with its one line ends only the input here. feed.c is the rest of the
 * program: libFuzzer's entry point (make fuzz), or a main that feeds files (make check).
 */
#ifndef WEFT_FUZZ_H
#define WEFT_FUZZ_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One input: was it taken? */
bool fuzz_input(const uint8_t *data, size_t size);

/* Where an end of the job goes on: `if (setjmp(fuzz_end)) return false;` in fuzz_input. Memory that
 * was allocated since the input began is freed after it. */
extern jmp_buf fuzz_end;

/* What must hold whatever the input is. */
#define FUZZ_CHECK(expression)                                                                     \
  ((expression) ? (void)0 : fuzz_broken(__FILE__, __LINE__, #expression))
void fuzz_broken(const char *file, int line, const char *what) __attribute__((noreturn));

#endif
