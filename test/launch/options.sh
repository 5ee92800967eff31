# The command line: what each option does, and one clear line with status 2 for every mistake.
set -u
. "$(dirname "$0")/lib.sh"

refuses() { # PATTERN ARGUMENTS...
  pattern=$1
  shift
  "$WEFTRUN" "$@" >"$DIR/out" 2>"$DIR/err" </dev/null
  status=$?
  [ $status -eq 2 ] || fail "$*: status $status, want 2"
  [ "$(wc -l <"$DIR/err")" -eq 1 ] && grep -Eq "^weftrun: .*$pattern" "$DIR/err" || fail "$*: not one line"
  [ ! -s "$DIR/out" ] || fail "$*: something on stdout"
}

refuses 'unknown option --frobnicate' --frobnicate -n 2 true
for word in -nx -v4 -x4 --n4 -np4; do refuses "unknown option $word" $word true; done
ln -s "$WEFTRUN" "$DIR/oshrun"
"$DIR/oshrun" -z true 2>"$DIR/err"
grep -q '^oshrun: unknown option -z; see oshrun --help$' "$DIR/err" || fail 'oshrun: another name'
refuses "number from 1, not '0'" -n 0 true
refuses "number from 1, not '-3'" -n -3 true
refuses "number from 1, not '2x'" -np 2x true
refuses "number from 1, not '2x'" -n2x true
refuses "-n needs a value" -n
refuses 'no program given; see weftrun --help' -n 2
refuses 'no program given: --trace has taken ./true as the file to write' -n 2 --trace ./true
for order in '-n 4 -c 2' '-c 2 -np 4' '-c2 --ntasks=4'; do
  refuses '-c 2 is another name of -n here, and -n says 4' $order true
done
refuses 'more than 1000000' -n 1000001 true
refuses 'takes no value' --tag=1 true
refuses '3 nodes need at least as many PEs' -n 2 --nodes 3 true
refuses 'names of network namespaces' -n 2 --netns a,,b true
for hosts in '' ,a a, a,,b; do refuses 'names of hosts such as a,b' --hosts "$hosts" true; done
for place in nonsense corps cor ''; do refuses 'none, core or hwthread' --bind-to "$place" true; done
refuses 'VAR=VALUE' -x =3 true
refuses 'takes the name of a file' --trace '' true
refuses '--collect x runs no program' --collect x true
refuses 'no such variable' -x WEFT_TEST_NOT_SET true
refuses 'exclude each other' --hosts a --hostfile b true
refuses 'without --hosts' --hosts a --nodes 1 true
(ulimit -n 64; refuses '100 PEs need 132 open files, the limit is 64' -n 100 true) || exit 1

prints() { # WANT ARGUMENTS...: stdout, sorted, in one line
  want=$1
  shift
  got=$("$WEFTRUN" "$@" 2>"$DIR/err" </dev/null | sort | tr '\n' ' ')
  [ "$got" = "$want" ] || fail "$*: '$got', want '$want'"
  [ ! -s "$DIR/err" ] || fail "$*: something on stderr"
}

prints 'x ' echo x
prints 'x x x ' -n 3 echo x
prints 'x x ' -np 2 -- echo x
prints 'x x ' -c 2 -n 2 echo x
prints 'x x ' -n 4 -np 2 echo x
prints 'x x x ' -n3 echo x
prints '0 0 1 1 ' --nodes 2 -N2 sh -c 'echo $WEFT_NODE'
prints '0/3 1/3 2/3 ' --np=3 sh -c 'echo $PMI_RANK/$PMI_SIZE'
prints '0:0/3:a 1:1/3:a 2:2/3:a 3:0/3:a 4:1/3:a 5:2/3:a ' -n 6 --nodes 2 \
  sh -c 'echo $PMI_RANK:$MPI_LOCALRANKID/$MPI_LOCALNRANKS:a'
prints '0=0 1=0 2=1 3=1 4=2 ' -n 5 --nodes 3 sh -c 'echo $PMI_RANK=$WEFT_NODE'
prints 'weftrun- weftrun- ' -n 2 sh -c 'echo $WEFT_LAUNCHER-$WEFT_NODE'
prints '7 8 ' -n 1 -x A=7 -x B=8 sh -c 'echo $A; echo $B'
C=9 prints '9 ' -x C sh -c 'echo $C'
prints '/ ' --wdir / pwd
prints 'same ' sh -c '[ "$(ulimit -Sn)" = "'"$(ulimit -Sn)"'" ] && echo same'
# What users of other launchers type.
prints 'x x x ' -N 3 echo x
prints '0 0 1 1 ' --nodes 2 -ppn 2 sh -c 'echo $WEFT_NODE'
prints 'x x ' --map-by ppr:2:node echo x
prints '3 3 ' --ntasks 2 -genv A 3 sh -c 'echo $A'
prints '1 1 ' -n 2 -quiet --map-by core --mca btl self --oversubscribe --rank-by=slot sh -c 'echo 1'
[ "$(nproc)" -lt 2 ] || prints '1 1 ' -n 2 --bind-to core nproc
prints "$(nproc) " --bind-to none nproc
notes() { # LINE ARGUMENTS...: it runs, and says this one line
  line=$1
  shift
  "$WEFTRUN" "$@" >"$DIR/out" 2>"$DIR/err" </dev/null || fail "$*: status $?"
  check_line "$line"
}
notes '--map-by core, --mca a b, --bind-to socket: not needed here; .*' -n 2 --map-by core --mca a b --bind-to socket true
notes '-N 1: this machine is 1 node, so 3 PEs are on each; .*' -n 3 -N 1 true
prints 'weftrun (Weft) '"$("$WEFTRUN" -V | sed 's/.*) //') " --version
"$WEFTRUN" --help | grep -q 'usage: weftrun' || fail '--help'

# What cannot be run, said once whatever the number of PEs.
cannot() { # STATUS LINE ARGUMENTS...
  want=$1 line=$2
  shift 2
  "$WEFTRUN" "$@" 2>"$DIR/err"
  status=$?
  [ $status -eq "$want" ] || fail "$*: status $status, want $want"
  check_line "$line"
}
cannot 127 "cannot run '/nowhere/x': No such file or directory" -n 4 /nowhere/x
printf '#!/bin/sh\n' >"$DIR/here" && chmod +x "$DIR/here"
(cd "$DIR" && cannot 127 "cannot run 'here': it is not in the PATH; the one of this directory is ./here" here) || exit 1
cannot 126 "cannot run '/etc/passwd': it is not executable \\(chmod \\+x makes it so\\)" -n 2 /etc/passwd
cannot 126 "cannot run '/etc': it is a directory" -n 2 /etc
mkfifo "$DIR/fifo"
cannot 126 "cannot run '$DIR/fifo': Permission denied" -n 2 "$DIR/fifo"
printf '#!/nowhere/sh\n' >"$DIR/script" && chmod +x "$DIR/script"
printf '\177ELF\2\1\1' >"$DIR/foreign" && head -c 100 /dev/zero >>"$DIR/foreign" && chmod +x "$DIR/foreign"
cannot 126 "cannot run '$DIR/foreign': it is a program for another kind of machine, or damaged" -n 2 "$DIR/foreign"
printf 'echo $((1 + 1))\n' >"$DIR/plain" && chmod +x "$DIR/plain"
prints '2 2 ' -n 2 "$DIR/plain"
cannot 127 "cannot run '$DIR/script': it is there, but its interpreter .*" -n 2 "$DIR/script"
cannot 1 "cannot change to the directory '/nowhere': No such file or directory" -n 2 --wdir /nowhere true
if unshare -m true 2>/dev/null; then
  unshare -m sh -c 'mount -t tmpfs none /dev && exec "$0" -n 2 /bin/true' "$WEFTRUN" 2>"$DIR/err"
  check_line 'cannot open /dev/null, which pe 1 and others read: No such file or directory'
fi
cannot 1 "there is no network namespace 'weft-none': .*: No such file or directory" --netns weft-none true
exit 0
