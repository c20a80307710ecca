"""The commands of kport over processes of an MPI: run, bench, route, tune and soak, and what they refuse.

usage: over_mpi.py PROGRAM openmpi|mpich LOADED.so CARRIER.so
"""

import json
import os
import pathlib
import shutil
import sys
import tempfile

from tap import Tests, execute, said

program, mpi, loaded, carrier = sys.argv[1:]
tests = Tests()
environment = dict(os.environ)
environment.update(
    OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
    OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
    OMPI_MCA_hwloc_base_binding_policy="none", KPORT_CARRIERS=os.path.dirname(carrier))
if not shutil.which(f"mpirun.{mpi}") or carrier == "no-carrier":
    tests.skip("all", f"there is no mpirun.{mpi}, or this build has no carrier for it")
    tests.end()


def over(processes, *arguments, **more):
    """Runs kport in so many processes; 0: without mpirun."""
    start = [f"mpirun.{mpi}", "-n", processes] if processes else []
    return execute(["timeout", "300", *start, program, *arguments], env={**environment, **more})


def wanted(name, result, *words, status=0):
    text = result.stdout + result.stderr
    missing = [word for word in words if word not in text]
    tests.check((result.returncode == status) and not missing, name, f"missing: {missing}\n{said(result)}")
    return result


def parsed(name, result):
    """Standard output as one JSON text: it is, if one process alone prints."""
    try:
        value = json.loads(result.stdout)
    except json.JSONDecodeError as error:
        value = None
        tests.check(False, name, f"{error}\n{said(result)}")
    return value


def ran_over(value, processes, each):
    return value["carrier"] == "mpi" and value["processes"] == processes and value["per_process"] == each \
        and value["network"].startswith({"openmpi": "Open MPI", "mpich": "MPICH"}[mpi])


# run
problem = "index:n=4,k=1,b=64,carrier=mpi,per_process=2"
result = wanted("run", over(2, "run", problem), "verified: every byte", "processes 2, processors of each 2")
tests.check(result.stdout.count("verified") == 1, "one process prints", said(result))
wanted("run on fibers", over(2, "run", problem + ",workers=1"), "verified: every byte", "on fibers: workers 1",
       "processes 2, processors of each 2")
wanted("run with too many workers", over(2, "run", problem + ",workers=2"), "workers is 2", "over a wire", status=2)
value = parsed("run --json", over(2, "run", problem, "--json"))
tests.check(value and ran_over(value, 2, 2) and value["verified"], "run --json: what it ran over", value)
by_path = {key: value for key, value in environment.items() if key != "KPORT_CARRIERS"}
by_path["PATH"] = os.path.dirname(os.path.abspath(program)) + ":" + os.environ["PATH"]
result = execute(["timeout", "300", f"mpirun.{mpi}", "-n", "2", os.path.basename(program), "run", problem], env=by_path)
wanted("run, found by PATH", result, "verified: every byte")
wanted("run: not verified", over(2, "run", problem, KPORT_INTERNAL_NO_VERIFY="1"), "NOT verified")
wanted("run barrier", over(2, "run", "barrier:n=4,carrier=mpi,per_process=2"), "nobody left before all had come")

# bench
csv = wanted("bench", over(2, "bench", "allreduce:carrier=mpi", "-m", "8:16", "-i", "50", "-c", "--csv"),
             "network,processes,per_process,algorithm,problem").stdout.splitlines()
tests.check(len(csv) == 3 and all(",Pass," in row and ",2,1," in row for row in csv[1:]), "bench --csv", csv)
value = parsed("bench --json", over(2, "bench", "barrier:carrier=mpi,per_process=2", "-i", "50", "--json"))
tests.check(value and value["complete"] and ran_over(value["rows"][0], 2, 2), "bench --json", value)
wanted("bench, as text", over(2, "bench", "index:carrier=mpi", "-m", "8:8", "--seconds", "3"),
       "# n=2,k=1,carrier=mpi", "processes 2, processors of each 1")

# route
value = parsed("route", over(3, "route", "--carrier", "mpi", "--payload", "64", "--h", "1", "--trials", "2",
                             "--protocol", "fast", "--json"))
rows = value["rows"] if value else []
tests.check(len(rows) == 1 and ran_over(rows[0], 3, 1) and rows[0]["verified"] and rows[0]["seconds"] > 0,
            "route --payload", value)  # fmt: skip

# tune: a setting serves the network and the processes that it was measured over
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "profile.json"
    wanted("tune", over(2, "tune", "--carrier", "mpi", "--per-process", "2", "-k", "1", "--operation", "index",
                        "--seconds", "3", "--profile", path), "n=4, k=1 on mpi", "processors of each 2")
    profile = json.loads(path.read_text()) if path.exists() else {"settings": [{}]}
    setting = profile["settings"][0]
    tests.check(len(profile["settings"]) == 1 and ran_over({"processes": 2, **setting}, 2, 2), "tune: setting", setting)
    for candidate in setting["operations"][0]["candidates"] if "operations" in setting else []:
        ring = candidate["algorithm"] == "ring"
        candidate["us"] = [us and (0.001 if ring else us + 1) for us in candidate["us"]]

    def chosen(processes, each):
        path.write_text(json.dumps(profile, separators=(",", ":")) + "\n")
        shared = f",per_process={each}" if each > 1 else ""
        text = f"index:n={processes * each},k=1,b=8,carrier=mpi{shared}"
        value = parsed("run --tune", over(processes, "run", text, "--json", "--tune", path, "--repeat", "1"))
        return value and value["algorithm"]

    tests.check(chosen(2, 2) == "ring", "the profile chooses")
    tests.check(chosen(4, 1) not in (None, "ring"), "the profile does not choose for other processes")
    setting["network"] = "Another 1.0"
    tests.check(chosen(2, 2) not in (None, "ring"), "the profile does not choose over another network")

# soak: random calls, also with operators of the program, whose addresses differ between processes
value = parsed("soak", over(2, "soak", "--carrier", "mpi", "--per-process", "2", "--machines", "8", "--json"))
tests.check(value and ran_over(value, 2, 2) and value["operations"] > 1000 and "shortfall" not in value, "soak", value)
result = wanted("soak tells a changed byte", over(2, "soak", "--carrier", "mpi", "--per-process", "2",
                                                  "--machines", "30", KPORT_SOAK_PLANT="corrupt"),
                "again: mpirun -n 2 kport soak --carrier mpi --per-process 2 --seed", status=1)
tests.check("wrong bytes 0" not in result.stdout and "wrong bytes" in result.stdout, "soak counts it", said(result))

# An algorithm from a shared object, which every process has to load.
problem_of_loaded = "concat:n=4,k=1,b=64,alg=neighbor-exchange,carrier=mpi,per_process=2"
wanted("run --load", over(2, "run", problem_of_loaded, "--load", loaded), "verified: every byte")
wanted("run with KPORT_LOAD", over(2, "run", problem_of_loaded, KPORT_LOAD=loaded), "verified: every byte")
wanted("run, where one process loads it",
       over(1, "run", problem, "--load", loaded, ":", "-n", "1", program, "run", problem),
       "the registered algorithms differ between the processes", status=2)

# What is refused, and the command that would do.
would = f"this would do: mpirun -n 2 {program}"
wanted("run without mpirun", over(0, "run", problem), "mpirun", f"{would} run '{problem}'", status=2)
wanted("run --load without mpirun", over(0, "run", problem, "--load", loaded),
       f"{would} run '{problem}' --load {loaded}", status=2)
wanted("bench without mpirun", over(0, "bench", "index:n=2,carrier=mpi"), f"{would} bench 'index:n=2,carrier=mpi'",
       status=2)
wanted("route without mpirun", over(0, "route", "--carrier", "mpi", "--n", "2", "--payload", "8"),
       f"{would} route --carrier mpi --n 2 --payload 8", status=2)
wanted("tune without mpirun", over(0, "tune", "--carrier", "mpi", "-n", "2"), f"{would} tune --carrier mpi -n 2",
       status=2)
wanted("too many processes", over(3, "run", problem), "processors is 4", f"{would} run '{problem}'", status=2)
for arguments, *words in [
        (["run", "index:n=3,k=1,b=8,carrier=mpi,per_process=2"], "per_process"),
        (["run", "index:n=2,k=1,b=8,carrier=mpi,pin=1"], "pin=1", "mpirun"),
        (["run", "index:n=2,k=1,b=8,carrier=mpi", "--interleave", "1"], "--interleave", "carrier=mpi"),
        (["run", "index:n=2,k=1,b=8,carrier=mpi", "--trace", "/nowhere/t"], "--trace", "carrier=mpi"),
        (["bench", "index:carrier=mpi", "--trace", "/nowhere/t"], "--trace", "carrier=mpi"),
        (["bench", "index:carrier=mpi", "--peers"], "--peers"),
        (["bench", "index:carrier=mpi", "-n", "2,4"], "more than one n"),
        (["route", "--carrier", "mpi"], "--payload"),
        (["route", "--carrier", "bees", "--payload", "8"], '"bees"', "mpi"),
        (["route", "--per-process", "2", "--payload", "8"], "--per-process", "--carrier mpi"),
        (["soak", "--carrier", "mpi", "--faults", "3"], "--faults", "carrier=mpi"),
        (["soak", "--carrier", "mpi", "--replay", "/nowhere"], "--replay", "carrier=mpi"),
        (["soak", "--per-process", "2"], "--per-process", "--carrier mpi"),
        (["tune", "--carrier", "mpi", "--rounds", "both"], "--rounds", "mailboxes"),
        (["tune", "--carrier", "mpi", "--workers", "2"], "--workers"),
        (["tune", "--carrier", "mpi", "-n", "2,4"], "more than one -n"),
        (["tune", "--per-process", "2"], "--per-process", "--carrier mpi"),
        (["figures", "/nowhere", "--carrier", "mpi"], "threads or fibers")]:
    wanted(f"refused: {' '.join(arguments)}", over(0, *arguments), *words, status=2)

# What all processes read alike, one tells.
for arguments, word in [(["run", "index:n=3,z=1,carrier=mpi"], "z is no key of a problem"),
                        (["run", problem, "--bees"], "is not understood"),
                        (["route", "--carrier", "mpi"], "without --payload"),
                        (["bench", "index:carrier=mpi", "--peers"], "--peers is given")]:
    result = wanted(f"refused by three: {' '.join(arguments)}", over(3, *arguments), word, status=2)
    tests.check(result.stderr.count(word) == 1, f"told once: {word}", said(result))
result = wanted("explain by three", over(3, "explain", "index:n=3,k=1,b=8,carrier=mpi"), "chosen: ")
tests.check(result.stdout.count("chosen: ") == 1, "explained once", said(result))
tests.end()
