# A NULL team, a NULL token and a root without an address are one line each; they were SIGSEGV, or waited for ever.
export GASNET_EXITTIMEOUT=0.3
said() { # WHICH TEXT
  for where in '' '--nodes 2'; do
    # shellcheck disable=SC2086
    out=$(timeout 30 "$WEFTRUN" -n 2 $where "$WEFT_BUILD/test-bin/gasnet.coll_misuse" "$1" 2>&1)
    got=$?
    [ $got -eq 1 ] || { echo "$where $1: status $got: $out"; exit 1; }
    case $out in *"$2"*) ;; *) echo "$where $1: not '$2' but: $out"; exit 1 ;; esac
  done
}
said token-early 'gasnet_AMGetMsgSource called before gex_Client_Init or gasnet_init'
said token 'gasnet_AMGetMsgSource: the handle is NULL, which is no object'
said team 'gasnet_coll_broadcast: the handle is NULL, which is no object'
said team-split 'gasnet_coll_team_split: the handle is NULL, which is no object'
said team-barrier 'gasnet_coll_barrier_notify: the handle is NULL, which is no object'
said team-wait 'gasnet_barrier_wait: the handle is NULL, which is no object'
said team-try 'gasnet_barrier_try: the handle is NULL, which is no object'
said team-result 'gasnet_barrier_result: the handle is NULL, which is no object'
said team-size 'gasnet_coll_team_size: the handle is NULL, which is no object'
said team-node 'gasnet_coll_team_rank2node: the handle is NULL, which is no object'
said team-rank 'gasnet_coll_team_node2rank: the handle is NULL, which is no object'
said broadcast "gasnet_coll_broadcast: the root's address is NULL"
said scatter "gasnet_coll_scatter: the root's address is NULL"
said gather "gasnet_coll_gather_nb: the root's address is NULL"
out=$(timeout 30 "$WEFTRUN" -n 2 "$WEFT_BUILD/test-bin/gasnet.coll_misuse" empty 2>&1) || { echo "empty: $out"; exit 1; }
