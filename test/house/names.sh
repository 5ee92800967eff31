# No text below the front ends names a function or constant of one: its messages take the caller's name.
set -u
cd "$WEFT_SOURCE/src" || exit 1
folders=$(sed -n 's/^set(WEFT_LAYERS \(.*\))/\1/p' CMakeLists.txt)
[ "$folders" ] || { echo "src/CMakeLists.txt names no layers"; exit 1; }
# What stands in quotes, but for #include. SHMEM_SYMMETRIC_SIZE and the names in options.def are options of Weft, SHMEM_SYMMETRIC_HEAP_SIZE what others call it.
found=$(grep -nE '"[^"]*"' $(for f in $folders; do ls $f/*.c $f/*.h; done) | grep -v '#include' |
  sed 's/^\([^:]*:[0-9]*\):[^"]*\("[^"]*"\)[^"]*\("[^"]*"\)*.*/\1: \2\3/' | sed 's/SHMEM_SYMMETRIC_\(HEAP_\)\?SIZE//g' |
  grep -E 'shmemx?_|SHMEM_|gasnett?_|GASNET_|gex_|GEX_|ARMCI|armci_|_gfortran|caf_|upc_')
[ -z "$found" ] || { echo "$found"; exit 1; }
exit 0
