# What the documents name is there: the library's names, files, and tests.
set -u
cd "$WEFT_SOURCE" || exit 1
docs="README.md docs/*.md docs/man/* bench/README.md"
text=$(mktemp) && list=$(mktemp) || exit 1
trap 'rm -f "$text" "$list"' EXIT
find src include tools test bench examples cmake scripts -type f | tee "$list" | grep -E '\.(c|h|S|def|cc|f90|F90|inc|upc|sh|py|txt|cmake)$|^(tools|scripts)/' |
  xargs cat >"$text"
bad=0
missing() { # WHAT NAME
  echo "$1 $2: $(grep -lF "$2" $docs | tr '\n' ' ')"
  bad=1
}
# shellcheck disable=SC2086
quoted=$(grep -ohE '`[^`]+`' $docs)
for name in $(echo "$quoted" | grep -oE '\b(weft|WEFT|ARMCI|PARMCI|ARMCIX)_[A-Za-z0-9_]+' | sed 's/_I64$//' | sort -u); do
  grep -qF "$name" "$text" || missing "no such name:" "$name"
done
for file in $(echo "$quoted" | grep -oE '[A-Za-z0-9_./-]+\.(c|h|def|sh|py)\b|\bsrc/[a-z_/]+' | sort -u); do
  case $file in program.py | sum.c | hello_gasnet.c | counter.c) continue ;; esac # the reader's own
  [ -e "${file%/}" ] || grep -qE "(^|/)$file\$" "$list" || missing "no such file:" "$file"
done
folders=$(cd test && ls -d */ | tr -d / | paste -sd'|')
for test in $(grep -ohE "(test |\`)($folders)\.[a-z][a-z_0-9]+" $docs bench/page*.py | sed 's/^test //; s/^`//' | sort -u); do
  folder=${test%%.*} topic=${test#*.}
  case $topic in c | h | fh | pc) continue ;; esac
  topic=${topic%%[0-9]*} # accessors15 is accessors for another compiler
  ls "test/$folder/$topic".* >/dev/null 2>&1 || grep -qw "$topic" "test/$folder/CMakeLists.txt" || missing "no such test:" "$test"
done
# Of variables and macros every mention, in CHANGELOG.md too; WEFT_CHEK is an example of a misspelt one.
docs="$docs CHANGELOG.md"
for name in $(grep -ohE '\bWEFT_[A-Z_]+[A-Z]\b' $docs | grep -vx WEFT_CHEK | sort -u); do
  grep -qwF "$name" "$text" || missing "no such variable:" "$name"
done
exit $bad
