"""A recipe for Conan 2. Written by Conan's documents and not tried."""

import os

from conan import ConanFile
from conan.tools.files import copy
from conan.tools.gnu import PkgConfigDeps
from conan.tools.meson import Meson, MesonToolchain


class KportConan(ConanFile):
    name = "kport"
    version = "0.1.0"
    description = "MPI-style collectives among the threads of one program"
    license = "Apache-2.0"
    settings = "os", "arch", "compiler", "build_type"
    languages = "C"
    requires = "jansson/2.14", "expat/2.6.2", "hwloc/2.9.3"
    tool_requires = "meson/1.2.2", "pkgconf/2.1.0"

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..", "..")
        for part in ["include", "lib", "ports", "tools", "bench", "tests", "examples", "doc"]:
            copy(self, f"{part}/*", src=root, dst=self.export_sources_folder)
        for part in ["meson.build", "meson_options.txt", "LICENSE", "CHANGELOG.md"]:
            copy(self, part, src=root, dst=self.export_sources_folder)

    def generate(self):
        PkgConfigDeps(self).generate()
        toolchain = MesonToolchain(self)
        toolchain.project_options.update({"tests": "disabled", "mpi": "disabled", "peers": "disabled"})
        toolchain.generate()

    def build(self):
        meson = Meson(self)
        meson.configure()
        meson.build()

    def package(self):
        Meson(self).install()

    def package_info(self):
        self.cpp_info.libs = ["kport"]
        self.cpp_info.system_libs = ["pthread", "dl"]
        self.cpp_info.set_property("cmake_target_name", "kport::kport")
        self.cpp_info.set_property("pkg_config_name", "kport")
