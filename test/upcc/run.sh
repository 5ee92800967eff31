# Compile a UPC program in several ways and run each on one node and on two pretended ones:
#   run.sh NAME [dynamic | static | both]
# The program prints nothing but errors and ends with 0.
. "$(dirname "$0")/common.sh"
kinds=${2:-both}
one() { # LABEL NP NODES OPTIONS...
  label=$1 np=$2 nodes=$3
  shift 3
  [ "$NAME" = bulk ] && set -- "$@" -Wc,-DWEFT_UPC_PIECE=4096 # several pieces in short loops
  "$UPCC" "$@" -Wall -Wextra -Wno-unused -Wunused-value -Wno-old-style-definition -Wno-unknown-warning-option -Wno-deprecated-non-prototype -Werror -I"$here" "$here/$NAME.upc" -o "$work/program" ||
    fail "$NAME $label: it does not compile"
  for way in "" "--nodes $nodes"; do
    [ "$way" ] && [ "$np" -lt 2 ] && continue
    # shellcheck disable=SC2086
    "$WEFTRUN" -n "$np" $way "$work/program" >"$work/out" 2>&1 </dev/null ||
      { head -20 "$work/out"; fail "$NAME $label, $np threads $way"; }
    [ ! -s "$work/out" ] || { head -20 "$work/out"; fail "$NAME $label, $np threads $way: it prints"; }
  done
}
NAME=$1
if [ -n "$UPCC_SANITIZED" ]; then # their code takes five times as long to compile
  one "dynamic -O1" 3 2 -O1
  exit 0
fi
if [ "$kinds" != static ]; then
  one "dynamic -O0" 1 2 -O0
  one "dynamic -O2" 3 2 -O2
fi
if [ "$kinds" != dynamic ]; then one "static -O2" 4 2 -T=4 -O2; fi
if command -v clang >/dev/null; then
  WEFT_CC=clang
  export WEFT_CC
  if [ "$kinds" != static ]; then one "clang -O2" 2 2 -O2; fi
  if [ "$kinds" != dynamic ]; then one "clang static -O0" 3 3 -T=3 -O0; fi
fi
exit 0
