// The picture: the messages of the next round as arrows, the memory of every processor, and blocks
// that fly from place to place. What is drawn is what `kport show --json` prints.
//
// Position p shows the memory before round p - 1; position 0 before the moves that come before the
// first round, if there are any. The last position is the end, or the round that is wrong.

const SPACES = [["out", "outgoing"], ["scratch", "scratch"], ["in", "incoming"]];
const MOST_FLYING = 600;

const stage = {shown: null, at: 0, playing: false, flights: []};

function svg(tag, attributes, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes))
        element.setAttribute(name, value);
    element.append(...children);
    return element;
}

// --- What there is ---

function stageFirst({picture}) {
    return picture.steps.some(step => step.round < 0) ? 0 : 1;
}

function stageLast({picture: {rounds, wrong}}) {
    return wrong ? Math.min(wrong.round, rounds) + 1 : rounds + 1;
}

// The tables at a position. The outgoing buffer never changes, and kport prints it only where
// something is sent from it; of a table that is not printed yet nothing has come.
function tablesAt({memory, problem: {n}}, p) {
    return SPACES.map(([space]) => {
        const of = at => memory[at].spaces.find(s => s.space === space);
        const known = memory.map((_, at) => of(at)).filter(Boolean);
        if (!known.length)
            return null;
        const empty = {space, rows: known[0].rows.map(() => Array(n).fill("")), sent: []};
        return of(p) ?? (space === "out" ? {...known[0], sent: []} : empty);
    }).filter(Boolean);
}

// The processor whose block it is, as its name begins with it: "3", "35", "3.5", "0-3", "12.4".
function ownerOf(text, n) {
    return parseInt(n > 10 || /[.+-]/.test(text) || text.length === 1 ? text : text[0], 10);
}

// --- Memory ---

function cell(text, sent, n) {
    const element = make("td", {textContent: text, title: text, className: sent ? "sent" : ""});
    if (text === "")
        return element;
    element.dataset.block = text.replace("~", "");
    element.style.setProperty("--hue", Math.round(360 * ownerOf(text, n) / n));
    element.className = `block${sent ? " sent" : ""}${/[+-]/.test(text) ? " sum" : ""}${text.endsWith("~") ? " part" : ""}`;
    return element;
}

function table({space, rows, sent}, n) {
    const isSent = new Set(sent.map(([row, column]) => row * n + column));
    const title = SPACES.find(([name]) => name === space)[1];
    return make("table", {className: space},
        make("caption", {textContent: title}),
        make("tbody", {}, ...rows.map((row, i) => make("tr", {},
            make("th", {scope: "row", textContent: i}),
            ...row.map((text, j) => cell(text, isSent.has(i * n + j), n))))));
}

// --- Arrows ---

const BAND = 96; // the height of the arrows' part

function band(picture, p) {
    const {problem: {n}, steps, wrong} = picture, width = stage.head + n * stage.cell;
    const x = rank => stage.head + (rank + 0.5) * stage.cell;
    const whole = svg("svg", {class: "band", width, height: BAND + 48, viewBox: `0 0 ${width} ${BAND + 48}`, role: "img"});
    const arrow = (from, to, kind, title) => whole.append(svg("g", {class: `arrow ${kind}`},
        svg("title", {}, title),
        svg("line", {x1: x(from), y1: 25, x2: x(to), y2: BAND + 16, "marker-end": `url(#${kind.startsWith("wrong") ? "tip-wrong" : "tip"})`})));
    whole.append(svg("defs", {}, ...["tip", "tip-wrong"].map(id => svg("marker",
        {id, viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 11, markerHeight: 11, markerUnits: "userSpaceOnUse", orient: "auto", class: id}, svg("path", {d: "M0 0L8 4L0 8z"})))));
    for (const step of steps) {
        if (step.round === p - 1 && step.at === undefined)
            arrow(step.from, step.to, `port${step.from_port % 6}`, `${step.from} to ${step.to}, port ${step.from_port}`);
    }
    const bad = wrong && wrong.round === p - 1 || wrong && p === stageLast({picture}) ? wrong : null;
    for (const {from, to, missing} of bad ? [bad, bad.beside].filter(Boolean) : []) {
        if (from !== to && bad.round < picture.rounds)
            arrow(from, to, missing ? "wrong missing" : "wrong", `what is wrong: ${from} to ${to}`);
    }
    for (let rank = 0; rank < n; rank++) {
        const marked = bad && (rank === bad.to && (bad.from === bad.to || bad.round >= picture.rounds)) ? " wrong" : "";
        for (const y of [13, BAND + 34])
            whole.append(svg("g", {class: `rank${marked}`},
                svg("circle", {cx: x(rank), cy: y, r: Math.min(12, stage.cell / 2 - 1)}),
                svg("text", {x: x(rank), y: y + 4}, marked ? "!" : rank)));
    }
    return whole;
}

// --- Hops: which block goes where in a round ---

// The places of pieces as stretches of a block: [space, row, length].
function stretches(pieces, unit) {
    const list = [];
    for (const {space, first, run = 1, stride = 0, count = 1} of pieces) {
        for (let i = 0; i < count; i++) {
            for (let at = first + i * stride, end = at + run; at < end;) {
                const row = Math.floor(at / unit), length = Math.min(end, (row + 1) * unit) - at;
                list.push({space, row, length});
                at += length;
            }
        }
    }
    return list;
}

// Pairs what a step takes with where it puts it.
function hopsOf(step, unit) {
    const from = stretches(step.take, unit), to = stretches(step.put, unit), hops = [];
    for (let i = 0, j = 0; i < from.length && j < to.length;) {
        const length = Math.min(from[i].length, to[j].length);
        hops.push({order: hops.length, port: step.from_port ?? 0, from: [step.at ?? step.from, from[i].space, from[i].row],
                   to: [step.at ?? step.to, to[j].space, to[j].row]});
        if (!(from[i].length -= length))
            i++;
        if (!(to[j].length -= length))
            j++;
    }
    return hops;
}

// --- Flying ---

// The middle of a place, within the stage. A place that is not drawn is at its processor.
function middle([rank, space, row], end) {
    const cell = byId("stage").querySelector(`table.${space}`)?.rows[row]?.cells[rank + 1];
    if (cell)
        return {x: cell.offsetLeft + cell.offsetParent.offsetLeft, y: cell.offsetTop + cell.offsetParent.offsetTop,
                width: cell.offsetWidth, height: cell.offsetHeight, text: cell.title, hue: cell.style.getPropertyValue("--hue")};
    return {x: stage.head + rank * stage.cell, y: end === "from" ? 3 : BAND + 24, width: stage.cell, height: 20, text: "", hue: ""};
}

function nameAt(picture, p, [rank, space, row]) {
    return picture.memory.length ? tablesAt(picture, p).find(t => t.space === space)?.rows[row]?.[rank] ?? "" : "";
}

// Lets the blocks of hops fly, those of a message one after the other. `p` is where they land.
async function fly(picture, p, hops, backwards) {
    const shown = hops.slice(0, MOST_FLYING), most = Math.max(0, ...shown.map(hop => hop.order));
    const gap = Math.min(110, 900 / (most + 1));
    const flights = shown.map(hop => {
        const from = middle(hop.from, "from"), to = middle(hop.to, "to");
        const landing = nameAt(picture, p, hop.to);
        const text = from.text || landing;
        const flyer = make("div", {className: "block fly", textContent: text.replace("~", "")});
        const hue = text ? Math.round(360 * ownerOf(text, picture.problem.n) / picture.problem.n) : 60 * (hop.port % 6);
        flyer.style.cssText = `--hue:${hue};width:${from.width}px;height:${from.height}px`;
        byId("stage").append(flyer);
        const frames = [from, to].map(({x, y}) => ({transform: `translate(${x}px,${y}px)`}));
        const [start, ...rest] = backwards ? frames.reverse() : frames;
        return flyer.animate([start, ...rest], {duration: 650, delay: gap * (backwards ? most - hop.order : hop.order),
                                                easing: "ease-in-out", fill: "both"});
    });
    stage.flights = flights;
    await Promise.allSettled(flights.map(flight => flight.finished));
}

function land() {
    for (const flight of stage.flights)
        flight.cancel();
    stage.flights = [];
    byId("stage").querySelectorAll(".fly").forEach(flyer => flyer.remove());
}

// --- Showing a position ---

function measure(n) {
    const room = byId("stage").clientWidth || 320;
    stage.head = room < 500 ? 22 : 34;
    stage.cell = Math.max(n > 16 ? 20 : 22, Math.min(92, Math.floor((room - stage.head - 2) / n)));
    byId("stage").style.setProperty("--cell", `${stage.cell}px`);
    byId("stage").style.setProperty("--n", n);
    byId("stage").style.setProperty("--head", `${stage.head}px`);
}

function captionOf(picture, p) {
    const {rounds, steps, memory} = picture, last = stageLast({picture});
    const now = p === stageFirst({picture}) ? "Before" : p === 1 ? "After the local moves" : `After round ${p - 2}`;
    const messages = steps.filter(step => step.round === p - 1 && step.at === undefined).length;
    const next = picture.wrong && p === last
        ? picture.wrong.round >= rounds ? "Wrong at the end" : picture.wrong.round < 0 ? "The local moves are wrong" : `Round ${picture.wrong.round} is wrong`
        : p > rounds ? "The end"
        : p === 0 ? "Next: local moves" : `Next: round ${p - 1}, ${messages} message${messages === 1 ? "" : "s"}`;
    return `${now}. ${next}.`;
}

function draw(p) {
    const {picture} = stage.shown, n = picture.problem.n;
    land();
    stage.at = p;
    measure(n);
    byId("stage").replaceChildren(band(picture, p), ...(picture.memory.length ? tablesAt(picture, p) : []).map(t => table(t, n)));
    byId("step").min = stageFirst(stage.shown);
    byId("step").max = stageLast(stage.shown);
    byId("step").value = p;
    byId("step").setAttribute("aria-valuetext", captionOf(picture, p));
    byId("caption").textContent = captionOf(picture, p);
    byId("note").textContent = picture.memory.length ? "A framed block is sent in the next round. Tap a block to follow it."
        : "The memory is drawn for up to 16 processors.";
    for (const id of ["first", "back"])
        byId(id).disabled = p <= stageFirst(stage.shown);
    for (const id of ["forward", "last"])
        byId(id).disabled = p >= stageLast(stage.shown);
    markFollowed();
}

function markFollowed() {
    byId("stage").querySelectorAll("td.block").forEach(td => td.classList.toggle("followed", td.dataset.block === stage.followed));
}

// Goes to a position; to the next or the one before with flying blocks. Returns whether nothing came
// in between.
async function go(p, told) {
    const {shown} = stage, {picture} = shown;
    p = Math.max(stageFirst(shown), Math.min(p, stageLast(shown)));
    const from = stage.at, turn = stage.turn = {};
    draw(from);
    if (Math.abs(p - from) === 1 && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
        const round = Math.min(p, from) - 1, unit = picture.unit_of_block;
        const steps = picture.steps.filter(step => step.round === round);
        const phases = [steps.filter(step => step.at === undefined), steps.filter(step => step.at !== undefined)];
        byId("stage").classList.add("moving");
        for (const phase of p < from ? phases.reverse() : phases) {
            if (phase.length && (picture.memory.length || phase[0].at === undefined))
                await fly(picture, Math.max(p, from), phase.flatMap(step => hopsOf(step, unit)), p < from);
            if (stage.turn !== turn)
                return false;
        }
    }
    byId("stage").classList.remove("moving");
    draw(p);
    told?.(p);
    return true;
}

function playing(whether) {
    stage.playing = whether;
    byId("play").classList.toggle("playing", whether);
    byId("play").setAttribute("aria-label", whether ? "pause" : "play");
}

async function play(told) {
    playing(!stage.playing);
    if (stage.playing && stage.at >= stageLast(stage.shown))
        await go(stageFirst(stage.shown), told);
    while (stage.playing && stage.at < stageLast(stage.shown)) {
        if (!await go(stage.at + 1, told))
            break;
        await new Promise(done => setTimeout(done, 700));
    }
    playing(false);
}

// Shows another schedule. `at` is the position, if it is possible.
function show(shown, at) {
    stage.shown = shown;
    stage.turn = {};
    playing(false);
    draw(Math.max(stageFirst(shown), Math.min(at, stageLast(shown))));
}
