# bound.c with half of the PEs on a machine of its own, as a container of the same kernel is one: its host name differs.
set -u
program=$WEFT_BUILD/test-bin/am.bound
unshare --uts --ipc true 2>/dev/null || { echo 'skipped: no host name of its own is permitted here'; exit 77; }
for apart in shared own; do
  for n in 2 4; do
    # shellcheck disable=SC2016
    APART=$apart WEFT_IFACE=127.0.0.1 "$WEFTRUN" -n $n sh -c '[ "$PMI_RANK" -lt "$0" ] || exec "$2/test/as-host.sh" beside "$1"
      exec "$1"' $((n / 2)) "$program" "$WEFT_SOURCE" || { echo "failed: $n PEs, processors $apart"; exit 1; }
  done
done
