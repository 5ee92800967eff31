/*
 * A part of the target chain: calls of gfortran's entry points (by_ref.c).
 */
#ifndef WEFT_FUZZ_BY_REF_H
#define WEFT_FUZZ_BY_REF_H

/* One of them, as the bits say. */
void by_ref(unsigned how);

#endif
