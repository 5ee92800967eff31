# Where there is no room for another lock the line says which limit is reached.
out=$(WEFT_PRIVATE_SIZE=1M timeout 60 "$WEFTRUN" -n 2 "$WEFT_BUILD/test-bin/upc.shortage" 2>&1)
[ $? -eq 1 ] || { echo "status: $out"; exit 1; }
case $out in *'no room for a lock on thread '[01]': WEFT_PRIVATE_SIZE raises the limit'*) ;; *) echo "$out"; exit 1 ;; esac
