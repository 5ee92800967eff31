# Every entry point of libcaf_weft is called by a program of this folder, and every trap of gfortran's or the language's (1 to
# 23) is named by the test that has it.
set -eu
cd "$(dirname "$0")"
names() { nm -D "$@" | sed -n 's/.* \(_gfortran_caf_[a-z_]*\)$/\1/p' | sort -u; }
called=$(for program in "$WEFT_BUILD"/test-bin/caf.*; do names --undefined-only "$program"; done | sort -u)
missing=
for name in $(names --defined-only "$WEFT_BUILD/lib/libcaf_weft.so"); do
  # gfortran 8 to 14 have no statement that calls it.
  [ "$name" = _gfortran_caf_get_team ] || echo "$called" | grep -qx "$name" || missing="$missing $name"
done
traps=$(cat ./*.f90 ./*.sh | grep -oE 'traps? [0-9][0-9, and]*' | grep -oE '[0-9]+' | sort -nu | tr '\n' ' ')
[ -z "$missing" ] || echo "no test calls:$missing"
[ "$traps" = "$(seq -s ' ' 23) " ] || echo "tests name the traps $traps"
[ -z "$missing" ] && [ "$traps" = "$(seq -s ' ' 23) " ]
