"""Check a page of weft-report, or make a trace of many PEs: report.py PAGE 4 | report.py PAGE many | report.py make NPES."""
import html.parser
import json
import sys

KINDS = ["put", "get", "atomic", "quiet", "fence", "collective", "wait", "lock", "memory"]
VOID = {"meta", "br", "img", "link", "input", "hr"}


def make(npes):
    pes = [dict({kind: [5, 200, 10.0] if kind == "put" else [0, 0, 0.0] for kind in KINDS}, pe=pe, node=pe // 50,
                host="h%d" % (pe // 50), us=1000.0, events=0, dropped=0) for pe in range(npes)]
    weft = dict(version=1, npes=npes, complete=True, pes=pes, calls=[[pe, "shmem_p", "put", 5, 200, 10.0, 3.0] for pe in range(npes)],
                matrix=[[pe, (pe + 1) % npes, 5, 200, 0, 0, 0, 0, 0, 0] for pe in range(npes)],
                sizes={kind: [0] * 6 + [5 * npes if kind == "put" else 0] + [0] * 41 for kind in KINDS[:3]})
    print('{"traceEvents":[\n],\n"weft":' + json.dumps(weft) + "}")


class Page(html.parser.HTMLParser):
    """Notes cells of matrices and of tables; ends on elements that are not closed and on what would be loaded."""

    def __init__(self):
        super().__init__()
        self.open, self.cells, self.rows, self.pictures = [], [], [], []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag in ("script", "link", "img", "iframe") or any(k in attributes for k in ("src", "href")):
            sys.exit("the page loads something: <%s>" % tag)
        if tag == "svg":
            self.pictures.append(attributes["aria-label"])
            self.cells.append({})
        if attributes.get("class") == "cell":
            self.cells[-1][int(attributes["data-from"]), int(attributes["data-to"])] = int(attributes["data-value"])
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            sys.exit("</%s> closes nothing" % tag)

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


def expect(got, want, what):
    if got != want:
        sys.exit("%s is %r, want %r" % (what, got, want))


if sys.argv[1] == "make":
    make(int(sys.argv[2]))
    sys.exit()
page = Page()
page.feed(open(sys.argv[1], encoding="utf-8").read())
page.close()
expect(page.open, [], "what is still open")
pictures = [title for title in page.pictures if title != "bytes moved by collectives"]  # if they moved any
expect(pictures, ["bytes between PEs", "operations between PEs", "time of each PE", "sizes of operations"], "pictures")
rows = {row[0]: row for row in page.rows}
if sys.argv[2] == "many":  # two PEs a row: each row has 5 operations of its own pair and 5 of the next row
    expect(page.cells[1], {cell: 5 for i in range(50) for cell in ((i, i), (i, (i + 1) % 50))}, "operations")
    expect(page.cells[0], {cell: 200 for cell in page.cells[1]}, "bytes")
    expect(rows["put"][1:3], ["500", "19.5 KB"], "puts")
else:
    n = int(sys.argv[2])
    operations = {(pe, (pe + 1) % n): 28 for pe in range(n)}
    size = {cell: 7840 for cell in operations}
    for pe in range(n):
        operations[pe, 0] = operations.get((pe, 0), 0) + 1
        size[pe, 0] = size.get((pe, 0), 0) + 8
    expect(page.cells[0], size, "bytes")
    expect(page.cells[1], operations, "operations")
    expect(rows["put"][1:3], [str(15 * n), "22.6 KB"], "puts")
    expect(rows["get"][1], str(6 * n), "gets")
    expect(rows["collective"][1], str(8 * n), "collectives")
    expect(rows["shmem_barrier_all"][1:3], ["collective", str(4 * n)], "barriers")
    expect(rows["shmem_long_iput"][1:4], ["put", str(n), "320 B"], "strided puts")
