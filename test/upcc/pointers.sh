# Programs about pointers-to-shared that know their own results (pointers.py): 1 to 5 threads, dynamic and static, by
# gcc or clang, on one node or two, some with WEFT_CHECK=1 or clang's sanitizers.
#   pointers.sh [PROGRAMS [SEED]]
. "$(dirname "$0")/common.sh"
programs=${1:-2} seed=${2:-23}
for command in gcc clang python3; do
  command -v $command >/dev/null || { echo "no $command"; exit 77; }
done
keep() { # WHAT
  cp "$work/random.upc" "${TMPDIR:-/tmp}/pointers.upc"
  fail "seed $seed, $threads threads, $kind, $WEFT_CC $way, $nodes nodes: $1; see ${TMPDIR:-/tmp}/pointers.upc"
}
compare() {
  python3 "$here/pointers.py" "$seed" $threads $kind >"$work/random.upc" || fail "pointers.py, seed $seed"
  # shellcheck disable=SC2086
  "$UPCC" -w $way "$work/random.upc" -o "$work/program" 2>"$work/log" || keep "$(head -1 "$work/log")"
  timeout 100 "$WEFTRUN" -n $threads --nodes $nodes "$work/program" >"$work/log" 2>&1 </dev/null ||
    keep "$(head -1 "$work/log")"
  echo "seed $seed, $threads threads, $kind, $WEFT_CC $way, $nodes nodes"
}
last=$((seed + programs))
while [ "$seed" -lt $last ]; do
  threads=$((seed % 5 + 1)) kind=dynamic way="-O$((seed / 2 % 4))" nodes=1
  WEFT_CC=gcc WEFT_CHECK=0 ASAN_OPTIONS=detect_leaks=0
  [ $((seed / 5 % 2)) -eq 0 ] || kind=static way="$way -T=$threads"
  [ $((seed % 3)) -eq 0 ] || WEFT_CC=clang
  [ $((seed / 3 % 2)) -eq 0 ] || [ $threads -eq 1 ] || nodes=2
  [ $((seed % 7)) -ne 0 ] || WEFT_CHECK=1
  [ $WEFT_CC != clang ] || [ $((seed % 8)) -ne 0 ] ||
    way="$way -fsanitize=address,undefined -fno-sanitize-recover=undefined"
  export WEFT_CC WEFT_CHECK ASAN_OPTIONS
  compare
  seed=$((seed + 1))
done
exit 0
