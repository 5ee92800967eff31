# What run.sh, gasnet.sh and messages.sh share: jobs under weft-count, and rows of the table of instructions. Sets tmp and
# failed; exits with 77 where nothing can be counted. Wants weftrun and count.
skip=10 # calls that pass first
calls=9 # calls counted; their median is the figure, as a single one may meet the helper and take another way
pe=0    # whose calls are counted

"$count" --out /dev/null --symbol main true
if [ $? -eq 77 ]; then
  echo "skipped: no single-stepping here"
  exit 77
fi
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

count_job() { # NAME PROGRAM "SYMBOL..." WEFTRUN-OPTIONS [VARIABLE=VALUE...]: counts the symbols into NAME.csv
  name=$1 program=$2 symbols= options=$4
  for symbol in $3; do symbols="$symbols -s $symbol"; done
  shift 4
  env "$@" "$weftrun" -n 2 $options "$count" --csv --pe $pe --skip $skip --calls $calls --out "$tmp/$name.csv" $symbols "$program" ||
    { echo "the job '$name' failed"; failed=1; }
}

# JOB SYMBOL KIND: the median; nothing where half of the calls or more went another way (the helper may send one).
get() {
  awk -F, -v symbol="$2" -v kind="$3" '$1 == symbol && $3 == kind { print $6 }' "$tmp/$1.csv" 2>/dev/null |
    sort -n | awk -v calls=$calls '{ count[NR] = $1 } END { if (2 * NR > calls) print count[int((NR + 1) / 2)] }'
}

inline() { # JOB SYMBOL: the total without the return of the function around the call
  total=$(get "$1" "$2" total)
  [ -z "$total" ] || echo $((total - 1))
}

rule() {
  printf '%s\n' '---------------------------------------------------------------------------------------------------'
}

head_row() { # TEXT PEER...
  printf '%-39s %6s %6s' "$1" Weft limit
  shift
  printf ' %9s' "$@"
  echo
}

# TEXT VALUE LIMIT PEER...; LIMIT - : for information. OVER_STATUS (cmake/WeftTest.cmake): is the limit this compiler's?
row() {
  verdict= text=$1 value=$2 limit=$3
  shift 3
  if [ -z "$value" ]; then
    failed=1 verdict="NOT COUNTED"
  elif [ "$limit" != - ] && [ "$value" -gt "$limit" ]; then
    [ $failed -ne 0 ] || failed=${OVER_STATUS:-1}
    verdict="OVER"
  fi
  printf '%-39s %6s %6s' "$text" "${value:--}" "$limit"
  printf ' %9s' "$@"
  echo "${verdict:+ $verdict}"
}
