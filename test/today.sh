# Sourced: Weft uses a libfabric 2.x and its provider tcp. It is the one in PyPI's mpich, which scripts/peers installs
# below build/peers; where that is not there the test is skipped.
library=$(ls "$WEFT_BUILD"/../peers/mpich/lib/mpich/libfabric.so.1 "$WEFT_SOURCE"/build/peers/mpich/lib/mpich/libfabric.so.1 2>/dev/null | head -n 1)
[ -n "$library" ] || {
  echo "skipped: no libfabric 2.x here (scripts/peers installs one)"
  exit 77
}
LD_LIBRARY_PATH=$(dirname "$library")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
WEFT_PROVIDER=tcp
export LD_LIBRARY_PATH WEFT_PROVIDER
