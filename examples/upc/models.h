/* Three other models, as C functions that UPC programs may call; and one UPC function, for C. */
#ifndef EXAMPLES_UPC_MODELS_H
#define EXAMPLES_UPC_MODELS_H

/* All processes, once; the numbers of PEs, nodes and ranks are those of the threads. */
void models_begin(int *argc, char ***argv);
void models_end(void);
/* Each gives the value to its right neighbour and returns what came from the left. */
long ring_openshmem(long value);
long ring_gasnet(long value);
long ring_mpi(long value);
/* The same in UPC. */
long ring_upc(long value);
/* OpenSHMEM's view of memory that UPC allocated on this node; NULL: another node has it. */
long *peer_openshmem(long *mine, int pe);

#endif
