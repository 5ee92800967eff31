/*
 * 8-bit pictures for the examples: grey ones read from JPEG or generated and shrunk, grey and
 * coloured ones written as PNG. Knows nothing of PEs.
 */
#ifndef EXAMPLES_IMAGE_H
#define EXAMPLES_IMAGE_H

struct image {
  long width, height;
  unsigned char *pixel; /* width * height bytes, rows from the top; free() it */
  int colour;           /* three bytes a pixel: red, green, blue */
};

/* All return 0, or -1 after one line on stderr. */
int image_read_jpeg(struct image *image, const char *path);
int image_write_png(const struct image *image, const char *path);

/* A picture that needs no file and is the same on every run: stripes, a disc and noise. */
int image_generate(struct image *image, long width, long height);

/* The mean of every factor x factor cell (cells at the right and lower edge may be smaller). */
int image_shrink(struct image *small, const struct image *image, long factor);

#endif
