"""What bench/run's part armci starts: one ARMCI program over Weft, Debian's ARMCI-MPI, and ComEx where COMEX_TS or COMEX_PR
name a folder with its headers and libarmci.a (mpi-ts, mpi-pr); messages of MPI beside them; and NWChem where BENCH_NWCHEM names
programs: weft=/a/nwchem,armci-mpi=/b/nwchem. All under Open MPI's launcher."""

import glob
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUNS = os.path.join(ROOT, "bench", "armci_runs.py")
NODE, BETWEEN = "armci-node", "armci-between"
BUFFERS = ["1x3K", "2x3K", "2x4K", "2x16K", "4x32K", "4x128K"]
SPARES = ["4x16K", "4x32K", "4x128K"]


def debug(**names):
    return {"WEFT_DEBUG": ",".join(f"{k}={v}" for k, v in names.items())}


# What one knob of Weft does, between namespaces: (experiment, setting) -> environment.
SETTINGS = {
    **{("E4", where): {"WEFT_HELPER_AFFINITY": where, **debug(helper_move="16M")} for where in ("auto", "rotate", "none")},
    **{("E5", b): debug(port_buffers=b, port_spares="0x0", flow_intimation=0) for b in BUFFERS},
    **{("E6", f"2x3K+{s}"): debug(port_buffers="2x3K", port_spares=s) for s in SPARES},
    **{("E9", text): debug(pack_max=most) for text, most in (("each segment", 0), ("by helper", "1M"))},
}


class Library:
    """One libarmci: the program over it, and how many ranks it keeps to itself on each node."""

    def __init__(self, t, key, flags, needs, kept=0):
        self.t, self.key, self.kept, self.program = t, key, kept, None
        if not needs or not os.path.exists(needs):
            print(f"skipped: ARMCI over {key}: it is not here")
            return
        t.compilers["armci-" + key] = "mpicc.openmpi"
        self.program = t.compile("armci_bench.c", "armci-" + key, flags)

    def run(self, place, ranks, *what, name=None, **env):
        hosts = place == BETWEEN
        pes = ranks + self.kept * (2 if hosts else 1)
        system = self.t.ompi(place, name or self.key, pes, [os.path.join(self.t.folder, "on-host"), self.program, *what], hosts)
        system.env = {**system.env, **env}
        return system


def libraries(t, build):
    lib = os.path.join(build, "lib")
    found = [Library(t, "weft", [f"-I{ROOT}/include/armci", f"-L{lib}", "-larmci-openmpi", f"-Wl,-rpath,{lib}"],
                     os.path.join(lib, "libarmci-openmpi.so")),
             Library(t, "armci-mpi", ["-I/usr/include", "-l:libarmci-openmpi.a"],
                     next(iter(glob.glob("/usr/lib/*/libarmci-openmpi.a")), None))]
    for key, kept in (("ts", 0), ("pr", 1)):
        at = os.environ.get("COMEX_" + key.upper())
        found.append(Library(t, key, [f"-I{at}", f"{at}/libarmci.a", "-lblas", "-lm", "-lrt", "-lpthread"],
                             at and f"{at}/libarmci.a", kept))
    return [library for library in found if library.program]


def litter(library, place):
    system = library.run(place, 2, "sleep")
    system.processes = [[sys.executable, RUNS, "litter", library.program, *system.processes[0]]]
    return system


def histogram(library, what):
    """E3: what Weft counts of the calls of one loop."""
    system = library.run(NODE, 2, what, name=f"weft:E3 {what.split(':')[1]}")
    system.processes = [[sys.executable, RUNS, "histogram", *system.processes[0]]]
    return system


def nwchem(t):
    """E10, E12 and the histogram inside NWChem itself."""
    found = []
    for pair in filter(None, os.environ.get("BENCH_NWCHEM", "").split(",")):
        key, program = pair.split("=")
        for ranks in (1, 2, 4):
            system = t.ompi("armci-nwchem", f"{key}:np{ranks}", ranks, [program])
            system.processes = [[sys.executable, RUNS, "nwchem", *system.processes[0]]]
            found.append(system)
    return found


def systems(t, between):
    places = (NODE, BETWEEN) if between else (NODE,)
    found, weft = [], None
    for library in libraries(t, t.build):
        for place in places:
            # Open MPI 4's one-sided operations do not work over TCP alone, and so ARMCI-MPI does not.
            if library.key == "armci-mpi" and place == BETWEEN:
                continue
            found += [library.run(place, 2, "patch", "single", "busy", "task:dft", "task:ccsd", "task:ways"),
                      library.run(place, 3, "many:1") if place == NODE else library.run(place, 4, "many:2"),
                      litter(library, place)]
            for ranks in (1, 4):
                if place == NODE or ranks > 1:
                    found.append(library.run(place, ranks, "task:dft", "task:ccsd", name=f"{library.key}:np{ranks}"))
        weft = library if library.key == "weft" else weft
    if weft:
        found += [histogram(weft, "task:dft"), histogram(weft, "task:ccsd")]
    if weft and between:
        found += [weft.run(BETWEEN, 2, "patch:128", "task:dft", name=f"weft:{e} {setting}", **env)
                  for (e, setting), env in SETTINGS.items()]
        found.append(weft.run(BETWEEN, 2, "together", "patch:128", "task:dft", "task:ccsd", name="weft:E10 a core free"))
    for key, start in (("ompi", t.ompi), ("mpich", t.mpich)):
        program = t.compile("mpi_bench.c", key)
        if program:
            found += [start(place, key, 2, [program, "two", "put_quiet", "get"], place == BETWEEN) for place in places]
    return found + nwchem(t)
