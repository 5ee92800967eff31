/*
 * armcix.h: what ARMCI-MPI adds: groups by colour and key, sets of mutexes, progress.
 */
#ifndef _ARMCIX_H_
#define _ARMCIX_H_

#include "armci.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Collective over the parent; color < 0: no member of any. Members are ordered by key, then by
 * their rank in the parent. 0. */
int ARMCIX_Group_split(ARMCI_Group *parent, int color, int key, ARMCI_Group *group);
int ARMCIX_Group_dup(ARMCI_Group *parent, ARMCI_Group *group);

/* As many sets as are wanted; proc is a rank of the set's group. */
typedef struct armcix_mutex_hdl_s *armcix_mutex_hdl_t;
armcix_mutex_hdl_t ARMCIX_Create_mutexes_hdl(int count, ARMCI_Group *group);
int ARMCIX_Destroy_mutexes_hdl(armcix_mutex_hdl_t set);
void ARMCIX_Lock_hdl(armcix_mutex_hdl_t set, int mutex, int proc);
/* 0: taken. */
int ARMCIX_Trylock_hdl(armcix_mutex_hdl_t set, int mutex, int proc);
void ARMCIX_Unlock_hdl(armcix_mutex_hdl_t set, int mutex, int proc);

void ARMCIX_Progress(void);

#ifdef __cplusplus
}
#endif

#endif
