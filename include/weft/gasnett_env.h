/*
 * gasnet_tools.h, environment utilities. In a job the environment is that of the job's launch, the
 * same on every host; before the job is known, and without one, it is the process's. With
 * GASNET_VERBOSEENV=1 process 0 says once which value each variable has. A value that cannot be
 * read ends the job.
 */
#ifndef WEFT_GASNETT_ENV_H
#define WEFT_GASNETT_ENV_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* "64 KB", "1.50 GB" (or "65536" when it is no memory size), into buf, which is returned. */
char *gasnett_format_number(int64_t val, char *buf, size_t bufsz, int is_mem_size);
/* The way back: decimal, hexadecimal after 0x, or a decimal fraction; a memory size may end in B,
 * KB, MB, GB or TB, and is multiplied by mem_size_multiplier if it does not. That 0: no memory
 * size. */
int64_t gasnett_parse_int(const char *str, uint64_t mem_size_multiplier);

/* For this process only. */
void gasnett_setenv(const char *key, const char *value);
void gasnett_unsetenv(const char *key);

char *gasnett_getenv(const char *keyname);
char *gasnett_getenv_withdefault(const char *keyname, const char *defaultval);
int gasnett_getenv_yesno_withdefault(const char *keyname, int defaultval);
int64_t gasnett_getenv_int_withdefault(const char *keyname, int64_t defaultval,
                                       uint64_t mem_size_multiplier);
double gasnett_getenv_dbl_withdefault(const char *keyname, double defaultval);

int gasnett_verboseenv(void);
void gasnett_envint_display(const char *key, int64_t val, int is_dflt, int is_mem_size);
void gasnett_envstr_display(const char *key, const char *val, int is_dflt);
void gasnett_envdbl_display(const char *key, double val, int is_dflt);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
