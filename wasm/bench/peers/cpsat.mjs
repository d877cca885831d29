// Solves packings in CP-SAT: node cpsat.mjs BUNDLE WASM SECONDS (FILE CAPACITY)... Prints {outcome, ms (of the processor), nodes, pairs} of each on a line. A process
// of its own, which the threads of the module keep.
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'

// the optimising compiler wants minutes for seven megabytes
setFlagsFromString('--liftoff-only')
const [bundle, wasm, seconds, ...asked] = process.argv.slice(2)
const { solveByCpSat } = await import(bundle)
const module = readFileSync(wasm)
for (let k = 0; k + 1 < asked.length; k += 2) {
  const answer = await solveByCpSat(module, asked[k], Number(asked[k + 1]), Number(seconds))
  console.log(JSON.stringify(answer))
}
process.exit(0)
