# Lists and strided regions are in the record, also those that do not leave the node.
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
"$WEFTRUN" -n 2 --trace "$out" "$WEFT_BUILD/test-bin/upc.vis" || exit 1
for name in bupc_memput_vlist bupc_memcpy_ilist bupc_memget_strided bupc_memput_fstrided_async; do
  grep -q "\"name\":\"$name\"" "$out" || { echo "no $name"; exit 1; }
done
