/*
 * What the files of this folder share.
 */
#ifndef WEFT_RUNTIME_INTERNAL_H
#define WEFT_RUNTIME_INTERNAL_H

#include "runtime/runtime.h"

/* ---- report.c: both synchronise the world; what was recorded is written at stop ---- */
void weft_report_start(void);
void weft_report_stop(void);

/* ---- ending.c ---- */
/* Before the port is served; when the job is there; when it is no more. */
void weft_ending_serve(void);
void weft_ending_start(void);
void weft_ending_stop(void);

/* ---- memory.c ---- */
/* Before the port is served. */
void weft_memory_start(void);

#endif
