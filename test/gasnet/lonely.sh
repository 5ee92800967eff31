# WEFT_CHECK=1: a rank that waits in a collective which others do not call says so after a while.
PROGRAM=$WEFT_BUILD/test-bin/gasnet.lonely
. "$(dirname "$0")/../lonely.sh"
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
  "$WEFTRUN" -n 3 "$PROGRAM" away >"$notes/away" 2>&1 && ! grep -q 'has waited' "$notes/away" ||
    echo "away: $(cat "$notes/away")" >>"$notes/failed"
} &
all_said
