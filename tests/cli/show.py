"""Pictures of schedules: what is in them, taken apart and compared with the figures of Bruck et al.
1997 (figures.py), with the text, with golden files; where they are written.

usage: show.py PROGRAM [--accept]     --accept writes the golden files anew; look at them then.
"""

import json
import os
import pathlib
import re
import stat
import sys
import tempfile
from xml.etree import ElementTree

import figures
from tap import Tests, execute, said, with_wrapper

program = os.path.abspath(sys.argv[1])
tests = Tests()
GOLDEN = pathlib.Path(__file__).parent / "golden"
SVG = "{http://www.w3.org/2000/svg}"

INDEX = "index:n=5,k=1,b=1,alg=literal,r=2"
TREES = "concat:n=9,k=2,b=1,alg=circulant"
CONCAT = "concat:n=5,k=1,b=1,alg=literal"
COMMANDS = {
    "figures-2-and-3": [INDEX],
    "figure-7": [TREES, "--tree", "0"],
    "figure-8": [TREES, "--tree", "1"],
    "figure-9": [CONCAT],
    # Blocks that are split, sums, an operand that comes again.
    "allreduce": ["allreduce:n=5,k=2,count=3,alg=reduce-scatter-concat", "--tree", "2"],
}


def show(*arguments, **options):
    return execute([program, "show", *arguments], **options)


# --- Taking a picture apart ---


def numbers(text):
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


class Grid:
    """One grid: its name, the text of every cell, and where it lies on the page."""

    def __init__(self, element, corner):
        box = element.find(f"{SVG}rect[@class='box']")
        x, y, width, height = (int(box.get(key)) for key in ("x", "y", "width", "height"))
        texts = [(int(t.get("x")), int(t.get("y")), t) for t in element.iter(f"{SVG}text")]
        self.name = next(t.text for _, _, t in texts if t.get("class") == "name end")
        count = sum(t.get("class") == "mid soft" for _, _, t in texts)
        each = width / count
        self.cells = [["."] * count for _ in range(height // 20)]
        for tx, ty, t in texts:
            if t.get("class") == "mid":
                self.cells[int(ty - y) // 20][int((tx - x) // each)] = t.text
        for mark in element.findall(f"{SVG}rect[@class='sent']"):
            row, column = (int(mark.get("y")) - y) // 20, int((int(mark.get("x")) - x) // each)
            self.cells[row][column] += "*"
        self.place = (corner[0] + x, corner[1] + y, corner[0] + x + width, corner[1] + y + height)


class Arrow:
    def __init__(self, element):
        title = element.find(f"{SVG}title").text
        form = r"round (\d+)(?:-\d+)?: (\d+) to (\d+), port (\d+), (\d+) bytes(?: in all)?"
        values = map(int, re.fullmatch(form, title).groups())
        self.round, self.sender, self.to, self.port, self.bytes = values
        shaft, head = element.findall(f"{SVG}path")
        self.thickness = float(shaft.get("stroke-width"))
        self.start = tuple(numbers(shaft.get("d"))[:2])
        self.tip = tuple(numbers(head.get("d"))[:2])
        self.classes = element.get("class").split()

    def key(self):
        return (self.round, self.port, self.sender, self.to, self.bytes)


class Picture:
    def __init__(self, text):
        self.root = ElementTree.fromstring(text)
        self.width, self.height = (int(self.root.get(key)) for key in ("width", "height"))
        self.texts = [t.text for t in self.root.iter(f"{SVG}text")]
        self.panels = []
        self.grids = []
        self.rounds, self.circles, self.bands = [], {}, []
        self.trees = []
        for panel in self.root.findall(f"{SVG}g"):
            corner = numbers(panel.get("transform"))
            self.panels.append((corner, panel))
            self.grids += [Grid(e, corner) for e in panel.findall(f"{SVG}g[@class='grid']")]
            for diagram in panel.findall(f"{SVG}g[@class='rounds']"):
                self.read_rounds(diagram)
            self.trees += [
                [Arrow(e) for e in tree.findall(f"{SVG}g")]
                for tree in panel.findall(f"{SVG}g[@class='tree']")
            ]

    def read_rounds(self, diagram):
        self.rounds = [Arrow(e) for e in diagram.findall(f"{SVG}g")]
        self.bands = [
            (int(e.get("y")), int(e.get("y")) + int(e.get("height")))
            for e in diagram.findall(f"{SVG}rect[@class='band']")
        ]
        lives = [numbers(e.get("d"))[0] for e in diagram.findall(f"{SVG}path[@class='life']")]
        self.circles = dict(enumerate(lives))

    def grids_named(self, *names):
        return [grid.cells for grid in self.grids if grid.name in names]


def picture_of(*arguments):
    result = show(*arguments, "--svg", "-")
    right = result.returncode == 0 and result.stderr == ""
    tests.check(right, f"drawn: {' '.join(arguments)}", said(result))
    return Picture(result.stdout)


# --- The paper's figures ---


def plain(cells):
    return [[cell.rstrip("*") for cell in row] for row in cells]


def same_grids(name, got, wanted):
    right = len(got) == len(wanted)
    tests.check(right, f"{name}: {len(wanted)} configurations", got)
    for i, (one, other) in enumerate(zip(got, wanted)):
        tests.check(one == other, f"{name}, configuration {i}, cell by cell", f"{one}\n{other}")


def grids_of_text(text, *names):
    """The same from the text: grids by the name in their corner."""
    found = []
    for part in re.split(r"\n(?=(?:out|in|scratch)  |after |before|\n)", text):
        lines = [line.split() for line in part.strip("\n").split("\n")]
        if lines[0] and lines[0][0] in names:
            found.append([line[1:] for line in lines[1:]])
    return found


def test_figures():
    picture, text = picture_of(INDEX), show(INDEX).stdout
    for kind, grids in (
        ("picture", picture.grids_named("out", "scratch", "in")),
        ("text", grids_of_text(text, "out", "scratch", "in")),
    ):
        # out; scratch before the rounds and after each; in.
        tests.check(len(grids) == 6, f"Figs. 2 and 3, {kind}: six configurations", grids)
        phases = [plain(grids[i]) for i in (0, 1, 4, 5)]
        same_grids(f"Fig. 2, {kind}", phases, figures.FIGURE_2)
        same_grids(f"Fig. 3, {kind}", grids[1:5], figures.FIGURE_3)
    picture, text = picture_of(CONCAT), show(CONCAT).stdout
    for kind, grids in (
        ("picture", picture.grids_named("scratch", "in")),
        ("text", grids_of_text(text, "scratch", "in")),
    ):
        same_grids(f"Fig. 9, {kind}", [plain(grid) for grid in grids], figures.FIGURE_9)
    for number, root, wanted in ((7, "0", figures.FIGURE_7), (8, "1", figures.FIGURE_8)):
        picture, text = picture_of(TREES, "--tree", root), show(TREES, "--tree", root).stdout
        tests.check(len(picture.trees) == 2, f"Fig. {number}: a tree after each of two rounds")
        for after, tree in enumerate(picture.trees):
            got = {(arrow.round, arrow.sender, arrow.to) for arrow in tree}
            built = {(i, *edge) for i in range(after + 1) for edge in wanted[i]}
            right = got == built and len(tree) == len(built)
            tests.check(right, f"Fig. {number}: after round {after}, edge by edge", sorted(got))
        table = text[text.index("where the data") :].split("\n\n")[0].splitlines()[2:]
        got = sorted((int(w[0]), int(w[2]), int(w[3])) for w in map(str.split, table))
        built = sorted((i, *edge) for i in (0, 1) for edge in wanted[i])
        tests.check(got == built, f"Fig. {number}, text", text)


# --- What every picture has to be ---


def messages_of_text(text, n, k):
    """All messages of the table, for every processor, as keys of arrows."""
    found = []

    def added(x, i, radix):
        total, weight = 0, 1
        while weight <= max(x, i):
            total += (x // weight + i // weight) % radix * weight
            weight *= radix
        return total

    kinds = {
        "+": lambda i, x: (i + x) % n,
        "(+)": lambda i, x: added(x, i, k + 1),
        "xor": lambda i, x: i ^ x,
    }
    for line in text.split("\n\n")[1].splitlines()[1:]:
        words = line.split()
        if not words[0].isdigit():
            continue
        round_, port, bytes_ = int(words[0]), int(words[1]), int(words[-1])
        if words[2] != "i":
            found.append((round_, port, int(words[2]), int(words[3]), bytes_))
        else:
            found += [(round_, port, i, kinds[words[4]](i, int(words[5])), bytes_) for i in range(n)]
    return sorted(found)


def inside(picture):
    """What sticks out of the page, a character being 8 pixels wide at most."""
    out = []
    for (x, y), panel in picture.panels:
        for t in panel.iter(f"{SVG}text"):
            classes = (t.get("class") or "").split()
            width = len(t.text or "") * (12 if "title" in classes else 8)
            before = width if "end" in classes else width / 2 if "mid" in classes else 0
            left, base = x + int(t.get("x")) - before, y + int(t.get("y"))
            if left < 0 or left + width > picture.width or not 8 <= base <= picture.height - 2:
                out.append(t.text)
        for r in panel.iter(f"{SVG}rect"):
            right = x + int(r.get("x")) + int(r.get("width"))
            bottom = y + int(r.get("y")) + int(r.get("height"))
            if right > picture.width or bottom > picture.height:
                out.append(r.attrib)
    return out


def overlapping(picture):
    places = [grid.place for grid in picture.grids]
    return [
        (a, b)
        for i, a in enumerate(places)
        for b in places[:i]
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]


def thickness_wrong(arrows):
    """In proportion to the bytes, as far as tenths and the least of one pixel allow."""
    if not arrows:
        return []
    most = max(arrows, key=lambda arrow: arrow.bytes)
    if len({arrow.bytes for arrow in arrows}) == 1:
        return [a.thickness for a in arrows if a.thickness != 2]
    wrong = []
    for arrow in arrows:
        wanted = max(1, most.thickness * arrow.bytes / most.bytes)
        if abs(arrow.thickness - wanted) > 0.11:
            wrong.append((arrow.bytes, arrow.thickness, wanted))
    return wrong


def badly_placed(picture):
    """Arrows that do not lead from their sender's column, at the top of their round, to their
    receiver's, at its bottom."""
    return [
        arrow.key()
        for arrow in picture.rounds
        if arrow.start != (picture.circles[arrow.sender], picture.bands[arrow.round][0])
        or arrow.tip != (picture.circles[arrow.to], picture.bands[arrow.round][1])
    ]


def legend_of(picture):
    """Of the rounds: what a sample is said to be, and its class and thickness."""
    for _, panel in picture.panels:
        children = list(panel)
        if not children or children[0].get("class") != "rounds":
            continue
        return {
            text.text: (sample.get("class").split(), float(sample[0].get("stroke-width")))
            for sample, text in zip(children, children[1:])
            if "arrow" in (sample.get("class") or "")
        }
    return {}


def legend_wrong(picture, k):
    """Sizes that are said to be thicker or thinner than they are, or not said; ports likewise."""
    legend = legend_of(picture)
    sizes = {f"{a.bytes} byte{'s' * (a.bytes != 1)}": a.thickness for a in picture.rounds}
    told = {text: thickness for text, (_, thickness) in legend.items() if "byte" in text}
    wrong = [text for text in told if sizes.get(text) != told[text]]
    wrong += [sizes] * (len(told) != min(4, len(sizes)))
    ordered = sorted(sizes, key=lambda text: int(text.split()[0]))
    wrong += [text for text in ordered[:1] + ordered[-1:] if text not in told]
    if k > 1:
        wrong += [a.port for a in picture.rounds if legend[str(a.port % 28)][0] != a.classes]
    return wrong


PROBLEMS = [
    INDEX, TREES, CONCAT, "index:n=1,k=1,b=8", "index:n=2,k=1,b=0", "concat:n=2,k=1,b=99999999",
    "index:n=16,k=3,b=8,alg=radix,r=4", "concat:n=10,k=3,b=3", "concat:n=14,k=3,b=3,prefer=c2,alg=circulant",
    "concat:n=9,k=2,b=5,alg=recursive-doubling", "index:n=8,k=3,b=8,alg=alternate-direction",
    "broadcast:n=12,k=1,b=64,alg=pipelined,packets=5,root=3", "scatter:n=13,k=2,b=8,root=12",
    "gather:n=7,k=6,b=4", "reduce:n=9,k=2,count=3", "allreduce:n=8,k=1,count=3,alg=reduce-scatter-concat",
    "scan:n=11,k=2,count=2", "indexv:n=6,k=2,b=9,alg=radix", "concat:n=7,k=1,b=8,alg=gather-broadcast",
    "index:n=64,k=1,b=8,alg=radix,r=2", "one-to-one:n=8,k=3,b=30,alg=hypercube-paths", "index:n=22,k=21,b=1",
]  # fmt: skip


def test_pictures():
    for problem in PROBLEMS:
        n, k = (int(re.search(rf"\b{key}=(\d+)", problem)[1]) for key in "nk")
        picture = picture_of(problem)
        text = show(problem).stdout
        head = text.splitlines()
        right = picture.texts[:2] == head[:2] and picture.root.find(f"{SVG}title").text == head[0]
        tests.check(right, f"its head: {problem}", picture.texts[:2])
        wanted = messages_of_text(text, n, k) if "round " in text.split("\n\n")[1] else []
        got = sorted(arrow.key() for arrow in picture.rounds)
        tests.check(got == wanted, f"an arrow a message: {problem}", f"{got}\n{wanted}")
        right = f"; {len(got)} messages, {sum(key[4] for key in got)} bytes in all" in head[1]
        tests.check(right, f"as many messages and bytes as it costs: {problem}", head[1])
        wrong = badly_placed(picture)
        tests.check(not wrong, f"arrows from and to their columns: {problem}", wrong)
        wrong = thickness_wrong(picture.rounds)
        tests.check(not wrong, f"as thick as they are long: {problem}", wrong)
        wrong = legend_wrong(picture, k)
        tests.check(not wrong, f"its legend: {problem}", wrong)
        wrong = [
            a.classes
            for a in picture.rounds
            if a.classes != ["arrow", f"port{a.port % 7}", f"dash{a.port // 7 % 4}"]
        ]
        tests.check(not wrong, f"ports told by colour and dash: {problem}", wrong)
        wrong = inside(picture) + overlapping(picture)
        tests.check(not wrong, f"on the page, nothing over anything: {problem}", wrong)
        grids = grids_of_text(text, "out", "in", "scratch")
        right = [grid.cells for grid in picture.grids] == grids
        tests.check(right, f"memory as in the text: {problem}", grids)
        tests.check(bool(grids) == (n <= 16), f"memory up to 16 processors: {problem}", len(grids))


def refused(result, words):
    told = all(word in result.stderr for word in words)
    return result.returncode == 2 and result.stdout == "" and told


def test_limits():
    result = show("index:n=129,k=1,b=1", "--svg", "-")
    right = refused(result, ["129", "128"])
    tests.check(right, "more columns than a picture has are refused", said(result))
    result = show("index:n=128,k=127,b=1,alg=shared-memory", "--svg", "-")
    right = refused(result, ["16256", "4096"])
    tests.check(right, "a round with more messages than a picture has is refused", said(result))
    picture = picture_of("index:n=128,k=1,b=1,alg=radix,r=128")
    told = "63 of 127 rounds are left out: a picture has up to 64 rounds and 4096 messages"
    right = told in picture.texts and len(picture.bands) == 64
    tests.check(right, "rounds left out are told", picture.texts[-5:])
    told = "only what processor 0 sends is drawn: 0 to x stands for i to i + x"
    right = told in picture.texts and {arrow.sender for arrow in picture.rounds} == {0}
    right = right and len(picture.rounds) == 64
    tests.check(right, "one processor for all, where all is too much", picture.texts[-5:])
    tests.check(not inside(picture), "a wide picture's page is wide enough", inside(picture))
    picture = picture_of("index:n=32,k=31,b=8,alg=radix,r=32")
    right = told in picture.texts and len(picture.rounds) == 31
    right = right and "from port 28 on as from port 0 on" in picture.texts
    tests.check(right, "a crowded round: one processor's messages", picture.texts)
    picture = picture_of("broadcast:n=6,k=1,b=400,alg=pipelined,packets=400")
    told = "340 of 404 rounds are left out: a picture has up to 64 rounds and 4096 messages"
    states = [text for text in picture.texts if text and text.startswith("after round")]
    right = picture.texts.count(told) == 2 and states[-1] == "after round 63"
    tests.check(right, "memory ends with the rounds", states)
    for arguments, words in (
        ([TREES, "--tree", "9"], ["--tree", "9", "0 ... 8"]),
        (["index:n=1025,k=1,b=1", "--tree", "0"], ["1025", "1024"]),
        ([TREES, "--tree", "x"], ["--tree", "x", "0 ... 8"]),
        (["broadcast:n=4,k=1,b=1,root=2", "--tree", "1"], ["processor 1", "no data", "2, the root"]),
        ([TREES, "--svg"], ["--svg", "needs a value"]),
    ):
        result = show(*arguments)
        tests.check(refused(result, words), f"refused: {' '.join(arguments)}", said(result))


def test_trees():
    """Whoever's data: of what goes to all, everybody is reached once, and by who had it before."""
    for problem, n in (("concat:n=13,k=3,b=3", 13), ("broadcast:n=9,k=1,b=8,alg=tree", 9), (CONCAT, 5)):
        for root in range(n if "concat" in problem else 1):
            tree = picture_of(problem, "--tree", str(root)).trees[-1]
            reached, wrong = {root: -1}, []
            for arrow in sorted(tree, key=lambda a: (a.round, "again" in a.classes)):
                had_it = reached.get(arrow.sender, arrow.round) < arrow.round
                if not had_it or ("again" in arrow.classes) != (arrow.to in reached):
                    wrong.append(arrow.key())
                reached.setdefault(arrow.to, arrow.round)
            right = not wrong and set(reached) == set(range(n))
            tests.check(right, f"the tree of {root} spans {problem}", wrong)
    # Table 1's idea: where a block is split its parts come together, from whomever.
    tree = picture_of("concat:n=8,k=2,b=3", "--tree", "0").trees[-1]
    to_each = {rank: sum(a.bytes for a in tree if a.to == rank) for rank in range(1, 8)}
    tests.check(set(to_each.values()) == {3}, "parts of a block add up to it", to_each)


# --- Golden files, and where pictures are written ---


def test_golden():
    for name, arguments in COMMANDS.items():
        for ending, more in (("txt", []), ("svg", ["--svg", "-"])):
            path = GOLDEN / f"{name}.{ending}"
            text = show(*arguments, *more).stdout
            if "--accept" in sys.argv:
                path.write_text(text)
            wanted = path.read_text()
            lines = zip(wanted.split("\n"), text.split("\n"))
            different = [f"- {a}\n+ {b}" for a, b in lines if a != b]
            tests.check(text == wanted, f"golden/{name}.{ending}", "\n".join(different[:9]))


def test_help():
    """The figures' commands in the help are those that are compared here."""
    text = show("--help").stdout
    names = {"2, 3": "figures-2-and-3", "7": "figure-7", "8": "figure-8", "9": "figure-9"}
    for figure, name in names.items():
        wanted = "kport show " + " ".join(COMMANDS[name])
        right = re.search(rf"Fig\. {figure} +{re.escape(wanted)}\n", text)
        tests.check(right is not None, f"help names the command for Fig. {figure}", text)


def limited(folder, path):
    """The program where no file can have more than a few blocks."""
    command = 'ulimit -f 4; exec "$@"'
    words = with_wrapper([program, "show", INDEX, "--svg", str(path)])
    return execute(["sh", "-c", command, "sh", *words], cwd=folder)


def test_files():
    wanted = show(INDEX, "--svg", "-").stdout
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "picture.svg"
        result = show(INDEX, "--svg", path)
        right = result.returncode == 0 and result.stdout == result.stderr == ""
        tests.check(right and path.read_text() == wanted, "a picture in a file", said(result))
        path.write_text("old")
        path.chmod(0o640)
        link = pathlib.Path(folder) / "link.svg"
        link.symlink_to("picture.svg")
        result = show(INDEX, f"--svg={link}")
        right = result.returncode == 0 and link.is_symlink() and path.read_text() == wanted
        tests.check(right, "what a link leads to is replaced", said(result))
        mode = stat.S_IMODE(path.stat().st_mode)
        tests.check(mode == 0o640, "and its permissions stay", oct(mode))
        path.write_text("old")
        for arguments in (["index:n=1000,k=1,b=1"], ["index:n=4,k=9,b=1"], [TREES, "--tree", "9"]):
            result = show(*arguments, "--svg", path)
            right = result.returncode == 2 and path.read_text() == "old"
            tests.check(right, f"a refusal leaves the file alone: {arguments[0]}", said(result))
        result = limited(folder, path)
        right = result.returncode == 2 and path.read_text() == "old" and "picture.svg" in result.stderr
        tests.check(right, "no room: the old file stays", said(result))
        result = limited(folder, pathlib.Path(folder) / "new.svg")
        right = result.returncode == 2 and "new.svg" in result.stderr
        tests.check(right, "no room for a new file is told", said(result))
        for bad in ("missing/picture.svg", "", "."):
            result = show(INDEX, "--svg", bad, cwd=folder)
            right = result.returncode == 2 and result.stdout == ""
            right = right and f'"{bad}" could not be written' in result.stderr
            tests.check(right, f"cannot be written: '{bad}'", said(result))
        left = sorted(os.listdir(folder))
        tests.check(left == ["link.svg", "picture.svg"], "nothing half-written is left", left)


def test_pipe():
    """What is no regular file is written to, not replaced."""
    wanted = show(INDEX, "--svg", "-").stdout
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pipe")
        os.mkfifo(path)
        reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        result = show(INDEX, "--svg", path)
        text = os.read(reader, 1 << 20).decode()
        os.close(reader)
        right = result.returncode == 0 and stat.S_ISFIFO(os.stat(path).st_mode) and text == wanted
        right = right and os.listdir(folder) == ["pipe"]
        tests.check(right, "a pipe is written to, and stays one", said(result))


def test_json():
    """The same memory as in the text, and the same steps as in an exported file; of a wrong schedule
    as far as it goes."""
    for problem in (INDEX, CONCAT, TREES, "allreduce:n=5,k=2,count=3,alg=reduce-scatter-concat", "index:n=17,k=1,b=1"):
        result, text = show(problem, "--json"), show(problem).stdout
        whole = json.loads(result.stdout)
        for space in ("out", "scratch", "in"):
            got = [[[(cell or ".") + "*" * ([i, j] in one["sent"]) for j, cell in enumerate(row)] for i, row in enumerate(one["rows"])]
                   for state in whole["memory"] for one in state["spaces"] if one["space"] == space]  # fmt: skip
            wanted = grids_of_text(text, space)
            tests.check(got == wanted, f"{problem}: {space} as in the text", [got, wanted])
        exported = execute([program, "export", problem, "--format", "json"])
        right = whole["schedule"] == json.loads(exported.stdout) and whole["wrong"] is None and result.returncode == 0
        tests.check(right, f"{problem}: the schedule that is exported", said(result))
        cost = re.search(r"C1 = (\d+) rounds, C2 = (\d+)", text)
        tests.check([whole["c1"], whole["c2"]] == [int(cost[1]), int(cost[2])], f"{problem}: C1 and C2")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "wrong.txt"
        path.write_text("kport schedule 1\nproblem concat:n=3,k=1,b=8\nround 0\n  0 -> 1: out[0] -> in[0]\n"
                        "  1 -> 2: out[0] -> in[1]\nround 1\n  0 -> 1: in[1] -> in[2]\n")  # fmt: skip
        result = show(f"@{path}", "--json")
        whole = json.loads(result.stdout)
        wrong = {key: whole["wrong"][key] for key in ("round", "from", "to", "missing", "rounds")}
        right = result.returncode == 1 and wrong == {"round": 1, "from": 0, "to": 1, "missing": False, "rounds": 1}
        tests.check(right, "a wrong schedule: where it is wrong", said(result))
        tests.check([state["title"] for state in whole["memory"]][-1] == "after round 0", "and the memory up to there", whole["memory"])
        account = json.loads(execute([program, "check", f"@{path}", "--json"]).stdout)["findings"][0]["account"]
        tests.check(whole["wrong"]["account"] == account, "and the account of the check", [whole["wrong"], account])
    for arguments in (["--svg", "-"], ["--tree", "0"]):
        result = show(INDEX, "--json", *arguments)
        tests.check(result.returncode == 2 and arguments[0] in result.stderr, f"not with {arguments[0]}", said(result))


test_figures()
test_pictures()
test_limits()
test_trees()
test_golden()
test_help()
test_files()
test_pipe()
test_json()
tests.end()
