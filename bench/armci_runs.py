#!/usr/bin/python3
"""What the part armci measures around a program, as figures for bench/run:

    armci_runs.py litter PROGRAM LAUNCH...    descriptors and memory of a rank; what kill -9 of all leaves (E13)
    armci_runs.py histogram LAUNCH...         how many operations of which size, by WEFT_TRACE (E3)
    armci_runs.py nwchem LAUNCH...            energies and times of bench/nwchem/*.nw (E10, E12)"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

INPUTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "nwchem")


def say(name, value, unit, size=0):
    print(f"{name},{size},{value:.12g},{unit}", flush=True)


def pids_of(program):
    """Processes that run it."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/exe") == os.path.realpath(program):
                found.append(pid)
        except OSError:
            pass # it has ended, or is not ours
    return found


def shared_files():
    """But for those of Open MPI itself, which leaves its own whatever runs over it."""
    return {name for name in os.listdir("/dev/shm") if not name.startswith(("vader_segment", "ucx_"))}


def litter(program, *launch):
    before = shared_files()
    process = subprocess.Popen(launch, stdout=subprocess.PIPE, text=True)
    if not process.stdout.readline().startswith("ready"):
        sys.exit("it did not start")
    pids = pids_of(program)
    say("fds", max(len(os.listdir(f"/proc/{pid}/fd")) for pid in pids), "of 1")
    status = "".join(open(f"/proc/{pid}/status").read() for pid in pids)
    say("rss", max(map(int, re.findall(r"VmRSS:\s*(\d+)", status))) / 1024, "MB")
    for pid in pids:
        os.kill(int(pid), signal.SIGKILL)
    process.kill()
    process.wait()
    time.sleep(0.5)
    say("files_left", len(shared_files() - before), "of 1")
    say("processes_left", len(pids_of(program)), "of 1")


def histogram(*launch):
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace.json")
        subprocess.run(launch, env={**os.environ, "WEFT_TRACE": trace, "WEFT_TRACE_EVENTS": "1"}, stdout=subprocess.DEVNULL,
                       check=True)
        with open(trace) as f:
            sizes = json.load(f)["weft"]["sizes"]
    for kind, counts in sizes.items():
        for power, calls in enumerate(counts):
            if calls:
                say(kind, calls, "calls", (1 << power) >> 1)


def nwchem(*launch):
    for name in sorted(os.listdir(INPUTS)) + 3 * ["h2o_b3lyp.nw"]:
        what = name.removesuffix(".nw")
        with tempfile.TemporaryDirectory() as folder:
            begin = time.monotonic()
            done = subprocess.run([*launch, os.path.join(INPUTS, name)], cwd=folder, capture_output=True, text=True, errors="replace")
            say(what + "_time", time.monotonic() - begin, "s")
        energies = re.findall(r"(?:Total DFT energy|Total CCSD\(T\) energy)\s*[=:]\s*(-\d+\.\d+)", done.stdout)
        if done.returncode or not energies:
            sys.exit(f"{name}: status {done.returncode}\n{done.stdout[-500:]}{done.stderr[-500:]}")
        say(what + "_energy", float(energies[-1]), "Eh")


if __name__ == "__main__":
    {"litter": litter, "histogram": histogram, "nwchem": nwchem}[sys.argv[1]](*sys.argv[2:])
    print("done,0,0,", flush=True)
