// The curve of time by the length of a block: what `kport compare --json` prints, as lines.

const CHART = {height: 300, left: 54, right: 12, top: 10, bottom: 28};

function bytesText(b) {
    return b < 1024 ? `${b} B` : b < 1 << 20 ? `${b / 1024} K` : `${b >> 20} M`;
}

function usText(us) {
    return us < 1000 ? `${+us.toPrecision(4)} µs` : us < 1e6 ? `${+(us / 1e3).toPrecision(4)} ms` : `${+(us / 1e6).toPrecision(4)} s`;
}

function algorithmOf(problem) {
    return parseProblem(problem).keys.get("alg");
}

// `all` and `own` are what kport compare prints for all algorithms and for the one that is chosen.
function drawChart(all, own, b, choose) {
    const {height, left, right, top, bottom} = CHART, width = byId("chart").clientWidth || 640;
    const rows = [...all.rows, ...own.rows].filter(row => row.linear_us > 0);
    const times = rows.map(row => row.linear_us), lengths = rows.map(row => row.b);
    const low = Math.floor(Math.log10(Math.min(...times))), high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...times))));
    const least = Math.log2(Math.min(...lengths)), most = Math.max(least + 1, Math.log2(Math.max(...lengths)));
    const x = length => left + (Math.log2(length) - least) / (most - least) * (width - left - right);
    const y = us => height - bottom - (Math.log10(us) - low) / (high - low) * (height - top - bottom);
    const whole = svg("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "time by block length"});
    for (let exponent = Math.ceil(least); exponent <= most; exponent++) {
        if (exponent % 5 === 0)
            whole.append(svg("line", {class: "rule", x1: x(2 ** exponent), x2: x(2 ** exponent), y1: top, y2: height - bottom}),
                svg("text", {class: "tick", x: x(2 ** exponent), y: height - 8, "text-anchor": exponent === most ? "end" : "middle"}, bytesText(2 ** exponent)));
    }
    for (let exponent = low; exponent <= high; exponent++) {
        whole.append(svg("line", {class: "rule", x1: left, x2: width - right, y1: y(10 ** exponent), y2: y(10 ** exponent)}));
        if ((exponent - low) % Math.ceil((high - low) / 6) === 0)
            whole.append(svg("text", {class: "tick", x: left - 6, y: y(10 ** exponent) + 4, "text-anchor": "end"}, usText(10 ** exponent)));
    }
    const names = [...new Set(all.rows.map(row => algorithmOf(row.problem)))];
    const line = (list, attributes, title) => whole.append(svg("g", attributes, svg("title", {}, title),
        svg("path", {d: list.map((row, i) => `${i ? "L" : "M"}${x(row.b).toFixed(1)} ${y(row.linear_us).toFixed(1)}`).join("")})));
    const drawable = list => list.filter(row => row.linear_us > 0);
    names.forEach((name, i) => line(drawable(all.rows.filter(row => algorithmOf(row.problem) === name)),
        {class: "line", style: `--hue:${i * 137 % 360}`}, name));
    line(drawable(own.rows), {class: "line own"}, "the algorithm that is chosen");
    const now = own.rows.find(row => row.b === b);
    whole.append(svg("line", {class: "now", x1: x(b), x2: x(b), y1: top, y2: height - bottom}));
    if (now?.linear_us > 0)
        whole.append(svg("circle", {class: "dot", cx: x(b), cy: y(now.linear_us), r: 5}));
    byId("chart").replaceChildren(whole);
    byId("legend").replaceChildren(...names.map((name, i) => {
        const button = make("button", {type: "button", textContent: name, onclick: () => choose(name)});
        button.style.setProperty("--hue", i * 137 % 360);
        button.setAttribute("aria-pressed", String(name === algorithmOf(own.rows[0]?.problem ?? "")));
        return button;
    }));
    byId("changes").replaceChildren(...all.changes.slice(0, 6).map(({b: from, to}) =>
        make("li", {textContent: `From ${from.toLocaleString("en")} bytes on ${to.replace(/,/g, ", ")} is best.`})));
}
