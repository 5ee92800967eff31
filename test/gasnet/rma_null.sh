# With WEFT_CHECK=1 inline puts and gets of GASNet-1 with NULL, or with a node that does not exist, are one line. (A
# sanitizer looks at such an address before Weft does, and dies of it.)
export WEFT_CHECK=1
PROGRAM=$WEFT_BUILD/test-bin/gasnet.rma_misuse
. "$(dirname "$0")/lib.sh"
for null in null null-get null-nbi-value; do
  said_everywhere $null "a put, a get or an atomic names the address (nil), which is no PE's memory"
done
said_everywhere rank-no 'a put, a get or an atomic names PE -1, which does not exist (PEs are 0 to 1)'
said_everywhere rank-no-nbi 'a put, a get or an atomic names PE 1000000, which does not exist (PEs are 0 to 1)'
said_everywhere early-null 'a put, a get or an atomic called before the library was initialised'
said_everywhere early-short-far 'a put, a get, an atomic or a message called before the library was initialised'
said_everywhere early-further 'a put, a get, an atomic or a message called before the library was initialised'
# So it is with NULL for a team in its inline queries, which read whatever they are given; the process dies of the signal.
for which in rank size; do
  out=$(timeout 30 "$WEFTRUN" -n 2 "$WEFT_BUILD/test-bin/gasnet.handles" $which 2>&1) && { echo "$which: $out"; exit 1; }
  case $out in *"this program uses the address "*": a NULL pointer, or a handle that is none"*) ;; *) echo "$which: $out"; exit 1 ;; esac
done
