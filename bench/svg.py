"""Two small pictures as SVG text: bars of ratios, and curves over sizes. Knows nothing of what
they show."""

import math
from xml.sax.saxutils import escape

COLORS = ["#c0392b", "#2471a3", "#239b56", "#8e44ad", "#b9770e", "#7f8c8d", "#17a589", "#34495e"]


def page(width, height, parts):
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'font-family="sans-serif" font-size="11">',
            f'<rect width="{width}" height="{height}" fill="white"/>',
            *parts,
            "</svg>",
            "",
        ]
    )


def text(x, y, words, anchor="start", **more):
    extra = "".join(f' {k.replace("_", "-")}="{v}"' for k, v in more.items())
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}"{extra}>{escape(words)}</text>'


def line(x1, y1, x2, y2, color="#ccc"):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}"/>'


def bars(title, rows):
    """rows: (label, ratio). A logarithmic axis from 1/4 to 16; bars begin at 1, red to its left."""
    left, step, right, lowest, highest = 290, 14, 560, math.log(0.25), math.log(16)

    def x(ratio):
        place = (min(max(math.log(ratio), lowest), highest) - lowest) / (highest - lowest)
        return left + place * right

    bottom = 34 + step * len(rows)
    parts = [text(10, 16, title, font_weight="bold")]
    for tick in (0.25, 0.5, 1, 2, 4, 8, 16):
        parts += [
            line(x(tick), 24, x(tick), bottom, "#000" if tick == 1 else "#ddd"),
            text(x(tick), bottom + 14, f"x{tick:g}", "middle"),
        ]
    for i, (label, ratio) in enumerate(rows):
        y, a, b = 28 + i * step, *sorted((x(1), x(ratio)))
        parts += [
            f'<rect x="{a:.1f}" y="{y}" width="{max(b - a, 1):.1f}" height="{step - 4}" '
            f'fill="{"#c0392b" if ratio < 1 else "#5dade2"}"/>',
            text(left - 6, y + 9, label, "end"),
            text(b + 4, y + 9, f"{ratio:.2f}"),
        ]
    return page(left + right + 60, bottom + 24, parts)


def curves(title, unit, series):
    """series: {name: [(size, value)]}; both axes are logarithmic."""
    points = [p for line_ in series.values() for p in line_]
    left, top, width, height = 60, 30, 520, 300
    x0, x1 = (math.log(f(p[0] for p in points)) for f in (min, max))
    y0, y1 = (math.log(f(p[1] for p in points)) for f in (min, max))

    def at(size, value):
        return (
            left + width * (math.log(size) - x0) / max(x1 - x0, 1e-9),
            top + height * (1 - (math.log(value) - y0) / max(y1 - y0, 1e-9)),
        )

    parts = [
        text(10, 16, title, font_weight="bold"),
        f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#999"/>',
    ]
    for size in sorted({p[0] for p in points}):
        name = (
            f"{size >> 20}M" if size >= 1 << 20 else f"{size >> 10}K" if size >= 1024 else str(size)
        )
        px = at(size, math.exp(y0))[0]
        parts += [
            line(px, top, px, top + height),
            text(px, top + height + 14, name, "middle", font_size=8),
        ]
    for power in range(math.ceil(y0 / math.log(10)), math.floor(y1 / math.log(10)) + 1):
        py = at(math.exp(x0), 10.0**power)[1]
        parts += [
            line(left, py, left + width, py),
            text(left - 4, py + 4, f"{10.0 ** power:g}", "end"),
        ]
    parts.append(text(left, top + height + 30, f"bytes; {unit}"))
    for i, (name, dots) in enumerate(series.items()):
        color = COLORS[i % len(COLORS)]
        path = " ".join("{:.1f},{:.1f}".format(*at(*p)) for p in sorted(dots))
        parts += [
            f'<polyline points="{path}" fill="none" stroke="{color}" '
            f'stroke-width="{2.5 if i == 0 else 1.2}"/>',
            text(left + width + 10, top + 14 + 15 * i, name, fill=color),
        ]
    return page(left + width + 140, top + height + 40, parts)
