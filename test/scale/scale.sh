#!/bin/sh
# make scale: jobs far larger than the machine, beside the MPIs that are here, and the page of them. scale.sh BUILD-DIRECTORY [PE-COUNTS [NODE-COUNTS]]
# SCALE_SYSTEMS (weft ompi ompi5 mpich5 mpich) chooses among them, and their order; SCALE_SECONDS (120) bounds a run of Weft's, SCALE_PEER_SECONDS (60) one of another's, SCALE_NEEDED_SECONDS (90) one of 100 pretended nodes,
# SCALE_BUDGET (3600) all of them, so it takes an hour at the most; SCALE_NOTE is a sentence for the page. Results stay in BUILD-DIRECTORY/scale, one file a run, so that a part can be run again; the page,
# docs/scale.md, is of all that is there. Exit status 0: Weft's all came to a good end.
set -u
build=$1
pes=${2-64 100 256 512 1000}
nodes=${3-16 32 64 65 100 256 257 512}
systems=${SCALE_SYSTEMS:-weft ompi ompi5 mpich5 mpich}
seconds=${SCALE_SECONDS:-120}
peer_seconds=${SCALE_PEER_SECONDS:-60}
needed=${SCALE_NEEDED_SECONDS:-90}
results=$build/scale
mkdir -p "$results" || exit 1
failed=0
# Hundreds of processes that all connect to all may take long to answer; the run is bounded anyway.
export WEFT_TEST_SECONDS="$seconds" WEFT_LINK_TIMEOUT="$seconds"

# What says to these MPIs that processes of one machine are to be on nodes of their own.
# (UCX of MPICH 4 takes a device by which 4 processes do not find each other, unless it is told which; MPICH 5 fails with that one.)
hydra_apart='MPIR_CVAR_NOLOCAL=1 UCX_TLS=tcp,self'
ompi_apart='--mca osc ^sm --mca pml ob1 --mca btl self,tcp --mca btl_tcp_if_include lo'
ompi_usual='--allow-run-as-root --oversubscribe --bind-to none --mca mpi_yield_when_idle 1'

# COMMAND N: of a system, on one node or on as many as processes.
command_of() { # SYSTEM PLACE N
  case $1-$2 in
  weft-one) echo "$build/bin/weftrun -n $3" ;;
  weft-each) echo "$build/bin/weftrun -n $3 --nodes $3" ;;
  mpich-one) echo "mpiexec.hydra -n $3" ;;
  mpich-each) echo "env $hydra_apart UCX_NET_DEVICES=lo mpiexec.hydra -n $3" ;;
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
  program=$results/program.$1
  "$compiler" -O2 -std=gnu11 -D_GNU_SOURCE -o "$program" "$(dirname "$0")/mpi.c" 2>"$results/why" && return
  echo "left out: $1: $(head -n 1 "$results/why")" >&2
  return 1
}

# A process namespace of its own, where that is permitted: with the launcher go the daemons that it has started.
contain=
! unshare --pid --fork --mount-proc --kill-child true 2>/dev/null || contain='unshare --pid --fork --mount-proc --kill-child'

now() { awk '{ print $1 }' /proc/uptime; }

end=$(($(now | cut -d. -f1) + ${SCALE_BUDGET:-3600}))

# One run; its row, or why there is none, is the file PLACE.SYSTEM.N. False: larger ones need not be tried.
run() { # SYSTEM PLACE N
  bound=$peer_seconds
  # The barrier of 100 is compared with the best of theirs.
  [ "$2-$3" != each-100 ] || [ "$bound" -ge "$needed" ] || bound=$needed
  [ "$1" != weft ] || bound=$seconds
  left=$((end - $(now | cut -d. -f1)))
  [ "$left" -ge "$bound" ] || bound=$left
  if [ "$bound" -lt 5 ]; then
    echo "| $3 | not tried: no time was left |" >"$results/$2.$1.$3"
    return 0
  fi
  timeout -k 5 "$bound" $contain $(command_of "$1" "$2" "$3") "$program" "$(now)" >"$results/output" 2>&1 </dev/null &
  job=$! ticks=0
  # MPICH 4's processes may wait for one another in MPI_Finalize for ever, where each is on a node of its own.
  while sleep 1 && kill -0 $job 2>/dev/null; do
    ! grep -q '^| [0-9]' "$results/output" || ticks=$((ticks + 1))
    [ $ticks -lt 10 ] || [ "$1" = weft ] || { kill $job; break; }
  done
  wait $job
  status=$?
  row=$(grep '^| [0-9]' "$results/output" | tail -n 1)
  if [ $status -ne 0 ] && [ -n "$row" ] && [ "$1" != weft ]; then
    row="$row did not end |" status=0
  elif [ $status -ne 0 ] || [ -z "$row" ]; then
    [ "$1" != weft ] || { failed=1; tail -n 3 "$results/output" >&2; }
    row="| $3 | did not end well (status $status)"
    if [ $status -eq 124 ] || [ $status -eq 137 ]; then row="| $3 | did not end in $bound s" status=124; fi
  fi
  echo "$row" >"$results/$2.$1.$3"
  echo "$2 $1 $row" >&2
  [ $status -ne 124 ]
}

# All counts of a system; where one did not end there is a row for each larger one that says so.
runs() { # SYSTEM PLACE COUNTS...
  system=$1 place=$2 ended=
  shift 2
  for n in "$@"; do
    if [ "$ended" ]; then
      echo "| $n | not tried: $ended did not end |" >"$results/$place.$system.$n"
    else
      run "$system" "$place" "$n" || ended=$n
    fi
  done
}

# The first message of a job, in 15 jobs, and what WEFT_COALESCE says.
first() { # COALESCE
  WEFT_COALESCE=$1 "$(dirname "$0")/../netns.sh" run -n 6 sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do "$0/bin/weftrun" -n 6 --netns weft-a,weft-b,weft-c,weft-d,weft-e,weft-f "$0/test-bin/scale.first" || exit; done' \
    "$build" 2>&1 </dev/null | grep '^| [0-9]' >"$results/first.$1"
}
# The same by the provider alone, two processes that spin on the same two of six hosts.
first_bare() {
  cc -O2 -std=gnu11 -D_GNU_SOURCE -o "$results/program.bare" bench/fi_pingpong.c -lfabric || return
  "$(dirname "$0")/../netns.sh" run -n 6 sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
      ip netns exec weft-d "$0" serve 10.77.0.4 512$i first & sleep 0.1; ip netns exec weft-a "$0" 10.77.0.1 10.77.0.4 512$i first; wait; done' \
    "$results/program.bare" 2>/dev/null </dev/null | grep '^| [0-9]' >"$results/first.bare"
}
# Before all else: a job that did not end in time keeps the processors while it is taken down.
case " $systems " in *" weft "*) first 1; first 0; first_bare ;; esac

for s in $systems; do
  program_of "$s" || continue
  runs "$s" each $nodes
  runs "$s" one $pes
done

# ---- the page ----------------------------------------------------------------------------------

# Rows of a place, by count and system. Bytes per peer: by how much the memory of a process has grown since the system's smallest count, if it has (libraries
# are shared by more).
table() { # PLACE
  echo "| PEs | system | first barrier done after, s | barrier, ms | put to all, ms | PSS of a PE, mean, KB | its page tables, KB | descriptors of PE 0 | connections before the puts | after | bytes per peer |"
  echo "|---|---|---|---|---|---|---|---|---|---|---|"
  for s in weft mpich mpich5 ompi ompi5; do
    for file in $(ls "$results" | grep "^$1\.$s\." | sort -t. -k3 -n); do sed "s/^/$s /" "$results/$file"; done
  done | awk -F' *[|] *' '
    BEGIN { split("Weft,MPICH 4,MPICH 5,Open MPI 4,Open MPI 5", titles, ","); split("weft mpich mpich5 ompi ompi5", keys, " ")
            for (i in keys) { title[keys[i]] = titles[i]; rank[keys[i]] = i } }
    { system_ = $1; sub(/ .*/, "", system_)
      if (NF < 9) { printf "%06d%d| %d | %s | %s | | | | | | | | |\n", $2, rank[system_], $2, title[system_], $3; next }
      if (!(system_ in first)) { first[system_] = $2; had[system_] = $6 + $7 }
      grown = $2 > first[system_] && $6 + $7 > had[system_] ? sprintf("%d", ($6 + $7 - had[system_]) * 1024 / ($2 - first[system_])) : ""
      printf "%06d%d| %d | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", $2, rank[system_], $2, title[system_] (NF > 11 ? ", killed at its end" : ""), $3, $4, $5, $6, $7, $8, $9, $10, grown }' |
    sort | sed 's/^[0-9]*//'
}

middle() { # FILE EXPRESSION OF ITS FIELDS
  awk -F' *[|] *' "{ print $2 }" "$1" | sort -n | awk '{ a[NR] = $1 } END { if (NR) print a[int((NR + 1) / 2)] }'
}
first_row() { # FILE WHAT
  f=$results/first.$1
  [ ! -s "$f" ] || echo "| $2 | $(grep -c . "$f") | $(middle "$f" '$2') | $(middle "$f" '$3') | $(middle "$f" '$4') | $(middle "$f" '$5') | $(middle "$f" 'sprintf("%.1f", ($2 - $4) / $4)') |"
}

value() { awk -F' *[|] *' -v k="$2" 'NF >= 9 { print $k }' "$results/$1" 2>/dev/null; }
target() { # WHAT FILE COLUMN LIMIT UNIT
  have=$(value "$2" "$3")
  echo "${have:-none}" | awk -v what="$1" -v limit="$4" -v unit="$5" \
    '{ met = $1 == "none" || limit == "" ? "not known" : $1 + 0 <= limit + 0 ? "met" : "**missed**"; printf "| %s | %s | %s %s | %s |\n", met, $1 == "none" ? "no run" : $1 " " unit, limit, unit, what }'
}

page=docs/scale.md
{
  echo "# Scale"
  echo
  echo "Made by \`make scale\` (\`test/scale/scale.sh\`); not to be edited. Each run says hello, waits for all, sums, puts to all and ends; all results were"
  echo "checked. Page made $(date -u '+%Y-%m-%d %H:%M') UTC on $(nproc) cores of $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), Linux $(uname -r); Weft $(git rev-parse --short HEAD 2>/dev/null)."
  echo "Killed at its end: the job had printed its figures, but then failed or did not end within 10 s (MPICH 4's processes wait in MPI_Finalize)."
  echo "Time begins when the launcher is started. Both cores are shared by all processes of a job: what is compared is who lives with that. ${SCALE_NOTE:-}"
  echo
  echo "| | measured | wanted, at most | what |"
  echo "|---|---|---|---|"
  target "start of 512 PEs on one node" one.weft.512 3 5 s
  target "start of 1,000 PEs on one node" one.weft.1000 3 15 s
  target "start of 100 pretended nodes" each.weft.100 3 2 s
  best=$(for s in ompi ompi5 mpich5 mpich; do value each.$s.100 4; done | sort -n | head -n 1)
  target "barrier of 100 pretended nodes: the best of the MPIs'" each.weft.100 4 "$best" ms
  echo
  echo "## On one node"
  echo
  table one
  echo
  echo "## Every PE on a pretended node of its own"
  echo
  table each
  echo
  echo "## The first message"
  echo
  echo "Two PEs in network namespaces of their own, four others sleep: round trips by puts of 8 bytes, medians of so many jobs. The first one waits for the connection. By reading the provider: TCP's"
  echo "own handshake and the provider's request and answer are a round trip each."
  echo "Weft's PE at the other end has waited for long and naps until the connection is there, as it does before the messages that come after a pause of 0.2 s. The bare provider is two processes that spin, in the same two of six namespaces (\`bench/fi_pingpong.c\`)."
  echo
  echo "| | jobs | first, us | second, us | lone, us | after a pause, us | round trips that the first one is late |"
  echo "|---|---|---|---|---|---|---|"
  first_row 1 Weft
  first_row 0 "Weft, WEFT_COALESCE=0"
  first_row bare "the provider"
  echo
  echo "What a job of 150,000 PEs on 10,000 nodes would take, by arithmetic, is in the tests \`scale.large\` and \`scale.exchange\`."
} >"$page"
echo "$page" >&2
exit $failed
