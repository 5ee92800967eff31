# One program in every way that a user may build it: position-independent or not, optimised or not, static library, gcc
# and clang, linkers that leave pages out between its data, large data, patchelf; with and without random addresses, on
# one node and on two, memory from a memfd and from /dev/shm, of which nothing may be left.
set -u
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT
fail() {
  echo "failed: $*"
  exit 1
}
left() { ls /dev/shm | grep "^weft-$(id -u)-"; }
before=$(left)

run() { # WHAT WEFTRUN-OPTIONS...
  what=$1
  shift
  timeout 100 "$WEFTRUN" "$@" "$DIR/whole" >"$DIR/out" 2>&1 || { cat "$DIR/out"; fail "$what: $*"; }
  [ ! -s "$DIR/out" ] || { cat "$DIR/out"; fail "$what: $* says something"; }
}

build() { # NAME COMMAND...
  name=$1
  shift
  "$@" -I"$WEFT_SOURCE/test" "$WEFT_SOURCE/test/window/whole.c" -o "$DIR/whole" $after >"$DIR/out" 2>&1 || {
    cat "$DIR/out"
    fail "does not build: $name"
  }
}

sanitize=$(sed -n 's/^WEFT_SANITIZE:STRING=\(..*\)/-fsanitize=\1/p' "$WEFT_BUILD/CMakeCache.txt")
after=
for way in -O2 -O0 "-O3 -flto -Wl,-z,noseparate-code" "-no-pie -fno-pie -O3"; do
  # Low addresses are the sanitizers' shadow: nothing fits above such a program.
  case $sanitize/$way in ?*/-no-pie*) continue ;; esac
  build "gcc $way" "$OSHCC" $way
  run "gcc $way" -n 3
  run "gcc $way" -n 2 --nodes 2
done
[ -n "$sanitize" ] || for tool in ld.lld ld.mold patchelf; do command -v $tool >/dev/null || echo "left out: no $tool"; done
# lld with its larger pages always leaves some out; the others do where the sizes of the data are so.
for way in "lld" "lld -Wl,-z,max-page-size=65536" "mold"; do
  [ -z "$sanitize" ] && command -v "ld.${way%% *}" >/dev/null || continue
  build "$way" "$OSHCC" -O2 -fuse-ld=$way
  run "$way" -n 2
done
# patchelf, by which Spack moves programs, puts what becomes longer above the data, or below the code.
for way in "-pie -fPIE" "-no-pie -fno-pie"; do
  [ -z "$sanitize" ] && command -v patchelf >/dev/null || continue
  build "patchelf $way" "$OSHCC" -O2 $way
  patchelf --set-rpath "$WEFT_BUILD/lib:$WEFT_BUILD/none$WEFT_BUILD/none$WEFT_BUILD" "$DIR/whole" || fail "patchelf $way"
  run "patchelf $way" -n 2
done
# With -mcmodel=medium GNU ld puts constants of more than 64 KB between .bss and large data.
if [ -z "$sanitize" ] && [ "$(uname -m)" = x86_64 ]; then
  build "-mcmodel=medium" "$OSHCC" -O2 -mcmodel=medium
  run "-mcmodel=medium" -n 2
fi
if command -v clang >/dev/null; then
  if [ -z "$sanitize" ]; then
    after="-L$WEFT_BUILD/lib -Wl,-rpath,$WEFT_BUILD/lib -lweft"
    build clang clang -O2 -I"$WEFT_SOURCE/include"
    run clang -n 2
    build "clang -no-pie" clang -no-pie -O0 -I"$WEFT_SOURCE/include"
    run "clang -no-pie" -n 2
  fi
fi
after="$WEFT_BUILD/lib/libweft.a -lpthread -ldl -lrt"
build "static library" cc -O2 $sanitize -I"$WEFT_SOURCE/include"
run "static library" -n 2
run "static library" -n 2 --nodes 2
for shm in memfd file; do
  export WEFT_SHM=$shm
  run "WEFT_SHM=$shm" -n 2
  run "WEFT_SHM=$shm, random addresses" -n 4 --nodes 2 --aslr
done
unset WEFT_SHM
# A full /dev/shm is one line, not a SIGBUS.
if unshare -m true 2>/dev/null; then
  unshare -m sh -c 'mount -t tmpfs -o size=8m none /dev/shm && WEFT_SHM=file exec "$0" -n 2 "$1"' \
    "$WEFTRUN" "$DIR/whole" >"$DIR/out" 2>&1 && fail "ran although /dev/shm is too small"
  grep -q 'has no room for' "$DIR/out" || { cat "$DIR/out"; fail "a full /dev/shm is not explained"; }
fi
# (Other tests have such files for a moment.)
for _ in $(seq 100); do
  new=$(left | grep -vxF -e "$before")
  [ "$new" ] || exit 0
  sleep 0.1
done
fail "left in /dev/shm: $new"
