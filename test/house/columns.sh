# No line of C or C++ is over 100 columns.
cd "$WEFT_SOURCE" || exit 1
found=$(find src include tools test bench examples -name '*.[ch]' -o -name '*.cc' | sort | LC_ALL=C.UTF-8 xargs grep -nE '^.{101,}')
[ -z "$found" ] || { echo "$found"; exit 1; }
exit 0
