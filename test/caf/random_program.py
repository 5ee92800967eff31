#!/usr/bin/env python3
"""Writes a random coarray program that checks itself: random_program.py SEED > x.f90

Coarrays of random shapes, bounds and types are assigned to and from random sections of other images. Every assignment
is done once more, on every image, by ordinary variables that model all images, and after each round the two must be
equal. What gfortran 12 does wrong by itself (docs/status-caf.md) is not written."""
import random
import sys

rng = random.Random(int(sys.argv[1]))
ROUNDS = 90
NUMBERS = (["integer(%d)" % k for k in (1, 2, 4, 8, 16)] + ["real(%d)" % k for k in (4, 8, 10, 16)]
           + ["complex(%d)" % k for k in (4, 8)])


class Thing:
    """An array that statements may name: before + section + after, the image selector [] going to `selector`'s place."""

    def __init__(self, kind, dims, before, middle="", after="", vectors=True):
        self.kind, self.dims, self.before, self.middle, self.after = kind, dims, before, middle, after
        self.vectors = vectors  # may vector subscripts be written?

    def family(self):
        return self.kind.split("(")[0] if self.kind[0] in "lc" and self.kind[:3] != "com" else "number"

    def named(self, image, subscripts):
        """`image`: "[b]" of the coarray, or "" here; the model puts m(b)% in front instead."""
        section = "(" + ", ".join(subscripts) + ")" if subscripts else ""
        if self.middle:  # a component's subscripts
            return self.before + image + self.middle + section + self.after
        return self.before + section + image + self.after


def dims_of(rank):
    dims = []
    for _ in range(rank):
        low, n = rng.choice((1, 1, 0, -3, 5)), rng.randint(1 if rank > 2 else 3, 9 if rank < 3 else 5)
        dims.append((low, low + n - 1))
    return dims


def declared(dims):
    return "(" + ", ".join("%d:%d" % d for d in dims) + ")" if dims else ""


def size(dim):
    return dim[1] - dim[0] + 1


# ---- sections -------------------------------------------------------------------------------------


def bound(n):
    """Known to the compiler or not."""
    return "%d" % n if rng.random() < 0.6 else "%d+zero" % n if n >= 0 else "zero-%d" % -n


def triplet(dim, n):
    low, high = dim
    if n == size(dim) and rng.random() < 0.4:
        return ":"
    if n == 0:
        at = rng.randint(low, high)
        return bound(at + 1) + ":" + bound(at)
    most = (size(dim) - 1) // (n - 1) if n > 1 else 3
    stride = rng.randint(1, min(3, most))
    first = rng.randint(low, high - (n - 1) * stride if n > 1 else high)
    last = first + (n - 1) * stride
    if rng.random() < 0.4:
        first, last, stride = last, first, -stride
    return bound(first) + ":" + bound(last) + ("" if stride == 1 else ":%d" % stride)


def vector(dim, n, twice):
    low, high = dim
    values = ([rng.randint(low, high) for _ in range(n)] if twice else rng.sample(range(low, high + 1), n))
    return "[" + ", ".join("%d" % v for v in values) + "]"


def subscripts(thing, extents, vectors=False, twice=False):
    """Subscripts of a section with these extents, for a thing that has room for them."""
    free = list(range(len(thing.dims)))
    while True:
        chosen = sorted(rng.sample(free, len(extents)))
        if all(size(thing.dims[d]) >= n for d, n in zip(chosen, extents)):
            break
    out = []
    for d, dim in enumerate(thing.dims):
        if d not in chosen:
            out.append(bound(rng.randint(*dim)))
            continue
        n = extents[chosen.index(d)]
        if vectors and thing.vectors and n > 0 and rng.random() < 0.25:
            out.append(vector(dim, n, twice))
        else:
            out.append(triplet(dim, n))
    return out


def extents_for(things, rank):
    """Extents of a section that all of them have in some order of their dimensions: tried, not thought."""
    for _ in range(50):
        first = things[0]
        dims = sorted(rng.sample(range(len(first.dims)), rank))
        extents = [0 if rng.random() < 0.04 else rng.randint(1, size(first.dims[d])) for d in dims]
        if all(fits(thing.dims, extents) for thing in things):
            return extents
    return [1] * rank


def fits(dims, extents):
    """Is there a choice of dimensions, in order, that has room?"""
    at = 0
    for n in extents:
        while at < len(dims) and size(dims[at]) < n:
            at += 1
        if at == len(dims):
            return False
        at += 1
    return True


# ---- statements -----------------------------------------------------------------------------------


def expression(thing, text):
    if thing.family() != "number" or rng.random() < 0.7:
        return text
    return rng.choice(("-%s", "%s/2")) % text


def statement(remote, local, third, apart):
    """(for the image that runs it, for the model): a put, a get, or from one image to another."""
    how = rng.choice(("put", "put", "get", "get", "between"))
    if how == "between" and "c" in (remote.before, third.before):
        how = "put"  # from a component to another image's coarray: an internal compiler error
    if how == "get" and local.before == "c":
        how = "put"  # a local component on the left: an internal compiler error, too
    target, source = {"put": (remote, local), "get": (local, remote), "between": (remote, third)}[how]
    if how == "between" and apart and target is source:
        source, how = local, "put"
    rank = min(rng.choice((0, 1, 1, 2, 2, 3)), len(target.dims), len(source.dims))
    if rank == 0 and how != "put" and source.kind.startswith("complex"):
        return statement(remote, local, third, apart)  # the compiler's offset is junk
    broadcast = rank > 0 and how == "put" and rng.random() < 0.15
    extents = extents_for([target, source], rank)
    whole = rng.random() < 0.5  # the right-hand side is nothing but the reference
    to = subscripts(target, extents, vectors=how == "put")
    of = subscripts(source, [] if broadcast else extents, vectors=how == "get" and whole, twice=True)
    images = {"put": ("b", ""), "get": ("", "b"), "between": ("b", "c")}[how]
    names = []
    for thing, image, subs in zip((target, source), images, (to, of)):
        names.append((thing.named("[%s]" % image if image else "", subs), "m(%s)%%" % (image or "a") + thing.named("", subs)))
    form = "%s" if whole else expression(source, "%s")
    return tuple("%s = %s" % (names[0][i], form % names[1][i]) for i in (0, 1))


def main():
    things, lines, state = [], [], []
    for k in range(9):
        kind = NUMBERS[k] if k < 2 else rng.choice(NUMBERS)
        dims = dims_of(rng.choice((1, 2, 2, 3, 4)))
        name = "x%d" % k
        if k % 3 == 2:
            lines.append("%s, allocatable :: %s(%s)[:]" % (kind, name, ", ".join(":" * len(dims))))
        else:
            lines.append("%s, save :: %s%s[*]" % (kind, name, declared(dims)))
        state.append((kind, name, dims, k % 3 == 2))
        things.append(Thing(kind, dims, name))
    for k, kind in enumerate(("logical(1)", "logical(4)", "logical(8)", "character(3)", "character(6)", "character(1)")):
        dims, name = dims_of(rng.randint(1, 3)), "y%d" % k
        lines.append("%s, save :: %s%s[*]" % (kind, name, declared(dims)))
        state.append((kind, name, dims, False))
        things.append(Thing(kind, dims, name, vectors=kind.startswith("logical")))
    kinds = [rng.choice(NUMBERS[:9]) for _ in range(6)]
    p, v, q, a, w = dims_of(1), dims_of(2), dims_of(1), dims_of(2), dims_of(rng.randint(1, 2))
    # Of a type with nothing allocatable, and of one with components that have components.
    things += [Thing(kinds[0], p, "p", after="%k", vectors=False),
               Thing(kinds[1], v, "p(%d)" % rng.randint(*p[0]), "%v", vectors=False)]
    inner = rng.randint(1, 3)
    things += [Thing(kinds[2], q, "c", "%q", vectors=False), Thing(kinds[3], a, "c", "%a", vectors=False),
               Thing(kinds[4], w, "c", "%%in(%d)%%w" % inner, vectors=False),
               Thing(kinds[5], [], "c", "%%in(%d)%%s" % inner, vectors=False)]

    def types(tag):
        # Of a coarray types have tokens: the model has types of its own.
        return ["type flat%s" % tag, "  %s :: k" % kinds[0], "  character(3) :: between",
                "  %s :: v%s" % (kinds[1], declared(v)), "end type",
                "type leaf%s" % tag, "  %s :: s" % kinds[5], "  %s, allocatable :: w(%s)" % (kinds[4], ", ".join(":" * len(w))),
                "end type",
                "type tree%s" % tag, "  %s :: q%s" % (kinds[2], declared(q)),
                "  %s, allocatable :: a(:, :)" % kinds[3], "  type(leaf%s), allocatable :: in(:)" % tag, "end type"]

    out = ["! Made by random_program.py %s." % sys.argv[1], "program random_program", "  implicit none"]
    out += ["  " + t for t in types("") + types("_model")]
    out += ["  type state"] + ["    %s :: %s%s" % (kind, name, declared(dims)) for kind, name, dims, _ in state]
    out += ["    type(flat_model) :: p%s" % declared(p), "    type(tree_model) :: c", "  end type"]
    out += ["  " + line for line in lines]
    out += ["  type(flat), save :: p%s[*]" % declared(p), "  type(tree), save :: c[*]",
            "  type(state), allocatable :: m(:)", "  integer :: a, b, c_image, me, n, i, k, zero",
            "  me = this_image(); n = num_images(); zero = n - num_images()"]
    out += ["  allocate (%s%s[*])" % (name, declared(dims)) for _, name, dims, late in state if late]
    out += ["  allocate (m(n))"]
    make = ["allocate (%%sa%s, %%sin(3))" % declared(a), "do i = 1, 3", "  allocate (%%sin(i)%%%%w%s)" % declared(w), "end do"]
    out += ["  " + line.replace("%s", "c%").replace("%%", "%") for line in make]
    out += ["  do a = 1, n"] + ["    " + line.replace("%s", "m(a)%c%").replace("%%", "%") for line in make]

    def fill(kind, name, dims, salt):
        count = 1
        for d in dims:
            count *= size(d)
        value = "mod(a*37 + k*%d + %d, 101) - 50" % (rng.choice((7, 11, 13)), salt)
        if kind.startswith("logical"):
            value = "mod(%s, 3) == 0" % value
        elif kind.startswith("character"):
            value = "achar(65 + mod(a*5 + k, 26)) // achar(97 + mod(k, 26)) // achar(48 + a)"
        elif kind.startswith("complex"):
            value = "cmplx((%s)/4.0, k - 0.5)" % value
        elif kind.startswith("real"):
            value = "(%s)/4.0" % value
        if not dims:
            return "%s = %s" % (name, value.replace("k*", "3*").replace("(k", "(3"))
        return "%s = reshape([(%s, k=1, %d)], [%s])" % (name, value, count, ", ".join(str(size(d)) for d in dims))

    parts = [(kind, name, dims) for kind, name, dims, _ in state]
    parts += [(kinds[1], "p(%d)%%v" % e, v) for e in range(p[0][0], p[0][1] + 1)] + [(kinds[0], "p%k", p)]
    parts += [(kinds[2], "c%q", q), (kinds[3], "c%a(:, :)", a)]
    parts += [(kinds[4], "c%%in(%d)%%w(%s)" % (e, ", ".join(":" * len(w))), w) for e in (1, 2, 3)]
    parts += [(kinds[5], "c%%in(%d)%%s" % e, []) for e in (1, 2, 3)]
    out += ["    " + fill(kind, "m(a)%" + name, dims, 3 * k) for k, (kind, name, dims) in enumerate(parts)] + ["  end do"]
    out += ["  %s = m(me)%%%s" % (name, name) for _, name, _ in parts] + ["  sync all"]

    for number in range(1, ROUNDS + 1):
        shift, other = rng.randint(0, 5), rng.randint(0, 5)
        together = rng.random() < 0.5  # all images at once; else one image, statements that depend on each other
        body = []
        for _ in range(1 if together else rng.randint(1, 4)):
            remote = rng.choice(things)
            family = [t for t in things if t.family() == remote.family()]
            local = rng.choice([t for t in family if not together or t is not remote])
            body.append(statement(remote, local, rng.choice(family), together))
        others = "b = 1 + mod(a + %d, n); c_image = 1 + mod(a + %d, n)" % (shift, other)
        real = [s[0].replace("[c]", "[c_image]") for s in body]
        model = [s[1].replace("m(c)", "m(c_image)") for s in body]
        if together:
            out += ["  a = me; " + others] + ["  " + s for s in real]
            out += ["  do a = 1, n", "    " + others] + ["    " + s for s in model] + ["  end do"]
        else:
            out += ["  a = 1 + mod(%d, n); %s" % (rng.randint(0, 5), others), "  if (me == a) then"]
            out += ["    " + s for s in real] + ["  end if"] + ["  " + s for s in model]
        out += ["  sync all", "  call verify(%d)" % number, "  sync all"]

    out += ["contains", "  subroutine verify(round)", "    integer, intent(in) :: round"]
    for kind, name, dims in parts:
        equal = "%s %s m(me)%%%s" % (name, ".eqv." if kind.startswith("logical") else "==", name)
        out.append("    call check(logical(%s), round, '%s')" % ("all(%s)" % equal if dims else equal, name))
    out += ["  end subroutine", "  subroutine check(ok, round, what)", "    logical, intent(in) :: ok",
            "    integer, intent(in) :: round", "    character(len=*), intent(in) :: what", "    if (ok) return",
            "    print '(2(a,i0),a,i0,2a)', '[image ', this_image(), '/', num_images(), '] round ', round, ': ', what",
            "    error stop 1", "  end subroutine", "end program"]
    print("\n".join(out))


main()
