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

#define STRIDED void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels
#define STRIDED_ARGUMENTS src, src_stride, dst, dst_stride, count, levels

/* ---- contiguous ------------------------------------------------------------------------------ */

int PARMCI_Put(void *src, void *dst, int bytes, int proc) {
  return weft_armci_contiguous(CALL("Put", PUT, NULL), src, dst, SIZE(bytes));
}
TWIN(Put);

int PARMCI_Get(void *src, void *dst, int bytes, int proc) {
  return weft_armci_contiguous(CALL("Get", GET, NULL), src, dst, SIZE(bytes));
}
TWIN(Get);

int PARMCI_Acc(int op, void *scale, void *src, void *dst, int bytes, int proc) {
  return weft_armci_contiguous(CALL_ACC("Acc", NULL), src, dst, SIZE(bytes));
}
TWIN(Acc);

int PARMCI_NbPut(void *src, void *dst, int bytes, int proc, armci_hdl_t *handle) {
  return weft_armci_contiguous(CALL("NbPut", PUT, handle_of(handle)), src, dst, SIZE(bytes));
}
TWIN(NbPut);

int PARMCI_NbGet(void *src, void *dst, int bytes, int proc, armci_hdl_t *handle) {
  return weft_armci_contiguous(CALL("NbGet", GET, handle_of(handle)), src, dst, SIZE(bytes));
}
TWIN(NbGet);

#ifdef WEFT_ARMCI_MPI_ABI
int PARMCI_NbAcc(int op, void *scale, void *src, void *dst, int bytes, int proc,
                 armci_hdl_t *handle) {
  return weft_armci_contiguous(CALL_ACC("NbAcc", handle_of(handle)), src, dst, SIZE(bytes));
}
TWIN(NbAcc);
#endif

/* ---- strided --------------------------------------------------------------------------------- */

int PARMCI_PutS(STRIDED, int proc) {
  return weft_armci_strided(CALL("PutS", PUT, NULL), STRIDED_ARGUMENTS);
}
TWIN(PutS);

int PARMCI_GetS(STRIDED, int proc) {
  return weft_armci_strided(CALL("GetS", GET, NULL), STRIDED_ARGUMENTS);
}
TWIN(GetS);

int PARMCI_AccS(int op, void *scale, STRIDED, int proc) {
  return weft_armci_strided(CALL_ACC("AccS", NULL), STRIDED_ARGUMENTS);
}
TWIN(AccS);

int PARMCI_NbPutS(STRIDED, int proc, armci_hdl_t *handle) {
  return weft_armci_strided(CALL("NbPutS", PUT, handle_of(handle)), STRIDED_ARGUMENTS);
}
TWIN(NbPutS);

int PARMCI_NbGetS(STRIDED, int proc, armci_hdl_t *handle) {
  return weft_armci_strided(CALL("NbGetS", GET, handle_of(handle)), STRIDED_ARGUMENTS);
}
TWIN(NbGetS);

int PARMCI_NbAccS(int op, void *scale, STRIDED, int proc, armci_hdl_t *handle) {
  return weft_armci_strided(CALL_ACC("NbAccS", handle_of(handle)), STRIDED_ARGUMENTS);
}
TWIN(NbAccS);

/* ---- lists ----------------------------------------------------------------------------------- */

int PARMCI_PutV(armci_giov_t iov[], int length, int proc) {
  return weft_armci_vector(CALL("PutV", PUT, NULL), length, segments, iov);
}
TWIN(PutV);

int PARMCI_GetV(armci_giov_t iov[], int length, int proc) {
  return weft_armci_vector(CALL("GetV", GET, NULL), length, segments, iov);
}
TWIN(GetV);

int PARMCI_AccV(int op, void *scale, armci_giov_t iov[], int length, int proc) {
  return weft_armci_vector(CALL_ACC("AccV", NULL), length, segments, iov);
}
TWIN(AccV);

int PARMCI_NbPutV(armci_giov_t iov[], int length, int proc, armci_hdl_t *handle) {
  return weft_armci_vector(CALL("NbPutV", PUT, handle_of(handle)), length, segments, iov);
}
TWIN(NbPutV);

int PARMCI_NbGetV(armci_giov_t iov[], int length, int proc, armci_hdl_t *handle) {
  return weft_armci_vector(CALL("NbGetV", GET, handle_of(handle)), length, segments, iov);
}
TWIN(NbGetV);

int PARMCI_NbAccV(int op, void *scale, armci_giov_t iov[], int length, int proc,
                  armci_hdl_t *handle) {
  return weft_armci_vector(CALL_ACC("NbAccV", handle_of(handle)), length, segments, iov);
}
TWIN(NbAccV);

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
