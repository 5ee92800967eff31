# Where input and output go, and what happens to processes that outlive a job that ended well.
set -u
. "$(dirname "$0")/lib.sh"

# PE 0 alone reads the standard input, whole and unchanged.
head -c 3000000 /dev/urandom >"$DIR/in"
"$WEFTRUN" -n 3 sh -c 'cat; [ $PMI_RANK = 0 ] || echo end >&2' <"$DIR/in" >"$DIR/out" 2>"$DIR/err"
cmp "$DIR/in" "$DIR/out" || fail 'stdin of PE 0'
[ "$(grep -c '^end$' "$DIR/err")" -eq 2 ] || fail 'stdin of the others'

# --tag: each line behind its PE, stdout and stderr apart, an unfinished last line too.
"$WEFTRUN" -n 3 --tag sh -c 'echo a$PMI_RANK; printf b; echo e$PMI_RANK >&2' >"$DIR/out" 2>"$DIR/err"
[ "$(sort "$DIR/out" | tr '\n' ,)" = '[0] a0,[0] b,[1] a1,[1] b,[2] a2,[2] b,' ] || fail '--tag stdout'
[ "$(sort "$DIR/err" | tr '\n' ,)" = '[0] e0,[1] e1,[2] e2,' ] || fail '--tag stderr'
# A reader that goes away ends the writers, with and without it.
for tag in --tag -v; do
  { timeout 60 "$WEFTRUN" -n 2 $tag yes 2>"$DIR/err"; echo $? >"$DIR/status"; } | head -n 1 >/dev/null
  [ "$(cat "$DIR/status")" -eq 141 ] || fail "$tag: status $(cat "$DIR/status"), want 141 (SIGPIPE)"
done
# Lines never mix, however much is written.
"$WEFTRUN" -n 4 --tag sh -c 'i=0; while [ $i -lt 2000 ]; do echo "$PMI_RANK$PMI_RANK-$i"; i=$((i+1)); done' \
  >"$DIR/out"
[ "$(grep -Ec '^\[([0-3])\] \1\1-[0-9]+$' "$DIR/out")" -eq 8000 ] || fail '--tag mixes lines'
# A pipe that another process has made non-blocking, and that is full for a while.
if command -v python3 >/dev/null; then
  python3 -c 'import os, sys; os.set_blocking(1, False); os.execv(sys.argv[1], sys.argv[1:])' \
    "$WEFTRUN" -n 2 --tag seq 1 50000 2>"$DIR/err" | { sleep 0.5; cat; } >"$DIR/out"
  [ "$(grep -Ec '^\[[01]\] [0-9]+$' "$DIR/out")" -eq 100000 ] || fail 'lines are lost in a non-blocking pipe'
fi

# On a busy machine a line of weftrun's own may take its time, also before there is a job. (A sanitizer wants to be loaded first.)
if ! grep -q '^WEFT_SANITIZE:STRING=.' "$WEFT_BUILD/CMakeCache.txt"; then
  cat >"$DIR/slow.c" <<'END'
#include <sys/syscall.h>
#include <unistd.h>
ssize_t write(int fd, const void *p, size_t n) {
  usleep(300000);
  return syscall(SYS_write, fd, p, n);
}
END
  cc -shared -fPIC -o "$DIR/slow.so" "$DIR/slow.c" || fail 'slow.c'
  LD_PRELOAD=$DIR/slow.so "$WEFTRUN" --nonsense 2>"$DIR/err"
  status=$?
  [ $status -eq 2 ] && [ "$(grep -c '^weftrun: ' "$DIR/err")" -eq 1 ] || fail "a line that takes its time: status $status"
fi

# A terminal stays a terminal; with --tag it cannot.
if command -v script >/dev/null; then
  script -qec "'$WEFTRUN' -n 2 sh -c '[ -t 1 ] && [ -t 2 ] && echo tty'" /dev/null </dev/null >"$DIR/out"
  [ "$(grep -c tty "$DIR/out")" -eq 2 ] || fail 'stdout is a terminal no more'
fi

# A PE that ends well may leave a process: it can finish its work ...
"$WEFTRUN" -n 1 sh -c '(sleep 0.2; echo late) & exit 0' >"$DIR/out" 2>"$DIR/err" || fail 'late: status'
[ "$(cat "$DIR/out")" = late ] || fail 'a short child was not waited for'
# ... but not stay.
fresh
timeout 60 "$WEFTRUN" -n 2 sh -c 'sleep 60 & echo $! >"$0/pid.$PMI_RANK"' "$DIR" 2>"$DIR/err" ||
  fail 'leftover: status'
check_all_ended
# A daemon with a session of its own does not stay either.
fresh
timeout 60 "$WEFTRUN" sh -c 'setsid sh -c "trap : TERM; echo \$\$ >\"\$0/pid.0\"; sleep 60; sleep 60" "$0" &
  while [ ! -s "$0/pid.0" ]; do sleep 0.02; done' "$DIR" 2>"$DIR/err" || fail 'daemon: status'
check_all_ended
exit 0
