# The manual is whole: every tool that is installed has a page, every option that a tool's --help names is in its page, every option of
# the library is in weft(7) with its default, every extension of shmemx.h is in shmemx(3). Pages are clean, where mandoc is there to say.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
fail() {
  echo "$*"
  bad=1
}
plain() { sed 's/\\-/-/g; s/\\fR//g; s/\\f[BI]//g' "$@"; }

DESTDIR=$work cmake --install "$WEFT_BUILD" --prefix /weft >/dev/null || exit 1
man=$work/weft/share/man
for tool in "$work"/weft/bin/*; do
  name=$(basename "$tool")
  [ -e "$man/man1/$name.1" ] || fail "no page for $name"
done
for tool in weftrun weft-report weft-info weft-count weft-tune; do
  "$work/weft/bin/$tool" --help 2>&1 | grep -oE -e '(^|[ ,[])--?[a-zA-Z][a-z-]*' | tr -d ' ,[' | sort -u >"$work/options"
  [ -s "$work/options" ] || fail "$tool --help names no options"
  while read -r option; do
    plain "$man/man1/$tool.1" | grep -qE -e "(^|[ \"(])$option([ \",)]|$)" || fail "$tool(1) lacks $option"
  done <"$work/options"
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
