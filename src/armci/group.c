/*
 * group.c: groups of processes, made by their members alone. Every member keeps the list.
 */
#include "armci/internal.h"

#include <stdlib.h>

static struct {
  weft_armci_group_t **table;
  int room, preset; /* preset: the default group's number */
} groups;

/* ---- the table ------------------------------------------------------------------------------- */

static int free_place(void) {
  for (int i = 0; i < groups.room; i++)
    if (!groups.table[i]) return i;
  const int room = groups.room ? 2 * groups.room : 16;
  weft_armci_group_t **table = realloc(groups.table, (size_t)room * sizeof *table);
  if (!table) weft_fatal("ARMCI: no memory for groups");
  for (int i = groups.room; i < room; i++) table[i] = NULL;
  const int place = groups.room;
  groups.table = table;
  groups.room = room;
  return place;
}

static weft_armci_group_t *enter(int n) {
  weft_armci_group_t *g = calloc(1, sizeof *g + (size_t)n * sizeof *g->list);
  if (!g) weft_fatal("ARMCI: no memory for a group of %d", n);
  g->size = n;
  g->me = -1;
  g->id = free_place();
  groups.table[g->id] = g;
  return g;
}

weft_armci_group_t *weft_armci_group(int id) {
  return id >= 0 && id < groups.room ? groups.table[id] : NULL;
}

weft_armci_group_t *weft_armci_world(void) {
  weft_armci_up("ARMCI_Group_get_world");
  return groups.table[0];
}

weft_armci_group_t *weft_armci_default(const char *who) {
  weft_armci_up(who);
  return groups.table[groups.preset];
}

void weft_armci_set_default(weft_armci_group_t *group) {
  groups.preset = group->id;
}

/* ---- life ------------------------------------------------------------------------------------ */

void weft_armci_groups_start(void) {
  weft_armci_group_t *world = enter(weft_job.npes);
  for (int i = 0; i < world->size; i++) world->list[i] = i;
  world->me = weft_job.pe;
  weft_teams_start();
  world->team = weft_team_world();
  groups.preset = 0;
}

static void forget(weft_armci_group_t *g) {
  groups.table[g->id] = NULL;
  if (g->id && g->team) weft_team_free(g->team);
  free(g->inverse);
  free(g);
}

/* All have come to their end. */
void weft_armci_groups_stop(void) {
  for (int i = groups.room - 1; i >= 0; i--)
    if (groups.table[i]) forget(groups.table[i]);
  free(groups.table);
  groups.table = NULL;
  groups.room = 0;
}

static weft_team_t *make_team(const weft_armci_group_t *g, const char *who) {
  weft_set_t set;
  if (weft_set_from_list(&set, g->list, g->size) < 0)
    weft_fatal("ARMCI: no memory for a group of %d", g->size);
  weft_patience_begin(who, weft_options.patience_s);
  weft_team_t *team = weft_team_meet(&set);
  weft_patience_end();
  if (!team) weft_fatal("ARMCI: a process of a group of %d is gone", g->size);
  weft_set_free(&set);
  return team;
}

weft_armci_group_t *weft_armci_group_create(const weft_armci_group_t *parent, int n,
                                            const int *list, const char *who) {
  if (n < 0 || n > parent->size || (n && !list)) weft_fatal("%s: %d members", who, n);
  weft_armci_group_t *g = enter(n);
  for (int i = 0; i < n; i++) {
    if (list[i] < 0 || list[i] >= parent->size)
      weft_fatal("%s: rank %d does not exist in the parent (they are 0 to %d)", who, list[i],
                 parent->size - 1);
    g->list[i] = parent->list[list[i]];
    if (g->list[i] == weft_job.pe) {
      if (g->me >= 0) weft_fatal("%s: rank %d is in the list twice", who, list[i]);
      g->me = i;
    }
  }
  if (g->me >= 0) {
    g->team = make_team(g, who);
    return g;
  }
  forget(g);
  return NULL;
}

void weft_armci_group_free(weft_armci_group_t *group) {
  if (group->id == 0) weft_fatal("ARMCI_Group_free: the world cannot be freed");
  if (group->id == groups.preset) groups.preset = 0;
  for (int i = 0; i < 2; i++)
    if (group->scopes[i]) weft_armci_group_free(group->scopes[i]);
  weft_armci_barrier(group, "ARMCI_Group_free"); /* nobody is in an operation of it */
  forget(group);
}

int weft_armci_group_index(const weft_armci_group_t *group, int proc) {
  return weft_set_index(&group->team->set, proc);
}
