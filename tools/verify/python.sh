# The types of the Python package, and the package as users install it: by pip and meson-python, into an environment of its own, where it
# finds the library and the program in itself.
# shellcheck shell=sh

part_python() {
    /usr/bin/python3 -c 'import ensurepip, mesonpy, numpy, pytest' 2>/dev/null ||
        install_packages python3-venv python3-mesonpy python3-numpy python3-pytest || return 69
    source=$PWD
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    /usr/bin/python3 -m venv --system-site-packages "$work"
    need mypy mypy
    MYPY_CACHE_DIR=$work/types mypy tools/python/kport
    unset KPORT_LIBRARY KPORT_PROGRAM PYTHONPATH
    export PATH="$work/bin:$PATH" PYTHONDONTWRITEBYTECODE=1
    say "pip install --no-build-isolation ."
    quietly pip install --no-build-isolation .
    cd "$work" || return
    kport run index:n=4,k=1,b=8
    python -m kport --version
    python -m pytest -q -p no:cacheprovider "$source/tests/python"
    KPORT_TESTS_WITHOUT_NUMPY=1 python -m pytest -q -p no:cacheprovider "$source/tests/python"
}
