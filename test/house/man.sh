# The manual is whole: every tool that is installed has a page; every option that a tool's --help names or that it takes is in its page, and it
# takes those of its page; every option of the library is in weft(7) with its default; every variable that is read is in a page, and read if
# it is there; every extension of shmemx.h is in shmemx(3). Pages are clean, where mandoc is there to say.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
fail() {
  echo "$*"
  bad=1
}
plain() { sed 's/\\-/-/g; s/\\f[RBIP]//g' "$@"; }

DESTDIR=$work cmake --install "$WEFT_BUILD" --prefix /weft >/dev/null || exit 1
man=$work/weft/share/man
for tool in "$work"/weft/bin/*; do
  name=$(basename "$tool")
  [ -e "$man/man1/$name.1" ] || fail "no page for $name"
done
# Pages name pages that are there, ours or those of programs that we call; weft(7) names all of ours.
sed '1,/^\.SH SEE ALSO/d' "$man/man7/weft.7" >"$work/also"
for page in "$man"/man?/*.?; do
  section=${page##*.} name=$(basename "${page%.*}")
  [ -L "$page" ] || [ "$name" = weft ] || grep -qF ".BR $name ($section)" "$work/also" || fail "weft(7) does not name $name($section)"
  plain "$page" | grep -oE '^\.BR [a-z+_-]+ \([1-8]\)' | sed 's/^\.BR //; s/ (/./; s/)//' | while read -r name; do
    [ -e "$man/man${name##*.}/$name" ] && continue
    case $name in fi_info.1 | ip-netns.8 | mpiexec.1 | mpirun.1 | nohup.1 | pkg-config.1 | ptrace.2) continue ;; esac
    echo "$(basename "$page") names $name, which is not there"
  done
done >"$work/names"
[ ! -s "$work/names" ] || fail "$(cat "$work/names")"
listed() { # PAGE: the options in standard input are in it; "-[no]x" is two
  plain "$man/man1/$1.1" $([ "$1" != cafrun ] || echo "$man/man1/weftrun.1") | sed 's/-\[no\]\([a-z-]*\)/-\1 -no\1/g' >"$work/page"
  [ -s "$work/options" ] || fail "$1: no options"
  while read -r option; do
    grep -qE -e "(^|[ \"(])$option([ \",)=]|$)" "$work/page" || fail "$1(1) lacks $option"
  done <"$work/options"
}
for tool in weftrun weft-report weft-info weft-count weft-tune caf cafrun upcc upcrun gasnetrun_ofi; do
  "$work/weft/bin/$tool" --help 2>&1 | grep -oE -e '(^|[ ,[])--?[a-zA-Z][a-z-]*' | tr -d ' ,[' |
    grep -vxE -e "$(case $tool in upcc) echo '-[DIgO]' ;; *) echo none ;; esac)" | sort -u >"$work/options"
  listed "${tool%_ofi}"
done
# What their sources take: tables, lists of words, labels of case.
tools=$WEFT_SOURCE/tools
sed -n 's/^ *{"/{"/; s/{"\([^"]*\)", OPT_[A-Z_]*, [0-9]},\{0,1\} */-\1\n/gp' "$tools/weftrun/options.c" | grep . | sed 's/^--*/--?/' >"$work/options"
listed weftrun
sed -n '/words\[\] =/,/;$/p; /value_of(arg, "/p; /is_option(arg, "/p; /in_words("/p' "$tools/upcc/options.c" | grep -vE '^static bool|-D -U|-nostdinc|-Xlinker' |
  grep -oE '"[^"]*"' | tr -d '"' | tr ' ' '\n' | grep -E '^-?-?[a-zA-Z][a-zA-Z0-9-]*$' | sed 's/^-*/--?/' | sort -u >"$work/options"
listed upcc
for tool in caf.in cafrun.in upcrun gasnetrun; do
  sed -n 's/^  *\(-[^()]*\)).*/\1/p' "$tools/$tool" | grep -v ' -fsyntax-only' | tr -d ' ' | tr '|' '\n' | grep -E '^-[a-zA-Z-]*[a-zA-Z]$' | sed 's/^-*/--?/' | sort -u >"$work/options"
  listed "${tool%.in}"
done

# weft-info: "NAME|OTHER = value  (default)"
env -i "$work/weft/bin/weft-info" | grep ' = ' >"$work/list"
[ "$(wc -l <"$work/list")" -ge 20 ] || fail "weft-info lists $(wc -l <"$work/list") options"
while read -r names _ value _; do
  value=$(echo "$value" | tr -d '"')
  case $value in '' | '(default)') value=empty ;; 131072) value=128K ;; esac
  plain "$man/man7/weft.7" | grep -qE "^\.BR $(echo "$names" | sed 's/|/ ", " /') \" \\($value\\)\"$" ||
    fail "weft(7) lacks: $names, default $value"
done <"$work/list"

# Variables: launchers' own and those between our tools and the library are no one's business.
{
  grep -rohE '(getenv(_[a-z_]*)?|weft_upc_env|set)\("[A-Z][A-Z_0-9]*"' "$WEFT_SOURCE/src" "$tools" --include=*.[ch] | grep -oE '[A-Z][A-Z_0-9]+'
  grep -ohE '\$\{?[A-Z][A-Z_0-9]+' "$tools"/*.in "$tools/gasnetrun" "$tools/upcrun" | tr -d '${'
} | sort -u | grep -vE '^(PATH|(PMIX?|SLURM|OMPI|WEFT_LAUNCHER)(_.*)?)$' >"$work/names"
[ "$(wc -l <"$work/names")" -ge 25 ] || fail "only $(wc -l <"$work/names") variables are read"
while read -r name; do
  plain "$man"/man?/* | grep -qw "$name" || fail "no page has $name"
done <"$work/names"
plain "$man"/man?/* | grep -oE '\b(UPCC?|UPCRUN|GASNET|ARMCI|WEFT|GA)_[A-Z_]*[A-Z]\b' | sort -u | grep -vx ARMCI_NETWORK >"$work/names" # NWChem's
while read -r name; do
  grep -rqw "$name" "$WEFT_SOURCE/src" "$tools" "$WEFT_SOURCE/cmake" "$WEFT_SOURCE/test/count/marker.h" || fail "nobody reads $name"
  env -i "$name=" "$work/weft/bin/weft-info" 2>&1 >"$work/list" | grep 'is not an option' && fail "a page has $name"
done <"$work/names"

for wrong in SHMEM_SYMMETRIC_SIZE=lots WEFT_HELPERS=9 WEFT_HELPER_AFFINITY=x WEFT_CTX_ENDPOINTS=62 WEFT_WAIT=never; do
  env -i "$wrong" "$work/weft/bin/weft-info" >"$work/list" 2>"$work/said"
  [ $? -eq 1 ] && [ "$(wc -l <"$work/said")" -eq 1 ] && grep -q "^weft: $wrong: " "$work/said" || fail "weft-info takes $wrong"
done

# SHMEM_INFO=1 prints the same list, with the source of what is set; SHMEM_DEBUG=1 says what was chosen.
cd "$work" && "$work/weft/bin/oshcc" "$WEFT_SOURCE/test/house/hello.c" -o hello || exit 1
set -- SHMEM_INFO=1 SMA_SYMMETRIC_SIZE=64M WEFT_DEBUG=stage_age_us=7
env -i "$@" ./hello 2>err | grep -e ' = ' -e '^    ' >there
env -i "$@" weft/bin/weft-info | grep -e ' = ' -e '^    ' | cmp - there || fail 'SHMEM_INFO=1 differs from weft-info'
grep -qx 'WEFT_DEBUG=stage_age_us = 7  (environment: WEFT_DEBUG=stage_age_us)' there || fail 'SHMEM_INFO=1: no source'
grep -qx 'SHMEM_SYMMETRIC_SIZE|SMA_SYMMETRIC_SIZE = 67108864  (environment: SMA_SYMMETRIC_SIZE)' there ||
  fail 'SHMEM_INFO=1: no source of an old name'
[ ! -s err ] || fail "without SHMEM_DEBUG: $(cat err)"
env -i SHMEM_DEBUG=1 ./hello 2>err >/dev/null
grep -q '^weft: pe 0: PE 0 of 1, .* symmetric heap' err || fail 'SHMEM_DEBUG=1 says nothing'

grep -ohE 'shmemx_[a-z0-9_]+(\.h)?' -r "$WEFT_SOURCE"/include | sort -u >"$work/extensions"
sed 's/\\f.//g; s/ //g' "$man/man3/shmemx.3" >"$work/shmemx"
while read -r name; do
  case $name in *.h | *_) continue ;; esac
  grep -q "$name" "$work/shmemx" || fail "shmemx(3) lacks $name"
done <"$work/extensions"

if command -v mandoc >/dev/null; then
  mandoc -T lint -W warning "$man"/man?/*.? | grep -v 'missing date' && fail 'mandoc complains'
fi
exit $bad
