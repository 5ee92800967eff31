# Shared statics of a shared library: its own (equal names of two files are two objects), one that the
# program defines, and one that both declare where the program is compiled with -fPIC too.
. "$(dirname "$0")/common.sh"
cd "$work" || exit 1
for which in one two; do
  mkdir $which
  cat >$which/part.upc <<END
#include <upc.h>
static shared int turns = $(printf $which | wc -c), parts[2 * THREADS] = {5, 6};
shared [3] double ${which}[3 * THREADS][2], ${which}[3 * THREADS][2]; /* C allows that, tentatively */
extern shared int common[2 * THREADS], total;
extern shared [] int nobodys[100 * 1000 * 1000]; /* nor used */
int ${which}_next(int thread) {
  static shared int calls[THREADS];
  upc_barrier;
  calls[(thread + 1) % THREADS]++;
  ${which}[MYTHREAD][1] += parts[0] + parts[1];
  common[MYTHREAD] += 10;
  if (thread == 0) total++;
  if (thread == 0) turns++;
  upc_barrier;
  return calls[thread] * 100 + turns;
}
END
done
cat >main.upc <<'END'
#include <upc.h>
#include <stdio.h>
int one_next(int thread), two_next(int thread);
OTHERS
shared int common[2 * THREADS] = {1}, total;
static shared int turns = 50;
int main(void) {
  int next = (MYTHREAD + 1) % THREADS;
  if (one_next(MYTHREAD) != 104 || one_next(MYTHREAD) != 205 || two_next(MYTHREAD) != 104 || turns != 50) return 1;
  if (common[next] != 30 + (next == 0) || common[THREADS + next] != 0 || total != 3 LOOK) return 2;
  return 0;
}
END
for which in one two; do
  "$UPCC" -O1 -fPIC -shared $which/part.upc -o lib$which.so || fail "lib$which.so"
done
run() { # LABEL OPTIONS...
  label=$1
  shift
  "$UPCC" "$@" -Wl,-rpath,"$work" -L. -lone -ltwo -o program || fail "$label: the program"
  "$WEFTRUN" -n 3 ./program || fail "$label: status $?"
  "$WEFTRUN" -n 3 --nodes 2 ./program || fail "$label on two nodes: status $?"
}
sed 's/OTHERS//; s/LOOK//' main.upc >own.upc
run "the program's own" own.upc
sed 's/OTHERS/extern shared [3] double one[3 * THREADS][2];/; s/LOOK/|| one[next][1] != 22/' main.upc >both.upc
run "both with -fPIC" -fPIC both.upc
"$UPCC" -T=2 -fPIC -shared one/part.upc -o libone.so || fail "static"
"$WEFTRUN" -n 2 ./program >log 2>&1 && fail "a library of another -T"
grep -q 'compiled with' log || { cat log; fail "another -T: the message"; }

# Tentative in an object for a library and in one of the program's, in either order; one that is nobody's.
cat >half.upc <<'END'
#include <upc.h>
shared int halves[2 * THREADS];
shared volatile int scalar;
int half(void) { return halves[THREADS] + scalar; }
END
cat >whole.upc <<'END'
#include <upc.h>
int half(void);
shared int halves[2 * THREADS];
shared volatile int scalar;
int main(void) {
  if (MYTHREAD == 0) halves[THREADS] = 3, scalar = 4;
  upc_barrier;
  return half() - 7;
}
END
"$UPCC" -fPIC -c half.upc && "$UPCC" half.o whole.upc -o halves && "$UPCC" -Wcast-qual -Werror whole.upc half.o -o whole || fail "half.upc, whole.upc"
for program in halves whole; do "$WEFTRUN" -n 3 --nodes 2 ./$program || fail "tentative with -fPIC and without, $program: status $?"; done
sed 's/^shared/extern &/' whole.upc >nobodys.upc
"$UPCC" -fPIC nobodys.upc one/part.upc -o none >log 2>&1 && fail "objects that no file defines, -fPIC"
grep -q 'undefined reference to .weft_upc_at_scalar' log || { cat log; fail "objects that no file defines, -fPIC: the message"; }

# Arrays that a file declares without a size: big ones of another file, or of a library, and small ones; one that nobody defines.
cat >sizes.h <<'END'
#include <upc.h>
extern shared [] int big[];
extern shared int cyclic[], small[];
extern shared [3] char pairs[][2];
extern shared double nobodys[]; /* nor is it used, but by what nobody calls */
static inline double dead(int i) { return nobodys[i]; }
static inline double left_out(void) { return dead(sizeof nobodys[0]) + nobodys[1]; }
enum { WIDTH = sizeof nobodys[0] + sizeof(__typeof__(nobodys[0])) };
END
cat >big.upc <<'END'
#include "sizes.h"
shared [] int big[40000000];
shared int cyclic[20000000 * THREADS], small[2 * THREADS];
END
cat >open.upc <<'END'
#include "sizes.h"
static int early(void) { return pairs[2][1]; }
shared [3] char pairs[9 * THREADS][2] = {[2] = {1, 7}};
static shared int own[3 * THREADS] = {1};
extern shared [] int filled[] = {3, 4};
static int inside(void) {
  extern shared int own[], small[];
  extern shared [] int big[];
  return big[30000000] + small[THREADS] * own[0];
}
static int loops(void) {
  int sum = 0;
  upc_barrier;
  upc_forall (int i = 0; i < 9; i++; &cyclic[i]) cyclic[i] = small[0] * 0 + i;
  upc_forall (int i = 0; i < 9; i++; &cyclic[i])
    upc_forall (int k = i; k <= i; k++; &cyclic[k]) cyclic[k] += cyclic[i] - i + 1;
  upc_forall (int i = 0; i < 9; i++; &cyclic[i]) sum += cyclic[i] - i - 1;
  return sum;
}
int main(void) {
  shared [] int *p = &big[1];
  if (MYTHREAD == THREADS - 1) big[30000000] = cyclic[5] = small[THREADS] = 3;
  upc_barrier;
  return p[29999999] + cyclic[5] + inside() - 12 || filled[1] != 4 || loops() || early() + pairs[2][1] != 14 || upc_threadof(&cyclic[5]) != 5 % THREADS;
}
END
"$UPCC" -fPIC -shared big.upc -o libbig.so && "$UPCC" -c big.upc && ar rc libarchive.a big.o || fail "big.upc"
"$UPCC" -Wall -Werror open.upc -L. -larchive -o first && "$UPCC" -O1 big.o open.upc -o second &&
  "$UPCC" open.upc -Wl,-rpath,"$work" -L. -lbig -o third || fail "open.upc"
for program in first second third; do "$WEFTRUN" -n 3 --nodes 2 ./$program || fail "arrays of unknown size, $program: status $?"; done
"$UPCC" open.upc -o none >log 2>&1 && fail "arrays that no file defines"
grep -q 'undefined reference to .weft_upc_at_cyclic' log || { cat log; fail "arrays that no file defines: the message"; }

# Opened when the program runs already: a library without shared statics works, also one that names the program's; one
# with them is one line.
cat >late.upc <<'END'
#include <upc.h>
int late(shared int *p) { return p[1] + THREADS; }
END
cat >names.upc <<'END'
#include <upc.h>
extern shared int x[];
int late(shared int *p) { return x[1] + THREADS + (p != &x[0]); }
END
cat >open.upc <<'END'
#include <dlfcn.h>
#include <upc.h>
shared int x[2 * THREADS] = {1, 40};
int main(int argc, char **argv) {
  void *library = dlopen(argv[argc - 1], RTLD_NOW);
  int (*late)(shared int *) = (int (*)(shared int *))dlsym(library, "late");
  return late(x) - 40 - THREADS;
}
END
"$UPCC" -fPIC -shared late.upc -o liblate.so && "$UPCC" open.upc -rdynamic -ldl -o open || fail "late.upc, open.upc"
"$UPCC" -fPIC -shared names.upc -o libnames.so || fail "names.upc"
for library in late names; do "$WEFTRUN" -n 2 ./open ./lib$library.so || fail "a library that is opened, $library: status $?"; done
sed 's/^int/static shared int turns = 3; &/; s/THREADS/turns/' late.upc >statics.upc
"$UPCC" -fPIC -shared statics.upc -o libstatics.so || fail "statics.upc"
"$WEFTRUN" -n 2 ./open ./libstatics.so >log 2>&1 && fail "static shared data that come late"
grep -q 'static shared data was loaded after the program had started' log || { cat log; fail "late: the message"; }
exit 0
