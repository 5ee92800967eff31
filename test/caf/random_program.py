#!/usr/bin/env python3
"""Writes a random coarray program that checks itself: random_program.py SEED > x.f90

Coarrays of random shapes, bounds and types are assigned to and from random sections of other images, in teams and
procedures too, allocated again, moved, reduced. Everything is done once more, on every image, by ordinary variables
that model all images, and after each round the two must be equal. What gfortran 12 does wrong by itself
(docs/status-caf.md) is not written."""
import sys

sys.dont_write_bytecode = True
from random_sections import (COBOUNDS, NUMBERS, OTHERS, Thing, View, colons, cosubscripts, declared, dims_of,
                             extents_for, fill, plain, rng, size, statement, subscripts)

ROUNDS = 70

# ---- rounds ---------------------------------------------------------------------------------------

TEAMS = {0: [], 1: ["t1"], 2: ["t2"], 3: ["t1", "t3"], 4: ["t4"]}
FORMED = {"t1": "form team (1 + mod(me, 2), t1)", "t2": "form team (1 + me/2, t2)",
          "t3": "form team (7 + 4*mod(place(1, me), 2), t3)",
          "t4": "form team (3 + mod(me, 3), t4)"}
AFTER = {"t1": "t3"}  # formed in that team
formed_before = set()
functions = {}  # of the module, for CO_REDUCE
procedures = []  # of the program, that rounds have


class Round:
    def __init__(self, number, things):
        self.number, self.things = number, things
        self.level = rng.choice((0, 0, 0, 1, 2, 3, 4))
        self.shift, self.other = rng.randint(0, 5), rng.randint(0, 5)
        self.out, self.after = [], []

    def lines(self):
        """In the team the images do it; then the model, on each."""
        self.choose()
        teams, enter = TEAMS[self.level], []
        for t in teams:
            again = rng.random() < 0.1
            if again:
                formed_before.add(AFTER.get(t))
            enter += [FORMED[t]] * (again or t in formed_before) + ["change team (%s)" % t]
            formed_before.discard(t)
        return (["! round %d" % self.number] + enter + self.out
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
        how = rng.choice(("all", "all", "images", "*", "event", "stat", "flag", "team"))
        if how == "images":
            return ["before = 1 + modulo(this_image() - %d - 2, num_images())" % self.shift,
                    "if (before == b) then", "  sync images (b)", "else", "  sync images ([b, before])", "end if"]
        if how == "event":
            k = rng.randint(1, 3)
            return ["event post (ev(%d)[b])" % k, "event wait (ev(%d))" % k, "call event_query(ev(%d), k)" % k,
                    "call check(k == 0, %d, 'event_query')" % self.number]
        if how == "flag":
            return ["sync memory", "call atomic_define(mark[b], %d)" % self.number, "do",
                    "  call atomic_ref(k, mark); if (k == %d) exit" % self.number, "end do", "sync memory"]
        if how == "team" and self.level:
            return ["sync team (%s)" % TEAMS[self.level][-1]]
        return {"all": ["sync all"], "*": ["sync images (*)"], "team": ["sync all ()"],
                "stat": ["sync all (stat=k)", "call check(k == 0, %d, 'stat')" % self.number]}[how]

    def choose(self):
        how = rng.choice(("together",) * 5 + ("alone",) * 3 + ("collective",) * 2
                         + ("allocate", "procedure", "procedure", "counters", "again", "move", "local", "component",
                            "reduced", "posted", "forms", "forms"))
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
        declarations, actual = [], {}
        for var in few:
            first = next(t for t in things if t.var == var and not t.path)
            if first.dims and var != "p" and rng.random() < 0.4:
                extents = [max(1, n) for n in extents_for([first], rng.randint(1, len(first.dims)))]
                view = View(first, subscripts(first, extents))
                things[things.index(first)], actual[var] = view, var + first.named("", view.subs)[len(var):]
                first = view
            lows = [rng.choice((1, 1, 0, -2, 4)) for _ in first.dims]
            if isinstance(first, View) or rng.random() < 0.5:
                bounds = ["%d:" % low for low in lows]
            else:
                bounds = ["%d:%d" % (low, low + size(d) - 1) for low, d in zip(lows, first.dims)]
            kind, which = "type(flat)" if var == "p" else first.kind, rng.choice((0, 0, 1, 2, 3))
            shape = "(%s)" % ", ".join(bounds) if bounds else ""
            if kind.startswith("character") and rng.random() < 0.5:
                kind = "character(%s)" % ("*,4" if ",4" in kind else "*")
            declarations.append("%s, intent(inout) :: d_%s%s[%s]" % (kind, var, shape, COBOUNDS[which]))
            for t in things:
                if t.var == var:
                    t.seen = ("d_" + var, lows, which)
        (self.together if rng.random() < 0.5 else self.alone)(things)
        for t in things:
            t.seen = None
        name, names = "round_%d" % self.number, ", ".join("d_" + v for v in few)
        procedures.extend(["subroutine %s(%s)" % (name, names)] + ["  " + d for d in declarations]
                              + ["  " + line for line in self.out] + ["end subroutine"])
        self.out = ["call %s(%s)" % (name, ", ".join(actual.get(v, v) for v in few))]

    def chosen(self):
        """A section of something that a collective subroutine takes."""
        thing = rng.choice([t for t in self.things if t.dims or plain(t)])
        rank = rng.randint(0, len(thing.dims)) if plain(thing) else len(thing.dims)
        return thing, subscripts(thing, extents_for([thing], rank))

    def reduced(self):
        """By an operation that tells who came first, or last."""
        thing, subs = self.chosen()
        if thing.after or thing.family() == "type":
            return self.together()
        which, level, result = rng.choice(("first", "last")), self.level, rng.random() < 0.3
        name = "%s%d" % (which, len(functions))
        text = "*,4" if ",4" in thing.kind else "*"
        of = "character(%s)" % text if thing.family() == "character" else thing.kind
        by = ", value" if thing.family() != "character" and rng.random() < 0.4 else ""
        functions[name] = ["pure function %s(x, y) result(z)" % name, "  %s, intent(in)%s :: x, y" % (of, by),
                           "  %s :: z" % of.replace("*", "len(x)"), "  z = %s" % ("x" if which == "first" else "y"),
                           "end function"]
        root = "1 + mod(%d, many(%d, a))" % (rng.randint(0, 4), level)
        self.out = ["a = me", "call co_reduce(%s, %s%s)" % (thing.named("", subs), name,
                                                           ", result_image=" + root if result else "")]
        model = ["if (place(%d, a) /= 1) cycle" % level, "r = member(%d, a, %s)" % (level, root),
                 "c = member(%d, a, %s)" % (level, "1" if which == "first" else "many(%d, a)" % level),
                 "do i = 1, many(%d, a)" % level, "  b = member(%d, a, i)" % level]
        if result:
            model += ["  if (b /= r) cycle"]
        model += ["  %s = %s" % (thing.named("b", subs, True), thing.named("c", subs, True)), "end do"]
        self.out += self.each(model) + self.verified()

    def posted(self):
        """Several events of several images, waited for in two parts."""
        times, factor, event = rng.randint(2, 9), rng.randint(0, 3), rng.choice(("ev", "ev", "late_ev"))
        said, right = rng.choice((("", ""), (", stat=stat", "call check(stat == 0, %d, 'stat')" % self.number)))
        self.out = ["due = 0", "do r = 1, num_images()", "  do i = 1, %d" % times,
                    "    if (1 + mod(r*%d + i, num_images()) /= this_image()) cycle" % factor,
                    "    due(1 + mod(i + r, 3)) = due(1 + mod(i + r, 3)) + 1", "  end do", "end do",
                    "do i = 1, %d" % times,
                    "  event post (%s(1 + mod(i + this_image(), 3))[1 + mod(this_image()*%d + i, num_images())]%s)"
                    % (event, factor, said), "  " + right, "end do", "do j = 1, 3",
                    "  k = due(j)/2; if (k > 0) event wait (%s(j), until_count=k%s)" % (event, said),
                    "  k = due(j) - k; if (k > 0) event wait (%s(j), until_count=k%s)" % (event, said), "  " + right,
                    "  call event_query(%s(j), k); call check(k == 0, %d, 'event_query')" % (event, self.number),
                    "end do", "sync all"]

    FORMS = ["sum(%s)", "maxval(%s)", "minval(%s)", "size(%s)", "sum([%s, %s])", "sum(abs(%s))",
             "sum(pack(%s, %s > 0))", "sum(spread(%s, 1, 2))", "sum(merge(%s, -%s, %s > 2))", "product(shape(%s))",
             "sum(reshape(%s, [size(%s)]))", "sum(cshift(%s, 1))", "sum(real(%s, 8))", "maxval(int(%s, 8))",
             "sum(%s, mask=%s < 4)"]

    def forms(self):
        """References in expressions, and in the list of an output statement."""
        thing = rng.choice([t for t in self.things if t.coarray and t.dims and t.family() == "number"
                            and t.kind[:4] != "comp"])
        self.out, models = self.here(), ["a = me; b = member(%d, a, b)" % self.level]
        for k in range(rng.randint(1, 4)):
            subs = subscripts(thing, extents_for([thing], rng.randint(1, min(3, len(thing.dims)))))
            form = rng.choice(self.FORMS)
            real, model = [form.replace("%s", name) for name in
                           (thing.named("[b]", subs), thing.named("b", subs, True))]
            self.out += ["part(%d) = %s" % (k + 1, real)]
            models += ["call check(part(%d) == real(%s, 8), %d, 'a form')" % (k + 1, model, self.number)]
        subs = subscripts(thing, [min(4, n) for n in extents_for([thing], 1)])
        self.out += ["write (text, *) " + thing.named("[b]", subs)]
        models += ["write (text_m, *) " + thing.named("b", subs, True),
                   "call check(text == text_m, %d, 'output')" % self.number]
        self.out += models + ["sync all"]

    def collective(self):
        thing, subs = self.chosen()
        if thing.after or ",4" in thing.kind:
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
        for kind in rng.sample(("lock", "critical", "add", "xor", "fetch", "cas", "try", "late", "or", "and", "part"),
                               4):
            bit = "ishft(1, mod(i*5 + me, 20))"
            body += {"lock": ["lock (lk(j)[b])", "count(j)[b] = count(j)[b] + me*i", "unlock (lk(j)[b])"],
                     "critical": ["critical", "  count(4)[b] = count(4)[b] + i", "end critical"],
                     "try": ["do", "  lock (lk(j)[b], acquired_lock=got, stat=stat)",
                             "  call check(stat == 0, %d, 'lock')" % self.number, "  if (got) exit", "end do",
                             "count(j)[b] = count(j)[b] + 5*me", "unlock (lk(j)[b], stat=stat)",
                             "call check(stat == 0, %d, 'unlock')" % self.number],
                     "late": ["lock (late_lk(2)[b])", "count(5)[b] = mod(count(5)[b]*2 + 1, 10000)",
                              "unlock (late_lk(2)[b])"],
                     "or": ["call atomic_or(at(6)[b], %s)" % bit],
                     "and": ["call atomic_fetch_and(at(7)[b], not(%s), k)" % bit],
                     "part": ["call atomic_fetch_add(cells(j)[b]%n, me + i, k)"],
                     "add": ["call atomic_add(at(j)[b], i - me)"], "xor": ["call atomic_xor(at(4)[b], %s)" % bit],
                     "fetch": ["call atomic_fetch_add(at(j)[b], me, k, stat)",
                               "call check(stat == 0, %d, 'stat')" % self.number],
                     "cas": ["call atomic_ref(k, at(5)[b])", "do", "  old = k",
                             "  call atomic_cas(at(5)[b], k, old, old*2 + 2)", "  if (k == old) exit", "end do"]}[kind]
            model += ["  " + {"lock": "m(b)%count(j) = m(b)%count(j) + a*i", "add": "m(b)%at(j) = m(b)%at(j) + i - a",
                              "critical": "m(b)%count(4) = m(b)%count(4) + i",
                              "try": "m(b)%count(j) = m(b)%count(j) + 5*a",
                              "late": "m(b)%count(5) = mod(m(b)%count(5)*2 + 1, 10000)",
                              "or": "m(b)%at(6) = ior(m(b)%at(6), " + bit.replace("me", "a") + ")",
                              "and": "m(b)%at(7) = iand(m(b)%at(7), not(" + bit.replace("me", "a") + "))",
                              "part": "m(b)%cells(j) = m(b)%cells(j) + a + i",
                              "fetch": "m(b)%at(j) = m(b)%at(j) + a",
                              "xor": "m(b)%at(4) = ieor(m(b)%at(4), " + bit.replace("me", "a") + ")",
                              "cas": "m(b)%at(5) = m(b)%at(5)*2 + 2"}[kind]]
        self.out = ["do i = 1, %d" % times] + ["  " + line for line in body] + ["end do", "sync all"]
        self.out += self.each(["do i = 1, %d" % times] + model + ["end do"]) + self.verified()

    def allocate(self):
        """A coarray of the team, which END TEAM frees, or the end of a procedure."""
        if self.level == 0:
            self.level = 1
        z = Thing(Z_KIND, dims_of(2), "z")
        model_of = ["if (allocated(m(a)%z)) deallocate (m(a)%z)", "allocate (m(a)%%z%s)" % declared(z.dims)]
        fill_z = fill(z.kind, "z", z.dims)
        start = ["a = me", "allocate (z%s[*])" % declared(z.dims), fill_z]
        model = self.each(model_of + [fill_z.replace("z =", "m(a)%z =", 1)])
        if rng.random() < 0.4:
            start, model = model, ["allocate (z%s[*], source=m(me)%%z)" % declared(z.dims)]
        start += model + ["sync all"]
        few = rng.sample([t for t in self.things if t.family() == "number"], 5) + [z, z, z]
        (self.together if rng.random() < 0.5 else self.alone)(few)
        same = ["call check(all(z == m(me)%%z), %d, 'z')" % self.number]
        moved = ["call move_alloc(z, z_moved)", same[0].replace("z ==", "z_moved ==")]
        end = rng.choice(([], ["deallocate (z)"], moved))
        self.out = start + self.out + same + end
        if end is not moved and rng.random() < 0.4:
            name = "round_%d" % self.number
            procedures.extend(["subroutine %s()" % name, "  %s, allocatable :: z(:, :)[:]" % Z_KIND]
                              + ["  " + line for line in self.out] + ["end subroutine"])
            self.out = ["call %s" % name]
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
"""

START = """
me = this_image(); n = num_images(); zero = n - num_images()
allocate (m(n), place(0:4, n), many(0:4, n), member(0:4, n, n), late_ev(3)[*], late_lk(2)[*])
do a = 1, n
  place(0, a) = a; many(0, a) = n; member(0, a, :) = [(i, i=1, n)]
  m(a)%count = 0; m(a)%at = 0; m(a)%at(7) = -1; m(a)%cells = 0
end do
call plan(1, 0, [(1 + mod(a, 2), a=1, n)])
call plan(2, 0, [(1 + a/2, a=1, n)])
call plan(3, 1, [(7 + 4*mod(place(1, a), 2), a=1, n)])
call plan(4, 0, [(3 + mod(a, 3), a=1, n)])
at(7) = -1; cells%n = 0
"""


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
    for k in range(8, 11):  # a scalar complex coarray is read from elsewhere
        rank = rng.choice((0, 0, 5, 6, 7))
        variable(rng.choice(NUMBERS if rank else NUMBERS[:9]), "x%d" % k, dims_of(rank))
    variable(rng.choice(OTHERS), "y7", [])
    kind = rng.choice(NUMBERS)
    for k in range(3):
        variable(kind, "late%d" % k, dims_of(2), "late")
    for k, kind in enumerate(rng.sample(OTHERS, 7)):
        variable(kind, "y%d" % k, dims_of(rng.randint(1, 3)))
    for k in range(5):
        variable(rng.choice(NUMBERS + OTHERS), "w%d" % k, dims_of(rng.choice((1, 2, 3))), "")
    # Of a type with nothing allocatable, and of one with components that have components.
    kinds = [rng.choice(NUMBERS[:9]) for _ in range(6)]
    p, lp, v, q, a, w, s = [dims_of(rank, 9) for rank in (1, 1, 2, 1, 2, rng.randint(1, 2), 1)]
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
    out += ["type cell", "  character(3) :: pad", "  integer(atomic_int_kind) :: n", "end type", "type state"]
    late = [part for part in state if part[3] == "late"]
    out += ["  %s, allocatable :: %s(:, :)" % part[:2] for part in late]
    out += ["  %s :: %s%s" % (kind, name, declared(dims)) for kind, name, dims, what in state if what != "late"]
    out += ["  %s, allocatable :: z(:, :)" % Z_KIND, "  type(flat_model) :: p%s, lp%s" % (declared(p), declared(lp)),
            "  type(tree_model) :: t", "  integer :: count(5), at(7), cells(3)", "end type"]
    cobounds = {t.var: COBOUNDS[t.cobounds] for t in things}
    codimensions = ", ".join(":" * (1 + COBOUNDS[late_cobounds].count(",")))
    out += ["%s, allocatable :: %s(:, :)[%s]" % (part[0], part[1], codimensions) for part in late]
    out += [("%s, save :: %s%s[%s]" if what else "%s :: %s%s%.0s") % (kind, name, declared(dims), cobounds[name])
            for kind, name, dims, what in state if what != "late"]
    out += ["%s, allocatable :: z(:, :)[:], z_moved(:, :)[:]" % Z_KIND, "type(flat), save :: p%s[*]" % declared(p),
            "type(flat) :: lp%s" % declared(lp), "type(tree), save :: t[*]", "type(state), allocatable :: m(:)",
            "type(event_type), save :: ev(3)[*]", "type(lock_type), save :: lk(3)[*]",
            "type(team_type) :: t1, t2, t3, t4",
            "type(event_type), allocatable :: late_ev(:)[:]", "type(lock_type), allocatable :: late_lk(:)[:]",
            "integer(atomic_int_kind), save :: mark[*] = 0", "type(cell), save :: cells(3)[*]", "logical :: got",
            "real(8) :: part(4)", "character(300) :: text, text_m", "integer :: due(3)",
            "integer(atomic_int_kind), save :: at(7)[*] = 0", "integer, save :: count(5)[*] = 0",
            "integer, allocatable :: place(:, :), many(:, :), member(:, :, :)",
            "integer :: a, b, c, b_outer, before, me, n, i, j, k, r, old, stat, zero"]
    for rank in (1, 2):
        out += ["%s, allocatable, dimension%s :: l%d%d, l%d%dm" % (kind, colons("?" * rank), rank, k, rank, k)
                for k, kind in enumerate(("integer(4)", "real(10)"))]
    out += START.strip().split("\n") + [FORMED["t1"], FORMED["t2"], FORMED["t4"], "change team (t1)"]
    out += ["  " + FORMED["t3"], "end team"]
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
    out.append("    call check(all(cells%n == m(me)%cells), round, 'cells')")
    for kind, name, dims in parts:
        equal = "%s %s m(me)%%%s" % (name, ".eqv." if kind.startswith("logical") else "==", name)
        out.append("    call check(logical(%s), round, '%s')" % ("all(%s)" % equal if dims else equal, name))
    return out + ["  end subroutine"]


lines = ["  " + line for line in program()]
module = MODULE + "".join("  %s\n" % line for name in functions for line in functions[name]) + "end module"
print("! Made by random_program.py %s.\n%s\nprogram random_program" % (sys.argv[1], module))
print("\n".join(lines) + "\nend program")
