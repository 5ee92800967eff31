/*
 * libpsm_infinipath.so.1 for machines without its hardware. Debian's libfabric 1.17 needs that
 * library and libpsm2 to load; both of them (the first by libinfinipath) measure the processor's
 * clock for 0.1 s each when they are loaded, and bind the process to its first processor
 * meanwhile. provider.c loads this one and psm2.c's before libfabric, which then asks for no other.
 * Their PSM finds no device.
 *
 * Knows nothing of Weft. Source: the functions that libfabric's provider psm calls (prov/psm).
 */
#include <stdint.h>

enum { NO_DEVICE = 20 }; /* PSM_EP_UNIT_NOT_FOUND */

/* libfabric calls these to see whether there is PSM. */
int psm_init(int *major, int *minor);
int psm_init(int *major, int *minor) {
  (void)major, (void)minor;
  return NO_DEVICE;
}
int psm_ep_num_devunits(uint32_t *units);
int psm_ep_num_devunits(uint32_t *units) {
  *units = 0;
  return NO_DEVICE;
}
const char *psm_error_get_string(int error);
const char *psm_error_get_string(int error) {
  (void)error;
  return "no PSM device on this machine";
}

/* These it never calls without a device. */
#define UNUSED(name)                                                                               \
  int name(void);                                                                                  \
  int name(void) {                                                                                 \
    return NO_DEVICE;                                                                              \
  }
UNUSED(psm_finalize)
UNUSED(psm_error_register_handler)
UNUSED(psm_am_get_parameters)
UNUSED(psm_am_register_handlers)
UNUSED(psm_am_reply_short)
UNUSED(psm_am_request_short)
UNUSED(psm_ep_close)
UNUSED(psm_ep_connect)
UNUSED(psm_ep_epid_lookup)
UNUSED(psm_ep_open)
UNUSED(psm_ep_open_opts_get_defaults)
UNUSED(psm_epaddr_getctxt)
UNUSED(psm_epaddr_setctxt)
UNUSED(psm_mq_cancel)
UNUSED(psm_mq_finalize)
UNUSED(psm_mq_init)
UNUSED(psm_mq_ipeek)
UNUSED(psm_mq_iprobe)
UNUSED(psm_mq_irecv)
UNUSED(psm_mq_isend)
UNUSED(psm_mq_send)
UNUSED(psm_mq_test)
