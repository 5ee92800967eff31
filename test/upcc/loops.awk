# A UPC program of `cases` random loops; seed. Each runs on shared arrays (by one thread, or as upc_forall by all)
# and, with the names of private copies, as plain C by everybody; then both are compared.
function any(n) { return int(rand() * n) }
function pick(list, parts) { return parts[1 + any(split(list, parts, " "))] }
function index_of(deep) {
  if (deep && any(4) == 0) return "places[" index_of(0) "]"
  if (any(3) == 0) return "i + " any(5)
  return any(3) ? "i" : "from + i - " any(3)
}
function operand(written) {
  k = any(8)
  if (k < 5) {
    name = pick("A B C P")
    if (name == written) return name "[" target "]"
    return name "[" index_of(1) "]"
  }
  if (k == 5) return "copy[i]"
  return k == 6 ? "(unsigned)i" : any(100) "u"
}
function expression(written) {
  e = operand(written)
  for (n = any(3); n > 0; n--) e = e " " pick("+ - * ^") " " (any(3) ? operand(written) : "(" operand(written) " + 1)")
  return e
}
function say(s) { print s }
BEGIN {
  srand(seed)
  say("#include <upc.h>\n#include <stdio.h>\n#define K 96\n#define N (104 * THREADS)\n#define mine(A) (upc_threadof(&A[i]) == (size_t)MYTHREAD)")
  split("A B C", arrays, " ")
  for (a = 1; a <= 3; a++) say("shared [" pick("1 7 16 24 104" ) "] unsigned " arrays[a] "[N];")
  say("shared [K] unsigned rows[THREADS][K];\nunsigned a[8 * 104], b[8 * 104], c[8 * 104], p[K], one[8 * 104], two[8 * 104], places[8 * 104];")
  for (x = 1; x <= cases; x++) {
    written = pick("A B C P copy s")
    from = 3 + any(6); to = any(5) ? "hi" : "hi - " any(70)
    kind = any(4)
    if (kind == 0) {
      written = pick("A B C"); target = "i"
      affinity = pick("&" written "[i] i &" written "[i]")
      head = "upc_forall (i = lo; i < " to "; i++; " affinity ")"
      plain = "for (i = lo; i < " to "; i++)"
      body = written "[i] " pick("= += ^=") " "
      e = ""
      do e = expression(written); while (e ~ "places" && e ~ written "\\[places")
      body = body e ";"
    } else {
      head = plain = "for (i = lo; i " pick("< <=") " " to "; " pick("i++ ++i i+=1") ")"
      target = pick("i i i+2")
      body = (written == "s" ? "s" : written "[" target "]") " " pick("= += = -=") " " expression(written) ";"
    }
    text[x] = "static unsigned shared_" x "(int lo, int hi, int from, unsigned *copy) {\n  int i = 0; unsigned s = 5;\n  shared [] unsigned *P = (shared [] unsigned *)&rows[from % THREADS][0];\n  (void)P, (void)copy;\n  " head " " body "\n  return s + (unsigned)i;\n}"
    say(text[x])
    body = " " body
    gsub(/A\[/, "a[", body); gsub(/B\[/, "b[", body); gsub(/C\[/, "c[", body); gsub(/P\[/, "p[", body)
    say("static unsigned plain_" x "(int lo, int hi, int from, unsigned *copy) {\n  int i = 0; unsigned s = 5;\n  (void)from, (void)copy;\n  " plain body "\n  return s + (unsigned)i;\n}")
    all[x] = kind == 0
    high[x] = 20 + any(60); low[x] = 2 + any(10); start[x] = from
  }
  say("static void fill(void) {\n  for (int i = 0; i < N; i++) {\n    a[i] = (unsigned)i, b[i] = 3u * i, c[i] = 7u + i, one[i] = two[i] = 11u * i, places[i] = (unsigned)(i * 5 % K);\n    if (MYTHREAD == 0) A[i] = a[i], B[i] = b[i], C[i] = c[i];\n  }\n  for (int i = 0; i < K; i++) {\n    p[i] = 2u * i;\n    if (MYTHREAD == 0) for (int t = 0; t < THREADS; t++) rows[t][i] = p[i];\n  }\n  upc_barrier;\n}")
  say("static void same(int x, unsigned r, unsigned q, int thread, int all) {\n  int bad = 0;\n  upc_barrier;\n  for (int i = 0; i < N; i++) bad |= (mine(A) && A[i] != a[i]) || (mine(B) && B[i] != b[i]) || (mine(C) && C[i] != c[i]) || (MYTHREAD == thread && one[i] != two[i]);\n  for (int i = 0; i < K && thread == MYTHREAD; i++) bad |= rows[thread][i] != p[i];\n  if (bad || (MYTHREAD == thread && r != q && !all)) printf(\"thread %d: loop %d differs\\n\", MYTHREAD, x), upc_global_exit(1);\n  upc_barrier;\n  for (int i = 0; i < N; i++) one[i] = two[i] = 11u * i;\n  for (int i = 0; i < K; i++) rows[MYTHREAD][i] = p[i];\n  upc_barrier;\n}")
  say("int main(void) {\n  unsigned r = 0, q;\n  fill();")
  for (x = 1; x <= cases; x++) {
    args = "(" low[x] ", " high[x] ", " start[x] ", "
    mine = all[x] ? "" : "if (MYTHREAD == " start[x] " % THREADS) "
    say("  " mine "r = shared_" x args "one); q = plain_" x args "two); same(" x ", r, q, " start[x] " % THREADS, " all[x] ");")
  }
  say("  return 0;\n}")
}
