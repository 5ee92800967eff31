"""Check a trace of known.c: trace.py FILE NPES [room=N] [incomplete]. It must load as JSON, and its events must say the
same as its counters and as known.c."""
import collections
import json
import sys

trace = json.load(open(sys.argv[1]))
npes, more = int(sys.argv[2]), sys.argv[3:]
complete = "incomplete" not in more
room = next((int(word[5:]) for word in more if word.startswith("room=")), None)
weft = trace["weft"]
# What a PE calls between init and finalize; a program that ends badly does so before its last barrier.
NAMES = {"shmem_long_put_signal": (3, 96), "shmem_long_put": (3, 2400), "shmem_long_put_nbi": (3, 2400), "shmem_ctx_long_put": (1, 800), "shmem_p": (6, 28),
         "shmem_long_iput": (1, 80), "shmem_getmem": (2, 2000), "shmem_int_g": (4, 16), "shmem_int_atomic_fetch_add": (3, 12),
         "shmem_int_atomic_add": (2, 8), "shmem_long_atomic_swap": (1, 8), "shmem_quiet": (1, 0), "shmem_ctx_quiet": (1, 0), "shmem_fence": (1, 0),
         "shmem_barrier_all": (4 if complete else 3, 0), "shmem_int_sum_reduce": (2, 80), "shmem_broadcastmem": (1, 64),
         "shmem_long_wait_until": (1, 0), "shmem_set_lock": (1, 0), "shmem_clear_lock": (1, 0)}
if complete:
    NAMES["shmem_finalize"] = (1, 0)


def expect(got, want, what):
    if got != want:
        sys.exit("%s: %s is %r, want %r" % (sys.argv[1], what, got, want))


expect(weft["npes"], npes, "npes")
expect(weft["complete"], complete, "complete")
expect([pe["pe"] for pe in weft["pes"]], list(range(npes)), "PEs")
titles = {e["pid"] for e in trace["traceEvents"] if e["ph"] == "M" and e["name"] == "process_name"
          and e["args"]["name"].startswith("PE %d on " % e["pid"])}
expect(titles, set(range(npes)), "named processes")

counted = {}
for pe, name, kind, calls, size, *_ in weft["calls"]:
    old = counted.get((pe, name), (0, 0))  # a put with signal has two rows: a put and an atomic
    counted[pe, name] = (old[0] + calls, old[1] + size)
for pe in range(npes):
    for name, (calls, size) in NAMES.items():
        row = counted.pop((pe, name), None)
        expect(row, (calls, size), "calls and bytes of %s on PE %d" % (name, pe))
expect(sorted(counted), [], "other calls")

# The program's own slices are those that lie in no other: name and peer.
slices = [e for e in trace["traceEvents"] if e["ph"] == "X"]
for pe in weft["pes"]:
    mine = sorted((e for e in slices if e["pid"] == pe["pe"]), key=lambda e: (e["ts"], -e["dur"]))
    expect(len(mine), pe["events"], "events of PE %d" % pe["pe"])
    if room is not None:
        expect(len(mine), room, "events with little room")
        expect(pe["dropped"] > 0, room > 0, "dropped")  # without any room nobody expects them
        continue
    expect(pe["dropped"], 0, "dropped")
    calls, bytes_to = collections.Counter(), collections.Counter()
    until = -1
    for e in mine:
        if e["ts"] < 0 or e["dur"] < 0 or (complete and e["ts"] + e["dur"] > pe["us"] + 0.01):
            sys.exit("out of time: %r" % e)
        if e["ts"] + e["dur"] <= until + 0.0015:
            continue  # inside another
        until = e["ts"] + e["dur"]
        calls[e["name"]] += 1
        if "to" in e["args"]:
            bytes_to[e["args"]["to"]] += e["args"]["bytes"]
        if e["name"].startswith("shmem_ctx"):
            expect(e["args"].get("context", 0) > 0, True, "context of " + e["name"])
    if not complete:
        calls["shmem_quiet"] = min(calls["shmem_quiet"], 1)  # the barrier that was never left shows its quiet only
    expect(dict(calls), {name: n for name, (n, _) in NAMES.items()}, "slices of PE %d" % pe["pe"])
    rows = {row[1]: sum(row[3:9:2]) for row in weft["matrix"] if row[0] == pe["pe"] and sum(row[2:8:2])}
    expect(dict(bytes_to), rows, "bytes in slices of PE %d" % pe["pe"])

right = {((pe, (pe + 1) % npes)): [15, 5788, 6, 2016, 7, 36] for pe in range(npes)}
for pe in range(npes):
    row = right.setdefault((pe, 0), [0] * 6)
    row[4] += 1
    row[5] += 8
expect({(row[0], row[1]): row[2:8] for row in weft["matrix"] if sum(row[2:8])}, right, "matrix")
expect(sum(weft["sizes"]["put"]), 15 * npes, "puts by size")
expect(weft["sizes"]["put"][10], 7 * npes, "puts of 512 to 1023 bytes")
