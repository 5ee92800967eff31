# The driver: where it stops, what it refuses, settings that do not fit together, options of other compilers.
. "$(dirname "$0")/common.sh"
cd "$work" || exit 1
cat >a.upc <<'END'
#include <upc.h>
#include <stdio.h>
extern shared int x;
int get(void) { return x; } /* kept */
END
cat >b.upc <<'END'
#include <upc.h>
shared int x = 3;
int get(void);
int plain(void);
int main(void) { return get() + plain() - 7; }
END
echo 'int plain(void) { return 4; }' >plain.i
"$UPCC" -c a.upc && [ -s a.o ] || fail "-c"
"$UPCC" -S a.upc && [ -s a.s ] || fail "-S"
"$UPCC" -E a.upc | grep -q 'shared int x' || fail "-E"
"$UPCC" -trans a.upc && grep -q '#include <weft/upc_access.h>' a.trans.c || fail "-trans"
"$UPCC" -c a.trans.c -o a2.o && [ -s a2.o ] || fail "a .trans.c"
"$UPCC" -save-temps -c a.upc -o kept.o && [ -s a.i ] || fail "-save-temps"
"$UPCC" a.upc b.upc plain.i -o program -O1 -network=smp -pthreads=2 -shared-heap=64 -Wl,--as-needed || fail "a link"
"$WEFTRUN" -n 2 ./program || fail "the program"
"$UPCC" -show a.upc | grep -q -- '-lweft' || fail "-show"
"$UPCC" -show -DTEXT='"it'"'"'s"' a.upc -o 'o 1' >shown && grep -qF -- " '-DTEXT=\"it'\\''s\"' " shown && grep -q " -o 'o 1'" shown ||
  fail "-show: quotes"
"$UPCC" -show a.upc -shared-heap=2T | grep -q 'default_heap=2199023255552 ' || fail "-shared-heap=2T"
! "$UPCC" -show a.upc -shared-heap=12x >/dev/null 2>&1 || fail "-shared-heap=12x"
"$UPCC" -version | grep -q 'UPC 1.3' || fail "-version"
"$UPCC" -T=2 -c b.upc -o b2.o && "$UPCC" -T 4 -c a.upc -o a4.o && "$UPCC" -fupc-threads-4 -c b.upc -o b4.o || fail "-T"
# Assembly, the standard input, rules of make, arguments in a file, no object at all.
rm -f a.o && "$UPCC" -c a.s && [ -s a.o ] || fail "-c of assembly"
printf '#include "seven.h"\n.globl plain\nplain: mov $(SEVEN - 3), %%eax\nret\n' >seven.S && echo '#define SEVEN 7' >seven.h
if [ "$(uname -m)" = x86_64 ]; then
  "$UPCC" a.upc b.upc seven.S -o seven 2>/dev/null && "$WEFTRUN" -n 2 ./seven || fail "a link with assembly"
fi
"$UPCC" -E seven.S | grep -q 'mov $(7 - 3)' && "$UPCC" -S seven.S -o seven.s && [ -s seven.s ] || fail "-E, -S of assembly"
"$UPCC" -M seven.S >rules && grep -q '^seven.o:' rules && grep -q 'seven\.h' rules || fail "-M of assembly"
"$UPCC" -MM a.upc seven.S >rules && grep -q '^a.o:' rules && grep -q '^seven.o:' rules || fail "-MM of both"
rm -f seven.o && "$UPCC" -fsyntax-only seven.S 2>/dev/null
[ ! -e seven.o ] || fail "-fsyntax-only of assembly"
"$UPCC" -c -x c - -o in.o <a.upc && [ -s in.o ] || fail "the standard input"
"$UPCC" -E - <a.upc | grep -q 'shared int x' || fail "-E of the standard input"
"$UPCC" -M a.upc | grep -q 'a.o:.* a.upc.*' && "$UPCC" -MM -c a.upc -MF a.d && grep -q 'a.o: a.upc' a.d || fail "-M, -MM"
printf -- '-c a.upc\n-o\tlisted.o' >list && "$UPCC" @list && [ -s listed.o ] || fail "@file"
printf '"-DTEXT=\\"a b\\"" -o '"'quoted 1.o' "'@inner\\ list' >list && echo '-c text.upc -DA\ B=1 ""' >'inner list'
echo 'char text[] = TEXT, one[sizeof text == 4 ? 1 : -1];' >text.upc
"$UPCC" -show @list >shown && grep -q 'DA B=1' shown || fail "@file: quotes"
sed -i 's/-DA.*//' 'inner list' && "$UPCC" @list && [ -s 'quoted 1.o' ] || fail "@file in @file"
echo @loop >loop
"$UPCC" -C -E a.upc | grep -q kept && "$UPCC" -C -c a.upc -o commented.o || fail "-C"
"$UPCC" -fsyntax-only b.upc a.upc -DX && [ ! -e b.o ] && [ ! -e a.out ] || fail "-fsyntax-only"
(mkdir rules.d && cd rules.d && "$UPCC" -fsyntax-only -MMD ../a.upc && [ "$(ls)" = a.d ] && grep -q '^a.o: ../a.upc' a.d) || fail "-fsyntax-only -MMD"
(cd rules.d && "$UPCC" -MMD ../a.upc ../b.upc ../plain.i -o p && [ "$(echo *)" = 'a.d b.d p' ]) || fail "-MMD of a program"
printf '#undef linux\n#undef unix\n#include <upc.h>\nstatic int linux, unix;\nint main(void) { return linux + unix; }\n' >names.upc
"$UPCC" names.upc -o names && "$WEFTRUN" -n 2 ./names || fail "names that are macros at first"
mkdir p q # a header in the source's own folder, which -I names too, and what it includes: none is a system header
echo 'extern shared int x;' >q/q.h && echo '#include <q.h>' >p/p.h
printf '#include <upc.h>\n#include <p.h>\nint get(void) { return x; }\n' >p/p.upc
for folder in -Ip "-I $work/p"; do
  # shellcheck disable=SC2086
  "$UPCC" $folder -Iq -c p/p.upc -o p.o || fail "$folder"
done
(cd p && "$UPCC" -I. -I../q -c p.upc) || fail "-I."
# main in other ways: with its parameters' types behind them, declared in a function, kept of a whole program.
printf '#include <upc.h>\nmain(argc, argv) char **argv; { return argc - 1 + !argv[0]; }\n' >kr.upc
printf '#include <upc.h>\nstatic int again(void) { int main(void); return THREADS ? 0 : main(); }\nint main(void) { return again(); }\n' >local.upc
for file in kr local; do
  for how in "" -std=c99 "-O2 -fwhole-program"; do # gcc 14 takes main without a type only if it is told to
    # shellcheck disable=SC2086
    WEFT_CC=gcc "$UPCC" -w -Wno-implicit-int $how $file.upc -o $file && "$WEFTRUN" -n 2 ./$file || fail "$file.upc $how"
  done
done
# Older C: inline is gnu89's, and the last member has no semicolon.
cat >old.upc <<'END'
#include <upc.h>
struct s { shared int *p; int n }; // a comment
shared struct s x[THREADS];
extern inline int twice(int n) { return 2 * n; }
int main(void) { int i; upc_forall (i = 0; i < THREADS; i++; &x[i]) x[i].n = twice(i); upc_barrier; return x[0].n; }
int twice(int n) { return n + n; }
END
for standard in "-std=c89" "-std=c11 -std=gnu89" -std=iso9899:1990 "-Wc,-std=gnu89"; do
  # shellcheck disable=SC2086
  "$UPCC" -w $standard old.upc -o old && "$WEFTRUN" -n 2 ./old || fail "$standard"
done
refused() { # WORD COMMAND...
  word=$1
  shift
  "$@" >log 2>&1 && fail "accepted: $*"
  grep -q -- "$word" log || { cat log; fail "$*: the message does not say $word"; }
}
refused '-T=2' "$UPCC" a.o b2.o plain.i -o bad
refused '-T=' "$UPCC" a4.o b2.o plain.i -o bad
[ "$(wc -l <log)" -eq 1 ] || fail "settings that differ: more than one line"
"$UPCC" -fupc-packed-bits=16,12,36 -c b.upc -o wide.o || fail "-fupc-packed-bits"
refused 'bits' "$UPCC" a.o wide.o plain.i -o bad
echo '#include <upc.h>
extern shared int x[3 * THREADS]; int f(void) { return x[0]; }' >three.upc
echo '#include <upc.h>
shared int x[2 * THREADS]; int main(void) { return 0; }' >two.upc
sed 's/3/2/' three.upc >again.upc
echo 'int main(void) { return 0; }' >lto.c
for compiler in gcc clang; do
  for flag in -O1 -flto -fPIC; do
    "$compiler" $flag -c lto.c -o lto.o 2>/dev/null && "$compiler" $flag lto.o -o lto 2>/dev/null || continue
    WEFT_CC=$compiler "$UPCC" -w $flag two.upc again.upc -o same && "$WEFTRUN" -n 2 ./same || fail "$compiler $flag: one array in two files"
    WEFT_CC=$compiler refused 'elements_of_x' "$UPCC" -w $flag two.upc three.upc -o bad
  done
done
echo 'int f( { return 0; }' >wrong.upc
rm -f a.o
refused 'wrong.upc' "$UPCC" -c wrong.upc a.upc # the other one is compiled all the same
[ -s a.o ] && ! grep -q a.i log || { cat log; fail "a file beside a wrong one"; }
refused 'C++' "$UPCC" -c x.cc
refused 'no input files' "$UPCC" -c
refused 'name one another' "$UPCC" @loop
refused 'wrong.upc' "$UPCC" -fsyntax-only wrong.upc
refused 'nothere.upc' "$UPCC" -c nothere.upc
refused 'threads' "$UPCC" -T=0 -c a.upc
refused 'sum of 64' "$UPCC" -fupc-packed-bits=10,10,10 -c a.upc
refused '33 to 47' "$UPCC" -fupc-packed-bits=12,20,32 -c a.upc
"$UPCC" -fupc-packed-bits=8,23,33 -T=2 b.upc plain.i -o least a.upc && "$WEFTRUN" -n 2 ./least || fail "33 bits of offset"
echo 'int plain(void) { return ONE + THREE; }' >plain.c
"$UPCC" '-Wc,-DONE=1 -O2  -DTHREE=3' -Wc, a.upc b.upc plain.c -o words && "$WEFTRUN" -n 2 ./words || fail "-Wc, of several words"
printf '#include <complex.h>\n#define L 1\n#define D 2\n#include <upc.h>\n#include <upc_collective.h>\nint main(void) { return 0; }\n' >short.upc
"$UPCC" short.upc -o short || fail "macros of the names I, L and D"
UPCC_FLAGS=-T=3 "$UPCC" -trans a.upc -o t3.trans.c && grep -q 'STATIC_THREADS 3' t3.trans.c || fail "UPCC_FLAGS"
UPCC_FLAG=-T=3 "$UPCC" -c a.upc -o sub.o 2>&1 | grep -q 'UPCC_FLAG is not .* UPCC_FLAGS' || fail "UPCC_FLAG"
"$UPCC" -MD -MF a.d -c a.upc -o sub.o && grep -q '^sub.o:.*a.upc' a.d || fail "-MD -MF"
mkdir tmp && TMPDIR=$work/tmp "$UPCC" a.upc b.upc plain.i -o program && [ -z "$(ls tmp)" ] || fail "temporary files are left"
exit 0
