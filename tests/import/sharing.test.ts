import { describe, expect, it } from 'vitest'
import type { Tensor } from '../../web/src/import/graph'
import { sharing } from '../../web/src/import/sharing'

/** x:float32[2,3], with ! for a constant and ~ for a variable before it. */
function tensor(text: string): Tensor {
  const [, sign, dtype, sides] = /^([!~]?)(\w+)\[(.*)\]$/.exec(text) ?? []
  const shape = sides ? sides.split(',').map(Number) : []
  const bytes = shape.reduce((product, side) => product * side, dtype === 'float32' ? 4 : 1)
  const kind = sign === '!' ? { constant: true } : sign === '~' ? { variable: true } : {}
  return { id: text, bytes, kind, shape, dtype: dtype ?? '' }
}

function of(type: string, inputs: string, outputs: string) {
  const ins = inputs.split(' ').map(tensor)
  const outs = outputs.split(' ').map(tensor)
  const made = sharing(
    type,
    ins.map((_, index) => index),
    outs.map((_, index) => ins.length + index),
    [...ins, ...outs],
  )
  const from = (pairs: typeof made.inplace) =>
    pairs?.map(([output, input]) => `${output - ins.length}<${input}`).join(' ')
  return {
    ...(made.inplace ? { inplace: from(made.inplace) } : {}),
    ...(made.alias ? { alias: from(made.alias) } : {}),
  }
}

describe('which output may take over which input', () => {
  it.each([
    ['RELU6', 'int8[2,3]', 'int8[2,3]', '0<0'],
    ['LeakyRelu', 'int8[2,3]', 'int8[2,3]', '0<0'],
    ['LEAKY_RELU', 'int8[2,3]', 'int8[2,3]', '0<0'],
    ['ADD', 'int8[2,3] int8[2,3]', 'int8[2,3]', '0<0 0<1'],
    ['Add', 'int8[3] int8[2,3]', 'int8[2,3]', '0<1'],
    ['Add', 'int8[1,3] int8[3]', 'int8[1,3]', '0<0 0<1'],
    ['Mul', 'int8[2,1] int8[1,3]', 'int8[2,3]', undefined],
    ['Mul', '!int8[2,3] int8[2,3]', 'int8[2,3]', '0<1'],
    ['Add', '~int8[2,3] int8[3]', 'int8[2,3]', undefined],
    ['QUANTIZE', 'float32[2]', 'int8[2]', undefined],
    ['QUANTIZE', 'int8[2]', 'int8[2]', '0<0'],
    ['Where', 'bool[2] int8[2] int8[2]', 'int8[2]', '0<1 0<2'],
    ['WHERE', 'int8[2,2]', 'int8[2,2]', undefined],
    ['Sum', 'float32[2] float32[2]', 'float32[2]', '0<0 0<1'],
    ['SUM', 'float32[2] int32[1]', 'float32[2]', undefined],
    ['Conv', 'int8[2,3]', 'int8[2,3]', undefined],
    ['Softmax', 'int8[2,3]', 'int8[2,3]', undefined],
    ['TRANSPOSE', 'int8[2,2]', 'int8[2,2]', undefined],
  ])('%s of %s into %s: %s', (type, inputs, outputs, inplace) => {
    expect(of(type, inputs, outputs)).toEqual(inplace === undefined ? {} : { inplace })
  })

  it.each([
    ['RESHAPE', 'int8[2,3] !int32[1]', 'int8[6]', '0<0'],
    ['Flatten', 'int8[2,3]', 'int8[6]', '0<0'],
    ['EXPAND_DIMS', 'int8[2,3]', 'int8[1,2,3]', '0<0'],
    ['Dropout', 'int8[6]', 'int8[6] bool[6]', '0<0'],
    ['Identity', '!int8[6]', 'int8[6]', '0<0'],
    ['Reshape', 'int8[6]', 'int8[7]', undefined],
  ])('%s of %s is seen as %s', (type, inputs, outputs, alias) => {
    expect(of(type, inputs, outputs)).toEqual(alias === undefined ? {} : { alias })
  })

  it('says nothing of what has no input, no output or no known type', () => {
    expect(sharing('RELU', [], [], [])).toEqual({})
    const unknown = { id: 'a', bytes: 4, kind: {} }
    expect(sharing('RELU', [0], [1], [unknown, unknown])).toEqual({})
  })
})
