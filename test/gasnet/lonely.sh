# WEFT_CHECK=1: a rank that waits in a collective which others do not call says so after 10 s.
export WEFT_CHECK=1
notes=$(mktemp -d) || exit 1
trap 'rm -rf "$notes"' EXIT
lonely() { # WHICH LINE [OPTIONS]
  # shellcheck disable=SC2086
  "$WEFTRUN" -n 2 $3 "$WEFT_BUILD/test-bin/gasnet.lonely" "$1" >"$notes/$1$3" 2>&1 &
  job=$!
  for _ in $(seq 1000); do
    grep -q "$2" "$notes/$1$3" && break
    sleep 0.1
  done
  kill -INT $job 2>/dev/null
  wait $job
  grep -q "$2" "$notes/$1$3" || { echo "$*: $(cat "$notes/$1$3")" >>"$notes/failed"; }
}
waits='this PE has waited for the others for 10 s'
lonely barrier "pe 0: gex_Coll_BarrierNB: $waits" &
lonely barrier "pe 0: gex_Coll_BarrierNB: $waits" --nodes=2 &
lonely test "pe 0: gex_Coll_BarrierNB: $waits" &
lonely gasnet1 "pe 0: gasnet_barrier: $waits" &
lonely split "pe 0: gex_TM_Split: $waits" &
lonely broadcast "pe 0: gex_Coll_BroadcastNB: $waits" &
lonely attach "pe 0: gasnet_attach: $waits" &
lonely exchange "pe 0: gasnet_coll_exchange: $waits" &
lonely coll_init "pe 0: gasnet_coll_init: $waits" &
{
  "$WEFTRUN" -n 3 "$WEFT_BUILD/test-bin/gasnet.lonely" away >"$notes/away" 2>&1 && ! grep -q 'has waited' "$notes/away" ||
    echo "away: $(cat "$notes/away")" >>"$notes/failed"
} &
wait
[ ! -e "$notes/failed" ] || { cat "$notes/failed"; exit 1; }
