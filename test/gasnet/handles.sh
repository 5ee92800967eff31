# A handle that is NULL is one line, before gex_Client_Init and after it; so is a message before it while OpenSHMEM is up,
# and a TM-pair where a team is wanted.
PROGRAM=$WEFT_BUILD/test-bin/gasnet.handles
. "$(dirname "$0")/lib.sh"
early='called before gex_Client_Init or gasnet_init'
messages() {
  for where in '' '--nodes 2'; do
    for which in short short-own short-16; do said "$which early" "gex_AM_RequestShort $early"; done
    said "medium early" "gex_AM_RequestMedium $early"
    said "put early" "gex_RMA_PutBlocking $early"
  done
}
messages
WEFT_CHECK=1
export WEFT_CHECK
messages
unset WEFT_CHECK
where=
for who in $(sed -n 's/^  IS("\(gex_[^"]*\)").*/\1/p' "$WEFT_SOURCE/test/gasnet/handles.c"); do
  said "$who" "$who: the handle is NULL"
  said "$who early" "$who $early"
done
for call in split:gex_TM_Split create:gex_TM_Create destroy:gex_TM_Destroy client:gex_TM_QueryClient \
  barrier:gex_Coll_BarrierNB domain:gex_AD_Create; do
  said "pair-${call%%:*}" "${call#*:}: a TM-pair is no team"
done
none='gex_AD_Op: the handle is NULL'
where='--nodes 2' said domain "$none"
export WEFT_CHECK=1
for where in '' '--nodes 2'; do
  for which in domain domain-get; do said $which "$none"; done
  said reply 'gex_AM_ReplyShort: the handle is NULL'
done
