/* mk.c: memory kinds: host memory only. */
#include "gasnet/ex/internal.h"
#include "gasnet_mk.h"

static const char *device(gex_MK_Class_t class) {
  switch (class) {
  case GEX_MK_CLASS_CUDA_UVA: return "CUDA";
  case GEX_MK_CLASS_HIP: return "HIP";
  case GEX_MK_CLASS_ZE: return "oneAPI Level Zero";
  default: return NULL;
  }
}

WEFT_API int gex_MK_Create(gex_MK_t *kind_p, gex_Client_t client, const gex_MK_Create_args_t *args,
                           gex_Flags_t flags) {
  const char *who = "gex_MK_Create";
  weft_gex_up(who);
  if (!kind_p || client != &weft_gex_client || !args || args->gex_flags || flags)
    return weft_gex_error(GASNET_ERR_BAD_ARG, who, "no such client, NULL, or flags not 0");
  if (args->gex_class == GEX_MK_CLASS_HOST) {
    *kind_p = GEX_MK_HOST;
    return GASNET_OK;
  }
  const char *name = device(args->gex_class);
  return weft_gex_error(GASNET_ERR_BAD_ARG, who, "%s memory is not supported; host memory only",
                        name ? name : "this class of");
}

/* There is one kind, and it stays. */
WEFT_API void gex_MK_Destroy(gex_MK_t kind, gex_Flags_t flags) {
  (void)flags;
  if (kind != GEX_MK_HOST) weft_fatal("gex_MK_Destroy: %p is no memory kind", (void *)kind);
}
