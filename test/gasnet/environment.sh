# A value that is none of a variable that is read is one line, at the start; variables that are not read say nothing.
program=$WEFT_BUILD/test-bin/gasnet.coll_differ
said() { # NAME=VALUE STATUS LINE: one line like that, or with none of it nothing
  # shellcheck disable=SC2086
  out=$(env "$1" timeout 20 $launch "$program" 99 2>&1)
  got=$?
  [ $got -eq "$2" ] || { echo "$1: status $got: $out"; exit 1; }
  [ "$(printf '%s\n' "$out" | grep -c GASNET)" -eq $((0${3:+1})) ] || { echo "$1: not one line: $out"; exit 1; }
  case $out in *"$3"*) ;; *) echo "$1: not '$3' but: $out"; exit 1 ;; esac
}
launch="$WEFTRUN -n 2"
said GASNET_MAX_SEGSIZE=abc 0 'pe 0: GASNET_MAX_SEGSIZE=abc is not understood'
said GASNET_MAX_SEGSIZE=-4G 0 'pe 0: GASNET_MAX_SEGSIZE=-4G is not understood'
said GASNET_MAX_SEGSIZE=0.5GP/H 0 'pe 0: GASNET_MAX_SEGSIZE=0.5GP/H is not understood'
for value in 0.5/H 0.5H 0.5P 0.5 1/2/P '0.5 g / p'; do said "GASNET_MAX_SEGSIZE=$value" 0 ''; done
for name in EXITTIMEOUT EXITTIMEOUT_MAX EXITTIMEOUT_MIN EXITTIMEOUT_FACTOR SUPERNODE_MAXSIZE; do
  said GASNET_$name=abc 1 "pe 0: GASNET_$name=abc: must be a number, 0 or more"
  said GASNET_$name=-1 1 "pe 0: GASNET_$name=-1: must be a number, 0 or more"
done
for name in BACKTRACE FREEZE FREEZE_ON_ERROR; do
  said GASNET_$name=maybe 1 "pe 0: GASNET_$name=maybe: must be yes or no"
done
said GASNET_COLL_SCRATCH_SIZE=abc 0 ''
launch=
for n in 0 1 00 0x0; do said GASNET_PSHM_NODES=$n 0 ''; done
for n in -1 2x 0x 99999999999; do
  said GASNET_PSHM_NODES=$n 1 "GASNET_PSHM_NODES=$n: must be a number of processes"
done
out=$(GASNET_PSHM_NODES=0x2 timeout 20 "$program" 4 2>&1)
case $out in *'not in a team of 2'*) ;; *) echo "GASNET_PSHM_NODES=0x2: $out"; exit 1 ;; esac
said GASNET_PSHM_NODES=many 1 'GASNET_PSHM_NODES=many: must be a number of processes'
