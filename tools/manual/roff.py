"""Writes roff for manual pages, with the macros of man(7)."""

import re
import textwrap

import paragraphs


def escaped(text):
    """The text as roff prints it. A minus stays one that can be copied; a line may begin with anything."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def filled(text):
    """Lines of a paragraph, which roff fills again."""
    return emphasized(escaped("\n".join(textwrap.wrap(" ".join(text.split()), 62, break_on_hyphens=False))))


def emphasized(text):
    """What stands between backquotes is bold."""
    return re.sub(r"`([^`]+)`", lambda found: f"\\fB{found[1]}\\fR", text)


ITEM = re.compile(r"(-|\d+\.) ")


def items(lines):
    """The items of a list, each with its mark and its text in one line."""
    found = []
    for line in lines:
        start = ITEM.match(line)
        if start:
            found.append(["\\(bu" if start[1] == "-" else start[1], line[start.end():]])
        else:
            found[-1][1] += " " + line.strip()
    return found


class Page:
    def __init__(self, name, section, release, summary):
        """`release` is the version and its date."""
        version, date = release
        self.lines = [f'.TH {name.upper()} {section} {date} "kport {version}" "kport"']
        self.heading("NAME")
        self.line(f"{escaped(name)} \\-\n{filled(summary.replace('`', ''))}")

    def line(self, text):
        self.lines.append(text)

    def heading(self, text):
        self.line(f".SH {text}")

    def paragraph(self, text):
        self.begin()
        self.line(filled(text))

    def begin(self):
        """A paragraph, unless a heading has begun one."""
        if not self.lines[-1].startswith((".SH", ".SS")):
            self.line(".PP")

    def as_written(self, text):
        """Keeps the lines as they are, indented."""
        self.begin()
        self.lines += [".RS 4", ".nf", emphasized(escaped(text)), ".fi", ".RE"]

    def text(self, text, keep=lambda line: line.startswith("  ")):
        """Paragraphs are filled. Lines for which `keep` is true are kept as they are."""
        for is_kept, lines in paragraphs.blocks(text, keep):
            if is_kept:
                self._keep(lines)
            else:
                self.paragraph(" ".join(lines))

    def _keep(self, lines):
        while lines and not lines[-1].strip():
            lines = lines[:-1]
        if lines and ITEM.match(lines[0]):
            for mark, item in items(lines):
                self.line(f".IP {mark} 3")
                self.line(filled(item))
        elif lines:
            self.as_written(textwrap.dedent("\n".join(lines)))

    def see_also(self, pages):
        self.heading("SEE ALSO")
        for name, section in pages[:-1]:
            self.line(f".BR {escaped(name)} ({section}),")
        self.line(f".BR {escaped(pages[-1][0])} ({pages[-1][1]})")

    def write(self, folder, name, section):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.{section}").write_text("\n".join(self.lines) + "\n")
