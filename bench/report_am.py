"""What bench/run says about active messages: GASNet-EX's tests small, large and am, beside messages
of MPI, and beside another GASNet-EX where one is (BENCH_GASNET)."""

import report

PLACES = {"am-on-node": "On one node, 2 PEs", "am-between": "Between two network namespaces, 2 PEs"}
SYSTEMS = {"weft": "Weft", "gasnet": "GASNet-EX", "mpich": "MPICH two", "ompi": "Open MPI two"}
METRICS = {
    "am_short": "AM short, half round trip", "am_medium": "AM medium, half round trip",
    "am_long": "AM long, half round trip", "flood_short": "AM short, 64 one way",
    "flood_medium": "AM medium, 64 one way", "flood_long": "AM long, one way",
    "put": "put, blocking", "get": "get, blocking", "put_nb": "put NB + wait",
    "put_nbi": "put NBI, window", "get_nbi": "get NBI, window",
    "nb_barrier": "barrier, begun", "nb_broadcast": "broadcast, begun", "nb_sum": "sum, begun",
}


def describe(results, med, folder, best):
    del folder
    for place, title in PLACES.items():
        columns = [s for s in SYSTEMS if any(k[:2] == (place, s) for k in results)]
        if not columns:
            continue
        print(f"\n{title}: {'best' if best else 'medians'}; xN: Weft is N times better")
        print(f"{'':46}" + "".join(f"{SYSTEMS[s]:>13}{'':4}" for s in columns))
        for name, text in METRICS.items():
            sizes = sorted({k[3] for k in results if k[0] == place and k[2] == name})
            for size in sizes:
                unit = next(v[0] for k, v in results.items() if k[0] == place and k[2:] ==
                            (name, size))
                row = f"{text:<31}{report.size_name(size):>5} {unit:<8} "
                for s in columns:
                    value = med.get((place, s, name, size))
                    ratio = s != "weft" and report.advantage(
                        unit, med.get((place, "weft", name, size)), value)
                    row += report.cell(value, ratio)
                print(row.rstrip())
