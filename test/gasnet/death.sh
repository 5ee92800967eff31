# Where PEs may fail, those that are in a split of a team with a dead member end with a line.
export WEFT_ON_DEATH=continue GASNET_EXITTIMEOUT=1
for nodes in 1 2; do
  for which in split create; do
    out=$(timeout 30 "$WEFTRUN" -n 3 --nodes $nodes "$WEFT_BUILD/test-bin/gasnet.death" $which 2>&1)
    got=$?
    [ $got -ne 0 ] && [ $got -ne 124 ] || { echo "$which, $nodes nodes: status $got: $out"; exit 1; }
    case $out in *"a member of the parent team is gone"*) ;; *) echo "$which, $nodes nodes: $out"; exit 1 ;; esac
  done
done
