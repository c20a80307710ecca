"""Writes Markdown of what the headers and the help say in plain text."""

import re

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$^])")


def escaped(text):
    return SPECIAL.sub(r"\\\1", text)


def code(text):
    return f"`{text}`" if "`" not in text else escaped(text)


def fenced(text, language=""):
    return f"```{language}\n{text.rstrip()}\n```"
