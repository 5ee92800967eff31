# docs/status-caf.md is of today; every entry point of libcaf_weft is called by a program of this folder, and every trap has
# a test.
set -eu
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
out=$("$WEFT_SOURCE/tools/status-caf" "$WEFT_BUILD")
printf '%s\n' "$out" | diff -u "$WEFT_SOURCE/docs/status-caf.md" -
