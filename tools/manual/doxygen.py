"""Public headers as Doxygen reads them. The headers have plain comments; here each one that stands before a
declaration, or behind one on its line, becomes a comment of Doxygen's.
"""

import re
import subprocess

import calls

COMMENT = re.compile(r"/\*.*?\*/", re.S)
TABLE = re.compile(r"^#define (KP_\w+)\(X\)(.*?[^\\])\n", re.M | re.S)
ROW = re.compile(r"X\((KP_\w+)(?:, (-?\d+))?, \"(.*?)\"\)(?:\s*/\*(.*?)\*/)?", re.S)
ENUMERATORS = re.compile(r"^#define KP_\w+_ENUMERATOR\([^\n]*\n\s*(KP_\w+)\(KP_\w+\)\n#undef \w+\n", re.M)
SPECIAL = re.compile(r"([\\@<>&$#%])")

SETTINGS = """
PROJECT_NAME = kport
INPUT = {headers}
OUTPUT_DIRECTORY = {folder}
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
OPTIMIZE_OUTPUT_FOR_C = YES
EXTRACT_ALL = YES
EXTRACT_STATIC = YES
MARKDOWN_SUPPORT = YES
AUTOLINK_SUPPORT = YES
QUIET = YES
WARN_AS_ERROR = FAIL_ON_WARNINGS
WARN_IF_UNDOCUMENTED = NO
WARN_IF_DOC_ERROR = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = KP_API= KP_MUST_CHECK= KP_NO_CALL_SITES KP_NORETURN= KP_ENTRY:= "KP_PRINTF(a,b)="
"""


def text_of(comment, known):
    """The words of a comment, in which the known names are links."""
    lines = re.sub(r"^\s*\* ?", "", comment[2:-2], flags=re.M)
    text = SPECIAL.sub(r"\\\1", lines.strip())
    text = re.sub(r"(`?)\b(kp_\w+)\b\1(?!\()", lambda m: f"#{m[2]}" if m[2] in known else m[0], text)
    text = re.sub(r"(?<![`\w])(KP_[A-Z_0-9]+)(?![`\w])", r"`\1`", text)
    return text.replace("*", "\\*")


def block(text, sign="/**"):
    return f"{sign} " + text.replace("\n", "\n * ") + " */"


def converted(source, known, examples):
    """A header for Doxygen. `examples` gives for a function's name the lines that show its use, and their file."""
    source = source[re.match(r"/\*.*?\*/", source, re.S).end() :]
    pieces, at = [], 0
    for found in COMMENT.finditer(source):
        before, after = source[: found.start()], source[found.end() :]
        pieces.append(source[at : found.start()])
        at = found.end()
        behind = before.rsplit("\n", 1)[-1].strip()
        if found[0].startswith("/* ---") or (not behind and re.match(r"\n\s*(\n|#if|#und|#end|#else)", after)):
            continue
        pieces.append(block(text_of(found[0], known), "/**<" if behind else "/**"))
    return "\n\n".join(chunk_of(chunk, examples) for chunk in ("".join(pieces) + source[at:]).split("\n\n"))


def plain_types(source, defined):
    """Without the typedef of each struct and enum that is defined here or in another header, as Sphinx takes the
    two for a name that is declared twice. Members of a union without a name stand among the others, for what
    Doxygen 1.9.8 says of such a union Sphinx cannot read."""
    source = re.sub(r"^( *)union \{\n(.*?)^\1\};\n",
                    lambda m: re.sub(r"^    ", "", m[2], flags=re.M), source, flags=re.M | re.S)  # fmt: skip
    source = re.sub(r"^typedef (struct|enum) (\w+) \{(.*?)^\} \2;", r"\1 \2 {\3};", source, flags=re.M | re.S)
    return re.sub(r"^typedef struct (\w+) \1;[^\n]*\n", lambda m: "" if m[1] in defined else m[0], source, flags=re.M)


def chunk_of(chunk, examples):
    """What stands together: the functions of one comment have it each, with an example of their own."""
    comment = re.match(r"/\*\*.*?\*/\n", chunk, re.S)
    if not calls.DECLARATION.search(chunk) or not comment:
        return chunk
    words = comment[0].rstrip()[:-3]

    def documented(found):
        name = calls.name_of(calls.declaration_of(found[0]))
        shown = ""
        if name in examples:
            code, path = examples[name]
            shown = f"\n\n@par Example, from {path}\n@code{{.c}}\n{code}\n@endcode"
        return words + shown.replace("\n", "\n * ") + " */\n" + found[0]

    return calls.DECLARATION.sub(documented, chunk[comment.end() :])


def without_tables(source):
    """The enumerators of the tables that are macros, such as KP_STATUSES, in their enums."""
    rows = {}

    def take(found):
        rows[found[1]] = ROW.findall(found[2])
        return ""

    def written(found):
        lines = []
        for name, value, word, more in rows[found[1]]:
            told = " ".join([word + (":" if more else ""), *more.replace("\\", "").split()])
            lines.append(f"    {name}{' = ' + value if value else ''}, /* {told} */\n")
        return "".join(lines)

    return ENUMERATORS.sub(written, TABLE.sub(take, source))


def make(headers, folder, examples):
    """Writes Doxygen's XML of the headers into folder/xml."""
    (folder / "kport").mkdir(parents=True)
    known = {name for path in headers for name in re.findall(r"\b(kp_\w+)\b(?=\()", path.read_text())}
    defined = {name for path in headers for name in re.findall(r"^(?:typedef )?struct (\w+) \{", path.read_text(), re.M)}
    for path in headers:
        text = converted(without_tables(plain_types(path.read_text(), defined)), known, examples)
        (folder / "kport" / path.name).write_text(text)
    settings = folder / "Doxyfile"
    settings.write_text(SETTINGS.format(headers=folder / "kport", folder=folder))
    subprocess.run(["doxygen", settings], check=True)
