# The program in README.md compiles without a warning, runs, and prints what its text promises.
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
sed -n '/^```c$/,/^```$/p' "$WEFT_SOURCE/README.md" | sed '/^```/d' >sum.c
[ "$(wc -l <sum.c)" -ge 10 ]
"$OSHCC" -O2 -Wall -Wextra -Werror sum.c -o sum
"$WEFTRUN" -n 4 ./sum | sort >out
for pe in 0 1 2 3; do echo "PE $pe of 4: my sum is 10, my neighbour's 10"; done | diff - out
# Files that it names are there.
grep -o '](\([^)]*\))' "$WEFT_SOURCE/README.md" | tr -d '()]' | while read -r file; do
  [ -e "$WEFT_SOURCE/$file" ] || { echo "README.md names $file"; exit 1; }
done
