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
class Header:
    name: str  # "group.h"
    text: str  # what its head says
    calls: list

    def title(self):
        """The first sentence of its head."""
        return re.split(r"(?<=[a-z\)])[.:](?:\s|$)", " ".join(self.text.split()))[0]


def plain(comment):
    """A comment's text without the stars before its lines."""
    lines = [re.sub(r"^ ?\* ?", "", line).rstrip() for line in comment.strip().splitlines()]
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
    return Header(path.name, plain(head), calls)
