/*
 * Dividing a port's memory: first all that is wanted, and as long as that does not fit, less of it.
 * The spare buffers are few and all clients use them, so the clients' own buffers shrink first,
 * then contexts share channels, and then the spares go.
 */
#include "port/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "fabric/fabric.h"

typedef struct size_pair {
  int count;
  size_t bytes;
} size_pair_t;

#define LOADS(n) ((n) * (WEFT_LOAD + WEFT_LOAD_HEADS))

/* In order of preference. A system call costs as much as copying 16 KB and more, so a packet of 254
 * KB pays for puts of up to 64 KB; 2 x 3 KB is what the ARMCI paper's port had. */
static const size_pair_t base[] = {{4, LOADS(4)}, {4, LOADS(2)}, {4, LOADS(1)}, {4, 32768},
                                   {4, 16384},  {4, 8192},   {4, 4096},  {2, 4096},
                                   {2, 3072},   {2, 2048},   {1, 2048},  {1, WEFT_BUFFER_MIN}};
enum { COMFORTABLE = 9 }; /* of them, with as many channels as are wanted */
enum { PIECE = 32768 };
static const size_pair_t spare[] = {{4, 32768}, {2, 32768}, {2, 16384}, {0, 0}};

enum { RECEIVES = 64, RECEIVES_MIN = 4, RECEIVE_POOL = RECEIVES * 8192 };

/* "4x32K"; false: not that. */
static bool parse(const char *text, size_pair_t *pair) {
  char *end;
  const long count = strtol(text, &end, 10);
  if (end == text || *end != 'x' || count < 0 || count > 1000) return false;
  pair->count = (int)count;
  return weft_parse_size(end + 1, &pair->bytes) == 0;
}

static int read_option(const char *name, const char *text, size_pair_t *pair, int least, int most) {
  if (parse(text, pair) && pair->count >= least && pair->count <= most &&
      (pair->count == 0 || (pair->bytes >= WEFT_BUFFER_MIN && pair->bytes <= WEFT_BUFFER_MAX)) &&
      pair->bytes % 8 == 0)
    return 0;
  weft_warn("%s=%s: a count (%d to %d), an x and a size from 1K to 1M, such as 2x4K", name, text,
            least, most);
  return -EINVAL;
}

static bool chosen(const char *option) {
  return option && *option;
}

/* Make the plan with these numbers; does it fit the limit? */
static bool fits(weft_plan_t *plan, const weft_plan_input_t *in, int channels, size_pair_t buffers,
                 size_pair_t spares) {
  const size_t packets = in->clients * (size_t)(channels + in->lanes) * (size_t)buffers.count;
  const size_t receive = weft_larger(buffers.bytes, spares.bytes);
  const size_t helpers = in->helpers ? (size_t)in->helpers : 1, part = plan->limit / helpers / 4;
  const size_t pool = part < RECEIVE_POOL ? part : RECEIVE_POOL;
  size_t receives = pool / receive, held;
  if (receives > RECEIVES) receives = RECEIVES;
  if (receives < RECEIVES_MIN) receives = RECEIVES_MIN;
  if (__builtin_mul_overflow(packets, buffers.bytes, &held) || held > SIZE_MAX / 2)
    held = SIZE_MAX / 2;
  *plan = (weft_plan_t){
      .limit = plan->limit,
      .total = held + helpers * ((size_t)spares.count * spares.bytes + receives * receive),
      .channels = channels,
      .buffers = buffers.count,
      .buffer_bytes = buffers.bytes,
      .piece_bytes = buffers.bytes > PIECE && !chosen(in->buffers) ? PIECE : buffers.bytes,
      .spares = spares.count,
      .spare_bytes = spares.bytes,
      .receives = (int)receives,
      .receive_bytes = receive};
  return plan->total <= plan->limit;
}

static bool is_worth_it(const weft_plan_input_t *in, size_pair_t buffers) {
  return !in->most || chosen(in->buffers) || buffers.bytes <= in->most;
}

/* All choices of buffers, with these spares. */
static bool fits_any(weft_plan_t *plan, const weft_plan_input_t *in, const size_pair_t *buffers,
                     size_t n, size_pair_t spares) {
  const size_t comfortable = n < COMFORTABLE ? n : COMFORTABLE;
  for (int channels = in->channels; channels > 1; channels = (channels + 1) / 2)
    for (size_t i = 0; i < comfortable; i++)
      if (is_worth_it(in, buffers[i]) && fits(plan, in, channels, buffers[i], spares)) return true;
  for (size_t i = 0; i < n; i++)
    if (is_worth_it(in, buffers[i]) && fits(plan, in, 1, buffers[i], spares)) return true;
  return false;
}

int weft_plan_make(weft_plan_t *out, const weft_plan_input_t *in) {
  const size_pair_t *buffers = base, *spares = spare;
  size_t nbuffers = WEFT_ARRAY_LEN(base), nspares = WEFT_ARRAY_LEN(spare);
  size_pair_t own_buffers, own_spares;
  weft_plan_t plan = {.limit = in->limit ? in->limit : in->memory / 20};
  int rc = 0;
  if (chosen(in->buffers)) {
    rc = read_option("WEFT_DEBUG=port_buffers", in->buffers, &own_buffers, 1, WEFT_BUFFERS_MAX);
    buffers = &own_buffers;
    nbuffers = 1;
  }
  if (rc == 0 && chosen(in->spares)) {
    rc = read_option("WEFT_DEBUG=port_spares", in->spares, &own_spares, 0, WEFT_SPARES_MAX);
    if (own_spares.count == 0) own_spares.bytes = 0;
    spares = &own_spares;
    nspares = 1;
  }
  if (rc < 0) return rc;
  for (size_t i = 0; i < nspares; i++) {
    if (!fits_any(&plan, in, buffers, nbuffers, spares[i])) continue;
    *out = plan;
    return 0;
  }
  weft_warn("%zu PEs of other nodes need %zu KB of buffers at every node, and WEFT_PORT_MEMORY "
            "allows %zu KB: raise it%s",
            in->clients, (plan.total >> 10) + 1, plan.limit >> 10,
            buffers == base ? "" : ", or lower WEFT_DEBUG=port_buffers or WEFT_DEBUG=port_spares");
  return -ENOMEM;
}
