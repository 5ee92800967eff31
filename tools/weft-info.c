/*
 * weft-info: the version, and every option of Weft with its value here and where that comes from.
 * Starts no job.
 */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "job/job.h"

static const char usage[] =
    "usage: weft-info\n"
    "Print the version and every environment variable that Weft reads, with its value.\n"
    "\n"
    "  -h, --help          this text\n"
    "  -V, --version       the version only\n";

int main(int argc, char **argv) {
  if (argc > 1 && (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"))) {
    fputs(usage, stdout);
    return 0;
  }
  bool version_only = argc == 2 && (!strcmp(argv[1], "-V") || !strcmp(argv[1], "--version"));
  if (argc > 1 && !version_only) {
    fprintf(stderr, "weft-info: it takes no arguments, not '%s'; see weft-info --help\n", argv[1]);
    return 2;
  }
  printf("weft-info (Weft) " WEFT_VERSION "\n");
  if (version_only) return 0;
  if (weft_options_read() < 0 || weft_job_check_options() < 0) return 1;
  fflush(stdout);
  weft_options_check_names();
  weft_options_print();
  return 0;
}
