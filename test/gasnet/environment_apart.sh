# The environment of a job is process 0's, also on another machine (here another host name) whose launcher passed nothing on.
set -u
unshare --uts --ipc true 2>/dev/null || { echo 'skipped: no host name of its own is permitted here'; exit 77; }
try() { # PROGRAM NAME VALUE: the program fails where the variable has not this value
  # shellcheck disable=SC2016
  env "$2=$3" WEFT_IFACE=127.0.0.1 "$WEFTRUN" -n 2 sh -c '[ "$PMI_RANK" -eq 0 ] || exec "$0/test/as-host.sh" beside env -u "$2" "$1"
    exec "$1"' "$WEFT_SOURCE" "$WEFT_BUILD/test-bin/$1" "$2" || { echo "failed: $1 with $2=$3"; exit 1; }
}
try gasnet.attach GASNET_MAX_SEGSIZE 2MB
try gasnet.gasnet1_am WEFT_GASNET1_TEST 'a value'
