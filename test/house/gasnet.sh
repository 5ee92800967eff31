# What clients of GASNet find in an installation that was moved: make fragments, pkg-config files, libraries by conduit and
# mode, ident strings, the guard against mixing them, launchers, and programs that start themselves.
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
DESTDIR=$work/stage cmake --install "$WEFT_BUILD" --prefix /opt/weft >/dev/null
mv stage/opt/weft prefix
prefix=$work/prefix
cp "$WEFT_SOURCE/test/house/gasnet.c" .
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" GASNET_HOUSE_WORD=word

cat >Makefile <<'END'
include $(FRAGMENT)
program: gasnet.c
	@$(GASNET_CC) $(GASNET_CPPFLAGS) $(GASNET_CFLAGS) -Wall -Werror -c gasnet.c -o $(OUT).o
	@$(GASNET_LD) $(GASNET_LDFLAGS) -o $(OUT) $(OUT).o $(GASNET_LIBS)
END
expect() { # CONDUIT N FILE: each rank wrote its line, and nothing else is there
  rank=0
  while [ $rank -lt "$2" ]; do
    grep -qx "$1 $rank of $2: argument word" "$3" || { echo "no line of rank $rank:"; cat "$3"; exit 1; }
    rank=$((rank + 1))
  done
  [ "$(wc -l <"$3")" -eq "$2" ] || { echo "too many lines:"; cat "$3"; exit 1; }
}

for conduit in smp udp ofi; do
  upper=$(echo $conduit | tr a-z A-Z)
  [ -e "$prefix/include/$conduit-conduit/gasnet_core.h" ] || { echo "$conduit: no gasnet_core.h"; exit 1; }
  for mode in seq par parsync; do
    make -s FRAGMENT="$prefix/include/$conduit-conduit/$conduit-$mode.mak" OUT=$conduit-$mode program
    ldd $conduit-$mode | grep -q "$prefix/.*libweft" || { echo "$conduit-$mode: another libweft"; exit 1; }
    strings -a $conduit-$mode 2>/dev/null >strings || tr -c '[:print:]' '\n' <$conduit-$mode >strings
    for ident in "ConduitName: $upper" "ThreadModel: GASNET_$(echo $mode | tr a-z A-Z)" "Segment: GASNET_SEGMENT_FAST"; do
      grep -qxF "\$GASNet$ident \$" strings || { echo "$conduit-$mode: no ident $ident"; exit 1; }
    done
  done
  "$prefix/bin/gasnetrun_$conduit" -n 2 ./$conduit-seq argument >out
  expect $upper 2 out
  # shellcheck disable=SC2046
  cc gasnet.c -o $conduit-pc $(pkg-config --cflags --libs gasnet-$conduit-par)
  "$prefix/bin/gasnetrun_$conduit" -np 3 -E HOME -c 1 -k -v ./$conduit-pc argument >out 2>/dev/null
  expect $upper 3 out
done

# Some builds take the libraries alone (Realm's), and a debug build is one without GASNET_NDEBUG.
cat >libs.mk <<'END'
include $(FRAGMENT)
alone: gasnet.c
	@$(GASNET_CC) $(GASNET_CPPFLAGS) $(GASNET_CFLAGS) -DGASNET_DEBUG=1 -Dmain=client -c gasnet.c -o alone.o
	@printf '#include <gasnet.h>\n#ifdef GASNET_NDEBUG\n#error both\n#endif\nint client(int, char **);\nint main(int c, char **v) { errno = 0; return client(c, v); }\n' >main.c
	@$(GASNET_CC) $(GASNET_CPPFLAGS) $(GASNET_CFLAGS) -DGASNET_DEBUG=1 -c main.c -o main.o
	@$(CC) -o alone alone.o main.o $(GASNET_LIBS)
END
make -s -f libs.mk FRAGMENT="$prefix/include/smp-conduit/smp-par.mak" alone
GASNET_PSHM_NODES=2 ./alone argument >out
expect SMP 2 out

# What is compiled for two conduits or modes does not link.
eval "$(pkg-config --variable=GASNET_LIBS gasnet-smp-par | sed 's/^/libs="/; s/$/"/')"
# shellcheck disable=SC2086,SC2154
if cc smp-seq.o -o mixed $libs 2>errors; then echo "objects of SEQ link with the library of PAR"; exit 1; fi
grep -q weft_gasnet_is_smp_seq errors || { cat errors; exit 1; }

# Without a launcher.
GASNET_PSHM_NODES=2 ./smp-seq argument >out
expect SMP 2 out
GASNET_PSHM_NODES=2 ./smp-seq argument "GASNET_PSHM_NODES=3 ./smp-par argument >inner" >out
expect SMP 2 out
expect SMP 3 inner
SLURM_JOB_NUM_NODES=2 GASNET_PSHM_NODES=2 ./smp-seq argument >out 2>said
expect SMP 2 out
[ ! -s said ] || { cat said; exit 1; }
SLURM_JOB_NUM_NODES=2 "$prefix/bin/gasnetrun_smp" -n 2 ./smp-seq argument >out 2>said
expect SMP 2 out
[ ! -s said ] || { cat said; exit 1; }
GASNET_PSHM_NODES=2 ./ofi-seq argument >out 2>said
expect OFI 1 out
grep -qx 'weft: GASNET_PSHM_NODES=2 starts programs of smp-conduit, .*: gasnetrun_ofi -n 2 starts 2 processes of it' said || { cat said; exit 1; }
GASNET_PSHM_NODES=many ./udp-par 3 argument >out
expect UDP 3 out
if ./udp-par argument >out 2>&1; then echo "udp-conduit without a number of processes"; exit 1; fi
grep -q "usage: ./udp-par N" out || { cat out; exit 1; }
# shellcheck disable=SC2016
GASNET_SPAWNFN=C GASNET_CSPAWN_CMD="$prefix/bin/weftrun -n %N %C" ./udp-seq 2 argument >out
expect UDP 2 out
"$prefix/bin/amudprun" -np 2 -spawn L ./udp-seq argument >out
expect UDP 2 out
[ "$("$prefix/bin/gasnetrun_ofi" -n 4 -N 2 -t ./x y)" = "$prefix/bin/weftrun -n 4 --nodes 2 -- ./x y" ]
[ "$("$prefix/bin/gasnetrun_ofi" -n 4 -t ./x 'a b' '')" = "$prefix/bin/weftrun -n 4 -- ./x 'a b' ''" ]
[ "$(WORD=1 "$prefix/bin/gasnetrun_ofi" -n4 -N2 -c1 -E WORD,NOT_SET -t ./x)" = "$prefix/bin/weftrun -n 4 --nodes 2 -x WORD -- ./x" ]
for wrong in '-N 0: not a number of nodes' '-N 99999999999999999999: not a number of nodes' '-zz: unknown option -zz; see gasnetrun_ofi -h'; do
  # shellcheck disable=SC2086
  if "$prefix/bin/gasnetrun_ofi" -n 2 ${wrong%%:*} ./x >out 2>&1; then echo "${wrong%%:*}: status 0"; exit 1; fi
  grep -qx "gasnetrun_ofi: \(${wrong#*: }\|$wrong\)" out && [ "$(wc -l <out)" -eq 1 ] || { cat out; exit 1; }
done
[ "$("$prefix/bin/gasnetrun_ofi" --n=4 -N=2 -t ./x y)" = "$prefix/bin/weftrun -n 4 --nodes 2 -- ./x y" ]
printf 'a # first\nb\n' >nodes
[ "$(GASNET_NODEFILE=nodes "$prefix/bin/gasnetrun_ofi" -n 4 -t ./x)" = "$prefix/bin/weftrun -n 4 --hosts a,b -- ./x" ]
[ "$(GASNET_SSH_SERVERS='c,d e' GASNET_NODEFILE=nodes "$prefix/bin/gasnetrun_ofi" -n 4 -N 2 -t ./x)" = "$prefix/bin/weftrun -n 4 --hosts c,d -- ./x" ]
printf 'a\na\nb\nb\n' >slots # a host per processor, as batch systems write them
[ "$(GASNET_NODEFILE=slots "$prefix/bin/gasnetrun_ofi" -n 4 -N 2 -t ./x)" = "$prefix/bin/weftrun -n 4 --hosts a,b -- ./x" ]
[ "$(GASNET_NODEFILE=slots "$prefix/bin/gasnetrun_ofi" -n 4 -t ./x)" = "$prefix/bin/weftrun -n 4 --hosts a,a,b,b -- ./x" ]
printf '\n# none\n' >empty
for wrong in 'nodes -N 3: nodes names only 2 of them' 'empty the list of hosts empty names none' '. cannot read the list of hosts .'; do
  more=
  case $wrong in nodes*) more='-N 3' ;; esac
  # shellcheck disable=SC2086
  if GASNET_NODEFILE=${wrong%% *} "$prefix/bin/gasnetrun_ofi" -n 4 $more ./x >out 2>&1; then echo "$wrong: status 0"; exit 1; fi
  grep -qxF "gasnetrun_ofi: ${wrong#* }" out && [ "$(wc -l <out)" -eq 1 ] || { cat out; exit 1; }
done
if GASNET_NODEFILE=nowhere "$prefix/bin/gasnetrun_ofi" -n 2 ./ofi-seq argument >out 2>&1; then echo "a list of hosts that is not there"; exit 1; fi
grep -qx 'gasnetrun_ofi: cannot read the list of hosts nowhere' out || { cat out; exit 1; }
GASNET_SUPERNODE_MAXSIZE=1 WEFT_VERBOSE=1 "$prefix/bin/gasnetrun_ofi" -n 2 ./ofi-seq argument >out 2>said
expect OFI 2 out
grep -q "provider" said || { echo "GASNET_SUPERNODE_MAXSIZE=1 makes no nodes"; cat said; exit 1; }
if "$prefix/bin/weftrun" -n 2 --nodes 2 ./smp-seq argument >out 2>&1; then echo "smp on two nodes"; exit 1; fi
grep -q "build it with ofi-conduit" out || { cat out; exit 1; }

# The tools alone, without a job and without libweft.
cat >tools.c <<'END'
#include <gasnet_tools.h>
int main(void) {
  gasnett_tick_t begin = gasnett_ticks_now();
  gasnett_nsleep(1000);
  return gasnett_ticks_now() - begin < 1000 || gasnett_release_version() < 2025080000;
}
END
for mode in seq par; do
  # shellcheck disable=SC2046
  cc tools.c -o tools-$mode $(pkg-config --cflags --libs gasnet_tools-$mode)
  ./tools-$mode
  ! ldd ./tools-$mode | grep libweft
done
printf 'include %s/include/gasnet_tools-par.mak\nall:\n\t@$(GASNETTOOLS_CC) $(GASNETTOOLS_CPPFLAGS) $(GASNETTOOLS_CFLAGS) tools.c -o tools $(GASNETTOOLS_LDFLAGS) $(GASNETTOOLS_LIBS)\n' "$prefix" >tools.mk
make -s -f tools.mk && ./tools
