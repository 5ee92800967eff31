# Every name of both interfaces (names.tsv) is in every library that has to have it, shared and static; ARMCI_x with a
# PARMCI_x is weak and the same address; a library exports nothing else that could meet a program's names.
set -u
export LC_ALL=C
bad=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

check() { # LIBRARY COLUMN MPI?
  lib=$WEFT_BUILD/lib/lib$1
  [ -e "$lib.so" ] || return 0
  awk -v column="$2" -v mpi="$3" '!/^#/ && $column != "no" && (mpi || $1 !~ /\*$/) { sub(/\*$/, "", $1); print $1 }' \
    "$WEFT_SOURCE/test/armci/names.tsv" | sort >wanted
  nm -D --defined-only "$lib.so" | sed 's/@.*//' >shared
  nm --defined-only "$lib.a" 2>/dev/null >static
  for form in shared static; do
    awk '$2 ~ /[TW]/ { print $3 }' $form | sort -u | comm -23 wanted - >missing
    [ ! -s missing ] || { echo "lib$1, $form, lacks: $(tr '\n' ' ' <missing)"; bad=1; }
  done
  awk '$2 == "T" && $3 ~ /^P/ { strong[substr($3, 2)] = $1 } $2 == "T" && $3 ~ /^p/ { strong[substr($3, 2)] = $1 }
    $2 == "W" { weak[$3] = $1 } END { for (name in strong) if (weak[name] != strong[name]) print name }' shared >strong
  [ ! -s strong ] || { echo "lib$1: not weak names of their twins: $(tr '\n' ' ' <strong)"; bad=1; }
  grep -E ' [TWDBR] ' shared | grep -vE ' (P?ARMCIX?_|p?armci_|dassertp_fail|derr_printf|mp_group_name|_)' >others
  [ ! -s others ] || { echo "lib$1 also exports: $(cat others)"; bad=1; }
}
[ -e "$WEFT_BUILD/lib/libarmci.so" ] || { echo "there is no libarmci.so"; exit 1; }
check armci 2 ""
for mpi in mpich openmpi; do
  check armci-$mpi 2 1
  check armci-mpi-$mpi 3 1
done
exit $bad
