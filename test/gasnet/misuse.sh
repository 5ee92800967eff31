# With WEFT_CHECK=1 each of these ends the job with status 1 and one line that says what is wrong.
export WEFT_CHECK=1 GASNET_EXITTIMEOUT=0.3
said() { # WHICH TEXT
  out=$(timeout 20 "$WEFTRUN" -n 1 "$WEFT_BUILD/test-bin/gasnet.misuse" "$1" 2>&1)
  got=$?
  [ $got -eq 1 ] || { echo "$1: status $got: $out"; exit 1; }
  case $out in *"$2"*) ;; *) echo "$1: not '$2' but: $out"; exit 1 ;; esac
}
said poll-before-init 'gasnet_AMPoll called before gex_Client_Init'
said nodes-before-init 'gasnet_nodes called before gex_Client_Init'
said arguments 'handler 200 (one) is registered with 1 arguments, and was sent 2'
said other-arguments 'handler 200 (one) is registered with 1 arguments, and was sent 2'
said peer 'handler 201 (no name) is not registered for a medium reply'
said category 'handler 200 (one) is not registered for a medium request'
said kind 'handler 202 (no name) is not registered for a short request'
said unregistered 'handler 222'
said too-long 'gex_AM_RequestMedium: 1073741824 bytes; the most is'
said rank 'rank 7 does not exist'
said rank-short 'gex_AM_RequestShort: rank 1 does not exist (1 processes)'
said rank-far 'gex_AM_RequestShort: rank 1000000 does not exist'
said rank-negative 'gex_AM_RequestShort: rank -1 does not exist'
said rank-prepare 'gex_AM_PrepareRequestMedium: rank 9 does not exist'
said no-segment 'gex_AM_RequestLong: no segment is bound'
said long-outside 'gex_AM_RequestLong: 9 bytes at'
said long-outside 'are not in the segment of process 0'
said long-null 'gex_AM_RequestLong: 8 bytes at (nil) are not in the segment of process 0'
said long-most 'gex_AM_RequestLong: 2147483649 bytes; the most is 2147483648'
said request-in-handler 'a handler must not send requests'
said two-replies 'this handler has replied already'
said reply-to-reply 'only the handler of a request may reply'
said commit-more '9 bytes; Prepare gave 8'
said two-prepares 'between another Prepare and its Commit'
said lock-twice 'this thread has locked'
said unlock 'this thread has not locked'
unset WEFT_CHECK
said not-pages 'is not a multiple of the page size, 4096 (GASNET_ERR_BAD_ARG)'
said large 'is larger than the most, '
said too-long 'gex_AM_RequestMedium: 1073741824 bytes; the most is'
export WEFT_CHECK=1
said destroy 'the segment of gex_Segment_Attach stays'
