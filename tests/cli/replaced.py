"""What kport's commands do to the file they write: a regular one is replaced, a link followed, anything else
refused before anything is measured, and nothing is left beside it.

usage: replaced.py PROGRAM
"""

import json
import os
import pathlib
import stat
import sys
import tempfile

from tap import Tests, execute, said, with_wrapper

program = os.path.abspath(sys.argv[1])
tests = Tests()
home = tempfile.TemporaryDirectory()
root = pathlib.Path(home.name)
WHOLE = "it is no regular file; it may be a regular file, or a name that is free"
TUNE = ["tune", "-n", "2", "-k", "1", "--operation", "broadcast", "--seconds", "SECONDS", "--profile"]
RUN = ["run", "index:n=3,k=1,b=8", "--repeat", "2", "--trace"]


def kport(*arguments, shell=None, **options):
    """Runs it, from a shell's script if there is one. A machine that is busy with other things may need more time
    to measure anything."""
    for seconds in (1, 5, 25, 60):
        words = [str(seconds) if word == "SECONDS" else word for word in map(str, arguments)]
        command = with_wrapper([program, *words])
        result = execute(["sh", "-c", shell, "sh", *command] if shell else command, **options)
        if "was not measured" not in result.stderr or "SECONDS" not in arguments:
            return result
    return result


def kept(folder):
    """Of every entry what it is, and of files what is in them."""
    entries = {}
    for path in sorted(folder.rglob("*")):
        mode = path.lstat().st_mode
        entries[path.name] = path.read_text() if stat.S_ISREG(mode) else (stat.S_IFMT(mode), path.lstat().st_rdev)
    return entries


def new_folder(name):
    folder = root / name
    folder.mkdir()
    return folder


def check_refused(name, folder, path, why):
    """By every command that measures for it, before that."""
    before = kept(folder)
    for command in (TUNE, [*RUN[:2], "--repeat", "1000000", "--trace"]):
        result = kport(*command, path, timeout=400)
        right = result.returncode == 2 and not result.stdout and f"could not be written: {why}" in result.stderr
        right = right and str(path) in result.stderr and "settings" not in result.stderr
        tests.check(right, f"{command[0]}: {name} is refused before it measures", said(result))
        tests.check(kept(folder) == before, f"{command[0]}: {name} stays as it was", kept(folder))


def check_refusals():
    folder = new_folder("refused")
    (folder / "below").mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "link").symlink_to("pipe")
    check_refused("a pipe", folder, folder / "pipe", WHOLE)
    check_refused("a link to a pipe", folder, folder / "link", WHOLE)
    check_refused("a folder", folder, folder / "below", "it is a folder")
    check_refused("a folder that cannot be written", folder, "/proc/profile.json", "No such file")
    if os.geteuid() == 0:
        # One of its own: what is wrong here would replace that of the machine.
        try:
            os.mknod(folder / "device", 0o600 | stat.S_IFCHR, os.makedev(1, 7))
            check_refused("a device", folder, folder / "device", WHOLE)
        except PermissionError:
            tests.skip("a device", "this root may not make one")
    else:
        check_refused("a device", folder, "/dev/full", WHOLE)
        (folder / "below").chmod(0o500)
        check_refused("a locked folder", folder, folder / "below" / "x", "Permission denied")


def check_links():
    for command in (TUNE, RUN):
        folder = new_folder(f"links of {command[0]}")
        target, link = folder / "below" / "target.json", folder / "link.json"
        target.parent.mkdir()
        target.write_text("old")
        target.chmod(0o640)
        link.symlink_to("below/target.json")
        result = kport(*command, link)
        right = result.returncode == 0 and link.is_symlink() and json.loads(target.read_text())
        tests.check(right, f"{command[0]}: what a link leads to is replaced", said(result))
        mode = stat.S_IMODE(target.stat().st_mode)
        tests.check(mode == 0o640, f"{command[0]}: and its permissions stay", oct(mode))
        names = sorted(kept(folder))
        tests.check(names == ["below", "link.json", "target.json"], f"{command[0]}: nothing else is there", names)


def check_planted():
    """A link at a name that can be guessed: that of the file and the process."""
    for command, name in ((TUNE, "{}.{}"), (TUNE, "{}.{}-0.tmp"), (RUN, "{}.{}.0.tmp")):
        folder = new_folder(f"planted {name} {command[0]}")
        victim, path = folder / "victim", folder / "p.json"
        victim.write_text("precious")
        planted = name.format(path, "$$")
        result = kport(*command, path, shell=f'ln -s "{victim}" "{planted}"; exec "$@"')
        right = result.returncode == 0 and victim.read_text() == "precious" and json.loads(path.read_text())
        tests.check(right, f"{command[0]}: nothing is written through a link at {name}", said(result))
        mode = stat.S_IMODE(path.stat().st_mode)
        mask = os.umask(0)
        os.umask(mask)
        tests.check(mode == 0o666 & ~mask, f"{command[0]}: a new file has the usual permissions", oct(mode))


def check_full():
    """A limit of the size of files, which ends who does not look after it."""
    for command in (TUNE, RUN, ["show", "index:n=16,k=1,b=8", "--svg"]):
        folder = new_folder(f"limit of {command[0]}")
        (folder / "old").write_text("old")
        for path in (folder / "old", folder / "new"):
            result = kport(*command, path, shell='ulimit -f 0; exec "$@"')
            right = result.returncode == 2 and str(path) in result.stderr and "File too large" in result.stderr
            tests.check(right, f"{command[0]}: no room, said: {path.name}", said(result))
            tests.check(kept(folder) == {"old": "old"}, f"{command[0]}: and nothing is left", kept(folder))


# --- Profiles ---


def setting_of(path, n):
    """The setting of a profile that was made for 2 processors, for another number of them."""
    setting = json.loads(path.read_text())["settings"][0]
    return {**setting, "n": n}


def check_profile():
    """Broken settings are left out, good ones stay; what was measured replaces what is there for the same."""
    path = new_folder("profile") / "profile.json"
    result = kport(*TUNE, path)
    if not tests.check(result.returncode == 0, "a profile is made", said(result)):
        return
    whole = json.loads(path.read_text())
    good, empty = setting_of(path, 5), {**setting_of(path, 4), "operations": []}
    whole["settings"] = [empty, good]
    path.write_text(json.dumps(whole) + "\n")
    left_out = 'without 1 of its 2 settings (number 1: "operations" has 0 values; it may have 1 ... '
    environment = dict(os.environ, KPORT_TUNE=str(path))
    for command in ("explain", "run"):
        result = kport(command, "broadcast:n=5,k=1,b=8", env=environment)
        right = result.returncode == 0 and left_out in result.stderr and str(path) in result.stderr
        tests.check(right, f"{command}: a setting is left out, said", said(result))
    result = kport("explain", "broadcast:n=5,k=1,b=8", "--json", env=environment)
    right = result.returncode == 0 and json.loads(result.stdout)["profile_serves"]
    tests.check(right, "the good setting serves", said(result))
    result = kport(*TUNE, path)
    numbers = [setting["n"] for setting in json.loads(path.read_text())["settings"]]
    right = result.returncode == 0 and left_out in result.stderr and numbers == [2, 5]
    tests.check(right, "tune keeps the good one, and says what it drops", (numbers, said(result)))


def check_no_time():
    """More processors than can be measured in a second, on most machines."""
    path = new_folder("no time") / "profile.json"
    kport(*TUNE, path)
    before = path.read_text()
    command = ["tune", "-n", "500", "-k", "1", "--operation", "index", "--seconds", "1", "--profile", path]
    result = kport(*command)
    if result.returncode == 0 or "index was not measured" not in result.stderr:
        tests.skip("an operation that there is no time for", "there was")
        return
    right = result.returncode == 1 and "n=500, k=1 is not in the profile" in result.stderr
    tests.check(right, "what there is no time for is said", said(result))
    tests.check(path.read_text() == before, "and an empty setting is not written", path.read_text())


# --- Figures ---


def check_figures():
    folder, elsewhere = new_folder("figures"), new_folder("elsewhere")
    command = ["figures", folder, "--quick", "--only", "figure4", "--carrier", "threads", "--n", "4", "--seconds", "60"]
    os.mkfifo(folder / "index.html")
    result = kport(*command)
    right = result.returncode == 2 and WHOLE in result.stderr and "at most" not in result.stderr
    tests.check(right, "figures: a pipe is refused before it measures", said(result))
    tests.check(list(kept(folder)) == ["index.html"], "figures: and stays", kept(folder))
    (folder / "index.html").unlink()
    (elsewhere / "data").write_text("old")
    (elsewhere / "data").chmod(0o600)
    (folder / "figure4-threads.csv").symlink_to("../elsewhere/data")
    result = kport(*command)
    text = (elsewhere / "data").read_text()
    right = result.returncode == 0 and (folder / "figure4-threads.csv").is_symlink() and text.startswith("series,")
    tests.check(right, "figures: what a link leads to is replaced", said(result))
    mode = stat.S_IMODE((elsewhere / "data").stat().st_mode)
    tests.check(mode == 0o600, "figures: and its permissions stay", oct(mode))
    names = ["figure4-threads.csv", "figure4-threads.svg", "index.html"]
    tests.check(sorted(kept(folder)) == names, "figures: nothing else is there", kept(folder))
    before = {**kept(folder), **kept(elsewhere)}
    result = kport(*command, shell='ulimit -f 0; exec "$@"')
    tests.check(result.returncode == 2 and "File too large" in result.stderr, "figures: no room, said", said(result))
    tests.check({**kept(folder), **kept(elsewhere)} == before, "figures: and all stays as it was", kept(folder))


check_refusals()
check_links()
check_planted()
check_full()
check_profile()
check_no_time()
check_figures()
home.cleanup()
tests.end()
