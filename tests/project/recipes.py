"""The recipes for Conan and vcpkg, whose programs are not to be had everywhere: they name this version and options that
exist, and what Conan's takes along of the sources is enough for a build.

usage: recipes.py SOURCE_FOLDER
"""

import importlib.util
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import types

from tap import Tests, execute, said

root = pathlib.Path(sys.argv[1]).resolve()
packaging = root / "tools" / "packaging"
tests = Tests()
version = re.search(r"version: '([\d.]+)'", (root / "meson.build").read_text())[1]
known = set(re.findall(r"^option\('(\w+)'", (root / "meson_options.txt").read_text(), re.M))

# --- Conan ---


def copy(recipe, pattern, src, dst):
    """As Conan's: a star stands for folders, too. A file that is not there is none to copy."""
    if pattern.endswith("/*"):
        shutil.copytree(pathlib.Path(src) / pattern[:-2], pathlib.Path(dst) / pattern[:-2])
    elif (pathlib.Path(src) / pattern).exists():
        shutil.copy(pathlib.Path(src) / pattern, dst)


class Toolchain:
    """Writes down the options that a recipe gives to Meson."""

    options = {}

    def __init__(self, recipe):
        self.project_options = Toolchain.options

    def generate(self):
        pass


PARTS = {
    "conan": {"ConanFile": object},
    "conan.tools": {},
    "conan.tools.files": {"copy": copy},
    "conan.tools.gnu": {"PkgConfigDeps": Toolchain},
    "conan.tools.meson": {"Meson": object, "MesonToolchain": Toolchain},
}
for name, contents in PARTS.items():
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(contents)
sys.dont_write_bytecode = True
found = importlib.util.spec_from_file_location("conanfile", packaging / "conan" / "conanfile.py")
module = importlib.util.module_from_spec(found)
found.loader.exec_module(module)
recipe = module.KportConan()
tests.check(recipe.version == version, "Conan: this version", [recipe.version, version])
recipe.generate()
options = dict(Toolchain.options)
tests.check(options and set(options) <= known, "Conan: the options exist", [options, known])
with tempfile.TemporaryDirectory() as folder:
    recipe.recipe_folder, recipe.export_sources_folder = str(packaging / "conan"), folder
    recipe.export_sources()
    given = [f"-D{name}={value}" for name, value in options.items()]
    result = execute(["meson", "setup", *given, f"{folder}/built", folder], env=os.environ)
    tests.check(result.returncode == 0, "Conan: the exported sources can be configured", said(result))

# --- vcpkg ---

port = packaging / "vcpkg" / "kport"
told = json.loads((port / "vcpkg.json").read_text())["version"]
tests.check(told == version, "vcpkg: this version", [told, version])
named = set(re.findall(r"-D(\w+)=", (port / "portfile.cmake").read_text()))
tests.check(named and named <= known, "vcpkg: the options exist", [named, known])
tests.end()
