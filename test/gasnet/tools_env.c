/* gasnet_tools: numbers as text and back, the environment with its defaults, what GASNET_VERBOSEENV
 * prints, and the end that a value which cannot be read brings about. */
#include <gasnet_tools.h>
#include <locale.h>
#include <sys/wait.h>

#include "check.h"
#include "gasnet/apart.h"

static const char *formatted(int64_t value, int memory) {
  static char text[64];
  return gasnett_format_number(value, text, sizeof text, memory);
}

static void verbose(void) {
  setenv("GASNET_VERBOSEENV", "1", 1);
  if (!gasnett_verboseenv()) _exit(3);
  for (int i = 0; i < 2; i++) gasnett_getenv_int_withdefault("TOOLS_SIZE", 7, 1);
  gasnett_getenv_withdefault("TOOLS_NOTHING", "preset");
  gasnett_envdbl_display("TOOLS_DOUBLE", 0.5, 1);
}
static void no_number(void) {
  setenv("TOOLS_BAD", "3/x", 1);
  gasnett_getenv_dbl_withdefault("TOOLS_BAD", 1);
}
static void neither(void) {
  setenv("TOOLS_BAD", "perhaps", 1);
  gasnett_getenv_yesno_withdefault("TOOLS_BAD", 1);
}

/* Numbers have a point in a program, too, whose locale has a decimal comma. */
static void with_a_comma(void) {
  char folder[] = "/tmp/weft-locale-XXXXXX", command[128];
  CHECK(mkdtemp(folder) != NULL);
  snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>/dev/null",
           folder);
  if (system(command) == 0) {
    setenv("LOCPATH", folder, 1);
    CHECK(setlocale(LC_ALL, "de_DE.UTF-8") != NULL);
    CHECK_STR(localeconv()->decimal_point, ",");
    CHECK_EQ(gasnett_parse_int("1.5G", 1), 3 << 29);
    setenv("TOOLS_X", "0.75/2", 1);
    CHECK(gasnett_getenv_dbl_withdefault("TOOLS_X", 1) == 0.375);
    setlocale(LC_ALL, "C");
  }
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK_EQ(system(command), 0);
}

int main(void) {
  with_a_comma();
  CHECK_STR(formatted(0, 1), "0 B");
  CHECK_STR(formatted(64 << 10, 1), "64 KB");
  CHECK_STR(formatted(INT64_C(3) << 40, 1), "3 TB");
  CHECK_STR(formatted(-(3 << 20), 1), "-3 MB");
  CHECK_STR(formatted(123456789, 0), "123456789");
  for (int i = 0; i < 62; i++)
    CHECK(gasnett_parse_int(formatted(INT64_C(1) << i, 1), 1) == INT64_C(1) << i);
  CHECK_EQ(gasnett_parse_int("0x1f", 0), 31);
  CHECK_EQ(gasnett_parse_int("-12", 0), -12);
  CHECK_EQ(gasnett_parse_int("1.5G", 1), 3 << 29);
  CHECK_EQ(gasnett_parse_int("2", 1 << 20), 2 << 20);
  CHECK_EQ(gasnett_parse_int("2 KB", 1 << 20), 2048);
  CHECK_EQ(gasnett_parse_int(NULL, 1), 0);

  unsetenv("TOOLS_X");
  CHECK(gasnett_getenv("TOOLS_X") == NULL);
  CHECK_STR(gasnett_getenv_withdefault("TOOLS_X", "preset"), "preset");
  CHECK_EQ(gasnett_getenv_yesno_withdefault("TOOLS_X", 1), 1);
  CHECK_EQ(gasnett_getenv_int_withdefault("TOOLS_X", -5, 0), -5);
  CHECK(gasnett_getenv_dbl_withdefault("TOOLS_X", 2.5) == 2.5);
  gasnett_setenv("TOOLS_X", "no");
  CHECK_STR(gasnett_getenv("TOOLS_X"), "no");
  CHECK_EQ(gasnett_getenv_yesno_withdefault("TOOLS_X", 1), 0);
  gasnett_setenv("TOOLS_X", "4K");
  CHECK_EQ(gasnett_getenv_int_withdefault("TOOLS_X", 1, 1), 4096);
  gasnett_setenv("TOOLS_X", "3 / 8");
  CHECK(gasnett_getenv_dbl_withdefault("TOOLS_X", 1) == 0.375);
  gasnett_unsetenv("TOOLS_X");
  CHECK(gasnett_getenv("TOOLS_X") == NULL);

  setenv("TOOLS_SIZE", "65536", 1);
  CHECK_EQ(apart(verbose), 0);
  CHECK_STR(said, "ENV parameter: TOOLS_SIZE = 65536 (64 KB)\n"
                  "ENV parameter: TOOLS_NOTHING = preset   (default)\n"
                  "ENV parameter: TOOLS_DOUBLE = 0.5   (default)\n");
  CHECK_EQ(apart(no_number), 128 + SIGABRT);
  CHECK(strstr(said, "TOOLS_BAD=3/x") != NULL);
  CHECK_EQ(apart(neither), 128 + SIGABRT);
  CHECK(strstr(said, "must be yes or no") != NULL);
  return 0;
}
