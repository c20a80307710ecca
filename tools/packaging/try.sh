#!/bin/sh
# Tries kport's packaging in a bare Debian or Ubuntu, as root: tools/dev verify packages starts it in one.
#
# usage: try.sh ARCHIVE
# ARCHIVE is the sources as `meson dist` packs them, kport-VERSION.tar.gz, in a folder that is written to.
set -eu

archive=$(readlink -f "$1")
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

try_dev() {
    say 'tools/dev run, with nothing installed'
    unpacked dev
    expect 'verified: every byte' "$folder/dev/tools/dev" run
    rm -rf "${folder:?}/dev"
}

try_debian() {
    say 'the Debian packages'
    quietly apt-get -q -y install --no-install-recommends dpkg-dev debhelper lintian build-essential
    unpacked "$name"
    cp "$archive" "$folder/kport_${name#kport-}.orig.tar.gz"
    cp -r "$folder/$name/tools/packaging/debian" "$folder/$name/debian"
    cd "$folder/$name"
    quietly apt-get -q -y build-dep --no-install-recommends .
    DEB_BUILD_OPTIONS=nocheck quietly dpkg-buildpackage -us -uc
    cd "$folder"
    quietly lintian --allow-root --fail-on error,warning kport_*.changes
    quietly apt-get -q -y install --no-install-recommends ./*.deb
    expect 'verified: every byte' kport run index:n=8,k=2,b=64
}

# Against what the packages have installed.
try_pkg_config() {
    say 'pkg-config'
    # shellcheck disable=SC2046 # words
    quietly cc "$folder/$name/examples/embed.c" $(pkg-config --cflags --libs kport) -o "$folder/embed"
    expect 'after 2 rounds' "$folder/embed"
}

cmake_project() {
    rm -rf "$folder/stranger"
    mkdir "$folder/stranger"
    cat >"$folder/stranger/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.18)
project(stranger C)
$1
add_executable(embed $folder/$name/examples/embed.c)
target_link_libraries(embed kport::kport)
END
    quietly cmake -S "$folder/stranger" -B "$folder/stranger/built"
    quietly cmake --build "$folder/stranger/built"
    expect 'after 2 rounds' "$folder/stranger/built/embed"
}

try_cmake() {
    say 'CMake: find_package'
    quietly apt-get -q -y install --no-install-recommends cmake
    cmake_project 'find_package(kport REQUIRED)'
    say 'CMake: FetchContent'
    cmake_project "include(FetchContent)
FetchContent_Declare(kport URL $archive SOURCE_SUBDIR tools/packaging/cmake)
FetchContent_MakeAvailable(kport)"
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

quietly apt-get -q update
try_dev
try_debian
try_pkg_config
try_cmake
try_mpi
say 'all of it works'
