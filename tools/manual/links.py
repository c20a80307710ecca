"""Follows every link of a site that stays within it: the file must exist, and the place in it. Asks the addresses
elsewhere whether they answer, if it is told so.
"""

import html.parser
import os
import urllib.error
import urllib.parse
import urllib.request


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.names, self.targets = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key == "id" or (key == "name" and tag == "a"):
                self.names.add(value)
            elif key in ("href", "src") and value:
                self.targets.append(value)


def wrong_in(site):
    """A sentence for each link that leads nowhere."""
    pages = {path: Page(path.read_text()) for path in sorted(site.rglob("*.html"))}
    wrong = set()
    for path, page in pages.items():
        for target in page.targets:
            url = urllib.parse.urlsplit(target)
            if url.scheme or url.netloc:
                continue
            file = path
            if url.path:
                file = path.parent / os.path.normpath(urllib.parse.unquote(url.path))
                file = file.resolve()
            anchor = urllib.parse.unquote(url.fragment)
            if not file.is_file():
                wrong.add(f"{path.relative_to(site)}: {target}: there is no such file")
            elif anchor and file in pages and anchor not in pages[file].names:
                wrong.add(f"{path.relative_to(site)}: {target}: the page has no such place")
    return sorted(wrong)


def outside(site):
    """The addresses elsewhere that the site has links to, each with a page that has it."""
    found = {}
    for path in sorted(site.rglob("*.html")):
        for target in Page(path.read_text()).targets:
            if target.startswith(("http://", "https://")):
                found.setdefault(urllib.parse.urldefrag(target)[0], path.relative_to(site))
    return found


# A server that does not like automatic readers says 403 or 429; what is gone says 404 or 410.
REFUSALS = (403, 429)


def answer(address, seconds=30):
    """"answered", "broken" or "not reached", and what is known beside it."""
    request = urllib.request.Request(address, headers={"User-Agent": "Mozilla/5.0 (kport's check of links)"})
    try:
        with urllib.request.urlopen(request, timeout=seconds) as got:
            return "answered", got.status
    except urllib.error.HTTPError as error:
        return ("answered" if error.code in REFUSALS else "broken"), error.code
    except OSError as error:
        return "not reached", getattr(error, "reason", error)


def ask(found):
    """Asks each of the addresses that outside() has found, and says what came of it. Returns an exit status: 1 if one
    is broken, else 69 (EX_UNAVAILABLE) if one was not reached, for it has not been checked.
    """
    counts = {"answered": 0, "broken": 0, "not reached": 0}
    for address, page in found.items():
        outcome, known = answer(address)
        counts[outcome] += 1
        if outcome != "answered":
            print(f"{outcome}: {address} (in {page}): {known}")
    said = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
    print(f"{len(found)} addresses elsewhere: {said}" + (", so not checked" if counts["not reached"] else ""))
    return 1 if counts["broken"] else 69 if counts["not reached"] else 0
