# Generated programs between two network namespaces: what begins together, reads ahead, lists, order, collectives.
. "$(dirname "$0")/common.sh"
for program in together bulk order collectives; do
  "$UPCC" -O2 -I"$here" "$here/$program.upc" -o "$work/$program" || fail "$program: it does not compile"
  sh "$WEFT_SOURCE/test/netns.sh" run "$WEFTRUN" -n 4 --netns weft-a,weft-b "$work/$program" >"$work/out" 2>&1
  status=$?
  [ $status -eq 0 ] || { cat "$work/out"; [ $status -eq 77 ] && exit 77; fail "$program: status $status"; }
done
exit 0
