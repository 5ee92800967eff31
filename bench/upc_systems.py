"""What bench/run's part upc starts: upcc itself; kernels in C, with OpenMP and in UPC; random access in UPC and by OpenSHMEM; and transfers
between two namespaces in UPC and by MPI's one-sided operations."""

import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
TRANSLATOR, KERNELS, RANDOM, BETWEEN = "upc-translator", "upc-kernels", "upc-random", "upc-between"
LEVEL = ["-O3", "-march=native"]
WIDE = "-fupc-packed-bits=8,23,33"  # blocks of [*] arrays are larger than the usual 20 bits of a phase


def build(t, name, command):
    """A program in the bench's folder, or None with a line that says why not."""
    path = os.path.join(t.folder, name)
    done = subprocess.run([*command, "-o", path, "-lm"], capture_output=True, text=True)
    if done.returncode:
        print(f"skipped: {name}: {command[0]} failed\n{done.stderr}")
        return None
    return path


def systems(t, between):
    os.makedirs(os.path.join(t.folder, "upc_src"), exist_ok=True)
    source = lambda name: os.path.join(HERE, "upc_src", name)
    upcc, found = os.path.join(t.build, "bin", "upcc"), []

    def add(start, program, place, key, pes, hosts=False, arguments=(), **env):
        if program:
            found.append(start(place, key, pes, [program, *arguments], hosts, **env))

    add(t.weft, source("translate.py"), TRANSLATOR, "upc", 1, False, [upcc, t.folder])
    alone = lambda place, key, pes, argv, hosts, **env: t.weft(place, key, 1, argv, **env)
    add(alone, build(t, "kernels.c", ["gcc", *LEVEL, "-w", source("kernels.c")]), KERNELS, "c", 1)
    add(alone, build(t, "kernels.openmp", ["gcc", *LEVEL, "-fopenmp", source("kernels.c")]), KERNELS, "openmp", 1, OMP_NUM_THREADS="2")
    for threads in (1, 2):
        for key, flags in (("upc", []), ("naive", ["-DNAIVE"])):
            program = build(t, f"kernels.{key}{threads}", [upcc, f"-T={threads}", WIDE, *LEVEL, *flags, source("kernels.upc")])
            add(t.weft, program, KERNELS, f"{key}{threads}", threads)
    programs = [("upc", build(t, "random.upc", [upcc, "-O3", source("random.upc")])),
                ("weft", t.compile("upc_src/random_shmem.c", "weft"))]
    for place, hosts in ((RANDOM, False), (BETWEEN, True)) if between else ((RANDOM, False),):
        for key, program in programs:
            add(t.weft, program, place, key, 2, hosts, ["4096" if hosts else "65536"])
    if between:
        add(t.weft, build(t, "transfer.upc", [upcc, "-O3", source("transfer.upc")]), BETWEEN, "upc", 2, True)
        for key, start in (("mpich", t.mpich), ("mpich5", t.mpich5)):
            add(start, t.compile("upc_src/transfer_mpi.c", key, ["-lm"]), BETWEEN, key, 2, True)
    return found
