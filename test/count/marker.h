// Markers that delimit code for `weft-count --markers`, for code that is no function of its own.
//
// A marker is one no-op instruction, harmless when nobody counts; it is not counted itself. NUMBER
// is a constant from 0 to 255. The compiler may compute arguments before the begin marker (it moves
// nothing that reads memory): a noinline function around the call is the stricter measure.
#ifndef WEFT_TEST_COUNT_MARKER_H
#define WEFT_TEST_COUNT_MARKER_H

#if defined(__x86_64__)
/* clang-format off */
#define WEFT_COUNT_MARKER(kind, number)                                                            \
  __asm__ volatile(".byte 0x0f, 0x1f, 0x80, %c0, %c1, 'C', 'W'"                                    \
                   : : "i"(kind), "i"(number) : "memory")
/* clang-format on */
#else
#define WEFT_COUNT_MARKER(kind, number) __asm__ volatile("" ::: "memory")
#endif
#define WEFT_COUNT_BEGIN(number) WEFT_COUNT_MARKER('b', number)
#define WEFT_COUNT_END(number) WEFT_COUNT_MARKER('e', number)

#endif
