/*
 * shmem_p to another node, the path that the SFI paper counts: libfabric must be reached within 16
 * instructions of the API's entry, the test for the node included (test/count checks it). Six are
 * spent inline (weft/direct.h); these are the other ten:
 *
 *   push off, pe, value     kept for the retry, aligns the stack, and puts the value into memory
 *   address of the value, memory key, count (COUNTER), fabric address = node, endpoint,
 *   length, call
 *
 * A FLUSH provider's mark comes after the call, so that a quiet of another thread that takes the
 * mark away has flushed the put as well; a COUNTER's count before it, so that no such quiet sees
 * more done than posted.
 *
 * A compiler spends 17 or more: to keep off and pe over the call it saves registers first. So
 * x86-64 has it in assembly; other machines compile the C below it, which is the definition.
 */
#include "rma/rma_internal.h"

/* What was pushed. */
typedef struct pushed {
  uint64_t value;
  long pe;
  uintptr_t off;
} pushed_t;

/* Back-pressure: out of line. What is not taken does not count, as other threads' quiets do not
 * wait for it; and what is for the dead is not tried again. */
WEFT_COLD __attribute__((used)) void weft_scalar_again(ssize_t rc, const pushed_t *p, size_t n) {
  weft_where_t to = weft_job.where[p->pe];
  const bool counts = weft_wire.writes;
  do {
    if (counts) __atomic_fetch_sub(&weft_wire.injected, 1, __ATOMIC_RELAXED);
    if (!weft_endpoint_again(&weft_job.endpoint, rc, "put", to.node)) return;
    if (counts) __atomic_fetch_add(&weft_wire.injected, 1, __ATOMIC_RELAXED);
    rc = weft_wire.inject_write(weft_wire.ep, &p->value, n, to.node, p->off, weft_job.keys[p->pe]);
  } while (rc);
}

#if defined(__x86_64__) && !WEFT_TSAN

_Static_assert(offsetof(weft_wire_t, ep) == 0 && offsetof(weft_wire_t, inject_write) == 8 &&
                   offsetof(weft_wire_t, injected) == 16 && offsetof(weft_wire_t, where) == 24 &&
                   offsetof(weft_wire_t, dirty) == 32,
               "the assembly below addresses them");
_Static_assert(sizeof(weft_where_t) == 4 && offsetof(weft_where_t, node) == 0, "likewise");

/* In: esi/rsi value, rdx pe, rcx disp, r8 off. fi_inject_write wants rdi ep, rsi buf, rdx len, rcx
 * address, r8 offset, r9 key. */
#define SCALAR(NAME, N, COUNT, MARK)                                                               \
  __asm__(".pushsection .text\n\t.p2align 4\n\t.globl " NAME "\n\t.hidden " NAME "\n\t.type " NAME \
          ", @function\n" NAME ":\n\t.cfi_startproc\n\t"                                           \
          "push %r8\n\t.cfi_adjust_cfa_offset 8\n\t"                                               \
          "push %rdx\n\t.cfi_adjust_cfa_offset 8\n\t"                                              \
          "push %rsi\n\t.cfi_adjust_cfa_offset 8\n\t"                                              \
          "mov %rsp, %rsi\n\t"                                                                     \
          "mov -13*0x100000(%rcx,%rdx,8), %r9\n\t" COUNT                                           \
          "\n\tmovzwl -4*0x100000(%rcx,%rdx,4), %ecx\n\t"                                          \
          "mov weft_wire(%rip), %rdi\n\t"                                                          \
          "mov $" N ", %edx\n\t"                                                                   \
          "call *weft_wire+8(%rip)\n\t"                                                            \
          "test %rax, %rax\n\tjnz 1f\n"                                                            \
          "2:\n\t" MARK "\n\tadd $24, %rsp\n\t.cfi_adjust_cfa_offset -24\n\tret\n"                 \
          "1:\n\t.cfi_adjust_cfa_offset 24\n\t"                                                    \
          "mov %rax, %rdi\n\tmov %rsp, %rsi\n\tmov $" N ", %edx\n\t"                               \
          "call weft_scalar_again\n\tjmp 2b\n\t"                                                   \
          ".cfi_endproc\n\t.size " NAME ", .-" NAME "\n\t.popsection")
_Static_assert(WEFT_WHERE_BELOW == 4 * 0x100000 && WEFT_KEYS_BELOW == 13 * 0x100000, "likewise");
#define FLUSH                                                                                      \
  "", "mov 8(%rsp), %rdx\n\tmov weft_wire+24(%rip), %rcx\n\tmovzwl (%rcx,%rdx,4), %ecx\n\t"        \
      "mov weft_wire+32(%rip), %rdx\n\tlock bts %rcx, (%rdx)" /* a bit string of any length */
#define COUNTER "lock incq weft_wire+16(%rip)", ""
#define SCALAR_EXPAND(...) SCALAR(__VA_ARGS__)
SCALAR_EXPAND("weft_p1_flush", "1", FLUSH);
SCALAR_EXPAND("weft_p2_flush", "2", FLUSH);
SCALAR_EXPAND("weft_p4_flush", "4", FLUSH);
SCALAR_EXPAND("weft_p8_flush", "8", FLUSH);
SCALAR_EXPAND("weft_p1_counter", "1", COUNTER);
SCALAR_EXPAND("weft_p2_counter", "2", COUNTER);
SCALAR_EXPAND("weft_p4_counter", "4", COUNTER);
SCALAR_EXPAND("weft_p8_counter", "8", COUNTER);

#else

#define SCALAR(NAME, N, T, COUNT, MARK)                                                            \
  WEFT_SCALAR_DECLARE(NAME, T) {                                                                   \
    weft_where_t to = ((const weft_where_t *)(disp - WEFT_WHERE_BELOW / sizeof *disp))[pe];        \
    pushed_t p = {.value = value, .pe = pe, .off = off};                                           \
    (void)dest;                                                                                    \
    COUNT;                                                                                         \
    ssize_t rc =                                                                                   \
        weft_wire.inject_write(weft_wire.ep, &p.value, N, to.node, off, weft_job.keys[pe]);        \
    if (weft_unlikely(rc != 0)) weft_scalar_again(rc, &p, N);                                      \
    MARK;                                                                                          \
  }
#define FLUSH (void)0, weft_quiet_mark(&weft_channels[0], (int)pe)
#define COUNTER __atomic_fetch_add(&weft_wire.injected, 1, __ATOMIC_RELAXED), (void)0
#define SCALAR_EXPAND(...) SCALAR(__VA_ARGS__)
SCALAR_EXPAND(weft_p1_flush, 1, uint8_t, FLUSH)
SCALAR_EXPAND(weft_p2_flush, 2, uint16_t, FLUSH)
SCALAR_EXPAND(weft_p4_flush, 4, uint32_t, FLUSH)
SCALAR_EXPAND(weft_p8_flush, 8, uint64_t, FLUSH)
SCALAR_EXPAND(weft_p1_counter, 1, uint8_t, COUNTER)
SCALAR_EXPAND(weft_p2_counter, 2, uint16_t, COUNTER)
SCALAR_EXPAND(weft_p4_counter, 4, uint32_t, COUNTER)
SCALAR_EXPAND(weft_p8_counter, 8, uint64_t, COUNTER)

#endif
