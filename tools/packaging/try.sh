#!/bin/sh
# Tries kport's packaging in a bare Debian or Ubuntu, as root: tools/dev verify packages starts it in one.
#
# usage: try.sh ARCHIVE [ROUTE...]
# ARCHIVE is the sources as `meson dist` packs them, kport-VERSION.tar.gz, in a folder that is written to.
# ROUTE, all by default:
#   run     tools/dev run, with nothing installed
#   debian  the Debian packages, and what they install: files, completions, pkg-config, CMake, kportcc
#   fetch   the sources, fetched by a CMake project, with only what doc/manual/guides/embedding.md says
set -eu

archive=$(readlink -f "$1")
shift
[ $# -gt 0 ] || set -- run debian fetch
for route; do
    case $route in
    run | debian | fetch) ;;
    *)
        echo "try: there is no route \"$route\"; there are run, debian, fetch" >&2
        exit 2
        ;;
    esac
done
name=$(basename "$archive" .tar.gz)
folder=$(dirname "$archive")
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

say() {
    printf 'try: %s\n' "$*" >&2
}

# Runs a command whose output matters only if it fails.
quietly() {
    if ! "$@" >"$folder/log" 2>&1; then
        tail -n 60 "$folder/log" >&2
        say "failed: $*"
        exit 1
    fi
}

# expect WORDS COMMAND...: the command ends well and prints the words.
expect() {
    words=$1
    shift
    quietly "$@"
    grep -qF -- "$words" "$folder/log" || {
        cat "$folder/log" >&2
        say "does not print \"$words\": $*"
        exit 1
    }
}

unpacked() {
    rm -rf "${folder:?}/$1"
    mkdir "$folder/$1"
    tar xzf "$archive" -C "$folder/$1" --strip-components=1
}

try_run() {
    say 'tools/dev run, with nothing installed'
    unpacked dev
    expect 'verified: every byte' "$folder/dev/tools/dev" run
    rm -rf "${folder:?}/dev"
}

try_packages() {
    say 'the Debian packages'
    quietly apt-get -q -y install --no-install-recommends dpkg-dev debhelper lintian build-essential
    unpacked "$name"
    cp "$archive" "$folder/kport_${name#kport-}.orig.tar.gz"
    cp -r "$folder/$name/tools/packaging/debian" "$folder/$name/debian"
    cd "$folder/$name"
    quietly apt-get -q -y build-dep --no-install-recommends -P nocheck .
    quietly env DEB_BUILD_OPTIONS=nocheck DEB_BUILD_PROFILES=nocheck dpkg-buildpackage -us -uc
    cd "$folder"
    # Ubuntu's own rules ask for a release of Ubuntu's in the changelog.
    quietly lintian --profile debian --allow-root --fail-on error,warning kport_*.changes
    quietly apt-get -q -y install --no-install-recommends ./*.deb
    expect 'verified: every byte' kport run index:n=8,k=2,b=64
}

# in_package PACKAGE FILE...: the files are there, and the package brings them.
in_package() {
    package=$1
    shift
    for file; do
        [ "$(dpkg -S "$file" 2>/dev/null | cut -d: -f1)" = "$package" ] || {
            say "is not in $package: $file"
            exit 1
        }
    done
}

try_places() {
    say 'each file in its package'
    in_package libkport0 /usr/lib/*/libkport.so.0
    in_package libkport-dev /usr/include/kport.h /usr/include/kport/machine.h /usr/lib/*/libkport.so \
        /usr/lib/*/libkport.a /usr/lib/*/pkgconfig/kport.pc /usr/lib/*/cmake/kport/kport-config.cmake
    in_package kport-tools /usr/bin/kport /usr/bin/kportrun /usr/bin/kportcc /usr/bin/kportc++ \
        /usr/include/kport-mpi/mpi.h /usr/include/kport-bsp/bsp.h /usr/lib/*/pkgconfig/kport-bsp.pc \
        /usr/share/man/man1/kport-run.1.gz /usr/share/man/man1/kportcc.1.gz
    in_package kport-doc /usr/share/man/man3/kp_index.3.gz /usr/share/doc/kport-doc/html/index.html \
        /usr/share/doc/kport-doc/examples/embed.c
}

# Each shell is asked as a person's own would be, with what its package sets up.
try_shells() {
    say 'completions in bash, zsh and fish'
    quietly apt-get -q -y install --no-install-recommends bash-completion zsh fish
    for program in kport kportrun; do
        expect "complete -F _kport $program" bash -c \
            ". /usr/share/bash-completion/bash_completion; _completion_loader $program; complete -p $program"
        expect _kport zsh -fc "autoload -U compinit; compinit -D -u; print \$_comps[$program]"
    done
    expect explain fish -c 'complete -C "kport expl"'
    expect --interleave fish -c 'complete -C "kportrun --inter"'
}

# Against what the packages have installed.
try_pkg_config() {
    say 'pkg-config'
    # shellcheck disable=SC2046 # words
    quietly cc "$folder/$name/examples/embed.c" $(pkg-config --cflags --libs kport) -o "$folder/embed"
    expect 'after 2 rounds' "$folder/embed"
    # shellcheck disable=SC2046 # words
    quietly cc "$folder/$name/tests/bsp/right.c" $(pkg-config --cflags --libs kport-bsp) -o "$folder/right"
    expect '4 processes, sum 10' "$folder/right" 4
}

# cmake_project LINES...: builds a project of these lines in the folder stranger.
cmake_project() {
    rm -rf "$folder/stranger"
    mkdir "$folder/stranger"
    printf '%s\n' 'cmake_minimum_required(VERSION 3.18)' 'project(stranger C)' "$@" >"$folder/stranger/CMakeLists.txt"
    quietly cmake -S "$folder/stranger" -B "$folder/stranger/built"
    quietly cmake --build "$folder/stranger/built"
}

cmake_programs() {
    cmake_project "$@" "add_executable(embed $folder/$name/examples/embed.c)" 'target_link_libraries(embed kport::kport)' \
        "add_executable(right $folder/$name/tests/bsp/right.c)" 'target_link_libraries(right kport::bsp)'
    expect 'after 2 rounds' "$folder/stranger/built/embed"
    expect '4 processes, sum 10' "$folder/stranger/built/right" 4
}

try_cmake() {
    say 'CMake: find_package'
    quietly apt-get -q -y install --no-install-recommends cmake
    cmake_programs 'find_package(kport REQUIRED COMPONENTS core bsp)'
    say 'CMake: find_package(MPI) with kportcc'
    (
        export CC=kportcc
        cmake_project 'find_package(MPI REQUIRED COMPONENTS C)' \
            "add_executable(ring $folder/$name/examples/mpi_ring.c)" 'target_link_libraries(ring MPI::MPI_C)'
    )
    expect '4 ranks, sum 6' kportrun -n 4 "$folder/stranger/built/ring"
}

# The library is linked from the folder of the build, not from a package.
try_fetch() {
    say 'CMake: FetchContent'
    quietly apt-get -q -y install --no-install-recommends build-essential cmake meson pkgconf libjansson-dev
    unpacked "$name"
    cmake_programs 'include(FetchContent)' \
        "FetchContent_Declare(kport URL $archive SOURCE_SUBDIR tools/packaging/cmake)" 'FetchContent_MakeAvailable(kport)'
    expect "$folder/stranger/built" ldd "$folder/stranger/built/right"
}

try_mpi() {
    say 'kportcc and kportrun'
    cat >"$folder/hello.c" <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int sum = 0, one = 1;
    MPI_Init(&argc, &argv);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("sum %d\n", sum);
    return MPI_Finalize();
}
END
    quietly kportcc "$folder/hello.c" -o "$folder/hello"
    expect 'sum 5' kportrun -n 5 "$folder/hello"
}

try_debian() {
    try_packages
    try_places
    try_shells
    try_pkg_config
    try_cmake
    try_mpi
}

quietly apt-get -q update
for route; do
    "try_$route"
done
say "all of it works: $*"
