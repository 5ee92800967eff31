#!/usr/bin/python3
"""docs/performance-caf.md: the experiments of the Gemini paper (Shan, Wright, Shalf, Yelick, Wagner, Wichmann 2011) in coarray
Fortran at this machine's size, with the paper's claims beside.

    bench/page_caf.py [BENCH_DIR [DOCS_DIR]]

reads caf/median.csv, which bench/run has made. Why a target is missed is written here, by hand, beside the target."""

import sys

sys.dont_write_bytecode = True
import page  # noqa: E402
from caf_systems import BETWEEN, CLASSES, NODE  # noqa: E402
from figures import Figures, describer, table, words  # noqa: E402

TITLES = {place + images: f"{where}, {pairs} pair{'s' * (pairs > 1)}" for images, pairs in (("", 1), ("-4", 2), ("-8", 4))
          for place, where in ((NODE, "on one node"), (BETWEEN, "between two namespaces"))}
SYSTEMS = {"weft": "Weft", "opencoarrays": "OpenCoarrays", "mpich": "MPICH", "ompi": "Open MPI"}
MPI = ("mpich", "ompi")
STREAM = [f"stream_{op}_{how}" for op in ("copy", "scale", "add", "triad") for how in ("loop", "statement", "blocks", "pushed")]
HALOS = ("sync_images", "halo_row", "halo_derived")
LARGE = 4 << 20
PROVIDERS = 32 << 10  # of the sizes measured, the least whose put is an operation of the provider's, not a packet of Weft's
COPY = "both are a copy by the sender's or the receiver's core"
LINK = "one copy by the kernel's TCP on each side, by two cores; docs/performance.md has the provider's own bandwidth"
TOUCH = ("what another image has put lies in its core's cache when it is unpacked, with strides; what MPI brings was copied by the "
         "core that unpacks it (the exchange alone, below, is faster)")
UNKNOWN = "not looked into"


def best_mpi(f, place, name, size, pick):
    return pick([v for s in MPI if (v := f.at(place, s, name, size))], default=None)


def over(ours, theirs, smaller=False):
    if not ours or not theirs:
        return None
    return theirs / ours if smaller else ours / theirs


def claims(size):
    return {8: "5", 2048: "10", LARGE: "1"}.get(size, "")


def rates(f, place):
    rows = []
    for name in ("put_rate", "get_rate"):
        for size in f.sizes(place, name):
            ours, theirs = f.at(place, "weft", name, size), f.at(place, "opencoarrays", name, size)
            mpi = best_mpi(f, place, name, size, max)
            rows.append([words(name, size), *(f.at(place, s, name, size) for s in SYSTEMS), ours and ours * size, over(ours, mpi),
                         claims(size) if name == "put_rate" else "", over(ours, theirs)])
    return table(["M/s", *SYSTEMS.values(), "Weft, MB/s", "over MPI", "paper", "over OpenCoarrays"], rows)


def simple(f, places, names, smaller=False):
    rows = []
    for place in places:
        for name in names:
            for size in f.sizes(place, name):
                ours = f.at(place, "weft", name, size)
                mpi = best_mpi(f, place, name, size, min if smaller else max)
                rows.append([f"{words(name, size)}, {TITLES[place]}", *(f.at(place, s, name, size) for s in SYSTEMS),
                             over(ours, mpi, smaller), over(ours, f.at(place, "opencoarrays", name, size), smaller)])
    return table(["", *SYSTEMS.values(), "better than MPI by", "than OpenCoarrays by"], rows)


def transforms(f, grid, images):
    rows = []
    for place in (NODE + images, BETWEEN + images):
        for c in CLASSES:
            for what in ("", "_exchange"):
                name = f"ft{grid}_{c}{what}"
                puts, alltoall = f.at(place, "weft", name), f.at(place, "weft:alltoall", name)
                mpi = best_mpi(f, place, name, 0, max)
                time = lambda rate: 1000 / rate if rate else None
                rows.append([f"{c}{what.replace('_', ', ')}, {where(place)}", time(puts), time(alltoall),
                             *(time(f.at(place, s, name)) for s in ("opencoarrays", "mpich", "ompi")),
                             over(max(filter(None, (puts, alltoall)), default=None), mpi)])
    return table(["ms", "Weft, puts", "Weft, alltoall", "OpenCoarrays, puts", "MPICH", "Open MPI", "better than MPI by"], rows)


def where(place):
    return TITLES[place].split(",")[0]


def slower(f, systems):
    """(figures more than 5 % slower than one of these, figures that both have, the worst)"""
    ratios = []
    for (place, name, size), by in f.of.items():
        unit = next(iter(by.values()))[0]
        for s in systems:
            ratio = over(f.at(place, "weft", name, size), f.at(place, s, name, size), unit == "us")
            if ratio:
                ratios.append((ratio, f"{words(name, size)}, {TITLES.get(place, place)}"))
    return sum(r < 0.95 for r, _ in ratios), len(ratios), min(ratios, default=(None, ""))


def not_hidden(f, place, size):
    """Why a put is not hidden."""
    if place == NODE:
        return "a put on a node is a copy by the image itself"
    rest = f.at(place, "weft", "after_assignment", size)
    if rest is None or size < PROVIDERS:
        return UNKNOWN
    return (f"the image itself gives the data to the kernel before the assignment returns, since the source may be changed then. What comes "
            f"after it, {page.number(rest)} % without a computation, is the round trip of a read by which SYNC MEMORY learns that the data "
            "have arrived (src/rma/quiet.c): it begins behind the computation, and takes 18 to 21 us there, too (by hand)")


def targets(f):
    t = page.Targets({}, [])
    for place in (NODE, BETWEEN):
        for size, bound in ((8, 5), (2048, 10), (LARGE, 0.95)):
            why = LINK if place == BETWEEN else COPY
            mpi = best_mpi(f, place, "put_rate", size, max)
            if place == BETWEEN and size == 2048 and mpi and (tcp := f.at(place, "tcp", "tcp_stream", 65536)):
                why = (f"TCP itself carries {page.number(tcp)} MB/s here, {page.number(tcp / size)} M/s of 2 KB: {page.number(tcp / size / mpi)} "
                       "times MPI. Weft copies each put into a packet and out of it besides TCP's own two copies, and TCP with a system call "
                       f"for each 2 KB carries {page.number(f.at(place, 'tcp', 'tcp_stream', size))} MB/s")
            t.add(f"{words('put_rate', size)}, {TITLES[place]}: Weft's over the best MPI's",
                  over(f.at(place, "weft", "put_rate", size), mpi), bound, True, why)
        t.add(f"overlap at 512 KB, {TITLES[place]}, %", f.at(place, "weft", "overlap", 512 << 10), 90, True,
              not_hidden(f, place, 512 << 10))
        for size in f.sizes(place, "overlap"):
            mpi = best_mpi(f, place, "overlap", size, max)
            if mpi is not None:
                t.add(f"{words('overlap', size)}, {TITLES[place]}: points above the better MPI",
                      (f.at(place, "weft", "overlap", size) or 0) - mpi, 0, True,
                      not_hidden(f, place, size))
        for c in CLASSES:
            ours = max(filter(None, (f.at(place, s, f"ft1_{c}") for s in ("weft", "weft:alltoall"))), default=None)
            t.add(f"FT class {c}, {where(place)}: the better of Weft's over the best MPI's",
                  over(ours, best_mpi(f, place, f"ft1_{c}", 0, max)), 1, True,
                  TOUCH if place == NODE else "the transforms are the same; the exchange is the link's, its time is below")
        t.add(f"halo of a derived type's component, {TITLES[place]}: OpenCoarrays' time over Weft's",
              over(f.at(place, "weft", "halo_derived", 4096), f.at(place, "opencoarrays", "halo_derived", 4096), True), 10, True, "")
    count, of, worst = slower(f, ("opencoarrays",))
    if of:
        t.add(f"worst of {of} figures against OpenCoarrays, {count} of them more than 5 % slower ({worst[1]})", worst[0], 1, True,
              "see its table")
    return t.table()


def sections(f):
    out = ["## What was to be reached", "", *targets(f), "",
           "## Figures 3 to 6: puts and gets to changing places", "",
           "Millions a second of all pairs; one wait at the end. MPI: windows of 64 messages with an acknowledgement, and MPI_Get.",
           "The paper's column is its claim for puts over MPI, on Gemini.", ""]
    for place, title in TITLES.items():
        if f.sizes(place, "put_rate"):
            out += [f"### {title[0].upper()}{title[1:]}", "", *rates(f, place)]
    return [*out,
            "## Figures 11, 12: STREAM out of a peer's arrays, MB/s of all arrays", "",
            "loop: element by element; statement: whole arrays; blocks of 2 MB; pushed: the peer puts the next block meanwhile (MPI:",
            "MPI_Rget of the next block). Paper: 19 MB/s element by element, 17.8 GB/s in blocks.", "",
            *simple(f, (NODE, BETWEEN), STREAM),
            "## Figure 13: how much of a put a computation of the same length hides, %", "",
            "The helper has no core of its own here. Paper: more than 90 % at 512 KB, MPI near 0.", "",
            *simple(f, (NODE, BETWEEN), ("overlap",)),
            "What comes after the assignment, % of the time of a put and its SYNC MEMORY, without a computation. Until the assignment returns the",
            "image's own core copies the source, which may be changed after the statement. (MPI_Isend's source may not.)", "",
            *simple(f, (NODE, BETWEEN), ("after_assignment",)),
            "## Halos, us", "",
            "A pair exchanges 512 doubles: with a row of a matrix, with one component of an array of a derived type; and nothing at all.",
            "", *simple(f, TITLES, HALOS, True),
            "## Figures 14, 15: NAS FT", "",
            "One run of all iterations; and the time in its exchange (of puts, with what a put waits; of messages, with what the others",
            "wait for). Checked by NPB's sums. Paper: puts up to 2.8 times MPI_Alltoall on 16 K cores.", "",
            "### In slabs (1-D), two images", "", *transforms(f, 1, ""), "### In slabs, four images", "", *transforms(f, 1, "-4"),
            "### In a grid of 2 x 2 (2-D), four images", "", *transforms(f, 2, "-4")]


describe = describer(sections)

if __name__ == "__main__":
    page.write(
        "caf", "Coarray Fortran: the Gemini paper's experiments",
        "The same coarray programs (`bench/caf_src`) over Weft and over Debian's OpenCoarrays 2.10.1 (on Open MPI 4, its pt2pt "
        "module), and their like in MPI. gfortran 12, -O3. A dash: not measured.", lambda path: sections(Figures(path)))
