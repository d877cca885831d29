#!/usr/bin/env node
// The exact solver's figures, part by part: how fast, over how many seeds, how low, what it proves, and what it weighs.
import { listOf, NATIVE, partOptions, runParts, start, WASM } from './command.mjs'
import { parts } from './exact_parts.mjs'
import { tail } from './exact_tail.mjs'
import { weights } from './exact_weights.mjs'

const PARTS = { ...parts, ...tail, ...weights }
const USAGE = `usage: exact.mjs [--part=NAME]... [--repeat=N] [--saturated=N] [--draw=N] [--native=PATH] [--wasm=PATH]

Parts, all of them unless some are named:
${listOf(PARTS)}

Those marked * need the benchmark suites: ARENASCOPE_BENCH names the folder that holds "minimalloc" and "perturbed". The repeats are of
runs that are timed; of --saturated=N generated instances verdicts are counted; --draw=N draws other
perturbed ones.
`

async function main() {
  const own = {
    repeat: { initial: 31, least: 1 },
    saturated: { initial: 500, least: 1 },
    draw: { initial: 1, least: 0 },
    native: NATIVE,
    wasm: WASM,
  }
  const { part, ...values } = partOptions(PARTS, own, USAGE)
  return runParts(PARTS, part, ({ run }, suites) => run({ ...values, suites }))
}

start(main)
