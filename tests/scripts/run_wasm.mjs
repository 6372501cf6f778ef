// Runs a WebAssembly program of wasi: node run_wasm.mjs program.wasm. Of the system it gets what printing and ending need.
import { readFileSync, writeSync } from 'node:fs';

let memory;
const bytes = () => new Uint8Array(memory.buffer), view = () => new DataView(memory.buffer);
const system = {
    fd_write(fd, parts, count, written) {
        let sum = 0;
        for (let i = 0; i < count; ++i) {
            const at = view().getUint32(parts + 8 * i, true), length = view().getUint32(parts + 8 * i + 4, true);
            if (length > 0) writeSync(fd, bytes().slice(at, at + length));
            sum += length;
        }
        view().setUint32(written, sum, true);
        return 0;
    },
    proc_exit: (code) => process.exit(code),
};
const program = new WebAssembly.Module(readFileSync(process.argv[2]));
const imports = {};
for (const { module, name } of WebAssembly.Module.imports(program)) (imports[module] ??= {})[name] = system[name] ?? (() => 8);  // 8: no such file
const instance = new WebAssembly.Instance(program, imports);
memory = instance.exports.memory;
instance.exports._start();
