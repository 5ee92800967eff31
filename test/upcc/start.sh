# How programs start: upcrun and its options, by themselves, with other widths of pointers; variables of Berkeley's.
. "$(dirname "$0")/common.sh"
cd "$work" || exit 1
PATH=$WEFT_BUILD/bin:$PATH
cat >who.upc <<'END'
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
shared int seen[THREADS];
int main(int argc, char **argv) {
  seen[MYTHREAD] = argc;
  upc_barrier;
  if (MYTHREAD == THREADS - 1) {
    printf("%d threads, %d arguments", THREADS, seen[0] - 1);
    for (int i = 1; i < argc; i++) printf(" %s", argv[i]);
    printf(", heap %s, last %s\n", getenv("UPC_SHARED_HEAP_SIZE") ? getenv("UPC_SHARED_HEAP_SIZE") : "-", upc_alloc(1000) ? "yes" : "no");
  }
  return 0;
}
END
# Tools that ask for calls at functions hear of the program's only.
cat >calls.upc <<'END'
#include <stdio.h>
#include <upc.h>
shared int x[THREADS] = {0}, *const p = &x[0];
__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *f, void *from) { puts("enter"); }
__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *f, void *from) {}
int main(void) { x[MYTHREAD] = 1; upc_barrier; return *p - 1; }
END
"$UPCC" -O2 -finstrument-functions calls.upc -o calls && [ "$(./calls)" = enter ] || fail "calls.upc"
"$UPCC" who.upc -o dynamic && "$UPCC" -T=3 who.upc -o static || fail "who.upc"
"$UPCC" -fupc-packed-bits=16,12,36 -T=2 who.upc -o wide || fail "wide"
says() { # TEXT COMMAND...
  text=$1
  shift
  "$@" >log 2>&1 </dev/null || { cat log; fail "$*: a status"; }
  grep -q -- "$text" log || { cat log; fail "$*: not '$text'"; }
}
refuses() { # TEXT COMMAND...
  text=$1
  shift
  "$@" >log 2>&1 </dev/null && fail "accepted: $*"
  grep -q -- "$text" log || { cat log; fail "$*: not '$text'"; }
}
says '^2 threads, 2 arguments a -x' upcrun -n 2 ./dynamic a -x
says '^3 threads, 0 arguments' upcrun -q ./static
says '^3 threads, 1 arguments -n' upcrun -N 2 -- ./static -n
says '^2 threads' ./dynamic -n 2
says '^2 threads, 1 arguments b' ./dynamic -fupc-threads-2 b
says '^3 threads, 1 arguments c' ./static c
says '^2 threads' ./wide
says 'heap 64,' upcrun -np 2 -shared-heap 64 -c 2 -pthreads=4 -bind-threads -polite-sync -norc -network smp ./dynamic
says 'heap 16MB,' upcrun --shared-heap=16MB -nodes 2 -n=2 -notrace -backtrace ./dynamic
says 'weftrun.* -n 4 .*\./dynamic a' upcrun -t -n 4 ./dynamic a
says 'weftrun.* -n 4 --nodes 2 ' env hosts=a upcrun -t -n 4 -N 2 ./dynamic
says 'weftrun.* -n 4 --netns a,b ' upcrun -t -n 4 -netns a,b ./dynamic
says 'weftrun.* -n 4 --hosts a,b ' upcrun -t -n 4 -hosts a,b,c -N 2 ./dynamic
says "weftrun.* -- ./dynamic 'a b' '\*' ''$" upcrun -t -n 4 ./dynamic 'a b' '*' ''
says "weftrun.* -n 4 --trace '\*' " upcrun -t -n 4 -tracefile '*' ./dynamic
says 'static THREADS: 3' upcrun -i ./static
says '16 bits of thread, 12 of phase, 36' upcrun -i ./wide
says '^2 threads' env UPCRUN_FLAGS='-n 2 -q' upcrun ./dynamic
says 'upcrun' upcrun -h
says '^2 threads' env UPC_QUIET=1 UPC_POLITE_SYNC=1 UPC_NO_WARN=1 UPC_SHARED_HEAP_SIZE=32 upcrun -n 2 ./dynamic
upcrun -n 2 -tracefile "$work/trace.json" ./dynamic >log 2>&1 && [ -s trace.json ] || fail "-tracefile"
upcrun -tracefile "$work/a b.json" ./static >log 2>&1 && [ -s 'a b.json' ] || { cat log; fail "-tracefile with a blank"; }
refuses 'compiled for 3 threads' upcrun -n 2 ./static
refuses '^upcrun: unknown option -zz; see upcrun -help$' upcrun -zz ./static
refuses "^upcrun: cannot run 'nowhere': there is no such program$" upcrun nowhere
refuses '^upcrun: -N 2: with -hostfile ' upcrun -n 2 -N 2 -hostfile hosts ./dynamic
refuses '^upcrun: -N 3: -hosts names only 2 of them$' upcrun -n 4 -N 3 -hosts a,b ./dynamic
refuses '^upcrun: -N 99999999999999999999: not a number of nodes$' upcrun -n 4 -N 99999999999999999999 ./dynamic
refuses "^upcrun: UPCRUN_FLAGS may have options only, not '4'$" env UPCRUN_FLAGS='-v 4 -n' upcrun -n 2 ./dynamic
refuses 'how many threads' upcrun ./dynamic
refuses 'not a number of threads' upcrun -n x ./dynamic
refuses 'needs a value' upcrun -n
refuses 'UPC_SHARED_HEAP_SIZE=lots' env UPC_SHARED_HEAP_SIZE=lots upcrun -n 2 ./dynamic
for wrong in x 2 -1 1x; do
  refuses "UPC_FREEZE=$wrong: the number of a thread, from 0 to 1" timeout 60 env UPC_FREEZE=$wrong upcrun -n 2 ./dynamic
done
refuses 'UPC_FREEZE=2: the number' timeout 60 upcrun -n 2 -freeze=2 ./dynamic
"$UPCC" -fupc-packed-bits=16,12,36 -T=3 -O2 -w -I"$here" "$here/layout.upc" -o layout || fail "layout of 16,12,36"
upcrun -N 2 ./layout >log 2>&1 && [ ! -s log ] || { cat log; fail "layout of 16,12,36"; }
exit 0
