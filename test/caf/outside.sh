# WEFT_CHECK=1 finds an index that leaves a coarray, on a node and between two; what is right goes on as it did.
# Without it a vector subscript is found that is no place in any memory.
set -u
program=$WEFT_BUILD/test-bin/caf.outside
status=0

expect() { # STATUS HOW MESSAGE
  for nodes in 1 2; do
    out=$(WEFT_CHECK=${check:-1} "$WEFTRUN" -n 2 --nodes $nodes "$program" "$2" 2>&1)
    got=$?
    if [ $got != "$1" ] || ! echo "$out" | grep -q -- "$3"; then
      printf '%s on %s nodes: status %s (want %s), want "%s" in:\n%s\n' "$2" $nodes $got "$1" "$3" "$out"
      status=1
    fi
  done
}

expect 0 inside '^$'
error='^Fortran runtime error on image 1: Index'
expect 1 fixed "$error '11' of a coarray, of elements from 1, above upper bound of 10$"
expect 1 box "$error '10' of dimension 1 of a coarray above upper bound of 9$"
expect 1 below "$error '-1' of dimension 1 of a coarray below lower bound of 0$"
expect 1 plane "$error '30' of a coarray, of elements from 1, above upper bound of 25$"
expect 1 empty "$error '1' of a coarray, of elements from 1, above upper bound of 0$"
expect 1 vector "$error '6' of dimension 2 of a coarray above upper bound of 5$"
expect 1 chain "$error '2' of dimension 1 of a coarray above upper bound of 1$"
expect 1 list "$error '2' of dimension 1 of a coarray above upper bound of 1$"
expect 1 there "$error '3' of dimension 1 of a coarray above upper bound of 2$"
expect 1 part "$error '2' of dimension 1 of a coarray above upper bound of 1$"
expect 1 event "$error '4' of a coarray, of elements from 1, above upper bound of 3$"
expect 1 atomic "$error '5' of a coarray, of elements from 1, above upper bound of 4$"
check=0
# Its distance from the lower bound is no number, the bytes to it are none, and no memory has them.
expect 1 under "the vector subscript -$((0x7fffffffffffffff)) of a component is no place"
expect 1 far "the vector subscript $((0x3fffffffffffffff)) of a component is no place"
expect 1 farther "the vector subscript $((0x0fffffffffffffff)) of a component is no place"
expect 1 beyond "free of private memory: .* is a block beyond whose end the program wrote"
exit $status
