#!/usr/bin/env python3
"""Writes a random coarray program for a number of images: random_objects.py SEED IMAGES [ROUNDS] > x.f90

Coarrays of a random type, whose components have components, four deep: numbers, strings, arrays, allocatable or
pointers. Images read and write each other's, in teams too, and some are allocated by that. The results are computed
here and stand in the program; after each round there is a checksum of each image's objects. What gfortran 12 does wrong
by itself (docs/status-caf.md) is not written."""
import math
import random
import sys

SEED, N = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(SEED * 1000 + N)
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 40
KINDS = ["integer(1)", "integer(2)", "integer(4)", "integer(8)", "real(4)", "real(8)", "real(10)", "real(16)"]


class Array:
    """Numbers or strings; rank 0 too."""

    def __init__(self, kind, lows, shape, data=None):
        self.kind, self.lows, self.shape = kind, list(lows), list(shape)
        self.data = data if data is not None else [0] * math.prod(shape)
        self.at = list(range(math.prod(shape)))  # of a pointer: which elements of its target's

    def get(self, k):
        return self.data[self.at[k]]

    def set(self, k, v):
        self.data[self.at[k]] = v


class Objects:
    """Of a type: an array, or a scalar with rank 0."""

    def __init__(self, lows, shape, items):
        self.lows, self.shape, self.items = list(lows), list(shape), items


def colons(rank):
    return "(%s)" % ", ".join(":" * rank) if rank else ""


class Field:
    def __init__(self, name, what, how, rank, kind=None, type_=None, shape=None, lows=None):
        self.name, self.what, self.how, self.rank = name, what, how, rank
        self.kind, self.type, self.shape, self.lows = kind, type_, shape, lows

    def declared(self):
        of = self.kind if self.what == "number" else "type(%s)" % self.type.name
        if self.how == "fixed":
            dims = ["%d:%d" % (l, l + s - 1) for l, s in zip(self.lows, self.shape)]
            return "%s :: %s%s" % (of, self.name, "(%s)" % ", ".join(dims) if dims else "")
        end = " => null()" if self.how == "pointer" else ""
        return "%s, %s :: %s%s%s" % (of, self.how, self.name, colons(self.rank), end)


def random_shape(rank, most=5):
    return [rng.randint(1, most) for _ in range(rank)], [rng.choice((1, 1, 0, -2, 3)) for _ in range(rank)]


class Type:
    count = 0

    def __init__(self, depth, pointers):
        """pointers: may it have pointer components? Not below an allocatable array."""
        self.name, self.fields = "t%d" % Type.count, []
        Type.count += 1
        for k in range(rng.randint(2, 4)):
            how = rng.choice(("fixed", "fixed", "allocatable", "allocatable") + (("pointer",) if pointers else ()))
            rank = rng.choice((0, 1, 1, 2)) if how != "allocatable" else rng.choice((0, 1, 1, 2, 3))
            kind = rng.choice(KINDS) if rng.random() < 0.85 or how != "fixed" else "character(4)"
            shape, lows = random_shape(rank)
            self.fields.append(Field("a%d" % k, "number", how, rank, kind=kind, shape=shape, lows=lows))
        for k in range(rng.randint(1, 2) if depth > 0 else 0):
            how = rng.choice(("fixed", "allocatable", "allocatable"))
            rank = rng.choice((0, 1)) if how == "fixed" else rng.choice((0, 1, 1))
            shape, lows = random_shape(rank, 3)
            t = Type(depth - 1, pointers and how == "fixed")
            self.fields.append(Field("o%d" % k, "object", how, rank, type_=t, shape=shape, lows=lows))
        rng.shuffle(self.fields)

    def make(self):
        out = {}
        for f in self.fields:
            if f.how != "fixed":
                out[f.name] = None
            elif f.what == "number":
                out[f.name] = Array(f.kind, f.lows, f.shape)
                if f.kind.startswith("char"):
                    out[f.name].data = ["    "] * len(out[f.name].data)
            else:
                out[f.name] = objects(f.type, f.lows, f.shape)
        return out

    def all(self):
        out = []
        for f in self.fields:
            if f.what == "object":
                out += f.type.all()
        return out + [self]


def objects(type_, lows, shape):
    return Objects(lows, shape, [type_.make() for _ in range(math.prod(shape))])


def value(kind):
    if kind.startswith("char"):
        return "".join(rng.choice("abcdxyz ") for _ in range(4))
    return rng.randint(-90, 90)


def shown(v):
    return "'%s'" % v if isinstance(v, str) else str(v)


# ---- paths: text and the elements there -------------------------------------------------------


def exists(root, steps):
    """gfortran 12 also looks at the own object's components on the way, of a put: they have to be there."""
    for name, k in steps:
        v = root.get(name)
        if v is None or not isinstance(v, Objects):
            return False
        k -= v.lows[0] if v.lows else 0
        if not 0 <= k < len(v.items):
            return False
        root = v.items[k]
    return True


class Place:
    """Elements: pairs of an array and an index. whole: an allocatable component without subscripts."""

    def __init__(self, text, shape, elements, field, owner, whole=False):
        self.text, self.shape, self.elements, self.field, self.owner = text, shape, elements, field, owner
        self.whole, self.steps = whole, []

    def values(self):
        return [array.get(i) for array, i in self.elements]

    def store(self, values):
        for (array, i), v in zip(self.elements, values):
            array.set(i, v)


def triplet(n):
    m = rng.randint(1, n)
    stride = rng.randint(1, max(1, (n - 1) // (m - 1)) if m > 1 else 3)
    first = rng.randrange(n - (m - 1) * stride)
    places = [first + k * stride for k in range(m)]
    return places[::-1] if rng.random() < 0.3 else places


def bound(v):
    return "%d" % v if rng.random() < 0.5 else "zero + %d" % v if v >= 0 else "zero - %d" % -v


def range_of(places, low):
    step = places[1] - places[0] if len(places) > 1 else 1
    return bound(low + places[0]) + ":" + bound(low + places[-1]) + (":%d" % step if step != 1 else "")


def section(lows, shape):
    """(text, shape of what is chosen, flat indices)"""
    subs, texts, out_shape = [], [], []
    for low, n in zip(lows, shape):
        roll = rng.random()
        if roll < 0.4:
            at = rng.randrange(n)
            subs.append([at])
            texts.append(bound(low + at))
            continue
        subs.append(list(range(n)) if roll < 0.55 else triplet(n))
        texts.append(":" if roll < 0.55 else range_of(subs[-1], low))
        out_shape.append(len(subs[-1]))
    flat = [0]
    scale = 1
    for d, s in enumerate(subs):
        flat = [f + p * scale for p in s for f in flat]
        scale *= shape[d]
    return "(" + ", ".join(texts) + ")", out_shape, flat


def walk(type_, root, prefix, depth=0):
    """A random place of numbers below the object `root`, whose text is prefix; None: there is none."""
    fields = [f for f in type_.fields if root[f.name] is not None]
    rng.shuffle(fields)
    fields.sort(key=lambda f: f.what == "number" and rng.random() < 0.6)
    for f in fields:
        v = root[f.name]
        text = prefix + "%" + f.name
        if f.what == "number":
            every = [(v, i) for i in range(len(v.at))]
            if f.rank == 0:
                return Place(text, [], every, f, root)
            if rng.random() < 0.2 and f.how != "pointer":
                return Place(text, list(v.shape), every, f, root, whole=f.how == "allocatable")
            subs, shape, at = section(v.lows, v.shape)
            return Place(text + subs, shape, [every[i] for i in at], f, root)
        scalars = [g for g in f.type.fields if g.what == "number" and g.how == "fixed" and g.rank == 0]
        if f.rank and depth == 0 and scalars and rng.random() < 0.1:  # one number of each object of a section
            g, places = rng.choice(scalars), triplet(len(v.items))
            text += "(%s)%%%s" % (range_of(places, v.lows[0]), g.name)
            return Place(text, [len(places)], [(v.items[p][g.name], 0) for p in places], g, root)
        k = rng.randrange(len(v.items))
        index = k + (v.lows[0] if f.rank else 0)
        got = walk(f.type, v.items[k], text + ("(%s)" % bound(index) if f.rank else ""), depth + 1)
        if got:
            got.steps.insert(0, (f.name, index))
            return got
    return None


def number(v, kind):
    if kind.startswith("char"):
        return shown(v)
    text = "%d%s_%s" % (abs(v), ".0" if kind.startswith("real") else "", kind[kind.index("(") + 1:-1])
    return text if v >= 0 else "(-%s)" % text


def literal(values, shape, kind):
    items = ", ".join(number(v, kind) for v in values)
    if len(shape) < 2:
        return "[%s]" % items if shape else items
    return "reshape([%s], [%s])" % (items, ", ".join(map(str, shape)))


# ---- checksums --------------------------------------------------------------------------------


MOD = 1000003


class Sum:
    def __init__(self):
        self.h = 7

    def add(self, v):
        if isinstance(v, str):
            for c in v:
                self.add(ord(c))
        else:
            self.h = (self.h * 31 + v + 1000) % MOD


def sum_of(s, type_, root):
    for f in type_.fields:
        v = root[f.name]
        if f.how != "fixed":
            s.add(0 if v is None else 1)
            if v is None:
                continue
        for l, n in zip(v.lows, v.shape):
            s.add(l)
            s.add(n)
        if f.what == "number":
            for k in range(len(v.at)):
                s.add(v.get(k))
        else:
            for item in v.items:
                sum_of(s, f.type, item)


def sum_code(type_):
    out = ["recursive subroutine sum_%s(o)" % type_.name, "  type(%s), intent(in) :: o" % type_.name,
           "  integer :: i, j, k"]
    for f in type_.fields:
        name = "o%%%s" % f.name
        inner = []
        for d in range(1, f.rank + 1):
            inner.append("call add(lbound(%s, %d)); call add(size(%s, %d))" % (name, d, name, d))
        loops = "kji"[3 - f.rank:] if f.rank else ""
        for d, var in zip(range(f.rank, 0, -1), loops):
            inner.append("do %s = lbound(%s, %d), ubound(%s, %d)" % (var, name, d, name, d))
        element = name + ("(%s)" % ", ".join(reversed(loops)) if loops else "")
        if f.what == "object":
            inner.append("call sum_%s(%s)" % (f.type.name, element))
        elif f.kind.startswith("char"):
            inner.append("call add_text(%s)" % element)
        else:
            inner.append("call add(int(%s))" % element)
        inner += ["end do"] * f.rank
        if f.how != "fixed":
            test = "allocated" if f.how == "allocatable" else "associated"
            inner = (["if (%s(%s)) then" % (test, name), "  call add(1)"] + ["  " + i for i in inner]
                     + ["else", "  call add(0)", "end if"])
        out += ["  " + i for i in inner]
    return out + ["end subroutine"]


# ---- the program ------------------------------------------------------------------------------

ROOT = Type(3, True)
XS_LOW, XS_N = rng.choice((1, 0, -1)), rng.randint(2, 3)
images = {}
pool = {}
for a in range(1, N + 1):
    images[a] = {"x": objects(ROOT, [], []), "xs": objects(ROOT, [XS_LOW], [XS_N])}
    pool[a] = {k: Array(k, [1, 1], [6, 6]) for k in KINDS}
SPLIT = rng.randint(2, 3)
lines = []


def number_of_pool(kind):
    return "pool_" + kind.replace("(", "").replace(")", "")


def local_fill(path, arr):
    for k in range(len(arr.at)):
        arr.set(k, value(arr.kind))
    values = [arr.get(k) for k in range(len(arr.at))]
    return "%s = %s" % (path, literal(values, arr.shape, arr.kind))


def may_free(f, path):
    """gfortran 12 drops DEALLOCATE of a scalar component of an array coarray's element."""
    return f.rank > 0 or not path.startswith("xs")


def provide(type_, root, path):
    """Lines by which the owner allocates, fills or frees some of what is there."""
    out = []
    for f in type_.fields:
        v, p = root[f.name], path + "%" + f.name
        if f.what == "number" and f.how == "fixed":
            if rng.random() < 0.5:
                out.append(local_fill(p, v))
        elif f.what == "number" and f.how == "allocatable":
            if v is None and rng.random() < 0.7 or v is not None and rng.random() < 0.3 and may_free(f, p):
                if v is not None:
                    out.append("deallocate (%s)" % p)
                shape, lows = random_shape(f.rank)
                v = root[f.name] = Array(f.kind, lows, shape)
                dims = ", ".join("%d:%d" % (l, l + s - 1) for l, s in zip(lows, shape))
                out.append("allocate (%s%s)" % (p, "(%s)" % dims if dims else ""))
                out.append(local_fill(p + colons(f.rank), v))
            elif v is not None and rng.random() < 0.2 and may_free(f, p):
                out.append("deallocate (%s)" % p)
                root[f.name] = None
        elif f.what == "number":  # a pointer into the pool, whose numbers are filled first
            target = pool_now[f.kind]
            t, shape, at = section([1, 1], [6, 6])
            while len(shape) != f.rank:
                t, shape, at = section([1, 1], [6, 6])
            out.append("%s => %s%s" % (p, number_of_pool(f.kind), t))
            v = root[f.name] = Array(f.kind, [1] * f.rank, shape, target.data)
            v.at = at
        else:
            roll = rng.random()
            if f.how == "allocatable" and (roll < 0.85 if v is None else roll < 0.15 and may_free(f, p)):
                if v is not None:
                    out.append("deallocate (%s)" % p)
                shape, lows = random_shape(f.rank, 3)
                v = root[f.name] = objects(f.type, lows, shape)
                dims = ", ".join("%d:%d" % (l, l + s - 1) for l, s in zip(lows, shape))
                out.append("allocate (%s%s)" % (p, "(%s)" % dims if dims else ""))
                out += ["call blank_%s(%s)" % (f.type.name, p + ("(%d)" % (lows[0] + k) if f.rank else ""))
                        for k in range(len(v.items))]
            if v is None:
                continue
            for k, item in enumerate(v.items):
                out += provide(f.type, item, p + ("(%d)" % (v.lows[0] + k) if f.rank else ""))
    return out


def blank_code(type_):
    out = ["recursive subroutine blank_%s(o)" % type_.name, "  type(%s), intent(inout) :: o" % type_.name,
           "  integer :: i"]
    for f in type_.fields:
        if f.how != "fixed":
            continue
        if f.what == "number":
            out.append("  o%%%s = %s" % (f.name, "' '" if f.kind.startswith("char") else "0"))
        elif f.rank:
            out.append("  do i = lbound(o%%%s, 1), ubound(o%%%s, 1); call blank_%s(o%%%s(i)); end do"
                       % (f.name, f.name, f.type.name, f.name))
        else:
            out.append("  call blank_%s(o%%%s)" % (f.type.name, f.name))
    return out + ["end subroutine"]


def remote_root(b, mine):
    """(text before the path, object, type)"""
    text = "[%s]" % b
    if rng.random() < 0.5:
        return "x" + text, images[mine]["x"].items[0]
    k = rng.randrange(XS_N)
    return "xs(%s)%s" % (bound(XS_LOW + k), text), images[mine]["xs"].items[k]


def own_of(a, b, root):
    """a's object that is where b's is."""
    for k in ("x", "xs"):
        for mine, theirs in zip(images[a][k].items, images[b][k].items):
            if theirs is root:
                return mine


def get(a, b, name, round_):
    prefix, root = remote_root(name, b)
    p = walk(ROOT, root, prefix)
    if not p or p.field.kind.startswith("char") and p.shape:
        return []
    values = p.values()
    if p.field.kind.startswith("char"):
        return ["call check(%s == %s, %d, 1)" % (p.text, shown(values[0]), round_)]
    to, rank = rng.choice(("i4", "r8")), len(p.shape)
    if rank == 0 and rng.random() < 0.3:
        return ["call check(int(%s) == %d, %d, 2)" % (p.text, values[0], round_)]
    if rank == 0:
        return ["s%s = %s" % (to, p.text), "call check(int(s%s) == %d, %d, 3)" % (to, values[0], round_)]
    local, shape = "l%d%s" % (rank, to), ", ".join(map(str, p.shape))
    if rng.random() < 0.5:  # the assignment allocates it
        out = ["%s = %s" % (local, p.text), "call check(all(shape(%s) == [%s]), %d, 4)" % (local, shape, round_)]
    else:
        out = ["if (allocated(%s)) deallocate (%s)" % (local, local), "allocate (%s(%s))" % (local, shape),
               "%s%s = %s" % (local, colons(rank), p.text)]
    return out + ["call check(all(int(reshape(%s, [%d])) == [%s]), %d, 5)"
                  % (local, len(values), ", ".join(map(str, values)), round_)]


def other_kind(kind):
    return kind if kind.startswith("char") else rng.choice((kind, "integer(4)", "real(8)"))


def put(a, b, name, round_):
    prefix, root = remote_root(name, b)
    p = walk(ROOT, root, prefix)
    if not p or not exists(own_of(a, b, root), p.steps):
        return []
    kind, shape, n = p.field.kind, p.shape, len(p.elements)
    if p.whole and rng.random() < 0.6:  # in another shape
        shape = [rng.randint(1, 5) for _ in shape]
        n = math.prod(shape)
    values = [value(kind) for _ in range(n)]
    if shape != p.shape:
        p.owner[p.field.name] = Array(kind, [1] * len(shape), shape, values)
    elif shape and rng.random() < 0.2 and not kind.startswith("char"):
        p.store(values[:1] * n)
        return ["%s = %d" % (p.text, values[0])]
    else:
        p.store(values)
    return ["%s = %s" % (p.text, literal(values, shape, other_kind(kind)))]


def present(a, b, name, round_):
    """allocated() of another image's component."""
    prefix, root = remote_root(name, b)
    type_ = ROOT
    text = prefix
    while True:
        allocs = [f for f in type_.fields if f.how == "allocatable"]
        objs = [f for f in type_.fields if f.what == "object" and root[f.name] is not None]
        if allocs and (not objs or rng.random() < 0.5):
            f = rng.choice(allocs)
            no = "" if root[f.name] is not None else ".not. "
            return ["call check(%sallocated(%s%%%s), %d, 7)" % (no, text, f.name, round_)]
        if not objs:
            return []
        f = rng.choice(objs)
        v = root[f.name]
        k = rng.randrange(len(v.items))
        text += "%" + f.name + ("(%d)" % (v.lows[0] + k) if f.rank else "")
        root, type_ = v.items[k], f.type


def own(a):
    global pool_now
    pool_now = pool[a]
    out = []
    for kind in rng.sample(KINDS, 2):
        arr = pool[a][kind]
        for k in range(36):
            arr.data[k] = value(kind)
        out.append("%s = %s" % (number_of_pool(kind), literal(arr.data, [6, 6], kind)))
    if rng.random() < 0.5:
        out += provide(ROOT, images[a]["x"].items[0], "x")
    else:
        k = rng.randrange(XS_N)
        out += provide(ROOT, images[a]["xs"].items[k], "xs(%d)" % (XS_LOW + k))
    return out


procs = []


def branch(per, round_):
    """Each image's own lines, in a procedure of its own."""
    lines.append("select case (me)")
    for a, body in per.items():
        procs.extend(["subroutine r%d_%d" % (round_, a)] + ["  " + b for b in body] + ["end subroutine"])
        lines.extend(["case (%d)" % a, "  call r%d_%d" % (round_, a)])
    lines.append("end select")


def mates(level, a):
    """Images of the team."""
    return [i for i in range(1, N + 1) if level == 0 or i % SPLIT == a % SPLIT]


def image_in(level, a, b):
    """b's number there."""
    return str(mates(level, a).index(b) + 1)


def a_round(r):
    level = rng.choice((0, 0, 1))
    lines.extend(["! round %d" % r] + ["change team (team)"] * level)
    how = rng.choice(("own", "gets", "puts", "alone", "alone"))
    per = {a: [] for a in range(1, N + 1)}
    if how == "own" or r < 3:
        for a in per:
            per[a] = own(a)
    elif how == "gets":
        for a in per:
            for _ in range(6):
                b = rng.choice(mates(level, a))
                per[a] += rng.choice((get, get, get, present))(a, b, image_in(level, a, b), r)
    elif how == "puts":
        shift = rng.randint(0, 5)
        for a in per:
            m = mates(level, a)
            b = m[(m.index(a) + shift) % len(m)]
            for _ in range(4):
                per[a] += put(a, b, image_in(level, a, b), r)
    else:
        a = rng.randint(1, N)
        for _ in range(8):
            b = rng.choice(mates(level, a))
            per[a] += rng.choice((get, put, put, present))(a, b, image_in(level, a, b), r)
    branch(per, r)
    lines.extend(["sync all"] + ["end team", "sync all"] * level)
    sums = []
    for a in range(1, N + 1):
        s = Sum()
        sum_of(s, ROOT, images[a]["x"].items[0])
        for item in images[a]["xs"].items:
            sum_of(s, ROOT, item)
        sums.append(s.h)
    lines.extend(["call verify(%d, [%s])" % (r, ", ".join(map(str, sums))), "sync all"])


for r in range(1, ROUNDS + 1):
    a_round(r)

print("! Made by random_objects.py %d %d\nmodule things\n  implicit none" % (SEED, N))
for t in ROOT.all():
    print("  type %s" % t.name)
    for f in t.fields:
        print("    " + f.declared())
    print("  end type")
print("end module\nprogram objects\n  use things\n  use iso_fortran_env\n  implicit none")
print("  type(%s), save :: x[*], xs(%d:%d)[*]" % (ROOT.name, XS_LOW, XS_LOW + XS_N - 1))
for k in KINDS:
    print("  %s, target, save :: %s(6, 6) = 0" % (k, number_of_pool(k)))
print("  type(team_type) :: team\n  integer :: me, zero, h\n  real(8) :: sr8\n  integer :: si4")
for rank in (1, 2, 3):
    dims = "(%s)" % ", ".join(":" * rank)
    print("  integer, allocatable :: l%di4%s\n  real(8), allocatable :: l%dr8%s" % (rank, dims, rank, dims))
print("  me = this_image(); zero = me / 1000")
print("  if (num_images() /= %d) error stop 3" % N)
print("  call blank_%s(x)" % ROOT.name)
for k in range(XS_N):
    print("  call blank_%s(xs(%d))" % (ROOT.name, XS_LOW + k))
print("  form team (1 + mod(me, %d), team)\n  sync all" % SPLIT)
print("\n".join("  " + l for l in lines))
print("contains")
for t in ROOT.all():
    print("\n".join("  " + l for l in sum_code(t) + blank_code(t)))
print("\n".join("  " + l for l in procs))
print("""  subroutine add(v)
    integer, intent(in) :: v
    h = modulo(h*31 + v + 1000, %d)
  end subroutine
  subroutine add_text(t)
    character(*), intent(in) :: t
    integer :: i
    do i = 1, len(t); call add(iachar(t(i:i))); end do
  end subroutine
  subroutine verify(round, sums)
    integer, intent(in) :: round, sums(:)
    integer :: i
    h = 7
    call sum_%s(x)
    do i = %d, %d; call sum_%s(xs(i)); end do
    call check(h == sums(me), round, 100)
  end subroutine
  subroutine check(ok, round, what)
    logical, intent(in) :: ok
    integer, intent(in) :: round, what
    if (ok) return
    print '(a,i0,a,i0,a,i0)', 'image ', me, ', round ', round, ': check ', what
    error stop 1
  end subroutine
end program""" % (MOD, ROOT.name, XS_LOW, XS_LOW + XS_N - 1, ROOT.name))
