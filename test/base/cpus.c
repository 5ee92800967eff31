/*
 * Lists of processors, as WEFT_HELPER_AFFINITY takes them.
 */
#include "base/base.h"
#include "check.h"

int main(void) {
  int cpus[8];
  CHECK_EQ(weft_parse_cpus("3", cpus, 8), 1);
  CHECK_EQ(cpus[0], 3);
  CHECK_EQ(weft_parse_cpus("2-5,0,7-7", cpus, 8), 6);
  const int want[] = {2, 3, 4, 5, 0, 7};
  for (int i = 0; i < 6; i++) CHECK_EQ(cpus[i], want[i]);
  cpus[2] = -1;
  CHECK_EQ(weft_parse_cpus("0-1000", cpus, 2), 2);
  CHECK_EQ(cpus[2], -1);
  const char *bad[] = {"",   ",",  "1,",  ",1",   "a",     "1 2",
                       "-1", "2-", "5-2", "1,,2", "1-2-3", "99999"};
  for (size_t i = 0; i < WEFT_ARRAY_LEN(bad); i++)
    CHECK_EQ(weft_parse_cpus(bad[i], cpus, 8), -EINVAL);
  return 0;
}
