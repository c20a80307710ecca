"""The generated pages of the manual: all public functions, and all commands."""

import re

import paragraphs
from markdown import escaped, fenced

WIDTH = 88


def in_lists(line):
    return line.startswith(("- ", "  "))


def text_of(text, keep, names=frozenset()):
    """Paragraphs as Markdown; names of functions lead to their places. Lines that are kept are a list or code."""
    out = []
    for kept, lines in paragraphs.blocks(text, keep):
        if not kept:
            out.append(linked(" ".join(lines), names))
        elif lines[0].startswith("- "):
            out.append("\n".join(linked(line, names) for line in lines).rstrip())
        else:
            out.append(fenced("\n".join(line.removeprefix("  ") for line in lines)))
    return "\n\n".join(out)


def linked(text, names):
    option = re.match(r"(--?[a-z][\w-]*(?: [A-Z][\w|.,:\[\]]*| [a-z]+\|\S+?)?)(?=[:,;] )", text)
    if option:
        return f"`{option[1]}`" + linked(text[option.end() :], names)
    return " ".join(word_of(word, names) for word in text.split(" "))


def word_of(word, names):
    bare = word.strip("`.,;:()'\"")
    if bare not in names:
        return word if word.startswith("`") and word.count("`") == 2 else escaped(word) if word != "-" else word
    before, _, after = word.partition(bare)
    return f"{before.strip('`')}{{c:func}}`{bare}`{after.strip('`')}"


def write_calls(stage, headers):
    """A page for each header, and one that lists them."""
    lines = ["# Calls", "`#include <kport.h>` declares all of this.", "| header | what it has |\n|---|---|"]
    for header in headers:
        stem = header.name.removesuffix(".h")
        lines[-1] += f"\n| [kport/{header.name}](calls/{stem}.md) | {escaped(header.title())} |"
        text = text_of(header.text, in_lists, stage.calls)
        stage.write(f"reference/calls/{stem}.md", f"# kport/{header.name}\n\n{text}\n\n"
                    + fenced(f".. doxygenfile:: {header.name}", "{eval-rst}") + "\n")  # fmt: skip
    pages = "\n".join(f"calls/{header.name.removesuffix('.h')}" for header in headers)
    stage.write("reference/calls.md", "\n\n".join(lines) + "\n\n" + fenced(f":hidden:\n\n{pages}", "{toctree}") + "\n")


def used(name, words):
    """A usage line, cut before an option so that it fits on the page."""
    lines = [name]
    for word in re.findall(r"\[[^\]]*(?:\[[^\]]*\][^\]]*)*\]\S*|\S+", words):
        if len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append(" " * len(name))
        lines[-1] += " " + word
    return "\n".join(lines)


def write_commands(stage, commands, every):
    """A page for each command with its whole help, and one that lists them."""
    rows = "| command | what it does |\n|---|---|"
    for command in commands:
        rows += f"\n| [{command.name}](programs/{command.page}.md) | {escaped(command.summary)} |"
        body, _, example = command.help.rstrip().partition("\nExample: ")
        usage = "\n".join(used(command.name, words) for words in command.usage.split(" | "))
        parts = [f"# {command.name}", escaped(command.summary) + ".", fenced(usage),
                 text_of(body, lambda line: line.startswith("  "))]  # fmt: skip
        if command.name.startswith("kport "):
            parts.append(text_of(every, lambda line: False))
        if example:
            parts += ["An example:", fenced(example)]
        stage.write(f"reference/programs/{command.page}.md", "\n\n".join(parts) + "\n")
    pages = "\n".join(f"programs/{command.page}" for command in commands)
    stage.write("reference/programs.md", f"# Commands and options\n\nThese are the texts of `--help`.\n\n{rows}\n\n"
                + fenced(f":hidden:\n\n{pages}", "{toctree}") + "\n")  # fmt: skip
