# C23 (c23.upc): it translates whatever the compiler is, and runs where the compiler has it (seen with gcc 16 and clang 21).
. "$(dirname "$0")/common.sh"
cd "$work" || exit 1
for compiler in gcc clang; do
  command -v $compiler >/dev/null || continue
  export WEFT_CC=$compiler
  "$UPCC" -std=gnu2x -trans -I"$here" "$here/c23.upc" -o c23.trans.c || fail "$compiler: it does not translate"
  for text in 'int own = 2' ' weft_upc_ptr_t p = ' 'enum colour paint\[1\]' \
    'where = (weft_upc_ptr_t)0' 'unnamed((weft_upc_ptr_t)0,' 'unsigned _BitInt(37) wide\[1\]' 'int blocks\[3\]'; do
    grep -q -- "$text" c23.trans.c || fail "$compiler: no '$text'"
  done
  echo 'constexpr int n = 1; enum e : short; int f(int) { return n; } unsigned _BitInt(5) b;' >probe.c
  "$compiler" -std=gnu2x -fsyntax-only probe.c 2>/dev/null || continue
  for way in -O0 "-O2 -T=3"; do
    # shellcheck disable=SC2086
    "$UPCC" $way -std=gnu2x -I"$here" "$here/c23.upc" -o c23 || fail "$compiler $way: it does not compile"
    "$WEFTRUN" -n 3 ./c23 </dev/null || fail "$compiler $way"
  done
done
exit 0
