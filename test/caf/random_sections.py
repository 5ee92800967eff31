"""Of random_program.py: arrays that its statements name, sections of them, assignments between sections."""
import random
import sys

rng = random.Random(int(sys.argv[1]))
REALS = ["real(%d)" % k for k in (4, 8, 10, 16)]
NUMBERS = ["integer(%d)" % k for k in (1, 2, 4, 8, 16)] + REALS + ["complex(%d)" % k for k in (4, 8, 10, 16)]
OTHERS = ["logical(%d)" % k for k in (1, 2, 4, 8)] + ["character(%s)" % k for k in ("3", "6", "1", "3,4", "5,4")]


COBOUNDS = ("*", "2, *", "0:1, -1:*", "2, 2, *")


def cosubscripts(image, which):
    """Of an image, where the cobounds are COBOUNDS[which]."""
    return ("[%s]", "[1 + mod(%s - 1, 2), 1 + (%s - 1)/2]", "[mod(%s - 1, 2), (%s - 1)/2 - 1]",
            "[1 + mod(%s - 1, 2), 1 + mod((%s - 1)/2, 2), 1 + (%s - 1)/4]")[which].replace("%s", image)


class Thing:
    """An array that statements may name: a variable, or a component of one. With `path`, the subscripts are the
    component's, and `element` may be the variable's subscript; `after` is a component of an array's elements."""

    def __init__(self, kind, dims, var, path="", after="", element=None, coarray=True):
        self.kind, self.dims, self.var, self.path, self.after = kind, dims, var, path, after
        self.element, self.coarray, self.seen = element, coarray, None
        self.late = False  # may be allocated again
        self.cobounds = 0

    def family(self):
        return next((f for f in ("logical", "character", "type") if self.kind.startswith(f)), "number")

    def named(self, image, subs, model=False, stat=False):
        """`image`: "[b]" of the coarray, or ""; the model says "b" or "a". In a procedure it has other bounds."""
        name, lows = self.var, [d[0] for d in self.dims]
        where = "" if self.element is None else self.element[0]
        if model:
            name = "m(%s)%%%s" % (image, name)
            image = ""
        elif self.seen:
            name = self.seen[0]
            image = image and cosubscripts(image[1:-1], self.seen[2])
            if self.element:
                where = self.seen[1][0] + self.element[1]
            elif not self.path:
                lows = self.seen[1]
        elif image:
            image = cosubscripts(image[1:-1], self.cobounds)
        if stat:
            image = image[:-1] + ", stat=stat]"
        section = "(" + ", ".join(shown(s, low) for s, low in zip(subs, lows)) + ")" if subs else ""
        if self.path:
            return name + ("" if where == "" else "(%d)" % where) + image + self.path + section
        return name + section + image + self.after


class View(Thing):
    """A dummy argument that is a section of a variable."""

    def __init__(self, base, subs):
        self.base, self.subs = base, [(0, size(d) - 1, 1) if s == ":" else s for s, d in zip(subs, base.dims)]
        super().__init__(base.kind, [(1, abs(s[1] - s[0]) // abs(s[2]) + 1) for s in self.subs if s[2]], base.var)

    def named(self, image, subs, model=False, stat=False):
        if not model:
            return super().named(image, subs, stat=stat)
        rest, within = list(subs), []
        for first, last, stride in self.subs:
            sub = rest.pop(0) if stride else None
            if sub is None or sub == ":":
                within.append((first, last, stride))
            elif isinstance(sub, list):
                within.append([first + i*stride for i in sub])
            else:
                within.append((first + sub[0]*stride, first + sub[1]*stride, sub[2]*stride))
        return self.base.named(image, within, True)


def dims_of(rank, largest=1500):
    """Some are larger than what travels with a request."""
    most = {1: (9, 9, 9, 60, 60, largest), 2: (9, 9, 9, 60), 3: (5,), 4: (5,)}.get(rank, (3,))
    most, dims = rng.choice(most), []
    for _ in range(rank):
        low, n = rng.choice((1, 1, 0, -3, 5)), rng.randint(1 if rank > 2 else 3, most)
        dims.append((low, low + n - 1))
    return dims


def declared(dims):
    return "(" + ", ".join("%d:%d" % d for d in dims) + ")" if dims else ""


def colons(dims):
    return "(" + ", ".join(":" * len(dims)) + ")"


def size(dim):
    return dim[1] - dim[0] + 1


# ---- sections: subscripts count from 0 until they are shown -----------------------------------------


def bound(n):
    """Known to the compiler or not."""
    return "%d" % n if rng.random() < 0.6 else "%d+zero" % n if n >= 0 else "zero-%d" % -n


def shown(sub, low):
    if sub == ":":
        return sub
    if isinstance(sub, list):
        return "[" + ", ".join("%d" % (low + i) for i in sub) + "]"
    first, last, stride = sub
    if stride == 0:
        return bound(low + first)
    return bound(low + first) + ":" + bound(low + last) + ("" if stride == 1 else ":%d" % stride)


def triplet(most, n):
    if n == most and rng.random() < 0.4:
        return ":"
    if n == 0:
        at = rng.randrange(most)
        return (at + 1, at, 1)
    stride = rng.randint(1, min(3, (most - 1) // (n - 1) if n > 1 else 3))
    first = rng.randrange(most - (n - 1) * stride if n > 1 else most)
    last = first + (n - 1) * stride
    return (last, first, -stride) if rng.random() < 0.4 else (first, last, stride)


def subscripts(thing, extents, vectors=False, twice=False):
    """Subscripts of a section with these extents, for a thing that has room for them."""
    while True:
        chosen = sorted(rng.sample(range(len(thing.dims)), len(extents)))
        if all(size(thing.dims[d]) >= n for d, n in zip(chosen, extents)):
            break
    out = []
    vectors = vectors and rng.random() < 0.5
    for d, dim in enumerate(thing.dims):
        if d not in chosen:
            out.append((rng.randrange(size(dim)), 0, 0))
            continue
        n = extents[chosen.index(d)]
        if vectors and size(dim) > 1 and 0 < n < 20 and rng.random() < 0.5:
            places = range(size(dim))
            out.append([rng.choice(places) for _ in range(n)] if twice else rng.sample(places, n))
        else:
            part = triplet(size(dim), n)
            # Beside a vector subscript ":" is an internal compiler error.
            out.append((0, n - 1, 1) if part == ":" and vectors else part)
    return out


def extents_for(things, rank):
    """Extents of a section that all of them have in some order of their dimensions: tried, not thought."""
    for _ in range(50):
        dims = sorted(rng.sample(range(len(things[0].dims)), rank))
        extents = [0 if rng.random() < 0.04 else rng.randint(1, size(things[0].dims[d])) for d in dims]
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


def plain(thing):
    return not (thing.path or thing.after)


def statement(things, apart, outer):
    """(for the image that runs it, for the model): a put, a get, from one image to another, or an expression of two.
    `apart`: all images run it at once. `outer`: a put may name the parent team, and its image there is b_outer."""
    while True:
        remote = rng.choice([t for t in things if t.coarray])
        family = [t for t in things if t.family() == remote.family()
                  and (t.family() != "type" or t.kind == remote.kind)]
        local, third = rng.choice(family), rng.choice([t for t in family if t.coarray])
        how = rng.choice(("put", "put", "get", "get", "between", "two"))
        target, source = {"put": (remote, local), "between": (remote, third)}.get(how, (local, remote))
        if apart and target is source or apart and target.var == source.var and target.kind[:4] == "type":
            continue
        if apart and target.var == source.var == "p" and (plain(target) or plain(source)):
            continue
        # Internal compiler errors: from a component to another image's coarray, a local component on the left.
        if how == "between" and "t" in (remote.var, third.var) or how in ("get", "two") and local.var == "t":
            continue
        if how == "two" and (remote.family() != "number" or apart and local is third or local.var == third.var == "p"):
            continue
        rank = min(rng.choice((0, 1, 1, 2, 2, 3, 3, 6)), len(target.dims), len(source.dims))
        if how == "two":
            rank = min(rank, len(third.dims))
        if rank == 0 and how != "put" and (source.kind.startswith("complex") or third.kind.startswith("complex")):
            continue  # the compiler's offset is junk
        break
    broadcast = rank > 0 and how == "put" and rng.random() < 0.15
    extents = extents_for([target, source] + ([third] if how == "two" else []), rank)
    whole = rng.random() < 0.5 or how == "two" or source.family() != "number"  # the right-hand side is nothing else
    able = plain(target) and plain(source) and source.family() in ("number", "logical") and not broadcast
    to = subscripts(target, extents, vectors=how == "put" and able)
    of = subscripts(source, [] if broadcast else extents, vectors=how == "get" and whole and able, twice=True)
    images = {"put": ("b", ""), "between": ("b", "c")}.get(how, ("", "b"))
    # Where an allocatable coarray is on the left, and between images, the compiler drops it.
    names, stat = [], how in ("get", "two") and not target.late and target.var != "z" and rng.random() < 0.2
    for thing, image, subs in zip((target, source), images, (to, of)):
        said = stat and thing is source and subs is of
        names.append((thing.named("[%s]" % image if image else "", subs, stat=said),
                      thing.named(image or "a", subs, True)))
    form = "%s" if whole else rng.choice(("%s", "-%s", "%s/2"))
    both = [names[0][i] + " = " + form % names[1][i] for i in (0, 1)]
    if how == "two":
        subs = subscripts(third, extents)
        both = [names[0][i] + " = (%s - %s)/2" % (names[1][i], third.named("[c]" if i == 0 else "c", subs, i == 1))
                for i in (0, 1)]
    if outer and how == "put" and plain(target) and target.var != "z" and rng.random() < 0.5:
        both[0] = both[0].replace("[b]", "[b_outer, team=t1]", 1)
    if stat:
        both[0] = "stat = -1; %s; call check(stat == 0, -1, 'stat= of a reference')" % both[0]
    return both


def value_of(kind, salt):
    value = "mod(a*37 + k*%d + %d, 101) - 50" % (rng.choice((7, 11, 13)), salt)
    if kind.startswith("logical"):
        return "mod(%s, 3) == 0" % value
    if kind.startswith("character"):
        return "achar(65 + mod(a*5 + k, 26)) // achar(97 + mod(k, 26)) // achar(48 + a)"
    if kind.startswith("complex"):
        return "cmplx((%s)/4.0, k - 0.5)" % value
    return "(%s)/4.0" % value if kind.startswith("real") else value


def fill(kind, name, dims):
    value, count = value_of(kind, rng.randrange(100)), 1
    for d in dims:
        count *= size(d)
    if not dims:
        return "k = 3; %s = %s" % (name, value)
    return "%s = reshape([(%s, k=1, %d)], [%s])" % (name, value, count, ", ".join(str(size(d)) for d in dims))
