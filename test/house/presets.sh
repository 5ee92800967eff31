# The ThreadSanitizer preset builds every folder that has a test with the label; else these would never run there.
set -u
cd "$WEFT_SOURCE" || exit 1
folders=";$(sed -n '/"name": "tsan", "inherits"/,/}/s/.*"WEFT_TEST_FOLDERS": "\([^"]*\)".*/\1/p' CMakePresets.json);"
[ "$folders" != ';;' ] || { echo "no folders in the tsan preset"; exit 1; }
for file in $(grep -l 'LABELS.*\<tsan\>' test/*/CMakeLists.txt); do
  folder=$(basename "$(dirname "$file")")
  case $folders in *";$folder;"*) ;; *) echo "the tsan preset lacks test/$folder, which has tests labelled tsan"; exit 1 ;; esac
done
exit 0
