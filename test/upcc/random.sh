# Programs that csmith wrote, with their global variables made shared (share_globals.py): the last of three threads gets the
# checksum that gcc's C program has: by gcc or clang, on one node or three, some with WEFT_CHECK=1. A version of csmith writes the same ones each time.
#   random.sh [PROGRAMS [SEED]]
. "$(dirname "$0")/common.sh"
programs=${1:-5} seed=${2:-6}
include=/usr/include/csmith
for command in csmith gcc clang python3; do
  command -v $command >/dev/null || { echo "no $command"; exit 77; }
done
cd "$work" || exit 1 # csmith leaves a file where it runs

keep() { # WHAT
  cp "$work/random.c" "$work/random.upc" "${TMPDIR:-/tmp}"
  fail "seed $seed, $mode, $WEFT_CC $way, $nodes nodes: $1; see ${TMPDIR:-/tmp}/random.upc"
}
# One program. Many do not end, and csmith takes a local's address now and then: those are left out.
compare() {
  # shellcheck disable=SC2086
  csmith --seed "$seed" $options --no-argc --max-funcs 6 --max-block-size 4 >"$work/random.c" || fail "csmith, seed $seed"
  gcc -w -O1 -fwrapv -I$include "$work/random.c" -o "$work/random" || fail "gcc, seed $seed"
  wanted=$(timeout 5 "$work/random") || return 0
  python3 "$here/share_globals.py" "$mode" "$seed" <"$work/random.c" >"$work/random.upc" || fail "share_globals.py, seed $seed"
  # shellcheck disable=SC2086
  if ! "$UPCC" -w -fwrapv $way -I$include "$work/random.upc" -o "$work/shared" 2>"$work/log"; then
    [ $mode != pointers ] || ! grep -q 'from a pointer-to-local' "$work/log" || return 0
    keep "$(head -1 "$work/log")"
  fi
  found=$(timeout 100 "$WEFTRUN" -n 3 --nodes $nodes "$work/shared" </dev/null) || keep "it ended with $?"
  [ "$found" = "$wanted" ] || keep "$found, not $wanted"
  compared=$((compared + 1))
  echo "seed $seed, $mode, $WEFT_CC $way, $nodes nodes: $found"
}
last=$((seed + programs)) compared=0
while [ "$seed" -lt $last ]; do
  way="-O$((seed % 4))" options=--no-pointers nodes=1 WEFT_CC=gcc WEFT_CHECK=0
  case $((seed % 3)) in
  0) mode=pointers options="--max-pointer-depth 3 --no-addr-taken-of-locals" ;;
  1) mode=whole ;;
  2) mode=blocks way="$way -T=3" ;;
  esac
  [ $((seed % 4)) -ne 0 ] || nodes=3
  [ $((seed % 5)) -ne 0 ] || WEFT_CC=clang
  [ $((seed % 7)) -ne 0 ] || WEFT_CHECK=1
  export WEFT_CC WEFT_CHECK
  compare
  seed=$((seed + 1))
done
[ $((2 * compared)) -ge "$programs" ] || fail "only $compared of $programs programs were compared"
exit 0
