/*
 * atomic.c: UPC 1.3, upc_atomic.h. An atomicity domain is its own pointer: type, operations and a
 * number are packed into it, and no memory is behind it. On a node an operation is the processor's,
 * to another node a message of the floor's; both agree.
 */
#include "upc/internal.h"

enum { GET = 1 << 9, SET = 1 << 10, CSWAP = 1 << 11, SUB = 1 << 12, INC = 1 << 13, DEC = 1 << 14 };
enum {
  OPS_BITS = 15, /* the operations of a domain, then its type, then its number */
  TYPE_BITS = 5,
  ACCESSORS = GET | SET | CSWAP,
  BITWISE = UPC_AND | UPC_OR | UPC_XOR,
  NUMERIC = UPC_ADD | SUB | UPC_MULT | INC | DEC | UPC_MAX | UPC_MIN
};

/* Bytes of a type that has atomics, and what may be done with it; width 0: none. */
typedef struct kind {
  size_t width;
  bool is_signed, is_real;
  int ops;
} kind_t;

static kind_t kind_of(upc_type_t type) {
  const int whole = ACCESSORS | BITWISE | NUMERIC;
  switch (type) {
  case UPC_INT:
  case UPC_INT32: return (kind_t){4, true, false, whole};
  case UPC_UINT:
  case UPC_UINT32: return (kind_t){4, false, false, whole};
  case UPC_LONG:
  case UPC_LLONG:
  case UPC_INT64: return (kind_t){8, true, false, whole};
  case UPC_ULONG:
  case UPC_ULLONG:
  case UPC_UINT64: return (kind_t){8, false, false, whole};
  case UPC_FLOAT: return (kind_t){4, false, true, ACCESSORS | NUMERIC};
  case UPC_DOUBLE: return (kind_t){8, false, true, ACCESSORS | NUMERIC};
  case UPC_PTS: return (kind_t){8, false, false, ACCESSORS};
  default: return (kind_t){0, false, false, 0};
  }
}

/* ---- domains ---- */

/* Number 0 is for calls without a domain (bupc.c). */
weft_upc_ptr_t weft_upc_atomic_domain(upc_type_t type, upc_op_t ops) {
  return ((uint64_t)type << OPS_BITS | (uint64_t)ops) & weft_upc_widths.offset_mask;
}

WEFT_API weft_upc_ptr_t upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops, int hints) {
  static const char who[] = "upc_all_atomicdomain_alloc";
  static uint64_t number;
  (void)hints;
  weft_upc_enter((uint64_t)type << 32 | (uint32_t)ops, who);
  const kind_t kind = kind_of(type);
  if (kind.width == 0) weft_fatal("%s: type %d has no atomic operations", who, type);
  if (ops & ~kind.ops)
    weft_fatal("%s: operations %#x are not possible on type %d", who, (unsigned)(ops & ~kind.ops),
               type);
  const uint64_t mark = ++number << (OPS_BITS + TYPE_BITS) & weft_upc_widths.offset_mask;
  return weft_upc_atomic_domain(type, ops) | mark;
}

/* Nobody uses it until all have entered: there is nothing that could go away. */
WEFT_API void upc_all_atomicdomain_free(weft_upc_ptr_t domain) {
  static const char who[] = "upc_all_atomicdomain_free";
  weft_upc_enter(domain, who);
}

WEFT_API int upc_atomic_isfast(upc_type_t type, upc_op_t ops, weft_upc_ptr_t addr) {
  const kind_t kind = kind_of(type);
  return kind.width && !(ops & ~kind.ops) && weft_upc_address(weft_upc_place(addr));
}

/* ---- operations ---- */

typedef struct amo {
  enum weft_amo op;
  uint64_t operand, cond;
} amo_t;

static uint64_t read_word(const void *p, size_t width) {
  uint32_t half;
  uint64_t word;
  if (width == 8) return memcpy(&word, p, 8), word;
  return memcpy(&half, p, 4), half;
}

static void write_word(void *p, uint64_t word, size_t width) {
  const uint32_t half = (uint32_t)word;
  memcpy(p, width == 8 ? (const void *)&word : (const void *)&half, width);
}

/* A real number's bits, for what the language writes as 1 and as -x. */
static uint64_t negative(uint64_t word, kind_t kind) {
  if (!kind.is_real) return 0 - word;
  return word ^ (kind.width == 8 ? UINT64_C(1) << 63 : UINT64_C(1) << 31);
}

static uint64_t one(kind_t kind) {
  const float f = 1;
  const double d = 1;
  if (!kind.is_real) return 1;
  return kind.width == 8 ? read_word(&d, 8) : read_word(&f, 4);
}

static enum weft_amo pick(kind_t kind, enum weft_amo whole, enum weft_amo with_sign,
                          enum weft_amo real) {
  return kind.is_real ? real : kind.is_signed ? with_sign : whole;
}

static amo_t translate(upc_op_t op, kind_t kind, uint64_t operand, bool fetch) {
  const enum weft_amo add = pick(kind, WEFT_AMO_ADD, WEFT_AMO_ADD, WEFT_AMO_ADD_R);
  switch (op) {
  case GET: return (amo_t){WEFT_AMO_FETCH, 0, 0};
  case SET: return (amo_t){fetch ? WEFT_AMO_SWAP : WEFT_AMO_SET, operand, 0};
  case UPC_AND: return (amo_t){WEFT_AMO_AND, operand, 0};
  case UPC_OR: return (amo_t){WEFT_AMO_OR, operand, 0};
  case UPC_XOR: return (amo_t){WEFT_AMO_XOR, operand, 0};
  case UPC_ADD: return (amo_t){add, operand, 0};
  case SUB: return (amo_t){add, negative(operand, kind), 0};
  case INC: return (amo_t){add, one(kind), 0};
  case DEC: return (amo_t){add, negative(one(kind), kind), 0};
  case UPC_MULT:
    return (amo_t){pick(kind, WEFT_AMO_MULT, WEFT_AMO_MULT, WEFT_AMO_MULT_R), operand, 0};
  case UPC_MIN:
    return (amo_t){pick(kind, WEFT_AMO_MIN, WEFT_AMO_MIN_S, WEFT_AMO_MIN_R), operand, 0};
  default: return (amo_t){pick(kind, WEFT_AMO_MAX, WEFT_AMO_MAX_S, WEFT_AMO_MAX_R), operand, 0};
  }
}

static uint64_t fetch_at(weft_upc_place_t at, amo_t a, size_t width) {
  weft_rma_order_next(at.thread, WEFT_NEXT_ATOMIC, width);
  return weft_rma_amo(at.thread, at.off, a.op, width, a.operand, a.cond);
}

static void post_at(weft_upc_place_t at, amo_t a, size_t width) {
  weft_rma_order_next(at.thread, WEFT_NEXT_ATOMIC, width);
  weft_rma_amo_begin(at.thread, at.off, a.op, width, a.operand, a.cond, NULL, NULL, false);
}

/* What the language's == says: reals by value (-0.0 equals 0.0), pointers without their phase. */
static bool equal(uint64_t a, uint64_t b, kind_t kind, bool is_pts) {
  if (kind.is_real && kind.width == 8) {
    double x, y;
    return memcpy(&x, &a, 8), memcpy(&y, &b, 8), x == y;
  }
  if (kind.is_real) {
    float x, y;
    return write_word(&x, a, 4), write_word(&y, b, 4), x == y;
  }
  const weft_upc_place_t x = weft_upc_place(a), y = weft_upc_place(b);
  return is_pts ? x.thread == y.thread && x.off == y.off : a == b;
}

/* Compare bits first; where other bits are equal too, once more with those that were there. */
static uint64_t compare_swap(weft_upc_place_t at, uint64_t cond, uint64_t value, kind_t kind,
                             bool is_pts) {
  for (;;) {
    const uint64_t was = fetch_at(at, (amo_t){WEFT_AMO_CSWAP, value, cond}, kind.width);
    if (was == cond || !equal(was, cond, kind, is_pts)) return was;
    cond = was;
  }
}

/* ---- public ---- */

static void check_call(upc_op_t op, int ops, upc_type_t type, const void *fetch,
                       const void *operand1, const void *operand2, const char *who) {
  const bool none = op == GET || op == INC || op == DEC;
  if (kind_of(type).width == 0) weft_fatal("%s: the domain is none", who);
  if ((op & (op - 1)) || !(op & ops))
    weft_fatal("%s: operation %#x is not one of the domain's (%#x)", who, (unsigned)op,
               (unsigned)ops);
  if (none ? operand1 || operand2 : !operand1 || !operand2 != (op != CSWAP))
    weft_fatal("%s: operands that an operation does not take must be null, and those that it takes "
               "must not",
               who);
  if (op == GET && !fetch) weft_fatal("%s: UPC_GET without a place for the value", who);
}

static void operate(weft_upc_ptr_t domain, void *fetch, upc_op_t op, weft_upc_ptr_t target,
                    const void *operand1, const void *operand2, const char *who) {
  const int ops = (int)(domain & ((1 << OPS_BITS) - 1));
  const upc_type_t type = (upc_type_t)(domain >> OPS_BITS & ((1 << TYPE_BITS) - 1));
  check_call(op, ops, type, fetch, operand1, operand2, who);
  const kind_t kind = kind_of(type);
  const weft_upc_place_t at = weft_upc_checked(target, kind.width, who);
  WEFT_SPAN_TO(WEFT_TRACE_ATOMIC, who, kind.width, at.thread, 0);
  const uint64_t operand = operand1 ? read_word(operand1, kind.width) : 0;
  uint64_t was;
  if (op == CSWAP) {
    was = compare_swap(at, operand, read_word(operand2, kind.width), kind, type == UPC_PTS);
  } else {
    const amo_t a = translate(op, kind, operand, fetch);
    if (!fetch) {
      post_at(at, a, kind.width);
      return;
    }
    was = fetch_at(at, a, kind.width);
  }
  if (fetch) write_word(fetch, was, kind.width);
}

WEFT_API void upc_atomic_relaxed(weft_upc_ptr_t domain, void *fetch_ptr, upc_op_t op,
                                 weft_upc_ptr_t target, const void *operand1,
                                 const void *operand2) {
  operate(domain, fetch_ptr, op, target, operand1, operand2, "upc_atomic_relaxed");
}

WEFT_API void upc_atomic_strict(weft_upc_ptr_t domain, void *fetch_ptr, upc_op_t op,
                                weft_upc_ptr_t target, const void *operand1, const void *operand2) {
  weft_upc_null_strict();
  operate(domain, fetch_ptr, op, target, operand1, operand2, "upc_atomic_strict");
  weft_upc_null_strict();
}
