/**
 * Windows as numbers: what of an input a range of the output needs, and the window of a part of the operator. core/src/io/README.md says what
 * the entries mean, core/src/graph/window.c reads them the same way.
 */

/** From low to before high. */
export interface Range {
  low: number
  high: number
}

/** An entry that names elements: of a slide those from i × stride + begin on, of a spread those that reach i. */
export interface Axis {
  kind: 'slide' | 'spread'
  /** of the output */
  dimension: number
  kernel: number
  stride: number
  begin: number
}

const ENTRY = /^(?:(\d+):)?(\d+)(?:([/^])(\d+))?(?:([+-])(\d+))?$/

/** null: all of the dimension, or the inputs lie one behind another in it. dimension: of the input. */
export function axisOf(entry: string, dimension: number): Axis | null {
  const found = ENTRY.exec(entry)
  if (found === null) return null
  const [, follows, kernel, form, stride = '1', sign, begin = '0'] = found
  return {
    kind: form === '^' ? 'spread' : 'slide',
    dimension: follows === undefined ? dimension : Number(follows),
    kernel: Number(kernel),
    stride: Number(stride),
    begin: sign === '-' ? -Number(begin) : Number(begin),
  }
}

/** What of the input's dimension of that size the range of the output needs; it may be empty. */
export function needed(axis: Axis, { low, high }: Range, size: number): Range {
  const { kind, kernel, stride, begin } = axis
  const [from, to] =
    kind === 'slide'
      ? [low * stride + begin, (high - 1) * stride + begin + kernel]
      : [Math.floor((low - begin - kernel) / stride) + 1, Math.floor((high - 1 - begin) / stride) + 1]
  const first = Math.min(size, Math.max(0, from))
  return { low: first, high: Math.max(first, Math.min(size, to)) }
}

/** The entry as it reads where the output begins at `output` of what it was, and the input at `input`. dimension: of the input. */
export function shifted(axis: Axis, dimension: number, output: number, input: number): string {
  const { kind, kernel, stride } = axis
  const begin = axis.begin + (kind === 'slide' ? output * stride - input : input * stride - output)
  const follows = axis.dimension === dimension ? '' : `${axis.dimension}:`
  const form = kind === 'spread' ? `^${stride}` : stride === 1 && begin === 0 ? '' : `/${stride}`
  const from = begin === 0 ? '' : begin < 0 ? String(begin) : `+${begin}`
  return `${follows}${kernel}${form}${from}`
}

/** Of each input its entries, as many lists as there are inputs; [] where nothing is known. */
export function entriesOf(windows: string, inputs: number): string[][] {
  const texts = windows.split(';').map((text) => text.split(' ').filter(Boolean))
  return Array.from({ length: inputs }, (_, k) => texts[Math.min(k, texts.length - 1)] ?? [])
}
