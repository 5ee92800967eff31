#!/usr/bin/python3
"""How long upcc takes for a program of 1,000 lines and its headers: translate.py UPCC FOLDER. The program is that of upcc.loops
(random loops over shared arrays, which upcc works on most). Prints what bench/run reads."""

import os
import subprocess
import sys
import time

upcc, folder = sys.argv[1:]
source, text, out = (os.path.join(folder, "translate." + end) for end in ("upc", "i", "trans.c"))
generator = os.path.join(os.path.dirname(__file__), "..", "..", "test", "upcc", "loops.awk")
program = subprocess.run(["awk", "-v", "seed=1", "-v", "cases=70", "-f", generator], capture_output=True, text=True, check=True).stdout
with open(source, "w") as f:
    f.write("#include <stdlib.h>\n#include <math.h>\n#include <string.h>\n" + program)
assert 1000 <= program.count("\n") < 1100


def milliseconds(*command):
    begin = time.monotonic()
    subprocess.run([upcc, "-O2", *command], check=True)
    return 1e3 * (time.monotonic() - begin)


whole = sorted(milliseconds("-trans", source, "-o", out) for _ in range(9))[4]
with open(text, "w") as f:
    subprocess.run([upcc, "-O2", "-E", source], stdout=f, check=True)
only = sorted(milliseconds("-trans", text, "-o", out) for _ in range(9))[4]
print(f"translate,0,{only:.2f},ms\npreprocess_and_translate,0,{whole:.2f},ms\ndone,0,0,", flush=True)
