/*
 * weft/gasnet1_job.h: the job calls of GASNet-1 1.8 that GASNet-EX keeps: exit, environment,
 * polling, segment and node information, waiting; and the rest of the GASNet-1 types. gasnet.h adds
 * gasnet_init and gasnet_attach.
 */
#ifndef WEFT_GASNET1_JOB_H
#define WEFT_GASNET1_JOB_H

#include <weft/gex_types.h>

WEFT_GEX_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

void gasnet_exit(int exitcode) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif
WEFT_GEX_END

#endif
