# What README.md, docs/start.md and the heads of the examples tell a reader to type, in a fresh installation: the programs compile without a
# warning, run, and print what the text promises; the files that the pages name are there.
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
DESTDIR=$work/stage cmake --install "$WEFT_BUILD" --prefix /weft >/dev/null
PREFIX=$work/stage/weft
export PATH="$PREFIX/bin:$PATH" PKG_CONFIG_PATH="$PREFIX/lib/pkgconfig"
fortran=$(command -v caf || true)

program() { # LANGUAGE NUMBER FILE [PAGE]: the n-th of the page in this language
  awk -v language="\`\`\`$1" -v n="$2" '$0 == language { inside = ++k == n; next } /^```/ { inside = 0 } inside' "$WEFT_SOURCE/${4:-README.md}" >"$3"
  [ "$(wc -l <"$3")" -ge 7 ]
}
prints() { # TEXT COMMAND...
  text=$1
  shift
  "$@" >out 2>err </dev/null && grep -q -- "$text" out || { echo "$*: no '$text':"; cat out err; exit 1; }
}
program c 1 sum.c
oshcc -O2 -Wall -Wextra -Werror sum.c -o sum
weftrun -n 4 ./sum | sort >out
for pe in 0 1 2 3; do echo "PE $pe of 4: my sum is 10, my neighbour's 10"; done | diff - out
program upc 1 hello.upc
upcc -Wall -Werror hello.upc -o hello
prints '^the last of 4 threads has 3$' upcrun -n 4 ./hello
if [ "$fortran" ]; then
  program fortran 1 hello.f90 && caf -Wall hello.f90 -o hello
  prints 'the last of *4 *images is *4$' cafrun -n 4 ./hello
  program fortran 2 halo.f90 && caf halo.f90 -o halo
  prints ' 2 *is between *1.0* *and *3.0*' cafrun -n 4 ./halo
  program fortran 3 survive.f90 && caf survive.f90 -o survive
  prints 'without *2 *it is *8$' cafrun -n 4 ./survive
fi

# docs/start.md: its table of commands, and the block that pretends nodes.
start=docs/start.md
program c 1 hello_gasnet.c $start && program c 2 counter.c $start
sed -n '/^## 2/,/^## 3/s/^|[^|]*| `\([^`]*\)` | `\([^`]*\)` | .*/\1\n\2/p' "$WEFT_SOURCE/$start" >commands
sed -n '/^## 2/,/^## 3/s/^    \([a-z]*run[ _].*\)/\1/p' "$WEFT_SOURCE/$start" >>commands
[ "$(wc -l <commands)" -eq 15 ] || { echo "$start has other commands:"; cat commands; exit 1; }
while read -r command; do
  case $command in
  caf*) [ "$fortran" ] || continue ;;
  esac
  case $command in
  *run*./sum) text="PE 3 of 4: my sum is 10" ;;
  *run*./hello_gasnet) text="^rank 3 of 4$" ;;
  *run*./counter) text="^4 processes have counted to 4$" ;;
  *run*./hello_caf) text="the last of *4 *images is *4$" ;;
  *run*./hello_upc) text="^the last of 4 threads has 3$" ;;
  *) text= ;; # it compiles
  esac
  prints "$text" eval "$command && echo"
  if grep -i warning err; then echo "$command"; exit 1; fi
done <commands

# Commands in heads: three blanks behind the comment's sign; what is in [] may be left out.
cp -r "$WEFT_SOURCE/examples" examples
missing() { # what a command needs and this machine has not
  case $1 in
  *caf\ *) [ "$fortran" ] || return 0 ;;
  esac
  case $1 in
  *mpicc.mpich*) command -v mpicc.mpich >/dev/null || return 0 ;;
  esac
  case $1 in
  *-lga-mpich*) [ -e "$(cc -print-file-name=libga-mpich.a)" ] || return 0 ;;
  esac
  for library in fftw3 png jpeg; do
    case $1 in
    *-l$library*) [ -e "$(cc -print-file-name=lib$library.so)" ] || return 0 ;;
    esac
  done
  return 1
}
commands=0
for file in $(cd examples && ls *.c *.f90 upc/*.c upc/*.upc); do
  sed -n '1,/\*\/\|^program/{s/^\( \*\|!\)   \( *\)/\2/p}' "examples/$file" | sed 's/ *\*\/$//; s/ \[.*//' | sed -e :a -e '/\\$/{N;s/\\\n//;ba}' |
    grep -E '^(oshcc|caf|upcc|MPICH_CC=oshcc mpicc.mpich) ' >commands || continue
  while read -r command; do
    commands=$((commands + 1))
    if missing "$command"; then continue; fi
    (cd "$(dirname "examples/$file")" && PREFIX=$PREFIX && eval "$(echo "$command" | sed "s|PREFIX|$PREFIX|g")") >out 2>err </dev/null ||
      { echo "$file: $command:"; cat out err; exit 1; }
    grep -i warning err && { echo "$file: $command"; exit 1; }
  done <commands
done
[ $commands -ge 10 ]

# A photograph's name may have blanks; every target is listed.
make -n --no-print-directory -C "$WEFT_SOURCE" demo PHOTO='a b.jpg' | grep -q "scripts/demo build/release all 'a b.jpg'"
make -s --no-print-directory -C "$WEFT_SOURCE" help >out
for target in demo cbir check install uninstall format tidy; do grep -qw "$target" out || { echo "make help lacks $target"; exit 1; }; done

for page in README.md $start; do
  grep -o '](\([^)]*\))' "$WEFT_SOURCE/$page" | tr -d '()]' | while read -r file; do
    [ -e "$WEFT_SOURCE/$(dirname $page)/$file" ] || { echo "$page names $file"; exit 1; }
  done
done
