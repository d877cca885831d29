#!/usr/bin/env node
// Prints the manifest of a built module, for the lean module, which has none of its own.
//   node wasm/manifest.mjs build/wasm/core.wasm
import { readFileSync } from 'node:fs'

const module = new WebAssembly.Module(readFileSync(process.argv[2]))
const imports = {}
for (const { module: space, name } of WebAssembly.Module.imports(module)) {
  imports[space] ??= {}
  imports[space][name] = () => 0
}
const { exports } = new WebAssembly.Instance(module, imports)
exports._initialize()
const session = exports.glue_session_new()
if (session === 0 || exports.glue_manifest(session) !== 0) throw new Error('the module has no memory for its manifest')
// numbers, words, text: address and count of each
const [, , , , text, bytes] = new Uint32Array(exports.memory.buffer, exports.glue_out(session), 6)
process.stdout.write(Buffer.from(exports.memory.buffer, text, bytes))
