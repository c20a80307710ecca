// The lists and sliders. A problem string is taken apart into an operation and keys and put together
// again; what may be chosen, and what does not go, is said by kport (the command `choices`).

const byId = id => document.getElementById(id);

function make(tag, properties = {}, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
}

function parseProblem(text) {
    const [operation, rest = ""] = text.split(/:(.*)/s);
    return {operation, keys: new Map(rest.split(",").filter(Boolean).map(key => key.split(/=(.*)/s, 2)))};
}

function formatProblem({operation, keys}) {
    return `${operation}:${[...keys].map(([key, value]) => `${key}=${value}`).join(",")}`;
}

// A slider with a number beside it. On a logarithmic one (with the options' `log`) the slider counts
// steps of 1 / log of a doubling.
function slider(id, label, hint, {low, high, value, step = 1, log = 0, change}) {
    const scale = number => log ? Math.round(Math.log2(number) * log) : number;
    const range = make("input", {id, type: "range", min: scale(low), max: scale(high), step: log ? 1 : step, title: hint});
    const whole = Object.assign(make("div", {className: "slider"}), {change});
    const number = make("input", {id: `${id}-number`, type: "number", min: low, max: high, step: log > 1 ? "any" : step});
    range.value = scale(value);
    number.value = value;
    number.setAttribute("aria-label", `${label}, as a number`);
    range.oninput = () => {
        number.value = log ? +Number(2 ** (range.value / log)).toPrecision(3) : range.value;
        if (log === 1)
            number.value = 2 ** range.value;
        range.setAttribute("aria-valuetext", number.value);
        whole.change(number.value);
    };
    number.onchange = () => {
        range.value = scale(number.value);
        whole.change(number.value);
    };
    whole.append(make("label", {htmlFor: id, textContent: label, title: hint}), range, number);
    return whole;
}

function choiceOf(id, label, hint, {words, value, change}) {
    const select = make("select", {id, title: hint}, ...words.map(word => make("option", {textContent: word})));
    select.value = value;
    const whole = Object.assign(make("div", {className: "slider"}), {change});
    select.onchange = () => whole.change(select.value);
    whole.append(make("label", {htmlFor: id, textContent: label, title: hint}), select);
    return whole;
}

const MOST_N = 64; // of the slider; the problem string may have more

// Keys that a slider sets keep the rest of the problem; parameters are those of one algorithm.
function withKey(problem, key, value) {
    const {operation, keys} = parseProblem(problem);
    if (key === "b" && keys.has("count"))
        keys.delete("count");
    keys.set(key, value);
    return formatProblem({operation, keys});
}

function withAlgorithm(problem, name) {
    const {operation, keys} = parseProblem(problem);
    const at = [...keys.keys()].indexOf("alg");
    const kept = new Map([...keys].slice(0, at < 0 ? keys.size : at)); // parameters follow the algorithm
    if (name)
        kept.set("alg", name);
    return formatProblem({operation, keys: kept});
}

// Moves what depends on n, k and b back into its range, so that a slider leads to what is possible.
// An algorithm that does not serve stays, for kport to say why.
async function fitted(problem) {
    const {operation, keys} = parseProblem(problem);
    const n = +keys.get("n");
    if (keys.has("k"))
        keys.set("k", Math.max(1, Math.min(+keys.get("k"), n - 1)));
    for (const key of ["root", "to"]) {
        if (keys.has(key))
            keys.set(key, Math.min(+keys.get(key), n - 1));
    }
    const whole = formatProblem({operation, keys});
    const {json} = await kportJson("choices", withAlgorithm(whole, ""));
    for (const {name, low, high, words} of json?.algorithms.find(a => a.name === keys.get("alg"))?.parameters ?? []) {
        if (keys.has(name) && !words.length)
            keys.set(name, Math.max(low, Math.min(+keys.get(name), high)));
    }
    return formatProblem({operation, keys});
}

// Shows what may be chosen. `problem` is what was asked, `choices` what kport says of it, and
// `change` is called with another problem string.
function fillForm(problem, choices, change) {
    const {operation, keys} = parseProblem(problem);
    const set = key => async value => change(await fitted(withKey(problem, key, value)));
    byId("operation").replaceChildren(...choices.operations.map(({name, alias}) =>
        make("option", {value: name, textContent: alias === name ? name : `${name} (${alias})`})));
    byId("operation").value = choices.operation;
    byId("operation").onchange = async () => {
        const n = keys.get("n"), k = keys.get("k") ?? 1;
        const b = Math.max(8, +choices.b);
        change(await fitted(`${byId("operation").value}:n=${n},k=${k},b=${b - b % 8}`));
    };

    const chosen = [choices.algorithm, ...Object.entries(choices.parameters).map(([key, value]) => `${key} = ${value}`)];
    byId("algorithm").replaceChildren(
        make("option", {value: "", textContent: `kport's choice: ${chosen.join(", ")}`}),
        ...choices.algorithms.map(({name, refusal, restriction}) => make("option",
            {value: name, disabled: !!refusal, title: refusal ?? "", textContent: refusal && restriction ? `${name} (${restriction})` : name})));
    byId("algorithm").value = keys.get("alg") ?? "";
    byId("algorithm").onchange = async () => change(await fitted(withAlgorithm(problem, byId("algorithm").value)));
    const algorithm = choices.algorithms.find(a => a.name === (keys.get("alg") ?? choices.algorithm));
    byId("about").textContent = algorithm ? `${algorithm.summary}. ${algorithm.source ?? ""}` : "";

    const n = +choices.n, unit = choices.element_bytes;
    const sliders = [
        slider("n", "n processors", "", {low: 1, high: Math.max(MOST_N, n), value: n, change: set("n")}),
        slider("k", "k ports", "", {low: 1, high: Math.max(1, n - 1), value: +choices.k, change: set("k")}),
        slider("b", "b bytes", "the bytes of a block", {low: unit, high: 1 << 20, value: +choices.b, step: unit, log: 1, change: set("b")}),
    ];
    for (const [key, label] of [["root", "root"], ["to", "to"]]) {
        if (choices[key] !== null)
            sliders.push(slider(key, label, "", {low: 0, high: n - 1, value: choices[key], change: set(key)}));
    }
    for (const {name, summary, low, high, words} of algorithm?.parameters ?? []) {
        const value = choices.parameters[name];
        const label = name === "r" ? "r radix" : name;
        const choose = value => change(withKey(keys.has("alg") ? problem : withAlgorithm(problem, algorithm.name), name, value));
        if (value !== undefined)
            sliders.push(words.length ? choiceOf(name, label, summary, {words, value, change: choose})
                                      : slider(name, label, summary, {low, high, value, change: choose}));
    }
    keepFocus(byId("sliders"), sliders);
}

// Replaces the children, but leaves the slider alone that is being moved.
function keepFocus(parent, children) {
    const id = document.activeElement?.id;
    const held = id && parent.contains(document.activeElement) ? document.activeElement.closest(".slider") : null;
    const at = held ? children.findIndex(child => child.querySelector(`#${id}`)) : -1;
    if (at < 0) {
        parent.replaceChildren(...children);
        return;
    }
    held.change = children[at].change;
    for (const old of held.querySelectorAll("input")) {
        for (const name of ["min", "max", "step"])
            old[name] = children[at].querySelector(`#${old.id}`)[name];
    }
    for (const child of [...parent.children]) {
        if (child !== held)
            child.remove();
    }
    children.forEach((child, i) => {
        if (i < at)
            held.before(child);
        else if (i > at)
            parent.append(child);
    });
}
