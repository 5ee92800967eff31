/*
 * The size rules of SHMEM_SYMMETRIC_SIZE (OpenSHMEM 1.6 section 8).
 * test: unit
 */
#include "base/base.h"
#include "check.h"

static void good(const char *text, size_t want) {
  size_t got = 12345;
  CHECK_STR(weft_parse_size(text, &got) == 0 ? text : "refused", text);
  CHECK_EQ(got, want);
}

static void bad(const char *text) {
  size_t got = 12345;
  CHECK_STR(weft_parse_size(text, &got) == -EINVAL ? text : "accepted", text);
  CHECK_EQ(got, 12345); /* an output is set on success only */
}

int main(void) {
  good("0", 0);
  good("1", 1);
  good("65536", 65536);
  good("20m", 20971520);
  good("20M", 20971520);
  good("3.1M", 3250586);
  good(".5m", 524288);
  good("0.5m", 524288);
  good("20kk", 20480);
  good("20kilo", 20480);
  good("1g", (size_t)1 << 30);
  good("1.5G", (size_t)3 << 29);
  good("2T", (size_t)2 << 40);
  good("7.", 7);
  good("1.5", 2);
  good("1.0000000000000000000000001k", 1025);
  good("1.0000000000000000000000000k", 1024);
  good("0.0009765625k", 1);
  good("18446744073709551615", SIZE_MAX);
  bad("");
  bad(".");
  bad("k");
  bad(".k");
  bad("-1");
  bad("+1");
  bad(" 1");
  bad("1x");
  bad("1 k");
  bad("1e9");
  bad("0x10");
  bad("inf");
  bad("nan");
  bad("18446744073709551616");
  bad("16777216T");
  bad("99999999999999999999999999999999999999999999999999");
  return 0;
}
