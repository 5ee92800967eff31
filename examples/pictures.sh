# scripts/pictures, and cbir with a file of pictures: what is in it, what is left out, a query from another file, the
# contact sheet. The pictures are made here.
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() {
  echo "failed: $*"
  exit 1
}
python=/usr/bin/python3
$python -c 'import PIL' 2>/dev/null || { echo 'skipped: no Pillow (package python3-pil)'; exit 77; }

mkdir -p "$dir/package/DEBIAN" "$dir/package/usr/share/some" || exit 1
$python - "$dir" <<'END' || fail 'making pictures'
import random, sys
from PIL import Image
random.seed(1)
def noise(size, mode="RGB", low=0):
    return Image.frombytes(mode, size, bytes(random.randrange(low, 256) for _ in range(size[0] * size[1] * len(mode))))
inside = sys.argv[1] + "/package/usr/share/some/"
wide = noise((200, 150))
wide.save(inside + "a.png")
wide.save(inside + "again.png")           # equal to another
noise((40, 40)).save(inside + "tiny.png")  # too small
Image.new("RGB", (200, 200), "red").save(inside + "flat.png")  # too few colours
noise((128, 100), "RGBA").save(inside + "cutout.png")
noise((300, 130), low=128).save(inside + "b.jpg")
open(inside + "text.png", "w").write("no picture")
wide.save(sys.argv[1] + "/query.png")
END
printf 'Package: some\nVersion: 1\nArchitecture: all\nMaintainer: nobody <n@example.org>\nDescription: pictures\n' \
  >"$dir/package/DEBIAN/control"
dpkg-deb -b "$dir/package" "$dir/some.deb" >/dev/null || fail dpkg-deb

count=$("$WEFT_SOURCE/scripts/pictures" "$dir/p.db" "$dir/some.deb") || fail 'scripts/pictures'
[ "$count" = 3 ] || fail "$count pictures, want 3"
"$WEFT_SOURCE/scripts/pictures" "$dir/q.db" "$dir/query.png" >/dev/null || fail 'the query'
"$WEFT_SOURCE/scripts/pictures" "$dir/r.db" "$dir/package/usr/share/some/text.png" 2>/dev/null && fail 'text is no picture'

"$WEFTRUN" -n 2 "$WEFT_BUILD/examples/cbir" -o "$dir/out" -e "$dir/q.db" "$dir/p.db" >"$dir/said" || fail "$(cat "$dir/said")"
grep -Eq ' 0\.000  some/a(gain)?\.png' "$dir/said" || fail "the query is not found: $(cat "$dir/said")"
size=$($python -c 'import sys; from PIL import Image; print(Image.open(sys.argv[1]).size)' "$dir/out-sheet.png")
[ "$size" = "(1232, 144)" ] || fail "contact sheet of $size"
head -c 100000 "$dir/p.db" >"$dir/short.db"
"$WEFTRUN" -n 2 "$WEFT_BUILD/examples/cbir" "$dir/short.db" >"$dir/said" 2>&1 && fail 'a short file is taken'
grep -q 'not pictures of 128 x 128' "$dir/said" || fail "a short file: $(cat "$dir/said")"
exit 0
