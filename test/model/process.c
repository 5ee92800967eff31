/*
 * What the layers below the code under test are in a copy of the library: a job of one node whose
 * slots lie one behind the other. model_process gives a copy its place in it.
 */
#include <stdarg.h>
#include <stdio.h>

#include "job/job.h"
#include "model.h"
#include "weft/direct.h"

weft_job_t weft_job;
struct weft_direct weft_direct;
static uintptr_t disp[MODEL_THREADS], owner[MODEL_THREADS]; /* owner: a place is its address */

WEFT_API void model_process(int slot, int slots, void *memory, size_t stride);
void model_process(int slot, int slots, void *memory, size_t stride) {
  weft_job.pe = weft_job.slot = slot;
  weft_job.npes = weft_job.nslots = slots;
  weft_job.nnodes = 1;
  weft_job.window.layout.stride = stride;
  weft_job.window.base = (uintptr_t)memory - stride;
  for (int i = 0; i < slots; i++) disp[i] = (uintptr_t)(i + 1) * stride;
  weft_direct.disp = disp;
  weft_job.owner = owner;
}

int weft_window_commit(weft_window_t *window, uintptr_t off, size_t n) {
  (void)window, (void)off, (void)n;
  return 0;
}

void weft_fatal(const char *format, ...) {
  char text[200];
  va_list ap;
  va_start(ap, format);
  vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  model_failed("weft_fatal", 0, text);
  __builtin_unreachable();
}
