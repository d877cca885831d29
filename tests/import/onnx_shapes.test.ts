import { describe, expect, test } from 'vitest'
import { cases, modelOf, titleOf } from './onnx_cases'
import { graphOf, refusedOf } from './onnx_writer'

describe('the shapes that operators make', () => {
  test('the table is a large one, and names no case twice', () => {
    expect(cases.length).toBeGreaterThan(200)
    expect(new Set(cases.map((one) => (one.domain ?? '') + titleOf(one) + String(one.out))).size).toBe(cases.length)
  })
  for (const one of cases)
    test(titleOf(one), () => {
      if (one.out instanceof RegExp) {
        const refused = refusedOf(modelOf(one))
        expect(refused.message).toMatch(one.out)
        expect(refused.questions).toEqual([])
        return
      }
      const { shapes } = graphOf(modelOf(one))
      one.out.forEach((wanted, i) => {
        expect(shapes[`y${i}`]).toBe(typeof wanted === 'string' ? wanted : `float32[${wanted?.join(', ')}]`)
      })
    })
})
