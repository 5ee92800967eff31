/*
 * In peer.c's program: PMIx does not tell PE $ODD who shares its machine. It tells all others.
 */
#include <dlfcn.h>
#include <pmix.h>
#include <stdlib.h>
#include <string.h>

static pmix_status_t not_told(const char *node, const char *job, pmix_proc_t **peers, size_t *n) {
  (void)node, (void)job, (void)peers, (void)n;
  return PMIX_ERR_TIMEOUT;
}

void *__real_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name);

/* A sanitizer comes by here before it is ready itself, and before its strcmp is. */
__attribute__((no_sanitize("address", "undefined"))) void *__wrap_dlsym(void *library,
                                                                        const char *name) {
  const char *odd, *rank;
  void *symbol = __real_dlsym(library, name);
  if (name[0] == 'P' && strcmp(name, "PMIx_Resolve_peers") == 0 && (odd = getenv("ODD")) &&
      (rank = getenv("PMIX_RANK")) && strcmp(odd, rank) == 0)
    memcpy(&symbol, &(void (*)(void)){(void (*)(void))not_told}, sizeof symbol);
  return symbol;
}
