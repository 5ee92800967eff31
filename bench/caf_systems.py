"""What bench/run's part caf starts: the Gemini paper's programs in coarray Fortran over Weft and over Debian's OpenCoarrays, and the
same in MPI. caf_src/ has the sources."""

import glob
import os
import subprocess

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "caf_src")
FLAGS = ["-O3", "-march=native", f"-I{SOURCE}"]
NODE, BETWEEN = "caf-node", "caf-between"
CLASSES = "SWA"
OPENCOARRAYS = next(iter(glob.glob("/usr/lib/*/open-coarrays/openmpi/bin/caf")), "caf of OpenCoarrays")


def compile_one(t, name, compiler, sources, *flags):
    """The program, or None with a line that says why."""
    program = os.path.join(t.folder, name)
    try:
        done = subprocess.run([compiler, *FLAGS, *flags, *(os.path.join(SOURCE, s) for s in sources), "-o", program, "-lm"],
                              capture_output=True, text=True)
    except FileNotFoundError:
        print(f"skipped: {name}: there is no {compiler}")
        return None
    if done.returncode:
        print(f"skipped: {name}: {compiler} failed\n{done.stderr[:1000]}")
        return None
    return program


def systems(t, between):
    caf, found = os.path.join(t.build, "bin", "caf"), []
    make = lambda *what: compile_one(t, *what)
    weft = lambda place, pes, argv, hosts: t.weft(place, "weft", pes, argv, hosts, SHMEM_SYMMETRIC_SIZE="800M")
    alltoall = lambda place, pes, argv, hosts: t.weft(place, "weft:alltoall", pes, argv, hosts, SHMEM_SYMMETRIC_SIZE="800M")
    # Open MPI 4's other one-sided modules fail with OpenCoarrays, and between namespaces.
    pt2pt = ["--mca", "osc", "pt2pt"]
    opencoarrays = lambda place, pes, argv, hosts: t.ompi(place, "opencoarrays", pes, [*pt2pt, *argv], hosts)
    mpich = lambda place, pes, argv, hosts: t.mpich(place, "mpich", pes, argv, hosts)
    ompi = lambda place, pes, argv, hosts: t.ompi(place, "ompi", pes, [*(pt2pt if hosts else []), *argv], hosts)
    transfers = [(weft, make("caf_transfer.weft", caf, ["transfer.f90"])),
                 (opencoarrays, make("caf_transfer.opencoarrays", OPENCOARRAYS, ["transfer.f90"])),
                 (ompi, make("caf_transfer.ompi", "mpicc.openmpi", ["transfer_mpi.c"])),
                 (mpich, make("caf_transfer.mpich", "mpicc.mpich", ["transfer_mpi.c"]))]
    ft = [(weft, make("caf_ft.weft", caf, ["ft.F90"])),
          (alltoall, make("caf_ft.alltoall", caf, ["ft.F90", "ft_exchange.c"], "-DWITH_SHMEM")),
          (opencoarrays, make("caf_ft.opencoarrays", OPENCOARRAYS, ["ft.F90"])),
          (ompi, make("caf_ft.ompi", "mpif90.openmpi", ["ft.F90"], "-DWITH_MPI")),
          (mpich, make("caf_ft.mpich", "mpif90.mpich", ["ft.F90"], "-DWITH_MPI"))]
    for place, hosts in ((NODE, False), (BETWEEN, True)) if between else ((NODE, False),):
        found += [start(place, 2, [program], hosts) for start, program in transfers if program]
        found += [start(place, 2, [program, c, "1"], hosts) for c in CLASSES for start, program in ft if program]
        # Left out: MPICH with more ranks than cores, which takes milliseconds a message; OpenCoarrays with 8 images, which takes
        # a minute for all figures; Weft's alltoall in a grid, because it is that of all images.
        found += [start(f"{place}-{pes}", pes, [program], hosts) for pes, slow in ((4, (mpich,)), (8, (mpich, opencoarrays)))
                  for start, program in transfers if program and start not in slow]
        found += [start(place + "-4", 4, [program, c, grid], hosts) for c, grid in ("S1", "W1", "S2", "W2", "A2") for start, program in ft
                  if program and start is not mpich and (grid == "1" or start is not alltoall)]
    return (t.tcp(BETWEEN) if between else []) + found
