# Where there is no room for a coarray the message says which limit is reached.
program=$WEFT_BUILD/test-bin/caf.shortage
why='Failed to allocate coarray: SHMEM_SYMMETRIC_SIZE raises the limit'
export SHMEM_SYMMETRIC_SIZE=8M
out=$(timeout 60 "$WEFTRUN" -n 2 "$program" 2>&1)
[ $? -eq 1 ] || { echo "status: $out"; exit 1; }
case $out in *"Fortran runtime error on image "[12]": $why"*) ;; *) echo "$out"; exit 1 ;; esac
out=$(timeout 60 "$WEFTRUN" -n 2 "$program" errmsg 2>&1)
[ "$out" = "$(printf '1 %s\n1 %s' "$why" "$why")" ] || { echo "with errmsg: $out"; exit 1; }
for where in '' '--nodes 2'; do
  for death in end continue; do
    for how in errmsg team; do
      # shellcheck disable=SC2086
      out=$(WEFT_ON_DEATH=$death timeout 60 "$WEFTRUN" -n 2 $where "$program" $how 2>&1)
      [ "$out" = "$(printf '1 %s\n1 %s' "$why" "$why")" ] || { echo "$where $death $how: $out"; exit 1; }
    done
  done
done
