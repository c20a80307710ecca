"""Takes plain text apart, as help and comments of headers have it."""


def blocks(text, keep):
    """The paragraphs of a text, each with whether its lines are kept as they are: those for which `keep` is true."""
    paragraph, kept = [], []
    for line in [*text.splitlines(), ""]:
        if paragraph and (keep(line) or not line.strip()):
            yield False, paragraph
            paragraph = []
        if kept and not keep(line) and line.strip():
            yield True, kept
            kept = []
        if keep(line) or (kept and not line.strip()):
            kept.append(line)
        elif line.strip():
            paragraph.append(line)
    if any(line.strip() for line in kept):
        yield True, kept
