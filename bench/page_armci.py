#!/usr/bin/python3
"""docs/performance-armci.md: the experiments of the ARMCI paper for the Cray XT5 (Tipparaju, Apra, Yu, Que, Vetter 2012) at
this machine's size, with the paper's figures beside.

    bench/page_armci.py [BENCH_DIR [DOCS_DIR]]

reads armci/median.csv, which bench/run has made. Why a target is missed is written here, by hand, beside the target."""

import sys

sys.dont_write_bytecode = True
import armci_systems  # noqa: E402
import page  # noqa: E402
from figures import Figures, describer, table, words  # noqa: E402

NODE, BETWEEN, INSIDE = armci_systems.NODE, armci_systems.BETWEEN, "armci-nwchem"
TITLES = {NODE: "on one node", BETWEEN: "between two namespaces"}
LIBRARIES = {"weft": "Weft", "pr": "ComEx mpi-pr", "ts": "ComEx mpi-ts", "armci-mpi": "ARMCI-MPI"}
MESSAGES = {"ompi": "Open MPI", "mpich": "MPICH"}
LARGE = 128 * 128 * 8
WAYS = ("naive", "vectored", "helper")
SINGLE = ("put", "get", "acc", "put_strided", "get_strided", "acc_strided", "put_fence", "acc_fence", "rmw")

ADD = "mpi-pr adds in the caller too, under a semaphore; a lock of Weft is one compare-and-swap, which alone takes a third of the time"
PLACE = "two cores carry two ranks and two helpers: none is free for the helper of the rank that computes"
SPARES = ("a patch begins with a small packet, whose answer lends the large buffers: a round trip more to a rank that computes. A patch took 4.3 sends "
          "with 4x128K of its own, 7.2 with spares of 4x128K, 12.8 with spares of 4x32K (perf, by hand)")
ROUND_TRIP = "an answer of the port, in turns on two cores with the helper threads of both nodes (docs/performance.md)"
TURNS = "cores do not suffice (four ranks and two helpers on two): the scheduler's turns decide"
NOISE = "less than the rounds of either differ"
NOT_FOUND = "not found; a task has ten messages, of which two are waited for (counter, get; docs/performance.md says what a lone answer costs)"


def columns(f, places):
    """(place, system) of the libraries that were measured, and their titles."""
    found = [(p, s) for p in places for s in LIBRARIES if f.has(p, s)]
    return found, [f"{LIBRARIES[s]}, {'node' if p == NODE else 'between'}" for p, s in found]


def compare(f, names, places=(NODE, BETWEEN)):
    keys, heads = columns(f, places)
    rows = [[words(name, size), *(f.at(p, s, name, size) for p, s in keys)]
            for name in names for size in sorted({size for p in places for size in f.sizes(p, name)})]
    return table(["", *heads], rows)


# ---- what was to be reached ----------------------------------------------------------------------


def copy(f, name, size):
    """Why a put or get on a node is not three times as fast."""
    theirs = f.at(NODE, "pr", name, size)
    return (f"mpi-pr copies in the caller too, in {page.number(1e3 * theirs)} ns; Weft's call is {35 if name == 'put' else 36} instructions for 64 bytes (test armci.count)"
            if theirs else "")


def targets(f):
    t = page.Targets({}, [])
    for name in SINGLE[:6]:
        for size in f.sizes(NODE, name):
            if size <= 512:
                t.add(f"on one node, {words(name, size)}: mpi-pr's time over Weft's",
                      f.ratio((NODE, "pr", name, size), (NODE, "weft", name, size)), 3, True,
                      ADD if name.startswith("acc") else copy(f, name, size))
    for name, message in (("put_fence", "put_quiet"), ("get", "get")):
        for size in (8, 64, 512, 4096):
            rivals = [v for s in MESSAGES if (v := f.at(BETWEEN, s, message, size))]
            ours = f.at(BETWEEN, "weft", name, size)
            t.add(f"between namespaces, {words(name, size)} over MPI's message and answer",
                  ours / min(rivals) if ours and rivals else None, 1, False, ROUND_TRIP)
    for op in ("get", "acc"):
        for spare in armci_systems.SPARES:
            here = (BETWEEN, f"weft:E6 2x3K+{spare}", f"{op}_helper", LARGE)
            t.add(f"{op} of 128 KB, 2x3K and spares of {spare} over 2x3K without",
                  f.ratio(here, (BETWEEN, "weft:E5 2x3K", *here[2:])), 3, True, SPARES)
            t.add(f"{op} of 128 KB, 2x3K and spares of {spare} over 4x128K",
                  f.ratio(here, (BETWEEN, "weft:E5 4x128K", *here[2:])), 0.9, True, SPARES)
    for place in (NODE, BETWEEN):
        for what in ("counter", "lock"):
            t.add(f"least share of a {what}, {TITLES[place]}, %", f.at(place, "weft", what + "_least"), 70, True, TURNS)
            t.add(f"greatest share of a {what}, {TITLES[place]}, %", f.at(place, "weft", what + "_most"), 130, False, TURNS)
    for op in ("put", "get", "acc", "rmw"):
        t.add(f"{op} to a node that computes, us", f.at(BETWEEN, "weft", "busy_" + op, 8), 100, False, PLACE)
    for place, ranks in ((NODE, ""), (BETWEEN, ""), (NODE, ":np4"), (BETWEEN, ":np4")):
        for what in ("task_dft", "task_ccsd"):
            rivals = [v for s in LIBRARIES if s != "weft" and (v := f.at(place, s + ranks, what))]
            ours = f.at(place, "weft" + ranks, what)
            t.add(f"{words(what, 0)} loop {TITLES[place]}, {4 if ranks else 2} ranks, over the best peer's",
                  ours / min(rivals) if ours and rivals else None, 1, False,
                  TURNS if ranks else NOISE if place == NODE else NOT_FOUND)
    left = [v for place in (NODE, BETWEEN) for name in ("files_left", "processes_left")
            if (v := f.at(place, "weft", name)) is not None]
    t.add("files and processes left after kill -9 of all", sum(left) if left else None, 0, False, "")
    energies = [by[s][1] for of in (f.least, f.most) for (p, n, _), by in of.items() if n == "h2o_b3lyp_energy"
                for s in by if s.startswith("weft")]
    if energies:
        t.add("NWChem, H2O: largest difference of two energies, 1e-8 Eh", (max(energies) - min(energies)) * 1e8, 1, False, "")
    return t.table()


# ---- the experiments -----------------------------------------------------------------------------


def knobs(f):
    """E4 to E6, E9, E10: one knob of Weft, two ranks in two namespaces."""
    paper = {"E4": "patches worse, applications better when moved", "E5": "up to 2x with size",
             "E6": "3x of 2x3K; as with large buffers", "E9": "largest gain by get through the helper"}
    base, best = "weft:E5 2x3K", "weft:E5 4x128K"
    rows = []
    settings = [*armci_systems.SETTINGS, ("E10", "a core free")]
    for e, setting in settings:
        key = f"weft:{e} {setting}"
        row = [f"{e} {setting}"]
        for name, size in (("get_helper", LARGE), ("acc_helper", LARGE)):
            value, over, under = (f.at(BETWEEN, s, name, size) for s in (key, base, best))
            row += [value, f"{value / over:.2f}" if value and over else None, f"{value / under:.2f}" if value and under else None]
        rows.append([*row, f.at(BETWEEN, key, "task_dft"), paper.get(e, "see E10")])
    return table(["", "get 128K, MB/s", "over 2x3K", "over 4x128K", "acc 128K, MB/s", "over 2x3K", "over 4x128K",
                  "dft loop, us a task", "paper"], rows)


def buffers():
    rows = []
    for b in armci_systems.BUFFERS:
        count, each = map(int, b[:-1].split("x"))
        size = 150000 * count * each / 2**20
        rows.append([b, f"{size:.2f}", f"{size / 16 * 100:.1f}", "5.4 %" if b == "2x3K" else "73 GiB" if b == "4x128K" else ""])
    return table(["buffers of a client", "GiB for 150,000 clients", "% of 16 GiB", "paper"], rows)


def histogram(f):
    rows = [[words(name, size) + " and more", *(f.at(NODE, f"weft:E3 {what}", name, size) for what in ("dft", "ccsd"))]
            for name in ("put", "get", "atomic") for size in f.sizes(NODE, name) if f.at(NODE, "weft:E3 dft", name, size) or
            f.at(NODE, "weft:E3 ccsd", name, size)]
    return table(["", "dft loop, calls", "ccsd loop, calls"], rows)


def scaling(f):
    rows = []
    for place in (NODE, BETWEEN):
        for what in ("task_dft", "task_ccsd"):
            for ranks in ("np1", "", "np4"):
                key = lambda s: s + (":" + ranks if ranks else "")
                rows.append([f"{words(what, 0)} {TITLES[place]}, {ranks or 'np2'}", *(f.at(place, key(s), what) for s in LIBRARIES)])
            rows.append([f"{words(what, 0)} {TITLES[place]}, np2 on one core, one free",
                         f.at(place, "weft:E10 a core free", what), *[None] * (len(LIBRARIES) - 1)])
    return table(["us a task", *LIBRARIES.values()], rows)


def inside(f):
    keys = sorted({s for (p, _, _), by in f.of.items() if p == INSIDE for s in by})
    if not keys:
        return ["NWChem was not measured in this run (BENCH_NWCHEM); docs/status-armci.md has what was run by hand.", ""]
    names = sorted({n for p, n, _ in f.of if p == INSIDE})
    full = lambda v: None if v is None else f"{v:.9f}" if v < 0 else page.number(v)
    return table(["", *keys], [[words(n, 0), *(full(f.at(INSIDE, k, n)) for k in keys)] for n in names])


def messages(f):
    keys = [(p, s) for p in (NODE, BETWEEN) for s in MESSAGES if f.has(p, s)]
    return table(["us", *(f"{MESSAGES[s]}, {'node' if p == NODE else 'between'}" for p, s in keys)],
                 [[words(title, size), *(f.at(p, s, name, size) for p, s in keys)]
                  for name, title in (("put_quiet", "message and empty answer"), ("get", "empty request and answer"))
                  for size in (8, 64, 512, 4096)])


def sections(f):
    many = [f"{what}_{figure}" for what in ("counter", "lock", "flood") for figure in ("rate", "least", "most", "jain", "longest")]
    return [
        "## What was to be reached", "", *targets(f), "",
        "## E1, figure 3 left: patches while their target computes, MB/s", "",
        "Square patches of doubles, rank 0 to the last rank. Paper: by helper is best, vectored is as naive.", "",
        *compare(f, [f"{op}_{way}" for op in ("get", "acc") for way in WAYS]),
        "## Single operations, us; the target waits", "",
        "Strided: rows of 64 bytes. put fence, acc fence: each followed by its fence. rmw: fetch-and-add.", "", *compare(f, SINGLE),
        "Messages of MPI for as many bytes, between two ranks that both wait in MPI:", "", *messages(f),
        "## E2, figure 3 right: the loop of an application, us a task", "",
        "Counter, get, computing of 60 us (dft) or 150 us (ccsd), accumulate, by two ranks. dft: patches of 2 KB in rows of 128 B;",
        "ccsd: a get of 32 KB and eight contiguous accumulates of 8 B to 2 KB. Paper: siosi3's Fock build is much shorter by helper.",
        "", *compare(f, ["task_dft_naive", "task_dft_vectored", "task_dft", "task_ccsd"]),
        "## E3, figure 2: calls by size, both ranks", "",
        "Paper: 4 KB and less in DFT; facts of siosi3 and (H2O)3 are in docs/status-armci.md.", "", *histogram(f),
        "## E4 to E6, E9, figures 5 to 8: knobs of Weft, two ranks in two namespaces", "", *knobs(f),
        "## E7, 4.4.1: memory of a port", "",
        "By arithmetic. What Weft plans keeps to WEFT_PORT_MEMORY, 5 % of the memory (test am.plan). Paper: at most 5 %.", "",
        *buffers(),
        "## E8, 4.2: many to one", "",
        "Two ranks draw from rank 0, which waits: on its node, or from the other one. Rates in M/s of all; shares of the mean in %;",
        "Jain's index; the longest wait in us. flood: one client's fetch-adds while the other accumulates 128 KB at a time.",
        "A lock takes 3 messages and is first come, first served (test sync.lock_messages). Paper: fair, by the helper's order.", "",
        *compare(f, many),
        "## E10, figure 9: ranks and a free core, us a task", "",
        "Paper: CCSD(T) of (H2O)n scales, and a core left to the helper makes it faster.", "", *scaling(f),
        "## E11: operations of 8 bytes while the target computes, us", "",
        "Expected: microseconds. What has no helper answers when the computing (0.25 s) is over.", "",
        *compare(f, [f"busy_{op}" for op in ("put", "get", "acc", "rmw")]),
        "## E12 and E10 inside NWChem", "", *inside(f),
        "## E13: descriptors, memory in MB, and what kill -9 of all ranks leaves", "",
        *compare(f, ["fds", "rss", "files_left", "processes_left"]),
    ]


describe = describer(sections)

if __name__ == "__main__":
    page.write(
        "armci", "ARMCI: the paper's experiments",
        "All libraries run the same program (`bench/armci_bench.c`) under Open MPI 4's launcher. ComEx (mpi-ts, mpi-pr) is Global "
        "Arrays' own, built by hand; ARMCI-MPI is Debian's. Between namespaces MPI uses TCP; ARMCI-MPI does not work there. "
        "mpi-pr runs one rank per node more, which serves and does not compute; mpi-ts serves inside calls only; Weft's helper is a "
        "thread that sleeps when idle. A dash: not measured.",
        lambda path: sections(Figures(path)))
