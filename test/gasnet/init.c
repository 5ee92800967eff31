/* A client is made on every PE, with the primordial endpoint and team; the job ends by gasnet_exit.
 */
#define GASNET_SEQ
#include <gasnetex.h>

#include <stdlib.h>

#include "check.h"

int main(int argc, char **argv) {
  gex_Client_t client = GEX_CLIENT_INVALID;
  gex_EP_t ep = GEX_EP_INVALID;
  gex_TM_t tm = GEX_TM_INVALID;
  CHECK_EQ(gex_Client_Init(&client, &ep, &tm, "TEST", &argc, &argv, 0), GASNET_OK);
  CHECK(client != GEX_CLIENT_INVALID && ep != GEX_EP_INVALID && tm != GEX_TM_INVALID);
  CHECK_EQ((uintptr_t)tm % 128, getenv("WEFT_CHECK") ? 64 : 0); /* 64: nothing is inlined */
  gasnet_exit(0);
}
