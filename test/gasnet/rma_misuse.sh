# With WEFT_CHECK=1 each of these ends the job with status 1 and one line that says what is wrong.
export WEFT_CHECK=1
PROGRAM=$WEFT_BUILD/test-bin/gasnet.rma_misuse
. "$(dirname "$0")/lib.sh"
said outside 'gex_RMA_PutBlocking: 8 bytes at'
said outside 'are not in the segment of process 1'
said outside-nbi 'gex_RMA_PutNBI: 8 bytes at'
said outside-get 'gex_RMA_GetNB: 16 bytes at'
said end 'gasnet_memset_nb: 1073741824 bytes at'
said value 'gex_RMA_PutNBIVal: 8 bytes at'
said rank 'gex_RMA_PutBlockingVal: rank 5 does not exist (2 processes)'
said rank-far 'gex_RMA_PutNBI: rank 1000000 does not exist (2 processes)'
said overlap 'overlap (8 bytes)'
said vector 'gex_VIS_VectorPutBlocking: 16 bytes at'
said indexed 'gex_VIS_IndexedPutNB: 8 bytes at'
said strided 'gex_VIS_StridedGetNBI: 4 bytes at'
said no-op 'GEX_EVENT_NO_OP says that nothing was done'
said region 'this thread is in an access region'
said no-region 'this thread is in no access region'
wild() {
  said null-memset 'gasnet_memset_nbi: 4 bytes at (nil) are not in the segment of process 1'
  said wild 'gex_RMA_GetNB: 8 bytes at 0x7777000 are not in the segment of process 1'
  said wild-low 'gex_RMA_GetBlockingVal: 8 bytes at 0x2000 are not in the segment of process '
}
wild
where='--nodes 2'
wild
said outside 'are not in the segment of process 1'
said value 'gex_RMA_PutNBIVal: 8 bytes at'
said vector 'are not in the segment of process 1'
said rank 'gex_RMA_PutBlockingVal: rank 5 does not exist (2 processes)'
early() {
  said early 'gex_RMA_PutBlocking called before gex_Client_Init or gasnet_init'
  said early-nbi 'gex_RMA_PutNBIVal called before gex_Client_Init or gasnet_init'
  said early-get 'gex_RMA_GetNB called before gex_Client_Init or gasnet_init'
  said early-far 'gex_RMA_PutBlocking called before gex_Client_Init or gasnet_init'
  said early-short 'gex_AM_RequestShort called before gex_Client_Init or gasnet_init'
  said early-short-16 'gex_AM_RequestShort called before gex_Client_Init or gasnet_init'
  said early-medium 'gex_AM_RequestMedium called before gex_Client_Init or gasnet_init'
  said early-long 'gex_AM_RequestLong called before gex_Client_Init or gasnet_init'
}
early
# Also without it.
unset WEFT_CHECK
early
