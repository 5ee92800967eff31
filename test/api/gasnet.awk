# Makes a C program of gasnet.tsv: the address of every function, once by way of the headers and once as the library's
# symbol; every macro and constant must be defined, every type must be one. [M] in a name stands for 0 to 16.
BEGIN {
  FS = "\t"
  print "#define GASNET_PAR 1"
  print "#include <gasnet.h>\n#include <gasnet_coll.h>\n#include <gasnet_mk.h>\n#include <gasnet_ratomic.h>\n#include <gasnet_vis.h>"
  print "#include <dlfcn.h>\n#include \"check.h\""
}
NR == 1 { next }
$3 == "macro" { printf "#ifndef %s\n#error no macro %s\n#endif\n", $4, $4 }
$3 == "constant" { printf "_Static_assert(%s >= 0, \"\");\n", $4 }
$3 == "type" { printf "_Static_assert(sizeof(%s) > 0, \"\");\n", $4 }
$3 == "function" {
  if (match($4, /\[M\]/)) {
    for (i = 0; i <= 16; i++)
      name[++n] = substr($4, 1, RSTART - 1) i substr($4, RSTART + RLENGTH)
  } else {
    name[++n] = $4
  }
}
END {
  print "typedef void (*function_t)(void);"
  print "static const struct { const char *name; function_t here; } table[] = {"
  for (i = 1; i <= n; i++) printf "  {\"%s\", (function_t)%s},\n", name[i], name[i]
  print "};"
  print "int main(void) {"
  print "  const size_t count = sizeof table / sizeof table[0];"
  printf "  CHECK_EQ(count, %d);\n", n
  print "  CHECK(count > 500);"
  print "  for (size_t i = 0; i < count; i++)"
  print "    if (!table[i].here || (function_t)dlsym(RTLD_DEFAULT, table[i].name) != table[i].here)"
  print "      CHECK_STR(table[i].name, \"\");"
  print "  return 0;"
  print "}"
}
