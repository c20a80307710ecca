# kport figures with gnuplot and a browser: the tests that need gnuplot, and the page in headless
# Chromium, which has nothing to say in its console and shows every picture.

# What the page says of itself once it is loaded: a picture with no size was not shown. It writes
# that to the console, so that a console nobody reads is seen too.
figures_probe() {
    cat <<'END'
<script>
addEventListener("load", () => {
    const images = [...document.images];
    const shown = images.filter(image => image.complete && image.naturalWidth > 0 && image.getBoundingClientRect().height > 100);
    console.log(`figures: ${shown.length} of ${images.length} pictures are shown`);
});
</script>
END
}

# in_chromium PAGE LOG: loads it; what its console says goes to the log.
in_chromium() {
    chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
        --enable-logging=stderr --v=0 --hide-scrollbars --window-size=1100,1000 \
        --virtual-time-budget=10000 --screenshot="$work/page.png" "file://$1" >/dev/null 2>"$2"
}

part_figures() {
    need gnuplot gnuplot-nox
    need chromium chromium
    tests_named figures-command figures-command-stress
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    build/tools/kport figures "$work/figures" --quick
    wanted=$(find "$work/figures" -name '*.svg' | wc -l)
    in_chromium "$work/figures/index.html" "$work/log"
    if grep 'CONSOLE' "$work/log"; then
        say "verify figures: the page has errors"
        return 1
    fi
    { cat "$work/figures/index.html" && figures_probe; } >"$work/figures/probe.html"
    in_chromium "$work/figures/probe.html" "$work/log"
    grep 'CONSOLE' "$work/log" || true
    [ "$wanted" -gt 0 ] && grep -q "figures: $wanted of $wanted pictures are shown" "$work/log"
}
