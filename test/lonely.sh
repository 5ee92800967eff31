# Sourced by tests of collectives that only some PEs call: `lonely` runs PROGRAM, the one of the test, until it has said what it is to say.
export WEFT_CHECK=1 WEFT_DEBUG=patience_s=3
notes=$(mktemp -d) || exit 1
trap 'rm -rf "$notes"' EXIT
waits='this PE has waited for the others for 3 s'
lonely() { # WHICH LINE [OPTIONS]
  # shellcheck disable=SC2086
  "$WEFTRUN" -n 2 $3 "$PROGRAM" "$1" >"$notes/$1$3" 2>&1 &
  job=$!
  for _ in $(seq 1000); do
    grep -q "$2" "$notes/$1$3" && break
    sleep 0.1
  done
  kill -INT $job 2>/dev/null
  wait $job
  grep -q "$2" "$notes/$1$3" || { echo "$*: $(cat "$notes/$1$3")" >>"$notes/failed"; }
}
all_said() { # after `lonely ... &`
  wait
  [ ! -e "$notes/failed" ] || { cat "$notes/failed"; return 1; }
}
