# oshcc, oshc++ and oshfort in the build tree: what they print, and that what they build runs.
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$WEFT_SOURCE/test/house/hello.c" "$work/hello.c"
cp "$WEFT_SOURCE/test/house/hello.c" "$work/hello.cc"
cd "$work"
osh=$(dirname "$OSHCC")

shown=$("$OSHCC" -show hello.c -o hello)
[ ! -e hello ] || { echo "-show compiled"; exit 1; }
case $shown in *-I*hello.c*-L*-lweft*) ;; *) echo "-show says: $shown"; exit 1 ;; esac
[ "$("$OSHCC" --showme hello.c -o hello)" = "$shown" ]
case $("$OSHCC" --showme:compile) in *-lweft*) exit 1 ;; *-I*) ;; *) exit 1 ;; esac
case $("$OSHCC" --showme:link) in *-I*) exit 1 ;; *-lweft*) ;; *) exit 1 ;; esac
said=$("$OSHCC" 2>&1) && { echo "nothing to compile, and status 0"; exit 1; }
case $said in *"no input files"*) ;; *) echo "alone it says: $said"; exit 1 ;; esac
"$OSHCC" --version | grep -q -i -e gcc -e clang -e cc

$shown # the line that -show prints is the line that works
shown=$("$OSHCC" -show '-DBLANK="a b"' -c hello.c -o 'a b.o')
eval "$shown"
[ -s 'a b.o' ]
"$WEFTRUN" -n 2 ./hello | sort >out
printf 'PE 0 of 2 heard from PE 1\nPE 1 of 2 heard from PE 0\n' | diff - out
"$OSHCC" -O2 -Wall -Wextra -Werror -c hello.c && "$OSHCC" hello.o -o hello2
"$osh/oshrun" -n 3 ./hello2 | sort | tail -n 1 | grep -qx 'PE 2 of 3 heard from PE 1'
# Bodies of functions only where the compiler optimises: what makes bindings for another language (bindgen) leaves
# a function out that has one.
inlined() { "$OSHCC" -E "$@" hello.c | grep -c 'gnu_inline)) [a-z0-9_ ]* shmem_'; }
[ "$(inlined || true)" -eq 0 ] && [ "$(inlined -O2)" -gt 0 ] || { echo "functions are inlined at -O0"; exit 1; }
"$osh/oshc++" -O2 -Wall -Wextra -Werror hello.cc -o hello3
for name in oshcxx oshCC; do [ "$("$osh/$name" -show hello.cc)" = "$("$osh/oshc++" -show hello.cc)" ]; done
"$WEFTRUN" -n 2 ./hello3 >/dev/null
case $(WEFT_FC=false "$osh/oshfort" -show hello.f) in "false -I"*hello.f*-lweft*) ;; *) exit 1 ;; esac
for one in oshcc:WEFT_CC oshc++:WEFT_CXX oshfort:WEFT_FC armcicc:WEFT_CC; do
  said=$(env "${one#*:}=nowhere" "$osh/${one%:*}" hello.c 2>&1) && { echo "$one: no compiler, and status 0"; exit 1; }
  [ "$said" = "${one%:*}: there is no nowhere; install it, or name another compiler in ${one#*:}" ] || { echo "$said"; exit 1; }
done
# The kinds of the library do not change.
WEFT_FC=false "$osh/oshfort" -show -fdefault-integer-8 hello.f 2>&1 >/dev/null | grep -q 'warning: -fdefault-integer-8: ' || exit 1
if command -v gfortran >/dev/null; then
  cat >hello.f <<'END'
      INCLUDE 'mpp/shmem.fh'
      INTEGER A(1), ERR, SHMEM_MY_PE
      POINTER (ADDR, A)
      REAL R
      COMMON /B/ R
      CALL SHMEM_INIT
      CALL SHPALLOC(ADDR, 1, ERR, 1)
      CALL SHMEM_PUT4(R, 1.5, 1, 0)
      CALL SHMEM_PUT4(A, 5 + SHMEM_MY_PE(), 1, 0)
      CALL SHMEM_BARRIER_ALL
      IF (SHMEM_MY_PE() .EQ. 0) PRINT '(F4.1,I2)', R, A(1)
      CALL SHMEM_FINALIZE
      END
END
  "$osh/oshfort" hello.f -o hello4
  "$WEFTRUN" -n 1 ./hello4 | grep -qx ' 1.5 5'
fi
./hello | grep -qx 'PE 0 of 1 heard from PE 0' # alone, a job of one
