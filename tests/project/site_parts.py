"""What makes the manual as a site finds broken links, rewrites links, and gives Doxygen the headers' comments.
None of it needs Sphinx or Doxygen; tools/dev docs makes the site itself.

usage: site_parts.py SOURCE_FOLDER
"""

import contextlib
import http.server
import io
import os
import pathlib
import re
import sys
import tempfile
import threading

from tap import Tests

root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root / "tools" / "manual"))
sys.dont_write_bytecode = True

import calls  # noqa: E402
import doxygen  # noqa: E402
import faces  # noqa: E402
import links  # noqa: E402
import reference  # noqa: E402
import staged  # noqa: E402
import uses  # noqa: E402

tests = Tests()

# --- Links of a site ---

with tempfile.TemporaryDirectory() as name:
    site = pathlib.Path(name)
    (site / "a").mkdir()
    (site / "a" / "one.html").write_text(
        '<h1 id="top">One</h1><a href="two.html#there">right</a><a href="../three.html">no file</a>'
        '<a href="two.html#nowhere">no place</a><img src="p.svg"><a href="#top">right</a><a href="https://x.org/y#z">out</a>')  # fmt: skip
    (site / "a" / "two.html").write_text('<p id="there"></p>')
    wrong = links.wrong_in(site)
    tests.check([line.split(": ")[1] for line in wrong] == ["../three.html", "p.svg", "two.html#nowhere"],
                "a link to no file or to no place is found, and no other", wrong)  # fmt: skip
    found = {address: str(page) for address, page in links.outside(site).items()}
    tests.check(found == {"https://x.org/y": "a/one.html"}, "links to elsewhere are known", found)

# --- Addresses elsewhere: a server of this test answers, or says that a page is gone, and one has ended ---


class Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response({"/here": 200, "/shy": 403}.get(self.path, 404))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words):
        pass


def asked(*addresses):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = links.ask({address: "page.html" for address in addresses})
    return status, out.getvalue()


os.environ["no_proxy"] = "127.0.0.1"
ended = http.server.HTTPServer(("127.0.0.1", 0), Server)
server = http.server.HTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever).start()
here, silent = (f"http://127.0.0.1:{one.server_port}" for one in (server, ended))
ended.server_close()
for addresses, status, words in [
    ([here + "/here", here + "/shy"], 0, "2 addresses elsewhere: 2 answered, 0 broken, 0 not reached\n"),
    ([here + "/here", silent], 69, "1 not reached, so not checked\n"),
    ([silent, here + "/gone"], 1, f"broken: {here}/gone (in page.html): 404\n"),
]:
    got = asked(*addresses)
    tests.check(got[0] == status and words in got[1], f"asking addresses: status {status}", got)
server.shutdown()
server.server_close()

# --- Pages ---

with tempfile.TemporaryDirectory() as name:
    headers = sorted((root / "include" / "kport").glob("*.h"))
    stage = staged.Stage(root, pathlib.Path(name), "no-kport", headers)
    stage.calls = {"kp_index"}
    page = "doc/manual/guides/requests.md"

    def prose(text):
        return stage._prose(text, page, "guides/requests.md")

    for text, right in [
        ("[a](fibers.md#stacks)", "[a](fibers.md#stacks)"),
        ("[a](../../design.md)", "[a](../inside/design.md)"),
        ("[a](../../../include/kport/layout.h)", "[a](../reference/calls/layout.md)"),
        ("[a](../../../include/kport)", "[a](../reference/calls.md)"),
        ("[a](../../../tests/mpi)", "a"),
        ("[tests/mpi](../../../tests/mpi)", "`tests/mpi`"),
        ("[a](https://x.org/y)", "[a](https://x.org/y)"),
        ("[a](#below)", "[a](#below)"),
        ("`kp_index` and `kp_none`", "{c:func}`kp_index` and `kp_none`"),
        ("# `kp_index`", "# `kp_index`"),
        ("[a](../../../examples/embed.c)", "[a](../files/examples/embed.c)"),
    ]:
        tests.check(prose(text) == right, f"on {page}, {text} becomes {right}", prose(text))
    tests.check((stage.folder / "files/examples/embed.c").exists(), "a file that a page leads to is in the site")

# --- Headers ---

HEADER = """/* The head. */
#define KPORT_X

typedef struct kp_x {
    int a; /* of kp_f */
    /* Before
     * it. */
    int b;
    union {
        int c; /* one */
        int d;
    };
} kp_x;

/* Does a_b; see `kp_f` & KP_OK. */
KP_API int kp_f(int a);
KP_API int kp_g(int a);
"""
text = doxygen.converted(doxygen.plain_types(HEADER, {"kp_x"}), {"kp_f", "kp_g"}, {"kp_g": ("kp_g(1);", "examples/g.c")})
for right in ["struct kp_x {", "    int b;\n    int c; /**< one */\n    int d;\n}", "int a; /**< of #kp_f */", "/** Before\n * it. */", "/** Does a_b; see #kp_f \\& `KP_OK`. */\nKP_API int kp_f",
              "@code{.c}\n * kp_g(1);\n * @endcode */\nKP_API int kp_g"]:  # fmt: skip
    tests.check(right in text, f"Doxygen gets: {right.splitlines()[0]}", text)
TABLE = """#define KP_ONES(X) \\
    X(KP_A, -1, "an a") \\
    X(KP_B, -2, "a b") /* with a \\
                          word */

typedef enum kp_one {
#define KP_ONE_ENUMERATOR(name, value, text) name = value,
    KP_ONES(KP_ONE_ENUMERATOR)
#undef KP_ONE_ENUMERATOR
} kp_one;
"""
rows = doxygen.without_tables(TABLE)
tests.check("#define" not in rows and "KP_A = -1, /* an a */\n    KP_B = -2, /* a b: with a word */\n}" in rows,
            "Doxygen gets the rows of a table that is a macro", rows)  # fmt: skip

shown = uses.excerpt(uses.plain("int f(void)\n{\n    int a; /* no word */\n    int s = kp_f(a,\n            b);\n    return s;\n}\n"), 4)
tests.check(shown == "int a;\nint s = kp_f(a,\n        b);\nreturn s;", "the lines around a call are its example", shown)
names = {name for path in headers for call in calls.read(path).calls for name in call.names}
found = uses.of(names, root)
lacking = sorted(names - set(found) - {"kp_builtin_operators", "kp_how_parse"})  # an array; a former name
tests.check(not lacking, "each public function has an example", lacking)
tests.check("The head" not in text, "and not the head, which is the page's text", text)

# --- The interfaces beside the C calls ---

with tempfile.TemporaryDirectory() as name:
    stage = staged.Stage(root, pathlib.Path(name), "no-kport", [])
    stage.places.update(faces.PLACES)
    pages = {}
    for header, write in [(faces.BSP, faces.write_bsp), (faces.CPP, faces.write_cpp), (faces.MPI, faces.write_mpi)]:
        write(stage)
        pages[header] = (stage.folder / faces.PLACES[header]).read_text()
    bsp = faces.bsp_names(root)
    parts = {part.partition("\n")[0]: part.partition("\n## ")[0] for part in pages[faces.BSP].split("\n### ")[1:]}
    bare = [name for name in bsp if not re.search(rf"```c\n[^`]*\b{name}\([^`]*```\n\n\w.*\n\nExample, from \[", parts.get(name, ""))]
    tests.check(len(bsp) == 21 and not bare, "each function of bsp.h has its declaration, its text and an example", bare)
    classes = dict(re.findall(r"^## kport::(\w+)\n\n```cpp\n(.*?)```", pages[faces.CPP], re.M | re.S))
    tests.check(set(classes) == {"error", "check", "processor", "run", "machine", "attachment", "group"},
                "each class and function of kport.hpp has a section", set(classes))  # fmt: skip
    tests.check("int status() const noexcept;" in classes["error"] and "record_" not in classes["error"]
                and "detail" not in pages[faces.CPP], "with its public members alone", classes["error"])  # fmt: skip
    tiers, missing = faces.tiers_of(root), faces.unserved(root)
    served = {name for _, rows in tiers.values() for row in rows.values() for name in row.values()}
    declared = {name for _, rows in faces.declared(root).values() for name in rows}
    tests.check(not served & set(missing) and served | set(missing) == declared and len(missing) == len(set(missing)),
                "each function that mpi.h declares is served or not, and stands in one table", declared - served - set(missing))  # fmt: skip
    forms = tiers["collective"][1]["Allgather"]
    tests.check(forms == {"": "Allgather", "non-blocking": "Iallgather", "persistent": "Allgather_init", "large counts": "Allgather_c",
                          "non-blocking, large counts": "Iallgather_c", "persistent, large counts": "Allgather_init_c"},
                "a function has its forms in its row", forms)  # fmt: skip
    for family, name in [("files", "File_open"), ("one-sided communication", "Put"), ("interface for tools", "T_init_thread"),
                         ("dynamic processes", "Comm_spawn"), ("sessions", "Session_init")]:  # fmt: skip
        row = re.search(rf"^\| {family} \|.*", pages[faces.MPI], re.M)
        tests.check(row and f"`MPI_{name}`" in row[0], f"MPI_{name} is among the {family} that are not served", row and row[0])

usage = reference.used("kport run", "[A " + "b" * 60 + "] [C " + "d" * 30 + "]")
tests.check(len(usage.splitlines()) == 2 and all(line.count("[") == line.count("]") for line in usage.splitlines()),
            "a long usage is cut between options", usage)  # fmt: skip
tests.end()
