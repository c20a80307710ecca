// kport(...words) runs a command in the worker and promises {status, out, err}.
// kportJson(...words) promises {status, err, json}: what the command printed, or null.

const files = {}; // the files that commands may read, by name
const waiting = new Map();
let worker;

function engineStart() {
    const source = document.getElementById("worker").textContent;
    const wasm = Uint8Array.from(atob(document.getElementById("kport").textContent), c => c.charCodeAt(0));
    worker = new Worker(URL.createObjectURL(new Blob([source], {type: "text/javascript"})));
    worker.postMessage({wasm});
    worker.onmessage = ({data}) => {
        waiting.get(data.id)(data);
        waiting.delete(data.id);
    };
    worker.onerror = error => {
        for (const answer of waiting.values())
            answer({status: 2, out: "", err: `kport stopped: ${error.message}`});
        waiting.clear();
        engineStart();
    };
}

let calls = 0;
function kport(...words) {
    return new Promise(answer => {
        waiting.set(++calls, answer);
        worker.postMessage({id: calls, words, files});
    });
}

async function kportJson(...words) {
    const {status, out, err} = await kport(...words);
    return {status, err: err.replace(/^kport: /gm, ""), json: out ? JSON.parse(out) : null};
}
