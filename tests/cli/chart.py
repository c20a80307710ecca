"""The curves that kport compare draws, as kport predict and kport figures do: colours, markers, dashes, ticks, the
legend, and that nothing is cut.

usage: chart.py PROGRAM
"""

import itertools
import math
import re
import sys
import xml.etree.ElementTree

from tap import Tests, execute, said

program = sys.argv[1]
tests = Tests()
SVG = "{http://www.w3.org/2000/svg}"
PAGES = {"light": "#ffffff", "dark": "#1a1c20"}
SERIES = 16


def picture_of(*arguments):
    result = execute([program, "compare", *arguments, "--svg", "-"])
    if result.returncode != 0:
        tests.check(False, f"compare {' '.join(arguments)}", said(result))
    return xml.etree.ElementTree.fromstring(result.stdout)


def index_of(radices, lengths="8:1M", *more):
    ways = ",".join(f"radix/r={r}" for r in radices)
    return picture_of("index", "--n", "64", "-m", lengths, "-a", ways, *more)


# --- Colours ---

# What people see who lack one kind of cones: Machado, Oliveira and Fernandes 2009, severity 1.
VISIONS = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no long": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no middle": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no short": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def linear(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def oklab(light):
    cones = times(((0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566),
                   (0.0883024619, 0.2817188376, 0.6299787005)), light)  # fmt: skip
    return times(((0.2104542553, 0.7936177850, -0.0040720468), (1.9779984951, -2.4285922050, 0.4505937099),
                  (0.0259040371, 0.7827717662, -0.8086757660)), [max(c, 0) ** (1 / 3) for c in cones])  # fmt: skip


def contrast(a, b):
    light = sorted(0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2] for c in (linear(a), linear(b)))
    return (light[1] + 0.05) / (light[0] + 0.05)


def check_colours():
    style = index_of([2]).find(SVG + "style").text
    light, _, dark = style.partition("@media(prefers-color-scheme:dark)")
    for name, rules in (("light", light), ("dark", dark)):
        colours = [colour for _, colour in sorted((int(i), c) for i, c in re.findall(r"\.c(\d+)\{color:(#\w+)\}", rules))]
        page = PAGES[name]
        there = re.search(r"\.page,\.open\{fill:(#\w+)\}", rules)
        there = there and (there[1] if len(there[1]) == 7 else "#" + "".join(2 * c for c in there[1][1:]))
        tests.check(len(colours) == SERIES and there == page, f"{name}: {SERIES} colours and the page's", (colours, there))
        pale = [colour for colour in colours if contrast(colour, page) < 3]
        tests.check(not pale, f"{name}: each differs from the page", pale)
        for vision, matrix in VISIONS.items():
            seen = [oklab(times(matrix, linear(colour))) for colour in colours]
            for count, least in ((8, 0.085), (SERIES, 0.05)):
                near = min(math.dist(a, b) for a, b in itertools.combinations(seen[:count], 2))
                tests.check(near >= least, f"{name}, {vision}: the first {count} differ", near)


# --- Lines and the legend ---


def legend_of(picture):
    """For each name its colour, its dashes and its marker without the place, and where it stands."""
    pieces, entries = list(picture), {}
    for sample, text in zip(pieces, pieces[1:]):
        if sample.tag == SVG + "g" and text.tag == SVG + "text":
            curve, marker = sample.findall(SVG + "path")
            shape = marker.get("class") + re.sub(r"^M[\d.]+ [\d.]+", "", marker.get("d"))
            entries[text.text] = sample.get("class"), curve.get("class"), shape, float(text.get("y"))
    return entries


def check_series():
    radices = range(2, 2 + SERIES)
    picture = index_of(radices)
    legend = legend_of(picture)
    names = {f"radix,r={r}" for r in radices}
    alike = [name.split(" = ") for name in legend]
    tests.check({own for own, *_ in alike} == names, "every series has its name", legend)
    tests.check(all(set(others) < names for _, *others in alike), "a series equal to another has its name, too", legend)
    colours, dashes, markers, places = zip(*legend.values())
    tests.check(len(set(colours)) == len(set(markers)) == SERIES, f"{SERIES} colours and {SERIES} markers", legend)
    second = sorted(int(colour[1:]) for colour, curve in zip(colours, dashes) if "second" in curve)
    tests.check(second == list(range(8, 16)), "the second eight have dashes", dashes)
    drawn = {}
    for group in picture.iter(SVG + "g"):
        shapes = [p.get("class") + re.sub(r"^M[\d.]+ [\d.]+", "", p.get("d")) for p in group.findall(SVG + "path")[1:]]
        drawn.setdefault(group.get("class"), set()).update(shapes)
    tests.check(all(drawn[c] == {m} for c, m in zip(colours, markers)), "the markers are those of the legend", drawn)
    gaps = [b - a for a, b in zip(sorted(places), sorted(places)[1:])]
    tests.check(min(gaps) >= 17, "no name stands on another", gaps)
    ends = {}
    for group in picture.iter(SVG + "g"):
        if len(group) > 2:
            ends[group.get("class")] = float(group[0].get("d").split()[-1])
    below = [ends[colour] for colour in colours]
    tests.check(below == sorted(below), "the names stand in the order of the ends of their curves", below)
    many = legend_of(index_of(range(2, 42)))
    looks = {(colour, marker) for colour, _, marker, _ in many.values()}
    tests.check(len(many) == len(looks) == 40, "of 40 series, no two look the same", looks)
    check_size(index_of(range(2, 42)), "40 series")


def check_size(picture, name):
    """By a character's width of 6 pixels at the least nothing reaches beyond the page."""
    width, height = float(picture.get("width")), float(picture.get("height"))
    cut = []
    for text in picture.iter(SVG + "text"):
        if text.get("transform"):
            continue
        x, y = float(text.get("x")), float(text.get("y"))
        long = len(text.text) * (9 if "title" in text.get("class") else 6)
        left = x - long if "end" in text.get("class") else x - long / 2 if "mid" in text.get("class") else x
        if left < 0 or left + long > width or not 10 < y < height:
            cut.append(text.text)
    tests.check(not cut, f"{name}: no text is cut", cut)


# --- Axes ---


def ticks_of(picture):
    """The texts of the ticks on both axes, each with its place on the axis."""
    texts = [t for t in picture.iter(SVG + "text") if t.get("class") in ("mid soft", "end soft")]
    x = [(t.text, float(t.get("x"))) for t in texts if t.get("class") == "mid soft"]
    y = [(t.text, float(t.get("y"))) for t in texts if t.get("class") == "end soft"]
    return x, y


def check_axes():
    x, y = ticks_of(index_of([2, 64]))
    words = [text for text, _ in x]
    tests.check(words == ["8 B", "32 B", "128 B", "512 B", "2 KiB", "8 KiB", "32 KiB", "128 KiB", "512 KiB"],
                "lengths are powers of 2", words)  # fmt: skip
    steps = [b - a for (_, a), (_, b) in zip(x, x[1:])]
    tests.check(max(steps) - min(steps) < 0.3, "as far from each other", steps)
    tests.check(all(re.match(r"10{0,2} ", text) for text, _ in y) and len(y) > 2, "times are powers of 10", y)
    for lengths in ("8", "1000", "8,12", "1000,1100", "8:16", "64:1K"):
        for more in ((), ("--tau", "0"), ("--beta", "0", "--tau", "0.000001")):
            picture = index_of([2], lengths, *more)
            name = " ".join(("blocks of", lengths, *more))
            x, y = ticks_of(picture)
            right = len(x) >= (1 if lengths in ("8", "1000") else 2) and 2 <= len(y) < 14
            tests.check(right and len(set(dict(y))) == len(y), f"{name}: ticks on both axes", (x, y))
            check_size(picture, name)


check_colours()
check_series()
check_axes()
check_size(picture_of("concat", "--n", "64"), "all algorithms")
tests.end()
