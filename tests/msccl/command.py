"""`kport check|cost|show|run FILE.xml`: what users and programs meet, and files that nobody should have written.

usage: command.py KPORT
"""

import json
import pathlib
import resource
import sys
import tempfile

from tap import Tests, execute

from corpus import CORPUS, Algorithm, counted_exchange, ring_allgather, split_allgather, star_reduce, twice_broadcast

kport = sys.argv[1]
tests = Tests()
folder = tempfile.TemporaryDirectory()
path = pathlib.Path(folder.name) / "schedule.xml"


def kport_on(command, text, *options):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return execute([kport, command, path, *options])


def found(text, *options):
    done = kport_on("check", text, "--json", *options)
    return done.returncode, json.loads(done.stdout)


# --- What cannot be read: status 2, nothing on stdout, and a sentence that names the line ---

RIGHT = ring_allgather(2).xml()
ALGO = '<algo ngpus="1" coll="allreduce" nchunksperloop="1" inplace="1">'
GPU = ALGO + '<gpu id="0" i_chunks="1" o_chunks="0" s_chunks="0">'
TB = GPU + '<tb id="0" send="-1" recv="-1" chan="0">'
BOMB = '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n'
UNREADABLE = [
    ("", "no element found"),
    ("not XML at all", "this is no XML"),
    (RIGHT[: len(RIGHT) // 2], "this is no XML"),
    (b"\0" * 100, "this is no XML"),
    (BOMB + RIGHT, 'line 1: the entity "a" is declared'),
    ('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><algo name="&x;"/>', 'the entity "x" is declared'),
    ("<!--" + "x" * (3 << 20) + "-->" + RIGHT, "a tag or a comment has more than 1 MiB"),
    (RIGHT + "\n" * (65 << 20), "it has more than 64 MiB"),
    ("<system/>", "line 1: <system> is not known here; <algo> would be"),
    (TB + '<op step="0"/>', "<op> is not known here; <step> would be"),
    ('<algo ngpus="2"/>', "<algo> lacks the attribute nchunksperloop"),
    (RIGHT.replace('ngpus="2"', 'ngpus="0"'), 'line 1: <algo> has ngpus="0"; it may be 1 ... 4096'),
    (RIGHT.replace('ngpus="2"', 'ngpus="4"'), "cannot share equally"),
    (RIGHT.replace('ngpus="2"', 'ngpus="99999999999999999999"'), "it may be 1 ... 4096"),
    (RIGHT.replace('cnt="1"', 'cnt="99999999"', 1), "the steps move more than 8388608 chunks"),
    (RIGHT.replace('cnt="1"', 'cnt="-1"', 1), 'line 4: <step> has cnt="-1"; it may be 0 ... 2147483647'),
    (RIGHT.replace('cnt="1"', 'cnt="1e3"', 1), '<step> has cnt="1e3"'),
    (RIGHT.replace('s_chunks="0"', 's_chunks="16777216"'), "more than 16777216 chunks"),
    (RIGHT.replace('o_chunks="2"', 'o_chunks="3"'), "o_chunks is 3, but allgather with nchunksperloop 2 has 2"),
    (RIGHT.replace('coll="allgather"', 'coll="alltonext"'), 'coll is "alltonext"; it may be allreduce, allgather'),
    (RIGHT.replace('type="s"', 'type="sss"', 1), 'line 4: type is "sss"; it may be s, r, cpy'),
    (RIGHT.replace('srcbuf="o"', 'srcbuf="q"', 1), 'srcbuf is "q"; it may be i, o, s'),
    (RIGHT.replace('send="1"', 'send="2"', 1), '<tb> has send="2"; it may be -1 ... 1'),
    (RIGHT.replace('send="1"', 'send="0"', 1), "tb 0 of rank 0 is connected with its own rank"),
    (RIGHT.replace('chan="0"', 'chan="-1"', 1), "is connected, but chan is -1"),
    (RIGHT.replace('<gpu id="1"', '<gpu id="0"'), "a <gpu> with the id 0 is on line 2 already"),
    (GPU + "</gpu></algo>", None),
    (ALGO + "</algo>", "there is no <gpu> with the id 0"),
    (TB + "</tb>" + TB[len(GPU) :] + "</tb></gpu></algo>", "two thread blocks with the id 0"),
    (RIGHT.replace('hasdep="0"', 'hasdep="2"', 1), 'hasdep="2"; it may be 0 ... 1'),
]  # fmt: skip
for text, why in UNREADABLE:
    done = kport_on("check", text)
    if why is None:
        tests.check(done.returncode == 0, "a rank without thread blocks is read", done.stderr)
    else:
        tests.check(done.returncode == 2 and not done.stdout and why in done.stderr and "schedule.xml" in done.stderr,
                    why, done.stderr[:300])  # fmt: skip
done = execute([kport, "check", path.with_name("none.xml")])
tests.check(done.returncode == 2 and "cannot be opened" in done.stderr, "a file that is not there", done.stderr)
done = kport_on("check", RIGHT, "--back-pressure")
tests.check(done.returncode == 2 and "needs --depth" in done.stderr, "back-pressure needs a depth", done.stderr)

# --- What programs read ---

status, right = found(split_allgather().xml())
keys = {"schema", "format", "collective", "ranks", "correct", "races", "deadlock", "depth_needed", "same_order", "findings"}
tests.check(status == 0 and keys <= set(right) and right["format"] == "msccl" and right["collective"] == "allgather"
            and right["ranks"] == 3 and right["correct"] is True and right["races"] == 0 and right["deadlock"] is False
            and right["depth_needed"] == 1 and right["same_order"] is None and right["findings"] == [],
            "a right schedule has all keys", right)  # fmt: skip

status, copied = found(RIGHT.replace('">\n<tb', '">\n<copy i_off="0" o_off="0"><copy/></copy>\n<tb'))
notes = [finding["sentence"] for finding in copied["findings"] if finding["kind"] == "note"]
tests.check(status == 0 and notes == ["the <copy> on line 3 is passed over, as in the runtimes of MSCCL"],
            "a <copy> of TACCL is told and passed over", copied)  # fmt: skip


def only(text, kind, sentence, *options):
    status, what = found(text, *options)
    sentences = [finding["sentence"] for finding in what["findings"] if finding["kind"] == kind]
    tests.check(status == 1 and what["correct"] is False and any(sentence in one for one in sentences), sentence, what)
    return what


race = split_allgather()
race.ranks[0][0].steps[1].waits = None
what = only(race.xml(), "race", "rank 0 tb 0 step 1 (s) reads output chunk 2 of rank 0, and rank 0 tb 1 step 0 (r) "
            "writes it; nothing orders the two")  # fmt: skip
tests.check(what["races"] == 1, "the race is counted", what)

cycle = split_allgather()
for blocks in cycle.ranks:
    blocks[0].steps[0].waits = (1, 0)
what = only(cycle.signal().xml(), "deadlock", "waits for rank")
tests.check(what["deadlock"] is True and what["depth_needed"] is None, "a cycle is a deadlock at any depth", what)

silent = split_allgather()
silent.ranks[1][1].steps[0].hasdep = 0
only(silent.xml(), "deadlock", "rank 1 tb 0 step 1 (s) waits for a step that never signals")

late = CORPUS["late-broadcast"]()
late.ranks[1][0].steps[1].waits = (1, 0)
late.ranks[1][1].steps[0].hasdep = 1
only(late.xml(), "deadlock", "rank 1 tb 0 step 1 (r) waits for rank 1 tb 1 step 0 (s)")

nothing = CORPUS["once-allreduce"]()
for blocks in nothing.ranks:
    blocks[2].steps[0].hasdep, blocks[0].steps[0].waits = 1, (2, 0)
only(nothing.xml(), "deadlock", "rank 0 tb 0 step 0 (s) waits for a step that never signals")

gone = ring_allgather(2)
del gone.ranks[1][0].steps[0]
only(gone.xml(), "deadlock", "rank 0 tb 0 step 1 (r) waits for a message that nobody sends")

shared = CORPUS["alltoall-channels"]()
for block in shared.ranks[0]:
    block.chan = 0
only(shared.xml(), "connection", "tb 1 and tb 2 of rank 0 are both on the connection from rank 0 to rank 1 on channel 0")

beyond = ring_allgather(2)
beyond.ranks[0][0].steps[0].src = ("o", 2)
only(beyond.xml(), "bounds", "rank 0 tb 0 step 0 (s) reads output chunks 2 ... 2, but the file gives rank 0 2")

longer = ring_allgather(2)
longer.ranks[0][0].steps[0].src, longer.ranks[0][0].steps[0].cnt = ("o", 0), 2
only(longer.xml(), "message", "rank 0 tb 0 step 0 (s) sends 2 chunks, but rank 1 tb 0 step 1 (r) receives 1")

twice = CORPUS["once-allreduce"]()
twice.ranks[0][2].steps[2].src = twice.ranks[0][2].steps[1].src
only(twice.xml(), "result", "adds the contribution of rank 1 a second time")

missing = CORPUS["once-allreduce"]()
del missing.ranks[2][2].steps[2]
only(missing.xml(), "result", "chunk 0 of rank 2 lacks the contribution of rank 1")

# --- What is told and leaves status 0 ---

status, what = found(twice_broadcast().xml())
tests.check(status == 0 and what["correct"] and what["races"] == 0 and what["benign_races"] == 1
            and "every order leaves the same contributions" in what["findings"][0]["sentence"],
            "a race that leaves the same contributions is told", what)  # fmt: skip
status, what = found(star_reduce().xml())
tests.check(status == 0 and what["benign_races"] == 1, "so is one between two additions", what)
status, what = found(star_reduce().xml(), "--torn")
tests.check(status == 1 and what["races"] == 1, "unless steps are torn apart", what)

kept = split_allgather()
kept.block(0).add("cpy", ("o", 2), ("o", 2))
status, what = found(kept.xml())
tests.check(status == 0 and what["races"] == 0 and what["benign_races"] == 2
            and all("torn apart" in finding["sentence"] for finding in what["findings"]),
            "a copy of a place to itself changes nothing", what)  # fmt: skip
status, what = found(kept.xml(), "--torn")
tests.check(status == 1 and what["races"] > 0, "unless it is torn apart", what)

order = CORPUS["once-allreduce"]().xml()
status, what = found(order)
tests.check(status == 0 and what["correct"] and what["same_order"] is False
            and [finding["kind"] for finding in what["findings"]] == ["order"],
            "a difference of order is told", what)  # fmt: skip
status, what = found(order, "--same-order")
tests.check(status == 1 and what["correct"] is False, "with --same-order it is wrong", what)

# --- The order of sums in a wrong file ---

status, what = found(missing.xml())
tests.check(status == 1 and what["same_order"] is False and [one["kind"] for one in what["findings"]] == ["result"],
            "ranks with different sums have different orders, and no sentence says so", what)  # fmt: skip
alone = star_reduce()
del alone.ranks[0][1], alone.ranks[2][0]
status, what = found(alone.xml())
tests.check(status == 1 and what["same_order"] is True, "a sum at one rank alone has one order", what)
status, what = found(star_reduce().xml(), "--torn")
tests.check(status == 1 and what["same_order"] is False, "a sum that depends on a race has none", what)
_, what = found(nothing.xml())
tests.check(what["deadlock"] is True and what["races"] is what["same_order"] is None, "unknown at a deadlock", what)
_, what = found(shared.xml())
tests.check(what["deadlock"] is what["races"] is what["depth_needed"] is None, "unknown on a shared connection", what)

# --- Depths and back-pressure ---

exchange = counted_exchange().xml()
tests.check(found(exchange)[1]["depth_needed"] == 2, "the depth that suffices")
tests.check(found(exchange, "--depth", "2")[0] == 0, "it suffices")
only(exchange, "deadlock", "with connections of depth 1: ", "--depth", "1")

# At rank 1 the second thread block copies what the first one has received. Only the full connection between the two
# ranks orders this: the second message is sent when the first one has been received.
pressed = Algorithm("custom", 2, 3, 0, (3, 4, 0))
pressed.block(0, send=1).add("s", ("i", 0), ("o", 0)).add("s", ("i", 1), ("o", 1))
pressed.block(0, send=1, chan=1).add("s", ("i", 2), ("o", 2), waits=(0, 1))
pressed.block(1, recv=0).add("r", ("i", 0), ("o", 0)).add("r", ("i", 1), ("o", 1))
pressed.block(1, recv=0, chan=1).add("r", ("i", 2), ("o", 2)).add("cpy", ("o", 0), ("o", 3))
text = pressed.signal().xml()
what = only(text, "race", "tb 0 step 0 (r) writes output chunk 0 of rank 1, and rank 1 tb 1 step 1 (cpy) reads it",
            "--depth", "1")  # fmt: skip
tests.check(what["back_pressure"] is False, "back-pressure is not counted by default", what)
status, what = found(text, "--depth", "1", "--back-pressure")
tests.check(status == 0 and what["races"] == 0 and what["back_pressure"] is True, "it orders steps if asked for", what)
tests.check(what["correct"] is None, "of a custom collective nobody knows what is right", what)
status, what = found(text, "--depth", "2", "--back-pressure")
tests.check(status == 1 and what["races"] == 1, "connections that are never full order nothing", what)
done = kport_on("check", text, "--depth", "1", "--back-pressure")
tests.check("back-pressure of full connections counts as order" in done.stdout, "whether it counts is said", done.stdout)

# --- The other commands ---

for name, make in CORPUS.items():
    text = make().xml()
    done = kport_on("run", text, "--repeat", "2")
    tests.check(done.returncode == 0 and "verified: every byte" in done.stdout, f"{name} runs in rounds",
                done.stdout + done.stderr)  # fmt: skip
for command in [["run"], ["cost"], ["cost", "--json"], ["show"], ["show", "--svg", "-"], ["export"], ["explain"],
                ["predict", "--network", "flat", "--engine", "loggp"]]:  # fmt: skip
    done = kport_on(command[0], race.xml(), *command[1:])
    tests.check(done.returncode == 1 and "race: rank 0 tb 0 step 1 (s) reads" in done.stderr and not done.stdout,
                f"{command} refuses a wrong file", done.stderr)  # fmt: skip
    done = kport_on(command[0], "<system/>", *command[1:])
    tests.check(done.returncode == 2 and "<system> is not known here" in done.stderr and not done.stdout,
                f"{command} cannot read a file", done.stderr)  # fmt: skip
done = kport_on("cost", exchange, "--json", "--bytes", "800")
cost = json.loads(done.stdout)
tests.check((cost["steps"], cost["messages"], cost["chunks"], cost["bytes"], cost["longest_chain"],
             cost["message_chain"], len(cost["links"])) == (10, 4, 8, 800, 5, 1, 2), "the costs are counted", cost)  # fmt: skip
done = kport_on("show", exchange)
tests.check("s    i[4..5]  to rank 1 tb 0 step 3 (r)" in done.stdout, "the steps are printed", done.stdout)
done = kport_on("show", exchange, "--svg", "-")
tests.check(done.returncode == 0 and done.stdout.count("marker-end") == 4, "each message is an arrow", done.stdout)
again = execute([kport, "export", path, "--format", "msccl"])
tests.check(again.returncode == 0 and found(again.stdout)[1]["correct"], "it is written back", again.stderr)

# --- Size: 256 ranks, 4096 thread blocks, 100 thousand steps whose order takes every dependency ---


def large():
    n, pairs = 256, 8
    share = n // pairs
    a = Algorithm("allgather", n, n, 1, (0, n, 0))
    for rank in range(n):
        for chan in range(pairs):
            send, receive = a.block(rank, send=(rank + 1) % n, chan=chan), a.block(rank, recv=(rank - 1) % n, chan=chan)
            for distance in range(n - 1):
                at, to = (rank - distance) % n, (rank - distance - 1) % n
                if at // share == chan:
                    waits = [(2 * chan + 1, len(receive.steps) - 1)] if distance else []
                    send.add("s", ("o", at), ("o", at), waits=waits[0] if waits else None)
                if to // share == chan:
                    receive.add("r", ("o", to), ("o", to))
    return a.signal().xml()


text = large()
status, what = found(text)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
tests.check(status == 0 and what["ranks"] == 256 and what["steps"] == 2 * 256 * 255 and len(text) > 10 << 20,
            "a large schedule is right", what)  # fmt: skip
tests.check(used.ru_maxrss < 1 << 20, "it takes less than 1 GiB", f"{used.ru_maxrss} KiB")
tests.end()
