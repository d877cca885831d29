/** Operators that take parts of tensors or put them together. */
import { elements, INT64 } from '../dtypes'
import { type Call, gathered, int64, type Known, list, place, type Results, type Rules, strides, tensor } from './rule'

function concat(call: Call): Results {
  const first = call.shape(0)
  const axis = call.axis(call.int('axis', call.opset < 4 ? 1 : 0), first.length)
  const shapes = Array.from({ length: call.inputs }, (_, i) => call.shape(i))
  for (const shape of shapes)
    if (shape.length !== first.length || shape.some((dim, i) => i !== axis && dim !== first[i]))
      call.wrong(`${list(shape)} cannot be joined to ${list(first)} along axis ${axis}`)
  const out = first.map((dim, i) => (i === axis ? shapes.reduce((sum, shape) => sum + (shape[i] as number), 0) : dim))
  const sources = shapes.map((_, i) => call.at(i).values)
  if (sources.some((values) => !values)) return [tensor(call.dtype(0), out)]
  const values = gathered(out, (at) => {
    let k = 0
    let along = at[axis] as number
    while (along >= (shapes[k]?.[axis] as number)) along -= shapes[k++]?.[axis] as number
    const from = at.map((x, i) => (i === axis ? along : x))
    return (sources[k] as readonly number[])[place(from, strides(shapes[k] as number[]))] as number
  })
  return [tensor(call.dtype(0), out, values)]
}

/** A part of a tensor that begins at from and goes in steps. */
function part(input: Known, out: readonly number[], from: readonly number[], steps: readonly number[]): Known {
  const { values, shape } = input
  const own = strides(shape ?? [])
  return tensor(
    input.dtype,
    out,
    values &&
      gathered(
        out,
        (at) =>
          values[
            at.reduce((k, x, i) => k + ((from[i] as number) + x * (steps[i] as number)) * (own[i] as number), 0)
          ] as number,
      ),
  )
}

function sizesOfSplit(call: Call, size: number): readonly number[] {
  const given = call.listed('split', 1)
  if (given && given.length > 0) {
    if (given.length !== call.outputs || given.some((n) => n < 0) || given.reduce((a, b) => a + b, 0) !== size)
      call.wrong(`split ${list(given)} does not divide ${size} among ${call.outputs} outputs`)
    return given
  }
  const count = call.int('num_outputs', call.outputs)
  if (count !== call.outputs) call.wrong(`num_outputs is ${count}, but there are ${call.outputs} outputs`)
  if (call.opset < 18 && size % count) call.wrong(`${size} does not divide into ${count} equal parts`)
  // the last part may be smaller
  const each = Math.ceil(size / count)
  return Array.from({ length: count }, (_, i) => Math.max(0, Math.min(each, size - i * each)))
}

function split(call: Call): Results {
  const input = call.shape(0)
  const axis = call.axis(call.int('axis', 0), input.length)
  const sizes = sizesOfSplit(call, input[axis] as number)
  let start = 0
  return sizes.map((size) => {
    const out = input.map((dim, i) => (i === axis ? size : dim))
    const from = input.map((_, i) => (i === axis ? start : 0))
    start += size
    return part(call.at(0), out, from, new Array(input.length).fill(1))
  })
}

/** Ends are clamped to the tensor; a negative step goes backwards from its start. */
function slice(call: Call): Results {
  const input = call.shape(0)
  const starts = call.listed('starts', 1) ?? call.wrong('it has no starts')
  const ends = call.listed('ends', 2) ?? call.wrong('it has no ends')
  const given = call.listed('axes', 3) ?? starts.map((_, i) => i)
  const axes = call.axes(given, input.length)
  const steps = call.has(4) ? call.values(4) : starts.map(() => 1)
  if (ends.length !== starts.length || axes.length !== starts.length || steps.length !== starts.length)
    call.wrong('starts, ends, axes and steps differ in length')
  const out = [...input]
  const from = input.map(() => 0)
  const by = input.map(() => 1)
  axes.forEach((axis, k) => {
    const size = input[axis] as number
    const step = steps[k] as number
    if (step === 0) call.wrong('a step is 0')
    const place = (value: number): number => (value < 0 ? value + size : value)
    const bound = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)
    const start = step > 0 ? bound(place(starts[k] as number), 0, size) : bound(place(starts[k] as number), 0, size - 1)
    const end = step > 0 ? bound(place(ends[k] as number), 0, size) : bound(place(ends[k] as number), -1, size - 1)
    out[axis] = size === 0 ? 0 : Math.max(0, Math.ceil((end - start) / step))
    from[axis] = start
    by[axis] = step
  })
  return [part(call.at(0), out, from, by)]
}

function gather(call: Call): Results {
  const data = call.rank(0, 1)
  const indices = call.shape(1)
  const axis = call.axis(call.int('axis', 0), data.length)
  const out = [...data.slice(0, axis), ...indices, ...data.slice(axis + 1)]
  const values = call.at(0).values
  const picks = call.at(1).values
  if (!values || !picks) return [tensor(call.dtype(0), out)]
  const size = data[axis] as number
  if (picks.some((k) => k < -size || k >= size)) call.wrong(`an index of ${list(picks)} is outside of ${size} elements`)
  const own = strides(data)
  const inner = strides(indices)
  const folded = gathered(out, (at) => {
    const pick = picks[place(at.slice(axis, axis + indices.length), inner)] as number
    const from = [...at.slice(0, axis), pick < 0 ? pick + size : pick, ...at.slice(axis + indices.length)]
    return values[place(from, own)] as number
  })
  return [tensor(call.dtype(0), out, folded)]
}

function gatherElements(call: Call): Results {
  const data = call.rank(0, 1)
  return [tensor(call.dtype(0), call.rank(1, data.length, data.length))]
}

function gatherND(call: Call): Results {
  const data = call.rank(0, 1)
  const indices = call.rank(1, 1)
  const batch = call.int('batch_dims', 0)
  const depth = batch + (indices[indices.length - 1] as number)
  if (depth > data.length) call.wrong(`its indices ${list(indices)} reach deeper than the data ${list(data)}`)
  return [tensor(call.dtype(0), [...indices.slice(0, -1), ...data.slice(depth)])]
}

/** Begins of all axes, then ends; negative ones crop. */
function pad(call: Call): Results {
  const input = call.shape(0)
  const pads = call.ints('paddings') ?? call.listed('pads', 1) ?? call.wrong('it has no pads')
  const axes = call.has(3) ? call.axes(call.values(3), input.length) : input.map((_, i) => i)
  if (pads.length !== 2 * axes.length) call.wrong(`pads has ${pads.length} numbers for ${axes.length} axes`)
  const out = [...input]
  axes.forEach((axis, k) => {
    out[axis] = (input[axis] as number) + (pads[k] as number) + (pads[k + axes.length] as number)
  })
  if (out.some((dim) => dim < 0)) call.wrong(`pads ${list(pads)} leave nothing of ${list(input)}`)
  return [tensor(call.dtype(0), out)]
}

function centerCropPad(call: Call): Results {
  const input = call.shape(0)
  const sizes = call.values(1)
  const axes = call.axes(call.ints('axes') ?? input.map((_, i) => i), input.length)
  if (sizes.length !== axes.length) call.wrong(`${sizes.length} sizes are given for ${axes.length} axes`)
  return [
    tensor(
      call.dtype(0),
      input.map((dim, i) => (axes.includes(i) ? (sizes[axes.indexOf(i)] as number) : dim)),
    ),
  ]
}

function oneHot(call: Call): Results {
  const indices = call.shape(0)
  const depth = call.values(1)[0] ?? call.wrong('its depth is empty')
  const axis = call.axis(call.int('axis', -1), indices.length + 1)
  return [tensor(call.dtype(2), [...indices.slice(0, axis), Math.trunc(depth), ...indices.slice(axis)])]
}

function topK(call: Call): Results {
  const input = call.rank(0, 1)
  const k = call.opset < 10 ? call.int('k', 0) : call.values(1)[0]
  const axis = call.axis(call.int('axis', -1), input.length)
  if (k === undefined || k < 0 || k > (input[axis] as number)) call.wrong(`the top ${k} of ${input[axis]} are wanted`)
  const out = input.map((dim, i) => (i === axis ? k : dim))
  return [tensor(call.dtype(0), out), tensor(INT64, out)]
}

function nonZero(call: Call): Results {
  const { values } = call.at(0)
  const input = call.shape(0)
  if (!values) return [int64([input.length, call.ask(1, 'how many elements are not zero', 0)])]
  const own = strides(input)
  const places = values.flatMap((value, k) =>
    value === 0 ? [] : [input.map((dim, i) => Math.floor(k / (own[i] as number)) % dim)],
  )
  return [
    int64(
      [input.length, places.length],
      input.flatMap((_, i) => places.map((at) => at[i] as number)),
    ),
  ]
}

function compress(call: Call): Results {
  const input = call.shape(0)
  const chosen = call.known(1)
  const axis = call.attribute('axis')?.i
  const count = chosen ? chosen.filter(Boolean).length : call.ask(axis ?? 0, 'how many are chosen')
  if (axis === undefined) return [tensor(call.dtype(0), [count])]
  const along = call.axis(axis, input.length)
  return [
    tensor(
      call.dtype(0),
      input.map((dim, i) => (i === along ? count : dim)),
    ),
  ]
}

function unique(call: Call): Results {
  const input = call.shape(0)
  const stated = call.attribute('axis') ? call.axis(call.int('axis', 0), input.length) : undefined
  const size = stated === undefined ? elements(input) : (input[stated] as number)
  const count = call.ask(stated ?? 0, `how many of ${size} are different`)
  const out = stated === undefined ? [count] : input.map((dim, i) => (i === stated ? count : dim))
  return [tensor(call.dtype(0), out), int64([count]), int64([size]), int64([count])]
}

function selected(call: Call): Results {
  const [batches, boxes] = call.rank(0, 3, 3) as [number, number]
  const [, classes] = call.rank(1, 3, 3) as [number, number]
  const most = call.known(2)?.[0]
  // never more than this, and none without the input
  const limit = call.has(2) ? batches * classes * Math.min(boxes, most ?? boxes) : 0
  if (limit === 0) return [int64([0, 3])]
  return [int64([call.ask(0, `how many boxes are selected (at most ${limit})`), 3])]
}

export const parts: Rules = {
  Concat: concat,
  Split: split,
  Slice: slice,
  Gather: gather,
  GatherElements: gatherElements,
  GatherND: gatherND,
  Pad: pad,
  CenterCropPad: centerCropPad,
  OneHot: oneHot,
  TopK: topK,
  NonZero: nonZero,
  Compress: compress,
  Unique: unique,
  NonMaxSuppression: selected,
  GridSample: (call) => {
    const input = call.rank(0, 3)
    const grid = call.rank(1, input.length, input.length)
    return [tensor(call.dtype(0), [...input.slice(0, 2), ...grid.slice(1, -1)])]
  },
  AffineGrid: (call) => {
    const size = call.values(1)
    return [tensor(call.dtype(0), [size[0] ?? 1, ...size.slice(2), size.length - 2])]
  },
  Det: (call) => [tensor(call.dtype(0), call.rank(0, 2).slice(0, -2))],
}
