/*
 * The colour auto-correlogram of a picture (Huang, Kumar, Mitra, Zhu and Zabih: Image indexing
 * using color correlograms, CVPR 1997): for each of 64 colours c and each distance k of 1, 3, 5, 7
 * the probability that a pixel at distance k of a pixel of colour c has colour c too. The distance
 * is the larger of the two coordinates' differences. Knows nothing of PEs.
 */
#ifndef EXAMPLES_CORRELOGRAM_H
#define EXAMPLES_CORRELOGRAM_H

enum { PICTURE_SIDE = 128, PICTURE_BYTES = PICTURE_SIDE * PICTURE_SIDE * 3 };
enum { CORRELOGRAM_COLOURS = 64, CORRELOGRAM_DISTANCES = 4 };

struct correlogram {
  float probability[CORRELOGRAM_DISTANCES][CORRELOGRAM_COLOURS];
};

/* Of PICTURE_SIDE x PICTURE_SIDE pixels of red, green and blue. */
void correlogram_compute(struct correlogram *result, const unsigned char *pixel);

/* The same numbers, bit for bit, word for word after the definition and many times slower. */
void correlogram_define(struct correlogram *result, const unsigned char *pixel);

/* The paper's d1: sum of |a - b| / (1 + a + b). */
double correlogram_distance(const struct correlogram *a, const struct correlogram *b);

#endif
