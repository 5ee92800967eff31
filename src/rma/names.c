/*
 * What functions are called that come here without their name, where no front end says it. A file
 * of its own: a compiler that saw these names where they are used would print them, whatever the
 * front end says.
 */
#include "rma/rma.h"

__attribute__((weak)) const weft_rma_names_t weft_rma_names = {.put = "put",
                                                               .quiet = "quiet",
                                                               .fence = "fence",
                                                               .quiet_on = "quiet of a context",
                                                               .fence_on = "fence of a context",
                                                               .end = "the end of the job"};
