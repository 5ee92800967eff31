# Where a machine gives less than usual: few descriptors, little address space, no memfd, no /proc, no /dev/shm, a full disk, a control group
# with little memory. The job runs, or one line says what is missing.
set -u
. "$(dirname "$0")/lib.sh"
SMALL=$WEFT_BUILD/test-bin/fault.small
REFUSE=$WEFT_BUILD/test-bin/fault.refuse
before=$(shared_files)

runs() { # WHAT COMMAND...
  what=$1
  shift
  fresh
  timeout 60 "$@" >"$NOTES/out" 2>"$NOTES/err" </dev/null || fail "$what: status $?"
  within 30 no_new_files "$before" || fail "$what: left in /dev/shm"
}

# Descriptors: the soft limit is raised as far as the hard one.
for where in "-n 4" "-n 8 --nodes 8"; do
  runs "ulimit -Sn 32, $where" sh -c 'ulimit -Sn 32; exec "$@"' sh $WEFTRUN $where "$SMALL"
done
fresh
ends 2 "need [0-9]+ open files" \
  sh -c 'ulimit -n 24; exec "$@"' sh $WEFTRUN -n 8 --nodes 8 "$SMALL"
# Of a PE: three streams, what leads to weftrun, and one more, which is needed for its memory.
ends 1 'as many files open as it may .ulimit -n.' sh -c 'ulimit -Sn 5; exec "$@"' sh $WEFTRUN -n 2 "$SMALL"

# Address space: the heaps are what it has room for, unless they were asked for. Then there is a line of the option that
# needs less, and nothing about other causes.
limited='ulimit -v 8000000; exec "$@"'
for where in "-n 2" "-n 8" "-n 8 --nodes 8"; do
  runs "ulimit -v, $where" sh -c "$limited" sh $WEFTRUN $where "$SMALL" 10
  grep -q had "$NOTES/out" || fail "ulimit -v, $where: no memory"
done
ends 1 'ulimit -v' env SHMEM_SYMMETRIC_SIZE=8G sh -c "$limited" sh $WEFTRUN -n 2 "$SMALL"
[ "$(grep -c . "$NOTES/err")" -le 2 ] || fail "ulimit -v: more than one cause"
# Just too little: there are heaps, or a line.
for what in "env SHMEM_SYMMETRIC_SIZE=1600M $WEFTRUN -n 2" "$WEFTRUN -n 20" "$WEFTRUN -n 24" "$WEFTRUN -n 28"; do
  fresh
  timeout 60 sh -c "$limited" sh $what "$SMALL" 10 >"$NOTES/out" 2>"$NOTES/err" </dev/null
  grep -q had "$NOTES/out" || grep -q 'ulimit -v' "$NOTES/err" || fail "$what: neither memory nor a line"
done

# A file's size, which the memory of a node's PEs is: the same. (Blocks of 512 bytes.)
limited='ulimit -f 4000000; exec "$@"'
for where in "-n 2" "-n 8 --nodes 4"; do
  runs "ulimit -f, $where" sh -c "$limited" sh $WEFTRUN $where "$SMALL" 10
  grep -q had "$NOTES/out" || fail "ulimit -f, $where: no memory"
done
ends 1 'File too large .ulimit -f.; lower SHMEM_SYMMETRIC_SIZE' env SHMEM_SYMMETRIC_SIZE=8G sh -c "$limited" sh $WEFTRUN -n 2 "$SMALL"

# Private memory: it is the limit that is reached, or the memory.
SHORTAGE=$WEFT_BUILD/test-bin/fault.shortage
ends 1 'no memory to wait for a lock: WEFT_PRIVATE_SIZE raises the limit' env WEFT_PRIVATE_SIZE=1M $WEFTRUN -n 1 "$SHORTAGE" limit
ends 1 'no memory to wait for a lock: the memory of this machine, or of its control group, is used up' $WEFTRUN -n 1 "$SHORTAGE" memory

# No memfd: a file of /dev/shm without a name takes its place, asked for or not.
if "$REFUSE" true >/dev/null; then
  for shm in memfd file; do
    for where in "-n 3" "-n 4 --nodes 2"; do
      runs "no memfd, WEFT_SHM=$shm, $where" "$REFUSE" env WEFT_SHM=$shm $WEFTRUN $where "$SMALL"
    done
  done
fi
# However it is killed: nothing is left.
started() { [ "$(ls "$NOTES" | grep -c '^pid\.')" -ge 1 ]; }
for wait in 0.01 0.02 0.03 0.04 0.05 0.06 0.08 0.1; do
  fresh
  WEFT_SHM=file "$WEFTRUN" -n 3 "$VICTIM" wait 2>"$NOTES/err" &
  front=$!
  sleep $wait
  kill -KILL $front
  wait $front 2>/dev/null
done
within 30 started || true
nothing_left
within 30 no_new_files "$before" || fail "killed while it started: left in /dev/shm"

if unshare -m true 2>/dev/null; then
  for where in "-n 3" "-n 4 --nodes 2"; do
    # /proc of nobody: processes cannot be looked at. Then a file with a name is made, and removed.
    runs "no /proc, $where" unshare -m sh -c 'mount -t tmpfs none /proc && exec "$@"' sh $WEFTRUN $where "$SMALL"
    runs "no /dev/shm, $where" unshare -m sh -c 'mount -t tmpfs -o ro,size=4k none /dev/shm && exec "$@"' sh $WEFTRUN $where "$SMALL"
  done
  # Neither: a line.
  ends 1 "shared memory|window" unshare -m sh -c 'mount -t tmpfs -o ro,size=4k none /dev/shm && mount -t tmpfs none /proc && exec "$@"' sh \
    "$WEFTRUN" -n 3 "$SMALL"
  # A file that has no name at any time cannot be left: each name would change the folder.
  # shellcheck disable=SC2016
  runs "WEFT_SHM=file without a name" unshare -m sh -c \
    'mount -t tmpfs none /dev/shm && touch -d @0 /dev/shm && WEFT_SHM=file "$@" && [ "$(stat -c %Y /dev/shm)" -eq 0 ]' sh $WEFTRUN -n 3 "$SMALL"
  # /dev/shm has hardly any room, and is what the memory is made of.
  ends 1 "no memory to join the job; the file system of the shared window is full" unshare -m sh -c \
    'mount -t tmpfs -o size=64k none /dev/shm && WEFT_SHM=file exec "$@"' sh "$WEFTRUN" -n 2 "$SMALL"
  # The disk where the trace goes is full: the program ends well all the same, or a line says that the trace is not whole.
  fresh
  unshare -m sh -c 'mkdir -p "$NOTES/disk" && mount -t tmpfs -o size=16k none "$NOTES/disk" && exec "$@"' sh \
    timeout 60 $WEFTRUN --trace "$NOTES/disk/trace.json" -n 3 "$SMALL" >"$NOTES/out" 2>"$NOTES/err" </dev/null
  status=$?
  [ $status -lt 124 ] || fail "full disk: status $status"
  grep -Eiq 'trace.*(space|room|full|write|No space)|No space' "$NOTES/err" || fail "full disk: no line about the trace"
fi

# Control groups: memory beyond the limit is a NULL, not the end by the kernel. Nested, with the limit above.
group=/sys/fs/cgroup/memory/weft-test-$$
limit=memory.limit_in_bytes
[ -d /sys/fs/cgroup/memory ] || { group=/sys/fs/cgroup/weft-test-$$ limit=memory.max; }
if mkdir -p "$group/inner" 2>/dev/null && echo 512M >"$group/$limit" 2>/dev/null; then
  trap 'rm -rf "$NOTES"; rmdir "$group/inner" "$group" 2>/dev/null' EXIT
  for mb in 20 400 "20 20" "400 400"; do
    runs "control group, $mb MB" sh -c 'echo $$ >'"$group"'/inner/cgroup.procs && exec "$@"' sh \
      env SHMEM_SYMMETRIC_SIZE=2G $WEFTRUN -n 2 "$SMALL" $mb
    want=had
    [ "${mb%% *}" -eq 20 ] || want=NULL
    grep -q "$want" "$NOTES/out" || fail "control group, $mb MB for 2 PEs of 512 MB: want $want"
  done
else
  echo "no control groups of memory here"
fi

# Version 2 where the kernel's memory controller is version 1's: real groups, nested, and files in the place of the controller's.
unshare -m true 2>/dev/null || exit 0
two=$(mktemp -d)
trap 'rm -rf "$NOTES" "$two"; rmdir "$group/inner" "$group" 2>/dev/null' EXIT
cat >"$two/run" <<'END'
top=$1/top
shift
mkdir -p "$top" && mount -t cgroup2 none "$top" && mkdir -p "$top/weft-test/inner" && echo $$ >"$top/weft-test/inner/cgroup.procs" || exit 77
mount -t tmpfs none /sys/fs/cgroup && mkdir -p /sys/fs/cgroup/weft-test/inner || exit 77
echo 536870912 >/sys/fs/cgroup/weft-test/memory.max
echo max >/sys/fs/cgroup/weft-test/inner/memory.max
echo 524288000 >/sys/fs/cgroup/weft-test/memory.current # nearly all of it files, which the kernel gives back
printf 'anon 5\ninactive_file 4096\nactive_file 513802240\n' >/sys/fs/cgroup/weft-test/memory.stat
SHMEM_SYMMETRIC_SIZE=2G "$@"
status=$?
echo $$ >"$top/cgroup.procs" && rmdir "$top/weft-test/inner" "$top/weft-test"
exit $status
END
for mb in 20 400; do
  fresh
  timeout 60 unshare -m sh "$two/run" "$two" $WEFTRUN -n 2 "$SMALL" $mb >"$NOTES/out" 2>"$NOTES/err" </dev/null
  status=$?
  [ $status -ne 77 ] || { echo "no control groups of version 2 here"; break; }
  [ $status -eq 0 ] || fail "version 2, $mb MB: status $status"
  want=had
  [ $mb -eq 20 ] || want=NULL
  grep -q "$want" "$NOTES/out" || fail "version 2, $mb MB for 2 PEs of 512 MB: want $want"
done
exit 0
