import { describe, expect, test } from 'vitest'
import { nameOf } from '../../web/src/import/onnx/dtypes'
import { cases, modelOf, titleOf } from './onnx_cases'
import { inferAll, installed } from './onnx_reference'
import { graphOf, writeModel } from './onnx_writer'

describe(`beside the official package${installed ? '' : ' (left out: the Python package onnx is not installed)'}`, () => {
  test.skipIf(!installed)('the table of operators', () => {
    const rows = cases.filter((one) => !(one.out instanceof RegExp) && !one.domain)
    const models = rows.map(modelOf)
    const theirs = inferAll(models.map(writeModel))
    let compared = 0
    const differences: string[] = []
    rows.forEach((one, k) => {
      const inferred = theirs[k]
      if (!inferred || 'error' in inferred) {
        differences.push(`${titleOf(one)}: ${JSON.stringify(inferred)}`)
        return
      }
      const { shapes } = graphOf(models[k] as never)
      for (const [name, [type, dims]] of Object.entries(inferred)) {
        if (!dims || dims.includes(null)) continue
        compared++
        const text = `${nameOf(type)}[${dims.join(', ')}]`
        if (shapes[name] !== text) differences.push(`${titleOf(one)} ${name}: ours ${shapes[name]}, theirs ${text}`)
      }
    })
    expect(differences).toEqual([])
    expect(compared).toBeGreaterThan(300)
  })
})
