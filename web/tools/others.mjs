#!/usr/bin/env node
// Solvers that are not ours, on a buffer CSV: npm run --silent others -- FILE.csv --solver=cp-sat --capacity=N. After the WASM module.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { bundle, ROOT } from '../../wasm/bench/bundle.mjs'

// the optimising compiler wants minutes for CP-SAT's seven megabytes
setFlagsFromString('--liftoff-only')
const output = join(ROOT, 'build', 'others.mjs')
await bundle(join(ROOT, 'web', 'tools', 'other_command.ts'), output, ['highs', 'or-tools-wasm'])
const { main } = await import(pathToFileURL(output).href)
const wasm = await readFile(join(ROOT, 'build/wasm/core.wasm'))
const code = await main(
  process.argv.slice(2),
  wasm,
  (line) => console.log(line),
  (text) => process.stderr.write(text),
)
// the threads of CP-SAT's module would keep it
process.exit(code)
