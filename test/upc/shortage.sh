# Where there is no room for another lock the line says which limit is reached, on another node, too.
export WEFT_PRIVATE_SIZE=16M
said() { # HOME ARGUMENTS
  home=$1
  shift
  out=$(timeout 60 "$WEFTRUN" -n 2 "$@" 2>&1)
  [ $? -eq 1 ] || { echo "$*: status: $out"; exit 1; }
  case $out in *"no room for a lock on thread "$home": WEFT_PRIVATE_SIZE raises the limit"*) ;; *) echo "$*: $out"; exit 1 ;; esac
}
program=$WEFT_BUILD/test-bin/upc.shortage
said '[01]' "$program"
said 1 "$program" dealt
said 1 --nodes 2 "$program" dealt

# Other allocations return NULL. With WEFT_CHECK=1 one line says why.
tells() { # TEXT OPTIONS... ALLOCATION
  text=$1
  shift
  for check in 1 0; do
    out=$(WEFT_CHECK=$check SHMEM_SYMMETRIC_SIZE=16M timeout 60 "$WEFTRUN" -n 2 "$@" 2>&1)
    [ $? -eq 0 ] || { echo "$*: status: $out"; exit 1; }
    [ $check -eq 1 ] || text=
    case $text/$out in
      /) ;;
      */"weft: pe "[01]": $text") ;; # and no other line
      *) echo "WEFT_CHECK=$check $*: $out"; exit 1 ;;
    esac
  done
}
much='no room for 2147483648 bytes'
symmetric='so it returns NULL: SHMEM_SYMMETRIC_SIZE raises the limit'
for nodes in '' '--nodes 2'; do
  # shellcheck disable=SC2086
  tells "upc_all_alloc: $much on each thread, $symmetric" $nodes "$program" all
done
tells "upc_global_alloc: $much on each thread, $symmetric" "$program" global
tells "upc_alloc: $much, so it returns NULL: WEFT_PRIVATE_SIZE raises the limit" "$program" own
most='no room for 9223372036854775807 bytes in each of'
far='so it returns NULL: a pointer-to-shared does not reach so far'
for how in all global; do tells "upc_${how}_alloc: $most 2 blocks, $far" "$program" $how-most; done
tells "upc_local_alloc: $most 9223372036854775807 blocks, $far" "$program" local-most
