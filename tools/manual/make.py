"""Makes the manual pages and the completions, from the programs' help and the public headers.

usage: make.py FOLDER INCLUDE_FOLDER CHANGELOG KPORT [KPORTRUN KPORTCC_TEXT]
Writes folders of FOLDER: man1 and man3, completions for bash, site-functions for zsh, vendor_completions.d for
fish. These names, and those of the files, are the ones under which systems look for them.
"""

import pathlib
import re
import shutil
import sys

import calls
import completions
import help as told
import roff

STATUSES = "Exit status: "


def in_lists(line):
    """Items of lists, indented lines, and rows of tables."""
    return line.startswith(("- ", "  ")) or re.match(r"\d+\. [a-z]|.*\S {3,}\S", line)


def summary_of(text):
    """A few words for the line of a page's name: the first sentence, without the names before its verb."""
    sentence = re.split(r"(?<=[\w)'`])[.:](?:\s|$)", " ".join(text.split()))[0]
    sentence = re.sub(r"^`kp_\w+`(?:(?:, and|,| and) `kp_\w+`)* ", "", sentence)
    if len(sentence) > 70:
        sentence = re.split(r"[,;] | \(", sentence)[0]
    return sentence.replace("`", "")


def command_page(command, every, release, folder, others):
    page = roff.Page(command.page, 1, release, command.summary)
    page.heading("SYNOPSIS")
    for words in command.usage.split(" | "):
        page.begin()
        page.line(f".B {roff.escaped(command.name)}")
        page.line(roff.filled(words))
    page.heading("DESCRIPTION")
    body, *example = command.help.rstrip().split("\nExample: ")
    page.text(body)
    if every:
        page.text(every)
    if example:
        page.heading("EXAMPLES")
        page.as_written(example[0])
    page.see_also([(name, 1) for name in others if name != command.page] + [("kport", 3)])
    page.write(folder / "man1", command.page, 1)


def program_page(kport, commands, release, folder):
    """The page of `kport` itself: its help without the list, and the commands with a line each."""
    text = told.output_of(kport, "--help")
    head, _, rest = text.partition("\n")
    page = roff.Page("kport", 1, release, "collectives among n processors with k ports each")
    page.heading("SYNOPSIS")
    for line in re.findall(r"^  (kport (?:help|--version).*)$", text, re.M) + ["kport COMMAND [ARGUMENT...]"]:
        page.begin()
        page.line(f".B {roff.escaped(line)}")
    page.heading("DESCRIPTION")
    page.paragraph(head.removeprefix("kport: ")[:1].upper() + head.removeprefix("kport: ")[1:])
    for command in commands:
        page.line(".TP")
        page.line(f".BR {roff.escaped(command.page)} (1)")
        page.line(roff.filled(command.summary))
    after = rest.partition("kport --version\n")[2]
    body, _, statuses = after.partition(STATUSES)
    page.text(body.strip("\n"))
    page.heading("EXIT STATUS")
    page.text(statuses)
    page.see_also([(command.page, 1) for command in commands] + [("kport", 3)])
    page.write(folder / "man1", "kport", 1)


def call_pages(include, release, folder):
    """A page for each function, and kport(3), which lists the headers and their functions."""
    headers = [calls.read(path) for path in sorted((include / "kport").glob("*.h"))]
    overview = roff.Page("kport", 3, release, "collectives among the threads of one program")
    overview.heading("SYNOPSIS")
    overview.as_written("#include <kport.h>\n\ncc program.c $(pkg-config --cflags --libs kport)")
    overview.heading("DESCRIPTION")
    for header in headers:
        overview.line(f".SS kport/{roff.escaped(header.name)}")
        overview.text(header.text, keep=in_lists)
        names = [name for call in header.calls for name in call.names]
        if names:
            overview.paragraph("Functions: " + ", ".join(f"{name}(3)" for name in names) + ".")
        for call in header.calls:
            call_page(call, header, names, release, folder)
        for type in header.types:
            type_page(type, header, release, folder)
    link_constants(headers, folder)
    overview.see_also([("kport", 1)])
    overview.write(folder / "man3", "kport", 3)


def call_page(call, header, names, release, folder):
    told = call.text or header.text
    names_here = call.names + [other for other, name in header.aliases.items() if name in call.names]
    page = named_page(names_here, told, release)
    page.heading("SYNOPSIS")
    page.as_written("#include <kport.h>\n\n" + call.synopsis)
    page.heading("DESCRIPTION")
    page.text(told, keep=in_lists)
    if call.text:
        page.paragraph(f"What holds for all functions of this header stands in kport(3), under kport/{header.name}.")
    if header.units():
        page.heading("UNITS")
        page.paragraph(header.units())
    page.see_also([(name, 3) for name in names if name not in call.names] + [("kport", 3)])
    for name in names_here:
        page.write(folder / "man3", name, 3)


def named_page(names, told, release):
    page = roff.Page(names[0], 3, release, "")
    page.lines[-1] = roff.filled(", ".join(names)) + " \\-\n" + roff.filled(summary_of(told))
    return page


def type_page(type, header, release, folder):
    """A page for a struct or an enum, or for constants of the preprocessor."""
    page = named_page(type.names, type.text or f"{type.kind} of kport/{header.name}", release)
    page.heading("SYNOPSIS")
    page.as_written("#include <kport.h>" + (f"\n\n{type.kind} {type.names[0]};" if type.kind else ""))
    page.heading("DESCRIPTION")
    page.text(type.text or f"A type of kport/{header.name}; kport(3) has more.", keep=in_lists)
    if type.members:
        page.heading("FIELDS" if type.kind == "struct" else "CONSTANTS")
    for declaration, text in type.members:
        page.line(".TP")
        page.line(f"\\fB{roff.escaped(declaration)}\\fR")
        page.line(roff.filled(text) if text else "\\&")
    page.see_also([("kport", 3)])
    for name in type.names:
        page.write(folder / "man3", name, 3)


def link_constants(headers, folder):
    """The pages that tell of constants, under their names, too. Some systems do not tell KP_INDEX from kp_index."""
    there = {path.stem.lower() for path in (folder / "man3").iterdir()}
    for header in headers:
        links = {name: type.names[0] for type in header.types for name in type.links} | header.elements
        for name, page in links.items():
            if name.lower() not in there:
                shutil.copy(folder / "man3" / f"{page}.3", folder / "man3" / f"{name}.3")


def release_of(changelog, version):
    """The version, and the date that CHANGELOG.md gives for it."""
    line = re.search(rf"^## {re.escape(version)} \((\d{{4}}-\d\d-\d\d)\)", changelog.read_text(), re.M)
    if not line:
        sys.exit(f"make.py: {changelog.name} has no line \"## {version} (YEAR-MONTH-DAY)\"")
    return version, line[1]


def main():
    folder, include, changelog, kport = (pathlib.Path(argument) for argument in sys.argv[1:5])
    for part in ["man1", "man3", "completions", "site-functions", "vendor_completions.d"]:
        shutil.rmtree(folder / part, ignore_errors=True)
        (folder / part).mkdir(parents=True)
    release = release_of(changelog, told.version_of(kport))
    every, commands = told.commands_of(kport)
    programs = []
    if sys.argv[5:]:
        programs = told.programs_of(sys.argv[5], pathlib.Path(sys.argv[6]))
    names = ["kport"] + [command.page for command in commands + programs]
    for command in commands:
        command_page(command, every, release, folder, names)
    for command in programs:
        command_page(command, "", release, folder, names)
    if programs:
        shutil.copy(folder / "man1" / "kportcc.1", folder / "man1" / "kportc++.1")
    program_page(kport, commands, release, folder)
    call_pages(include, release, folder)
    operations = told.operations_of(kport)
    completed = commands + programs[:1]
    (folder / "completions" / "kport").write_text(completions.bash(completed, operations))
    shutil.copy(folder / "completions" / "kport", folder / "completions" / "kportrun")
    (folder / "site-functions" / "_kport").write_text(completions.zsh(completed, operations))
    for name in ["kport", "kportrun"]:
        (folder / "vendor_completions.d" / f"{name}.fish").write_text(completions.fish(name, completed, operations))


main()
