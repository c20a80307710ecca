# shellcheck shell=sh
# kport's packaging in systems in which nothing is installed: tools/dev run, the Debian packages with
# lintian, completions, pkg-config, CMake, kportcc. The systems are made by mmdebstrap, used, and thrown away.
#
# SYSTEMS="bookworm trixie" takes some of them, and ROUTES="debian" some routes of tools/packaging/try.sh:
# one route in one system takes 4 to 12 minutes on two cores.

part_packages() {
    need mmdebstrap mmdebstrap
    [ "$(id -u)" -eq 0 ] || {
        say 'making a system needs root'
        return 69
    }
    configure build
    packed=$(mktemp -d)
    chmod 755 "$packed" # apt reads a key as a user of its own
    trap 'rm -rf "$packed"' EXIT
    quietly meson dist -C build --no-tests --formats gztar --allow-dirty
    cp build/meson-dist/kport-*.tar.gz tools/packaging/try.sh "$packed"
    passed='' failed='' missing=''
    for system in ${SYSTEMS:-bookworm trixie noble}; do
        # shellcheck disable=SC2046 # one word an option
        if ! mmdebstrap --quiet --simulate --variant=apt $(options_of "$system") "$system" /dev/null; then
            missing="$missing $system"
        elif try_in "$system"; then
            passed="$passed $system"
        else
            failed="$failed $system"
        fi
    done
    say "packages: passed in${passed:- none}; failed in${failed:- none}; not to be had here:${missing:- none}"
    [ -z "$failed" ] || return 1
    [ -z "$missing" ] || return 69
}

# Ubuntu has most of what a build needs in universe, which is on where it is installed for a person.
options_of() {
    case $1 in
    bookworm | trixie | forky | sid) echo --components=main ;;
    *) echo --components=main,universe "$(ubuntu_key)" ;;
    esac
}

# Ubuntu's archive is signed with a key that Debian 13 has in a package, and Debian 12 has not. The package is
# taken from Debian 13 and laid open beside the sources: nothing of it is installed here.
ubuntu_key() {
    key=/usr/share/keyrings/ubuntu-archive-keyring.gpg
    if [ ! -e "$key" ]; then
        [ -e "$packed/keys$key" ] ||
            quietly mmdebstrap --quiet --variant=extract --include=ubuntu-keyring trixie "$packed/keys" ||
            say "going on without Ubuntu's key"
        key=$packed/keys$key
    fi
    [ ! -e "$key" ] || echo "--keyring=$key"
}

# The system is thrown away, so nothing waits for the disk.
try_in() {
    say "packages in $1"
    # shellcheck disable=SC2016,SC2046 # mmdebstrap's shell knows the system as $1; one word an option
    ROUTES="${ROUTES:-}" mmdebstrap --quiet --variant=apt --format=null --dpkgopt=force-unsafe-io $(options_of "$1") \
        --customize-hook='mkdir "$1/kport"' \
        --customize-hook="copy-in $packed/try.sh $(echo "$packed"/kport-*.tar.gz) /kport" \
        --customize-hook='chroot "$1" sh -c "sh /kport/try.sh /kport/kport-*.tar.gz $ROUTES"' \
        "$1" -
}
