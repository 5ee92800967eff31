/*
 * tools_ident.c: what libgasnet_tools-seq.a and -par.a have besides the tools: their ident strings.
 */
#ifdef WEFT_GASNET_TOOLS_SEQ
#define GASNETT_THREAD_SINGLE 1
#else
#define GASNETT_THREAD_SAFE 1
#endif
#include <gasnet_tools.h>

GASNETT_IDENT(weft_gasnet_id_tools,
              "$GASNetToolsThreadModel: " _STRINGIFY(GASNETT_THREAD_MODEL) " $");
GASNETT_IDENT(weft_gasnet_id_tools_config, "$GASNetToolsConfig: " GASNETT_CONFIG_STRING " $");
GASNETT_IDENT(weft_gasnet_id_system, "$GASNetSystemTuple: " GASNETT_SYSTEM_TUPLE " $");
