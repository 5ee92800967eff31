"""What bench/run says about its figures: CSV files, a table with ratios, a plot."""

import csv
import os
import statistics

SYSTEMS = {
    "weft": "Weft", "weft-plain": "Weft plain", "oshmem": "OSHMEM",
    "mpich-two": "MPICH two", "mpich-rma": "MPICH RMA", "tcp": "raw TCP", "provider": "provider",
    "weft-team": "Weft teams", "weft-new": "Weft, no sets kept", "ompi": "OMPI coll",
    "mpich": "MPICH coll", "weft-2": "Weft lf2", "provider-2": "provider lf2", "line": "memory",
    "mpich5": "MPICH 5", "ompi5": "OMPI 5", "mpich5-two": "MPICH5 two", "mpich5-rma": "MPICH5 RMA",
    "ompi5-two": "OMPI5 two", "ompi5-rma": "OMPI5 RMA",
}
FLOORS = ("tcp", "provider", "provider-2", "line")
PLACES = {
    "on-node": "On one node, 2 PEs",
    "4-on-2": "On one node, 4 PEs (oversubscribed where there are fewer cores)",
    "between": "Between two network namespaces, 2 PEs",
    "between-bbr": "Between two network namespaces that have BBR, 2 PEs",
}
METRICS = {
    "put_pingpong": "put ping-pong, half round trip", "put_quiet": "put + quiet", "get": "get",
    "put_rate": "puts, 64 per quiet", "put_stream": "puts, 4096 per quiet",
    "put_static": "puts to static data", "fadd": "fetch-add", "swap": "swap", "fadd_rate": "fetch-add, all PEs",
    "add_rate": "adds, 64 per quiet", "gups": "random adds, all PEs", "barrier": "barrier",
    "seen_put": "put, then compute: seen after", "seen_fence": "put, fence, flag: seen after",
    "seen_second": "put, flag: seen after",
    "put_at": "put of 1 MB at byte N of pages", "get_at": "get of 1 MB at byte N of pages",
    "put_bw": "put bandwidth", "get_bw": "get bandwidth",
    "tcp_spin": "TCP ping-pong, spinning", "tcp_block": "TCP ping-pong, blocking", "tcp_stream": "TCP, one way",
    "fi_send": "fi_inject ping-pong", "fi_write": "fi_inject_write ping-pong",
    "fi_message": "fi_send ping-pong, larger than an inject",
    "fi_gathered": "fi_send of 64 words, and an answer",
    "fi_exchange": "fi_inject by both at once", "fi_exchange_write": "fi_writedata by both at once",
    "line": "8 bytes from cache to cache, one way",
    "copy": "memcpy at one place", "copy_bw": "memcpy, a window of places",
    "fi_read": "fi_read", "fi_write_flush": "fi_inject_write + flush",
    "fi_write_rate": "fi_inject_write, 64 per flush", "fi_write_bw": "fi_write, window and flush",
}
SHOWN_BW = (8, 64, 512, 4096, 32768, 262144, 4194304)
COLORS = {"weft": "#c0392b", "weft-plain": "#e59866", "oshmem": "#2471a3", "mpich-two": "#239b56",
          "mpich-rma": "#82e0aa",
          "weft-team": "#e67e22", "weft-new": "#f5b7b1", "ompi": "#7fb3d5", "mpich": "#239b56"}


def summarise(results, best):
    """The median over the rounds, or the best round where the machine was too busy for medians."""
    if not best:
        return {key: statistics.median(values) for key, (_, values) in results.items()}
    return {key: (min if unit in ("us", "%") else max)(values)
            for key, (unit, values) in results.items()}


def advantage(unit, weft, other):
    """How many times Weft is better, whichever way the unit counts."""
    if not weft or not other:
        return None
    return other / weft if unit == "us" else weft / other


def size_name(size):
    for limit, unit in ((1 << 20, "M"), (1 << 10, "K")):
        if size >= limit:
            return f"{size // limit}{unit}"
    return str(size)


def write_csv(results, when, folder):
    med = summarise(results, False)
    with open(os.path.join(folder, "raw.csv"), "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["place", "system", "figure", "bytes", "unit", "round", "value"])
        for key, (unit, values) in sorted(results.items()):
            for round_, value in zip(when[key], values):
                out.writerow([*key, unit, round_, value])
    with open(os.path.join(folder, "median.csv"), "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["place", "figure", "bytes", "unit", "system", "median", "min", "max",
                      "rounds", "weft_better_by"])
        for (place, system, name, size), (unit, values) in sorted(results.items()):
            ratio = advantage(unit, med.get((place, "weft", name, size)),
                              med[place, system, name, size])
            out.writerow([place, name, size, unit, system, f"{statistics.median(values):.12g}",
                          min(values), max(values), len(values), f"{ratio:.3f}" if ratio else ""])


def waiting(med, place, system):
    """How a system waits, from what it was seen to do in 100 ms: see bench.h."""
    if system == "mpich-rma":
        return "spins in our loop (MPI has no wait for memory)"
    cpu = med.get((place, system, "wait_cpu", 0))
    if cpu is None:
        return None
    others = med[place, system, "wait_cpu_others", 0]
    yields = med[place, system, "wait_yields", 0]
    sleeps = med[place, system, "wait_sleeps", 0]
    how = "spins" if yields < 1 else "spins and yields"
    if sleeps >= 1:
        how = "sleeps" if cpu < 20 else how + ", then sleeps"
    how += f" ({cpu:.0f} % of a core"
    how += f", {yields:.0f} sched_yield per ms" if yields >= 1 else ", never yields"
    return how + (f", other threads {others:.0f} %)" if others >= 1 else ")")


def cell(value, ratio):
    if value is None:
        return f"{'-':>17}"
    text = f"{value:.4g}" if value < 1000 else f"{value:.0f}"
    return f"{text:>9}" + (f" {f'x{ratio:.2f}' if ratio < 100 else f'x{ratio:.0f}':>7}" if ratio
                           else " " * 8)


def print_place(results, med, place, statistic):
    keys = [k for k in results if k[0] == place]
    columns = [s for s in SYSTEMS if any(k[1] == s for k in keys) and s not in FLOORS]
    print(f"\n{PLACES[place]}: {statistic}; xN: Weft is N times better (below 1: worse)")
    for system in columns:
        print(f"  {SYSTEMS[system]:<10} waits: {waiting(med, place, system)}")
    print(f"{'':46}" + "".join(f"{SYSTEMS[s]:>9}{'':8}" for s in columns))
    for name, text in METRICS.items():
        sizes = sorted({k[3] for k in keys if k[2] == name and k[1] in columns})
        for size in sizes:
            if name.endswith("_bw") and size not in SHOWN_BW:
                continue
            unit = next(results[k][0] for k in keys if k[2] == name and k[3] == size)
            row = f"{text:<31}{size_name(size) if len(sizes) > 1 else '':>5} {unit:<8} "
            for s in columns:
                value = med.get((place, s, name, size))
                ratio = s != "weft" and advantage(unit, med.get((place, "weft", name, size)), value)
                row += cell(value, ratio)
            print(row.rstrip())
    for k in sorted(keys):
        if k[1] in FLOORS:
            text = f"{METRICS[k[2]]}, {size_name(k[3])}"
            print(f"{SYSTEMS[k[1]]:<13} {text:<46} {results[k][0]:<8} {cell(med[k], None)}".rstrip())


def verdict(text, value, goal, better_is_more):
    met = value >= goal if better_is_more else value <= goal
    sign = "at least" if better_is_more else "at most"
    print(f"  {'met ' if met else 'MISS'}  {text}: {value:.2f} ({sign} {goal:g})")


def slower_sizes(results, med, place, margin=0.95):
    """One line per figure and peer: the sizes at which the peer is more than 5 % better."""
    worse = {}
    for (p, system, name, size), (unit, _) in sorted(results.items()):
        if p != place or name not in ("put_quiet", "get", "put_bw", "get_bw"):
            continue
        if system in ("weft", "weft-plain"):
            continue
        ratio = advantage(unit, med.get((p, "weft", name, size)), med[p, system, name, size])
        if ratio and ratio < margin:
            worse.setdefault((name, system), []).append(f"{size_name(size)} x{ratio:.2f}")
    return [f"{METRICS[name]}, {SYSTEMS[s]}: {', '.join(w)}" for (name, s), w in worse.items()]


def print_goals(results, med):
    def at(place, system, name, size=8):
        return med.get((place, system, name, size))

    print("\nWhat was expected")
    weft, other = at("on-node", "weft", "put_rate"), at("on-node", "oshmem", "put_rate")
    if weft and other:
        verdict("on-node 8-byte put rate over OSHMEM's", weft / other, 10, True)
    for place in ("on-node", "between"):
        if at(place, "weft", "put_bw"):
            worse = slower_sizes(results, med, place)
            print(f"  {'MISS' if worse else 'met '}  {place}: no size more than 5 % slower than any",
                  "peer" + "".join(f"\n          {w}" for w in worse))
    tcp, fi = at("between", "tcp", "tcp_spin"), at("between", "provider", "fi_write")
    weft = at("between", "weft", "put_pingpong")
    if tcp and fi and weft:
        print(f"        raw TCP {tcp:.2f} us + provider's own {max(fi - tcp, 0):.2f} us")
        verdict("between hosts, put latency over that sum", weft / max(fi, tcp), 1.15, False)
    for name, floor in (("get", "fi_read"), ("put_quiet", "fi_write_flush")):
        weft, fi = at("between", "weft", name), at("between", "provider", floor)
        if weft and fi:
            print(f"        {METRICS[name]} over the provider's {METRICS[floor]}: {weft / fi:.2f}")
    for name in ("put_rate", "put_stream"):
        weft, plain = at("between", "weft", name), at("between", "weft-plain", name)
        if weft and plain:
            verdict(f"coalesced over plain, {METRICS[name]}", weft / plain, 5, True)


def plot(results, med, folder):
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        print("no plot: python3-matplotlib is not installed")
        return
    places = [p for p in ("on-node", "between") if any(k[0] == p for k in results)]
    if not places:
        return
    figure, axes = plt.subplots(len(places), 3, figsize=(16, 4.6 * len(places)), squeeze=False)
    for row, place in zip(axes, places):
        systems = [s for s in COLORS if any(k[:2] == (place, s) for k in results)]
        for axis, name in zip(row, ("put_bw", "get_bw")):
            plot_bandwidth(axis, med, place, systems, name)
        plot_advantage(row[2], results, med, place, systems)
    figure.tight_layout()
    figure.savefig(os.path.join(folder, "bench.png"), dpi=110)


def plot_bandwidth(axis, med, place, systems, name):
    for s in systems:
        points = sorted((k[3], v) for k, v in med.items() if k[:3] == (place, s, name))
        if points:
            axis.loglog(*zip(*points), base=10, marker="o", markersize=3, color=COLORS[s],
                        label=SYSTEMS[s])
    axis.set_xscale("log", base=2)
    axis.set_title(f"{PLACES[place]}: {METRICS[name]}", fontsize=9)
    axis.set_xticks(SHOWN_BW, [size_name(s) for s in SHOWN_BW])
    axis.set_xlabel("bytes")
    axis.set_ylabel("MB/s")
    axis.grid(alpha=0.3)
    axis.legend(fontsize=8)


def plot_advantage(axis, results, med, place, systems):
    names = [n for n in METRICS if (place, "weft", n, 8) in med and not n.endswith("_bw")]
    peers = [s for s in systems if s != "weft"]
    bars = []
    for i, s in enumerate(peers):
        bars = []
        for y, n in enumerate(names):
            key = (place, s, n, 8)
            if key in med:
                bars.append((y + 0.8 * i / len(peers),
                             advantage(results[key][0], med[place, "weft", n, 8], med[key])))
        if bars:
            y, width = zip(*bars)
            axis.barh(y, [w - 1 for w in width], left=1, height=0.8 / len(peers), color=COLORS[s],
                      label=f"than {SYSTEMS[s]}")
    axis.set_xscale("log")
    axis.axvline(1, color="black", linewidth=0.8)
    axis.set_yticks([y + 0.3 for y in range(len(names))], [METRICS[n] for n in names], fontsize=8)
    axis.invert_yaxis()
    axis.set_title("8 bytes: Weft is so many times better (left of 1: worse)", fontsize=9)
    axis.grid(alpha=0.3, axis="x")
    if bars:
        axis.legend(fontsize=8)


def describe(results, med, folder, best):
    for place in PLACES:
        if any(k[0] == place for k in results):
            print_place(results, med, place, "best batches" if best else "medians")
    if any(k[1] == "weft" for k in results):
        print_goals(results, med)
    plot(results, med, folder)


def print_notes(notes, load):
    print()
    for (place, system), said in sorted(notes.items()):
        for note in sorted(set(said)):
            print(f"note: {place}, {SYSTEMS.get(system, system)} {note}, {said.count(note)} of the rounds")
    if load > 0.5:
        print(f"note: the machine was busy when this began (load {load:.1f}):",
              "do not trust the figures")
