#!/usr/bin/env node
// How long a large graph takes in the module: reading it, lowering it, and all that the page gets of it; by its text, by arrays, and lowered again.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { imported, ROOT } from './bundle.mjs'
import { start, understood } from './command.mjs'

const USAGE = 'usage: graph.mjs [--ops=N] [--repeat=N] [--wasm=PATH]\n'
const OPTIONS = [
  {},
  { constants: 'streamed', prefetch: '3', order: 'greedy' },
  { constants: 'resident', inplace: 'true', alignment: '64', align_by: 'both', order: 'depth-first' },
]

/** Layers in a row with skip connections, weights, element-wise layers in place and reshapes: what converters write of large models. */
function network(ops) {
  let state = 1
  const pick = (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
  const name = (k) => `model/stage_${k % 97}/block_${k % 13}/out_${k}`
  let last = 150528
  const tensors = [{ id: name(0), bytes: last, kind: { input: true }, shape: [1, 224, 224, 3], dtype: 'int8' }]
  const add = (tensor) => tensors.push(tensor) - 1
  /** per layer the tensor that it makes */
  const made = [0]
  const rows = []
  for (let k = 1; k <= ops; k++) {
    const same = pick(3) === 0
    const inputs = [made[k - 1]]
    if (!same) last = 1024 * (1 + pick(512))
    if (!same && k > 40 && pick(3) === 0) inputs.push(made[k - 2 - pick(38)])
    if (!same) inputs.push(add({ id: `weights_${k}`, bytes: 9 * (1 + pick(4096)), kind: { constant: true } }))
    made.push(add({ id: name(k), bytes: last, kind: k === ops ? { output: true } : {} }))
    const pair = [[made[k], made[k - 1]]]
    const more = !same ? { workspace: pick(2) * 4096 } : pick(2) ? { inplace: pair } : { alias: pair }
    rows.push({ id: `layer_${k}`, type: same ? 'Relu' : 'Conv', inputs, outputs: [made[k]], ...more })
  }
  return { name: '', tensors, ops: rows }
}

async function main() {
  const { values } = understood(
    {
      options: {
        ops: { type: 'string', default: '100000' },
        repeat: { type: 'string', default: '5' },
        wasm: { type: 'string', default: join(ROOT, 'build/wasm/core.wasm') },
        help: { type: 'boolean', default: false },
      },
    },
    USAGE,
  )
  const [ops, repeat] = [Number(values.ops), Number(values.repeat)]
  if (values.help || ![ops, repeat].every((n) => Number.isInteger(n) && n >= 1)) {
    process.stderr.write(USAGE)
    return values.help ? 0 : 2
  }
  const { measureGraph } = await imported('graph_measure.ts')
  const graph = network(ops)
  const wasm = readFileSync(values.wasm)
  console.log(`${ops} operators, ${graph.tensors.length} tensors; milliseconds of the processor, best of ${repeat}`)
  console.log('buffers  by         make     read    lower     page  options')
  for (const options of OPTIONS)
    for (const way of ['text', 'arrays', 'reopen']) {
      const { make, read, lower, page, buffers } = await measureGraph(wasm, graph, way, options, repeat)
      const cells = [make, read, lower, page].map((ms) => ms.toFixed(1).padStart(8)).join(' ')
      const words = Object.entries(options).map(([key, value]) => `${key}=${value}`)
      console.log(`${String(buffers).padStart(7)}  ${way.padEnd(6)} ${cells}  ${words.join(' ') || '(defaults)'}`)
    }
  return 0
}

start(main)
