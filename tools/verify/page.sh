# The page to play with, built by Emscripten and clicked through in headless Chromium.
# shellcheck shell=sh

part_page() {
    command_page
    need chromium chromium
    need chromedriver chromium-driver
    /usr/bin/python3 -c 'import selenium' 2>/dev/null || install_packages python3-selenium || return 69
    configure build
    compile build tools/kport
    PYTHONPATH=tests/cli /usr/bin/python3 tests/page/browser.py build-page/tools/page/kport.html build/tools/kport
}
