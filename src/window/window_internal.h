/*
 * What the files of this folder share. Prototypes stand under the file that defines them.
 */
#ifndef WEFT_WINDOW_INTERNAL_H
#define WEFT_WINDOW_INTERNAL_H

#include "window/window.h"

/* ---- window.c ---- */
/* A shared mapping of the file exactly there. 0 or a negative errno. */
int weft_window_map_at(uintptr_t at, size_t n, int flags, int fd, size_t offset);
/* Copy n bytes, whole pages; pages of zeroes are left alone. */
void weft_window_copy_pages(char *to, const char *from, size_t n);

/* ---- fork.c ---- */
void weft_window_prepare_fork(weft_window_t *window);
/* What the file has of n bytes from `offset`, from byte *at of them on: the next part [*at, *end).
 * False: no more. To look at a hole would give it pages. */
bool weft_window_next_data(int fd, size_t offset, size_t n, size_t *at, size_t *end);
/* weft_window_copy_pages of all that. */
void weft_window_copy_data(char *to, const char *from, size_t n, int fd, size_t offset);

/* ---- adopt.c ---- */
/* Around a fork: the list of what was adopted is whole in the child. */
void weft_adopt_lock(void);
void weft_adopt_unlock(void);
/* All of it is private again. 0 or a negative errno. */
int weft_adopt_release_all(weft_window_t *window);
/* In the child: what was adopted becomes the child's own. */
void weft_adopt_make_private(int fd, size_t own);

#endif
