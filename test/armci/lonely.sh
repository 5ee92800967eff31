# WEFT_CHECK=1: a process that waits in a collective which others do not call says so after 10 s; one that meets another
# collective ends the job at once.
export WEFT_CHECK=1
notes=$(mktemp -d) || exit 1
trap 'rm -rf "$notes"' EXIT
lonely() { # WHICH LINE [OPTIONS]
  # shellcheck disable=SC2086
  "$WEFTRUN" -n 2 $3 "$WEFT_BUILD/test-bin/armci.lonely" "$1" >"$notes/$1$3" 2>&1 &
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
lonely barrier "pe 0: ARMCI_Barrier: $waits" &
lonely barrier "pe 0: ARMCI_Barrier: $waits" --nodes=2 &
lonely combine "pe 0: armci_msg_lgop: $waits" &
lonely broadcast "pe 0: armci_msg_bcast: $waits" &
lonely malloc "pe 0: ARMCI_Malloc: $waits" &
lonely group "pe 0: ARMCI_Group_create: $waits" &
lonely mutexes "pe 0: ARMCI_Create_mutexes: $waits" &
lonely differ 'members of the team call another collective' &
wait
[ ! -e "$notes/failed" ] || { cat "$notes/failed"; exit 1; }
