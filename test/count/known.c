// What tool.sh counts: functions whose instruction counts are known because they are written in
// assembly, called again and again, from two threads, around a fork and a dlopen.

#include "count/marker.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
void known_four(void);            // 3 no-operations and the return
void known_loop(long n);          // 2 n + 2 (the loop does not pass the entry again)
void known_rep(void *p);          // 4: a repeated store is one instruction
void known_lock(long *p);         // 5, of which 2 locked: lock add, xchg with memory; 1 fence
void known_inner(void);           // calls known_four: 2 + 4
void known_call(long (*f)(void)); // calls f: 4 of its own
void known_raw(void);             // 2 between its int3 instructions

__asm__(".macro function name\n"
        ".globl \\name\n.type \\name, @function\n\\name:\n.endm\n"
        ".macro done name\nret\n.size \\name, . - \\name\n.endm\n"
        ".text\n"
        "function known_four\n nop\n nop\n nop\n done known_four\n"
        "function known_loop\n nop\n1: dec %rdi\n jnz 1b\n done known_loop\n"
        "function known_rep\n mov $64, %ecx\n xor %eax, %eax\n rep stosb\n done known_rep\n"
        "function known_lock\n lock addq $1, (%rdi)\n xchg %rax, (%rdi)\n xchg %rax, %rcx\n"
        " mfence\n done known_lock\n"
        "function known_inner\n call known_four\n done known_inner\n"
        "function known_call\n push %rbx\n call *%rdi\n pop %rbx\n done known_call\n"
        "function known_raw\n nop\n int3\n nop\n nop\n int3\n done known_raw\n");

static void *second(void *stop) {
  for (int n = 0; n < 50 || !__atomic_load_n((int *)stop, __ATOMIC_ACQUIRE); n++) known_four();
  return NULL;
}

static long make_thread(void) {
  pthread_t thread;
  int stop = 1;
  if (pthread_create(&thread, NULL, second, &stop)) return 1;
  return pthread_join(thread, NULL);
}

static long ask_kernel(void) {
  return getppid();
}

int main(int argc, char **argv) {
  (void)argv;
  static long word;
  static char bytes[64];
  int stop = 0;
  pthread_t thread;
  if (pthread_create(&thread, NULL, second, &stop)) return 1;
  for (long i = 1; i <= 5; i++) {
    known_loop(10 * i);
    known_rep(bytes);
    known_lock(&word);
    known_inner();
    WEFT_COUNT_BEGIN(3);
    __asm__ volatile("nop\nnop\nnop");
    WEFT_COUNT_END(3);
  }
  known_call(ask_kernel);
  __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
  if (pthread_join(thread, NULL)) return 1;
  known_call(make_thread);
  pid_t child = fork(); // has our text and must not meet a breakpoint
  if (child == 0) {
    known_inner();
    _exit(7);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 7) return 2;
  if (system("exit 3") != 3 << 8) return 3; // a vfork that shares it
  void *library = dlopen("libm.so.6", RTLD_NOW);
  double (*root)(double) = library ? (double (*)(double))dlsym(library, "cbrt") : NULL;
  if (!root || root(0.0) != 0.0) return 4;
  if (argc > 1) known_raw();                       // ends the program unless somebody counts
  return waitpid(-1, NULL, WNOHANG) == -1 ? 5 : 6; // the tracer is no child of ours
}
#else
int main(void) {
  return 77;
}
#endif
