# Instructions of an access to this node's memory, from the function's first to its ret, at -O2. The compiler
# puts the way that stays on the node first.
. "$(dirname "$0")/common.sh"
[ "$(uname -m)" = x86_64 ] && [ -z "$UPCC_SANITIZED" ] || exit 77
compile() { # OPTIONS...
  WEFT_CC=gcc "$UPCC" -O2 -fno-asynchronous-unwind-tables -fcf-protection=none "$@" -S "$here/counts.upc" -o "$work/counts.s" || fail "counts.upc"
}
# The limits are those of gcc 12's code.
case $(gcc -dumpversion) in 12 | 12.*) status=1 ;; *) status=77 ;; esac
over=0
limit() { # FUNCTION MOST
  n=$(awk -v name="$1:" '$1 == name { on = 1; next } on && $1 !~ /^[.#]/ && $1 !~ /:$/ { n++ } on && $1 == "ret" { print n; exit }' "$work/counts.s")
  echo "$1 $n (at most $2)"
  [ -n "$n" ] || fail "$1 is not there"
  [ "$n" -le "$2" ] || over=$status
}
for threads in "" -T=4 -T=3; do
  echo "THREADS ${threads:-dynamic}"
  # shellcheck disable=SC2086
  compile $threads
  grep -q '__asan\|__tsan' "$work/counts.s" && exit 77
  limit get_pointer 8
  limit put_pointer 8
  limit get_blocked 10
  limit put_blocked 10
  limit get_own 2
  limit put_own 2
  limit get_list 8
  limit step_blocked 8
  case $threads in
  "") limit get_cyclic 13 && limit get_array 24 && limit step 9 ;;
  -T=4) limit get_cyclic 10 && limit get_array 19 && limit step 7 ;;
  -T=3) limit get_cyclic 14 && limit get_array 22 && limit step 7 ;;
  esac
done
compile -O3
awk '$1 == "fill_open:" { on = 1 } on && /xmm/ { found = 1 } on && $1 == ".size" { exit } END { exit !found }' "$work/counts.s" ||
  { over=$status; echo "fill_open: the pointer to the array is read for each byte"; }
[ $over -eq 0 ] || echo "there are more instructions than are allowed"
exit $over
