#!/bin/sh
# weft-count on a program whose counts are known.     tool.sh WEFT-COUNT KNOWN
# Exit status: 0, 1, or 77 where nothing can be single-stepped.
count=$1 known=$2
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
"$count" --out /dev/null --symbol main true
[ $? -ne 77 ] || exit 77

failed=0
say() {
  echo "tool.sh: $*"
  failed=1
}

refuses() { # STATUS LINE ARGUMENTS...
  want=$1 line=$2
  shift 2
  "$count" "$@" 2>"$tmp/err"
  status=$?
  [ $status -eq "$want" ] && [ "$(sed 's|^[^:]*weft-count:|weft-count:|' "$tmp/err")" = "weft-count: $line" ] ||
    say "status $status, '$(cat "$tmp/err")' of: $*"
}
refuses 2 'which program? see weft-count --help' -s main
refuses 2 'name a --symbol or --markers; see weft-count --help' true
refuses 2 "unrecognized option '--nope'" --nope true
refuses 2 'x is not a count' -n x -s main true
refuses 2 'cannot write /nowhere/x: No such file or directory' -s main -o /nowhere/x true
refuses 126 '/: Permission denied' -s main -o /dev/null /
"$count" --version | grep -q '^weft-count (Weft) ' || say '--version'

run() { # EXPECTED-STATUS ARGUMENTS...
  want=$1
  shift
  "$count" --csv --out "$tmp/csv" "$@"
  status=$?
  [ $status -eq "$want" ] || say "status $status, not $want, of: $*"
}

is() { # SYMBOL KIND FUNCTION WANTED; FUNCTION may be empty
  got=$(awk -F, -v s="$1" -v k="$2" -v f="$3" '$1 == s && $3 == k && $5 == f { print $6 }' \
    "$tmp/csv")
  [ "$got" = "$4" ] || say "$1 $2 $3: '$got', not '$4'"
}

# The second thread calls known_four all the time.
run 5 -s known_four "$known"
is known_four total '' 4
run 5 --skip 7 -s known_four "$known"
is known_four total '' 4

run 5 -s known_loop -s known_rep -s known_lock -s known_inner -s cbrt -s known_none "$known"
is known_loop total '' 22
is known_rep total '' 4
is known_lock total '' 5
is known_lock locked '' 2
is known_lock fence '' 1
is known_lock syscall '' 0
is known_inner total '' 6
is known_inner function known_inner 2
is known_inner function known_four 4
grep -q '^cbrt,1,entry,libm.so.6,,0$' "$tmp/csv" || say "cbrt of a library opened late: not found"
is known_none missing '' 0

run 5 -s known_call --to 'libc.so*' "$known"
is known_call function known_call 4
is known_call syscall '' 1
[ "$(awk -F, '$3 == "to" { print $6 }' "$tmp/csv")" -gt 2 ] || say "known_call: no way into libc"

run 5 --skip 1 -s known_call -s known_loop "$known" # the second one starts and joins a thread
is known_call function known_call 4
is known_loop total '' 42

run 5 --skip 3 --markers "$known" raw
is 'marker 3' total '' 3
run 5 --markers "$known" raw
is 'marker 3' total '' 3
is int3 total '' 2

run 5 --skip 5 -s known_loop "$known"
is known_loop missing '' 5
run 5 --calls 3 -s known_four "$known"
is known_four total '' "$(printf '4\n4\n4')"
run 5 --skip 4 --calls 2 -s known_loop "$known" # there are five
is known_loop missing '' 5
grep -q '^known_loop,5,total' "$tmp/csv" || say "the fifth of five calls was not counted"
run 5 --limit 10 -s known_loop "$known"
is known_loop partial '' 10

# As the wrapper of one process of a job, of a script that execs, of one that dies.
rm "$tmp/csv"
export PMI_RANK=1
run 5 -s known_four "$known"
[ ! -e "$tmp/csv" ] || say "PE 1 was counted"
run 5 --pe 1 -s known_four "$known"
is known_four total '' 4
unset PMI_RANK
run 5 -s known_four sh -c "exec $known"
is known_four total '' 4
run 143 -s known_four sh -c 'kill -TERM $$' 2>/dev/null
is known_four missing '' 0
run 127 -s known_four "$tmp/none" 2>/dev/null
run 2 "$known" 2>/dev/null
exit $failed
