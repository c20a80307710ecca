# kport figures and a browser: the long tests, and the page in headless Chromium, light and dark, which
# has nothing to say in its console, shows every picture, and cuts nothing that is drawn.

# What the page says of itself once it is loaded: which pictures are shown, which of their texts reach
# beyond them or meet another text, and the colour of their page. It writes that to the console, so that
# a console nobody reads is seen too.
figures_probe() {
    cat <<'END'
<script>
addEventListener("load", () => {
    const pictures = [...document.querySelectorAll("figure > svg")];
    const shown = pictures.filter(picture => picture.getBoundingClientRect().height > 100);
    const bad = [];
    for (const picture of pictures) {
        const page = picture.getBoundingClientRect();
        const texts = [...picture.querySelectorAll("text:not(.over)")].map(text => [text, text.getBoundingClientRect()]);
        texts.forEach(([text, box], i) => {
            if (box.left < page.left || box.right > page.right || box.top < page.top || box.bottom > page.bottom)
                bad.push("cut: " + text.textContent);
            for (const [other, at] of texts.slice(i + 1)) {
                if (box.left < at.right && at.left < box.right && box.top + 3 < at.bottom && at.top + 3 < box.bottom)
                    bad.push(`met: ${text.textContent} | ${other.textContent}`);
            }
        });
    }
    const fills = new Set(pictures.map(picture => getComputedStyle(picture.querySelector("rect")).fill));
    console.log(`figures: ${shown.length} pictures are shown, on ${[...fills]}, wrong: ${bad.join("; ") || "nothing"}`);
});
</script>
END
}

# in_chromium SCHEME PAGE LOG: loads it, SCHEME being 0 for dark and 1 for light; what its console says
# goes to the log. KEEP_FIGURES names a folder for the screenshots.
in_chromium() {
    chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
        --blink-settings=preferredColorScheme="$1" --enable-logging=stderr --v=0 --hide-scrollbars \
        --window-size=1100,12000 --virtual-time-budget=10000 \
        --screenshot="${KEEP_FIGURES:-$work}/page-$1.png" "file://$2" >/dev/null 2>"$3"
}

part_figures() {
    need chromium chromium
    tests_named figures-command figures-command-stress chart
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    # Alone on the machine it takes 30 s; beside others every figure has to have points, too.
    build/tools/kport figures "$work/figures" --quick --seconds 300
    wanted=$(find "$work/figures" -name '*.svg' | wc -l)
    [ "$wanted" -gt 0 ]
    in_chromium 1 "$work/figures/index.html" "$work/log"
    if grep 'CONSOLE' "$work/log"; then
        say "verify figures: the page has errors"
        return 1
    fi
    { cat "$work/figures/index.html" && figures_probe; } >"$work/figures/probe.html"
    in_chromium 1 "$work/figures/probe.html" "$work/log"
    in_chromium 0 "$work/figures/probe.html" "$work/log.dark"
    grep -h 'CONSOLE' "$work/log" "$work/log.dark" || true
    grep -q "figures: $wanted pictures are shown, on rgb(255, 255, 255), wrong: nothing" "$work/log"
    grep -q "figures: $wanted pictures are shown, on rgb(26, 28, 32), wrong: nothing" "$work/log.dark"
}
