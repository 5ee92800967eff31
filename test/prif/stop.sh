# What programs over the module prif write and return when they end, and at mistakes.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
ends=$WEFT_BUILD/test-bin/prif.ends

# expect STATUS OUTPUT-PATTERN ARGUMENT: with two images.
expect() {
  status=0
  "$WEFTRUN" -n 2 "$ends" "$3" >out 2>&1 || status=$?
  [ "$status" = "$1" ] || { echo "$3: status $status"; cat out; exit 1; }
  grep -qE "$2" out || [ -z "$2" ] || { echo "$3: no '$2'"; cat out; exit 1; }
}
expect 0 '' stop
[ ! -s out ]
expect 3 '^STOP 3$' code
expect 0 '^STOP bye$' text
expect 0 '' quiet
[ ! -s out ]
expect 1 '^ERROR STOP$' error
expect 7 '^ERROR STOP 7$' 'error code'
expect 1 '^ERROR STOP bad$' 'error text'
expect 0 '^first F T F$' callbacks
[ "$(grep -c '^text bye$' out)" = 2 ]
[ "$(grep -nE '^(first|second)' out | head -n 1 | cut -d: -f2)" = second ]
expect 0 '^the end$' end
expect 0 '' stopped
expect 0 '' posted
expect 1 'runtime error on image [12]: prif_deallocate_coarray: the coarray is not allocated' 'not allocated'
expect 1 'runtime error on image 2: .*stopped' 'stopped, no stat'
for nodes in '' '--nodes 2'; do
  WEFT_ON_DEATH=continue "$WEFTRUN" -n 4 $nodes "$ends" failed || { echo "failed: status $?"; exit 1; }
  for image in 1 2; do
    WEFT_ON_DEATH=continue timeout 50 "$WEFTRUN" -n 4 $nodes "$WEFT_BUILD/test-bin/prif.failed" $image ||
      { echo "failed, image $image: status $?"; exit 1; }
  done
done
expect 1 'runtime error on image [12]: prif_get: image 3 does not exist \(images are 1 to 2\)' image
expect 1 "weft: pe [01]: prif_put: the handle is no coarray's" 'no handle'
# What all images do wrong is one line, on two nodes too (where the machine does not keep the first one from writing).
for nodes in '' '--nodes 2'; do
  for try in 1 2 3; do
    "$WEFTRUN" -n 4 $nodes "$ends" 'no address' >out 2>&1 || :
    [ "$(grep -c 'runtime error on image [1-4]: prif_get: 0x8 is no address' out)" -ne 1 ] || break
    [ $try -lt 3 ] || { cat out; exit 1; }
  done
done
export WEFT_CHECK=1
expect 1 'FORM TEAM: NEW_INDEX is [23] here; the images of team 7 must give 1 to 2, each once' index
expect 1 'FORM TEAM: NEW_INDEX is 1 here; the images of team 7 must give 1 to 2, each once' 'index twice'
expect 0 '' 'index turned'
expect 0 '' 'index with stat'
unset WEFT_CHECK
# What all images do wrong before there is a job is one line, and no backtrace of those that are ended.
expect 1 '^weft: prif_num_images: call prif_init first$' early
! grep -q Backtrace out || { cat out; exit 1; }
expect 1 'weft: pe [01]: prif_size_bytes: the handle is no coarray' handle
expect 1 'weft: pe [01]: prif_this_image: the team variable has no team' team
expect 1 'runtime error on image [12]: prif_num_images_with_team_number: no team 9 was formed' sibling
