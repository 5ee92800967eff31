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

static __typeof__(PMIx_Get) *real_get;

static pmix_status_t get_but_nodes(const pmix_proc_t *proc, const char *key,
                                   const pmix_info_t info[], size_t ninfo, pmix_value_t **value) {
  return strcmp(key, PMIX_NODEID) == 0 ? PMIX_ERR_NOT_FOUND
                                       : real_get(proc, key, info, ninfo, value);
}

void *__real_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name);

/* A sanitizer comes by here before it is ready itself, and before its strcmp is. */
__attribute__((no_sanitize("address", "undefined"))) void *__wrap_dlsym(void *library,
                                                                        const char *name) {
  const char *odd, *rank;
  void *symbol = __real_dlsym(library, name);
  if (name[0] != 'P' || !(odd = getenv("ODD")) || !(rank = getenv("PMIX_RANK")) ||
      strcmp(odd, rank) != 0)
    return symbol;
  if (strcmp(name, "PMIx_Resolve_peers") == 0)
    memcpy(&symbol, &(void (*)(void)){(void (*)(void))not_told}, sizeof symbol);
  if (strcmp(name, "PMIx_Get") == 0) {
    memcpy(&real_get, &symbol, sizeof symbol);
    memcpy(&symbol, &(void (*)(void)){(void (*)(void))get_but_nodes}, sizeof symbol);
  }
  return symbol;
}
