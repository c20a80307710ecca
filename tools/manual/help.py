"""What the help of the programs says, for the manual pages and the completions.

`kport help --json` gives the commands of kport. kportrun and kportcc print a usage line and a list of
options; here both become a Command of the same form.
"""

import dataclasses
import json
import re
import subprocess

# What the text that each command shares tells of its options.
SHARED = re.compile(r"^Every command takes (--[\w-]+)(?: ([A-Z][\w.]*))?", re.M)
# A line that tells an option: its names, what stands for its value, and what it does.
OPTION = re.compile(r"^  (-[\w-]+(?:, -[\w-]+)*)(?:[ =]([^ ].*?))?(?:  +(\S.*))?$")
NAMED = re.compile(r"(?<![\w-])(--?[a-z][\w-]*)(?:[ =]([A-Za-z0-9][\w|,.:]*))?")


@dataclasses.dataclass
class Command:
    """A program, or a command of one: "kport", "kport run", "kportrun"."""

    name: str
    usage: str
    summary: str
    help: str
    shared: dict = dataclasses.field(default_factory=dict)

    @property
    def page(self):
        return self.name.replace(" ", "-")

    def options(self):
        """By name of each option: its value as the help writes it, "" if it has none."""
        found = {}
        described = [line for line in self.help.splitlines() if line.startswith("  -")]
        for text in [self.usage] + described:
            words = text if text is self.usage else re.split(r"(?<=\S)  +", text.strip())[0]
            for name, value in NAMED.findall(words):
                found.setdefault(name, value)
            if text is not self.usage:
                self._share(words, found)
        listed = re.search(r"^Options: (.*?)\.$", self.help, re.M | re.S)
        for name, value in NAMED.findall(listed.group(1) if listed else ""):
            found.setdefault(name, value)
        return found | self.shared

    @staticmethod
    def _share(words, found):
        """In "-n, -np N" both names have the value."""
        names = [name for name, _ in NAMED.findall(words)]
        values = [found[name] for name in names if found[name]]
        if ", " in words and values and "--csv" not in words:
            for name in names:
                found[name] = found[name] or values[0]


def output_of(*words):
    """What a program prints. Its settings and its user's profile must not change it."""
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def commands_of(kport):
    """The text that each command shares, and all commands of kport."""
    told = json.loads(output_of(kport, "help", "--json"))
    shared = dict(SHARED.findall(told["every"]))
    return told["every"], [
        Command(f"kport {row['name']}", row["usage"], row["summary"], row["help"], shared) for row in told["commands"]
    ]


def operations_of(kport):
    rows = json.loads(output_of(kport, "list", "--json"))["algorithms"]
    return list(dict.fromkeys(row["operation"] for row in rows))


def program_of(text, summary):
    """A program that prints "usage: NAME WORDS", a sentence and its options."""
    usage, _, rest = text.partition("\n")
    _, name, words = usage.split(" ", 2)
    return Command(name, words, summary, rest.strip("\n"))


def programs_of(kportrun, kportcc_text):
    """kportrun and kportcc, of which only the second one's text is there."""
    return [program_of(output_of(kportrun, "--help"), "runs a program of MPI or BSPlib with its ranks in one process"),
            program_of(kportcc_text.read_text(), "compiles a program of MPI or BSPlib for kportrun")]  # fmt: skip


def version_of(kport):
    return output_of(kport, "--version").split()[1]
