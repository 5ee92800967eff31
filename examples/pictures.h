/*
 * A database of pictures of PICTURE_SIDE x PICTURE_SIDE pixels in one file (scripts/pictures makes
 * it), or one that is made up. Knows nothing of PEs.
 *
 * The file: a line "weft-pictures COUNT SIDE" that blanks fill up to 64 bytes, COUNT names of
 * PICTURES_NAME bytes (zeros at the end), COUNT pictures (rows from the top; red, green, blue).
 */
#ifndef EXAMPLES_PICTURES_H
#define EXAMPLES_PICTURES_H

enum { PICTURES_NAME = 96 };

struct pictures {
  long count;
  char (*name)[PICTURES_NAME];
  int file; /* -1: made up */
};

/* All return 0, or -1 after one line on stderr. */
int pictures_open(struct pictures *set, const char *path);
int pictures_read(const struct pictures *set, long first, long count, unsigned char *pixel);

/* Every four in a row are of one kind: the same two colours in the same pattern, moved. */
int pictures_generate(struct pictures *set, long count);

void pictures_close(struct pictures *set);

#endif
