/*
 * The file of pictures, and pictures that need no file. Knows nothing of PEs.
 */
#include "pictures.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "correlogram.h"

enum { HEADER = 64, COUNT_MAX = 1 << 24 };

static int read_at(int file, void *to, size_t bytes, off_t at) {
  for (char *p = to; bytes > 0;) {
    ssize_t n = pread(file, p, bytes, at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return -1;
    p += n;
    at += n;
    bytes -= (size_t)n;
  }
  return 0;
}

static int names_alloc(struct pictures *set) {
  set->name = calloc((size_t)set->count, sizeof *set->name);
  if (!set->name) fprintf(stderr, "no memory for the names of %ld pictures\n", set->count);
  return set->name ? 0 : -1;
}

int pictures_open(struct pictures *set, const char *path) {
  char header[HEADER + 1] = "";
  struct stat status;
  int side = 0;
  set->name = NULL;
  set->file = open(path, O_RDONLY | O_CLOEXEC);
  if (set->file < 0) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return -1;
  }
  off_t each = PICTURES_NAME + PICTURE_BYTES;
  if (read_at(set->file, header, HEADER, 0) != 0 ||
      sscanf(header, "weft-pictures %ld %d", &set->count, &side) != 2 || side != PICTURE_SIDE ||
      set->count < 1 || set->count > COUNT_MAX || fstat(set->file, &status) != 0 ||
      status.st_size != HEADER + each * set->count) {
    fprintf(stderr, "%s: not pictures of %d x %d pixels as scripts/pictures makes them\n", path,
            PICTURE_SIDE, PICTURE_SIDE);
    goto bad;
  }
  if (names_alloc(set) != 0) goto bad;
  if (read_at(set->file, set->name, (size_t)set->count * PICTURES_NAME, HEADER) != 0) {
    fprintf(stderr, "%s: cannot be read\n", path);
    goto bad;
  }
  for (long i = 0; i < set->count; i++) set->name[i][PICTURES_NAME - 1] = '\0';
  return 0;

bad:
  pictures_close(set);
  return -1;
}

int pictures_generate(struct pictures *set, long count) {
  set->count = count;
  set->file = -1;
  if (names_alloc(set) != 0) return -1;
  for (long i = 0; i < count; i++)
    snprintf(set->name[i], PICTURES_NAME, "kind %ld, number %ld", i / 4, i % 4);
  return 0;
}

/* A pattern of cells in two colours, by kind; shifted and with a few grains, by number. */
static void generate(long index, unsigned char *pixel) {
  unsigned kind = (unsigned)(index / 4) * 2654435761u + 12345u, number = (unsigned)(index % 4);
  unsigned noise = (unsigned)index * 747796405u + 1;
  long cell = 5 + (long)(kind >> 8 & 15), shift = (long)number * 3;
  for (long y = 0; y < PICTURE_SIDE; y++) {
    for (long x = 0; x < PICTURE_SIDE; x++, pixel += 3) {
      unsigned which = (unsigned)((x + shift) / cell + (y + 2 * shift) / cell) & 1;
      unsigned colour = (which ? kind : kind * 40503u) >> 10;
      noise = noise * 1664525u + 1013904223u;
      if (noise >> 24 == 0) colour = noise >> 8;
      for (int i = 0; i < 3; i++) pixel[i] = (unsigned char)((colour >> 2 * i & 3) * 64 + 32);
    }
  }
}

int pictures_read(const struct pictures *set, long first, long count, unsigned char *pixel) {
  if (set->file < 0) {
    for (long i = 0; i < count; i++) generate(first + i, pixel + i * PICTURE_BYTES);
    return 0;
  }
  off_t at = HEADER + (off_t)set->count * PICTURES_NAME + (off_t)first * PICTURE_BYTES;
  if (read_at(set->file, pixel, (size_t)count * PICTURE_BYTES, at) == 0) return 0;
  fprintf(stderr, "the database of pictures cannot be read: %s\n", strerror(errno));
  return -1;
}

void pictures_close(struct pictures *set) {
  if (set->file >= 0) close(set->file);
  free(set->name);
  set->file = -1;
  set->name = NULL;
}
