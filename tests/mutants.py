"""Makes each memory order of ports/order.h weaker in turn, and wants something to fail: one of the
small programs of tests/models/litmus or tests/ports/test_orders.c under ThreadSanitizer, or the model that
the order's line names (`Weaker: MODEL -DBUG`), whose planted bug stands for the weaker order.

Where a comment in ports/ says `Swapped: MODEL -DBUG`, the two statements below it are swapped, too;
the planted bug stands for that.

usage: mutants.py [NAME...]    all, or those of these names: an order's (PUBLISH, ...) or a bug's that
                               stands for a swap (ARMED_FIRST)

Lists who killed each mutant; status 1 if one survived, or could not be looked at. Builds in
build-mutants/, one thing at a time a core; takes some minutes.
"""

import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "tests" / "models"))

import spin  # noqa: E402

WEAKER = {
    "acquire": ["relaxed"],
    "release": ["relaxed"],
    "acq_rel": ["acquire", "release", "relaxed"],
    "seq_cst": ["acq_rel", "acquire", "release", "relaxed"],
}
# What C11 allows; a read-modify-write may have any, and its failure what a load may.
ALLOWED = {"load": {"acquire", "relaxed"}, "store": {"release", "relaxed"}}
DEFINE = re.compile(r"^#define KP_ORDER_(\w+)(\s+)memory_order_(\w+)(?: /\* (.*) \*/)?$", re.M)
SWAPPED = re.compile(r"Swapped: (\w+) -D(\w+) \*/\n")
# A point where a test holds threads may lie between the two (ports/test_point.h).
TWO = re.compile(SWAPPED.pattern + r"([^;{}]*;\n)(\s*KP_TEST_POINT\([^;]*;\n)?([^;{}]*;\n)")
USE = re.compile(r"atomic_(\w+)\((?:[^;]*?)\bKP_ORDER_(\w+)(?:,\s*KP_ORDER_(\w+))?\)", re.S)

folder = root / "build-mutants"
copy = folder / "source"
LITMUS = ["arrival", "bell", "freeze", "inbox", "mailbox", "pair", "parking",
          "reading", "ring"]
compiler = (["ccache"] if shutil.which("ccache") else []) + os.environ.get("CC", "cc").split()
FLAGS = ["-std=c11", "-D_GNU_SOURCE", "-O1", "-g", "-fexceptions", "-fsanitize=thread", "-pthread",
         "-DKP_VERSION=\"0\"", "-DKP_CARRIERS=\".\"", "-DKP_NO_CALL_SITES", "-DKP_SWITCH=KP_SWITCH_UCONTEXT", "-DTIMES=500", f"-I{copy}", f"-I{copy / 'include'}", f"-I{copy / 'tests'}"]
SECONDS = 240  # a program that takes longer hangs


def run(command, **options):
    return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def steady():
    """ThreadSanitizer of gcc 12 ends on kernels that spread addresses widely."""
    command = ["setarch", os.uname().machine, "-R"]
    works = shutil.which("setarch") and run(command + ["true"]).returncode == 0
    return command if works else []


STEADY = steady()

# --- The orders ---

Order = collections.namedtuple("Order", "name strength model kinds")


def kinds_of(sources):
    """By name of an order: what kinds of operation have it."""
    kinds = collections.defaultdict(set)
    for path in sources:
        text = path.read_text()
        for operation, first, second in USE.findall(text):
            kind = operation.split("_")[0] if operation.startswith(("load", "store")) else "both"
            kinds[first].add(kind)
            if second:
                kinds[second].add("load")
        # Given on as an argument: fibers_run.c looks at its words so.
        for name in re.findall(r"has_changed\([^;]*\bKP_ORDER_(\w+)\)", text):
            kinds[name].add("load")
    return kinds


def orders(sources):
    kinds = kinds_of(sources)
    for name, _, strength, note in DEFINE.findall((root / "ports" / "order.h").read_text()):
        model = re.match(r"Weaker: (\w+) (-D.*)$", note or "")
        yield Order(name, strength, model and (model[1], model[2].split()), kinds[name])


def mutants_of(order):
    found = WEAKER.get(order.strength, [])
    for kind in order.kinds & set(ALLOWED):
        found = [weaker for weaker in found if weaker in ALLOWED[kind]]
    return found


Swap = collections.namedtuple("Swap", "name path model")


def swaps(sources):
    for path in sources:
        for model, bug in SWAPPED.findall(path.read_text()):
            yield Swap(bug, path, (model, [f"-D{bug}"]))


# --- Building ---


class Build:
    """The library and its programs, all built once; then only what an order concerns."""

    def __init__(self):
        shutil.rmtree(folder, ignore_errors=True)
        for part in ["ports", "lib", "include", "tests", "tools/kport/common"]:
            shutil.copytree(root / part, copy / part, ignore=shutil.ignore_patterns("*.py"))
        self.order_h = copy / "ports" / "order.h"
        self.text = self.order_h.read_text()
        # The carriers beyond libkport are shared objects of their own, which need an MPI.
        beyond = copy / "ports" / "carrier" / "mpi"
        self.library = [path for folder in ["ports", "lib"] for path in sorted((copy / folder).rglob("*.c"))
                        if beyond not in path.parents]  # fmt: skip
        programs = {f"litmus-{name}": copy / "tests" / "models" / "litmus" / f"{name}.c"
                    for name in LITMUS}
        programs["orders"] = copy / "tests" / "ports" / "test_orders.c"
        self.programs = programs
        self.names = {}
        self.originals = {}
        self.compile(self.library + list(programs.values()), None)

    def object_of(self, source, mutant):
        name = str(source.relative_to(copy)).replace("/", "_")
        return folder / (mutant or "right") / f"{name}.o"

    def compile_one(self, source, mutant):
        made = self.object_of(source, mutant)
        result = run([*compiler, *FLAGS, "-MMD", "-c", source, "-o", made])
        if result.returncode or re.search("memory (model|order)", result.stdout):
            sys.exit(f"{source} does not compile ({mutant})\n{result.stdout}")
        if not mutant:
            text = made.with_suffix(".d").read_text().replace("\\\n", " ")
            mentioned = set()
            for path in map(pathlib.Path, text.split(":", 1)[1].split()):
                if path.resolve().is_relative_to(copy) and path.name != "order.h":
                    mentioned |= set(re.findall(r"\bKP_ORDER_(\w+)", path.read_text()))
            self.names[source] = mentioned

    def compile(self, sources, mutant):
        (folder / (mutant or "right")).mkdir(parents=True, exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda source: self.compile_one(source, mutant), sources))

    def link(self, name, concerned, mutant):
        source = self.programs[name]
        sources = [source] + (self.library if name == "orders" else [])
        objects = [self.object_of(one, mutant if one in concerned else None) for one in sources]
        program = folder / (mutant or "right") / name
        result = run([*compiler, "-fsanitize=thread", "-pthread", *objects, "-o", program,
                      *(["-lcmocka"] if name == "orders" else [])])
        if result.returncode:
            sys.exit(f"{name} does not link\n{result.stdout}")
        return program

    def rewrite(self, path, text):
        self.originals.setdefault(path, path.read_text())
        path.write_text(text)

    def restore(self):
        for path, text in self.originals.items():
            path.write_text(text)
        self.originals.clear()

    def swap(self, swap):
        self.restore()
        path = copy / swap.path.relative_to(root)
        text = path.read_text()
        changed = TWO.sub(lambda found: found[0].replace(found[3], "\0").replace(found[5], found[3])
                          .replace("\0", found[5]) if found[2] == swap.name else found[0], text)
        if changed == text:
            sys.exit(f"{path}: there are no two statements below `Swapped:` for {swap.name}")
        self.rewrite(path, changed)
        return {path}

    def weaken(self, order, weaker):
        self.restore()
        changed = DEFINE.sub(lambda line: f"#define KP_ORDER_{order.name}{line[2]}memory_order_{weaker}"
                             if line[1] == order.name else line[0], self.text)
        assert changed != self.text
        self.rewrite(self.order_h, changed)
        # A failure may not be stronger than its success; compilers make the success stronger then.
        failure = re.compile(rf"\bKP_ORDER_{order.name},(\s*)KP_ORDER_\w+\)")
        for path in copy.rglob("*.[ch]") if weaker == "relaxed" else []:
            if failure.search(path.read_text()):
                self.rewrite(path, failure.sub(rf"KP_ORDER_{order.name},\1memory_order_relaxed)",
                                               path.read_text()))
        concerned = {source for source, names in self.names.items() if order.name in names}
        assert concerned
        return concerned


def fault_of(program):
    """What went wrong when it ran, None if nothing did."""
    options = "halt_on_error=1:exitcode=66:second_deadlock_stack=1"
    try:
        result = run(STEADY + [program], timeout=SECONDS, env={**os.environ, "TSAN_OPTIONS": options})
    except subprocess.TimeoutExpired:
        return f"does not end in {SECONDS} s"
    if result.returncode == 0:
        return None
    race = re.search(r"SUMMARY: ThreadSanitizer: (.*)", result.stdout)
    return (race[1].replace(f"{copy}/", "") if race else f"status {result.returncode}")


# --- Mutants ---


class Judge:
    def __init__(self, build):
        self.build = build
        self.models = {}

    def by_programs(self, names, concerned, mutant):
        for name in names:
            if self.build.programs[name] not in concerned and name != "orders":
                continue
            sources = concerned if name == "orders" else {self.build.programs[name]}
            self.build.compile(sorted(sources), mutant)
            fault = fault_of(self.build.link(name, sources, mutant))
            if fault:
                return f"{name}: {fault}"
        return None

    def by_model(self, model):
        if not spin.available():
            return None
        key = (model[0], *model[1])
        if key not in self.models:
            self.models[key] = spin.check(root / "tests" / "models" / f"{model[0]}.pml", model[1])[0]
        fault = self.models[key]
        return fault and f"model {' '.join(key)}: {fault}"

    def killer(self, mutant, concerned, model):
        killer = self.by_programs([f"litmus-{name}" for name in LITMUS], concerned, mutant)
        killer = killer or (model and self.by_model(model))
        killer = killer or self.by_programs(["orders"], concerned, mutant)
        shutil.rmtree(folder / mutant, ignore_errors=True)
        return killer


def judged(judge, known, swapped, chosen):
    """Of each mutant what it is, and who killed it."""
    for order in known:
        for weaker in mutants_of(order) if not chosen or order.name in chosen else []:
            concerned = judge.build.weaken(order, weaker)
            yield (f"{order.name}: {order.strength} -> {weaker}",
                   judge.killer(f"{order.name}-{weaker}", concerned, order.model))
    for swap in swapped:
        if not chosen or swap.name in chosen:
            yield (f"{swap.name}: swapped in {swap.path.name}",
                   judge.killer(swap.name, judge.build.swap(swap), swap.model))


def main(chosen):
    sources = sorted((root / "ports").rglob("*.[ch]")) + sorted((root / "lib").rglob("*.[ch]"))
    known = list(orders(sources))
    swapped = list(swaps(sources))
    names = [mutant.name for mutant in known + swapped]
    unknown = set(chosen) - set(names)
    if unknown:
        sys.exit(f"there are no {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    unused = [order.name for order in known if not order.kinds]
    if unused:
        sys.exit(f"not used in a way that is understood here: {', '.join(unused)}")
    if not spin.available():
        print(f"no models: {spin.MISSING}")
    build = Build()
    for name in build.programs:
        fault = fault_of(build.link(name, set(), None))
        if fault:
            sys.exit(f"{name} fails with all as it is: {fault}")
    survivors = count = 0
    for mutant, killer in judged(Judge(build), known, swapped, chosen):
        count += 1
        survivors += not killer
        print(f"{mutant}: {killer or 'SURVIVED'}", flush=True)
    print(f"{count} mutants, {survivors} survived")
    return 1 if survivors or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
