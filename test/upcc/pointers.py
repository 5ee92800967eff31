#!/usr/bin/env python3
"""A UPC program about pointers-to-shared, made at random, that knows its own results.

usage: pointers.py SEED THREADS static|dynamic >program.upc

Arrays of all block sizes, pointers to them that step, are cast and subtracted, members, transfers, loops, upc_forall
and locks. Each thread's part of an array is kept here as bytes, a pointer as its thread, phase and offset (6.4.2);
the program compares. Structures have no padding.
"""
import math
import random
import struct
import sys

SEED, T, STATIC = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "static"
R = random.Random(SEED)
BASES = {"unsigned char": 1, "unsigned short": 2, "unsigned": 4, "unsigned long": 8, "unsigned __int128": 16,
         "double": 8}
RECORDS = {"struct five": ("unsigned char t[5];", 5, 1, [(f".t[{i}]", "unsigned char", i) for i in range(5)]),
           "struct pair": ("unsigned short h[3]; unsigned short c;", 8, 2,
                           [(f".h[{i}]", "unsigned short", 2 * i) for i in range(3)] + [(".c", "unsigned short", 6)]),
           "struct wide": ("double d[2]; unsigned a, b;", 24, 8,
                           [(".d[0]", "double", 0), (".d[1]", "double", 8), (".a", "unsigned", 16),
                            (".b", "unsigned", 20)]),
           "struct deep": ("struct pair in[2]; unsigned x;", 20, 4,
                           [(f".in[{i}].h[{j}]", "unsigned short", 8 * i + 2 * j) for i in range(2) for j in range(3)]
                           + [(".x", "unsigned", 16)])}
SIZE = {**BASES, **{name: r[1] for name, r in RECORDS.items()}}
ALIGN = {**BASES, **{name: r[2] for name, r in RECORDS.items()}}
LEAVES = {**{name: [("", name, 0)] for name in BASES}, **{name: r[3] for name, r in RECORDS.items()}}
HEAD = r"""#include <upc.h>
#include <stdio.h>
#include <string.h>
#define CHECK(e) \
  do { \
    if (!(e)) { \
      printf("[%d/%d] line %d: %s\n", MYTHREAD, THREADS, __LINE__, #e); \
      upc_global_exit(1); \
    } \
  } while (0)"""
MAIN = """shared long counter;
static unsigned char buffer[100000];
static unsigned long numbers[4000];
static int list[4000];
volatile int zero;
static unsigned weighed(const unsigned char *b, int n) {
  unsigned s = 0;
  for (int k = 0; k < n; k++) s += k * b[k];
  return s;
}
int main(void) {
  int n = 5 + zero;
  upc_lock_t *lock = upc_all_lock_alloc();
  (void)numbers, (void)n;"""
out = []


def say(text):
    out.append("  " + text)


def num(k):
    """The number as some expression."""
    a = R.randint(-9, 9)
    sum_ = f"({k + a} - {a})" if a >= 0 else f"({k + a} + {-a})"
    return R.choice([f"{k}", f"(zero + {k})", sum_, f"(long)({k} + zero)", f"(n + {k} - 5)"])


def block_text(b):
    return {0: "[] ", 1: R.choice(["", "[1] "])}.get(b, f"[{b}] ")


def threads_times(k):
    return R.choice([f"{k} * THREADS", f"THREADS * {k}"])


class Array:
    def __init__(self, number):
        self.name, self.type = f"a{number}", R.choice(list(SIZE))
        self.size = SIZE[self.type]
        layout = R.choice(["[]", "cyclic", "block", "block", "block", "*"])
        count = R.randint(2, 40) if layout != "block" else R.choice([R.randint(2, 40), R.randint(20, 90)])
        self.allocated = R.randrange(4) == 0
        self.inner = [] if self.allocated else R.choice([[], [], [1], [2], [3], [5], [2, 3], [3, 1], [1, 2]])
        scaled = layout != "[]" and not STATIC # one dimension is a multiple of THREADS
        which = R.randint(-1, len(self.inner) - 1) if scaled else -1
        dimensions = [(d * T if scaled and k == which else d, f"{d}") for k, d in enumerate(self.inner)]
        if which >= 0:
            dimensions[which] = dimensions[which][0], threads_times(self.inner[which])
            count = R.randint(1, 9)
        self.inner, self.row = [d[0] for d in dimensions], math.prod(d[0] for d in dimensions) if dimensions else 0
        rows = count * T if scaled and which < 0 else count
        self.n = rows * (self.row or 1)
        block = R.choice([2, 3, 4, 5, 7, 16, 20, 33])
        self.block = {"[]": 0, "cyclic": 1, "block": block, "*": -(-self.n // T)}[layout]
        qualifier = R.choice(["", "", "relaxed ", "strict "])
        size = threads_times(count) if scaled and which < 0 else f"{rows}"
        text = {"*": "[*] "}.get(layout) or block_text(self.block)
        self.row_text = "".join(f"[{d[1]}]" for d in dimensions)
        self.flat = f"(&{self.name}{'[0]' * (1 + len(self.inner))})" if self.row else self.name
        self.declaration = f"{qualifier}shared {text}{self.type} {self.name}[{size}]{self.row_text};"
        pointer = f"shared {block_text(self.block)}{self.type} *"
        if self.allocated:
            self.declaration = f"{pointer}{self.name};"
            block = self.block or self.n
            say(f"{self.name} = ({pointer})upc_all_alloc({-(-self.n // block)}, {block * self.size});")
        self.slots = f"{pointer}shared slot_{self.name}[THREADS];"
        self.node_block = R.choice([0, 1, 2, 3, 5])
        self.node = (f"struct node_{self.name} {{ unsigned tag : 7; {pointer}at[2]; "
                     f"struct {{ unsigned short low : 3, high : 13; {pointer}more[2], *at; }} in[2]; }};\n"
                     f"shared [{self.node_block}] struct node_{self.name} nodes_{self.name}["
                     f"{'2 * THREADS' if self.node_block or STATIC else 2 * T}];")
        owned = [0] * T
        for i in range(self.n):
            owned[self.place(i)[0]] += 1
        self.bytes = [bytearray(k * self.size) for k in owned]
        for i in {self.place(i)[0]: i for i in reversed(range(self.n))}.values() if self.allocated else []:
            k = self.place(i)[0]
            say(f"if (MYTHREAD == {k}) upc_memset(&{self.name}[{i}], 0, {len(self.bytes[k])});")

    def place(self, i):
        """Thread, phase and offset of element i."""
        if not self.block:
            return 0, 0, i * self.size
        b, phase = divmod(i, self.block)
        return b % T, phase, (b // T * self.block + phase) * self.size

    def kind(self):
        return f"shared {block_text(self.block)}{self.type} "

    def subscripts(self, i):
        """Of the element i of a row."""
        out_, size = "", self.row
        for d in self.inner:
            size //= d
            out_ += f"[{num(i // size)}]"
            i %= size
        return out_

    def element(self, i):
        first = num(i // (self.row or 1))
        return f"{self.name}[{first}]{self.subscripts(i % self.row) if self.row else ''}"


def step(p, e, block, size):
    """6.4.2: p + e."""
    thread, phase, offset = p
    if not block:
        return thread, phase, offset + e * size
    blocks, to = divmod(phase + e, block)
    rows, thread = divmod(thread + blocks, T)
    return thread, to, offset + (rows * block + to - phase) * size


def pick(kind):
    """A value of the type: its text, and its bytes."""
    if kind == "double":
        v = R.randint(-1000, 1000)
        return f"{v}", struct.pack("<d", v)
    v = R.getrandbits(8 * BASES[kind])
    low, high = v & (1 << 64) - 1, v >> 64
    return f"((unsigned __int128){high}u << 64 | {low}u)" if high else f"{low}u", v.to_bytes(BASES[kind], "little")


def value(kind, data):
    if kind == "double":
        return repr(struct.unpack("<d", data)[0])
    v = int.from_bytes(data, "little")
    low, high = v & (1 << 64) - 1, v >> 64
    return f"((unsigned __int128){high}u << 64 | {low}u)" if high else f"{low}u"


def get(a, where, kind):
    return bytes(a.bytes[where[0]][where[2]:where[2] + SIZE[kind]])


def put(a, where, data):
    a.bytes[where[0]][where[2]:where[2] + len(data)] = data


def inside(a, where, size):
    return 0 <= where[2] and where[2] + size <= len(a.bytes[where[0]])


def access(a, lvalue, where, kind):
    """Write or read a leaf of the element of that kind that the lvalue names."""
    path, base, at = R.choice(LEAVES[kind])
    where = where[0], 0, where[2] + at
    if lvalue.startswith("*"):
        lvalue = f"({lvalue})" if not path or R.randrange(2) else f"({lvalue[1:]})->"
        path = path[1:] if lvalue.endswith(">") else path
    old = get(a, where, base)
    what = R.randrange(5)
    text, data = pick(base)
    if what == 0:
        say(f"{lvalue}{path} = {text};")
    elif what == 1 and base != "double":
        op = R.choice("+-*^|&")
        x, y = int.from_bytes(old, "little"), int.from_bytes(data, "little")
        r = {"+": x + y, "-": x - y, "*": x * y, "^": x ^ y, "|": x | y, "&": x & y}[op]
        data = (r % (1 << 8 * BASES[base])).to_bytes(BASES[base], "little")
        say(f"{lvalue}{path} {op}= {text};")
    elif what == 2 and base != "double":
        data = ((int.from_bytes(old, "little") + 1) % (1 << 8 * BASES[base])).to_bytes(BASES[base], "little")
        say(R.choice([f"{lvalue}{path}++;", f"++{lvalue}{path};", f"CHECK({lvalue}{path}++ == {value(base, old)});",
                      f"CHECK(++{lvalue}{path} == {value(base, data)});"]))
    else:
        say(f"CHECK({lvalue}{path} == {value(base, old)});")
        return
    put(a, where, data)


def fields(name, p, a):
    """What the pointer says of itself; the offset from where the array begins."""
    base = f"(size_t)upc_addrfield((shared void *)&{a.name}[0])"
    say(f"CHECK(upc_threadof({name}) == {p[0]} && upc_phaseof({name}) == {p[1]} && "
        f"upc_addrfield({name}) == {base} + {p[2]});")


def any_index(a):
    return R.randrange(a.n)


def walk(a):
    """A pointer of the array's own type."""
    i = any_index(a)
    name = f"p{len(out)}"
    kind = f"shared {block_text(a.block)}{a.type} *{name}"
    say(f"{kind} = {R.choice(['&', '&', '&*&'])}{a.element(i)};")
    for _ in range(R.randint(1, 5)):
        e = any_index(a) - i
        form = R.randrange(7)
        if form == 6:
            e = R.choice([-1, 1]) if 0 < i < a.n - 1 else 0
            say({1: f"CHECK({name}++ != 0);", -1: f"--{name};", 0: ";"}[e])
        elif form == 5:
            j = any_index(a)
            say(f"CHECK({name} - &{a.element(j)} == {i - j} && ({name} < &{a.element(j)}) == {int(i < j)} && "
                f"({name} == &{a.element(j)}) == {int(i == j)} && ({name} >= &{a.element(j)}) == {int(i >= j)});")
            continue
        elif form == 4:
            access(a, f"{name}[{num(e)}]", a.place(i + e), a.type)
            continue
        elif form == 3:
            access(a, f"*({name} + {num(e)})", a.place(i + e), a.type)
            continue
        else:
            say([f"{name} += {num(e)};", f"{name} -= {num(-e)};", f"{name} = {name} + {num(e)};"][form])
        i += e
        fields(name, a.place(i), a)
        access(a, f"*{name}", a.place(i), a.type)


def steps(a, e, place):
    """Moves the pointer by e elements."""
    back = R.choice([f"{-e}u", f"(unsigned char){-e % 256}", f"{-e}ul"]) if -256 < e <= 0 else num(-e)
    on = R.choice([f"{e}u", f"(unsigned short){e}", f"{e}ull"]) if e >= 0 else num(e)
    say(R.choice([f"{place} += {R.choice([on, num(e)])};", f"{place} -= {R.choice([back, num(-e)])};",
                  f"{place} = {place} + {on};", f"{place} = {place} - {back};", f"{place} = {on} + {place};",
                  f"{place} = &{place}[{num(e)}];", f"{place} = &*({place} - {back});",
                  f"{place} = zero ? &{a.element(0)} : {place} + {on};", f"{place} = (zero, {place} - {back});"]))


def compared(a, p, i):
    """All comparisons with another pointer of the array, by its own type and without one."""
    j, e = any_index(a), R.randint(-3, 3)
    q, j = R.choice([(f"&{a.element(j)}", j), (f"({p} + {num(j - i)})", j), (f"(&{a.element(j)} - {num(e)})", j - e)])
    order = {"==": i == j, "!=": i != j, "<": i < j, "<=": i <= j, ">": i > j, ">=": i >= j}
    tests = [f"({p} {op} {q}) == {int(r)}" for op, r in order.items()]
    order = {"==": i == j, "!=": i != j, "<": j < i, "<=": j <= i, ">": j > i, ">=": j >= i}
    tests += [f"({q} {op} {p}) == {int(r)}" for op, r in order.items()]
    tests += [f"{p} - {q} == {i - j}", f"{q} - {p} == {j - i}", f"((shared void *){p} == {q}) == {int(i == j)}",
              f"({p} != (shared void *){q}) == {int(i != j)}", f"{p} != NULL && 0 != {p} && {p} && !!{p}",
              f"(({p} == {q}) ? {i - j} : 0) == 0"]
    say(f"CHECK({' && '.join(R.sample(tests, 4))});")


def stroll(a, places, first=None):
    """A pointer of the array's own type that has several names: it may lie anywhere."""
    i = any_index(a) if first is None else first
    if first is None:
        say(f"{R.choice(places)} = &{a.element(i)};")
    for _ in range(R.randint(2, 6)):
        e, place = any_index(a) - i, R.choice(places)
        form = R.randrange(6)
        if form == 0:
            compared(a, place, i)
        elif form == 1:
            access(a, R.choice([f"{place}[{num(e)}]", f"({num(e)})[{place}]"]), a.place(i + e), a.type)
        elif form == 2:
            access(a, R.choice([f"*({place} + {num(e)})", f"*({num(e)} + {place})", f"*({place} - {num(-e)})"]),
                   a.place(i + e), a.type)
        elif form == 3 and 0 < i < a.n - 1:
            i += 1 if (up := R.randrange(2)) else -1
            old = f"&{a.element(i - 1 if up else i + 1)}"
            sign = "++" if up else "--"
            say(R.choice([f"{place}{sign};", f"{sign}{place};", f"CHECK({place}{sign} == {old});",
                          f"CHECK({sign}{place} == &{a.element(i)});"]))
        elif form == 4: # by way of another type, and back: the phase is there if that is generic
            say(R.choice([f"{place} = (void_type)({place});", f"{{ void_type v = {place}; {place} = v; }}",
                          f"{{ {a.kind()}*v = {place}, *const *at = &v; {place} = **&at; }}"]))
        else:
            steps(a, e, place)
            i += e
        fields(R.choice(places), a.place(i), a)
    access(a, f"*{R.choice(places)}", a.place(i), a.type)


def held(a):
    """Pointers in structures and arrays, private and shared."""
    if R.randrange(4) == 0:
        name = f"h{len(out)}"
        say(f"{a.kind()}*{name}[3] = {{[1] = &{a.element(0)}}}, **at_{name} = {name};")
        stroll(a, [f"{name}[{num(1)}]", f"at_{name}[1]", f"(*(at_{name} + 1))", f"(*(&{name} + zero))[1]"])
        say(f"CHECK(!{name}[0] && {name}[2] == NULL);")
        return
    k, j, m = R.randrange(2 * T), R.randrange(2), R.randrange(2)
    node, name = f"nodes_{a.name}[{num(k)}]", f"o{len(out)}"
    say(f"shared [{a.node_block}] struct node_{a.name} *{name} = &nodes_{a.name}[{num(0)}] + {num(k)};")
    whole = [node, f"(*{name})", f"{name}[{num(0)}]", f"(*&{node})", f"nodes_{a.name}[0 + {k}]"]
    member = R.choice([f".at[{num(j)}]", f".in[{num(m)}].at", f".in[{m}].more[{num(j)}]"])
    places = [w + member for w in whole] + [f"{name}->{member[1:]}"]
    i = any_index(a)
    stroll(a, places)
    tag, width = R.choice([(".tag", 7), (f".in[{m}].low", 3), (f".in[{num(m)}].high", 13)])
    v, w = R.randrange(1 << width), R.randrange(1 << width)
    say(f"{R.choice(whole)}{tag} = {v}; {R.choice(whole)}{tag} {R.choice(['^=', '|=', '+='])} {0};")
    x, y, z = (R.choice(whole) + tag for _ in range(3))
    low, high = (R.choice(whole) + f".in[{num(1 - m)}].{f}" for f in ("low", "high")) # of the same bytes
    say(f"{low} = {high} = {v & 7}; CHECK({low} == {v & 7} && {high} == {v & 7});")
    say(f"{high} += {low} ^= {w & 7}; CHECK({low} == {v & 7 ^ w & 7} && {high} == {(v & 7) + (v & 7 ^ w & 7)});")
    say(f"CHECK({x} == {v} && ({y} = {w}) == {w} && {z}-- == {w});")
    say(f"{{ struct node_{a.name} c = {R.choice(whole)}; c{member} = &{a.element(i)}; "
        f"{R.choice(whole)} = c; CHECK(c{member} == {R.choice(places)}); }}")
    stroll(a, places, i)


def slot(a):
    """A pointer that lies in shared memory."""
    i = any_index(a)
    name = f"slot_{a.name}[{num(R.randrange(T))}]"
    say(f"{name} = &{a.element(i)};")
    for _ in range(3):
        e = any_index(a) - i
        form = R.randrange(4)
        if form == 3:
            e = 1 if i < a.n - 1 else 0
            say(f"CHECK({name}++ == &{a.element(i)});" if e else ";")
        else:
            say([f"{name} += {num(e)};", f"{name} -= {num(-e)};", f"{name} = {num(e)} + {name};"][form])
        i += e
        fields(name, a.place(i), a)
        access(a, R.choice([f"*{name}", f"{name}[{num(0)}]"]), a.place(i), a.type)


def copy(a, b):
    """A whole element by an assignment."""
    b = b if a.type == b.type else a
    i, j = any_index(a), any_index(b)
    put(a, a.place(i), get(b, b.place(j), b.type))
    say(R.choice([f"{a.element(i)} = {b.element(j)};",
                  f"{{ {a.type} one = {b.element(j)}; *&{a.element(i)} = one; }}",
                  f"{{ shared [] {b.type} *from = (shared [] {b.type} *)&{b.element(j)}; {a.element(i)} = *from; }}"]))


def read(a):
    """An integer of it, as text and number."""
    i = any_index(a)
    path, base, at = R.choice([leaf for leaf in LEAVES[a.type] if leaf[1] != "double"] or [(None, None, None)])
    if path is None:
        return "3ul", 3
    thread, _, offset = a.place(i)
    return f"(unsigned long){a.element(i)}{path}", int.from_bytes(get(a, (thread, 0, offset + at), base)[:8], "little")


def several(arrays):
    """Reads of one expression, also in indices."""
    (x, p), (y, q), (z, r) = (read(R.choice(arrays)) for _ in range(3))
    say(f"CHECK((unsigned long)({x} + {y} * 3 - ({z} ^ 5)) == {(p + q * 3 - (r ^ 5)) % (1 << 64)}u);")
    a = R.choice(arrays)
    if not a.row and a.type in BASES and a.type != "double":
        i = p % a.n
        v = int.from_bytes(get(a, a.place(i), a.type), "little") % (1 << 64)
        say(f"CHECK((unsigned long){a.name}[{x} % {a.n}] + {y} == {(v + q) % (1 << 64)}u);")


def gather(a):
    """Elements at indices from a list."""
    if a.row or a.type not in BASES or a.type == "double":
        return
    n, step_ = R.randint(1, a.n), R.randrange(1, 50)
    say(f"for (int k = 0; k < {n}; k++) list[k] = (k * {step_} + 1) % {a.n};")
    say(f"for (int k = 0; k < {n}; k++) numbers[k] = {a.name}[list[k]];")
    elements = [get(a, a.place((k * step_ + 1) % a.n), a.type)[:8] for k in range(n)]
    total = sum(int.from_bytes(e, "little") * (k + 1) for k, e in enumerate(elements)) % (1 << 64)
    say("{ unsigned long total = 0;")
    say(f"for (int k = 0; k < {n}; k++) total += numbers[k] * (k + 1);")
    say(f"CHECK(total == {total}u); }}")


def rows(a):
    """A pointer to rows of an array of two dimensions (trap 3)."""
    if not a.row:
        return
    i = any_index(a) // a.row
    name = f"r{len(out)}"
    first = R.choice([f"{a.name} + {num(i)}", f"&{a.name}[{num(i)}]"])
    say(f"shared {block_text(a.block)}{a.type} (*{name}){a.row_text} = {first};")
    for _ in range(3):
        k, j = any_index(a) // a.row, R.randrange(a.row)
        element = R.choice([f"{name}[{num(k - i)}]{a.subscripts(j)}", f"(*({name} + {num(k - i)})){a.subscripts(j)}"])
        access(a, element, a.place(k * a.row + j), a.type)
        say(f"CHECK(({name} + {num(k - i)}) - {name} == {k - i});")
        say(f"{name} += {num(k - i)};")
        i = k
        fields(name, a.place(i * a.row), a)


def cast(a):
    """A pointer of another block size or type: the phase is 0 unless both are the same."""
    p = a.place(any_index(a))
    i = [k for k in range(a.n) if a.place(k) == p][0]
    kind = R.choice([a.type, a.type, R.choice(list(SIZE))])
    block = R.choice([0, 1, a.block, R.randint(2, 9)])
    name = f"q{len(out)}"
    say(f"shared {block_text(block)}{kind} *{name} = (shared {block_text(block)}{kind} *)&{a.element(i)};")
    if not (block == a.block and SIZE[kind] == a.size):
        p = p[0], 0, p[2]
    for _ in range(R.randint(1, 4)):
        fields(name, p, a)
        if p[2] % ALIGN[kind] == 0 and inside(a, p, SIZE[kind]):
            path, base, at = R.choice(LEAVES[kind])
            say(f"CHECK(!memcmp(&(__typeof__({base})[1]){{(*{name}){path}}}, (unsigned char[]){{"
                f"{', '.join(map(str, get(a, (p[0], 0, p[2] + at), base)))}}}, {SIZE[base]}));")
        e = R.randint(-20, 20)
        to = step(p, e, block, SIZE[kind])
        if to[2] < 0 or to[2] > len(a.bytes[to[0]]) + 4096:
            continue
        say(f"{name} = {name} + {num(e)};")
        say(f"CHECK({name} - ({name} + {num(-e)}) == {e});")
        p = to
    say(f"CHECK((shared void *){name} == (shared void *)({name} + {num(0)}));")


def member(a):
    """The address of a leaf walks on in its thread (trap 9)."""
    i = any_index(a)
    path, base, at = R.choice(LEAVES[a.type])
    if not path:
        access(a, a.element(i), a.place(i), a.type)
        return
    thread, _, offset = a.place(i)
    name, p = f"m{len(out)}", (thread, 0, offset + at)
    say(f"shared [] {base} *{name} = &{a.element(i)}{path};")
    fields(name, p, a)
    e = R.randint(-3, 3)
    to = step(p, e, 0, BASES[base])
    if inside(a, to, BASES[base]) and base != "double":
        access(a, f"{name}[{num(e)}]", to, base)


def transfer(a, b):
    """Bytes of one thread's part: put, get, set, and copies between two parts."""
    i, j = any_index(a), any_index(b)
    x, y = a.place(i), b.place(j)
    room = min(len(a.bytes[x[0]]) - x[2], len(b.bytes[y[0]]) - y[2])
    n = R.choice([0, R.randint(1, room), room])
    if a is b and x[0] == y[0] and abs(x[2] - y[2]) < n:
        return
    what, c = R.randrange(4), R.randrange(256)
    if "double" in a.type + b.type or "wide" in a.type + b.type:
        what = 1 # no bytes that are no numbers
    if what == 0:
        say(f"upc_memset(&{a.element(i)}, {c}, {n});")
        put(a, x, bytes([c] * n))
    elif what == 1:
        say(f"upc_memget(buffer, &{b.element(j)}, {n});")
        sum_ = sum(k * v for k, v in enumerate(b.bytes[y[0]][y[2]:y[2] + n])) % (1 << 32)
        say(f"CHECK(weighed(buffer, {n}) == {sum_}u);")
    elif what == 2:
        say(f"for (int k = 0; k < {n}; k++) buffer[k] = (unsigned char)(k * 7 + {c});")
        say(f"upc_memput(&{a.element(i)}, buffer, {n});")
        put(a, x, bytes((k * 7 + c) % 256 for k in range(n)))
    else:
        say(f"upc_memcpy(&{a.element(i)}, &{b.element(j)}, {n});")
        put(a, x, bytes(b.bytes[y[0]][y[2]:y[2] + n]))


def loop(a, b):
    """Elements in order: private and shared, copies and sums, through names and pointers."""
    if a.type not in BASES or b.type not in BASES or a is b or "double" in (a.type, b.type):
        return
    n = R.randint(0, min(a.n, b.n))
    i, j, c = R.randint(0, a.n - n), R.randint(0, b.n - n), R.randint(0, 200)
    name = f"s{len(out)}"
    say(f"shared {block_text(b.block)}{b.type} *{name} = {b.flat} + {num(j)};")
    target = f"{a.flat}[k + {i}]"
    form = R.randrange(4)
    say([f"for (int k = 0; k < {n}; k++) {target} = ({a.type}){name}[k] + {c};",
         f"for (int k = 0; k < {n}; k++) {target} += ({a.type}){name}[k] * {c}u;",
         f"for (int k = 0; k < {n}; k++) numbers[k] = {name}[k]; "
         f"for (int k = 0; k < {n}; k++) {target} = ({a.type})numbers[k];",
         f"for (int k = 0; k < {n}; k++) numbers[k] = {target} = ({a.type}){name}[k] ^ {c}u;"][form])
    for k in range(n):
        x = int.from_bytes(get(b, b.place(j + k), b.type), "little")
        old = int.from_bytes(get(a, a.place(i + k), a.type), "little")
        r = [x + c, old + x * c, x & (1 << 64) - 1, x % (1 << 8 * a.size) ^ c][form]
        put(a, a.place(i + k), (r % (1 << 8 * a.size)).to_bytes(a.size, "little"))


def alone(arrays):
    """What one thread does."""
    say(f"if (MYTHREAD == {R.randrange(T)}) {{")
    for _ in range(R.randint(3, 8)):
        a, b = R.choice(arrays), R.choice(arrays)
        i = any_index(a)
        R.choice([lambda: access(a, a.element(i), a.place(i), a.type), lambda: walk(a), lambda: rows(a),
                  lambda: cast(a), lambda: member(a), lambda: transfer(a, b), lambda: loop(a, b), lambda: slot(a),
                  lambda: held(a), lambda: held(a), lambda: copy(a, b), lambda: several(arrays), lambda: gather(a)])()
    say("}")
    say("upc_barrier;")


def together(arrays):
    """A upc_forall that writes a leaf of each element, and counts the turns of each thread."""
    a, b = R.choice(arrays), R.choice(arrays)
    path, base, at = R.choice(LEAVES[a.type])
    lo, hi = sorted((R.randint(0, a.n), R.randint(0, a.n)))
    shift = R.randint(-3, 3)
    pointer = 0 <= lo + shift and hi + shift <= b.n and R.randrange(3) > 0
    whole, other = a.flat, f"&{b.flat}[i + {shift}]"
    affinity = other if pointer else f"i + {shift + 3 * T}"
    turns = [0] * T
    for i in range(lo, hi):
        turns[b.place(i + shift)[0] if pointer else (i + shift) % T] += 1
        v = i * 3 + 1
        low = (v % (1 << 8 * BASES[base])).to_bytes(BASES[base], "little")
        data = struct.pack("<d", v) if base == "double" else low
        put(a, (a.place(i)[0], 0, a.place(i)[2] + at), data)
    say("{ int turns = 0;")
    if lo == 0 and R.randrange(2):
        turns = [len(range(k, hi, T)) for k in range(T)]
        say(f"int i; for (i = MYTHREAD; i < {hi}; i += THREADS) {{ {whole}[i]{path} = i * 3 + 1; turns++; }}")
    elif R.randrange(2) and not a.row: # by a pointer of the array's own
        kind = f"shared {block_text(a.block)}{a.type}"
        say(f"int i = {lo}; upc_forall ({kind} *p = {a.name} + {lo}; p < {a.name} + {hi}; p++, i++; {affinity}) "
            f"{{ (*p){path} = i * 3 + 1; turns++; }}")
    else:
        say(f"upc_forall (int i = {num(lo)}; i < {num(hi)}; i++; {affinity}) "
            f"{R.choice(['{', '{ if (i < 0) continue;'])} {whole}[i]{path} = i * 3 + 1; turns++; }}")
    say(f"CHECK(turns == ((int[]){{{', '.join(map(str, turns))}}})[MYTHREAD]); }}")
    say("upc_barrier;")


def locked():
    k = R.randint(1, 3)
    say(f"for (int k = 0; k < {k}; k++) {{ upc_lock(lock); counter += MYTHREAD + 1; upc_unlock(lock); }}")
    say("upc_barrier;")
    return k * T * (T + 1) // 2


def main():
    arrays = [Array(k) for k in range(5)]
    say("upc_barrier;")
    counter = 0
    for _ in range(6):
        alone(arrays)
        together(arrays)
        if R.randrange(3) == 0:
            counter += locked()
    for a in arrays: # the whole memory, as each thread sees it
        for thread in range(T):
            data = a.bytes[thread]
            first = [k for k in range(a.n) if a.place(k)[0] == thread][:1]
            if first:
                sum_ = sum(k * v for k, v in enumerate(data)) % (1 << 32)
                say(f"upc_memget(buffer, &{a.element(first[0])}, {len(data)});")
                say(f"CHECK(weighed(buffer, {len(data)}) == {sum_}u);")
    say(f"CHECK(counter == {counter});")
    print(HEAD)
    for name, (members, *_) in RECORDS.items():
        print(f"{name} {{ {members} }};")
    print("typedef shared void *void_type;")
    print(*(text for a in arrays for text in (a.declaration, a.slots, a.node)), sep="\n")
    print(MAIN)
    print(f"  CHECK(THREADS == {T});")
    print(*out, "  upc_barrier;\n  return 0;\n}", sep="\n")


main()
