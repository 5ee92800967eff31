# Whoever writes a constant of another PE, or its own, ends the job with one line, however it is written.
set -u
run=$WEFT_BUILD/test-bin/shmem.constants
out=$(mktemp)
trap 'rm -f "$out"' EXIT
wrong() { # PATTERN WEFTRUN-OPTIONS WAY PE
  want=$1 options=$2
  shift 2
  timeout 60 "$WEFTRUN" $options "$run" "$@" >"$out" 2>&1 </dev/null
  status=$?
  [ $status -eq 1 ] && [ "$(grep -Ec "$want" "$out")" -eq 1 ] && [ "$(grep -c . "$out")" -le 2 ] && return
  echo "failed: $options $*: status $status"
  sed 's/^/  /' "$out"
  exit 1
}
line='^weft: pe [0-9]+: .*constant'
for way in p put iput add swap; do
  for to in 0 1; do wrong "$line" '-n 2' $way $to; done
  wrong "$line" '-n 2 --nodes 2' $way 1
done
wrong "$line" '-n 2' ptr 1
# Copies are not protected where there are many: then the end of the job tells.
export WEFT_DEBUG=protected_slots=1
for options in '-n 2' '-n 3 --nodes 2'; do
  timeout 60 "$WEFTRUN" $options "$run" p 1 >"$out" 2>&1 </dev/null && { echo "$options: not seen at the end"; exit 1; }
  [ "$(grep -c 'weft: pe 1: another PE stored to the constant' "$out")" -eq 1 ] || { cat "$out"; exit 1; }
done
unset WEFT_DEBUG
export WEFT_COALESCE=0
for way in p put iput; do wrong "$line" '-n 2 --nodes 2' $way 1; done
unset WEFT_COALESCE
export WEFT_CHECK=1
for options in '-n 2' '-n 2 --nodes 2'; do
  wrong '^weft: pe 0: shmem_p: dest 0x[0-9a-f]+ is a constant' "$options" p 1
  wrong '^weft: pe 0: shmem_long_atomic_add: dest 0x[0-9a-f]+ is a constant' "$options" add 1
done
exit 0
