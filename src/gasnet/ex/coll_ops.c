/*
 * coll_ops.c: GASNet's types and operations as those of data's table.
 */
#include "gasnet/ex/team.h"

/* WEFT_TYPES: none that is built in. */
static enum weft_type type_of(gex_DT_t dt) {
  switch (dt) {
  case GEX_DT_I32: return WEFT_TYPE_I32;
  case GEX_DT_U32: return WEFT_TYPE_U32;
  case GEX_DT_I64: return WEFT_TYPE_I64;
  case GEX_DT_U64: return WEFT_TYPE_U64;
  case GEX_DT_FLT: return WEFT_TYPE_FLOAT;
  case GEX_DT_DBL: return WEFT_TYPE_DOUBLE;
  }
  return WEFT_TYPES;
}

weft_combine_t weft_gex_arithmetic(gex_DT_t dt, gex_OP_t op) {
  const enum weft_type type = type_of(dt);
  if (type == WEFT_TYPES) return NULL;
  switch (op) {
  case GEX_OP_ADD: return weft_data_combine(type, WEFT_COMBINE_sum);
  case GEX_OP_MULT: return weft_data_combine(type, WEFT_COMBINE_prod);
  case GEX_OP_MIN: return weft_data_combine(type, WEFT_COMBINE_min);
  case GEX_OP_MAX: return weft_data_combine(type, WEFT_COMBINE_max);
  case GEX_OP_AND: return weft_data_combine(type, WEFT_COMBINE_and);
  case GEX_OP_OR: return weft_data_combine(type, WEFT_COMBINE_or);
  case GEX_OP_XOR: return weft_data_combine(type, WEFT_COMBINE_xor);
  }
  return NULL;
}

size_t weft_gex_width(gex_DT_t dt) {
  const enum weft_type type = type_of(dt);
  return type == WEFT_TYPES ? 0 : weft_data_width(type);
}
