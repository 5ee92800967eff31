/*
 * transfer.c: put, get and accumulate, blocking and begun, in every form.
 */
#include "armci/abi/abi.h"

#define CALL(NAME, KIND, HANDLE)                                                                   \
  (&(const weft_armci_call_t){                                                                     \
      .who = "ARMCI_" NAME, .kind = WEFT_ARMCI_##KIND, .proc = proc, .handle = (HANDLE)})
#define CALL_ACC(NAME, HANDLE)                                                                     \
  (&(const weft_armci_call_t){.who = "ARMCI_" NAME,                                                \
                              .kind = WEFT_ARMCI_ACC,                                              \
                              .type = weft_armci_acc_type(op, "ARMCI_" NAME),                      \
                              .scale = scale,                                                      \
                              .proc = proc,                                                        \
                              .handle = (HANDLE)})
/* A negative count is an enormous one, which is refused. */
#define SIZE(bytes) ((size_t)(long)(bytes))

#define BLOCK void *src, void *dst, int bytes
#define STRIDED void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels
#define LISTS armci_giov_t iov[], int length
#define STRIDED_ARGUMENTS src, src_stride, dst, dst_stride, count, levels
#define OF_ACC int op, void *scale
#define BEGUN int proc, armci_hdl_t *handle

/* ...: what weft_armci_FORM gets besides the call. */
#define COPY(NAME, KIND, HANDLE, PARAMETERS, FORM, ...)                                            \
  int PARMCI_##NAME PARAMETERS {                                                                   \
    return weft_armci_##FORM(CALL(#NAME, KIND, HANDLE), __VA_ARGS__);                              \
  }                                                                                                \
  TWIN(NAME)
#define ACCUMULATE(NAME, HANDLE, PARAMETERS, FORM, ...)                                            \
  int PARMCI_##NAME PARAMETERS {                                                                   \
    return weft_armci_##FORM(CALL_ACC(#NAME, HANDLE), __VA_ARGS__);                                \
  }                                                                                                \
  TWIN(NAME)

/* Blocking copies without a description. */
#define BARE(NAME, PARAMETERS, FORM, ...)                                                          \
  int PARMCI_##NAME PARAMETERS {                                                                   \
    return weft_armci_##FORM(__VA_ARGS__, proc);                                                   \
  }                                                                                                \
  TWIN(NAME)

BARE(Put, (BLOCK, int proc), put, src, dst, SIZE(bytes));
BARE(Get, (BLOCK, int proc), get, src, dst, SIZE(bytes));
BARE(PutS, (STRIDED, int proc), put_strided, STRIDED_ARGUMENTS);
BARE(GetS, (STRIDED, int proc), get_strided, STRIDED_ARGUMENTS);

COPY(NbPut, PUT, handle_of(handle), (BLOCK, BEGUN), contiguous, src, dst, SIZE(bytes));
COPY(NbGet, GET, handle_of(handle), (BLOCK, BEGUN), contiguous, src, dst, SIZE(bytes));
ACCUMULATE(Acc, NULL, (OF_ACC, BLOCK, int proc), contiguous, src, dst, SIZE(bytes));
#ifdef WEFT_ARMCI_MPI_ABI
ACCUMULATE(NbAcc, handle_of(handle), (OF_ACC, BLOCK, BEGUN), contiguous, src, dst, SIZE(bytes));
#endif

COPY(NbPutS, PUT, handle_of(handle), (STRIDED, BEGUN), strided, STRIDED_ARGUMENTS);
COPY(NbGetS, GET, handle_of(handle), (STRIDED, BEGUN), strided, STRIDED_ARGUMENTS);
ACCUMULATE(AccS, NULL, (OF_ACC, STRIDED, int proc), strided, STRIDED_ARGUMENTS);
ACCUMULATE(NbAccS, handle_of(handle), (OF_ACC, STRIDED, BEGUN), strided, STRIDED_ARGUMENTS);

COPY(PutV, PUT, NULL, (LISTS, int proc), vector, length, segments, iov);
COPY(GetV, GET, NULL, (LISTS, int proc), vector, length, segments, iov);
COPY(NbPutV, PUT, handle_of(handle), (LISTS, BEGUN), vector, length, segments, iov);
COPY(NbGetV, GET, handle_of(handle), (LISTS, BEGUN), vector, length, segments, iov);
ACCUMULATE(AccV, NULL, (OF_ACC, LISTS, int proc), vector, length, segments, iov);
ACCUMULATE(NbAccV, handle_of(handle), (OF_ACC, LISTS, BEGUN), vector, length, segments, iov);

/* ---- with a flag ----------------------------------------------------------------------------- */

int PARMCI_Put_flag(void *src, void *dst, int bytes, int *flag, int value, int proc) {
  weft_armci_contiguous(CALL("Put_flag", PUT, NULL), src, dst, SIZE(bytes));
  weft_armci_flag(proc, flag, value, "ARMCI_Put_flag");
  return 0;
}
TWIN(Put_flag);

int PARMCI_PutS_flag(STRIDED, int *flag, int value, int proc) {
  weft_armci_strided(CALL("PutS_flag", PUT, NULL), STRIDED_ARGUMENTS);
  weft_armci_flag(proc, flag, value, "ARMCI_PutS_flag");
  return 0;
}
TWIN(PutS_flag);

#ifndef WEFT_ARMCI_MPI_ABI
int PARMCI_PutS_flag_dir(STRIDED, int *flag, int value, int proc) {
  return PARMCI_PutS_flag(STRIDED_ARGUMENTS, flag, value, proc);
}
TWIN(PutS_flag_dir);
#endif

/* ---- one value ------------------------------------------------------------------------------- */

/* A begun put keeps no pointer to its value, which is gone when the function returns. */
#define VALUE(NAME, T)                                                                             \
  int PARMCI_PutValue##NAME(T value, void *dst, int proc) {                                        \
    return weft_armci_contiguous(CALL("PutValue" #NAME, PUT, NULL), &value, dst, sizeof value);    \
  }                                                                                                \
  TWIN(PutValue##NAME);                                                                            \
  int PARMCI_NbPutValue##NAME(T value, void *dst, int proc, armci_hdl_t *handle) {                 \
    PARMCI_PutValue##NAME(value, dst, proc);                                                       \
    return weft_armci_contiguous(CALL("NbPutValue" #NAME, PUT, handle_of(handle)), NULL, dst, 0);  \
  }                                                                                                \
  TWIN(NbPutValue##NAME);                                                                          \
  T PARMCI_GetValue##NAME(void *src, int proc) {                                                   \
    T value;                                                                                       \
    weft_armci_contiguous(CALL("GetValue" #NAME, GET, NULL), src, &value, sizeof value);           \
    return value;                                                                                  \
  }                                                                                                \
  TWIN(GetValue##NAME)
VALUE(Int, int);
VALUE(Long, long);
VALUE(Float, float);
VALUE(Double, double);
