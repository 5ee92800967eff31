# Failed images by every way to ask for it, on one node and two; without a request the job ends.
set -u
program=$WEFT_BUILD/test-bin/caf.failed
ends=$WEFT_BUILD/test-bin/caf.ends
bin=$WEFT_BUILD/bin
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0

# expect STATUS TEXT COMMAND...: its status, and a line that it prints
expect() {
  want=$1 text=$2
  shift 2
  timeout 50 "$@" >"$dir/out" 2>&1
  got=$?
  if [ "$got" != "$want" ] || ! grep -q -- "$text" "$dir/out"; then
    echo "$*: status $got (want $want), want '$text' in:"
    cat "$dir/out"
    status=1
  fi
}

for how in word kill; do
  expect 0 '^right' "$bin/cafrun" --disable-auto-cleanup -n 3 "$program" $how
  expect 0 '^right' env WEFT_ON_DEATH=continue "$WEFTRUN" -n 8 "$program" $how
  expect 0 '^right' "$bin/cafrun" --disable-auto-cleanup -n 5 --nodes 2 "$program" $how
done
expect 0 '^right' "$bin/cafrun" --disable-auto-cleanup -n 8 --nodes 2 "$program" posts
expect 0 '^right' env WEFT_CHECK=1 "$bin/cafrun" --disable-auto-cleanup -n 3 "$program" kill
expect 0 '^right' "$bin/cafrun" --disable-auto-cleanup -n 8 --nodes 2 "$WEFT_BUILD/test-bin/caf.teams"
# Random rounds; by hand, other seeds. On nodes: an even number.
random=$WEFT_BUILD/test-bin/caf.failing
expect 0 '^right' "$bin/cafrun" --disable-auto-cleanup -n 3 "$random" 5
expect 0 '^right' "$bin/cafrun" --disable-auto-cleanup -n 6 --nodes 2 "$random" 1
expect 0 '^right' env WEFT_CHECK=1 "$bin/cafrun" --disable-auto-cleanup -n 5 "$random" 3
netns=$WEFT_SOURCE/test/netns.sh
if "$netns" run true >"$dir/out"; then
  expect 0 '^right' "$netns" run env WEFT_ON_DEATH=continue "$WEFTRUN" -n 4 --netns weft-a,weft-b "$program" word
  expect 0 '^right' "$netns" run env WEFT_ON_DEATH=continue "$WEFTRUN" -n 4 --netns weft-a,weft-b -x WEFT_CHECK=1 "$program" kill
else
  cat "$dir/out"
fi
# The program names FAIL IMAGE, so cafrun needs no option; but the user may forbid it.
expect 0 '^right' "$bin/cafrun" -n 4 "$program" word
expect 0 '^right' "$bin/cafrun" --wdir "$(dirname "$program")" -n 4 "./$(basename "$program")" word
expect 1 'does not go on without an image' "$bin/cafrun" --reenable-auto-cleanup -n 4 "$program" word
expect 1 'does not go on without an image' "$WEFTRUN" -n 4 "$program" word
expect 137 'killed by signal 9' "$bin/cafrun" --reenable-auto-cleanup -n 4 "$program" kill
# An error on one image ends all, with its code, and the others say nothing.
for nodes in 1 2 3; do
  expect 9 '^ERROR STOP 9$' "$bin/cafrun" --disable-auto-cleanup -n 3 --nodes $nodes "$ends" second
  grep 'SYNC ALL' "$dir/out" && status=1
  expect 6 'ended the job with status 6' "$bin/cafrun" --disable-auto-cleanup -n 3 --nodes $nodes "$ends" exit6
  grep 'SYNC ALL' "$dir/out" && status=1
  expect 1 '^weft: pe [0-2]: CO_[MS][AU][XM]: another image calls' "$bin/cafrun" --disable-auto-cleanup -n 3 --nodes $nodes -x WEFT_CHECK=1 "$ends" differ
done
# An image that fails without stat= in the others' statements ends the job.
expect 1 'SYNC ALL failed - there are failed images' "$bin/cafrun" -n 3 "$ends" failed
exit $status
