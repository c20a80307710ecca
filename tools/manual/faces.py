"""The reference of the interfaces beside the C calls: BSPlib's functions, MPI's functions, and C++. It is made from
their headers; what MPI's header declares and kport does not serve, from the list of lib/mpi/unserved.c.
"""

import re
import textwrap

import calls
import reference
import uses
from markdown import escaped, fenced

FOLDER = "reference/faces"
BSP, CPP, MPI = "include/kport-bsp/bsp.h", "include/kport/kport.hpp", "include/kport-mpi/mpi.h"
PLACES = {BSP: f"{FOLDER}/bsp.md", CPP: f"{FOLDER}/cpp.md", MPI: f"{FOLDER}/mpi.md"}
SECTION = re.compile(r"^/\* --- (.*?) --- \*/$", re.M)


def head_of(source):
    return calls.plain(re.search(r"/\*(.*?)\*/", source, re.S)[1])


def prose(text, names=frozenset()):
    """The paragraphs of a comment; names of functions lead to their places."""
    return reference.text_of(text, lambda line: False, names)


def example(name, examples, language):
    if name not in examples:
        return []
    code, path = examples[name]
    return [f"Example, from [{path}](../../../../{path}):", fenced(code, language)]


def write(stage, header, text):
    """Writes a page, whose links lead from its place in the manual."""
    place = PLACES[header]
    stage.write(place, stage.placed(text, f"doc/manual/{place}", place))


# --- BSPlib ---


def functions_of(chunk):
    """The names of the functions that a part of the header declares."""
    return re.findall(r"^[a-z][\w ]*?\**\b(bsp_\w+)\(", chunk, re.M)


def bsp_names(root):
    return functions_of((root / BSP).read_text().partition("/* --- The same with the place")[0])


def write_bsp(stage):
    source = (stage.root / BSP).read_text()
    examples = uses.of(bsp_names(stage.root), stage.root, ["examples/*.c", "tests/bsp/*.c"])
    parts = ["# BSPlib's functions", "`#include <bsp.h>`, compiled by `kportcc -bsp`.", prose(head_of(source)),
             "[BSP programs](../../guides/bsp.md) says how a program is compiled and run, and lists "
             "[the errors](../../guides/bsp.md#errors)."]  # fmt: skip
    public = source.partition("/* --- The same with the place")[0]
    pieces = SECTION.split(public)
    for title, body in zip(pieces[1::2], pieces[2::2]):
        parts.append(f"## {title}")
        for chunk in body.strip().split("\n\n"):
            comment = re.match(r"/\*(.*?)\*/", chunk, re.S)
            told = prose(calls.plain(comment[1])) if comment else ""
            names = functions_of(chunk)
            declared = re.sub(r"/\*.*?\*/\n?|#ifdef __GNUC__\n.*?#endif\n", "", chunk, flags=re.S).strip()
            for name in names:
                parts += [f"### {name}", fenced(declared, "c"), told, *example(name, examples, "c")]
            if not names:
                parts.append(told)
    write(stage, BSP, "\n\n".join(parts) + "\n")


# --- C++ ---


def closing(text, at):
    """Where the brace ends that opens at this place."""
    depth = 0
    for end in range(at, len(text)):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if depth == 0:
            return end + 1
    raise ValueError("a brace is not closed")


def declarations(text):
    """What a class or a function looks like from outside: no bodies, no private members."""
    found = re.match(r"class (\w+)[^{]*\{", text)
    if not found:
        return text[: text.index("{")].strip() + ";"
    body = text[found.end() : closing(text, found.end() - 1) - 1]
    public = re.split(r"^  private:", body.partition("public:")[2], flags=re.M)[0]
    lines, at = [], 0
    while public[at:].strip():
        opened, ended = public.find("{", at), public.find(";", at)
        if opened < 0 or 0 <= ended < opened:
            head, at = public[at:ended], ended + 1
        else:
            head, at = public[at:opened], closing(public, opened)
        head = re.sub(r"(\)(?: noexcept)?)\s*:\s.*", r"\1", " ".join(head.split()))
        if not head.endswith("= delete"):
            lines.append("    " + head + ";")
    return found[0] + "\n" + "\n".join(lines) + "\n};"


def cpp_parts(source):
    """The name, the comment and the declarations of each class and function of the namespace."""
    body = re.sub(r"^namespace detail\n\{.*?^\} // namespace detail\n", "", source, flags=re.M | re.S)
    for found in re.finditer(r"^/\*((?:(?!\*/).)*?)\*/\n((?:class|inline|template) [^{]*\{)", body, re.M | re.S):
        text = body[found.start(2) : closing(body, found.end(2) - 1)]
        name = re.search(r"\bclass (\w+)\n|\b(\w+)\(", text)
        yield name[1] or name[2], calls.plain(found[1]), declarations(text)


def write_cpp(stage):
    source = (stage.root / CPP).read_text()
    head, _, rest = head_of(source).partition("\n\n")
    code, _, rest = rest.partition("\n\n")
    parts = ["# C++", "`#include <kport/kport.hpp>`, for C++17 and later; link with libkport as a C program does.", prose(head, stage.calls),
             fenced(textwrap.dedent(code), "cpp"), prose(rest, stage.calls),
             "[kport in a program](../../guides/embedding.md) says more. The C calls are those of [Calls](../../../../include/kport)."]  # fmt: skip
    pieces = list(cpp_parts(source))
    names = [rf"kport::{name}" for name, _, _ in pieces]
    examples = uses.of(names, stage.root, ["tests/call/*.cpp"], r"\b{}\b")
    for name, told, declared in pieces:
        parts += [f"## kport::{name}", fenced(declared, "cpp"), prose(told, stage.calls), *example(f"kport::{name}", examples, "cpp")]
    write(stage, CPP, "\n\n".join(parts) + "\n")


# --- MPI ---

DECLARED = re.compile(r"^KP_MPI\((\w+), (\w+),\s*(\(.*?\))\);", re.M | re.S)
TIERS = ["environment", "point", "collective", "type", "communicator"]
FORMS = ["non-blocking", "persistent", "large counts", "persistent, large counts", "non-blocking, large counts"]


def unserved(root):
    """The functions whose call ends the program."""
    listed = re.search(r"#define UNSERVED\(X\)(.*?)\n/\*", (root / "lib/mpi/unserved.c").read_text(), re.S)[1]
    return re.findall(r"X\((\w+)\)", listed)


def declared(root):
    """For each header of the interface its first words, and the functions that it declares with their types."""
    found = {}
    for path in sorted((root / "include/kport-mpi/face").glob("*.h")):
        text = path.read_text()
        rows = {name: (kind, " ".join(parameters.split())) for kind, name, parameters in DECLARED.findall(text)}
        if rows:
            found[path.stem] = (head_of(text).replace("mpi.h includes this header.", "").strip(), rows)
    return found


def base_of(name, names):
    """The function of which this one is a form, and which form it is; itself and "" if it is none."""
    plain, forms = name, []
    if plain.endswith("_c") and plain[:-2] in names:
        plain, forms = plain[:-2], ["large counts"]
    if plain.endswith("_init") and plain[:-5] in names:
        plain, forms = plain[:-5], ["persistent", *forms]
    elif plain.startswith("I") and plain[1:].capitalize() in names:
        plain, forms = plain[1:].capitalize(), ["non-blocking", *forms]
    return plain, ", ".join(forms)


def tiers_of(root):
    """For each header that has served functions: what it is about, and its functions, each with its forms."""
    every, missing = declared(root), set(unserved(root))
    names = {name for _, rows in every.values() for name in rows} - missing
    tiers = {}
    for stem in TIERS:
        own = {name: {"": name} for name in every[stem][1] if name in names and base_of(name, names)[0] == name}
        tiers[stem] = (every[stem][0], own)
    for name in sorted(names):
        base, form = base_of(name, names)
        home = next((rows for _, rows in tiers.values() if base in rows), None)
        if home is None:
            raise ValueError(f"{name} is in no header that has a section")
        home[base][form] = name
    return tiers


def shown(name):
    return f"`MPI_{name}`"


def table_of(rows, examples):
    """A function a row, and a column for each form that any of them has."""
    forms = [form for form in FORMS if any(form in row for row in rows.values())]
    lines = ["| function | " + "".join(f"{form} | " for form in forms) + "a program |", "|---|" + "---|" * (len(forms) + 1)]
    for row in rows.values():
        path = next((examples[f"MPI_{name}"][1] for name in row.values() if f"MPI_{name}" in examples), None)
        cells = [shown(row[form]) if form in row else "" for form in ["", *forms]]
        cells.append(f"[{path.removeprefix('tests/mpi/')}](../../../../{path})" if path else "")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def signatures(rows, every):
    types = {name: row for _, found in every.values() for name, row in found.items()}
    lines = []
    for name in sorted({name for row in rows.values() for name in row.values()}):
        kind, parameters = types[name]
        lines.append(calls.wrapped(f"{kind} MPI_{name}{parameters};"))
    return fenced("\n".join(lines), "c")


# What a function that is not served belongs to: the first row that its declaration fits.
FAMILIES = [
    (r"^T_", "interface for tools"), (r"[Ss]ession|_from_group", "sessions"), (r"MPI_Win\b", "one-sided communication"),
    (r"MPI_File\b|^File_|datarep", "files"),
    (r"^(Pready|Parrived|Psend|Precv)", "partitioned communication"), (r"", "dynamic processes"),
]  # fmt: skip


def missing_table(root, every):
    """The functions that are not served, by what they belong to."""
    types = {name: row for _, rows in every.values() for name, row in rows.items()}
    groups = {words: [] for _, words in FAMILIES}
    for name in sorted(unserved(root)):
        groups[next(words for pattern, words in FAMILIES if re.search(pattern, f"{name} {types[name][1]}"))].append(name)
    lines = ["| what | functions |", "|---|---|"]
    return "\n".join(lines + [f"| {what} | {', '.join(map(shown, names))} |" for what, names in groups.items()])


def classes_table(root):
    text = (root / "include/kport-mpi/face/constants.h").read_text()
    rows = re.findall(r'X\((MPI_\w+), \d+,\s*"(.*?)"\)', text)
    return "\n".join(["| class | what it means |", "|---|---|"] + [f"| `{name}` | {escaped(words)} |" for name, words in rows])


def mpi_examples(root, tiers):
    names = [f"MPI_{name}" for _, rows in tiers.values() for row in rows.values() for name in row.values()]
    return uses.of(names, root, ["examples/*.c", "tests/mpi/programs/*.c", "tests/mpi/corpus/**/*.c", "tests/mpi/*.c"])


def write_mpi(stage):
    every, tiers = declared(stage.root), tiers_of(stage.root)
    examples = mpi_examples(stage.root, tiers)
    count = sum(len(row) for _, rows in tiers.values() for row in rows.values())
    missing = unserved(stage.root)
    parts = ["# MPI's functions", f"`#include <mpi.h>`, compiled by `kportcc`. kport serves {count} functions of MPI, and "
             f"declares {len(missing)} more, so that programs compile. Each also has its second name (`PMPI_Send`).",
             prose(head_of((stage.root / MPI).read_text())),
             "The MPI standard says what each function does, and in which units. Counts are in elements of the datatype. In the "
             "tables a function has a row, with its forms in the columns. The last column has a program of kport's tests that "
             "calls one of them.",
             "## Errors",
             "Each function returns `MPI_SUCCESS` or an error class. By default an error ends the program, with a sentence that "
             "names the rank, the call, and file and line. After `MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN)` the function "
             "returns the class, and `MPI_Error_string` gives the sentence. [MPI programs](../../guides/mpi-programs.md#checks) "
             "lists what else is found.", classes_table(stage.root)]  # fmt: skip
    for stem, (told, rows) in tiers.items():
        title, _, more = told.partition(":")
        parts += [f"## {title.rstrip('.')}", *([prose(told)] if more else []), table_of(rows, examples), signatures(rows, every)]
    parts += ["## Functions that are not served", prose(every["unserved"][0]), missing_table(stage.root, every)]
    write(stage, MPI, "\n\n".join(parts) + "\n")
