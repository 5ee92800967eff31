# Sourced by the scripts of this folder. $KNOWN does what its opening says (known.c).
KNOWN=$WEFT_BUILD/test-bin/record.known
TRACE=$WEFT_SOURCE/test/record/trace.py
REPORT=$WEFT_BUILD/bin/weft-report
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT
mkdir "$DIR/tmp"
TMPDIR=$DIR/tmp # weftrun's folder of parts: nothing may be left in it
export TMPDIR

fail() {
  [ ! -s "$DIR/err" ] || sed 's/^/  stderr: /' "$DIR/err"
  echo "failed: $*"
  exit 1
}

nothing_left() {
  [ -z "$(ls -A "$TMPDIR")" ] || fail "$*: left behind: $(ls -R "$TMPDIR")"
}
