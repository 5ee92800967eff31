/*
 * no_psm: PSM's two libraries for machines without its hardware. Debian's libfabric 1.17 needs both
 * to load; each of them (libpsm_infinipath by way of libinfinipath) measures the processor's clock
 * for 0.1 s when it is loaded, and binds the process to its first processor meanwhile. provider.c
 * loads psm.c and psm2.c under their names before libfabric, which then asks for no others.
 *
 * Knows nothing of Weft. Source: the functions that libfabric's providers call (prov/psm,
 * prov/psm2).
 */
#ifndef WEFT_NO_PSM_H
#define WEFT_NO_PSM_H

/* Whoever asks is told that there is no device: an error (PSM_EP_UNIT_NOT_FOUND), nothing else. */
#define NO_DEVICE(name)                                                                            \
  int name(void);                                                                                  \
  int name(void) {                                                                                 \
    return 20;                                                                                     \
  }
#define NO_DEVICE_TEXT(name)                                                                       \
  const char *name(void);                                                                          \
  const char *name(void) {                                                                         \
    return "no PSM device on this machine";                                                        \
  }

#endif
