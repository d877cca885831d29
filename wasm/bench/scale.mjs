#!/usr/bin/env node
// Large problems: how near to the load bound, after how long, on how much memory, native beside WASM and "large" beside the other heuristics.
import { readFileSync } from 'node:fs'
import { imported } from './bundle.mjs'
import { listOf, NATIVE, partOptions, runParts, start, WASM } from './command.mjs'
import { inFolder } from './instances.mjs'
import { parts } from './scale_parts.mjs'

const USAGE = `usage: scale.mjs [--part=NAME]... [--repeat=N] [--seeds=N] [--beside=MS] [--native=PATH] [--wasm=PATH]

Parts, all of them unless some are named:
${listOf(parts)}

That marked * needs the benchmark suites: ARENASCOPE_BENCH names the folder that holds "idealloc". Times are those of the processor, on which
one thread solves, medians of --repeat=N runs (3) without reading the file: until the height shown was found, and "within" until a plan was
as low as the target asks. Bytes for each buffer are those of the run, native, and of the whole module with the problem and its CSV. The
other heuristics run once, on the last seed of --seeds=N (5), and are given up after --beside=MS (2000; 0 leaves them out), of a million
after five times as long.
`

async function main() {
  const own = {
    repeat: { initial: 3, least: 1 },
    seeds: { initial: 5, least: 1 },
    beside: { initial: 2000, least: 0 },
    native: NATIVE,
    wasm: WASM,
  }
  const { part, wasm, ...values } = partOptions(parts, own, USAGE)
  const { watch } = await imported('measure.ts')
  const setting = { ...values, bytes: readFileSync(wasm), watch }
  return runParts(parts, part, ({ run }, suites) => inFolder((folder) => run({ ...setting, suites, folder })))
}

start(main)
