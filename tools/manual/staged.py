"""Prepares the pages of the manual for Sphinx: those of doc/manual and some others, with links that lead to where
things are in the site, and drawings made by kport.
"""

import os
import re

import help as told

# Pages that stand elsewhere in the repository, and where the site has them.
BORROWED = {
    "README.md": "readme.md",
    "CHANGELOG.md": "inside/changelog.md",
    "doc/design.md": "inside/design.md",
    "doc/developing.md": "inside/developing.md",
    "tests/apps/README.md": "guides/programs.md",
}
MANUAL = "doc/manual"
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^( *)```([^\n]*)\n(.*?)^\1```$", re.M | re.S)
DRAWING = "{drawing}"


class Stage:
    """A folder of pages."""

    def __init__(self, root, folder, kport, headers):
        self.root, self.folder, self.kport = root, folder, kport
        pages = {str(path.relative_to(root)): str(path.relative_to(root / MANUAL)) for path in self._files()}
        self.places = {**pages, **BORROWED}
        for header in headers:
            self.places[str(header.relative_to(root))] = f"reference/calls/{header.stem}.md"
        self.places["include/kport.h"] = self.places["include/kport"] = "reference/calls.md"
        self.places["tools/kport"] = "reference/programs.md"
        self.places["lib/algorithms"] = "reference/algorithms.md"
        self.calls = {}  # the page of each public function

    def _files(self):
        return [path for path in sorted((self.root / MANUAL).rglob("*")) if path.is_file()]

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def copy_all(self):
        for path in self._files():
            if path.suffix != ".md":
                self.write(str(path.relative_to(self.root / MANUAL)), path.read_bytes())
        for name, place in list(self.places.items()):
            if name.endswith(".md"):
                self.write(place, self.page(name, place))

    def page(self, name, place):
        """A page of the repository as the site has it."""
        text = self.placed((self.root / name).read_text(), name, place)
        return text + contents(text) if place == "index.md" else text

    def placed(self, text, name, place):
        """The text of a page whose links are those of the file `name`, as the site has it."""
        out, at = [], 0
        for fence in FENCE.finditer(text):
            out += [self._prose(text[at : fence.start()], name, place), self._fence(fence, place)]
            at = fence.end()
        out.append(self._prose(text[at:], name, place))
        return "".join(out)

    def _prose(self, text, name, place):
        text = LINK.sub(lambda found: self._link(found, name, place), text)
        return "\n".join(line if line.startswith("#") else self._calls_of(line) for line in text.split("\n"))

    def _calls_of(self, line):
        """A function's name in a sentence leads to the reference."""
        return re.sub(r"(?<!\[)`(kp_\w+)`(?!\])",
                      lambda found: "{c:func}" + found[0] if found[1] in self.calls else found[0], line)  # fmt: skip

    def _link(self, found, name, place):
        picture, words, target = found.groups()
        file, _, anchor = target.partition("#")
        if "://" in target or not file:
            return found[0]
        path = os.path.normpath(os.path.join(os.path.dirname(name), file))
        if path not in self.places:
            if (self.root / path).is_dir():
                return words if words.startswith("`") else f"`{words}`" if "/" in words else words
            self.places[path] = f"files/{path}"
            self.write(self.places[path], (self.root / path).read_bytes())
        there = os.path.relpath(self.places[path], os.path.dirname(place) or ".")
        return f"{picture}[{words}]({there}{'#' + anchor if anchor else ''})"

    def _fence(self, found, place):
        """A block of a page. "{drawing} WORDS" holds a command of kport that draws; the words tell what is seen."""
        if not found[2].startswith(DRAWING):
            return re.sub(r"```(measured|long).*", "```", found[0], count=1)
        words, command = found[2].removeprefix(DRAWING).strip(), found[3].strip()
        name = "drawings/" + re.sub(r"\W+", "-", command).strip("-") + ".svg"
        self.write(name, told.output_of(self.kport, *command.split()[1:], "--svg", "-"))
        there = os.path.relpath(name, os.path.dirname(place) or ".")
        return f"![{words}]({there})\n\n`{command} --svg FILE` draws this."


def contents(text):
    """The parts of the index as Sphinx wants them, from the links under its headings."""
    out = []
    for heading, body in re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", text, re.M | re.S):
        links = re.findall(r"^- \[([^\]]+)\]\(([^)#]+)\.md\)", body, re.M)
        pages = [f"{title} <{page}>" for title, page in links]
        out.append(f"\n```{{toctree}}\n:hidden:\n:caption: {heading}\n\n" + "\n".join(pages) + "\n```\n")
    return "".join(out)
