# Sourced by the scripts of this folder (and of ../boot, ../coll, ../fault, ../sync). $WEFTRUN and $WEFT_BUILD come from CMake; $PEER is a PE
# that speaks the boot interface (../boot/peer.c).
PEER=$WEFT_BUILD/test-bin/boot.peer
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT

fail() { # the reason last: the summary of make check shows the last lines
  [ ! -s "$DIR/err" ] || sed 's/^/  stderr: /' "$DIR/err"
  echo "failed: $*"
  exit 1
}

# within SECONDS COMMAND...: wait until it succeeds. The bound only finds hangs.
within() {
  tries=$(($1 * 50))
  shift
  until "$@"; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || return 1
    sleep 0.02
  done
}

# A zombie has ended: in a container nobody may be there to collect the orphans of a killed launcher.
ended() {
  [ ! -e "/proc/$1" ] || grep -qs '^State:.Z' "/proc/$1/status" || [ ! -e "/proc/$1" ]
}

# All processes that left a note in the directory.
all_ended() {
  for note in "$DIR"/pid.*; do
    ended "$(cat "$note")" || return 1
  done
}

check_all_ended() {
  within 30 all_ended || fail "a process is still there: $(grep . "$DIR"/pid.*)"
}

ready() { # NPES
  [ "$(ls "$DIR" | grep -c '^ready\.[0-9]*$')" -eq "$1" ] && [ -e "$DIR/pid.child" ]
}

# Exactly one line of weftrun's, and it matches.
check_line() {
  [ "$(grep -c '^weft: ' "$DIR/err")" -eq 1 ] || fail "not one line beginning with 'weft:'"
  grep -Eq "^weft: $1\$" "$DIR/err" || fail "no line like: weft: $1"
}

fresh() {
  rm -rf "$DIR"
  mkdir "$DIR"
}
