#!/usr/bin/env node
// Large problems: how near to the load bound, after how long, on how much memory, native beside WASM and "large" beside the other heuristics.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { imported, ROOT } from './bundle.mjs'
import { listOf, runParts, start, understood } from './command.mjs'
import { inFolder } from './instances.mjs'
import { parts } from './scale_parts.mjs'

const USAGE = `usage: scale.mjs [--part=NAME]... [--repeat=N] [--seeds=N] [--beside=MS] [--native=PATH] [--wasm=PATH]

Parts, all of them unless some are named:
${listOf(parts)}

That marked * needs the benchmark suites: ARENASCOPE_BENCH names the folder that holds "idealloc". Times are those of the processor, on which
one thread solves, medians of --repeat=N runs (3) without reading the file: until the height shown was found, and "within" until a plan was
as low as the target asks. Bytes for each buffer are those of the run, native, and of the whole module with the problem and its CSV. The
other heuristics run once, on the last seed of --seeds=N (5), and are given up after --beside=MS (2000; 0 leaves them out).
`

function options() {
  return understood(
    {
      options: {
        part: { type: 'string', multiple: true, default: Object.keys(parts) },
        repeat: { type: 'string', default: '3' },
        seeds: { type: 'string', default: '5' },
        beside: { type: 'string', default: '2000' },
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
  const [repeat, seeds, beside] = [Number(values.repeat), Number(values.seeds), Number(values.beside)]
  const whole = [repeat, seeds, beside].every(Number.isInteger) && repeat >= 1 && seeds >= 1 && beside >= 0
  if (help || !whole || part.some((name) => !parts[name])) {
    process.stderr.write(USAGE)
    return help ? 0 : 2
  }
  const { watch } = await imported('measure.ts')
  const setting = { native: values.native, bytes: readFileSync(values.wasm), watch, repeat, seeds, beside }
  return runParts(parts, part, ({ run }, suites) => inFolder((folder) => run({ ...setting, suites, folder })))
}

start(main)
