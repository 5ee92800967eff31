/*
 * One translation: preprocessed text in, C text out.
 */
#include <string.h>

#include "upcc.h"

struct options options = {.thread_bits = 10, .phase_bits = 20, .addr_bits = 34};

static void add_prelude(text_t *out) {
  if (options.threads) add(out, "#define WEFT_UPC_STATIC_THREADS %d\n", options.threads);
  add(out,
      "#define WEFT_UPC_THREAD_BITS %d\n#define WEFT_UPC_PHASE_BITS %d\n"
      "#define WEFT_UPC_ADDR_BITS %d\n#include <weft/upc_access.h>\n",
      options.thread_bits, options.phase_bits, options.addr_bits);
  if (t.nfiles) add(out, "# 1 \"%s\"\n", t.files[0].name);
}

/* 0, or 1 if there were errors. `text` has a zero byte behind its end. */
int translate(char *text, size_t size, text_t *out) {
  lex(text, size);
  parse_translation();
  finish_unit();
  if (t.errors) return 1;
  add_prelude(out);
  print_translation(out);
  add(out, "%s", at_end.data);
  return 0;
}
