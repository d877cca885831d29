import { describe, expect, test } from 'vitest'
import { nameOf } from '../../../web/src/import/onnx/dtypes'
import { cases, modelOf, titleOf } from './cases'
import { randomModel } from './random'
import { inferAll, type Inferred, installed, itsModels } from './reference'
import { importBytes, madeOf, writeModel } from './writer'

interface Comparison {
  /** shapes that both know */
  compared: number
  differences: string[]
}

interface Model {
  title: string
  bytes: Uint8Array
}

function compare(models: readonly Model[]): Comparison {
  const made: Comparison = { compared: 0, differences: [] }
  const inferred = inferAll(models.map((model) => model.bytes))
  models.forEach(({ title, bytes }, k) => {
    const theirs = inferred[k] as Inferred
    if ('error' in theirs) {
      made.differences.push(`${title}: ${theirs.error}`)
      return
    }
    const { shapes } = madeOf(bytes)
    for (const [name, [type, dims]] of Object.entries(theirs)) {
      // they name a constant, we leave out those that nobody reads
      if (!dims || dims.includes(null) || shapes[name] === undefined) continue
      made.compared++
      const text = `${nameOf(type)}[${dims.join(', ')}]`
      if (shapes[name] !== text) made.differences.push(`${title} ${name}: ours ${shapes[name]}, theirs ${text}`)
    }
  })
  return made
}

describe(`beside the official package${installed ? '' : ' (left out: the Python package onnx is not installed)'}`, () => {
  test.skipIf(!installed)('the table of operators', () => {
    const rows = cases.filter((one) => !(one.out instanceof RegExp) && !one.domain)
    const { compared, differences } = compare(
      rows.map((one) => ({ title: titleOf(one), bytes: writeModel(modelOf(one)) })),
    )
    expect(differences).toEqual([])
    expect(compared).toBeGreaterThan(400)
  })
  test.skipIf(!installed)('random models', () => {
    const models = Array.from({ length: 60 }, (_, seed) => ({
      title: `seed ${seed}`,
      bytes: writeModel(randomModel(seed, 40)),
    }))
    const { compared, differences } = compare(models)
    expect(differences).toEqual([])
    expect(compared).toBeGreaterThan(1000)
  })
  test.skipIf(!installed)('the models that come with it, ResNet-50 and DenseNet-121 among them', () => {
    const models = [...itsModels()].map(([title, bytes]) => ({ title, bytes }))
    // what is asked for are texts and sequences
    const whole = models.filter(({ bytes }) => importBytes(bytes).ok)
    expect(models.length - whole.length).toBeLessThan(0.1 * models.length)
    const { compared, differences } = compare(whole)
    expect(differences).toEqual([])
    expect(compared).toBeGreaterThan(1000)
  })
  test.skipIf(!installed)("its ResNet-50, fused, has the operators and bytes of the paper's", () => {
    const bytes = [...itsModels()].find(([title]) => title.endsWith('light_resnet50.onnx'))?.[1]
    const { graph } = madeOf(bytes as Uint8Array, { fuse: true })
    const count = (type: string) => graph.ops.filter((op) => op.type === type).length
    expect([count('Conv'), count('Sum'), count('Gemm'), graph.ops.length]).toEqual([53, 16, 1, 74])
    const seen = new Set(graph.ops.flatMap((op) => (op.alias ?? []).map(([output]) => output)))
    const own = graph.tensors.filter((tensor, i) => !tensor.kind.constant && !seen.has(i))
    // input, 53 convolutions, 16 sums, two pools and 1,000 scores, counted by hand, are 16,987,624 elements; then the softmax of the scores
    expect(own.reduce((sum, tensor) => sum + tensor.bytes, 0)).toBe(4 * (16_987_624 + 1000))
  })
})
