"""What bench/run says about the collectives: a matrix of times and ratios per place, plots."""

import os

import report

PLACES = {
    "coll-on-node-2": "Collectives on one node, 2 PEs",
    "coll-on-node-4": "Collectives on one node, 4 PEs (oversubscribed where there are fewer cores)",
    "coll-between-2": "Collectives between two network namespaces, 1 PE in each",
    "coll-between-4": "Collectives between two network namespaces, 2 PEs in each",
    "sets-on-node-2": "Active sets on one node, both PEs of 2",
    "sets-on-node-4": "Active sets on one node, PEs 0 and 2 of 4",
    "sets-between-4": "Active sets between two network namespaces, PEs 0 and 2 of 4",
}
MARGIN = 0.95  # less is called slower
# The column that is judged, and the one that it stands beside.
PAIRS = [("weft", "weft-new", "sets kept as teams, beside the same calls with WEFT_DEBUG=coll_sets=0"),
         ("weft", "oshmem", "active sets, beside OSHMEM"),
         ("weft-team", "oshmem", "teams, beside OSHMEM's active sets"),
         ("weft-team", "ompi", "teams, beside Open MPI's MPI"),
         ("weft-team", "mpich", "teams, beside MPICH")]
# Panels of their own; what else there is at 8 bytes shares one.
PLOTTED = ["broadcast", "collect", "fcollect", "alltoall", "alltoalls", "sum_long", "sum_double",
           "inscan_long"]


def number(value):
    if value >= 1000:
        return f"{value / 1000:.2f}k" if value < 10000 else f"{value / 1000:.0f}k"
    return f"{value:.3g}"


def figures_of(results, place):
    """Names in the order in which the programs make them, with their sizes."""
    names = {}
    for p, _, name, size in results:
        if p == place:
            names.setdefault(name, set()).add(size)
    return {name: sorted(sizes) for name, sizes in names.items()}


def print_matrix(results, med, place, pair, out):
    ours, theirs, text = pair
    figures = {n: s for n, s in figures_of(results, place).items()
               if any((place, ours, n, x) in med and (place, theirs, n, x) in med for x in s)}
    if not figures:
        return
    sizes = sorted({x for s in figures.values() for x in s})
    print(f"\n{PLACES[place]}: {text}; us of Weft, xN: N times faster", file=out)
    print(f"{'':12}" + "".join(f"{report.size_name(x):>14}" for x in sizes), file=out)
    for name in figures:
        row = f"{name:<12}"
        for size in sizes:
            mine, other = med.get((place, ours, name, size)), med.get((place, theirs, name, size))
            row += f"{number(mine):>7} x{number(other / mine):<5}" if mine and other else " " * 14
        print(row.rstrip(), file=out)


def slower(results, med, place, ours, theirs):
    found = []
    for name, sizes in figures_of(results, place).items():
        at = []
        for size in sizes:
            mine, other = med.get((place, ours, name, size)), med.get((place, theirs, name, size))
            if mine and other and other / mine < MARGIN:
                at.append(f"{report.size_name(size)} x{other / mine:.2f}")
        if at:
            found.append(f"{name}: {', '.join(at)}")
    return found


def print_goals(results, med, out):
    if not any(k[0].startswith("coll-") for k in results):
        return
    print("\nWhat was expected: no operation slower than OSHMEM on one node", file=out)
    for place in (p for p in PLACES if p.startswith("coll-")):
        for ours, theirs, text in PAIRS[1:3]:
            if not any(k[:2] == (place, ours) for k in med):
                continue
            if not any(k[:2] == (place, theirs) for k in med):
                continue
            worse = slower(results, med, place, ours, theirs)
            verdict = "MISS" if worse else "met "
            print(f"  {verdict if 'on-node' in place else '    '}  {place}, {text}:"
                  f" {'slower at' if worse else 'none slower'}" +
                  "".join(f"\n          {w}" for w in worse), file=out)


def plot_place(results, med, place, folder):
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        print("no plot: python3-matplotlib is not installed")
        return
    figure, axes = plt.subplots(3, 3, figsize=(16, 12))
    systems = [s for s in report.COLORS if any(k[:2] == (place, s) for k in results)]
    for axis, name in zip(axes.flat, PLOTTED):
        for s in systems:
            points = sorted((k[3], v) for k, v in med.items() if k[:3] == (place, s, name))
            if points:
                axis.loglog(*zip(*points), marker="o", markersize=3, color=report.COLORS[s],
                            label=report.SYSTEMS[s])
        axis.set_xscale("log", base=2)
        axis.set_title(name)
        axis.set_xlabel("bytes of a PE (alltoall: of a pair)")
        axis.set_ylabel("us")
        axis.grid(alpha=0.3)
        if axis.lines:
            axis.legend(fontsize=8)
    plot_small(axes.flat[-1], results, med, place, systems)
    figure.suptitle(PLACES[place])
    figure.tight_layout()
    figure.savefig(os.path.join(folder, place + ".png"), dpi=80)
    plt.close(figure)


def plot_small(axis, results, med, place, systems):
    names = [n for n, sizes in figures_of(results, place).items()
             if 8 in sizes and n not in PLOTTED]
    for i, s in enumerate(systems):
        bars = [(y + 0.8 * i / len(systems), med[place, s, n, 8]) for y, n in enumerate(names)
                if (place, s, n, 8) in med]
        if bars:
            y, width = zip(*bars)
            axis.barh(y, width, height=0.8 / len(systems), color=report.COLORS[s])
    axis.set_xscale("log")
    axis.set_yticks([y + 0.4 for y in range(len(names))], names, fontsize=8)
    axis.invert_yaxis()
    axis.set_title("us, 8 bytes")
    axis.grid(alpha=0.3, axis="x")


def describe(results, med, folder, best):
    """The matrices also go to a file: the terminal is too small for all places."""
    path = os.path.join(folder, "table.txt")
    with open(path, "w") as out:
        print("best batches" if best else "medians of the rounds", file=out)
        for place in PLACES:
            for pair in PAIRS:
                print_matrix(results, med, place, pair, out)
        print_goals(results, med, out)
    with open(path) as f:
        print(f.read(), end="")
    for place in PLACES:
        if any(k[0] == place for k in results):
            plot_place(results, med, place, folder)
