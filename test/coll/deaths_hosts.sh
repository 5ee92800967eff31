# Members of teams die, in the end all of a host, where the hosts are machines of their own, as their names differ: what a process of one sees of
# a death there the other is told by packets.
set -u
. "$(dirname "$0")/../launch/lib.sh"
[ -n "${WEFT_TEST_INSIDE:-}" ] || {
  WEFT_TEST_INSIDE=1 "$WEFT_SOURCE/test/netns.sh" run sh "$0"
  exit $?
}
PATH=$PATH:/usr/sbin:/sbin
export WEFT_ON_DEATH=continue

# shellcheck disable=SC2016
try() { # DEATHS PROGRAM ARGUMENTS...
  deaths=$1 program=$WEFT_BUILD/test-bin/coll.$2
  shift 2
  timeout 50 "$WEFTRUN" -n 5 --netns weft-a,weft-b sh -c 'exec unshare --uts sh -c "hostname $(ip netns identify $$); exec \"\$@\"" - "$@"' - \
    "$program" "$@" >"$DIR/out" 2>"$DIR/err" || fail "$program $* ($WEFT_PROVIDER): status $?: $(cat "$DIR/out")"
  [ "$(grep -c right "$DIR/out")" -eq 1 ] || fail "$program $* ($WEFT_PROVIDER): $(cat "$DIR/out")"
  [ "$(grep -c 'the others go on' "$DIR/err")" -eq "$deaths" ] && [ "$(wc -l <"$DIR/err")" -eq "$deaths" ] || fail "$program $* ($WEFT_PROVIDER)"
}
for WEFT_PROVIDER in auto rxm sockets; do
  export WEFT_PROVIDER
  for first in 0 1; do try 3 deaths $first; done
  [ "$WEFT_PROVIDER" = auto ] || continue
  for first in 2 3 4 5; do try 3 deaths $first; done
  for who in 0 1; do try 2 gone $who $who; done
done
exit 0
