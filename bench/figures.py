"""What the pages of ARMCI, coarray Fortran and UPC share: the figures of a part, and tables of them."""

import os

import page
import report


class Figures:
    """Of one part of bench/run: the median of each figure, and the least and the most of its rounds."""

    def __init__(self, path):
        self.of, self.least, self.most = (page.read_part(path, s) for s in ("median", "min", "max"))

    def at(self, place, system, name, size=0):
        return self.of.get((place, name, size), {}).get(system, (None, None))[1]

    def ratio(self, a, b):
        over, under = self.at(*a), self.at(*b)
        return over / under if over is not None and under else None

    def sizes(self, place, name):
        return sorted(size for p, n, size in self.of if (p, n) == (place, name))

    def has(self, place, system):
        return any(k[0] == place and system in by for k, by in self.of.items())


def words(name, size):
    return name.replace("_", " ") + (f", {report.size_name(size)}" if size else "")


def table(head, rows):
    """Lines of a table; rows without a figure are left out."""
    rows = [r for r in rows if any(c is not None for c in r[1:])]
    cell = lambda c: c if isinstance(c, str) else "-" if c is None else page.number(c)
    return ["| " + " | ".join(head) + " |", "|---" * len(head) + "|",
            *("| " + " | ".join(map(cell, row)) + " |" for row in rows), ""] if rows else ["Not measured.", ""]


def describer(sections, kind=Figures):
    """What bench/run calls when a part is measured: it prints the sections."""
    def describe(results, medians, folder, best):
        del results, medians, best
        print("\n".join(sections(kind(os.path.join(folder, "median.csv")))))
    return describe
