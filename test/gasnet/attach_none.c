/* gasnet_attach with a size of 0: that process has no segment, and all know it; the others' are
 * there, and it takes part in everything else. */
#define GASNET_SEQ
#include <gasnet.h>

#include "check.h"

enum { SHORT = 200, MOST = 64 };

static int arrived, hooked;

static void on_short(gasnet_token_t token) {
  (void)token;
  arrived++;
}

static void on_attach(void *addr, uintptr_t size) {
  CHECK(addr && size == GASNET_PAGESIZE);
  hooked++;
}

static uintptr_t size_of(gasnet_node_t node) {
  return node % 2 ? GASNET_PAGESIZE : 0;
}

int main(int argc, char **argv) {
  gasnet_handlerentry_t table[] = {{SHORT, (gex_AM_Fn_t)on_short}};
  gasnet_seginfo_t segments[MOST];
  gex_Segment_t mine;
  gex_System_SetVerboseErrors(0);
  CHECK_EQ(gasnet_init(&argc, &argv), GASNET_OK);
  CHECK_EQ(gasnet_getSegmentInfo(segments, MOST), GASNET_ERR_NOT_INIT);
  gasnet_client_attach_hook = on_attach;
  const gasnet_node_t me = gasnet_mynode(), n = gasnet_nodes();
  CHECK_EQ(gasnet_attach(table, 1, size_of(me), 0), GASNET_OK);
  CHECK_EQ(gasnet_attach(NULL, 0, size_of(me), 0), GASNET_ERR_NOT_INIT);
  CHECK_EQ(hooked, me % 2);
  gasnet_QueryGexObjects(NULL, NULL, NULL, &mine);
  CHECK((mine == GEX_SEGMENT_INVALID) == !size_of(me));
  CHECK_EQ(gasnet_getSegmentInfo(segments, MOST), GASNET_OK);
  for (gasnet_node_t i = 0; i < n; i++) {
    CHECK_EQ(segments[i].size, size_of(i));
    if (size_of(i)) gasnet_put_val(i, (int *)segments[i].addr + me, 100 + me, sizeof(int));
    gasnet_AMRequestShort0(i, SHORT);
  }
  GASNET_BLOCKUNTIL(arrived == (int)n);
  gasnet_barrier_notify(1, 0);
  CHECK_EQ(gasnet_barrier_wait(1, 0), GASNET_OK);
  for (gasnet_node_t i = 0; i < n && size_of(me); i++)
    CHECK_EQ(((int *)segments[me].addr)[i], (int)(100 + i));
  gasnet_exit(0);
}
