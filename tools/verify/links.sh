# The manual as a site, with the addresses elsewhere that it leads to: each must answer, or redirect.
# shellcheck shell=sh

part_links() {
    command_docs
    say "asking the addresses elsewhere"
    PYTHONPATH=tools/manual PYTHONDONTWRITEBYTECODE=1 "$(site_python)" -c \
        'import links, pathlib, sys; sys.exit(links.ask(links.outside(pathlib.Path("build/site"))))'
}
