# What is not UPC passes byte for byte: system headers and Weft's own sources translate to themselves,
# with gcc's text and with clang's.
#   headers.sh                        a choice of headers and sources, and of those below /usr/include every 194th by
#                                     gcc's text and every 194th by clang's, others each day: all in 194 days
#   headers.sh OF [PART [COMPILER]]   every OF-th (1: each, one by one) from the PART-th on, that the compiler accepts;
#                                     says which do not pass
. "$(dirname "$0")/common.sh"
some="stdio.h stdlib.h string.h math.h complex.h tgmath.h pthread.h stdatomic.h immintrin.h signal.h setjmp.h sys/socket.h
  netinet/in.h sys/epoll.h linux/io_uring.h linux/perf_event.h regex.h elf.h fcntl.h time.h wchar.h obstack.h ucontext.h
  threads.h rpc/rpc.h resolv.h search.h printf.h argp.h fenv.h infiniband/verbs.h rdma/fabric.h mpi.h"
same() { # LABEL: $work/in.i is the text
  "$UPCC" -trans "$work/in.i" -o "$work/out.trans.c" >"$work/log" 2>&1 || { head -5 "$work/log"; echo "$1: not translated"; return 1; }
  # The prelude ends with the marker of the first line; what we add stands behind the last one.
  size=$(wc -c <"$work/in.i")
  sed '1,/^# 1 "/d' "$work/out.trans.c" | head -c "$size" >"$work/back"
  cmp -s "$work/in.i" "$work/back" || { echo "$1: the text changed"; return 1; }
}
count=0 bad=0
headers() { # COMPILER HEADER...
  compiler=$1
  shift
  command -v "$compiler" >/dev/null || return 0
  for header; do
    echo "#include <$header>" >"$work/in.c"
    $compiler -std=gnu11 -D_GNU_SOURCE -E "$work/in.c" -o "$work/in.i" 2>/dev/null || continue
    if same "$header ($compiler)" >"$work/said"; then
      count=$((count + 1))
    elif $compiler -std=gnu11 -w -fsyntax-only "$work/in.i" 2>/dev/null; then
      cat "$work/said"
      bad=$((bad + 1))
    fi
  done
}
of=${1:-194} part=${2:-$(($(date +%j | sed "s,^0*,,") % of))}
every() { # PART: every OF-th header, from the PART-th on
  (cd /usr/include && find . -name '*.h') | sed 's,^\./,,' | sort | awk -v of="$of" -v part="$1" 'NR % of == part % of'
}
# shellcheck disable=SC2046,SC2086
if [ $# -gt 0 ]; then
  headers "${3:-gcc}" $(every "$part")
else
  headers gcc $some $(every "$part")
  headers clang $some $(every $((part + of / 2)))
fi
[ "$bad" -eq 0 ] || fail "$bad headers (again: headers.sh $of $part, $((part + of / 2)) by clang)"
if [ $# -gt 0 ]; then
  echo "$count headers translate to themselves"
  exit 0
fi
for source in "$WEFT_SOURCE"/src/port/*.c "$WEFT_SOURCE"/src/rma/*.c "$WEFT_SOURCE"/tools/upcc/*.c; do
  grep -qw 'shared\|strict\|relaxed' "$source" && continue
  gcc -std=gnu11 -D_GNU_SOURCE= -DWEFT_VERSION='"1"' -I"$WEFT_SOURCE/src" -I"$WEFT_SOURCE/include" -E "$source" \
    -o "$work/in.i" 2>/dev/null || continue
  grep -qw 'shared\|strict\|relaxed' "$work/in.i" && continue
  same "$source" || fail "$source"
  count=$((count + 1))
done
[ $count -gt 40 ] || fail "only $count texts"
echo "$count texts translate to themselves, with part $part of $of of /usr/include"
