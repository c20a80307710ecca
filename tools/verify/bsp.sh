# BSP programs: random ones beside a plain reference, on threads, fibers, a wire and processes of both MPIs; all wrong ones;
# the programs of textbooks for 1 to 16 processes. Those of Bisseling's BSPedupack 2.0 are fetched for this and not kept here;
# BSPEDUPACK=FOLDER takes a copy of them that is there already.
# shellcheck shell=sh

part_bsp() {
    prepare_mpi openmpi mpich
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    configure build
    # shellcheck disable=SC2046 # one word a test
    tests_named $(meson test -C build --list 2>/dev/null | sed -n 's/.* \/ \(.*bsp-.*\)/\1/p')
    books=${BSPEDUPACK:-$work/course/BSPedupack2.0}
    if [ -z "${BSPEDUPACK:-}" ]; then
        need git git
        git clone --quiet --depth 1 https://github.com/smcarlse/parallellealgoritmer "$work/course" || return 69
        rm -f "$books/bsp.h" # another library's
    fi
    KPORT_BSPEDUPACK=$books PYTHONPATH=tests/cli python3 tests/bsp/textbook.py . build/tools all
}
