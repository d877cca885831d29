#!/usr/bin/env node
// The exact solver's figures, part by part: how fast, over how many seeds, how low, what it proves, and what it weighs.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from './bundle.mjs'
import { parts } from './exact_parts.mjs'
import { weights } from './exact_weights.mjs'

const PARTS = { ...parts, ...weights }
const USAGE = `usage: exact.mjs [--part=NAME]... [--repeat=N] [--saturated=N] [--native=PATH] [--wasm=PATH]

Parts, all of them unless some are named:
${Object.entries(PARTS)
  .map(([name, { text }]) => `  ${name.padEnd(14)}${text}`)
  .join('\n')}

Those marked * need the benchmark suites: ARENASCOPE_BENCH names the folder that holds "minimalloc" and "perturbed". The repeats are of
runs that are timed; of --saturated=N generated instances verdicts are counted.
`

function options() {
  try {
    return parseArgs({
      options: {
        part: { type: 'string', multiple: true, default: Object.keys(PARTS) },
        repeat: { type: 'string', default: '31' },
        saturated: { type: 'string', default: '500' },
        native: { type: 'string', default: join(ROOT, 'build/native/arenascope-bench') },
        wasm: { type: 'string', default: join(ROOT, 'build/wasm/core.wasm') },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    process.stderr.write(`exact.mjs: ${error.message}\n${USAGE}`)
    process.exit(2)
  }
}

async function main() {
  const { part, help, ...values } = options()
  const setting = { ...values, repeat: Number(values.repeat), saturated: Number(values.saturated) }
  const understood = [setting.repeat, setting.saturated].every((n) => Number.isInteger(n) && n >= 1)
  if (help || !understood || part.some((name) => !PARTS[name])) {
    process.stderr.write(USAGE)
    return help ? 0 : 2
  }
  const suites = process.env.ARENASCOPE_BENCH
  let failed = 0
  for (const name of part) {
    const { text, suite, run } = PARTS[name]
    console.log(`\n== ${name}: ${text.replace(/^\* /, '')}\n`)
    if (suite && !(suites && existsSync(join(suites, suite)))) console.log(`left out: no folder "${suite}" of suites`)
    else if ((await run({ ...setting, suites })) === false) failed++
  }
  return failed > 0 ? 1 : 0
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error) => {
    process.stderr.write(`exact.mjs: ${error.message}\n`)
    process.exitCode = 1
  },
)
