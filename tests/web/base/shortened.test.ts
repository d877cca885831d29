import { expect, it } from 'vitest'
import { beginning, shortened, shortName } from '../../../web/src/base/format'

it('cuts a text where a letter begins', () => {
  const text = 'ab😀cd'
  expect([0, 1, 2, 3, 4, 5, 6, 7].map((most) => beginning(text, most))).toEqual([
    ...['', 'a', 'ab', 'ab', 'ab😀', 'ab😀c', 'ab😀cd', 'ab😀cd'],
  ])
  expect([3, 4, 5, 6].map((most) => shortened(text, most))).toEqual(['ab…', 'ab…', 'ab😀…', 'ab😀cd'])
  for (let most = 1; most < text.length; most++)
    expect(shortened(text, most)).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
})

it('leaves of the name of a tensor what tells it from others', () => {
  const name = 'model_1/encoder/query/MatMul:0'
  expect([30, 29, 16, 15, 10, 9, 8].map((most) => shortName(name, most))).toEqual([
    ...[name, '…/encoder/query/MatMul:0', '…/query/MatMul:0', '…/MatMul:0', '…/MatMul:0', '…MatMul:0', '…atMul:0'],
  ])
  expect(shortName('convolution_12', 8)).toBe('convolu…')
  expect(shortName('some/path/to/', 6)).toBe('…/to/')
  expect(shortName('a/b😀cd', 4)).toBe('…cd')
})
