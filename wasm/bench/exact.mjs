#!/usr/bin/env node
// The exact solver's figures, part by part: how fast, over how many seeds, how low, what it proves, and what it weighs.
import { join } from 'node:path'
import { ROOT } from './bundle.mjs'
import { listOf, runParts, start, understood } from './command.mjs'
import { parts } from './exact_parts.mjs'
import { weights } from './exact_weights.mjs'

const PARTS = { ...parts, ...weights }
const USAGE = `usage: exact.mjs [--part=NAME]... [--repeat=N] [--saturated=N] [--native=PATH] [--wasm=PATH]

Parts, all of them unless some are named:
${listOf(PARTS)}

Those marked * need the benchmark suites: ARENASCOPE_BENCH names the folder that holds "minimalloc" and "perturbed". The repeats are of
runs that are timed; of --saturated=N generated instances verdicts are counted.
`

function options() {
  return understood(
    {
      options: {
        part: { type: 'string', multiple: true, default: Object.keys(PARTS) },
        repeat: { type: 'string', default: '31' },
        saturated: { type: 'string', default: '500' },
        native: { type: 'string', default: join(ROOT, 'build/native/arenascope-bench') },
        wasm: { type: 'string', default: join(ROOT, 'build/wasm/core.wasm') },
        help: { type: 'boolean', default: false },
      },
    },
    USAGE,
  ).values
}

async function main() {
  const { part, help, ...values } = options()
  const setting = { ...values, repeat: Number(values.repeat), saturated: Number(values.saturated) }
  const whole = [setting.repeat, setting.saturated].every((n) => Number.isInteger(n) && n >= 1)
  if (help || !whole || part.some((name) => !PARTS[name])) {
    process.stderr.write(USAGE)
    return help ? 0 : 2
  }
  return runParts(PARTS, part, ({ run }, suites) => run({ ...setting, suites }))
}

start(main)
