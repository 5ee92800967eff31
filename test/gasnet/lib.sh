# Sourced by the scripts of this folder: what the program PROGRAM does wrong ends the job with status 1 and a line.
export GASNET_EXITTIMEOUT=0.3
where=
said() { # "ARGUMENTS" TEXT: of the program, of $npes processes, where $where says; and of the line
  # shellcheck disable=SC2086
  out=$(timeout 30 "$WEFTRUN" -n ${npes:-2} $where "$PROGRAM" $1 2>&1)
  got=$?
  [ $got -eq 1 ] || { echo "$where $1: status $got: $out"; exit 1; }
  case $out in *"$2"*) ;; *) echo "$where $1: not '$2' but: $out"; exit 1 ;; esac
}
said_everywhere() { # the same on one node and on two
  said "$@"
  where='--nodes 2'
  said "$@"
  where=
}
