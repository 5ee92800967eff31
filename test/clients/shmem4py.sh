# shmem4py, the Python bindings of OpenSHMEM, as a user installs them: the source package of PyPI, unmodified, built
# by pip with our oshcc first in PATH, and the test-suite that comes with it, on one node and on two.
# The virtual environment and what was fetched stay in the build folder; the bindings are built anew each time.
set -u
. "$WEFT_SOURCE/test/launch/lib.sh"
pins="numpy==1.26.4 cffi==1.17.1 setuptools==75.8.0 wheel==0.45.1"
client=shmem4py-1.0.0
here=$WEFT_BUILD/clients/shmem4py
pip="$here/venv/bin/pip --disable-pip-version-check --retries 1 --timeout 20 -q"
python=$here/venv/bin/python

skip() {
  echo "skipped: $*"
  exit 77
}
pip_says() { # its last line that is an error, or its last
  grep -h ERROR "$DIR/err" "$DIR/out" | tail -n 1 | grep . || tail -n 1 "$DIR/err"
}

for base in python3 /usr/bin/python3; do
  $base -c 'import ensurepip, os, sysconfig, venv
assert os.path.exists(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null && break
  base=
done
[ "$base" ] || skip 'no Python with venv and headers (packages python3-venv and python3-dev)'

if [ "$(cat "$here/pins" 2>/dev/null)" != "$base $pins" ]; then
  rm -rf "$here"
  mkdir -p "$here"
  $base -m venv "$here/venv" >"$DIR/out" 2>"$DIR/err" || fail 'no virtual environment'
  # shellcheck disable=SC2086 # lists of words
  $pip install --only-binary :all: $pins >"$DIR/out" 2>"$DIR/err" || skip "PyPI does not give $pins: $(pip_says)"
  echo "$base $pins" >"$here/pins"
fi
if [ ! -s "$here/$client.tar.gz" ]; then
  $pip download --no-deps --no-build-isolation --no-binary :all: -d "$here" "shmem4py==${client#*-}" \
    >"$DIR/out" 2>"$DIR/err" || skip "PyPI does not give $client: $(pip_says)"
fi

# No isolation: it would fetch the newest of what builds it. No cache: it would hand out what another oshcc built.
# -g0 is for the test's time only: debug information is most of the compilation.
PATH=$WEFT_BUILD/bin:$PATH CFLAGS=-g0 $pip install --force-reinstall --no-cache-dir --no-deps --no-build-isolation \
  "$here/$client.tar.gz" >"$DIR/out" 2>"$DIR/err" || { tail -n 30 "$DIR/out"; fail "$client does not build"; }
tar -xzf "$here/$client.tar.gz" -C "$DIR" || fail "$client: tar"

suite() { # NAME PATTERN PES WEFTRUN-OPTION...
  name="$1, $3 PEs"
  pattern=$2
  npes=$3
  shift 3
  timeout 100 "$WEFTRUN" -n "$npes" "$@" "$python" -m unittest discover -s "$DIR/$client/test" -p "$pattern" \
    >"$DIR/out" 2>"$DIR/err" || fail "$name: status $?"
  # Every PE runs every test and says so: none may be skipped, none may be lost. Lines of PEs may share a line.
  [ "$(grep -o 'Ran [1-9][0-9]* test' "$DIR/err" | wc -l)" -eq "$npes" ] || fail "$name: a PE ran no test"
  grep -q 'skipped=' "$DIR/err" && fail "$name: skipped tests"
  echo "$name: $(grep -o 'Ran [0-9]* tests' "$DIR/err" | sort | uniq -c | sed 's/^ *//; s/ Ran/ x/')"
}
for n in 1 2 4; do suite 'one node' 'test_*.py' $n; done
# test_ptr.py meets its neighbour in a barrier only if shmem_ptr reaches it, so it ends on one node only.
rm "$DIR/$client/test/test_ptr.py"
for n in 2 4; do suite 'two nodes, without test_ptr' 'test_*.py' $n --nodes 2; done
exit 0
