"""Completions for bash, zsh and fish, from the programs' help.

An option whose value has bars between ("core|socket|LIST") is completed by its words in small letters, one whose
value is FILE, DIR or PATH by names of files.
"""

import re

PLACES = ("FILE", "DIR", "PATH")


def is_place(value):
    return any(part in PLACES for part in re.split(r"\W", value))


def kind_of(value):
    """What the shells are told of an option's value: a file, words, anything, or that there is none; and the
    words that it may be."""
    if not value:
        return "none", []
    words = [word for word in value.split("|") if re.fullmatch(r"[a-z][\w-]*", word)] if "|" in value else []
    return "file" if is_place(value) else "words" if words else "any", words


def first_words(command, operations):
    """What the first argument of a command may be."""
    if command.usage.startswith(("PROBLEM", "[PROBLEM")):
        return [operation + ":" for operation in operations]
    return operations if command.usage.startswith(("OPERATION", "[OPERATION")) else []


# --- bash ---

BASH_CASE = """    {name})
        options='{options}' firsts='{firsts}'
        case $before in
{values}        esac
        ;;
"""

BASH = """# Completion of kport, kportrun and the compilers for bash. It is made from the programs' help.
_kport_words() {{
    local IFS=$' \\t\\n'
    COMPREPLY=($(compgen -W "$1" -- "$word"))
    # The shell takes a colon for the end of a word.
    declare -F __ltrim_colon_completions >/dev/null && __ltrim_colon_completions "$word"
    [[ ${{COMPREPLY[0]-}} != *: ]] || compopt -o nospace
}}

_kport() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} options='' firsts=''
    local command=${{COMP_WORDS[0]##*/}}
    if [[ $command == kport ]]; then
        if ((COMP_CWORD == 1)); then
            _kport_words '{commands} help --help --version'
            return
        fi
        command="kport ${{COMP_WORDS[1]}}"
    fi
    if [[ $command == 'kport help' ]]; then
        _kport_words '{commands} --json'
        return
    fi
    case $command in
{cases}    esac
    if [[ $word == -* ]]; then
        _kport_words "$options"
    elif [[ $word == @* ]]; then
        COMPREPLY=($(compgen -P @ -f -- "${{word#@}}"))
    elif [[ -n $firsts ]]; then
        _kport_words "$firsts"
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}}
complete -F _kport kport kportrun
"""


def bash_values(command):
    cases = []
    for name, value in command.options().items():
        kind, words = kind_of(value)
        if kind == "words":
            cases.append(f"        {name}) _kport_words '{' '.join(words)}' && return ;;\n")
        elif kind == "file":
            more = f"$(compgen -W '{' '.join(words)}' -- \"$word\") " if words else ""
            cases.append(f'        {name}) COMPREPLY=({more}$(compgen -f -- "$word")) && return ;;\n')
        elif kind == "any":
            cases.append(f"        {name}) return ;;\n")
    return "".join(cases)


def bash(commands, operations):
    cases = "".join(
        BASH_CASE.format(name=f"'{c.name}'", options=" ".join(c.options()), values=bash_values(c),
                         firsts=" ".join(first_words(c, operations)))
        for c in commands)  # fmt: skip
    names = " ".join(c.name.split()[1] for c in commands if " " in c.name)
    return BASH.format(commands=names, cases=cases)


# --- zsh ---


def zsh_quoted(text):
    return re.sub(r"([\[\]:'])", lambda m: "'\\''" if m[1] == "'" else "\\" + m[1], text)


def zsh_option(name, value):
    kind, words = kind_of(value)
    action = {
        "none": "",
        "words": f":{zsh_quoted(value)}:({' '.join(words)})",
        "file": f":{zsh_quoted(value)}:_files",
        "any": f":{zsh_quoted(value)}: ",
    }[kind]
    return f"'*{name}{action}'"


def zsh(commands, operations):
    listed = "\n".join(f"    '{c.name.split()[1]}:{zsh_quoted(c.summary)}'" for c in commands if " " in c.name)
    cases = ""
    for c in commands:
        firsts = first_words(c, operations)
        known = f"        firsts=({' '.join(firsts)})\n" if firsts else ""
        rest = "'*:what:_kport_first'" if firsts else "'*:file:_files'"
        options = " \\\n            ".join([zsh_option(n, v) for n, v in c.options().items()] + [rest])
        cases += f"    '{c.name}')\n{known}        _arguments \\\n            {options}\n        ;;\n"
    return f"""#compdef kport kportrun
# Completion of kport and kportrun for zsh. It is made from the programs' help.
_kport_first() {{
    compadd "$@" -S '' -a firsts
    _files
}}

local -a firsts
local -a known=(
{listed}
    'help:Prints the help of a command'
)
local command=${{words[1]:t}}
if [[ $command == kport ]]; then
    if ((CURRENT == 2)) || [[ ${{words[2]}} == help ]]; then
        _describe command known
        return
    fi
    command="kport ${{words[2]}}"
    shift words
    ((CURRENT--))
fi
case $command in
{cases}esac
"""


# --- fish ---


def fish(program, commands, operations):
    """Those of one program: fish looks for a file with the program's name."""
    lines = [f"# Completion of {program} for fish. It is made from the program's help."]
    commands = [c for c in commands if c.name.split()[0] == program]
    names = [c.name.split()[1] for c in commands if " " in c.name]
    first = f"not __fish_seen_subcommand_from {' '.join(names)} help"
    for c in commands:
        word = c.name.partition(" ")[2]
        seen = f' -n "__fish_seen_subcommand_from {word}"' if word else ""
        if word:
            summary = c.summary.replace("\\", "\\\\").replace("'", "\\'")
            lines.append(f"complete -c kport -f -n '{first}' -a {word} -d '{summary}'")
        for name, value in c.options().items():
            kind, words = kind_of(value)
            form = "l" if name.startswith("--") else "s" if len(name) == 2 else "o"
            more = {"none": "", "words": f" -x -a '{' '.join(words)}'", "file": " -r -F", "any": " -x"}[kind]
            lines.append(f"complete -c {program}{seen} -{form} {name.lstrip('-')}{more}")
        firsts = first_words(c, operations)
        if firsts:
            lines.append(f"complete -c {program}{seen} -a '{' '.join(firsts)}'")
    if names:
        lines.append(f"complete -c kport -f -n '__fish_seen_subcommand_from help' -a '{' '.join(names)}'")
    return "\n".join(lines) + "\n"
