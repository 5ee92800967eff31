# What a program must not do ends the job with one line that says what, where, and a status that is not 0: barriers
# that do not match (traps 18, 19), null pointers (trap 6), freed memory, and others.
program=$WEFT_BUILD/test-bin/upc.barrier
bad=0 nodes=
more=
try() { # CHECK MISUSE STATUS TEXT
  # shellcheck disable=SC2086
  out=$(WEFT_CHECK=$1 WEFT_TEST_SECONDS=${seconds:-20} "$WEFTRUN" -n 2 $nodes "$program" "$2" $more 2>&1)
  status=$?
  case $3 in any) [ $status -ne 0 ] ;; *) [ $status -eq "$3" ] ;; esac && echo "$out" | grep -q -- "$4" || {
    bad=1
    echo "$2: status $status, wanted $3 and '$4': $out"
  }
}
try 0 values any 'here.upc:17: barrier values differ'
try 0 wait-value any 'upc_wait 4, but upc_notify had 3'
try 0 twice any 'barrier.c:[0-9]*: upc_notify, but this thread has notified'
try 0 barrier-after-notify any 'upc_barrier, but this thread has notified'
try 0 wait-alone any 'upc_wait without upc_notify'
try 0 collective any 'upc_all_alloc: a collective function between upc_notify and upc_wait'
try 0 ends any 'here.upc:18: this thread is in a barrier while another has ended'
try 0 fails 3 'this thread is in a barrier while another has ended (exit status 3)'
try 0 fails-last 3 ''
try 0 free-twice any 'upc_free: .* was freed before'
try 0 free-beyond any 'upc_free: .* is a block beyond whose end the program wrote'
try 0 unlock any 'upc_unlock: nobody has the lock'
try 0 relock any 'upc_lock: this thread has the lock already'
try 0 lengths any 'bupc_memput_fstrided: the source has 6 bytes, the destination 8'
try 0 regions any 'bupc_begin_accessregion: the region before it was not ended'
try 0 phase any 'upc_all_reduce: src has phase 7 in blocks of 3 elements'
try 0 value-op any 'bupc_allv_reduce: bitwise operations are not for reals'
try 0 value-root any 'bupc_allv_broadcast: thread 2 is none; threads are 0 to 1'
try 0 value-notify any 'bupc_allv_broadcast: a collective function between upc_notify and upc_wait'
try 0 exit 7 ''
try 0 exit-held 1 ''
for nodes in '' --nodes=2; do
  was=$bad bad=0
  try 0 exit-print 0 'said by thread 0'
  [ $bad -eq 0 ] || { bad=0; try 0 exit-print 0 'said by thread 0'; } # thread 0 had a second to come to its barrier
  [ $was -eq 0 ] || bad=1
  try 0 exit-busy 7 ''
done
nodes=
try 1 null any 'shared write: null pointer-to-shared'
try 1 freed any 'are not inside one live object of upc_alloc'
try 1 outside any 'upc_memset: 101 bytes .* are not inside one live object of upc_all_alloc'
try 1 thread any 'pointer-to-shared with thread 2; threads are 0 to 1'
try 1 value-calls any 'bupc_allv_broadcast: the threads call different collective functions'
try 1 flags any 'upc_all_broadcast: flags 0x1000: 0x1000 is none of UPC_IN_ALLSYNC and its relatives'
try 1 alloc any 'the threads call different collective functions'
try 1 arguments any 'upc_all_alloc: the threads call different collective functions'
(
  PROGRAM=$program
  . "$(dirname "$0")/../lonely.sh"
  lonely alone "upc_barrier: $waits"
  all_said
) || bad=1
seconds=20
for nodes in '' --nodes=2 '-x WEFT_ON_DEATH=continue'; do
  try 0 keeps 1 'the lock at .* is not given up any more: pe 0 has it, and is at its end'
done
program=$WEFT_BUILD/test-bin/upc.live
for nodes in '' --nodes=2; do
  try 1 right 0 ''
  try 1 memput any 'upc_memput: 65 bytes at .* thread 0 are not inside one live object of upc_alloc'
  try 1 memget any 'upc_memget: 8 bytes at .* thread 0 are not inside one live object of upc_alloc'
  try 1 memcpy any 'upc_memcpy: 8 bytes at .* thread 0 are not inside one live object of upc_alloc'
  try 1 read any 'shared read: 4 bytes at .* thread 0 are not inside one live object of upc_alloc'
  try 1 write any 'shared write: 8 bytes at .* thread 0 are not inside one live object of upc_alloc'
  try 1 all any 'upc_memput: 65 bytes at .* thread 0 are not inside one live object of upc_all_alloc'
done
program=$WEFT_BUILD/test-bin/upc.io_open more=$(mktemp)
try 0 notify any 'upc_all_fsync: a collective function between upc_notify and upc_wait'
try 0 async any 'upc_all_fwrite_local_async: another asynchronous operation on .* is outstanding'
try 0 wait any 'upc_all_fwait_async: no asynchronous operation on .* is outstanding'
for what in fseek/seek fwrite_shared/write fopen/open; do
  try 1 ${what#*/} any "upc_all_${what%/*}: the threads call different collective functions, or give different"
done
try 1 close any 'upc_all_f[a-z]*: the threads call different collective functions'
[ -e "$more" ] || { bad=1; echo "no file is left for the last test"; }
try 0 exit 0 ''
[ ! -e "$more" ] || { bad=1; echo "upc_global_exit leaves a file that is to be deleted"; }
exit $bad
