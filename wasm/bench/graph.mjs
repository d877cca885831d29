#!/usr/bin/env node
// How long a large graph takes in the module: reading it, lowering it, and all that the page gets of it.
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
  let last = '150528'
  const tensors = [`tensor,${name(0)},150528,input,,1x224x224x3,int8`]
  const rows = []
  for (let k = 1; k <= ops; k++) {
    const same = pick(3) === 0
    const inputs = [name(k - 1)]
    const bytes = same ? last : `${1024 * (1 + pick(512))}`
    last = bytes
    if (!same && k > 40 && pick(3) === 0) inputs.push(name(k - 2 - pick(38)))
    const weights = same ? '' : `tensor,weights_${k},${9 * (1 + pick(4096))},constant\n`
    if (!same) inputs.push(`weights_${k}`)
    tensors.push(`${weights}tensor,${name(k)},${bytes},${k === ops ? 'output' : ''}`)
    const pair = `${name(k)}=${name(k - 1)}`
    const more = !same ? `,,,${pick(2) * 4096}` : pick(2) ? `,${pair}` : `,,${pair}`
    rows.push(`op,layer_${k},${same ? 'Relu' : 'Conv'},${inputs.join(';')},${name(k)}${more}`)
  }
  return `${tensors.join('\n')}\n${rows.join('\n')}\n`
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
  const text = network(ops)
  console.log(`${ops} operators, ${text.length} characters; milliseconds of the processor, best of ${repeat}`)
  console.log('buffers     read    lower     page  options')
  for (const options of OPTIONS) {
    const { read, lower, page, buffers } = await measureGraph(readFileSync(values.wasm), text, options, repeat)
    const cells = [read, lower, page].map((ms) => ms.toFixed(1).padStart(8)).join(' ')
    const words = Object.entries(options).map(([key, value]) => `${key}=${value}`)
    console.log(`${String(buffers).padStart(7)} ${cells}  ${words.join(' ') || '(defaults)'}`)
  }
  return 0
}

start(main)
