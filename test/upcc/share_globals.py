#!/usr/bin/env python3
"""Makes a program that csmith wrote one whose global variables are shared: C on stdin, UPC on stdout.

usage: share_globals.py whole|pointers|blocks SEED

whole: each variable lies with thread 0. pointers: so they do, and pointers to them are pointers-to-shared.
blocks: arrays have block sizes at random. The last thread runs the program; its checksum is the C program's.
Even seeds make all accesses strict.
"""
import random
import re
import sys

BASE = r"(?:u?int(?:8|16|32|64)_t|struct S\d+|union U\d+|float|double)"
QUALIFIERS = r"(?:\s*(?:const|volatile)\b\s*)*"
POINTER = re.compile(rf"((?:(?:const|volatile)\s+)*)({BASE})((?:\s*\*{QUALIFIERS})+)")
GLOBAL = re.compile(r"(?:static\s+)?(.*?)\b(g_\d+)((?:\[\d+\])*)\s*=\s*(.*);$", re.S)


def pointers_to_shared(text, shared):
    """Every pointer type in the text: what it leads to is shared, at each level; the pointer itself stays as it was."""

    def spell(found):
        qualifiers, base, stars = found.groups()
        levels = re.findall(r"\*([^*]*)", stars)
        inner = "".join(f"*{shared}{level}" for level in levels[:-1])
        return f"{qualifiers}{shared}{base} {inner}*{levels[-1]}"

    return POINTER.sub(spell, text)


def without_const(kind):
    """Of the variable itself, so that it can be filled."""
    head, star, last = kind.rpartition("*")
    return head + star + last.replace("const", "")


def share(declaration, mode, strict):
    """The declarations of a global, of a private one with its value, and the statement that copies this to that."""
    kind, name, dimensions, value = GLOBAL.match(declaration).groups()
    blocks = ["", "[]", "[*]", "[2]", "[3]", "[7]"] if mode == "blocks" and dimensions else ["[]"]
    if mode == "pointers":
        kind = pointers_to_shared(kind, f" shared [] {strict}")
    sizes = re.findall(r"\d+", dimensions)
    loops = "".join(f"for (int x{i} = 0; x{i} < {size}; x{i}++) " for i, size in enumerate(sizes))
    element = "".join(f"[x{i}]" for i in range(len(sizes)))
    return (f"{without_const(kind)} shared {random.choice(blocks)} {strict}{name}{dimensions};",
            f"static {kind} given_{name}{dimensions} = {value};",
            f"  {loops}upc_memput(&{name}{element}, (void *)&given_{name}{element}, sizeof {name}{element});")


def main():
    mode, seed = sys.argv[1], int(sys.argv[2])
    random.seed(seed)
    strict = "" if seed % 2 else "strict "
    text = sys.stdin.read().partition("/************************ statistics")[0]
    types, _, rest = text.partition("/* --- GLOBAL VARIABLES --- */")
    variables, _, functions = rest.partition("/* --- FORWARD DECLARATIONS --- */")
    variables = re.sub(r"/\*.*?\*/", "", variables, flags=re.S)
    functions = re.sub(r"/\*.*?\*/", "", functions, flags=re.S)
    parts = [share(d.strip() + ";", mode, strict) for d in variables.split(";") if d.strip()]
    if mode == "pointers":
        functions = functions.replace("(void*)0", "(shared void *)0")
        functions = pointers_to_shared(functions, f" shared [] {strict}")
    before, begin, body = functions.partition("    platform_main_begin();")
    body, _, end = body.rpartition("    return 0;")
    first = "    if (MYTHREAD != THREADS - 1) { upc_barrier; return 0; }"
    print("#include <upc.h>", types, *(p[0] for p in parts), *(p[1] for p in parts), before, first,
          *(p[2] for p in parts), begin, body, "    upc_barrier; return 0;", end, sep="\n")


main()
