import { describe, expect, test } from 'vitest'
import { nameOf } from '../../web/src/import/onnx/dtypes'
import { cases, modelOf, titleOf } from './onnx_cases'
import { randomModel } from './onnx_random'
import { inferAll, type Inferred, installed, itsModels } from './onnx_reference'
import { importBytes, madeOf, writeModel } from './onnx_writer'

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
})
