// What belongs together: the address, the form, the picture, the curve.
//
// The address is #PROBLEM&step=P&beta=US&tau=US; what is not there is as kport has it.

const START = "index:n=8,k=1,b=64,alg=radix,r=2&step=1";
const state = {problem: "", step: 0, beta: null, tau: null, file: null};
let latest = 0; // the number of the latest update; older ones stop where they are

function readAddress() {
    const [problem, ...rest] = (decodeURIComponent(location.hash.slice(1)) || START).split("&");
    const values = new Map(rest.map(word => word.split("=")));
    state.problem = problem;
    state.step = +(values.get("step") ?? 0);
    state.beta = values.get("beta") ?? null;
    state.tau = values.get("tau") ?? null;
    state.file = null;
}

function writeAddress() {
    const rest = ["step", "beta", "tau"].filter(key => state[key]).map(key => `&${key}=${state[key]}`);
    const hash = state.file ? "#" : `#${state.problem}${rest.join("")}`;
    if (decodeURIComponent(location.hash) !== hash)
        history.replaceState(null, "", hash);
}

function say(sentence) {
    byId("sentence").hidden = !sentence;
    byId("sentence").textContent = sentence ?? "";
    byId("problem").setAttribute("aria-invalid", String(!!sentence));
    byId("picture").classList.toggle("stale", !!sentence);
    byId("curve").classList.toggle("stale", !!sentence);
}

const stepped = p => {
    state.step = p;
    writeAddress();
};

// --- Facts ---

function fact(name, value, bound, unit) {
    const whole = make("div", {className: "fact", id: `fact-${name.replace(" ", "-")}`}, make("b", {textContent: name}), ` ${value.toLocaleString("en")} ${unit}`);
    if (bound === undefined)
        return whole;
    const meter = make("meter", {min: 0, max: Math.max(1, value), value: bound, title: "the bound's share"});
    meter.setAttribute("aria-label", `lower bound of ${name}`);
    whole.append(meter, make("span", {className: "soft", textContent: bound === value ? "the lower bound" : `bound ${bound.toLocaleString("en")}`}));
    return whole;
}

function showFacts(cost) {
    byId("facts").replaceChildren(...(cost ? [fact("C1", cost.c1, cost.c1_bound, cost.c1 === 1 ? "round" : "rounds"),
        fact("C2", cost.c2, cost.c2_bound, "bytes"), fact("In all", cost.messages, undefined, `messages, ${cost.bytes.toLocaleString("en")} bytes`),
        make("div", {className: "fact", id: "fact-time"})] : []));
}

// --- The curve ---

async function updateCurve(choices, problem, mine) {
    const {operation, keys} = parseProblem(problem);
    const parameters = Object.entries(choices.parameters).map(([key, value]) => `/${key}=${value}`).join("");
    const others = [...keys].filter(([key]) => !["n", "k", "b", "count", "alg"].includes(key) && !(key in choices.parameters));
    const words = ["compare", [operation, others.map(key => key.join("=")).join(",")].filter(Boolean).join(":"),
                   "--n", String(choices.n), "--k", String(choices.k), "--json"];
    for (const key of ["beta", "tau"]) {
        if (state[key])
            words.push(`--${key}`, state[key]);
    }
    const unit = choices.element_bytes, lengths = new Set([choices.b || unit]);
    for (let b = unit; b <= 1 << 20; b *= 2)
        lengths.add(b);
    const all = await kportJson(...words, "-m", `${unit}:1M`);
    const own = await kportJson(...words, "-m", [...lengths].join(","), "-a", choices.algorithm + parameters);
    if (mine !== latest)
        return;
    const models = all.json ?? own.json;
    if (models)
        showModel(models);
    byId("chart").hidden = !all.json;
    if (!all.json) {
        byId("changes").replaceChildren(make("li", {textContent: all.err}));
        return;
    }
    const rows = own.json ?? {rows: []};
    drawChart(all.json, rows, choices.b, async name => change(await fitted(withAlgorithm(problem, name))));
    const now = rows.rows.find(row => row.b === choices.b);
    byId("fact-time").replaceChildren(...(now ? [make("b", {textContent: "Time"}), ` ${usText(now.linear_us)}`,
        make("span", {className: "soft", textContent: " by C1·β + C2·τ"})] : []));
}

function showModel({beta_us, tau_us}) {
    const set = key => value => {
        state[key] = value;
        update();
    };
    const reset = make("button", {type: "button", textContent: "kport's own guesses", hidden: !state.beta && !state.tau, onclick: () => {
        state.beta = state.tau = null;
        byId("model").replaceChildren();
        update();
    }});
    keepFocus(byId("model"), [
        slider("beta", "β µs", "the time to start a round", {low: 0.01, high: 10000, value: beta_us, log: 8, change: set("beta")}),
        slider("tau", "τ µs", "the time of a byte", {low: 1e-6, high: 10, value: tau_us, log: 8, change: set("tau")}), reset]);
}

// --- Updating ---

function change(problem) {
    state.problem = problem;
    state.step = 0;
    update();
}

// What `kport show --json` prints, with the keys of the schedule beside those of its picture.
async function pictureOf(problem) {
    const {json, err} = await kportJson("show", problem, "--json", "--tune", "builtin");
    return {err, json: json && {...json.schedule, ...json, problem: json.schedule.problem}};
}

async function update() {
    const mine = ++latest, problem = state.problem;
    delete document.documentElement.dataset.ready;
    state.file = null;
    byId("problem").value = problem;
    writeAddress();
    let {json: choices, err} = await kportJson("choices", problem);
    const answer = choices && await pictureOf(problem);
    if (mine !== latest)
        return;
    if (!choices || !answer.json) {
        say(err || answer.err);
        // The lists are those without the algorithm, if that is what does not serve.
        const {json} = await kportJson("choices", withAlgorithm(problem, ""));
        if (json && mine === latest)
            fillForm(problem, json, change);
        return;
    }
    say(null);
    showFile(null);
    fillForm(problem, choices, change);
    showFacts(choices);
    show({picture: answer.json}, state.step || stageFirst({picture: answer.json}));
    document.title = `kport: ${problem}`;
    await updateCurve(choices, problem, mine);
    if (mine === latest)
        document.documentElement.dataset.ready = problem;
}

// --- Files ---

// Shows what the check says, and hides what belongs to problems.
function showFile(verdict, name) {
    const isFile = !!verdict;
    byId("fields").hidden = byId("curve").hidden = isFile;
    byId("leave").hidden = !isFile;
    byId("verdict").hidden = !isFile;
    if (!isFile)
        return;
    const right = verdict.correct;
    byId("verdict").className = right === false ? "bad" : "good";
    byId("verdict").replaceChildren(
        make("b", {textContent: `${name}: ${right === null ? "no fault found; what is to arrive is not known" : right ? "right" : "wrong"}`}),
        ...verdict.findings.slice(0, 5).map(({sentence, account}) =>
            make("div", {}, make("p", {textContent: sentence}), ...(account ? [make("pre", {textContent: account})] : []))));
}

async function openFile(file) {
    const mine = ++latest, text = await file.text();
    delete document.documentElement.dataset.ready;
    const name = file.name.replace(/[^\w.-]/g, "_").slice(-60).replace(/^-/, "_");
    const isXml = name.endsWith(".xml");
    const alias = isXml ? `${name}.rounds` : name;
    files[name] = files[alias] = text;
    const check = await kportJson("check", isXml ? name : `@${name}`, "--json", ...(isXml ? [] : ["--tune", "builtin"]));
    const picture = await pictureOf(`@${alias}`);
    const cost = picture.json && !picture.json.wrong ? await kportJson("cost", `@${alias}`, "--json", "--tune", "builtin") : null;
    const drawn = isXml && !picture.json ? await kport("show", name, "--svg", "-") : null;
    if (mine !== latest)
        return;
    if (!check.json) {
        say(check.err);
        return;
    }
    state.file = name;
    say(null);
    byId("problem").value = `@${name}`;
    writeAddress();
    showFile(check.json, name);
    showFacts(cost?.json);
    byId("picture").classList.toggle("still", !picture.json);
    if (picture.json)
        show({picture: picture.json}, picture.json.wrong ? Infinity : 0);
    else if (drawn?.out)
        byId("stage").replaceChildren(make("img", {alt: name, src: `data:image/svg+xml,${encodeURIComponent(drawn.out)}`}));
    else
        byId("stage").replaceChildren(make("p", {textContent: picture.err}));
    document.documentElement.dataset.ready = name;
}

// --- Events ---

function listen() {
    const step = (id, event, position) => {
        byId(id)[event] = () => {
            playing(false);
            if (stage.shown)
                go(position(), stepped);
        };
    };
    step("first", "onclick", () => stageFirst(stage.shown));
    step("last", "onclick", () => stageLast(stage.shown));
    step("back", "onclick", () => stage.at - 1);
    step("forward", "onclick", () => stage.at + 1);
    step("step", "oninput", () => +byId("step").value);
    byId("play").onclick = () => stage.shown && play(stepped);
    byId("form").onsubmit = event => event.preventDefault();
    byId("problem").onchange = () => change(byId("problem").value.trim());
    byId("leave").onclick = () => update();
    byId("file").onchange = () => {
        if (byId("file").files[0])
            openFile(byId("file").files[0]);
        byId("file").value = "";
    };
    byId("stage").onclick = ({target}) => {
        const block = target.closest("td.block")?.dataset.block;
        stage.followed = block === stage.followed ? null : block;
        markFollowed();
    };
    addEventListener("keydown", event => {
        if (event.target.closest("input, select, button, textarea") && !(event.target.closest(".player") && event.target.type !== "range" && event.key !== " "))
            return;
        const keys = {ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", " ": "play"};
        if (keys[event.key] && !event.ctrlKey && !event.altKey && !event.metaKey) {
            event.preventDefault();
            byId(keys[event.key]).click();
        }
    });
    addEventListener("dragover", event => {
        event.preventDefault();
        document.body.classList.add("dropping");
    });
    addEventListener("dragleave", () => document.body.classList.remove("dropping"));
    addEventListener("drop", event => {
        event.preventDefault();
        document.body.classList.remove("dropping");
        if (event.dataTransfer.files[0])
            openFile(event.dataTransfer.files[0]);
    });
    addEventListener("hashchange", () => {
        readAddress();
        update();
    });
    addEventListener("resize", () => stage.shown && !byId("picture").classList.contains("still") && draw(stage.at));
}

engineStart();
listen();
readAddress();
update();
