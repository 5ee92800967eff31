#!/usr/bin/env python3
"""Writes a random coarray program that checks itself: random_program.py SEED > x.f90

Coarrays of random shapes, bounds and types are assigned to and from random sections of other images, in teams and
procedures too, allocated again, moved, reduced. Everything is done once more, on every image, by ordinary variables
that model all images, and after each round the two must be equal. What gfortran 12 does wrong by itself
(docs/status-caf.md) is not written."""
import random
import sys

rng = random.Random(int(sys.argv[1]))
ROUNDS = 70
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

    def named(self, image, subs, model=False):
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
        section = "(" + ", ".join(shown(s, low) for s, low in zip(subs, lows)) + ")" if subs else ""
        if self.path:
            return name + ("" if where == "" else "(%d)" % where) + image + self.path + section
        return name + section + image + self.after


def dims_of(rank):
    """Some are larger than what travels with a request."""
    most = rng.choice((9, 9, 9, 60)) if rank < 3 else 5
    dims = []
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
        rank = min(rng.choice((0, 1, 1, 2, 2, 3)), len(target.dims), len(source.dims))
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
    names = []
    for thing, image, subs in zip((target, source), images, (to, of)):
        names.append((thing.named("[%s]" % image if image else "", subs), thing.named(image or "a", subs, True)))
    form = "%s" if whole else rng.choice(("%s", "-%s", "%s/2"))
    both = [names[0][i] + " = " + form % names[1][i] for i in (0, 1)]
    if how == "two":
        subs = subscripts(third, extents)
        both = [names[0][i] + " = (%s - %s)/2" % (names[1][i], third.named("[c]" if i == 0 else "c", subs, i == 1))
                for i in (0, 1)]
    if outer and how == "put" and plain(target) and target.var != "z" and rng.random() < 0.5:
        both[0] = both[0].replace("[b]", "[b_outer, team=t1]", 1)
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


# ---- rounds ---------------------------------------------------------------------------------------

TEAMS = {0: [], 1: ["t1"], 2: ["t2"], 3: ["t1", "t3"]}
procedures = []  # of the program, that rounds have


class Round:
    def __init__(self, number, things):
        self.number, self.things = number, things
        self.level = rng.choice((0, 0, 0, 1, 2, 3))
        self.shift, self.other = rng.randint(0, 5), rng.randint(0, 5)
        self.out, self.after = [], []

    def lines(self):
        """In the team the images do it; then the model, on each."""
        self.choose()
        teams = TEAMS[self.level]
        return (["! round %d" % self.number] + ["change team (%s)" % t for t in teams] + self.out
                + ["end team"] * len(teams) + ["sync all"] * (self.level > 0)
                + ["call check(.not. allocated(z), %d, 'z')" % self.number] + self.after)

    def each(self, lines):
        """For the model of every image a: b and c are the images that it means by these numbers."""
        image = "  %%s = member(%d, a, 1 + mod(place(%d, a) + %%d, many(%d, a)))" % ((self.level,) * 3)
        return (["do a = 1, n", image % ("b", self.shift), image % ("c", self.other)]
                + ["  " + line for line in lines] + ["end do"])

    def here(self):
        lines = ["a = me; b = 1 + mod(this_image() + %d, num_images()); c = 1 + mod(this_image() + %d, num_images())"
                 % (self.shift, self.other)]
        if self.level == 3:
            lines += ["b_outer = place(1, member(3, me, b))"]
        return lines

    def synced(self):
        """Each image waits for the one that has it for b at least."""
        how = rng.choice(("all", "all", "images", "*", "event", "stat"))
        if how == "images":
            return ["before = 1 + modulo(this_image() - %d - 2, num_images())" % self.shift,
                    "if (before == b) then", "  sync images (b)", "else", "  sync images ([b, before])", "end if"]
        if how == "event":
            k = rng.randint(1, 3)
            return ["event post (ev(%d)[b])" % k, "event wait (ev(%d))" % k, "call event_query(ev(%d), k)" % k,
                    "call check(k == 0, %d, 'event_query')" % self.number]
        return {"all": ["sync all"], "*": ["sync images (*)"],
                "stat": ["sync all (stat=k)", "call check(k == 0, %d, 'stat')" % self.number]}[how]

    def choose(self):
        how = rng.choice(("together",) * 5 + ("alone",) * 3 + ("collective",) * 2
                         + ("allocate", "procedure", "procedure", "counters", "again", "move", "local", "component"))
        getattr(self, how)()

    def verified(self):
        return ["call verify(%d)" % self.number, "sync all"]

    def together(self, things=None):
        self.out = self.here()
        real, model = statement(things or self.things, True, self.level == 3)
        self.out += [real] + self.synced() + self.each([model]) + self.verified()

    def alone(self, things=None):
        """One image does it, statements that depend on each other."""
        body = [statement(things or self.things, False, self.level == 3) for _ in range(rng.randint(1, 4))]
        one = "if (%%s == 1 + mod(%d, n)) then" % self.number
        self.out = self.here() + [one % "me"] + ["  " + s[0] for s in body] + ["end if", "sync all"]
        self.out += self.each([one % "a"] + ["  " + s[1] for s in body] + ["end if"]) + self.verified()

    def procedure(self):
        """The same in a procedure, whose dummy arguments have other bounds."""
        plains = [t for t in self.things if not t.late and t.coarray]
        vars_of = sorted({t.var for t in plains if t.var != "t"})
        few = rng.sample(vars_of, min(5, len(vars_of)))
        things = [t for t in plains if t.var in few]
        declarations = []
        for var in few:
            first = next(t for t in things if t.var == var and not t.path)
            lows = [rng.choice((1, 1, 0, -2, 4)) for _ in first.dims]
            if rng.random() < 0.5:
                bounds = ["%d:" % low for low in lows]
            else:
                bounds = ["%d:%d" % (low, low + size(d) - 1) for low, d in zip(lows, first.dims)]
            kind, which = "type(flat)" if var == "p" else first.kind, rng.choice((0, 0, 1, 2, 3))
            declarations.append("%s, intent(inout) :: d_%s(%s)[%s]" % (kind, var, ", ".join(bounds), COBOUNDS[which]))
            for t in things:
                if t.var == var:
                    t.seen = ("d_" + var, lows, which)
        (self.together if rng.random() < 0.5 else self.alone)(things)
        for t in things:
            t.seen = None
        name, names = "round_%d" % self.number, ", ".join("d_" + v for v in few)
        procedures.extend(["subroutine %s(%s)" % (name, names)] + ["  " + d for d in declarations]
                              + ["  " + line for line in self.out] + ["end subroutine"])
        self.out = ["call %s(%s)" % (name, ", ".join(few))]

    def collective(self):
        thing = rng.choice([t for t in self.things if t.dims and ",4" not in t.kind])
        rank = rng.randint(0, len(thing.dims)) if plain(thing) else len(thing.dims)
        subs = subscripts(thing, extents_for([thing], rank))
        if thing.after:
            return self.together()
        own = thing.named("", subs)
        op = rng.choice(("co_broadcast", "co_max", "co_min", "co_sum"))
        if thing.family() in ("logical", "type") or op == "co_sum" and thing.kind in ("integer(1)", "integer(2)"):
            op = "co_broadcast"
        if thing.family() == "character" and op == "co_sum" or thing.kind.startswith("complex"):
            op = "co_broadcast"
        level, root = self.level, "1 + mod(%d, many(%d, a))" % (rng.randint(0, 4), self.level)
        at, of = thing.named("r", subs, True), thing.named("member(%d, a, i)" % level, subs, True)
        self.out = ["a = me"]
        loop = "do i = 1, many(%d, a)" % level
        first = ["if (place(%d, a) /= 1) cycle" % level, "r = member(%d, a, %s)" % (level, root)]
        if op == "co_broadcast":
            self.out += ["call co_broadcast(%s, %s)" % (own, root)]
            model = first + [loop, "  %s = %s" % (of, at), "end do"]
        else:
            result = rng.random() < 0.3
            if thing.kind.startswith("real") and op == "co_sum":
                self.out += ["%s = aint(%s)" % (own, own)]
                first += [loop, "  %s = aint(%s)" % (of, of), "end do"]
            self.out += ["call %s(%s%s)" % (op, own, ", result_image=" + root if result else "")]
            sum_of = "%s + %s" if op == "co_sum" else op[3:] + "(%s, %s)"
            model = first + [loop, "  if (member(%d, a, i) /= r) %s = %s" % (level, at, sum_of % (at, of)), "end do"]
            if not result:
                model += [loop, "  %s = %s" % (of, at), "end do"]
            if op == "co_sum":
                self.out += ["%s = %s/8" % (own, own)]
                model += [loop, "  %s = %s/8" % (of, of), "end do"]
        self.out += self.each(model) + self.verified()
        self.out += ["call maps_reduced(%d, %s)" % (level, rng.randint(0, 4))] if rng.random() < 0.3 else []

    def counters(self):
        times, level = rng.randint(3, 9), self.level
        factor, here = rng.randint(0, 3), "place(%d, a)" % level
        body = ["b = 1 + mod(this_image()*%d + i, num_images()); j = 1 + mod(i + this_image(), 3)" % factor]
        model = ["  b = member(%d, a, 1 + mod(%s*%d + i, many(%d, a)))" % (level, here, factor, level),
                 "  j = 1 + mod(i + %s, 3)" % here]
        for kind in rng.sample(("lock", "critical", "add", "xor", "fetch", "cas"), 3):
            bit = "ishft(1, mod(i*5 + me, 20))"
            body += {"lock": ["lock (lk(j)[b])", "count(j)[b] = count(j)[b] + me*i", "unlock (lk(j)[b])"],
                     "critical": ["critical", "  count(4)[b] = count(4)[b] + i", "end critical"],
                     "add": ["call atomic_add(at(j)[b], i - me)"], "xor": ["call atomic_xor(at(4)[b], %s)" % bit],
                     "fetch": ["call atomic_fetch_add(at(j)[b], me, k, stat)",
                               "call check(stat == 0, %d, 'stat')" % self.number],
                     "cas": ["call atomic_ref(k, at(5)[b])", "do", "  old = k",
                             "  call atomic_cas(at(5)[b], k, old, old*2 + 2)", "  if (k == old) exit", "end do"]}[kind]
            model += ["  " + {"lock": "m(b)%count(j) = m(b)%count(j) + a*i", "add": "m(b)%at(j) = m(b)%at(j) + i - a",
                              "critical": "m(b)%count(4) = m(b)%count(4) + i",
                              "fetch": "m(b)%at(j) = m(b)%at(j) + a",
                              "xor": "m(b)%at(4) = ieor(m(b)%at(4), " + bit.replace("me", "a") + ")",
                              "cas": "m(b)%at(5) = m(b)%at(5)*2 + 2"}[kind]]
        self.out = ["do i = 1, %d" % times] + ["  " + line for line in body] + ["end do", "sync all"]
        self.out += self.each(["do i = 1, %d" % times] + model + ["end do"]) + self.verified()

    def allocate(self):
        """A coarray of the team, which END TEAM frees."""
        if self.level == 0:
            self.level = 1
        z = Thing(Z_KIND, dims_of(2), "z")
        model_of = ["if (allocated(m(a)%z)) deallocate (m(a)%z)", "allocate (m(a)%%z%s)" % declared(z.dims)]
        fill_z = fill(z.kind, "z", z.dims)
        start = ["a = me", "allocate (z%s[*])" % declared(z.dims), fill_z]
        start += self.each(model_of + [fill_z.replace("z =", "m(a)%z =", 1)]) + ["sync all"]
        few = rng.sample([t for t in self.things if t.family() == "number"], 5) + [z, z, z]
        (self.together if rng.random() < 0.5 else self.alone)(few)
        same = ["call check(all(z == m(me)%%z), %d, 'z')" % self.number]
        moved = ["call move_alloc(z, z_moved)", same[0].replace("z ==", "z_moved ==")]
        end = rng.choice(([], ["deallocate (z)"], moved))
        self.out = start + self.out + same + end
        self.after = ["call check(.not. allocated(z_moved), %d, 'z_moved')" % self.number]

    def renewed(self, thing):
        """Allocated again, in another shape."""
        thing.dims = dims_of(len(thing.dims))
        line = fill(thing.kind, thing.var, thing.dims)
        return (["a = me", "allocate (%s%s[%s])" % (thing.var, declared(thing.dims), COBOUNDS[thing.cobounds]), line]
                + self.each(["allocate (m(a)%%%s%s)" % (thing.var, declared(thing.dims)), "m(a)%%%s" % line]))

    def again(self):
        self.level = 0
        thing = rng.choice([t for t in self.things if t.late])
        self.out = ["deallocate (%s)" % thing.var] + self.each(["deallocate (m(a)%%%s)" % thing.var])
        self.out += self.renewed(thing) + ["sync all"] + self.verified()

    def move(self):
        self.level = 0
        late = [t for t in self.things if t.late]
        source = rng.choice(late)
        to = next(t for t in late if t is not source and t.kind == source.kind and len(t.dims) == len(source.dims))
        self.out = ["call move_alloc(%s, %s)" % (source.var, to.var)]
        self.out += self.each(["call move_alloc(m(a)%%%s, m(a)%%%s)" % (source.var, to.var)])
        to.dims = source.dims
        self.out += self.renewed(source) + ["sync all"] + self.verified()

    def local(self):
        """Into a variable that the assignment allocates."""
        thing = rng.choice([t for t in self.things if t.coarray and t.dims and t.family() == "number"])
        rank = min(2, len(thing.dims))
        subs = subscripts(thing, extents_for([thing], rank))
        kind = rng.choice((0, 1))
        name = "l%d%d" % (rank, kind)
        self.out = self.here() + ["%s = %s" % (name, thing.named("[b]", subs)), "sync all"]
        self.out += ["a = me; b = member(%d, a, b)" % self.level, "%sm = %s" % (name, thing.named("b", subs, True))]
        self.out += ["call check(all(shape(%s) == shape(%sm)), %d, 'shape')" % (name, name, self.number),
                     "call check(all(%s == %sm), %d, 'local')" % (name, name, self.number)]

    def component(self):
        """Of another image, allocated by the assignment; and allocated again by its owner."""
        thing = rng.choice([t for t in self.things if t.var == "t" and t.dims and t.path != "%q"])
        source = rng.choice([t for t in self.things if plain(t) and t.family() == "number"
                             and len(t.dims) >= len(thing.dims)])
        extents = [max(1, n) for n in extents_for([source], len(thing.dims))]
        subs = subscripts(source, extents)
        self.out = self.here() + ["t[b]%s = %s" % (thing.path, source.named("", subs))] + self.synced()
        self.out += self.each(["m(b)%%t%s = %s" % (thing.path, source.named("a", subs, True))]) + self.verified()
        if extents != [size(d) for d in thing.dims]:
            thing.dims = [(1, n) for n in extents]


MODULE = """
module maps
  type map
    integer(8) :: a, b, n
  end type
contains
  pure function after(x, y) result(z)
    type(map), intent(in) :: x, y
    type(map) :: z
    z = map(mod(x%a*y%a, 10007), mod(x%a*y%b + x%b, 10007), x%n + y%n)
  end function
end module"""

START = """
me = this_image(); n = num_images(); zero = n - num_images()
allocate (m(n), place(0:3, n), many(0:3, n), member(0:3, n, n))
do a = 1, n
  place(0, a) = a; many(0, a) = n; member(0, a, :) = [(i, i=1, n)]
  m(a)%count = 0; m(a)%at = 0
end do
call plan(1, 0, [(1 + mod(a, 2), a=1, n)])
call plan(2, 0, [(1 + a/2, a=1, n)])
call plan(3, 1, [(7 + 4*mod(place(1, a), 2), a=1, n)])
form team (1 + mod(me, 2), t1)
form team (1 + me/2, t2)
change team (t1)
  form team (7 + 4*mod(place(1, me), 2), t3)
end team"""


def program():
    state, things = [], []  # (kind, name, dims, "coarray", "late" or "")
    late_cobounds = rng.choice((0, 1, 2, 3))

    def variable(kind, name, dims, what="coarray"):
        state.append((kind, name, dims, what))
        things.append(Thing(kind, dims, name, coarray=what != ""))
        things[-1].late = what == "late"
        things[-1].cobounds = late_cobounds if what == "late" else rng.choice((0, 0, 1, 2, 3)) if what else 0
    for k in range(8):
        variable(NUMBERS[k] if k < 2 else rng.choice(NUMBERS), "x%d" % k, dims_of(rng.choice((1, 2, 2, 3, 4))))
    kind = rng.choice(NUMBERS)
    for k in range(3):
        variable(kind, "late%d" % k, dims_of(2), "late")
    for k, kind in enumerate(rng.sample(OTHERS, 7)):
        variable(kind, "y%d" % k, dims_of(rng.randint(1, 3)))
    for k in range(5):
        variable(rng.choice(NUMBERS + OTHERS), "w%d" % k, dims_of(rng.choice((1, 2, 3))), "")
    # Of a type with nothing allocatable, and of one with components that have components.
    kinds = [rng.choice(NUMBERS[:9]) for _ in range(6)]
    p, lp, v, q, a, w, s = [dims_of(rank) for rank in (1, 1, 2, 1, 2, rng.randint(1, 2), 1)]
    at, inner = rng.randrange(size(p[0])), rng.randint(1, 3)
    things += [Thing("type(flat)", p, "p"), Thing("type(flat)", lp, "lp", coarray=False),
               Thing(kinds[0], p, "p", after="%k"), Thing(kinds[1], v, "p", "%v", element=(p[0][0] + at, at)),
               Thing("character(4)", s, "p", "%s", element=(p[0][0] + at, at)),
               Thing(kinds[2], q, "t", "%q"), Thing(kinds[3], a, "t", "%a"),
               Thing(kinds[4], w, "t", "%%in(%d)%%w" % inner), Thing(kinds[5], [], "t", "%%in(%d)%%s" % inner)]

    def types(tag):
        # Of a coarray types have tokens: the model has types of its own.
        return ["type flat%s" % tag, "  %s :: k" % kinds[0], "  character(3) :: between = 'b'",
                "  %s :: v%s" % (kinds[1], declared(v)), "  character(4) :: s%s" % declared(s), "end type",
                "type leaf%s" % tag, "  %s :: s" % kinds[5], "  %s, allocatable :: w%s" % (kinds[4], colons(w)),
                "end type",
                "type tree%s" % tag, "  %s :: q%s" % (kinds[2], declared(q)), "  %s, allocatable :: a(:, :)" % kinds[3],
                "  type(leaf%s), allocatable :: in(:)" % tag, "end type"]

    global Z_KIND
    Z_KIND = rng.choice(NUMBERS)
    out = ["use iso_fortran_env", "use maps", "implicit none"] + types("") + types("_model")
    out += ["type state"]
    late = [part for part in state if part[3] == "late"]
    out += ["  %s, allocatable :: %s(:, :)" % part[:2] for part in late]
    out += ["  %s :: %s%s" % (kind, name, declared(dims)) for kind, name, dims, what in state if what != "late"]
    out += ["  %s, allocatable :: z(:, :)" % Z_KIND, "  type(flat_model) :: p%s, lp%s" % (declared(p), declared(lp)),
            "  type(tree_model) :: t", "  integer :: count(4), at(5)", "end type"]
    cobounds = {t.var: COBOUNDS[t.cobounds] for t in things}
    codimensions = ", ".join(":" * (1 + COBOUNDS[late_cobounds].count(",")))
    out += ["%s, allocatable :: %s(:, :)[%s]" % (part[0], part[1], codimensions) for part in late]
    out += [("%s, save :: %s%s[%s]" if what else "%s :: %s%s%.0s") % (kind, name, declared(dims), cobounds[name])
            for kind, name, dims, what in state if what != "late"]
    out += ["%s, allocatable :: z(:, :)[:], z_moved(:, :)[:]" % Z_KIND, "type(flat), save :: p%s[*]" % declared(p),
            "type(flat) :: lp%s" % declared(lp), "type(tree), save :: t[*]", "type(state), allocatable :: m(:)",
            "type(event_type), save :: ev(3)[*]", "type(lock_type), save :: lk(3)[*]", "type(team_type) :: t1, t2, t3",
            "integer(atomic_int_kind), save :: at(5)[*] = 0", "integer, save :: count(4)[*] = 0",
            "integer, allocatable :: place(:, :), many(:, :), member(:, :, :)",
            "integer :: a, b, c, b_outer, before, me, n, i, j, k, r, old, stat, zero"]
    for rank in (1, 2):
        out += ["%s, allocatable, dimension%s :: l%d%d, l%d%dm" % (kind, colons("?" * rank), rank, k, rank, k)
                for k, kind in enumerate(("integer(4)", "real(10)"))]
    out += START.strip().split("\n")
    make = ["allocate (t%%a%s, t%%in(3))" % declared(a), "do i = 1, 3", "  allocate (t%%in(i)%%w%s)" % declared(w),
            "end do"]
    out += make + ["allocate (%s%s[%s])" % (name, declared(dims), cobounds[name]) for _, name, dims, _ in late]
    out += ["call check(image_index(%s, %s) == me, 0, 'image_index')" % (t.var, cosubscripts("me", t.cobounds))
            for t in things if t.coarray and plain(t) and t.var != "p"]
    out += ["do a = 1, n"] + ["  " + line.replace("t%", "m(a)%t%") for line in make]
    out += ["  allocate (m(a)%%%s%s)" % (name, declared(dims)) for _, name, dims, _ in late]
    parts = [(kind, name, dims) for kind, name, dims, _ in state] + [(kinds[0], "p%k", p), (kinds[0], "lp%k", lp)]
    for name, dims in (("p", p), ("lp", lp)):
        for e in range(dims[0][0], dims[0][1] + 1):
            parts += [(kinds[1], "%s(%d)%%v" % (name, e), v), ("character(4)", "%s(%d)%%s" % (name, e), s)]
    parts += [(kinds[2], "t%q", q), (kinds[3], "t%a(:, :)", a)]
    parts += [(kinds[4], "t%%in(%d)%%w%s" % (e, colons(w)), w) for e in (1, 2, 3)]
    parts += [(kinds[5], "t%%in(%d)%%s" % e, []) for e in (1, 2, 3)]
    out += ["  " + fill(kind, "m(a)%" + name, dims) for kind, name, dims in parts] + ["end do"]
    out += ["%s = m(me)%%%s" % (name, name) for _, name, _ in parts] + ["sync all"]
    for number in range(1, ROUNDS + 1):
        out += Round(number, things).lines()
    out += ["contains", "  include 'random.inc'"] + ["  " + line for line in procedures]
    out += ["  subroutine verify(round)", "    integer, intent(in) :: round"]
    parts += [("integer", "at", [0]), ("integer", "count", [0])]
    for kind, name, dims in parts:
        equal = "%s %s m(me)%%%s" % (name, ".eqv." if kind.startswith("logical") else "==", name)
        out.append("    call check(logical(%s), round, '%s')" % ("all(%s)" % equal if dims else equal, name))
    return out + ["  end subroutine"]


print("! Made by random_program.py %s.%s\nprogram random_program" % (sys.argv[1], MODULE))
print("\n".join("  " + line for line in program()) + "\nend program")
