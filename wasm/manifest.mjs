#!/usr/bin/env node
// Writes what the page knows of the modules before it has fetched one: manifest.json, the tables of the whole; first.json, the same without what
// a first view does not show, which is words.json; and families.json, which solvers each module has, those of one family first and the whole last.
//   node wasm/manifest.mjs MODULES OUT        folders; MODULES holds the .wasm files
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [from, to] = process.argv.slice(2)
const WHOLE = 'core'
/** What no run moves to: the first view's, and the npm package's. */
const OTHERS = ['lean.wasm', 'buffers.wasm']
/** The solver of the first example, whose pseudocode is shown beside its search. */
const FIRST = 'minimalloc'
/** Those of the race that a first visit sees. */
const RACE = [FIRST, 'exact']

/** What the module exports, ready to be called. */
function instance(name) {
  const module = new WebAssembly.Module(readFileSync(join(from, `${name}.wasm`)))
  const imports = {}
  for (const { module: space, name } of WebAssembly.Module.imports(module)) {
    imports[space] ??= {}
    imports[space][name] = () => 0
  }
  const { exports } = new WebAssembly.Instance(module, imports)
  exports._initialize()
  return exports
}

function manifest(name) {
  const exports = instance(name)
  const session = exports.glue_session_new(0, 0)
  if (session === 0 || exports.glue_manifest(session) !== 0)
    throw new Error(`${name}.wasm has no memory for its manifest`)
  // numbers, words, text: address and count of each
  const [, , , , text, bytes] = new Uint32Array(exports.memory.buffer, exports.glue_out(session), 6)
  return Buffer.from(exports.memory.buffer, text, bytes).toString('utf8')
}

const names = readdirSync(from)
  .filter((file) => file.endsWith('.wasm') && !OTHERS.includes(file))
  .map((file) => file.slice(0, -'.wasm'.length))
const inOrder = [...names.filter((name) => name !== WHOLE).sort(), WHOLE]
const solvers = (name) => JSON.parse(manifest(name)).solvers.map(({ id }) => id)
const text = manifest(WHOLE)
const first = JSON.parse(text)
const helpOf = (options) =>
  options.map((option) => {
    const { help } = option
    option.help = ''
    return help
  })
const words = {
  graphOptions: helpOf(first.graphOptions),
  generators: first.generators.map(({ text }) => text),
  solvers: {},
}
for (const solver of first.solvers) {
  const { summary, pseudocode } = solver
  words.solvers[solver.id] = { summary, pseudocode, help: helpOf(solver.options) }
  if (solver.id !== FIRST) solver.pseudocode = ''
  if (!RACE.includes(solver.id)) solver.summary = ''
}
for (const generator of first.generators) generator.text = ''
writeFileSync(join(to, 'manifest.json'), text)
writeFileSync(join(to, 'first.json'), JSON.stringify(first))
writeFileSync(join(to, 'words.json'), JSON.stringify(words))
writeFileSync(
  join(to, 'families.json'),
  JSON.stringify(Object.fromEntries(inOrder.map((name) => [name, solvers(name)]))),
)
