# A job ends with the status of gasnet_exit, of main's return or of exit(), whoever calls it, and has
# printed what it had to print; what a job must not do ends it with one line.
leave=$WEFT_BUILD/test-bin/gasnet.leave
short=0.3 # patience where somebody stays away
export GASNET_EXITTIMEOUT=$short
run() { # STATUS PES-THAT-SPEAK WEFTRUN-OPTIONS... -- WAY
  want=$1 speak=$2 options= way= npes=$4
  shift 2
  while [ "$1" != -- ]; do options="$options $1"; shift; done
  way=$2 patience=$short tries=1
  case $way in
  quit*) tries=3 ;; # their handlers have a second, which may be too short for a busy machine
  *) [ "$speak" -lt "$npes" ] || patience=30 ;;
  esac
  while :; do
    said=$(GASNET_EXITTIMEOUT=$patience "$WEFTRUN" $options "$leave" "$way" "$want" 2>/dev/null)
    got=$?
    [ $got -eq "$want" ] || { echo "$options $way: status $got, not $want"; exit 1; }
    count=$(printf %s "$said" | grep -o 'said by' | wc -l)
    [ "$count" -lt "$speak" ] || break
    echo "$options $way: $count PEs were heard, not $speak"
    [ $((tries -= 1)) -gt 0 ] || exit 1
  done
}
for way in all main exit thread; do
  run 0 3 -n 3 -- $way
  run 5 3 -n 3 -- $way
done
run 0 2 -n 2 --nodes 2 -- all
run 5 2 -n 2 --nodes 2 -- main
for nodes in 1 2; do run 0 4 -n 4 --nodes $nodes -- early; done
run 5 1 -n 3 -- one
run 0 1 -n 2 --nodes 2 -- one
run 7 0 -n 2 -- handler
# A status of which nothing is left in 8 bits is a failure, also where patience ends.
for way in exit one-exit; do
  "$WEFTRUN" -n 2 "$leave" $way 256 >/dev/null 2>&1
  got=$?
  [ $got -eq 1 ] || { echo "$way 256: status $got, not 1"; exit 1; }
done
for name in EXITTIMEOUT EXITTIMEOUT_MAX; do # no patience at all is a little
  env -u GASNET_EXITTIMEOUT GASNET_$name=0 timeout 20 "$WEFTRUN" -n 2 "$leave" one 0 >/dev/null 2>&1 ||
    { echo "GASNET_$name=0: status $?"; exit 1; }
done
# GASNet-1: the others may clean up in a handler of SIGQUIT.
for nodes in 1 2; do
  run 5 2 -n 3 --nodes $nodes -- quit
  run 137 2 -n 3 --nodes $nodes -- quit-kill
  run 5 3 -n 3 --nodes $nodes -- quit-int
done
run 130 0 -n 2 -- int
# Nobody's last messages keep others waiting until their patience ends, which would be said.
for n in 1 2 3 4 5 2000; do # the last are more than an inbox holds
  for nodes in 1 2; do
    said=$(GASNET_EXITTIMEOUT=20 "$WEFTRUN" -n 2 --nodes $nodes "$leave" sent$n 0 2>&1 >/dev/null) || exit 1
    [ -z "$said" ] || { echo "sent$n, $nodes nodes: $said"; exit 1; }
  done
done
