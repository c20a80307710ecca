"""Follows every link of a site that stays within it: the file must exist, and the place in it."""

import html.parser
import os
import urllib.parse


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
