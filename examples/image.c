/*
 * 8-bit pictures for the examples, over libjpeg and libpng. Knows nothing of PEs.
 * Both libraries report errors by a callback that must not return: hence setjmp.
 */
#include "image.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h> /* wants stdio.h first */

static int image_alloc(struct image *image, long width, long height) {
  image->width = width;
  image->height = height;
  image->colour = 0;
  image->pixel = malloc((size_t)width * (size_t)height);
  if (!image->pixel) {
    fprintf(stderr, "no memory for a picture of %ld x %ld\n", width, height);
    return -1;
  }
  return 0;
}

struct jpeg_trap {
  struct jpeg_error_mgr manager; /* first: libjpeg hands back a pointer to it */
  jmp_buf back;
};

static void jpeg_failed(j_common_ptr jpeg) {
  char text[JMSG_LENGTH_MAX];
  jpeg->err->format_message(jpeg, text);
  fprintf(stderr, "not a JPEG that can be read: %s\n", text);
  longjmp(((struct jpeg_trap *)jpeg->err)->back, 1);
}

static int jpeg_decode(struct image *image, FILE *file) {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_trap trap;
  image->pixel = NULL;
  jpeg.err = jpeg_std_error(&trap.manager);
  trap.manager.error_exit = jpeg_failed;
  if (setjmp(trap.back)) {
    jpeg_destroy_decompress(&jpeg);
    free(image->pixel);
    image->pixel = NULL;
    return -1;
  }
  jpeg_create_decompress(&jpeg);
  jpeg_stdio_src(&jpeg, file);
  jpeg_read_header(&jpeg, TRUE);
  jpeg.out_color_space = JCS_GRAYSCALE;
  jpeg_start_decompress(&jpeg);
  if (image_alloc(image, jpeg.output_width, jpeg.output_height) != 0) {
    jpeg_destroy_decompress(&jpeg);
    return -1;
  }
  while (jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = image->pixel + (size_t)jpeg.output_scanline * jpeg.output_width;
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_decompress(&jpeg);
  jpeg_destroy_decompress(&jpeg);
  return 0;
}

int image_read_jpeg(struct image *image, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return -1;
  }
  int status = jpeg_decode(image, file);
  fclose(file);
  return status;
}

static void png_failed(png_structp png, png_const_charp text) {
  fprintf(stderr, "cannot write the PNG: %s\n", text);
  longjmp(*(jmp_buf *)png_get_error_ptr(png), 1);
}

static int png_encode(const struct image *image, FILE *file) {
  jmp_buf back;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &back, png_failed, NULL);
  if (!png) {
    fprintf(stderr, "cannot start libpng\n");
    return -1;
  }
  /* volatile: set between setjmp and longjmp */
  volatile png_infop info = NULL;
  if (setjmp(back)) {
    png_infop old = info;
    png_destroy_write_struct(&png, &old);
    return -1;
  }
  info = png_create_info_struct(png);
  png_init_io(png, file);
  png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
               image->colour ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  long row = image->width * (image->colour ? 3 : 1);
  for (long y = 0; y < image->height; y++) png_write_row(png, image->pixel + y * row);
  png_write_end(png, info);
  png_infop old = info;
  png_destroy_write_struct(&png, &old);
  return 0;
}

int image_write_png(const struct image *image, const char *path) {
  FILE *file = fopen(path, "wb");
  if (!file) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return -1;
  }
  int status = png_encode(image, file);
  if (fclose(file) != 0 && status == 0) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    status = -1;
  }
  return status;
}

int image_generate(struct image *image, long width, long height) {
  if (image_alloc(image, width, height) != 0) return -1;
  unsigned noise = 12345;
  for (long y = 0; y < height; y++) {
    for (long x = 0; x < width; x++) {
      long dx = 2 * x - width, dy = 2 * y - height;
      unsigned grey = (unsigned)((3 * x + 5 * y) % 97);
      if (dx * dx + dy * dy < width * height / 4) grey += 90;
      noise = noise * 1664525u + 1013904223u;
      image->pixel[y * width + x] = (unsigned char)(grey + (noise >> 27));
    }
  }
  return 0;
}

static unsigned char cell_mean(const struct image *image, long x0, long y0, long factor) {
  long x1 = x0 + factor < image->width ? x0 + factor : image->width;
  long y1 = y0 + factor < image->height ? y0 + factor : image->height;
  long sum = 0, cells = (x1 - x0) * (y1 - y0);
  for (long y = y0; y < y1; y++)
    for (long x = x0; x < x1; x++) sum += image->pixel[y * image->width + x];
  return (unsigned char)((sum + cells / 2) / cells);
}

int image_shrink(struct image *small, const struct image *image, long factor) {
  if (image_alloc(small, (image->width + factor - 1) / factor,
                  (image->height + factor - 1) / factor) != 0)
    return -1;
  for (long y = 0; y < small->height; y++)
    for (long x = 0; x < small->width; x++)
      small->pixel[y * small->width + x] = cell_mean(image, x * factor, y * factor, factor);
  return 0;
}
