# shellcheck shell=sh
# kport's packaging in systems in which nothing is installed: tools/dev run, the Debian packages with
# lintian, pkg-config, CMake, kportcc. The systems are made by mmdebstrap, used, and thrown away.
#
# SYSTEMS="bookworm trixie" takes some of them.

part_packages() {
    need mmdebstrap mmdebstrap
    [ "$(id -u)" -eq 0 ] || {
        say 'making a system needs root'
        return 69
    }
    configure build
    packed=$(mktemp -d)
    trap 'rm -rf "$packed"' EXIT
    quietly meson dist -C build --no-tests --formats gztar --allow-dirty
    cp build/meson-dist/kport-*.tar.gz tools/packaging/try.sh "$packed"
    failed=0
    for system in ${SYSTEMS:-bookworm trixie noble}; do
        say "packages in $system"
        # shellcheck disable=SC2016 # mmdebstrap's shell knows the system as $1
        mmdebstrap --quiet --variant=apt --format=null \
            --customize-hook='mkdir "$1/kport"' \
            --customize-hook="copy-in $packed/try.sh $(echo "$packed"/kport-*.tar.gz) /kport" \
            --customize-hook='chroot "$1" sh -c "sh /kport/try.sh /kport/kport-*.tar.gz"' \
            "$system" - || {
            say "$system: failed, or cannot be had here"
            failed=1
        }
    done
    return $failed
}
