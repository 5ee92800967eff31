#!/bin/sh
# make scale: jobs far larger than the machine, with a table, beside the MPIs that are here. scale.sh BUILD-DIRECTORY [PE-COUNTS [NODE-COUNTS]]
# SCALE_SYSTEMS (weft mpich ompi mpich5 ompi5) chooses among them, SCALE_SECONDS (300) bounds a run. Exit status 0: Weft's all came to a good end.
set -u
build=$1
pes=${2-64 100 256 512 1000}
nodes=${3-16 32 64 65 100 256 257 512}
systems=${SCALE_SYSTEMS:-weft mpich ompi mpich5 ompi5}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0
export WEFT_TEST_SECONDS="${SCALE_SECONDS:-300}"

# What says to these MPIs that processes of one machine are to be on nodes of their own.
hydra_apart='MPIR_CVAR_NOLOCAL=1 UCX_TLS=tcp,self UCX_NET_DEVICES=lo FI_TCP_IFACE=lo'
ompi_apart='--mca pml ob1 --mca btl self,tcp --mca btl_tcp_if_include lo'
ompi_usual='--allow-run-as-root --oversubscribe --bind-to none --mca mpi_yield_when_idle 1'

# COMMAND N PROGRAM ARGUMENT: of a system, on one node or on as many as processes.
command_of() { # SYSTEM PLACE N
  case $1-$2 in
  weft-one) echo "$build/bin/weftrun -n $3" ;;
  weft-each) echo "$build/bin/weftrun -n $3 --nodes $3" ;;
  mpich-one) echo "mpiexec.hydra -n $3" ;;
  mpich-each) echo "env $hydra_apart mpiexec.hydra -n $3" ;;
  mpich5-one) echo "build/peers/mpich/bin/mpiexec.hydra -n $3" ;;
  mpich5-each) echo "env $hydra_apart build/peers/mpich/bin/mpiexec.hydra -n $3" ;;
  ompi-one) echo "mpirun.openmpi $ompi_usual -np $3" ;;
  ompi-each) echo "mpirun.openmpi $ompi_usual $ompi_apart -np $3" ;;
  ompi5-one) echo "build/peers/openmpi/bin/mpirun $ompi_usual -np $3" ;;
  ompi5-each) echo "build/peers/openmpi/bin/mpirun $ompi_usual $ompi_apart -np $3" ;;
  esac
}

# The program of a system; says why there is none.
program_of() {
  case $1 in
  weft) program=$build/test-bin/scale.all && return ;;
  mpich) compiler=mpicc.mpich ;;
  ompi) compiler=mpicc.openmpi ;;
  mpich5) compiler=build/peers/mpich/bin/mpicc ;;
  ompi5) compiler=build/peers/openmpi/bin/mpicc ;;
  esac
  program=$folder/$1
  "$compiler" -O2 -std=gnu11 -D_GNU_SOURCE -o "$program" "$(dirname "$0")/mpi.c" 2>"$folder/why" && return
  echo "left out: $1: $(head -n 1 "$folder/why")" >&2
  return 1
}

now() { awk '{ print $1 }' /proc/uptime; }

# Bytes per peer: by how much the memory of a process grows from the first count of the series on.
series() { # SYSTEM PLACE COUNTS...
  system=$1 place=$2 first=
  shift 2
  for n in "$@"; do
    line=$(timeout "${SCALE_SECONDS:-300}" $(command_of "$system" "$place" "$n") "$program" "$(now)" 2>&1 </dev/null)
    status=$?
    row=$(echo "$line" | grep '^| [0-9]' | tail -n 1)
    if [ $status -ne 0 ] || [ -z "$row" ]; then
      [ "$system" != weft ] || failed=1
      why=$(echo "$line" | tail -n 1 | cut -c1-80)
      echo "| $place | $system | $n | no good end in ${SCALE_SECONDS:-300} s, status $status: ${why:-no word} | | | | | | | |"
      [ $status -ne 124 ] || break # larger ones will not do better
      continue
    fi
    kb=$(echo "$row" | awk -F'|' '{ print $6 + 0 }')
    : "${first:=$n $kb}"
    echo "| $place | $system $row$(echo "$first" | awk -v n="$n" -v kb="$kb" '{ if (n > $1) printf " %d |", (kb - $2) * 1024 / (n - $1); else printf " |" }')"
  done
}

echo "| node | system | PEs | first barrier done after, s | barrier, ms | put to all, ms | PSS of PE 0, KB | descriptors | connections before the puts | after | bytes per peer |"
echo "|---|---|---|---|---|---|---|---|---|---|---|"
for s in $systems; do
  program_of "$s" || continue
  series "$s" one $pes
  series "$s" each $nodes
done
exit $failed
