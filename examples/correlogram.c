/*
 * Colour auto-correlograms. Knows nothing of PEs.
 */
#include "correlogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = PICTURE_SIDE, FURTHEST = 7, STRIDE = SIDE + 2 * FURTHEST, NO_COLOUR = 255 };

static const int distances[CORRELOGRAM_DISTANCES] = {1, 3, 5, 7};

/* A picture in 64 colours, two bits of each primary, with a margin that has none of them. */
struct quantised {
  unsigned char colour[STRIDE][STRIDE];
};

static void quantise(struct quantised *q, const unsigned char *pixel) {
  memset(q->colour, NO_COLOUR, sizeof q->colour);
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++, pixel += 3)
      q->colour[FURTHEST + y][FURTHEST + x] =
          (unsigned char)(pixel[0] >> 6 << 4 | pixel[1] >> 6 << 2 | pixel[2] >> 6);
}

/* pairs[c]: how often a pixel of colour c has one of its colour at distance k, which is one of 8 k
 * places. As in the paper, places outside the picture are counted as another colour. */
static void probabilities(float *result, const long *pairs, const long *pixels, int k) {
  for (int c = 0; c < CORRELOGRAM_COLOURS; c++)
    result[c] = pixels[c] ? (float)((double)pairs[c] / (8.0 * k * (double)pixels[c])) : 0;
}

/* One row against the row at (dx, dy): same[x] counts. Compilers make 16 pixels one step of it. */
static void add_same(unsigned char *restrict same, const unsigned char *restrict row,
                     const unsigned char *restrict other) {
  for (int x = 0; x < SIDE; x++) same[x] = (unsigned char)(same[x] + (row[x] == other[x]));
}

void correlogram_compute(struct correlogram *result, const unsigned char *pixel) {
  struct quantised q;
  quantise(&q, pixel);
  for (int d = 0; d < CORRELOGRAM_DISTANCES; d++) {
    int k = distances[d];
    long pairs[CORRELOGRAM_COLOURS] = {0}, pixels[CORRELOGRAM_COLOURS] = {0};
    for (int y = FURTHEST; y < FURTHEST + SIDE; y++) {
      const unsigned char *row = q.colour[y] + FURTHEST;
      unsigned char same[SIDE] = {0}; /* at most 8 k = 56 */
      for (int dx = -k; dx <= k; dx++) {
        add_same(same, row, q.colour[y - k] + FURTHEST + dx);
        add_same(same, row, q.colour[y + k] + FURTHEST + dx);
      }
      for (int dy = 1 - k; dy < k; dy++) {
        add_same(same, row, q.colour[y + dy] + FURTHEST - k);
        add_same(same, row, q.colour[y + dy] + FURTHEST + k);
      }
      for (int x = 0; x < SIDE; x++) {
        pairs[row[x]] += same[x];
        pixels[row[x]]++;
      }
    }
    probabilities(result->probability[d], pairs, pixels, k);
  }
}

void correlogram_define(struct correlogram *result, const unsigned char *pixel) {
  struct quantised q;
  quantise(&q, pixel);
  for (int d = 0; d < CORRELOGRAM_DISTANCES; d++) {
    long pairs[CORRELOGRAM_COLOURS] = {0}, pixels[CORRELOGRAM_COLOURS] = {0};
    for (int y = FURTHEST; y < FURTHEST + SIDE; y++) {
      for (int x = FURTHEST; x < FURTHEST + SIDE; x++) {
        int c = q.colour[y][x], k = distances[d];
        pixels[c]++;
        for (int dy = -k; dy <= k; dy++)
          for (int dx = -k; dx <= k; dx++)
            if (abs(dx) == k || abs(dy) == k) pairs[c] += q.colour[y + dy][x + dx] == c;
      }
    }
    probabilities(result->probability[d], pairs, pixels, distances[d]);
  }
}

double correlogram_distance(const struct correlogram *a, const struct correlogram *b) {
  double sum = 0;
  for (int d = 0; d < CORRELOGRAM_DISTANCES; d++) {
    for (int c = 0; c < CORRELOGRAM_COLOURS; c++) {
      double p = a->probability[d][c], q = b->probability[d][c];
      sum += fabs(p - q) / (1 + p + q);
    }
  }
  return sum;
}
