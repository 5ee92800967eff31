/*
 * What an image asks of an accessor in another image's process (accessors.c).
 */
#ifndef WEFT_GFC_ACCESSORS_H
#define WEFT_GFC_ACCESSORS_H

#include "caf/caf.h"

enum kind { GET, PUT, LOOK };

/* What follows: bounds of the object and of the data (0: none), `add`, the data of a put; each
 * aligned to 16 bytes. */
typedef struct gfc_request {
  weft_caf_visit_t head;
  int32_t hash;
  uint8_t kind, lengths; /* 1: of the data, 2: of the object */
  uint16_t unused;
  uint32_t bounds, data_bounds;
  uint64_t add, add_size; /* the asker's address */
  uint64_t data;          /* bytes of a put, or of a scalar that is got */
  uint64_t length, object_length;
  uint64_t pad;
} gfc_request_t;

_Static_assert(sizeof(gfc_request_t) % 16 == 0, "what follows is aligned");

#endif
