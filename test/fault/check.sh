# WEFT_CHECK=1: each mistake is one clear line that names the PE, the function and what is wrong, and a status that is not 0. Some mistakes are
# found without it. Bad values of options are.
set -u
. "$(dirname "$0")/lib.sh"

export WEFT_CHECK=1
# Who waits for long for a lock says who has it, once, and goes on: begun here, for it takes 10 s.
KEPT=$(mktemp -d)
$WEFTRUN -n 2 "$WEFT_BUILD/test-bin/fault.keeper" "$KEPT/release" 2>"$KEPT/err" &
keeper=$!
trap 'touch "$KEPT/release"; wait; rm -rf "$DIR" "$KEPT"' EXIT
for where in "-n 2" "-n 2 --nodes 2" "-n 1"; do
  run="$WEFTRUN $where $VICTIM"
  last=$(($(echo "$where" | cut -d' ' -f2) - 1))
  ends 1 "pe $last: shmem_long_put: dest 0x[0-9a-f]+ .* is not symmetric" $run dest $last
  ends 1 "pe $last: shmem_putmem_nbi: dest 0x[0-9a-f]+ .* is not symmetric" $run dest-nbi $last
  ends 1 "pe $last: shmem_long_get: source 0x[0-9a-f]+ .* is not symmetric" $run source $last
  ends 1 "pe 0: shmem_long_atomic_add: dest 0x[0-9a-f]+ .* is not symmetric" $run atomic 0
  for how in wait test wait-all signal; do ends 1 "pe 0: shmem_.*(wait|test).*: ivar 0x.* is not symmetric" $run $how 0; done
  ends 1 "pe 0: shmem_p: PE $((last + 1)) does not exist" $run pe 0
  ends 1 "pe 0: shmem_long_atomic_fetch: PE -1 does not exist" $run pe-negative 0
  ends 1 "pe 0: a put, a get or an atomic names PE 1000000, which does not exist" $run pe-far 0
  ends 1 "pe 0: a put, a get or an atomic names PE -2147483648, which does not exist" $run pe-least 0
  ends 1 "pe 0: shmem_putmem: dest .* is not symmetric" $run static-end 0
  ends 1 "pe 0: shmem_putmem: source .* and dest .* overlap" $run overlap 0
  ends 1 "pe [01]: shmem_putmem: dest .* is not inside one allocation" $run heap-range
  ends 1 "pe [01]: shmem_p: dest .* is not inside one allocation" $run heap-freed
  ends 1 "pe [01]: shmem_free: 0x[0-9a-f]+ was freed before" $run heap-twice
  ends 1 "pe [01]: shmem_free: 0x[0-9a-f]+ was never allocated" $run heap-foreign
  ends 1 "pe [01]: shmem_free: 0x[0-9a-f]+ was never allocated" $run heap-inside
  ends 1 "pe [01]: shmem_p: the program wrote beyond the end of the 100 bytes at 0x[0-9a-f]+" $run heap-beyond-put
  ends 1 "pe [01]: shmem_free: the program wrote beyond the end of the 100 bytes at 0x[0-9a-f]+" $run heap-beyond
  ends 1 "pe [01]: shmem_free: the program wrote beyond the end of the 100 bytes at 0x[0-9a-f]+" $run heap-last
  ends 1 "pe [01]: shmem_finalize: the program wrote beyond the end of the 64 bytes at 0x[0-9a-f]+" $run heap-left
  ends 1 "pe [01]: shmem_p called after shmem_finalize" $run after-finalize
done
for where in "-n 2" "-n 3 --nodes 3"; do
  run="$WEFTRUN $where $VICTIM"
  ends 1 "pe [012]: shmem_ctx_p: .*a private context is used by a thread that did not create it" $run ctx-private
  ends 1 "pe [012]: shmem_ctx_[a-z]*: .*a serialized context is used by two threads at a time" $run ctx-serialized
  for how in p:p:1 long_get:get:1 long_atomic_add:add:-1 long_iput:iput:1; do
    name=${how%%:*} pe=${how##*:} how=${how#*:}
    ends 1 "pe 0: shmem_ctx_$name: PE $pe is not in the context's team \\(PEs are 0 to 0\\)" $run member-${how%%:*}
  done
  ends 1 "pe [012]: shmem_long_sum_reduce: dest .* is not symmetric" $run reduce
  ends 1 "pe [012]: shmem_long_sum_reduce: source .* is not symmetric" $run large-source
  ends 1 "pe [012]: shmem_long_sum_reduce: source .* and dest .* overlap" $run reduce-overlap
  ends 1 "pe [012]: shmem_long_sum_to_all: source .* and dest .* overlap" $run set-overlap
  ends 1 "pe [012]: shmem_long_sum_exscan: source .* and dest .* overlap" $run scan-overlap
  for how in max_reduce:in-place sum_inscan:scan-in-place alltoall:dest-differs; do
    ends 1 "pe [012]: shmem_long_${how%:*}: another member of the team .*, or another dest, or only one of the two is in place" $run ${how#*:}
  done
  ends 1 "pe [012]: shmem_long_iput: strides 0 and 1: both must be 1 or more" $run stride
  ends 1 "pe [012]: shmem_team_destroy: a predefined team stays" $run team-world
  ends 1 "pe [012]: shmem_ctx_destroy: SHMEM_CTX_DEFAULT stays" $run ctx-default
  ends 0 "pe 0: shmem_calloc: [0-9]+ times 16 bytes are more than any memory, so it returns NULL" $run calloc-over
  ends 1 "pe [012]: shmem_long_broadcast: another member of the team .* gives another size, root or stride" $run root
  ends 1 "pe [012]: shmem_long_fcollect: another member of the team .* gives another size, root or stride" $run length
  ends 1 "pe [012]: shmem_(barrier_all|long_max_reduce): another member of the team calls another function" $run which
  ends 1 "pe [012]: shmem_fcollectmem: dest .* is not inside one allocation" $run fcollect
  ends 1 "pe [12]: shmem_malloc: 200 .* here, shmem_malloc: 100 .* on PE 0: all PEs must give the same" $run sizes
  ends 1 "pe [12]: shmem_malloc: 1 bytes .* here, shmem_free: .* on PE 0: all PEs must give the same" $run heap-which
done
ends 139 "pe 0 \\(pid [0-9]+\\) was killed by signal 11 \\([^)]*\\); ending" $WEFTRUN -n 2 $VICTIM segv 0
ends 139 "pe 0: shmem_realloc: no room for [0-9]+ bytes .* NULL: SHMEM_SYMMETRIC_SIZE raises the limit" $WEFTRUN -n 2 $VICTIM no-room
[ "$(grep -c 'no room' "$NOTES/err")" -eq 1 ] || fail "no-room: said more than once"
ends 1 "shmem_malloc called before" $WEFTRUN -n 2 --nodes 2 $VICTIM malloc-before-init
[ "$(grep -c 'called before' "$NOTES/err")" -eq 1 ] || fail "malloc-before-init: said more than once"
unset WEFT_CHECK

# Without it: what would be a wrong answer, a broken heap or a hang is still one line.
ends 1 "pe [01]: shmem_long_sum_reduce: dest .* is not symmetric" $WEFTRUN -n 2 --nodes 2 $VICTIM large-dest
for where in "-n 2" "-n 2 --nodes 2 -x WEFT_COALESCE=0 -x WEFT_PROVIDER=rxm"; do
  ends 1 "at 0x[0-9a-f]+ .*which is not symmetric; WEFT_CHECK=1 names the call" $WEFTRUN $where $VICTIM code 0
done
ends 1 "pe 0: .*in the memory of a PE of this node.*" $WEFTRUN -n 2 $VICTIM child 0
ends 1 "pe 0: atomic on pe 1: its address is not aligned to 8 bytes" $WEFTRUN -n 2 --nodes 2 $VICTIM unaligned 0
ends 139 "pe 0 \\(pid [0-9]+\\) was killed by signal 11 .*WEFT_CHECK=1 may tell why" $WEFTRUN -n 2 $VICTIM segv 0
ends 139 "pe 0 \\(pid [0-9]+\\) was killed by signal 11 \\([^)]*\\); ending" $WEFTRUN -n 2 -x WEFT_CHECK=1 $VICTIM segv 0
ends 1 "the lock at 0x[0-9a-f]+ of pe 0 holds no value of a lock" $WEFTRUN -n 2 $VICTIM lock 0
for how in exit256 global_exit256; do ends 1 "ended the job with status 1" $WEFTRUN -n 2 $VICTIM $how 1; done
run="$WEFTRUN -n 2 $VICTIM"
ends 139 "WEFT_CHECK=1 may tell why" $run no-room
! grep -q 'no room' "$NOTES/err" || fail "no-room: said without WEFT_CHECK=1"
ends 1 "shmem_p called before the library was initialised" $run before-init
ends 1 "shmem_malloc called before the library was initialised" $run malloc-before-init
[ "$(grep -c 'called before' "$NOTES/err")" -eq 1 ] || fail "malloc-before-init: said more than once"
ends 1 "shmem_n_pes called before the library was initialised" $run query-before-init
ends 1 "pe [01]: shmem_p called after shmem_finalize" $run after-finalize
ends 1 "pe [01]: shmem_my_pe called after shmem_finalize" $run query-after-finalize
ends 1 "pe [01]: shmem_free: 0x[0-9a-f]+ was freed before" $run heap-twice
ends 1 "pe [01]: shmem_realloc: 0x[0-9a-f]+ was freed before" $run heap-again
ends 1 "pe [01]: shmem_free: 0x[0-9a-f]+ was never allocated" $run heap-private

bad() { # VARIABLE=VALUE PATTERN WEFTRUN-OPTIONS
  setting=$1 line=$2
  shift 2
  ends 1 "$line" env "$setting" "$WEFTRUN" "$@" "$VICTIM" return 0
}
bad SHMEM_SYMMETRIC_SIZE=lots "SHMEM_SYMMETRIC_SIZE.*lots" -n 2
bad SHMEM_SYMMETRIC_SIZE=-1 "SHMEM_SYMMETRIC_SIZE.*-1" -n 2
bad SHMEM_SYMMETRIC_SIZE=999999T "SHMEM_SYMMETRIC_SIZE|address space|window" -n 1
bad WEFT_CHECK=maybe "WEFT_CHECK.*maybe" -n 2
bad WEFT_DEBUG=completion=hope "WEFT_DEBUG=completion.*hope.*" -n 2
bad WEFT_DEBUG=stage_age_us=soon "WEFT_DEBUG=stage_age_us.*soon" -n 2
bad WEFT_HELPERS=0 "WEFT_HELPERS=0: from 1 to 4" -n 2
bad WEFT_HELPERS=5 "WEFT_HELPERS=5: from 1 to 4" -n 2 --nodes 2
bad WEFT_HELPER_AFFINITY=sideways "WEFT_HELPER_AFFINITY=sideways: auto, rotate, none, or processors" -n 2
bad WEFT_HELPER_AFFINITY=5-2 "WEFT_HELPER_AFFINITY=5-2: auto, rotate, none, or processors" -n 2
bad WEFT_HELPER_AFFINITY=1,,2 "WEFT_HELPER_AFFINITY=1,,2: auto, rotate, none, or processors" -n 2
bad WEFT_HELPER_AFFINITY=1023 "WEFT_HELPER_AFFINITY=1023: the helper cannot run on processor 1023" -n 2 --nodes 2
bad WEFT_PORT_MEMORY=1 "WEFT_PORT_MEMORY allows 0 KB: raise it" -n 2 --nodes 2
! grep -q "no memory to join" "$NOTES/err" || fail "WEFT_PORT_MEMORY: a second cause"
bad WEFT_SHM=disk "WEFT_SHM.*disk" -n 2
bad WEFT_PROVIDER=pigeon "no provider \"pigeon\".*fi_info" -n 2 --nodes 2
bad WEFT_IFACE=10.99.99.99 "WEFT_IFACE: 10.99.99.99 is neither" -n 2 --nodes 2
bad WEFT_TCP_CONGESTION=carrier "WEFT_TCP_CONGESTION: this process may not use carrier" -n 2 --nodes 2
bad WEFT_IFACE=ether99 "WEFT_IFACE: ether99 is neither" -n 2 --nodes 2
within 60 grep -q 'pe 1: .* waited for the lock at .* of pe [01] for 10 s: pe 0 has it' "$KEPT/err" || fail "keeper: $(cat "$KEPT/err")"
touch "$KEPT/release"
wait $keeper || fail "keeper: status $?"
[ "$(grep -c 'waited for the lock' "$KEPT/err")" -eq 1 ] || fail "keeper: $(cat "$KEPT/err")"
exit 0
