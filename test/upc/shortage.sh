# Where there is no room for another lock the line says which limit is reached, on another node, too.
export WEFT_PRIVATE_SIZE=16M
said() { # HOME ARGUMENTS
  home=$1
  shift
  out=$(timeout 60 "$WEFTRUN" -n 2 "$@" 2>&1)
  [ $? -eq 1 ] || { echo "$*: status: $out"; exit 1; }
  case $out in *"no room for a lock on thread "$home": WEFT_PRIVATE_SIZE raises the limit"*) ;; *) echo "$*: $out"; exit 1 ;; esac
}
program=$WEFT_BUILD/test-bin/upc.shortage
said '[01]' "$program"
said 1 "$program" dealt
said 1 --nodes 2 "$program" dealt
