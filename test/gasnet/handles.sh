# A handle that is NULL is one line, before gex_Client_Init and after it; so is a message before it while OpenSHMEM is up,
# and a TM-pair where a team is wanted.
export GASNET_EXITTIMEOUT=0.3
program=$WEFT_BUILD/test-bin/gasnet.handles
said() { # TEXT ARGUMENTS
  # shellcheck disable=SC2086
  out=$(timeout 30 "$WEFTRUN" -n 2 $where "$program" $2 $3 2>&1)
  got=$?
  [ $got -eq 1 ] || { echo "$where $2 $3: status $got: $out"; exit 1; }
  case $out in *"$1"*) ;; *) echo "$where $2 $3: not '$1' but: $out"; exit 1 ;; esac
}
early='called before gex_Client_Init or gasnet_init'
messages() {
  for where in '' '--nodes 2'; do
    for which in short short-own short-16; do said "gex_AM_RequestShort $early" $which early; done
    said "gex_AM_RequestMedium $early" medium early
    said "gex_RMA_PutBlocking $early" put early
  done
}
messages
WEFT_CHECK=1
export WEFT_CHECK
messages
unset WEFT_CHECK
where=
for who in $(sed -n 's/^  IS("\(gex_[^"]*\)").*/\1/p' "$WEFT_SOURCE/test/gasnet/handles.c"); do
  said "$who: the handle is NULL" "$who" ''
  said "$who $early" "$who" early
done
for call in split:gex_TM_Split create:gex_TM_Create destroy:gex_TM_Destroy client:gex_TM_QueryClient \
  barrier:gex_Coll_BarrierNB domain:gex_AD_Create; do
  said "${call#*:}: a TM-pair is no team" "pair-${call%%:*}" ''
done
none='gex_AD_Op: the handle is NULL'
where='--nodes 2' said "$none" domain ''
export WEFT_CHECK=1
for where in '' '--nodes 2'; do
  for which in domain domain-get; do said "$none" $which ''; done
  said 'gex_AM_ReplyShort: the handle is NULL' reply ''
done
