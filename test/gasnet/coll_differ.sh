# Members that disagree, and calls that are wrong on their own, end the job with a line that says so.
program=$WEFT_BUILD/test-bin/gasnet.coll_differ
expect() { # number, text
  if WEFT_CHECK=1 "$WEFTRUN" -n 2 "$program" "$1" >out.$$ 2>&1; then
    echo "case $1: the job ended well"; rm -f out.$$; exit 1
  fi
  grep -q "$2" out.$$ || { echo "case $1: no \"$2\" in:"; cat out.$$; rm -f out.$$; exit 1; }
  rm -f out.$$
}
cd "$(mktemp -d)" || exit 1
trap 'rm -rf "$PWD"' EXIT
expect 0 "gex_Coll_BroadcastNB: members of the team call"
expect 1 "gex_Coll_BroadcastNB: members of the team call"
expect 2 "gex_Coll_ReduceToAllNB: members of the team call"
expect 3 "members of the team call another collective"
expect 4 "gex_Coll_BroadcastNB: root 2 is not in a team of 2"
expect 5 "gex_Coll_ReduceToOneNB: there is no operation"
expect 6 "gex_TM_Destroy: the primordial team stays"
expect 7 "gasnet_barrier_wait: there was no gasnet_barrier_notify before"
expect 8 "gasnet_barrier_notify: called twice"
