import { describe, expect, test } from 'vitest'
import { cases, inputOf, modelOf, titleOf, written } from './cases'
import { graphOf, type NodeSpec, refusedOf } from './writer'

describe('the shapes that operators make', () => {
  test('the table is a large one, and names no case twice', () => {
    expect(cases.length).toBeGreaterThan(240)
    expect(new Set(cases.map((one) => titleOf(one) + String(one.out))).size).toBe(cases.length)
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
      expect(one.out.map((_, i) => written(shapes[`y${i}`]))).toEqual(one.out)
    })
})

/** Operators on constants and on the shape of x, [2,3,4]: the values of y, seen as the shape that ConstantOfShape makes of them. */
const folded: [string, string, string, NodeSpec['attrs']?][] = [
  ['Identity', 's', '[2,3,4]'],
  ['Add', '=[1,2] =[3]', '[4,5]'],
  ['Sub', '=[9,8] =[3,1]', '[6,7]'],
  ['Mul', 's =2', '[4,6,8]'],
  ['Div', '=[7,9] =[2]', '[3,4]'],
  ['Abs', '=[-7]', '[7]'],
  ['Neg', '=[-7]', '[7]'],
  ['Mod', '=[7,-7] =[4]', '[3,1]'],
  ['Max', '=[7,1] =[4]', '[7,4]'],
  ['Min', '=[7,1] =[4]', '[4,1]'],
  ['Pow', '=[2,3] =2', '[4,9]'],
  ['Concat', 's =[5]', '[2,3,4,5]', { axis: 0 }],
  ['Gather', 's =[2,-3]', '[4,2]'],
  ['Slice', 's =[1] =[most]', '[3,4]'],
  ['Slice', 's =[-1] =[least] =[0] =[-1]', '[4,3,2]'],
  ['Slice', 's =[0] =[3] =[0] =[2]', '[2,4]'],
  ['Squeeze', '=[5]', '[5]'],
  ['ReduceProd', 's =[0]', '[24]'],
  ['ReduceSum', 's =[0]', '[9]'],
  ['ReduceMax', 's =[0]', '[4]'],
  ['ReduceMin', 's =[0]', '[2]'],
  ['Cast', 's', '[2,3,4]', { to: 7 }],
  ['Range', '=1 =9 =3', '[1,4,7]'],
  ['Tile', 's =[2]', '[2,3,4,2,3,4]'],
  ['Expand', '=[6] =[3]', '[6,6,6]'],
  ['Transpose', 's', '[2,3,4]'],
  ['ConstantOfShape', '=[2]', '[7,7]', { value: { tensor: { dims: [1], data: [7] } } }],
  ['Reshape', 's =[-1]', '[2,3,4]'],
  ['Clip', 's =3', '[3,3,4]'],
  ['Relu', '=[-1,5]', '[0,5]'],
  ['Sign', '=[9]', '[1]'],
  ['Sum', 's s =[1]', '[5,7,9]'],
]

describe('the integers that shapes are made of', () => {
  for (const [op, inputs, values, attrs] of folded)
    test(`${op} ${inputs}`, () => {
      const words = inputs.split(' ')
      const stored = words.flatMap((text, i) => {
        const made = text === 's' ? undefined : inputOf(`x${i}`, text)
        return made && 'stored' in made ? [made.stored] : []
      })
      const names = words.map((text, i) => (text === 's' ? 's' : `x${i}`))
      const make: NodeSpec = { op, in: names, out: ['v'], ...(attrs ? { attrs } : {}) }
      const { shapes } = graphOf({
        opset: 18,
        inputs: [{ name: 'x', dims: [2, 3, 4] }],
        outputs: ['y'],
        stored,
        nodes: [
          { op: 'Shape', in: ['x'], out: ['s'] },
          make,
          { op: 'Reshape', in: ['v', 'list'], out: ['flat'] },
          { op: 'ConstantOfShape', in: ['flat'], out: ['y'] },
          { op: 'Constant', in: [], out: ['list'], attrs: { value_ints: [-1] } },
        ],
      })
      expect(written(shapes.y)).toBe(values)
    })
})
