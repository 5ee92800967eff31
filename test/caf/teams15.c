/*
 * TEAM_NUMBER= of gfortran 15 and 16: the current team, one that was formed together with it, or
 * -1, the initial one. Inner teams have the numbers of outer ones.
 */
#include "calls15.h"
#include "check.h"

void _gfortran_caf_init(int *, char ***);
void _gfortran_caf_finalize(void);
void _gfortran_caf_register(size_t, int, void **, gfc_t *, int *, char *, size_t);
void _gfortran_caf_sync_all(int *, char *, size_t);
#if WEFT_GFORTRAN >= 16
int _gfortran_caf_this_image(void *);
int _gfortran_caf_num_images(void *, int *);
void _gfortran_caf_form_team(int, void **, int *, int *, char *, size_t);
void _gfortran_caf_change_team(void *, int *, char *, size_t);
void _gfortran_caf_end_team(int *, char *, size_t);
#define THIS_IMAGE() _gfortran_caf_this_image(NULL)
#define NUM_IMAGES() _gfortran_caf_num_images(NULL, NULL)
#define FORM_TEAM(number, team, index)                                                             \
  _gfortran_caf_form_team(number, team, &(int){index}, NULL, NULL, 0)
#define CHANGE_TEAM(team) _gfortran_caf_change_team(team, NULL, NULL, 0)
#define END_TEAM() _gfortran_caf_end_team(NULL, NULL, 0)
#else
int _gfortran_caf_this_image(int);
int _gfortran_caf_num_images(int, int);
void _gfortran_caf_form_team(int, void **, int);
void _gfortran_caf_change_team(void **, int);
void _gfortran_caf_end_team(void *);
#define THIS_IMAGE() _gfortran_caf_this_image(0)
#define NUM_IMAGES() _gfortran_caf_num_images(0, -1)
#define FORM_TEAM(number, team, index) _gfortran_caf_form_team(number, team, index)
#define CHANGE_TEAM(team) _gfortran_caf_change_team(&(team), 0)
#define END_TEAM() _gfortran_caf_end_team(NULL)
#endif

enum { ACCESSOR = 101 };

static void *token;

static void get(void *add, const int *caller, void **out, int *is_new, int *x) {
  (void)add, (void)caller;
  *out = x;
  *is_new = 0;
}

/* x[image, team=team] or x[image, team_number=number], or -1 if there is none. */
static int x_in(int image, void **team, int *number) {
  int got = -1, stat = 0;
  void *to = &got;
  _gfortran_caf_get_from_remote(token, NULL, NULL, image, sizeof got, &to, NULL, NULL, false,
                                _gfortran_caf_get_remote_function_index(ACCESSOR), NULL, 0, &stat,
                                team, number);
  return stat ? -1 : *(int *)to;
}
static int x_of(int image, int number) {
  return x_in(image, NULL, &number);
}

static void check_size(int number, int size) {
#if WEFT_GFORTRAN >= 16
  CHECK_EQ(_gfortran_caf_num_images(NULL, &number), size);
#endif
  CHECK_EQ(x_of(size + 1, number), -1);
}

/* Of n things dealt out to two, what number 1 or 2 gets. */
static int share(int n, int number) {
  return (n + 2 - number) / 2;
}

int main(int argc, char **argv) {
  gfc_t d = {.elem_len = 4, .type = GFC_INTEGER};
  void *outer, *inner;
  _gfortran_caf_register_accessor(ACCESSOR, (void (*)(void))get);
  _gfortran_caf_register_accessors_finish();
  _gfortran_caf_init(&argc, &argv);
  _gfortran_caf_register(4, COARRAY_STATIC, &token, &d, NULL, NULL, 0);
  const int me = THIS_IMAGE(), n = NUM_IMAGES();
  *(int *)d.base = me;
  _gfortran_caf_sync_all(NULL, NULL, 0);
  CHECK_EQ(x_of(n, -1), n);
  /* A team variable that no FORM TEAM has defined, whatever is there. */
  int words[64] = {[2] = 7, [3] = n};
  void *unformed = words;
  CHECK_EQ(x_in(1, &unformed, NULL), -1);

  /* Odd and even images, from the last one down. */
  const int mine = 2 - me % 2, size = share(n, mine), index = size - (me - 1) / 2;
  FORM_TEAM(mine, &outer, index);
  CHECK_EQ(x_of(1, mine), -1); /* it is not the current one yet */
  CHANGE_TEAM(outer);
  CHECK_EQ(x_in(1, &outer, NULL), mine + 2 * (size - 1));
  for (int number = 1; number <= 2; number++) {
    const int its = share(n, number);
    if (its) check_size(number, its);
    for (int i = 1; i <= its; i++) CHECK_EQ(x_of(i, number), number + 2 * (its - i));
  }
  check_size(-1, n);
  CHECK_EQ(x_of(n, -1), n);
  CHECK_EQ(x_of(1, 3), -1);

  /* The same among those. */
  FORM_TEAM(2 - index % 2, &inner, 0);
  CHANGE_TEAM(inner);
  for (int k = 1; k <= 2; k++) {
    if (share(size, k)) check_size(k, share(size, k));
    for (int i = 1; i <= share(size, k); i++)
      CHECK_EQ(x_of(i, k), mine + 2 * (size - (k + 2 * (i - 1))));
  }
  CHECK_EQ(x_of(n, -1), n);
  END_TEAM();
  END_TEAM();
  _gfortran_caf_finalize();
  return 0;
}
