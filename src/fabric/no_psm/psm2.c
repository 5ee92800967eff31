/*
 * libpsm2.so.2 for machines without its hardware: see psm.c. Source: the functions that libfabric's
 * provider psm2 calls (prov/psm2).
 */
enum { NO_DEVICE = 20 }; /* PSM2_EP_UNIT_NOT_FOUND */

/* libfabric calls these to see whether there is PSM. */
int psm2_init(int *major, int *minor);
int psm2_init(int *major, int *minor) {
  (void)major, (void)minor;
  return NO_DEVICE;
}
const char *psm2_error_get_string(int error);
const char *psm2_error_get_string(int error) {
  (void)error;
  return "no PSM device on this machine";
}

/* These it never calls without a device. */
#define UNUSED(name)                                                                               \
  int name(void);                                                                                  \
  int name(void) {                                                                                 \
    return NO_DEVICE;                                                                              \
  }
UNUSED(psm2_am_get_parameters)
UNUSED(psm2_am_get_source)
UNUSED(psm2_am_register_handlers_2)
UNUSED(psm2_am_reply_short)
UNUSED(psm2_am_request_short)
UNUSED(psm2_ep_close)
UNUSED(psm2_ep_connect)
UNUSED(psm2_ep_disconnect2)
UNUSED(psm2_ep_epid_lookup2)
UNUSED(psm2_ep_open)
UNUSED(psm2_ep_open_opts_get_defaults)
UNUSED(psm2_epaddr_getctxt)
UNUSED(psm2_epaddr_setctxt)
UNUSED(psm2_epaddr_to_epid)
UNUSED(psm2_error_register_handler)
UNUSED(psm2_finalize)
UNUSED(psm2_get_capability_mask)
UNUSED(psm2_info_query)
UNUSED(psm2_mq_cancel)
UNUSED(psm2_mq_improbe2)
UNUSED(psm2_mq_imrecv)
UNUSED(psm2_mq_init)
UNUSED(psm2_mq_ipeek)
UNUSED(psm2_mq_iprobe2)
UNUSED(psm2_mq_irecv2)
UNUSED(psm2_mq_isend2)
UNUSED(psm2_mq_send2)
UNUSED(psm2_mq_test2)
UNUSED(psm2_mq_wait2)
UNUSED(psm2_poll)
