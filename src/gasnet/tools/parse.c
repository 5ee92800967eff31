/*
 * parse.c: gasnet_tools, numbers as people write them, and back. Knows nothing of where they
 * come from.
 */
#include "gasnet/tools/tools.h"

#include <ctype.h>
#include <locale.h>
#include <string.h>
#include <strings.h>

static const struct {
  char letter;
  int shift;
} units[] = {{'T', 40}, {'G', 30}, {'M', 20}, {'K', 10}, {'B', 0}};

/* Exactly if a unit divides the value; otherwise with two decimals of the largest that fits. */
char *gasnett_format_number(int64_t val, char *buf, size_t bufsz, int is_mem_size) {
  uint64_t size = val < 0 ? -(uint64_t)val : (uint64_t)val;
  const char *sign = val < 0 ? "-" : "";
  if (!is_mem_size) {
    snprintf(buf, bufsz, "%" PRId64, val);
    return buf;
  }
  for (size_t i = 0; i < WEFT_ARRAY_LEN(units); i++) {
    const uint64_t unit = UINT64_C(1) << units[i].shift;
    if (size < unit && unit > 1) continue;
    if (size % unit == 0)
      snprintf(buf, bufsz, "%s%" PRIu64 " %c%s", sign, size / unit, units[i].letter,
               unit > 1 ? "B" : "");
    else if (size < 10 * unit)
      continue; /* few digits say it exactly in the next smaller one */
    else
      snprintf(buf, bufsz, "%s%.2f %cB", sign, (double)size / (double)unit, units[i].letter);
    break;
  }
  return buf;
}

double weft_tools_strtod(const char *text, char **end) {
  /* That of "C" is static: nothing is to be freed. */
  return strtod_l(text, end, newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

static uint64_t unit_of(const char *text, uint64_t preset) {
  while (isspace((unsigned char)*text)) text++;
  for (size_t i = 0; i < WEFT_ARRAY_LEN(units); i++)
    if (toupper((unsigned char)*text) == units[i].letter) return UINT64_C(1) << units[i].shift;
  return preset;
}

int64_t gasnett_parse_int(const char *str, uint64_t mem_size_multiplier) {
  const char *p = str;
  char *end, *point;
  if (!str) return 0;
  while (isspace((unsigned char)*p)) p++;
  const int negative = *p == '-';
  if (*p == '-' || *p == '+') p++;
  while (isspace((unsigned char)*p)) p++;
  if (!*p) return 0;
  const int hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
  uint64_t value = strtoull(p, &end, hex ? 16 : 10);
  const uint64_t multiplier = mem_size_multiplier ? unit_of(end, mem_size_multiplier) : 1;
  if (*end == '.' && hex) gasnett_fatalerror_nopos("not a number: %s", str);
  if (*end == '.') {
    double fraction = weft_tools_strtod(p, &point);
    uint64_t times = mem_size_multiplier ? unit_of(point, mem_size_multiplier) : 1;
    value = (uint64_t)(fraction * (double)times);
  } else {
    value *= multiplier;
  }
  return negative ? -(int64_t)value : (int64_t)value;
}

int weft_tools_parse_double(const char *text, double *value) {
  char *end;
  double number = weft_tools_strtod(text, &end);
  if (end == text) return -EINVAL;
  while (isspace((unsigned char)*end)) end++;
  if (*end == '/') {
    const char *below = end + 1;
    double divisor = weft_tools_strtod(below, &end);
    if (end == below || divisor == 0) return -EINVAL;
    number /= divisor;
    while (isspace((unsigned char)*end)) end++;
  }
  if (*end) return -EINVAL;
  *value = number;
  return 0;
}

int weft_tools_parse_yesno(const char *text) {
  static const char *const yes[] = {"Y", "YES", "1"}, *const no[] = {"N", "NO", "0"};
  for (int i = 0; i < 3; i++) {
    if (!strcasecmp(text, yes[i])) return 1;
    if (!strcasecmp(text, no[i])) return 0;
  }
  return -1;
}
