/** Names of files come from outside: what would turn or hide the letters around them is written out wherever they are shown. */
import { describe, expect, it } from 'vitest'
import { visible } from '../../../web/src/base/format'
import { nameOf } from '../../../web/src/state/workbench_values'

describe('a name from outside', () => {
  it('is shown as it is if it only has letters', () => {
    for (const name of ['', 'model.csv', 'Größe 2.csv', 'ميموري.csv', '模型.onnx', 'a-b_c (1).tflite', '🙂.csv'])
      expect(visible(name)).toBe(name)
  })

  it('has what turns, ends or hides written out', () => {
    expect(visible('gnp.\u202efdp.csv')).toBe('gnp.\\u202efdp.csv')
    expect(visible('a\u0000\n\t\u001b[31m\u007f\u0085')).toBe('a\\x00\\x0a\\x09\\x1b[31m\\x7f\\u0085')
    for (const code of [0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x2066, 0x2069])
      expect(visible(String.fromCharCode(code))).toBe(`\\u${code.toString(16).padStart(4, '0')}`)
    expect(visible(visible('\u202e'))).toBe('\\u202e')
  })

  it('is so of a text, of a model and of what a link names', () => {
    const name = '\u202evsc.model'
    expect(nameOf({ kind: 'text', name })).toBe('\\u202evsc.model')
    expect(nameOf({ kind: 'model', name, lowering: {}, from: { kind: 'file', format: 'csv' } })).toBe(
      '\\u202evsc.model',
    )
    expect(nameOf({ kind: 'example', file: 'five.csv', title: 'Five' })).toBe('five.csv')
    expect(nameOf(undefined)).toBe('')
  })
})
