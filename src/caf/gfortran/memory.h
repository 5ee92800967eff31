/*
 * memory.h: the beginning, and the program's heap.
 */
#ifndef WEFT_CAF_GFORTRAN_MEMORY_H
#define WEFT_CAF_GFORTRAN_MEMORY_H

#include <stdbool.h>

/* Join the job: the first thing that every entry point may be (images.c). */
void gfc_start(void);
/* An ALLOCATE had a stat where images may fail, and no sync_all has followed (register.c). */
extern bool gfc_said_failed;
/* Components come from the window if this library's free() is the program's (memory.c). */
void gfc_memory_start(void);

#endif
