# Coarray programs under the launchers beside weftrun that this machine has: all images are there, and the status of STOP and
# ERROR STOP is the launcher's.
set -u
bin=$WEFT_BUILD/test-bin
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset PMI_FD PMI_RANK PMI_SIZE PMIX_RANK WEFT_LAUNCHER
root=
[ "$(id -u)" -ne 0 ] || root=--allow-run-as-root
status=0
tried=0

expect() { # STATUS LAUNCHER...
  want=$1
  shift
  timeout 60 "$@" >"$dir/out" 2>&1
  got=$?
  [ $got = "$want" ] || { echo "$*: status $got (want $want):"; cat "$dir/out"; status=1; }
}

under() {
  command -v "$1" >/dev/null || return 0
  tried=$((tried + 1))
  for test in images sync collectives; do expect 0 "$@" -n 3 "$bin/caf.$test"; done
  expect 0 "$@" -n 2 "$bin/caf.ends" stop
  expect 3 "$@" -n 2 "$bin/caf.ends" stop3
  expect 7 "$@" -n 2 "$bin/caf.ends" error7
}
under mpiexec.hydra
under mpirun.openmpi $root --oversubscribe
under prterun $root --map-by :OVERSUBSCRIBE
[ $tried -gt 0 ] || { echo 'skipped: no launcher but weftrun'; exit 77; }
exit $status
