# Makes a C program of openshmem.tsv: every function is declared once more with the specification's prototype, which the
# compiler compares with the header's; its address and its pshmem_ twin's must be there and be the same (nobody interposes
# here); every type-generic macro must exist.
BEGIN {
  FS = "\t"
  print "#include <pshmem.h>"
  print "#include \"check.h\""
}
NR == 1 { next }
$3 ~ /^c11/ {
  printf "#ifndef %s\n#error no macro %s\n#endif\n", $4, $4
  next
}
{
  twin = $5
  name[++n] = $4
  sub($4 "\\(", "(" $4 ")(", $5) # in parentheses, for some are macros too
  sub($4 "\\(", "(p" $4 ")(", twin)
  print $5
  print twin
}
END {
  print "typedef void (*function_t)(void);"
  print "static const struct { const char *name; function_t plain, twin; } table[] = {"
  for (i = 1; i <= n; i++)
    printf "  {\"%s\", (function_t)%s, (function_t)p%s},\n", name[i], name[i], name[i]
  print "};"
  print "int main(void) {"
  print "  const size_t count = sizeof table / sizeof table[0];"
  print "  CHECK_EQ(count, 1685 + 103);"
  print "  for (size_t i = 0; i < count; i++)"
  print "    if (!table[i].plain || table[i].plain != table[i].twin) CHECK_STR(table[i].name, \"\");"
  print "  return 0;"
  print "}"
}
