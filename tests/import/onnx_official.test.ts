import { describe, expect, test } from 'vitest'
import { nameOf } from '../../web/src/import/onnx/dtypes'
import { cases, modelOf, titleOf } from './onnx_cases'
import { randomModel } from './onnx_random'
import { inferAll, installed } from './onnx_reference'
import { graphOf, type ModelSpec, writeModel } from './onnx_writer'

interface Comparison {
  /** shapes that both know */
  compared: number
  differences: string[]
}

function compare(models: readonly ModelSpec[], titles: readonly string[]): Comparison {
  const made: Comparison = { compared: 0, differences: [] }
  inferAll(models.map(writeModel)).forEach((theirs, k) => {
    if ('error' in theirs) {
      made.differences.push(`${titles[k]}: ${theirs.error}`)
      return
    }
    const { shapes } = graphOf(models[k] as ModelSpec)
    for (const [name, [type, dims]] of Object.entries(theirs)) {
      if (!dims || dims.includes(null)) continue
      made.compared++
      const text = `${nameOf(type)}[${dims.join(', ')}]`
      if (shapes[name] === text) continue
      const node = models[k]?.nodes.find((one) => one.out.includes(name))
      const inputs = node?.in.map((input) => shapes[input] ?? '-').join(' ')
      made.differences.push(
        `${titles[k]} ${name}: ours ${shapes[name]}, theirs ${text} (${node?.op} ${inputs} ${JSON.stringify(node?.attrs)})`,
      )
    }
  })
  return made
}

describe(`beside the official package${installed ? '' : ' (left out: the Python package onnx is not installed)'}`, () => {
  test.skipIf(!installed)('the table of operators', () => {
    const rows = cases.filter((one) => !(one.out instanceof RegExp) && !one.domain)
    const { compared, differences } = compare(rows.map(modelOf), rows.map(titleOf))
    expect(differences).toEqual([])
    expect(compared).toBeGreaterThan(300)
  })
  test.skipIf(!installed)('random models', () => {
    const models = Array.from({ length: 60 }, (_, seed) => randomModel(seed, 40))
    const titles = models.map((_, seed) => `seed ${seed}`)
    const { compared, differences } = compare(models, titles)
    expect(differences).toEqual([])
    expect(compared).toBeGreaterThan(1000)
  })
})
