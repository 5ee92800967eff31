/*
 * tools.h: what the tools_*.c share, by the file that defines it. The tools stand alone: they are
 * also the archive libgasnet_tools, so they know no job and no other layer. What a job knows it
 * tells them through these functions.
 */
#ifndef WEFT_GASNET_TOOLS_H
#define WEFT_GASNET_TOOLS_H

#define GASNETT_THREAD_SAFE 1
#ifndef _INCLUDED_GASNETEX_H /* the tools alone: the modes of GASNet are the clients' business */
#undef GASNET_SEQ
#undef GASNET_PARSYNC
#undef GASNET_PAR
#endif
#include "gasnet_tools.h"
#include "base/base.h"

/* ---- env.c ---- */

/* Rank 0 alone reports under GASNET_VERBOSEENV; until it is known everybody may. */
void weft_tools_env_rank(int rank);
/* The environment as one block "NAME=value\0...\0\0", to be freed; its length with the last 0. */
char *weft_tools_env_block(size_t *length);
/* From now on gasnett_getenv answers from this copy of the launch's environment. */
void weft_tools_env_adopt(const char *block, size_t length);

/* ---- parse.c ---- */

/* strtod with a decimal point, whatever the program's locale has. */
double weft_tools_strtod(const char *text, char **end);
/* "1.5", "-1e4", "3/8": 0 or -EINVAL. */
int weft_tools_parse_double(const char *text, double *value);
/* 1 yes, 0 no, -1 neither. */
int weft_tools_parse_yesno(const char *text);

/* ---- backtrace.c ---- */

/* "on node 1/4" in what is printed of crashes. */
void weft_tools_crash_rank(int rank, int size);
/* Catch the signals of crashes, if GASNET_BACKTRACE or GASNET_FREEZE_ON_ERROR wants something of
 * them and GASNET_NO_CATCH_SIGNAL does not name them; wait for a debugger if GASNET_FREEZE is set.
 * SIGINT, SIGTERM and SIGHUP are passed on to a handler of SIGQUIT that the client has, if any. */
void weft_tools_crash_start(void);
/* The process is at its end: these three are as they were. */
void weft_tools_requests_end(void);

#endif
