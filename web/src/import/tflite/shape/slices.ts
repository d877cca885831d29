/** Operators of TFLite that take parts of tensors or put them together. */
import { type Known, type Results, tensor } from '../../onnx/shape/rule'
import type { TfliteCall, TfliteRules } from './call'

const INT64 = 7
const FAR = 2 ** 31

function list(values: readonly number[]): Known {
  return tensor(INT64, [values.length], values)
}

function only(made: Results): Known {
  return made[0] ?? { dtype: 0 }
}

/** size -1 goes to the end. */
function slice(call: TfliteCall): Results {
  const begin = call.values(1)
  const size = call.values(2)
  const end = begin.map((from, axis) => (size[axis] === -1 ? FAR : from + (size[axis] ?? 0)))
  return call.as('Slice', {}, [call.at(0), list(begin), list(end)])
}

/** What a strided slice does to one axis of its input, or that it makes a new one. */
type Part =
  | { kind: 'new' }
  | { kind: 'whole' }
  | { kind: 'taken'; from: number; to: number; step: number; drop: boolean }

/** Bits of the five masks, as slots of the options. */
const BEGIN = 0
const END = 1
const ELLIPSIS = 2
const NEW = 3
const SHRINK = 4
const END_IS_LENGTH = 5

function partsOf(call: TfliteCall, shape: readonly number[]): Part[] {
  const [begin, end, steps] = [call.values(1), call.values(2), call.values(3)]
  const bit = (mask: number, at: number) => (call.int(mask) & (1 << at)) !== 0
  const added = begin.filter((_, at) => bit(NEW, at) && !bit(ELLIPSIS, at)).length
  const parts: Part[] = []
  let axis = 0
  for (const at of begin.keys()) {
    if (bit(ELLIPSIS, at)) {
      const rest = shape.length - (begin.length - added - 1)
      for (let k = 0; k < rest; k++) parts.push({ kind: 'whole' })
      axis += Math.max(0, rest)
      continue
    }
    if (bit(NEW, at)) {
      parts.push({ kind: 'new' })
      continue
    }
    const size = shape[axis++]
    if (size === undefined) call.wrong(`it slices ${begin.length} axes of ${shape.length}`)
    const step = steps[at] ?? 1
    const first = begin[at] ?? 0
    if (bit(SHRINK, at)) {
      const from = first < 0 ? first + size : first
      parts.push({ kind: 'taken', from, to: from + 1, step: 1, drop: true })
      continue
    }
    const last = call.byte(END_IS_LENGTH) !== 0 ? first + (end[at] ?? 0) : (end[at] ?? 0)
    const from = bit(BEGIN, at) ? (step > 0 ? 0 : FAR) : first
    const to = bit(END, at) ? (step > 0 ? FAR : -FAR) : last
    parts.push({ kind: 'taken', from, to, step, drop: false })
  }
  return parts
}

function strided(call: TfliteCall): Results {
  const parts = partsOf(call, call.shape(0))
  const of = parts.filter((part) => part.kind !== 'new')
  const taken = of.flatMap((part, axis) => (part.kind === 'taken' ? [{ ...part, axis }] : []))
  const numbers = (pick: (part: (typeof taken)[number]) => number) => list(taken.map(pick))
  let made = call.at(0)
  if (taken.length > 0) {
    const by = [numbers((p) => p.from), numbers((p) => p.to), numbers((p) => p.axis), numbers((p) => p.step)]
    made = only(call.as('Slice', {}, [made, ...by]))
  }
  const dropped = taken.filter((part) => part.drop).map(({ axis }) => axis)
  if (dropped.length > 0) made = only(call.as('Squeeze', { axes: dropped }, [made]))
  const kept = parts.filter((part) => part.kind !== 'taken' || !part.drop)
  const axes = kept.flatMap((part, axis) => (part.kind === 'new' ? [axis] : []))
  return axes.length > 0 ? call.as('Unsqueeze', { axes }, [made]) : [made]
}

function pack(call: TfliteCall): Results {
  const axis = call.axis(call.int(1), call.shape(0).length + 1)
  const each = Array.from({ length: call.inputs }, (_, input) =>
    only(call.as('Unsqueeze', { axes: [axis] }, [call.at(input)])),
  )
  return call.as('Concat', { axis }, each)
}

function unpack(call: TfliteCall): Results {
  const axis = call.axis(call.int(1), call.rank(0, 1).length)
  return call.as('Split', { axis }).map((made) => made && only(call.as('Squeeze', { axes: [axis] }, [made])))
}

/** A size of -1 takes what the others leave. */
function sizes(call: TfliteCall, axis: number): readonly number[] {
  const given = call.values(1)
  const rest = given.reduce((left, size) => (size < 0 ? left : left - size), call.shape(0)[axis] ?? 0)
  return given.map((size) => (size < 0 ? rest : size))
}

export const slices: TfliteRules = {
  SLICE: slice,
  STRIDED_SLICE: strided,
  CONCATENATION: (call) => call.as('Concat', { axis: call.int(0) }),
  PACK: pack,
  UNPACK: unpack,
  SPLIT: (call) => call.as('Split', { axis: call.value(0) }, [call.at(1)]),
  SPLIT_V: (call) => {
    const axis = call.axis(call.value(2), call.rank(0, 1).length)
    return call.as('Split', { axis, split: sizes(call, axis) }, [call.at(0)])
  },
}
