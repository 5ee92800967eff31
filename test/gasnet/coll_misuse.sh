# A NULL team, a NULL token and a root without an address are one line each; they were SIGSEGV, or waited for ever.
PROGRAM=$WEFT_BUILD/test-bin/gasnet.coll_misuse
. "$(dirname "$0")/lib.sh"
said_everywhere token-early 'gasnet_AMGetMsgSource called before gex_Client_Init or gasnet_init'
said_everywhere token 'gasnet_AMGetMsgSource: the handle is NULL, which is no object'
said_everywhere team 'gasnet_coll_broadcast: the handle is NULL, which is no object'
said_everywhere team-split 'gasnet_coll_team_split: the handle is NULL, which is no object'
said_everywhere team-barrier 'gasnet_coll_barrier_notify: the handle is NULL, which is no object'
said_everywhere team-wait 'gasnet_barrier_wait: the handle is NULL, which is no object'
said_everywhere team-try 'gasnet_barrier_try: the handle is NULL, which is no object'
said_everywhere team-result 'gasnet_barrier_result: the handle is NULL, which is no object'
said_everywhere team-size 'gasnet_coll_team_size: the handle is NULL, which is no object'
said_everywhere team-node 'gasnet_coll_team_rank2node: the handle is NULL, which is no object'
said_everywhere team-rank 'gasnet_coll_team_node2rank: the handle is NULL, which is no object'
said_everywhere broadcast "gasnet_coll_broadcast: the root's address is NULL"
said_everywhere scatter "gasnet_coll_scatter: the root's address is NULL"
said_everywhere gather "gasnet_coll_gather_nb: the root's address is NULL"
out=$(timeout 30 "$WEFTRUN" -n 2 "$PROGRAM" empty 2>&1) || { echo "empty: $out"; exit 1; }
