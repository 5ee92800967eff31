/*
 * bupc_extern.h: for C (and C++) programs that call UPC code, with Berkeley's names: the main is
 * theirs (upcc -extern-main), and says when UPC begins and ends.
 */
#ifndef WEFT_BUPC_EXTERN_H
#define WEFT_BUPC_EXTERN_H

#ifdef __cplusplus
extern "C" {
#endif

/* All processes of the job, once, before any UPC function. */
void bupc_init(int *argc, char ***argv);
/* The same, and then the function in place of main. */
void bupc_init_reentrant(int *argc, char ***argv, int (*pmain)(int, char **));
/* This thread's end: waits for all threads, and exits with the status. */
void bupc_exit(int exitcode);

#ifdef __cplusplus
}
#endif

#endif
