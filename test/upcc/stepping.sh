# With -O0 a debugger steps through the source: every line of a statement has a place in the code, no place lies
# beyond the file, loops are visited in order, and variables, also of a shared type's own element, have values.
. "$(dirname "$0")/common.sh"
command -v objdump >/dev/null || { echo "no objdump"; exit 77; }
cd "$work" || exit 1
cat >step.upc <<'END'
#include <upc.h>
shared int a[10 * THREADS];
shared [5] double b[10 * THREADS];
shared int *p;
int main(void) {
  int i, sum = 0;
  upc_forall (i = 0; i < 10; i++; &a[i])
    a[i] = i;
  upc_barrier;
  for (i = 0; i < 10; i++) {
    sum += a[i] +
        a[9 - i];
    b[i] = sum;
  }
  p = &a[3];
  p++;
  *p = sum;
  if (*p > 3)
    sum = 0;
  else
    sum = 1;
  upc_barrier 4;
  return sum;
}
END
"$UPCC" -O0 -g step.upc -o step -c || fail "step.upc"
objdump --dwarf=decodedline step | awk '$1 == "step.upc" { print $2 }' | sort -n -u >got
for line in 5 6 7 8 9 10 11 13 15 16 17 18 19 21 22 23; do
  grep -qx "$line" got || fail "no code at line $line: $(tr '\n' ' ' <got)"
done
lines=$(wc -l <step.upc)
[ "$(grep -c . step.upc)" -eq "$lines" ] && [ "$(sort -n got | tail -n 1)" -le $((lines + 1)) ] || fail "code beyond the file: $(tr '\n' ' ' <got)"
command -v gdb >/dev/null || exit 0
"$UPCC" -O0 -g step.upc -o program || fail "program"
cat >commands <<'END'
set pagination off
set debuginfod enabled off
break step.upc:13
run
print sum
next
next
next
delete
break step.upc:18
continue
print sum
next
next
END
gdb -q -batch -x commands --args ./program </dev/null >log 2>&1
grep -q 'ptrace: Operation not permitted\|Cannot PTRACE' log && exit 0
for text in '^13.*b\[i\] = sum' '= 9$' '^10.*for (i = 0' '^11.*sum += a' '^18.*if (\*p > 3)' '= 90$' '^19.*sum = 0' '^22.*upc_barrier 4'; do
  grep -q -- "$text" log || { tail -20 log; fail "gdb did not come to '$text'"; }
done
exit 0
