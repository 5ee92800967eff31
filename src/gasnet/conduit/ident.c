/*
 * ident.c: all that is in libgasnet-<conduit>-<mode>.a, compiled once for each: the symbol that
 * objects of this conduit and mode ask for, the conduit's name for the library, and the strings
 * that `ident` and clients' launchers look for in an executable. Knows installed headers only.
 */
#include <gasnetex.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT const char WEFT_GEX_GUARD[] = GASNET_CONFIG_STRING;
EXPORT const char *const weft_gasnet_conduit = GASNET_CONDUIT_NAME_STR;

#define VERSION(major, minor) _STRINGIFY(major) "." _STRINGIFY(minor)
GASNETT_IDENT(weft_gasnet_id_ex,
              "$GASNetEXAPIVersion: " VERSION(GEX_SPEC_VERSION_MAJOR, GEX_SPEC_VERSION_MINOR) " $");
GASNETT_IDENT(weft_gasnet_id_api, "$GASNetAPIVersion: " VERSION(GASNET_SPEC_VERSION_MAJOR,
                                                                GASNET_SPEC_VERSION_MINOR) " $");
GASNETT_IDENT(weft_gasnet_id_threads,
              "$GASNetThreadModel: GASNET_" _STRINGIFY(WEFT_GEX_MODEL) " $");
GASNETT_IDENT(weft_gasnet_id_segment, "$GASNetSegment: GASNET_SEGMENT_FAST $");
GASNETT_IDENT(weft_gasnet_id_config, "$GASNetConfig: (libgasnet.a) " GASNET_CONFIG_STRING " $");
GASNETT_IDENT(weft_gasnet_id_conduit, "$GASNetConduitName: " GASNET_CONDUIT_NAME_STR " $");
GASNETT_IDENT(weft_gasnet_id_core, "$GASNetCoreLibraryName: " GASNET_CORE_NAME_STR " $");
GASNETT_IDENT(weft_gasnet_id_core_v, "$GASNetCoreLibraryVersion: " GASNET_CORE_VERSION_STR " $");
GASNETT_IDENT(weft_gasnet_id_ext, "$GASNetExtendedLibraryName: " GASNET_EXTENDED_NAME_STR " $");
GASNETT_IDENT(weft_gasnet_id_ext_v,
              "$GASNetExtendedLibraryVersion: " GASNET_EXTENDED_VERSION_STR " $");
GASNETT_IDENT(weft_gasnet_id_tools,
              "$GASNetToolsThreadModel: " _STRINGIFY(GASNETT_THREAD_MODEL) " $");
GASNETT_IDENT(weft_gasnet_id_tools_config, "$GASNetToolsConfig: " GASNETT_CONFIG_STRING " $");
GASNETT_IDENT(weft_gasnet_id_system, "$GASNetSystemTuple: " GASNETT_SYSTEM_TUPLE " $");
#ifdef GASNET_CONDUIT_SMP
GASNETT_IDENT(weft_gasnet_id_spawner, "$GASNetFORKSpawner: 1 $");
#else
GASNETT_IDENT(weft_gasnet_id_spawner, "$GASNetPMISpawner: 1 $");
#endif
