/*
 * What a look at the connections finds: a lost one once, also where another one has its descriptor
 * since, and the others as they were. With the argument "time" it says how long a look takes.
 */
#include "link_ends.h"

enum { LINKS = 200 };

static void say_time(void) {
  weft_link_report_t r;
  for (int n = 0, up_to = 64; n < MOST && up_to <= 1024; up_to *= 2) {
    while (n < up_to / 2) make(n++);
    look(&r);
    const uint64_t begin = weft_clock_ns();
    for (int i = 0; i < 20; i++) look(&r);
    printf("%d connections: %llu us\n", r.nlinks,
           (unsigned long long)(weft_clock_ns() - begin) / 20000);
  }
}

int main(int argc, char **argv) {
  weft_link_report_t r;
  (void)argv;
  begin();
  if (argc > 1) {
    say_time();
    return 0;
  }
  for (int i = 0; i < LINKS; i++) make(i);
  for (int i = 0; i < 2; i++) CHECK_EQ(look(&r), WEFT_LINK_WELL);
  CHECK_EQ(r.nlinks, 2 * LINKS);
  const int before = ends[LINKS / 2][0];
  end(LINKS / 2);
  end(1);
  make(LINKS / 2);
  CHECK(ends[LINKS / 2][0] == ends[1][0] || ends[LINKS / 2][0] == before);
  CHECK_EQ(look(&r), WEFT_LINK_LOST);
  CHECK_EQ(r.nlinks, 2 * (LINKS - 1));
  for (int i = 0; i < 2; i++) CHECK_EQ(look(&r), WEFT_LINK_WELL);
  /* The last, the first, and the new one; each alone. */
  for (int i = 0; i < 3; i++) {
    end(i == 0 ? LINKS - 1 : i == 1 ? 0 : LINKS / 2);
    CHECK_EQ(look(&r), WEFT_LINK_LOST);
    CHECK_EQ(r.nlinks, 2 * (LINKS - 2 - i));
    CHECK_EQ(look(&r), WEFT_LINK_WELL);
  }
  weft_links_forget();
  CHECK_EQ(look(&r), WEFT_LINK_WELL);
  CHECK_EQ(r.nlinks, 0);
  return 0;
}
