# An MPI program between two network namespaces, half of its ranks in each, by its MPI's own launcher.
#   hosts.sh mpich|openmpi NP PROGRAM
set -u
here=$WEFT_SOURCE/test
[ -n "${HOSTS_INSIDE:-}" ] || HOSTS_INSIDE=1 exec sh "$here/netns.sh" run sh "$0" "$@"
mpi=$1 np=$2 program=$3
half=$(((np + 1) / 2))
case $mpi in
mpich)
  # Each rank goes to its namespace by itself. MPICH, if it knew, would talk TCP, and hang in MPI_Finalize now and then.
  # shellcheck disable=SC2016
  exec mpiexec.hydra -n "$np" sh -c 'host=weft-a; [ "$PMI_RANK" -lt "$1" ] || host=weft-b
    WEFT_NODE=$host exec ip netns exec $host "$0"' "$program" $half ;;
openmpi)
  # Its ranks talk to their daemon by TCP, so there is one in each. The node is the host name that in-netns.sh gives.
  # shellcheck disable=SC2016
  exec ip netns exec weft-a "$here/as-host.sh" weft-a \
    mpirun.openmpi --allow-run-as-root --oversubscribe --mca mpi_yield_when_idle 1 --mca plm_rsh_agent "$here/in-netns.sh" \
    --mca oob_tcp_if_include eth0 --mca btl_tcp_if_include eth0 -H 10.77.0.1:$half,10.77.0.2:$half -n "$np" \
    sh -c 'WEFT_NODE=$(uname -n) exec "$0"' "$program" ;;
esac
