/*
 * An operation for co_reduce on a type of two reals as a compiler may make it on x86-64: the result
 * is in xmm0, and rax has the first operand's address. (Elsewhere it is never called: stop.sh.)
 */
#if defined(__x86_64__)
__attribute__((naked)) void add_reals(void) {
  __asm__("movq %rdi, %rax\n\t"
          "movq (%rdi), %xmm0\n\t"
          "movq (%rsi), %xmm1\n\t"
          "addps %xmm1, %xmm0\n\t"
          "ret");
}
#else
void add_reals(void) {}
#endif
