# The small suite on machines of other word sizes and byte orders, under qemu's user emulation, and
# with another libc. qemu shows word size, byte order and alignment, not memory order: it orders
# memory as this machine does.
#
# MACHINES="s390x musl" takes some of them. What the tests need for another machine is downloaded by
# apt into a folder and unpacked there; the system's own packages stay as they are, except for the
# compilers and qemu.

# name | Debian's name | GNU's name | qemu
machines() {
    cat <<'END'
aarch64|arm64|aarch64-linux-gnu|qemu-aarch64
s390x|s390x|s390x-linux-gnu|qemu-s390x
armhf|armhf|arm-linux-gnueabihf|qemu-arm
i686|i386|i686-linux-gnu|qemu-i386
END
}

# Tests that say nothing here, or cannot be: machine (* for all), name, reason.
left_out() {
    cat <<'END'
*|headers|the compiler reads them, and the system's C++ compiler knows this machine only
*|tree|it is about the sources
*|scripts|it is about the sources
END
}

# --- Debian packages of another architecture, in a folder ---

# foreign_packages ARCHITECTURE FOLDER: cmocka, jansson and boost.context. apt is given a state of its
# own in which there is nothing but that architecture.
foreign_packages() {
    architecture=$1 root=$PWD/$2
    [ ! -f "$root/.complete" ] || return 0
    has apt-get && has dpkg-deb || return 69
    rm -rf "$root"
    mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial"
    : >"$root/apt/status"
    cat >"$root/apt/conf" <<END
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Sandbox::User "";
Acquire::Languages "none";
Dir::State "$root/apt";
Dir::State::status "$root/apt/status";
Dir::Cache "$root/apt";
END
    say "downloading cmocka, jansson and boost.context for $architecture"
    APT_CONFIG=$root/apt/conf apt-get -qq update >&2 || say "going on with what came"
    context=$(APT_CONFIG=$root/apt/conf apt-cache depends libboost-context-dev |
        sed -n 's/^ *Depends: *//p')
    # shellcheck disable=SC2086 # one word a package
    (cd "$root/apt" && APT_CONFIG=$root/apt/conf apt-get -qq download \
        libcmocka0 libcmocka-dev libjansson4 libjansson-dev $context >&2) || return 69
    for package in "$root"/apt/*.deb; do
        dpkg-deb -x "$package" "$root" || return 1
    done
    : >"$root/.complete"
}

# --- The suite ---

# small_suite FOLDER MACHINE: all of it but what is left out.
small_suite() {
    left_out | grep -e '^\*|' -e "^$2|" | while IFS='|' read -r _ name why; do
        say "$2: left out: $name ($why)"
    done
    names=$(meson test -C "$1" --no-rebuild --suite small --list 2>/dev/null | sed -n 's,^.* / ,,p')
    for name in $(left_out | sed -n -e 's/^\*|\([^|]*\)|.*/\1/p' -e "s/^$2|\([^|]*\)|.*/\1/p"); do
        names=$(echo "$names" | grep -vx -e "$name")
    done
    # shellcheck disable=SC2086 # one word a test
    meson test -C "$1" --no-rebuild --print-errorlogs -t "${MACHINES_PATIENCE:-10}" $names
}

# With what the tests have to know of it, and with a limit: qemu keeps notes of every page that was
# ever mapped, and a test that maps all that it can takes the memory of this machine.
emulated() {
    (
        export KPORT_EMULATED=1
        # shellcheck disable=SC3045 # dash and bash know it
        ulimit -v "${MACHINES_KILOBYTES:-12000000}"
        small_suite "build-$1" "$1"
    )
}

# What runs a program of the machine: i686's run without an emulator where the kernel takes them.
runner() {
    if [ "$1" = i686 ] && "/usr/$2/lib/ld-linux.so.2" --version >/dev/null 2>&1; then
        echo "['/usr/$2/lib/ld-linux.so.2', '--library-path', '/usr/$2/lib']"
    else
        echo "['$3', '-L', '/usr/$2']"
    fi
}

on_machine() {
    row=$(machines | grep "^$1|")
    debian=$(echo "$row" | cut -d'|' -f2) gnu=$(echo "$row" | cut -d'|' -f3)
    qemu=$(echo "$row" | cut -d'|' -f4)
    need "$gnu-gcc" "gcc-$gnu" "libc6-dev-$debian-cross" || return
    need "$qemu" qemu-user || return
    foreign_packages "$debian" "build-$1-root" || return
    printf "[constants]\nroot = '%s'\nrun = %s\n" "$PWD/build-$1-root" \
        "$(runner "$1" "$gnu" "$qemu")" >"build-$1-root/constants.ini"
    configure "build-$1" --cross-file "build-$1-root/constants.ini" \
        --cross-file "tools/cross/$1.ini" &&
        compile "build-$1" || return 1
    case $(runner "$1" "$gnu" "$qemu") in
    *qemu*) emulated "$1" ;;
    *) small_suite "build-$1" "$1" ;;
    esac
}

# --- musl ---

# Debian has no libraries for it: cmocka and jansson are built from Debian's sources.
musl_library() {
    name=$1 root=$2
    (cd "$root/apt" && APT_CONFIG=$root/apt/conf apt-get -qq source --download-only "$name" >&2) ||
        return 69
    mkdir -p "$root/$name"
    tar -xf "$root/apt/${name}"_*.orig.tar.?z -C "$root/$name" --strip-components=1 || return 1
    quietly cmake -S "$root/$name" -B "$root/$name/build" -DCMAKE_C_COMPILER=musl-gcc \
        -DCMAKE_INSTALL_PREFIX="$root" -DBUILD_SHARED_LIBS=OFF -DWITH_EXAMPLES=OFF \
        -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_EXAMPLES=OFF &&
        quietly cmake --build "$root/$name/build" --target install
}

musl_libraries() {
    root=$PWD/build-musl-root
    [ ! -f "$root/.complete" ] || return 0
    rm -rf "$root"
    mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial" "$root/include"
    : >"$root/apt/status"
    sed -e 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources \
        >"$root/apt/debian.sources" || return 69
    cat >"$root/apt/conf" <<END
APT::Sandbox::User "";
Acquire::Languages "none";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$root/apt";
Dir::State "$root/apt";
Dir::State::status "$root/apt/status";
Dir::Cache "$root/apt";
END
    say "building cmocka and jansson with musl"
    APT_CONFIG=$root/apt/conf apt-get -qq update >&2 || say "going on with what came"
    musl_library cmocka "$root" || return
    musl_library jansson "$root" || return
    # What a system of musl has and musl-gcc does not look for: the kernel's headers; and of
    # boost.context two functions in assembler, which call no libc.
    context=$(cc -print-file-name=libboost_context.a)
    [ ! -f "$context" ] || ln -s "$context" "$root/lib/"
    ln -s /usr/include/linux /usr/include/asm-generic "$root/include/"
    ln -s "/usr/include/$(cc -print-multiarch)/asm" "$root/include/"
    : >"$root/.complete"
}

on_musl() {
    need musl-gcc musl-tools || return
    need cmake cmake || return
    musl_libraries || return
    printf "[constants]\nroot = '%s'\n" "$PWD/build-musl-root" >build-musl-root/constants.ini
    configure build-musl --native-file build-musl-root/constants.ini \
        --native-file tools/cross/musl.ini &&
        compile build-musl && small_suite build-musl musl
}

# --- The part ---

# Each even if the one before failed.
part_machines() {
    failed='' missing=''
    for machine in ${MACHINES:-aarch64 s390x armhf i686 musl}; do
        say "verify machines: $machine"
        status=0
        case $machine in
        musl) on_musl || status=$? ;;
        *) on_machine "$machine" || status=$? ;;
        esac
        case $status in
        0) ;;
        69) missing="$missing $machine" ;;
        *) failed="$failed $machine" ;;
        esac
    done
    [ -z "$missing" ] || say "verify machines: not to be had:$missing"
    [ -z "$failed" ] || say "verify machines: failed:$failed"
    [ -z "$failed" ] || return 1
    [ -z "$missing" ] || return 69
}
