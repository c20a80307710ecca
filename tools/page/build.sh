# tools/dev page: builds the page to play with, by Emscripten. Sourced by tools/dev.
# shellcheck shell=sh

page_libraries=build-page-libraries

missing_for_page() {
    has emcc || echo emscripten
    has cmake || echo cmake
}

# page_sources NAME...: unpacks the sources of Debian's packages in the folder of libraries. The lists of
# the system need not name sources, so apt is given lists of its own.
page_sources() {
    apt=$PWD/$page_libraries/apt
    mkdir -p "$apt/sources" "$apt/lists/partial" "$apt/archives/partial"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list.d/ubuntu.sources; do
        [ ! -f "$list" ] || sed -e 's/^Types:.*/Types: deb-src/' -e 's/^deb /deb-src /' "$list" >"$apt/sources/${list##*/}"
    done
    cat >"$apt/conf" <<END
Dir::Etc::SourceList "$apt/sources/sources.list";
Dir::Etc::SourceParts "$apt/sources";
Dir::State::Lists "$apt/lists";
Dir::Cache "$apt";
APT::Sandbox::User "root";
END
    APT_CONFIG=$apt/conf apt-get -qq update >&2 || say "going on with what came"
    (cd "$page_libraries" && APT_CONFIG=$apt/conf apt-get -qq source --tar-only "$@" >&2)
    for archive in "$page_libraries"/*.orig.tar.*; do
        tar -xf "$archive" -C "$page_libraries"
    done
}

# page_library CMAKE_FOLDER OPTION...
page_library() {
    source=$1
    shift
    quietly emcmake cmake -S "$source" -B "$source/build" -DCMAKE_BUILD_TYPE=MinSizeRel \
        -DCMAKE_INSTALL_PREFIX="$PWD/$page_libraries" "$@"
    quietly cmake --build "$source/build" --target install
}

# jansson and expat for WebAssembly, which no package has.
prepare_page_libraries() {
    [ ! -f "$page_libraries/.complete" ] || return 0
    say "building jansson and expat for WebAssembly"
    rm -rf "$page_libraries"
    mkdir -p "$page_libraries"
    page_sources jansson expat
    page_library "$page_libraries"/jansson-* -DJANSSON_BUILD_DOCS=OFF -DJANSSON_EXAMPLES=OFF -DJANSSON_WITHOUT_TESTS=ON
    page_library "$page_libraries"/libexpat-*/expat -DEXPAT_SHARED_LIBS=OFF -DEXPAT_BUILD_TOOLS=OFF \
        -DEXPAT_BUILD_EXAMPLES=OFF -DEXPAT_BUILD_TESTS=OFF -DEXPAT_BUILD_DOCS=OFF
    touch "$page_libraries/.complete"
}

command_page() {
    prepare_required
    missing=$(missing_for_page)
    # shellcheck disable=SC2086 # one word a package
    [ -z "$missing" ] || install_packages $missing || return 69 # EX_UNAVAILABLE
    missing=$(missing_for_page | tr '\n' ' ')
    [ -z "$missing" ] || { say "these packages are missing: $missing"; return 69; }
    # Emscripten's scripts find Debian's JavaScript there, also if node is not Debian's.
    export NODE_PATH="/usr/share/nodejs${NODE_PATH:+:$NODE_PATH}"
    prepare_page_libraries
    printf "[constants]\nroot = '%s'\n" "$PWD/$page_libraries" >"$page_libraries/root.ini"
    configure build-page --cross-file "$page_libraries/root.ini" --cross-file tools/cross/wasm.ini -Dbuildtype=minsize
    compile build-page
    say "the page is build-page/tools/page/kport.html"
}
