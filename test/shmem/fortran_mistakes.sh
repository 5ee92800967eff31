# Mistakes of Fortran programs end the job with one line, which names the routine that the program called, and no
# backtraces of the PEs that the launcher ends.
set -u
. "$(dirname "$0")/../launch/lib.sh"

program=$WEFT_BUILD/test-bin/shmem.fortran_mistakes
try() { # CHECK MISTAKE TEXT
  WEFT_CHECK=$1 timeout 50 "$WEFTRUN" -n 3 $where "$program" "$2" >"$DIR/out" 2>"$DIR/err"
  status=$?
  [ $status -eq "${want:-1}" ] || fail "$* $where: status $status: $(cat "$DIR/err")"
  grep -q "$3" "$DIR/err" || fail "$* $where: no such line: $(cat "$DIR/err")"
  ! grep -qi 'backtrace\|SIGQUIT' "$DIR/err" || fail "$* $where: $(cat "$DIR/err")"
}
for where in "" "--nodes 3"; do
  for check in 0 1; do
    try $check negative 'shmem_integer_put: -1 elements'
    try $check stack-lock 'shmem_set_lock: lock 0x[0-9a-f]* is not symmetric: .* common block'
    try $check relock 'shmem_set_lock: this PE already has the lock'
    try $check unlock 'shmem_clear_lock: this PE does not have the lock'
    try $check compare 'shmem_int4_wait_until: .*77'
    try $check reduce 'shmem_int4_sum_to_all: -1 elements'
    try $check set 'shmem_barrier: active set 0, 0, 4'
    try $check abort 'shpalloc: the length is not above 0'
    try $check deallocate 'shpdeallc: the address is not in the symmetric heap'
    try $check lock-kept 'the lock at .* is not given up any more: the PE that has it is at its end'
    want=3 try $check exit ''
  done
  try 1 pe 'shmem_integer_put: PE 3 does not exist'
  try 1 allocatable 'shmem_put8: dest 0x[0-9a-f]* (8 bytes) is not symmetric'
  try 1 atomic 'shmem_int8_fadd: dest 0x[0-9a-f]* (8 bytes) is not symmetric'
  try 1 atomic-pe 'shmem_int8_inc: PE -1 does not exist'
  try 1 stride 'shmem_integer_iput: strides 0 and 1'
done
exit 0
