# Every line of errors.upc and operands.upc that ends with a comment E, D (dynamic only) or S (static only) has an error, W a
# warning, and no other line has one; the message has gcc's form, and its column is gcc's for the same slip.
. "$(dirname "$0")/common.sh"
check() { # FILE KIND OPTIONS...
  file=$1 kind=$2
  shift 2
  "$UPCC" "$@" -c "$here/$file.upc" -o "$work/out.o" >"$work/log" 2>&1 && fail "$file.upc compiles"
  grep -n "/\* [E$kind] \*/" "$here/$file.upc" | cut -d: -f1 >"$work/wanted"
  sed -n "s/^[^ ]*$file\.upc:\([0-9]*\):[0-9]*: error: .*/\1/p" "$work/log" | sort -n -u >"$work/got"
  diff "$work/wanted" "$work/got" || fail "$file ($kind): < is missing, > is too much"
  grep -n "/\* W \*/" "$here/$file.upc" | cut -d: -f1 >"$work/wanted"
  sed -n "s/^[^ ]*$file\.upc:\([0-9]*\):[0-9]*: warning: .*/\1/p" "$work/log" | sort -n -u >"$work/got"
  diff "$work/wanted" "$work/got" || fail "warnings of $file ($kind): < is missing, > is too much"
  grep -q trans.c "$work/log" && fail "a message from generated code"
}
check errors D
check errors S -T=4
check operands D

printf 'int f(int a) {\n\treturn a  +   ;\n}\n' >"$work/slip.c"
gcc -c "$work/slip.c" -o "$work/out.o" 2>"$work/gcc"
"$UPCC" -c "$work/slip.c" -o "$work/out.o" 2>"$work/upcc"
ours=$(sed -n 's/^.*slip.c\(:[0-9]*:[0-9]*: error\).*/\1/p' "$work/upcc")
theirs=$(sed -n 's/^.*slip.c\(:[0-9]*:[0-9]*: error\).*/\1/p' "$work/gcc" | head -n 1)
[ -n "$ours" ] && [ "$ours" = "$theirs" ] || fail "the place is $ours, gcc's is $theirs"

# C's own errors are the compiler's, at the user's line.
printf '#include <upc.h>\nshared int x;\nint main(void) {\n  x = 1;\n  return undeclared;\n}\n' >"$work/c.upc"
"$UPCC" -c "$work/c.upc" -o "$work/out.o" 2>"$work/log" && fail "an undeclared name compiles"
grep -q 'c.upc:5:.*undeclared' "$work/log" || fail "an undeclared name: no message at its line"
printf '#include <upc.h>\nshared int x;\n\nshared int *p[] = {&x,\n  undeclared};\nint main(void) { return 0; }\n' >"$work/c.upc"
"$UPCC" -c "$work/c.upc" -o "$work/out.o" 2>"$work/log" && fail "an undeclared name in an initialiser compiles"
grep -q 'c.upc:[45]:.*undeclared' "$work/log" || { cat "$work/log"; fail "an initialiser that runs at start: no message at its line"; }
printf '#include <upc.h>\nshared __attribute__((vector_size(16))) int v[THREADS] = {{1}};\n' >"$work/c.upc"
"$UPCC" -c "$work/c.upc" -o "$work/out.o" 2>&1 | grep -q 'c.upc:2:.*give their type a name' || fail "vectors by an attribute, initialised"
printf '#include <upc.h>\nshared int x;\nint main(void) {\n  return _Generic(&x, int *: 1, unsigned long: 2);\n}\n' >"$work/c.upc"
"$UPCC" -c "$work/c.upc" -o "$work/out.o" 2>&1 | grep -q "c.upc:4:.*no association with the type 'shared int" || fail "_Generic of a pointer-to-shared"
# Block sizes that only the compiler can compare: its message, at the line (trap 44); THREADS in #if (trap 20).
for slip in 'p = q;' 'if (p == q) return 1;' 'p = q + 0;'; do
  printf '#include <upc.h>\nstruct s { int a[3]; };\nshared [sizeof(struct s)] int *p;\nshared [10] int *q;\nint f(void) {\n  if (!p) return 0;\n  %s\n  return 2;\n}\n' "$slip" >"$work/blocks.upc"
  "$UPCC" -c "$work/blocks.upc" -o "$work/out.o" 2>"$work/log" && fail "block sizes 12 and 10: $slip compiles"
  grep -q 'blocks.upc:7:.*two different block sizes' "$work/log" || { cat "$work/log"; fail "$slip: no message at its line"; }
  sed -i 's/\[10\]/[12]/' "$work/blocks.upc"
  "$UPCC" -Werror -c "$work/blocks.upc" -o "$work/out.o" || fail "block sizes 12 and 12: $slip"
done
# What a static's initialiser names goes to file scope with it when the function is parsed again: a type that has an
# automatic variable in it cannot, and warnings come once.
cat >"$work/again.upc" <<'END'
#include <upc.h>
int f(int n) {
  typedef int row[n];
  static int one;
  static struct { int threads, *a; long size; } two = {THREADS, &one, sizeof(row)};
  upc_forall (int i = 0; i < 3; i++; i) { if (i) break; }
  return *two.a;
}
END
"$UPCC" -c "$work/again.upc" -o "$work/out.o" 2>"$work/log" && fail "a static with an automatic variable"
grep -q "again.upc:3:.*'n' is of this function" "$work/log" || { cat "$work/log"; fail "an automatic variable: no message at its line"; }
[ "$(grep -c 'warning:' "$work/log")" -eq 1 ] || { cat "$work/log"; fail "a warning comes twice"; }
# Structures that are defined among parameters: only with gcc's warning that nothing else can have their type.
cat >"$work/parameters.upc" <<'END'
#include <upc.h>
int f(shared int *p, struct { int a; } *q, enum { ONE, TWO } e) { shared [TWO + 1] int *r = 0; return p[2] + q->a + (e == TWO) + upc_blocksizeof(*r); }
int g(shared struct kind { int a; shared int *b; } *p, struct kind k) { struct kind m = p[1]; k = m; return *m.b; }
int h(p, n) int n; shared struct { int a; } *p; { return p[n].a; }
int k(p, n) int n; shared struct kind { struct kind *b; int a; } *p; { struct kind k = p[n], m = {&k, k.a}; return m.a; }
struct kind { int other; } other;
END
for compiler in gcc clang; do
  command -v $compiler >/dev/null || continue
  WEFT_CC=$compiler "$UPCC" -w -c "$work/parameters.upc" -o "$work/out.o" ||
    fail "structures that are defined among parameters, $compiler"
done
printf '#include <upc.h>\n#if THREADS > 2\n#endif\nint main(void) { return 0; }\n' >"$work/if.upc"
"$UPCC" -c "$work/if.upc" -o "$work/out.o" 2>&1 | grep -q 'if.upc:2:.*THREADS' || fail "THREADS in #if: no warning"
"$UPCC" -pedantic-errors -c "$here/access.upc" -I"$here" -o "$work/out.o" 2>&1 | grep -q 'implementation-defined' ||
  fail "-pedantic-errors: an initialised shared array passes"
"$UPCC" -pedantic-errors -c "$here/layout.upc" -I"$here" -o "$work/out.o" || fail "-pedantic-errors: nothing is wrong"
"$UPCC" -pedantic -Werror -c "$here/layout.upc" -I"$here" -o "$work/out.o" || fail "-pedantic -Werror: nothing is wrong"
printf '#include <upc.h>\nint main(void) { return sizeof(void); }\n' >"$work/c.upc"
"$UPCC" -pedantic-errors -c "$work/c.upc" -o "$work/out.o" 2>"$work/log" && fail "-pedantic-errors: sizeof(void) passes"
grep -q 'c.upc:2:' "$work/log" || { cat "$work/log"; fail "sizeof(void): no message at its line"; }
exit 0
