#!/usr/bin/python3
"""docs/performance.md: every figure of `make bench` as a ratio to the best peer and to the floor,
worst first.

    bench/page.py [BENCH_DIR [DOCS_DIR]]

reads PART/median.csv and PART/raw.csv of the parts that bench/run has measured. What a missed target is due to is
written here, by hand, beside the target; the figures are not."""

import collections
import csv
import os
import statistics
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import report  # noqa: E402
import report_am  # noqa: E402
import report_coll  # noqa: E402
import svg  # noqa: E402
import systems  # noqa: E402

ROOT = os.path.dirname(systems.HERE)
OURS = {"weft", "weft-plain", "weft-2", "weft-team", "weft-new"}
PARTS = {"rma": "Puts, gets, atomics", "am": "Active messages", "coll": "Collectives and waits"}
PEERS = {
    "oshmem": "OSHMEM 4.1.4",
    "mpich-two": "MPICH 4 two-sided",
    "mpich-rma": "MPICH 4 RMA",
    "mpich": "MPICH 4",
    "mpich5": "MPICH 5",
    "mpich5-two": "MPICH 5 two-sided",
    "mpich5-rma": "MPICH 5 RMA",
    "ompi": "Open MPI 4",
    "ompi5": "Open MPI 5",
    "ompi5-two": "Open MPI 5 two-sided",
    "ompi5-rma": "Open MPI 5 RMA",
    "gasnet": "GASNet-EX",
}
PLACES = {**{k: v for k, v in report.PLACES.items()}, **report_am.PLACES, **report_coll.PLACES}
NAMES = {"rma": report.METRICS, "am": report_am.METRICS, "coll": {}}
# Figure of 8 bytes between hosts: the provider's figure and how often it is in it. On one node the
# floor is a cache line's way, or memcpy.
FLOORS = {
    "put_pingpong": ("fi_send", 1),
    "put_quiet": ("fi_send", 2),
    "fadd": ("fi_send", 2),
    "swap": ("fi_send", 2),
    "get": ("fi_read", 1),
    "barrier": ("fi_exchange", 1),
    "am_short": ("fi_send", 1),
    "am_medium": ("fi_send", 1),
    "am_long": ("fi_send", 1),
    "sync": ("fi_exchange", 1),
    "barrier_all": ("fi_exchange", 1),
    "seen_put": ("fi_send", 1),
    "put_nb": ("fi_read", 1),
}
# Of more bytes: one of the provider's messages of that size, and whether an inject of 8 bytes comes
# before or after it.
MESSAGE_FLOORS = {"put_quiet": 1, "get": 1, "am_medium": 0, "am_long": 0}
# Collectives of two PEs that bring bytes one way only. All others bring each PE the other's.
ONE_WAY = ("broadcast", "inscan_long", "exscan_long")
# What describes a system rather than measures it, and what stands beside Weft's own plain mode.
LEFT_OUT = ("wait_", "seen_")
# Hosts with another congestion control than all others' have a table of their own.
PACED = "between-bbr"

# Runs of the same program differ by as much: a figure of this ratio or above counts as equal.
EQUAL = 0.95

# `ratio`: the median of the rounds', to the peer where it is least; `better`: in how many of `rounds` it is at least 1.
Row = collections.namedtuple("Row", "part place name size unit value peer best ratio better rounds floor")


def read(folder):
    """{part: {(place, figure, bytes): {system: (unit, median)}}}"""
    parts = {}
    for part in PARTS:
        path = os.path.join(folder, part, "median.csv")
        if not os.path.exists(path):
            continue
        parts[part] = read_part(path)
    return parts


def read_part(path, statistic="median"):
    figures = {}
    with open(path, newline="") as f:
        for r in csv.DictReader(f):
            key = (r["place"], r["figure"], int(r["bytes"]))
            figures.setdefault(key, {})[r["system"]] = (r["unit"], float(r[statistic]))
    return figures


def read_rounds(folder, parts):
    """{(place, figure, bytes): {system: {round: its value, the median if there are several}}}"""
    said = {}
    for part in parts:
        with open(os.path.join(folder, part, "raw.csv"), newline="") as f:
            for r in csv.DictReader(f):
                by = said.setdefault((r["place"], r["figure"], int(r["bytes"])), {}).setdefault(r["system"], {})
                by.setdefault(int(r["round"]), []).append(float(r["value"]))
    return {key: {s: {n: statistics.median(v) for n, v in by.items()} for s, by in systems_.items()}
            for key, systems_ in said.items()}


def by_rounds(unit, ours, theirs):
    """The ratio to a peer in each round that both have: the machine is the same there, more or less."""
    return [report.advantage(unit, ours[n], theirs[n]) for n in ours if n in theirs and ours[n] > 0 and theirs[n] > 0]


def provider(parts, name, size=8, place="between"):
    """In the same part, where that has it: the machine's speed changes from one to the next."""
    for part, where in ((place.split("-")[0], place), ("rma", "between")):
        found = parts.get(part, {}).get((where, name, size), {}).get("provider")
        if found:
            return found[1]
    return None


def message_floor(parts, name, size, place):
    if place == "coll-between-2":
        return None if name in ONE_WAY else provider(parts, "fi_exchange_write", size, place)
    base = provider(parts, "fi_message", size, place) if name in MESSAGE_FLOORS else None
    return base and base + MESSAGE_FLOORS[name] * (provider(parts, "fi_send", 8, place) or 0)


def memory_floor(parts, place, name, size):
    """On one node: bench/line.c's figure for the same."""
    same = {("on-node", "put_pingpong"): "line", ("on-node", "put_bw"): "copy_bw", ("on-node", "get_bw"): "copy_bw",
            ("am-on-node", "put"): "copy", ("am-on-node", "get"): "copy"}
    return parts.get("rma", {}).get(("on-node", same.get((place, name)), size), {}).get("line", (None, None))[1]


def floor_ratio(parts, place, name, size, unit, value):
    known = FLOORS.get(name)
    if place in ("on-node", "am-on-node"):
        base = memory_floor(parts, place, name, size)
        return base and (base / value if unit == "MB/s" else value / base)
    if "between" not in place or place.endswith("-4"):
        return None
    if name == "put_rate":
        base = provider(parts, "fi_gathered", 8, place)
        return base / value if base else None
    if unit != "us" or (size == 8 and not known):
        return None
    base = (known[1] * (provider(parts, known[0], 8, place) or 0) if size == 8
            else message_floor(parts, name, size, place))
    return value / base if base else None


def rows_of(parts, rounds):
    rows = []
    for part, figures in parts.items():
        for (place, name, size), by in figures.items():
            own = by.get("weft") or by.get("weft-team") # scans are of teams only
            if not own or place == PACED or name.startswith(LEFT_OUT) or own[0] in ("%", "times", "1/ms"):
                continue
            unit, value = own
            others = {s: v for s, (_, v) in by.items() if s not in OURS and s in PEERS and v > 0}
            peer = best = ratio = better = None
            ratios = []
            if others:
                said = rounds[place, name, size]
                mine = said["weft" if by.get("weft") else "weft-team"]
                ratios_to = {s: by_rounds(unit, mine, said[s]) for s in others}
                ratio_to = {s: statistics.median(x) if x else report.advantage(unit, value, others[s])
                            for s, x in ratios_to.items()}
                peer = min(ratio_to, key=ratio_to.get)
                best, ratio, ratios = others[peer], ratio_to[peer], ratios_to[peer]
                better = sum(x >= 1 for x in ratios)
            rows.append(
                Row(
                    part,
                    place,
                    name,
                    size,
                    unit,
                    value,
                    peer,
                    best,
                    ratio,
                    better,
                    len(ratios),
                    floor_ratio(parts, place, name, size, unit, value),
                )
            )
    return sorted(rows, key=lambda r: r.ratio if r.ratio is not None else 1e9)


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def label(r):
    return NAMES[r.part].get(r.name, r.name.replace("_", " ")) + (
        f", {report.size_name(r.size)}" if r.size else ""
    )


def table(rows, places=True):
    out = [
        "| figure | "
        + ("where | " if places else "")
        + "Weft | best peer | ratio | rounds | over the floor |",
        "|---|" + ("---|" if places else "") + "---|---|---|---|---|",
    ]
    for r in rows:
        peer = f"{number(r.best)} {PEERS[r.peer]}" if r.peer else "-"
        ratio = f"x{r.ratio:.2f}" if r.ratio else "-"
        where = f"{short_place(r.place)} | " if places else ""
        won = f"{r.better} of {r.rounds}" if r.rounds else ""
        over = f"{r.floor:.2f}" if r.floor else ""
        out.append(
            f"| {label(r)} | {where}{number(r.value)} {r.unit} | {peer} | {ratio} | {won} | {over} |"
        )
    return out


def short_place(place):
    where = "between" if "between" in place else "on node"
    return where + (", 4 PEs" if place.endswith("-4") or place == "4-on-2" else "")


# ---- targets -----------------------------------------------------------------------------------


class Targets:
    """What was to be reached: (what, value, bound, is more better, why it is missed)."""

    def __init__(self, parts, rows):
        self.parts, self.rows, self.list = parts, rows, []

    def at(self, part, place, name, size=8, system="weft"):
        return self.parts.get(part, {}).get((place, name, size), {}).get(system, (None, None))[1]

    def add(self, what, value, bound, more, why):
        if value is not None:
            self.list.append((what, value, bound, more, why))

    def table(self):
        out = ["| | target | value | wanted | why it is missed |", "|---|---|---|---|---|"]
        for what, value, bound, more, why in self.list:
            met = value >= bound if more else value <= bound
            out.append(
                f"| {'met' if met else '**missed**'} | {what} | {value:.2f} | "
                f"{'at least' if more else 'at most'} {bound:g} |"
                f" {'' if met else why} |"
            )
        return out

    def over(self, what, part, place, name, floor, times, why):
        value, base = self.at(part, place, name), provider(self.parts, floor, 8, place)
        if value and base:
            self.add(
                f"{what}: {number(value)} us over {'twice ' if times == 2 else ''}the provider's "
                f"{report.METRICS[floor]} ({number(base)} us)",
                value / (base * times),
                1.15,
                False,
                why,
            )

    def seen(self, name, what):
        ours, plain = self.at("rma", "between", name), self.at(
            "rma", "between", name, 8, "weft-plain"
        )
        if ours and plain:
            self.add(
                f"{what}: {number(ours)} us over WEFT_COALESCE=0's {number(plain)} us",
                ours / plain,
                1.5,
                False,
                "each put is a packet of its own, which takes its sender 6 us before the next can leave",
            )

    def worst(self, what, why, wanted):
        ratios = [r for r in self.rows if r.ratio and wanted(r)]
        if ratios:
            worst = min(ratios, key=lambda r: r.ratio)
            self.add(
                f"{what}: {sum(r.ratio < EQUAL for r in ratios)} of {len(ratios)} figures more than "
                f"5 % slower, the "
                f"worst {label(worst)} ({PEERS[worst.peer]})",
                worst.ratio,
                EQUAL,
                True,
                why,
            )


# By strace: a put of a ping-pong, a put + quiet, a barrier and a sum of two nodes are one send and at most one
# receive per PE each.
LATENCY = (
    "one send and one receive a message, as the provider's own ping-pong, and mostly without its epoll_wait "
    "(src/fabric/looks.c)"
)
MESSAGES = (
    "a message takes about what the provider's takes (over the floor, below), one of 4 KB less, and MPICH 4 (UCX) less "
    "than that. What a long message brings above 64 KB is a write of the provider's, and a message behind it. In "
    "GASNet-EX's terms, windows of gets gather up to 32 KB and windows of puts are flushed once; larger gets are single "
    "reads"
)
MEMORY = (
    "from 2 MB on what memcpy gives here (bench/line.c's in the same run: over the floor, below). A ping-pong "
    "and a barrier take what a cache line takes, and that changes by the second with "
    "the processors that the host gives to this virtual machine: a bare program measured 66 ns one way, "
    "and 270 half a second later (bench/line.c; the table of floors has it for this page)"
)
NODE_MESSAGES = (
    "puts and gets are one copy and a few instructions, as GASNet-EX's. In half round trips of 4 KB GASNet-EX sends from "
    "264 buffers in turn, every second page, which are no longer in the receiver's cache when they are written again: on "
    "another machine a bare program needed 0.20 us in this way and 0.25 with two buffers, in the fastest tenth of its rounds"
)
BEGUN = (
    "the buffers of such a collective may lie anywhere. A broadcast of 256 KB and more goes straight to where a member says that it wants "
    "it, and so does what comes down of a sum of 128 KB and more: that is a message more than MPI's at the beginning"
)
NODE_BEGUN = (
    "the broadcast of 1 MB is one copy by each that gets it, at about the rate of gets of 1 MB (get NBI, window, on node)"
)
NODE_WAITS = "test until takes what a cache line takes"
EXCHANGE = (
    "one message each way and stage, as in MPI. The floor, below, is one write of the provider's by both at once. A collect "
    "first tells everybody's sizes, which MPI's callers know"
)
TURNS = (
    "with more PEs than cores the scheduler's turns decide much of it: one run under SCHED_RR, before scans were "
    "on this page, had none slower (alltoall of 1 MB on one node 331 us to OSHMEM's 352)"
)
TEST_UNTIL = (
    ". test until takes what a cache line takes where both PEs run, and yields after 32 misses, which is what it "
    "takes where they share a processor (OSHMEM there: 1,980 us)"
)


def is_begun(row):
    return row.name.startswith("nb_")


def targets(parts, rows):
    t = Targets(parts, rows)
    t.over("put, half a round trip", "rma", "between", "put_pingpong", "fi_send", 1, LATENCY)
    t.over("short AM, half a round trip", "am", "am-between", "am_short", "fi_send", 1, LATENCY)
    t.over("put + quiet", "rma", "between", "put_quiet", "fi_send", 2, LATENCY)
    t.over("fetch-add", "rma", "between", "fadd", "fi_send", 2, LATENCY)
    t.over("swap", "rma", "between", "swap", "fi_send", 2, LATENCY)
    t.over("get of 8 bytes", "rma", "between", "get", "fi_read", 1, LATENCY)
    t.seen("seen_put", "a put, then computing")
    t.seen("seen_fence", "put, fence, flag, then computing")
    t.seen("seen_second", "two puts, then computing")
    gathered = provider(parts, "fi_gathered")
    tcp = t.at("rma", "between", "tcp_spin", 8, "tcp")
    t.add(
        "8-byte puts, 64 per quiet, M/s",
        t.at("rma", "between", "put_rate"),
        10,
        True,
        f"64 puts and a quiet are at least one message of the provider and an answer ({report.METRICS['fi_gathered']}"
        + (f": {number(gathered)} M/s here, if all else were free" if gathered else "")
        + (f"; a round trip of bare TCP with 8 bytes allows {number(32 / tcp)}" if tcp else "")
        + "). After four such rounds all 64 are one packet (test rma.stream); what is left is to pack and to apply them",
    )
    t.add(
        "8-byte puts, 4096 per quiet, M/s",
        t.at("rma", "between", "put_stream"),
        30,
        True,
        "packing, sending and applying take one core each. Words one behind the other take 8 bytes "
        "each in a packet, 1.6 times as fast side by side as the 24 before",
    )
    ours, peer = t.at("rma", "between", "gups"), t.at("rma", "between", "gups", 8, "oshmem")
    if ours and peer:
        t.add("random adds over OSHMEM's", ours / peer, 10, True, "")
    t.worst(
        "transfers between nodes, no size slower",
        "puts up to 64 KB and gets up to 32 KB gather in messages of 254 KB, larger ones are single writes "
        "and reads of the provider. In a window of large puts the sender's processor is busy all the time, more than "
        "half of it copying into the socket (perf), Open MPI 5's too",
        lambda r: r.part == "rma"
        and r.place == "between"
        and r.name in ("put_bw", "get_bw", "put_quiet"),
    )
    t.worst(
        "active messages, GASNet's puts and gets, between nodes",
        MESSAGES,
        lambda r: r.place == "am-between" and not is_begun(r),
    )
    t.worst(
        "GASNet's collectives between nodes",
        BEGUN,
        lambda r: r.place == "am-between" and is_begun(r),
    )
    t.worst(
        "collectives and barrier between nodes, 2 PEs",
        EXCHANGE,
        lambda r: r.place == "coll-between-2",
    )
    t.worst(
        "collectives and barrier between nodes, 4 PEs",
        TURNS,
        lambda r: r.place == "coll-between-4",
    )
    t.worst(
        "puts, gets, atomics on one node",
        MEMORY,
        lambda r: r.part == "rma" and r.place == "on-node",
    )
    t.worst(
        "active messages, GASNet's puts and gets, on one node",
        NODE_MESSAGES,
        lambda r: r.place == "am-on-node" and not is_begun(r),
    )
    t.worst(
        "GASNet's collectives on one node",
        NODE_BEGUN,
        lambda r: r.place == "am-on-node" and is_begun(r),
    )
    t.worst(
        "collectives on one node, 2 PEs", NODE_WAITS, lambda r: r.place == "coll-on-node-2"
    )
    t.worst(
        "collectives on one node, 4 PEs on 2 cores",
        TURNS + TEST_UNTIL,
        lambda r: r.place == "coll-on-node-4",
    )
    return t.table()


# ---- the page ----------------------------------------------------------------------------------


def said(*argv):
    """What a command prints, in one line; `?` where it fails."""
    done = subprocess.run(argv, capture_output=True, text=True, cwd=ROOT)
    return done.stdout.strip() if done.returncode == 0 else "?"


def machine():
    with open("/proc/cpuinfo") as f:
        model = next((x.split(":")[1].strip() for x in f if x.startswith("model name")), "?")
    return f"{os.cpu_count()} cores of {model}, Linux {os.uname().release}"


def measured(folder, parts):
    """When, on what, of what, and how long."""
    when = max(os.path.getmtime(os.path.join(folder, p, "median.csv")) for p in parts)
    stamp = time.strftime("%Y-%m-%d %H:%M", time.gmtime(when))
    notes = []
    for part, title in parts.items():
        path = os.path.join(folder, part, "how.txt")
        if os.path.exists(path):
            with open(path) as f:
                notes.append(f"{title}: {f.read().strip()}.")
    return (
        f"Measured {stamp} UTC on {machine()}. "
        "Two network namespaces stand for two hosts; nothing leaves the machine. "
        + " ".join(notes)
    )


def write(part, heading, intro, sections):
    """docs/performance-PART.md out of PART/median.csv: sections(its path)."""
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build", "bench")
    docs = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, "docs")
    path = os.path.join(folder, part, "median.csv")
    if not os.path.exists(path):
        sys.exit(f"bench/page_{part}.py: no figures in {folder}; bench/run makes them")
    out = [f"# {heading}", "", f"Made by `make bench PART={part}` (`bench/page_{part}.py`); not to be edited.", "",
           measured(folder, {part: heading.split(":")[0]}), "", intro, "", *sections(path)]
    target = os.path.join(docs, f"performance-{part}.md")
    with open(target, "w") as f:
        f.write("\n".join(out).rstrip() + "\n")
    print(target)


def header(folder, parts):
    return [
        "# Performance",
        "",
        "Made by `make bench` (`bench/page.py`); not to be edited. `bench/README.md` says what "
        "each figure is.",
        "",
        measured(folder, {p: PARTS[p] for p in parts}),
        "",
        "Weft runs over Debian's libfabric 1.17 (`net`); \"lf2\" is the same over libfabric 2.5.1 "
        "(`tcp`). Peers: Debian's MPICH 4.0.2 and Open MPI 4.1.4 with its OSHMEM, and from PyPI "
        "MPICH 5.0.2 and Open MPI 5.0.11, each over its own best transport. A round runs all of "
        "them, in an order drawn by lot; figures are medians of the rounds. **Ratio**: how many times Weft is better "
        "than a peer in the same round, whichever way the unit counts, the median of the rounds, for the peer where it "
        "is least; below 1 Weft is worse. It need not be the quotient of the two figures beside it. **Rounds**: in how "
        "many it is 1 or more. **Over the floor**: Weft's time over that of a bare libfabric program in the same "
        "run (`bench/fi_pingpong.c`), on one node over a cache line's way or memcpy (`bench/line.c`).",
        "",
    ]


def floors(parts):
    figures = {
        (n, s): by
        for (p, n, s), by in parts.get("rma", {}).items()
        if p in ("between", "on-node") and any(k in report.FLOORS for k in by)
    }
    out = [
        "| floor | "
        + " | ".join(report.SYSTEMS[s] for s in report.FLOORS)
        + " |",
        "|---|" + "---|" * len(report.FLOORS),
    ]
    for (name, size), by in figures.items():
        cells = [f"{number(by[s][1])} {by[s][0]}" if s in by else "" for s in report.FLOORS]
        out.append(
            f"| {report.METRICS.get(name, name)}, {report.size_name(size)} | "
            + " | ".join(cells)
            + " |"
        )
    return out


def variants(parts):
    """Weft's other ways beside the usual one."""
    keys = ("weft", "weft-2", "weft-plain")
    out = [
        "| between, 2 PEs | gathered | over libfabric 2 | WEFT_COALESCE=0 |",
        "|---|---|---|---|",
    ]
    for (place, name, size), by in parts.get("rma", {}).items():
        if (
            place == "between"
            and "weft" in by
            and not name.startswith("wait_")
            and (size <= 8 or name in ("put_quiet", "get"))
        ):
            out.append(
                f"| {report.METRICS.get(name, name)}, {report.size_name(size)} | "
                + " | ".join(f"{number(by[k][1])} {by[k][0]}" if k in by else "" for k in keys)
                + " |"
            )
    return out


def paced(parts):
    """Large transfers between hosts that have BBR, beside the same without."""
    keys = ("weft", "mpich5-two", "ompi5-two")
    out = [
        "| MB/s | " + " | ".join(f"{s}, BBR | {s}" for s in ("Weft", *(PEERS[k] for k in keys[1:]))) + " |",
        "|---" * 7 + "|",
    ]
    figures = parts.get("rma", {})
    for (place, name, size), by in figures.items():
        if place == PACED and size >= 4096:
            without = figures.get(("between", name, size), {})
            cells = [f"{number(f[k][1])}" if k in f else "" for k in keys for f in (by, without)]
            out.append(f"| {report.METRICS[name]}, {report.size_name(size)} | " + " | ".join(cells) + " |")
    return out if len(out) > 2 else []


def draw(parts, rows, docs):
    folder = os.path.join(docs, "performance")
    os.makedirs(folder, exist_ok=True)
    out = []

    def keep(name, picture, words):
        with open(os.path.join(folder, name + ".svg"), "w") as f:
            f.write(picture)
        out.append(f"![{words}](performance/{name}.svg)")

    for part, title in PARTS.items():
        for place in sorted({r.place for r in rows if r.part == part}):
            shown = [
                r
                for r in rows
                if r.part == part
                and r.place == place
                and r.ratio
                and (r.size in (0, 8, 64, 4096, 65536, 1 << 20))
            ]
            if shown:
                words = f"{title}, {short_place(place)}: ratio to the best peer"
                keep(
                    f"{part}-{place}", svg.bars(words, [(label(r), r.ratio) for r in shown]), words
                )
    for place in ("on-node", "between"):
        for name in ("put_bw", "get_bw"):
            series = {}
            for (p, n, size), by in parts.get("rma", {}).items():
                for s, (_, value) in by.items() if (p, n) == (place, name) else ():
                    series.setdefault(PEERS.get(s, report.SYSTEMS.get(s, s)), []).append(
                        (size, value)
                    )
            if series:
                words = f"{report.METRICS[name]}, {short_place(place)}"
                keep(
                    f"{name}-{place}",
                    svg.curves(
                        words,
                        "MB/s",
                        dict(sorted(series.items(), key=lambda x: (x[0] != "Weft", x[0]))),
                    ),
                    words,
                )
    return out


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build", "bench")
    docs = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, "docs")
    parts = read(folder)
    if not parts:
        sys.exit(f"bench/page.py: no figures in {folder}; bench/run makes them")
    rows = rows_of(parts, read_rounds(folder, parts))
    judged = [r for r in rows if r.ratio]
    slow = [r for r in judged if r.ratio < 1]
    out = header(folder, parts)
    out += [
        f"Of {len(judged)} figures with a peer {sum(r.ratio >= 1 for r in judged)} are at least as "
        f"good as the best peer's, "
        f"{sum(EQUAL <= r.ratio < 1 for r in judged)} within 5 % of it, "
        f"{sum(r.ratio < EQUAL for r in judged)} worse. A row about sizes is met where no figure is "
        "more than 5 % slower: by so much runs of the same program differ.",
        "",
        "## What was to be reached",
        "",
        *targets(parts, rows),
        "",
    ]
    if "rma" in parts:
        out += ["## Floors", "", *floors(parts), ""]
    out += [
        "## Worst first",
        "",
        "All figures that are below the best peer.",
        "",
        *table(slow),
        "",
        "## Pictures",
        "",
        *sum(([p, ""] for p in draw(parts, rows, docs)), []),
    ]
    if "rma" in parts:
        out += ["## Weft's own ways", "", *variants(parts), ""]
        table_paced = paced(parts)
        if table_paced:
            out += [
                "## Hosts that have BBR",
                "",
                "Some systems have BBR as TCP's congestion control for all connections. Weft then takes Reno for its own "
                "(`WEFT_TCP_CONGESTION`). These figures are not among those that are counted above.",
                "",
                *table_paced,
                "",
            ]
    for part, title in PARTS.items():
        for place in sorted({r.place for r in rows if r.part == part}):
            mine = [
                r
                for r in rows
                if r.part == part and r.place == place and not (r.ratio and r.ratio < 1)
            ]
            if mine:
                out += [
                    f"## {title}: {PLACES.get(place, place)}",
                    "",
                    "The others, worst first.",
                    "",
                    *table(mine, False),
                    "",
                ]
    with open(os.path.join(docs, "performance.md"), "w") as f:
        f.write("\n".join(out).rstrip() + "\n")
    print(
        f"{os.path.join(docs, 'performance.md')}: {len(judged)} figures with a peer, "
        f"{len(slow)} below the best"
    )


if __name__ == "__main__":
    main()
