/* What a client of GASNet-1's collectives and messages must not do, for coll_misuse.sh: coll_misuse
 * WHICH. */
#define GASNET_SEQ
#include <gasnet.h>
#include <gasnet_coll.h>

#include <string.h>

int main(int argc, char **argv) {
  const char *which = argc > 1 ? argv[1] : "";
  const int flags = GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC | GASNET_COLL_LOCAL;
  gasnet_team_handle_t all = GASNET_TEAM_ALL, none = NULL;
  gasnet_node_t node;
  int x = 1, y = 0;
#define IS(name) if (!strcmp(which, name))
  IS("token-early") gasnet_AMGetMsgSource(NULL, &node);
  gasnet_init(&argc, &argv);
  IS("token") gasnet_AMGetMsgSource(NULL, &node);
  gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0);
  gasnet_coll_init(NULL, 0, NULL, 0, 0);
  IS("team") gasnet_coll_broadcast(none, &y, 0, &x, sizeof x, flags);
  IS("team-split") gasnet_coll_team_split(none, 0, 0, NULL);
  IS("team-barrier") gasnet_coll_barrier_notify(none, 0, 0);
  IS("team-wait") gasnet_coll_barrier_wait(none, 0, 0);
  IS("team-try") gasnet_coll_barrier_try(none, 0, 0);
  IS("team-result") gasnet_coll_barrier_result(none, &y);
  IS("team-size") gasnet_coll_team_size(none);
  IS("team-node") gasnet_coll_team_rank2node(none, 0);
  IS("team-rank") gasnet_coll_team_node2rank(none, 0);
  IS("broadcast") gasnet_coll_broadcast(all, &y, 0, NULL, sizeof x, flags);
  IS("scatter") gasnet_coll_scatter(all, &y, 0, NULL, sizeof x, flags);
  IS("gather") gasnet_coll_gather_nb(all, 0, NULL, &x, sizeof x, flags);
  /* Nothing is moved. */
  IS("empty") gasnet_coll_broadcast(all, NULL, 0, NULL, 0, flags);
  gasnet_exit(0);
}
