# The manual as a site, with the addresses elsewhere that it leads to: each must answer, or redirect.
# shellcheck shell=sh

part_links() {
    command_docs
    listings=$(mktemp)
    trap 'rm -f "$listings"' EXIT
    PYTHONPATH=tools/manual "$(site_python)" -c 'import links, pathlib; print(*sorted(links.outside(pathlib.Path("build/site"))), sep="\n")' >"$listings"
    need curl curl ca-certificates
    lost=0
    while read -r address; do
        # A server that does not like automatic readers says 403 or 429; what is gone says 404 or 410.
        status=$(curl -sL -o /dev/null -m 30 -w '%{http_code}' "$address") || true
        case $status in
        2?? | 403 | 429) ;;
        000)
            say "$address cannot be reached from here"
            lost=69
            ;;
        *)
            say "$address answers $status"
            return 1
            ;;
        esac
    done <"$listings"
    return $lost
}
