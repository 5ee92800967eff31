"""What bench/run says about contexts: message rates by threads and contexts, sessions, overlap."""

import os

import report

PLACES = {
    "ctx-on-node": "Contexts on one node (plain stores: nothing is ever under way)",
    "ctx-nodes": "Contexts between two pretended nodes (loopback TCP)",
    "ctx-between": "Contexts between two network namespaces",
}
KINDS = {
    "p8": "long_p, 64 per quiet", "p8_session": "the same in a session",
    "p8_stream": "long_p, 4096 per quiet",
    "nbi8": "putmem_nbi 8 B, 64 per quiet", "nbi2k": "putmem_nbi 2 KB, 64 per quiet",
    "nbi2k_session": "the same in a session", "nbi4k": "putmem_nbi 4 KB, 64 per quiet",
    "get8": "getmem 8 B",
}
MODES = {
    "1x1": "1 thread, private", "1xdefault": "1 thread, default",
    "2x2": "2 threads, 2 private", "2xshared": "2 threads, 1 shared",
    "2xdefault": "2 threads, default",
}
OVERLAPS = {
    "overlap_alone": "nothing else is under way",
    "overlap_other": "16 MB on another context",
    "overlap_default": "the same, the word on the default context",
    "overlap_same": "16 MB on the same context (must be waited for)",
    "overlap_other_call": "(the call that began the 16 MB)",
    "overlap_other_both": "until both have arrived, two contexts",
    "overlap_same_both": "until both have arrived, one context",
}


def at(med, place, system, name):
    return next((v for k, v in med.items() if k[:3] == (place, system, name)), None)


def print_rates(med, place, system):
    print(f"\n{PLACES[place]}: {report.SYSTEMS[system]}, Mop/s of all threads;"
          " xN: N times one thread with a private context")
    print(f"{'':32}" + "".join(f"{m:>22}" for m in MODES.values()) + f"{'2 private/default':>20}")
    for kind, text in KINDS.items():
        one = at(med, place, system, kind + "_1x1")
        if not one:
            continue
        row = f"{text:<32}"
        for mode in MODES:
            value = at(med, place, system, f"{kind}_{mode}")
            row += f"{value:>15.4g} x{value / one:<5.2f}" if value else f"{'-':>22}"
        two, both = (at(med, place, system, f"{kind}_{mode}") for mode in ("2x2", "2xdefault"))
        print((row + (f"{two / both:>20.2f}" if two and both else "")).rstrip())


def print_overlap(med, place, systems):
    if not any(at(med, place, s, "overlap_alone") for s in systems):
        return
    print(f"\n{PLACES[place]}: us of an 8-byte put with its quiet, while ...")
    print(f"{'':48}" + "".join(f"{report.SYSTEMS[s]:>12}" for s in systems))
    for name, text in OVERLAPS.items():
        values = [at(med, place, s, name) for s in systems]
        print(f"{text:<48}" + "".join(f"{v:>12.4g}" if v else f"{'-':>12}" for v in values))


def plot(med, places, folder):
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        print("no plot: python3-matplotlib is not installed")
        return
    colors = ["#c0392b", "#e59866", "#2471a3", "#7fb3d5", "#239b56"]
    figure, axes = plt.subplots(len(places), 1, figsize=(12, 3.6 * len(places)), squeeze=False)
    for (place, system), axis in zip(places, axes[:, 0]):
        kinds = [k for k in KINDS if at(med, place, system, k + "_1x1")]
        for i, mode in enumerate(MODES):
            rates = [at(med, place, system, f"{k}_{mode}") or 0 for k in kinds]
            axis.bar([x + 0.16 * i for x in range(len(kinds))], rates, width=0.16,
                     color=colors[i], label=MODES[mode])
        axis.set_yscale("log")
        axis.set_xticks([x + 0.32 for x in range(len(kinds))],
                        [KINDS[k].replace(", ", ",\n") for k in kinds], fontsize=8)
        axis.set_ylabel("Mop/s")
        axis.set_title(f"{PLACES[place]}: {report.SYSTEMS[system]}", fontsize=9)
        axis.legend(fontsize=7, ncols=len(MODES), loc="upper right")
        axis.grid(alpha=0.3, axis="y")
    figure.tight_layout()
    figure.savefig(os.path.join(folder, "ctx.png"), dpi=90)
    plt.close(figure)


def describe(results, med, folder, best):
    print(f"\n{'best batches' if best else 'medians'}; {os.cpu_count()} cores: two threads of"
          " PE 0, the target and the helpers share them")
    seen = [(p, s) for p in PLACES for s in report.SYSTEMS
            if any(k[:2] == (p, s) for k in results)]
    for place, system in seen:
        print_rates(med, place, system)
    for place in PLACES:
        print_overlap(med, place, [s for p, s in seen if p == place])
    if seen:
        plot(med, seen, folder)
