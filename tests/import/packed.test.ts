/** A graph that crosses as arrays is the graph that crosses as text, to the last step of a search. */
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { generate, zoo } from '../../examples/zoo'
import type { Core } from '../../wasm/client/core'
import type { OpenGraphResult, ProfileSpec } from '../../wasm/client/types'
import type { Graph } from '../../web/src/import/graph'
import { writeGraphCsv, writePackedCsv } from '../../web/src/import/graph_csv'
import { packGraph } from '../../web/src/import/packed'
import { makeCore } from '../wasm/support'
import { randomModel } from './onnx/random'
import { graphOf, madeOf } from './onnx/writer'
import { modelOf, openWakeWord, type Package, wakeWords } from './package_models'
import { readGraph } from './read'
import { small, writeTflite } from './tflite/writer'

let core: Core

beforeAll(async () => {
  core = await makeCore()
})

const WAYS: Record<string, string>[] = [
  {},
  { constants: 'streamed', prefetch: '2', alignment: '16', align_by: 'size', order: 'greedy' },
  { constants: 'resident', inplace: 'true', alias: 'false', workspace: 'false' },
]
const NPU: ProfileSpec = { capacity: 0, reserved: 0, alignment: 64, alignBy: 'both', bank: 0, mayCross: true }

/** All that the page gets, and a search on it. */
function told(result: OpenGraphResult | ReturnType<Core['reopenWith']>) {
  if (!result.ok) throw new Error(JSON.stringify(result.errors))
  const { problem, model } = result
  const capacity = Math.max(1, problem.lowerBound)
  core.start({ solver: 'minimalloc', capacity, seed: 1, budget: 500, options: {} })
  while (core.step(500) === 'running');
  return { problem, model, digest: core.stats().digest, steps: core.stats().steps }
}

/** Arrays of thousands, which Vitest would go through one by one: it does where they differ, to say where. */
function alike(made: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(made, expected)) expect(made).toEqual(expected)
}

function compare(graph: Graph): void {
  const packed = packGraph(graph)
  const text = writeGraphCsv(graph)
  expect(writePackedCsv(packed)).toBe(text)
  const byText = WAYS.map((way) => told(core.openGraph(text, way)))
  const placed = told(core.openGraph(text, WAYS[1] ?? {}, NPU))
  const byArrays = WAYS.map((way) => told(core.openGraph(packed, way)))
  alike(byArrays, byText)
  // once more of the graph that is open, in the memory of a profile, and back
  alike(told(core.reopenWith(WAYS[1] ?? {}, NPU)), placed)
  alike(
    WAYS.map((way) => told(core.reopenWith(way, null))),
    byText,
  )
  expect(byText[0]?.steps).toBeGreaterThan(0)
}

describe('by arrays as by text', () => {
  it.each(zoo)('$id', async (entry) => {
    compare(await generate(entry, {}))
  })

  it('a TFLite model', () => {
    compare(readGraph(writeTflite(small)).graph)
  })

  it('ONNX models', () => {
    for (let seed = 1; seed <= 25; seed++) compare(graphOf(randomModel(seed, 4 + seed), { fuse: seed % 2 === 0 }).graph)
  })

  it('names that a text has to quote, and all that a graph can have', () => {
    compare({
      name: 'odd names',
      tensors: [
        { id: 'in;put=1', bytes: 64, kind: { input: true, output: true }, shape: [1, 8, 8], dtype: 'int8' },
        { id: 'weights, "a\\b"', bytes: 7, kind: { constant: true }, alignment: 16 },
        { id: '#layer 1/Relu:0', bytes: 64, kind: {}, shape: [], dtype: 'odd,type' },
        { id: '\ufeffgröße', bytes: 64, kind: {}, shape: Array.from({ length: 200 }, () => 12) },
        { id: ' state ', bytes: 8, kind: { variable: true } },
        { id: 'scratch', bytes: 5, kind: { workspace: true } },
        { id: 'out', bytes: 2 ** 50, kind: { output: true } },
      ],
      ops: [
        { id: 'a,b', type: 'Conv;2', inputs: [0, 1, 5], outputs: [2], workspace: 12 },
        { id: 'c', type: '', inputs: [2, 4], outputs: [3], inplace: [[3, 2]] },
        { id: 'd', type: 'Reshape', inputs: [3], outputs: [6], alias: [[6, 3]] },
      ],
    })
  })

  const files: [Package, string, (bytes: Uint8Array) => Graph][] = [
    [wakeWords, 'pymicro_wakeword/models/okay_nabu.tflite', (bytes) => readGraph(bytes).graph],
    [
      openWakeWord,
      'package/models/melspectrogram.tflite',
      (bytes) => readGraph(bytes, { dims: { batch: 1, dim1: 12640 } }).graph,
    ],
    [
      { registry: 'pypi', name: 'silero-vad', version: '6.2.3' },
      'silero_vad/data/silero_vad.onnx',
      (bytes) => madeOf(bytes, { fuse: true, dims: { 'input[0]': 1, 'input[1]': 512, 'state[1]': 1 } }).graph,
    ],
  ]
  it.each(files)('%o', { timeout: 240_000 }, (from, path, read) => {
    const bytes = modelOf(from, path)
    // the package may not be to be had here; the models above always are
    if (bytes !== null) compare(read(bytes))
  })
})

it('a text with a NUL is a fault of the importer', () => {
  const graph = { name: '', tensors: [{ id: 'a\0b', bytes: 1, kind: {} }], ops: [] }
  expect(() => packGraph(graph)).toThrow('NUL')
})
