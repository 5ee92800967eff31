# A variable of OpenSHMEM's that nearly is one is told, once in a job; other libraries' are not.
set -u
program=$WEFT_BUILD/test-bin/fault.small
told() { # NAME MEANT
  out=$(env "$1=1" "$WEFTRUN" -n 3 "$program" 2>&1 >/dev/null)
  [ "$out" = "weft: pe 0: $1 is not an option of Weft; the nearest is $2" ] || { echo "$1: $out"; exit 1; }
}
told SHMEM_SYMETRIC_SIZE SHMEM_SYMMETRIC_SIZE
told SHMEM_SYMMETRIC_HEAP_SIZ SHMEM_SYMMETRIC_SIZE
told SMA_SYMMETRICSIZE SMA_SYMMETRIC_SIZE
told SHMEM_DEBG SHMEM_DEBUG
told SHMEM_VERSON SHMEM_VERSION
told SHMEM_INF SHMEM_INFO
for name in SHMEM_BARRIER_ALGORITHM SHMEM_SYMMETRIC_HEAP_SIZE SHMEM_HOME SHMEM_INC SHMEM_VERSION_DISPLAY SHMEM_DEBUG_FILE SHMEM_ENV_DISPLAY; do
  out=$(env "$name=1" "$WEFTRUN" -n 3 "$program" 2>&1 >/dev/null)
  [ -z "$out" ] || { echo "$name: $out"; exit 1; }
done
exit 0
