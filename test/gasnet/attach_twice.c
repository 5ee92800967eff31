/* A gasnet_attach that fails leaves no handlers behind, so that a right one may follow with the
 * same table; a further one says that there is a segment. */
#include "check.h"

#define GASNET_SEQ
#include <gasnet.h>

static int came;

static void handler(gasnet_token_t token, gasnet_handlerarg_t a) {
  (void)token;
  came += a;
}

int main(int argc, char **argv) {
  gasnet_handlerentry_t table[] = {{201, (gex_AM_Fn_t)handler}, {0, (gex_AM_Fn_t)handler}};
  gasnet_handlerentry_t same[] = {{201, (gex_AM_Fn_t)handler}, {201, (gex_AM_Fn_t)handler}};
  const uintptr_t size = GASNET_PAGESIZE;
  gex_System_SetVerboseErrors(0);
  CHECK_EQ(gasnet_init(&argc, &argv), GASNET_OK);
  CHECK_EQ(gasnet_attach(table, 2, size + 1, 0), GASNET_ERR_BAD_ARG);
  CHECK_EQ(gasnet_attach(table, 2, 2 * gasnet_getMaxLocalSegmentSize(), 0), GASNET_ERR_BAD_ARG);
  CHECK_EQ(gasnet_attach(same, 2, size, 0), GASNET_ERR_BAD_ARG);
  CHECK_EQ(gasnet_attach(table, 2, size, 0), GASNET_OK);
  CHECK_EQ(gasnet_attach(table, 2, size, 0), GASNET_ERR_NOT_INIT);
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  CHECK_EQ(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS), GASNET_OK);
  const gasnet_node_t other = (gasnet_mynode() + 1) % gasnet_nodes();
  CHECK_EQ(gasnet_AMRequestShort1(other, 201, 1), GASNET_OK);
  CHECK_EQ(gasnet_AMRequestShort1(other, table[1].index, 2), GASNET_OK);
  GASNET_BLOCKUNTIL(came == 3);
  gasnet_exit(0);
}
