/* mpp/shmem.h: the old place of shmem.h. */
#include <shmem.h>
