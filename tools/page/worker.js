// Runs the commands of kport beside the page. What Emscripten made of kport comes first.
{{kport.js}}

let compiled; // a promise of the module

// A command gets an instance of its own, as a shell gives it a process.
async function run({words, files}) {
    const out = [], err = [];
    let status = 0;
    const program = await kport({
        print: line => out.push(line),
        printErr: line => err.push(line),
        quit: code => { status = code; },
        instantiateWasm: (imports, ready) => {
            compiled.then(module => WebAssembly.instantiate(module, imports)).then(ready);
            return {};
        },
    });
    for (const [name, text] of Object.entries(files))
        program.FS.writeFile(name, text);
    try {
        status = program.callMain(words) ?? status;
    } catch (error) {
        if (error.name !== "ExitStatus")
            return {status: 2, out: "", err: `kport stopped: ${error.message}`};
        status = error.status;
    }
    return {status, out: out.join("\n"), err: err.join("\n")};
}

onmessage = async ({data}) => {
    if (data.wasm)
        compiled = WebAssembly.compile(data.wasm);
    else
        postMessage({id: data.id, ...await run(data)});
};
