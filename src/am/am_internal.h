/*
 * What the files of this folder share. Prototypes stand under the file that defines them.
 */
#ifndef WEFT_AM_INTERNAL_H
#define WEFT_AM_INTERNAL_H

#include "am/am.h"
#include "am/inbox.h"
#include "am/pool.h"
#include "port/port.h"

/* ---- arrive.c: active messages that came to the port, as weft_record_handlers_t says ---- */
int weft_arrive_start(void);
void weft_arrive_stop(void);
bool weft_arrive(const weft_packet_t *packet, const weft_record_t *record);
int weft_arrive_again(void);
bool weft_arrive_waiting(void);

/* ---- short.c ---- */
/* A reply without payload, to another node whose lane is empty. False, and nothing was done, if it
 * is not, or anything else is unusual. */
bool weft_short_reply(int pe, int handler, int nargs, const int32_t *args);

#endif
