/** What of each input a part of an operator's output needs, as text: core/src/io/README.md says what the entries mean. */

/** All of the dimension. */
export const ALL = '*'
/** The same element. */
export const SAME = '1'
/** The inputs lie one behind another. */
export const JOINED = '+'

/** What goes behind the kernel and the stride: where the first window begins. */
const from = (pad: number) => (pad > 0 ? `-${pad}` : pad < 0 ? `+${-pad}` : '')

/** Element i is made of the `kernel` elements from i × stride − pad on. */
export function slide(kernel: number, stride = 1, pad = 0): string {
  return `${kernel}${stride === 1 ? '' : `/${stride}`}${from(pad)}`
}

/** Element j goes into the `kernel` elements from j × stride − pad on. */
export function spread(kernel: number, stride: number, pad = 0): string {
  return `${kernel}^${stride}${from(pad)}`
}

/**
 * Sizes that are multiples of each other, sampled: each element is made of those next to it at the most, whatever is interpolated and wherever
 * the grids begin.
 */
export function resized(from: number, to: number): string {
  if (from === to) return slide(3, 1, 1)
  if (to % from === 0) return spread((3 * to) / from, to / from, to / from)
  return from % to === 0 ? slide((3 * from) / to, from / to, from / to) : ALL
}

/** The same element of the output's dimension of that number. */
export const follows = (dimension: number) => `${dimension}:1`

/** Of an input of this shape, element by element: where it has but one, that is it. */
export function each(input: readonly number[], output: readonly number[]): string[] {
  const more = output.length - input.length
  return input.map((size, k) => {
    if (size !== output[k + more]) return ALL
    return more === 0 ? SAME : follows(k + more)
  })
}

/** The windows of an operator, one list of entries for each input; the last is that of all further ones as well. */
export function windowsText(inputs: readonly (readonly string[])[]): string {
  const texts = inputs.map((entries) => entries.join(' '))
  while (texts.length > 1 && texts[texts.length - 1] === texts[texts.length - 2]) texts.pop()
  return texts.join(';')
}

/** The windows of those of an operator's inputs that are kept. */
export function windowsOf(text: string, kept: readonly boolean[]): string {
  const texts = text.split(';')
  const all = kept.map((_, k) => texts[Math.min(k, texts.length - 1)] as string)
  return windowsText(all.filter((_, k) => kept[k]).map((entries) => entries.split(' ')))
}

/**
 * The windows of an operator's inputs, '' unless those of all that are not constant are known. Constants have none, whatever stands at their
 * place.
 */
export function windowsOfInputs(
  inputs: readonly { constant: boolean; rank: number | undefined; reads: readonly string[] | undefined }[],
): string {
  const data = inputs.filter(({ constant }) => !constant)
  if (data.length === 0 || data.some(({ rank, reads }) => !reads || reads.length === 0 || reads.length !== rank))
    return ''
  let last = data[0]?.reads ?? []
  return windowsText(
    inputs.map(({ constant, reads = [] }) => {
      if (!constant) last = reads
      return last
    }),
  )
}
