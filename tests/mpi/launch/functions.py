"""Every function of MPI 4.0 is declared, also with its name for profiling. One that kport does not serve ends
the program with its name and the place of the call, also where it is called by its address.

usage: functions.py SOURCE_FOLDER TOOLS_FOLDER
"""

import pathlib
import re
import sys
import tempfile

from tap import Tests, execute, said

source, tools = map(pathlib.Path, sys.argv[1:3])
here = source / "tests" / "mpi" / "launch"
tests = Tests()
folder = tempfile.TemporaryDirectory()
made = pathlib.Path(folder.name)

names = (here / "functions.txt").read_text().split()
table = (source / "lib" / "mpi" / "unserved.c").read_text()
unserved = ["MPI_" + name for name in re.findall(r"X\((\w+)\)", table)]
tests.check(len(names) > 600 and set(unserved) < set(names), "the list has all functions", f"{len(names)}")

program = made / "every.c"
program.write_text(
    "#include <mpi.h>\n#include <stdio.h>\n#include <string.h>\ntypedef void function(void);\n"
    "static const struct { const char *name; function *one, *other; } all[] = {\n"
    + "".join(f'    {{"{name}", (function *){name}, (function *)P{name}}},\n' for name in names)
    + "};\n"
    "int main(int argc, char **argv)\n{\n    int found = 0;\n"
    "    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {\n"
    "        found += all[i].one && all[i].other;\n"
    "        if (argc > 1 && strcmp(argv[1], all[i].name) == 0) {\n"
    "            MPI_Init(&argc, &argv);\n"
    "            all[i].one(); /* here */\n        }\n    }\n"
    '    printf("%d functions\\n", found);\n    return 0;\n}\n'
)
line = next(i for i, text in enumerate(program.read_text().splitlines(), 1) if "/* here */" in text)
for compiler, options in [("kportcc", []), ("kportc++", ["-xc++"])]:
    result = execute([tools / compiler, *options, "-g", program, "-o", made / compiler])
    if result.returncode == 0:
        result = execute([made / compiler])
    elif compiler == "kportc++" and "not found" in result.stderr:
        tests.skip(compiler, "there is no C++ compiler")
        continue
    tests.check(result.stdout == f"{len(names)} functions\n", f"{compiler} knows all {len(names)} functions", said(result))

wrong = []
for name in unserved:
    result = execute([tools / "kportrun", "-n", "1", made / "kportcc", name])
    wanted = f"rank 0: {name} at {program}:{line}: kport does not serve {name}"
    if result.returncode == 0 or wanted not in result.stderr:
        wrong.append(said(result))
tests.check(not wrong, f"{len(unserved)} functions that are not served name themselves and the place", "\n".join(wrong[:3]))

# Before MPI_Init, where the interface for tools may be called.
early = made / "early.c"
early.write_text("#include <mpi.h>\nint main() { int level; return MPI_T_init_thread(0, &level); }\n")
execute([tools / "kportcc", "-g", early, "-o", made / "early"])
for command in [[made / "early"], [tools / "kportrun", made / "early"]]:
    result = execute(command)
    tests.check(result.returncode and "does not serve MPI_T_init_thread" in result.stderr, "before MPI_Init", said(result))
tests.end()
