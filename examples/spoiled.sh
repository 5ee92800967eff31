# The checks of the examples can fail: one wrong number must be found and must be the job's exit status.
for run in "isx -w 1000 -r 2 -x" "fft2d -g 301x257 -x" "cbir -g 50 -x"; do
  [ -x "$WEFT_BUILD/examples/${run%% *}" ] || continue
  # shellcheck disable=SC2086 # the words of $run are arguments
  said=$("$WEFTRUN" -n 2 "$WEFT_BUILD/examples/"$run) && { echo "$run: exit status 0"; exit 1; }
  case $said in
  *WRONG*) ;;
  *) echo "$run: failed, but did not say WRONG: $said"; exit 1 ;;
  esac
done
# A wrong argument of index is one line.
for wrong in '-w x' '-d 0' '-z' '-w' more; do
  # shellcheck disable=SC2086
  said=$("$WEFTRUN" -n 2 "$WEFT_BUILD/examples/index" $wrong 2>&1) && { echo "index $wrong: exit status 0"; exit 1; }
  [ "$(printf '%s\n' "$said" | grep -c '^usage: index ')" -eq 1 ] || { echo "index $wrong: $said"; exit 1; }
done
