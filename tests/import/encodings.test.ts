/** Texts of tools as shells, editors and devices leave them: the same comes of each. */
import { describe, expect, it } from 'vitest'
import { read } from './read'
import { assignment, ir, ranges, tflm, trace, vela } from './samples'

const TEXTS = {
  'tflm-log': tflm,
  vela,
  xla: `${assignment}\n${ranges}`,
  iree: ir,
  'chrome-trace': JSON.stringify(trace, null, 1),
  'graph-json': `{"tensors": [{"id": "x", "bytes": 4}, {"id": "y", "bytes": 4}],
"ops": [{"id": "a", "type": "Relu", "inputs": ["x"], "outputs": ["y"]}], "inputs": ["x"], "outputs": ["y"]}
`,
}

function utf16(text: string, little: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * text.length))
  for (let k = 0; k < text.length; k++) view.setUint16(2 * k, text.charCodeAt(k), little)
  return new Uint8Array(view.buffer)
}

describe.each(Object.entries(TEXTS))('%s', (format, text) => {
  const windows = text.replaceAll('\n', '\r\n')
  it.each(
    Object.entries({
      'with a mark': `\ufeff${text}`,
      'of Windows': windows,
      'of Windows with a mark': `\ufeff${windows}`,
      'of an old Mac': text.replaceAll('\n', '\r'),
      'through a terminal': text.replaceAll('\n', '\r\r\n'),
      'redirected by PowerShell': utf16(`\ufeff${windows}`, true),
      'as UTF-16 of the other end': utf16(`\ufeff${text}`, false),
      'as UTF-16 without a mark': utf16(text, true),
      'as UTF-16 of the other end without a mark': utf16(text, false),
      'of DOS': `${windows}\u001a`,
      'filled with zeros': `${text}\0\0\0`,
    }),
  )('%s', (_, given) => {
    const whole = read(text)
    expect(whole).toMatchObject({ ok: true, format })
    expect(read(given)).toEqual(whole)
  })
})

it('of a device may have noise of its line', () => {
  expect(read(`\0\u0008${TEXTS['tflm-log']}`)).toEqual(read(TEXTS['tflm-log']))
})
