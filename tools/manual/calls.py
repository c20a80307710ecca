"""Reads the public headers: each function or group of functions with the comment that stands before it."""

import dataclasses
import re
import textwrap

DECLARATION = re.compile(r"^KP_API\b[^;]*;", re.M)
COMMENT = re.compile(r"/\*(.*?)\*/\n", re.S)
TYPES = re.compile(r"^(?:typedef|enum|struct)\b[^{;]*(?:;|\{.*?^\}[^;]*;)", re.M | re.S)


@dataclasses.dataclass
class Call:
    names: list
    synopsis: str  # with the types that are declared beside them
    text: str  # "" if only the head of the header tells of them


@dataclasses.dataclass
class Type:
    """A struct or an enum, with its fields or constants; or constants that the preprocessor defines."""

    names: list
    kind: str  # "struct", "enum" or ""
    text: str
    members: list  # of pairs: a declaration, and what its comment says
    links: list  # further names that its page tells of


@dataclasses.dataclass
class Header:
    name: str  # "group.h"
    text: str  # what its head says
    calls: list
    types: list
    aliases: dict  # from another name of a function to its name
    elements: dict  # from a constant that is an element of an array to the array

    def units(self):
        """What its head says of the units of all its functions, or ""."""
        sentences = re.split(r"(?<=\.)\s+", " ".join(self.text.split()))
        told = [one for one in sentences if re.search(r"\b(is|are) in (bytes|elements)\b", one)]
        return told[0][0].upper() + told[0][1:] if told else ""

    def title(self):
        """The first sentence of its head."""
        return re.split(r"(?<=[a-z\)])[.:](?:\s|$)", " ".join(self.text.split()))[0]


def plain(comment):
    """A comment's text without the stars before its lines."""
    lines = [re.sub(r"^ *\* ?", "", line).rstrip() for line in comment.strip().splitlines()]
    return "\n".join(lines).strip()


def declaration_of(text):
    """A declaration as a program sees it."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"\bKP_API\s+|\s*KP_MUST_CHECK|\s*KP_PRINTF\([^)]*\)|\s*KP_NORETURN", "", text)
    text = " ".join(text.split())
    return text.removeprefix("extern ")


def wrapped(declaration):
    """Lines of at most 76 characters, those after the first indented."""
    return "\n".join(textwrap.wrap(declaration, 76, subsequent_indent="        "))


def name_of(declaration):
    return re.search(r"\b(kp_\w+)\s*[(\[;]", declaration).group(1)


TYPE = re.compile(r"(?:/\*((?:(?!\*/).)*)\*/\n)?((?:(?:#define|typedef)[^\n{]*\n)*?)"
                  r"^(?:typedef )?(struct|enum) (kp_\w+) \{\n(.*?)^\}[^;\n]*;", re.M | re.S)  # fmt: skip
MEMBER = re.compile(r"\s*(?:/\*(.*?)\*/\s*)?((?:[^;{}/]|\{[^}]*\}|/(?!\*))*);(?:[ \t]*/\*(.*?)\*/)?", re.S)
CONSTANT = re.compile(r"\s*(?:/\*(.*?)\*/\s*)?(KP_\w+)[^,/\n]*(?:,|(?=\n)|(?= */))(?:[ \t]*/\*(.*?)\*/)?", re.S)
ROW = re.compile(r"X\((KP_\w+), ([^)]*)\)[ \\\n]*(?:/\*(.*?)\*/)?", re.S)
DEFINED = re.compile(r"^#define (KP_\w+) +(?:/\*.*?\*/)?[^\s\\/].*$", re.M)
ALIAS = re.compile(r"^#define (kp_\w+)\(\.\.\.\)\s+\(KP_HERE_BY_MPI_NAME, \((kp_\w+)\)\(__VA_ARGS__\)\)", re.M)

ELEMENT = re.compile(r"^#define (KP_\w+) +\(&(kp_\w+)\[", re.M)


def members_of(kind, body, source):
    """The fields or constants, each with its comment. Some enums are made from a table."""
    table = re.search(r"\b(KP_\w+)\(KP_\w*ENUMERATOR\)", body)
    if table:
        rows = re.search(rf"^#define {table[1]}\(X\).*?[^\\]$", source, re.M | re.S)[0]
        return [(row[1], plain(row[3].replace("\\", " ")) if row[3] else row[2]) for row in ROW.finditer(rows)]
    found = (MEMBER if kind == "struct" else CONSTANT).finditer(body)
    return [(declaration_of(one[2]), plain(one[1] or one[3] or "")) for one in found]


def types_of(source):
    for comment, before, kind, name, body in TYPE.findall(source):
        members = members_of(kind, body, source)
        links = [member for member, _ in members] if kind == "enum" else []
        yield Type([name], kind, plain(comment), members, links + DEFINED.findall(before))


def constants_of(source):
    """Constants that the preprocessor defines, if a comment before or behind tells of them."""
    for chunk in source.split("\n\n"):
        comment, names = COMMENT.match(chunk), DEFINED.findall(chunk)
        behind = re.search(r"^#define KP_\w+ +\S+ /\* (.*) \*/$", chunk, re.M)
        if names and not DECLARATION.search(chunk) and "typedef" not in chunk and (comment or behind):
            text = plain(comment[1]) if comment else behind[1]
            yield Type(names, "", text, [], [])


def read(path):
    source = path.read_text()
    head = re.match(r"/\*(.*?)\*/", source, re.S).group(1)
    calls = []
    # What belongs together stands together, without an empty line.
    for chunk in source[source.index("#define KPORT_"):].split("\n\n"):
        found = DECLARATION.findall(chunk)
        if not found:
            continue
        declarations = [declaration_of(text) for text in found]
        comment = COMMENT.match(chunk)
        calls.append(Call(
            list(dict.fromkeys(map(name_of, declarations))),
            "\n\n".join(TYPES.findall(chunk) + ["\n".join(map(wrapped, declarations))]),
            plain(comment[1]) if comment else ""))  # fmt: skip
    types = [*types_of(source), *constants_of(source[source.index("#define KPORT_"):])]
    return Header(path.name, plain(head), calls, types, dict(ALIAS.findall(source)), dict(ELEMENT.findall(source)))
