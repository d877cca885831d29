import { expect, it } from 'vitest'
import { beginning, shortened } from '../../../web/src/base/format'

it('cuts a text where a letter begins', () => {
  const text = 'ab😀cd'
  expect([0, 1, 2, 3, 4, 5, 6, 7].map((most) => beginning(text, most))).toEqual([
    ...['', 'a', 'ab', 'ab', 'ab😀', 'ab😀c', 'ab😀cd', 'ab😀cd'],
  ])
  expect([3, 4, 5, 6].map((most) => shortened(text, most))).toEqual(['ab…', 'ab…', 'ab😀…', 'ab😀cd'])
  for (let most = 1; most < text.length; most++)
    expect(shortened(text, most)).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
})
