# What is not UPC passes byte for byte: system headers and Weft's own sources translate to themselves,
# with gcc's text and with clang's.
#   headers.sh        a choice of headers and sources
#   headers.sh all    every header in /usr/include that gcc accepts, one by one
. "$(dirname "$0")/common.sh"
some="stdio.h stdlib.h string.h math.h complex.h tgmath.h pthread.h stdatomic.h immintrin.h signal.h setjmp.h sys/socket.h
  netinet/in.h sys/epoll.h linux/io_uring.h linux/perf_event.h regex.h elf.h fcntl.h time.h wchar.h obstack.h ucontext.h
  threads.h rpc/rpc.h resolv.h search.h printf.h argp.h fenv.h infiniband/verbs.h rdma/fabric.h mpi.h"
same() { # LABEL: $work/in.i is the text
  "$UPCC" -trans "$work/in.i" -o "$work/out.trans.c" >"$work/log" 2>&1 || { head -5 "$work/log"; fail "$1: not translated"; }
  # The prelude ends with the marker of the first line; what we add stands behind the last one.
  size=$(wc -c <"$work/in.i")
  sed '1,/^# 1 "/d' "$work/out.trans.c" | head -c "$size" >"$work/back"
  cmp -s "$work/in.i" "$work/back" || fail "$1: the text changed"
}
count=0
if [ "${1:-}" = all ]; then
  some=$(cd /usr/include && find . -name '*.h' | sed 's,^\./,,' | sort)
fi
for compiler in gcc clang; do
  command -v $compiler >/dev/null || continue
  for header in $some; do
    echo "#include <$header>" >"$work/in.c"
    $compiler -std=gnu11 -D_GNU_SOURCE -E "$work/in.c" -o "$work/in.i" 2>/dev/null || continue
    [ "${1:-}" != all ] || $compiler -std=gnu11 -w -fsyntax-only "$work/in.i" 2>/dev/null || continue
    same "$header ($compiler)"
    count=$((count + 1))
  done
done
for source in "$WEFT_SOURCE"/src/port/*.c "$WEFT_SOURCE"/src/rma/*.c "$WEFT_SOURCE"/tools/upcc/*.c; do
  grep -qw 'shared\|strict\|relaxed' "$source" && continue
  gcc -std=gnu11 -D_GNU_SOURCE= -DWEFT_VERSION='"1"' -I"$WEFT_SOURCE/src" -I"$WEFT_SOURCE/include" -E "$source" \
    -o "$work/in.i" 2>/dev/null || continue
  grep -qw 'shared\|strict\|relaxed' "$work/in.i" && continue
  same "$source"
  count=$((count + 1))
done
[ $count -gt 40 ] || fail "only $count texts"
echo "$count texts translate to themselves"
