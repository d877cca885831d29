/** Operators that see the same elements in another shape or order, or repeat them. */
import { elements } from '../dtypes'
import {
  broadcast,
  type Call,
  gathered,
  int64,
  list,
  place,
  type Results,
  type Rules,
  type Shape,
  stretched,
  strides,
  tensor,
} from './rule'

/** The same bytes, the same values. */
function seenAs(call: Call, shape: Shape): Results {
  return [tensor(call.dtype(0), shape, call.at(0).values)]
}

/** 0 takes the input's dimension (unless allowzero), one -1 takes what is left. */
function reshape(call: Call): Results {
  const input = call.shape(0)
  const target = call.listed('shape', 1) ?? call.wrong('it has no target shape')
  if (target.filter((dim) => dim === -1).length > 1 || target.some((dim) => dim < -1))
    call.wrong(`the target shape ${list(target)} is not one`)
  const zero = call.int('allowzero', 0) === 1
  const out = target.map((dim, i) => {
    if (dim !== 0 || zero) return dim
    return (
      input[i] ??
      call.wrong(`the target shape ${list(target)} copies dimension ${i}, which ${list(input)} does not have`)
    )
  })
  const free = out.indexOf(-1)
  const count = elements(input)
  if (free >= 0) {
    const rest = -elements(out)
    const left = rest === 0 ? 0 : count / rest
    if (!Number.isInteger(left)) call.wrong(`${count} elements do not divide into ${list(target)}`)
    out[free] = left
  }
  if (elements(out) !== count)
    call.wrong(`${list(input)} has ${count} elements, the target shape ${list(target)} has ${elements(out)}`)
  return seenAs(call, out)
}

function flatten(call: Call): Results {
  const input = call.shape(0)
  const value = call.int('axis', 1)
  const axis = value < 0 ? value + input.length : value
  if (axis < 0 || axis > input.length) call.wrong(`axis ${value} is none of ${list(input)}`)
  return seenAs(call, [elements(input.slice(0, axis)), elements(input.slice(axis))])
}

function squeeze(call: Call): Results {
  const input = call.shape(0)
  const given = call.listed('axes', 1)
  const axes = given ? call.axes(given, input.length) : input.flatMap((dim, i) => (dim === 1 ? [i] : []))
  for (const axis of axes) if (input[axis] !== 1) call.wrong(`dimension ${axis} of ${list(input)} is not 1`)
  return seenAs(
    call,
    input.filter((_, i) => !axes.includes(i)),
  )
}

function unsqueeze(call: Call): Results {
  const input = call.shape(0)
  const given = call.listed('axes', 1) ?? call.wrong('it has no axes')
  const rank = input.length + given.length
  const axes = call.axes(given, rank)
  const rest = [...input]
  return seenAs(
    call,
    Array.from({ length: rank }, (_, i) => (axes.includes(i) ? 1 : (rest.shift() as number))),
  )
}

function transpose(call: Call): Results {
  const input = call.shape(0)
  const given = call.ints('perm') ?? input.map((_, i) => input.length - 1 - i)
  if (given.length !== input.length) call.wrong(`perm ${list(given)} does not fit the shape ${list(input)}`)
  const perm = call.axes(given, input.length)
  const out = perm.map((axis) => input[axis] as number)
  const { values } = call.at(0)
  const own = strides(input)
  const steps = perm.map((axis) => own[axis] as number)
  return [tensor(call.dtype(0), out, values && gathered(out, (at) => values[place(at, steps)] as number))]
}

function expand(call: Call): Results {
  const input = call.shape(0)
  const target = call.values(1)
  if (target.some((dim) => dim < 0)) call.wrong(`the target shape ${list(target)} is not one`)
  const out = broadcast(call, [input, target])
  const { values } = call.at(0)
  const steps = stretched(input, out)
  return [tensor(call.dtype(0), out, values && gathered(out, (at) => values[place(at, steps)] as number))]
}

function tile(call: Call): Results {
  const input = call.shape(0)
  let repeats = call.values(1)
  if (call.opset < 6) {
    // a number of tiles along one axis
    const axis = call.axis(call.values(2)[0] ?? 0, input.length)
    const count = repeats[0] ?? 1
    repeats = input.map((_, i) => (i === axis ? count : 1))
  }
  if (repeats.length !== input.length || repeats.some((n) => n < 0))
    call.wrong(`repeats ${list(repeats)} do not fit the shape ${list(input)}`)
  const out = input.map((dim, i) => dim * (repeats[i] as number))
  const { values } = call.at(0)
  const own = strides(input)
  const folded =
    values &&
    gathered(
      out,
      (at) => values[at.reduce((k, x, i) => k + (x % (input[i] as number)) * (own[i] as number), 0)] as number,
    )
  return [tensor(call.dtype(0), out, folded)]
}

function shapeOf(call: Call): Results {
  const input = call.shape(0)
  const clamp = (value: number): number => Math.min(Math.max(value < 0 ? value + input.length : value, 0), input.length)
  const part = input.slice(clamp(call.int('start', 0)), clamp(call.int('end', input.length)))
  return [int64([part.length], part)]
}

function blocks(call: Call): Results {
  const [n, c, h, w] = call.rank(0, 4, 4) as [number, number, number, number]
  const b = call.int('blocksize', 0)
  if (b < 1) call.wrong(`blocksize is ${b}, but should be positive`)
  const toSpace = call.type === 'DepthToSpace'
  if (toSpace ? c % (b * b) : h % b || w % b)
    call.wrong(`the shape ${list([n, c, h, w])} does not divide into blocks of ${b}`)
  return [tensor(call.dtype(0), toSpace ? [n, c / (b * b), h * b, w * b] : [n, c * b * b, h / b, w / b])]
}

export const layouts: Rules = {
  Reshape: reshape,
  Flatten: flatten,
  Squeeze: squeeze,
  Unsqueeze: unsqueeze,
  Transpose: transpose,
  Expand: expand,
  Tile: tile,
  Shape: shapeOf,
  Size: (call) => [int64([], [elements(call.shape(0))])],
  DepthToSpace: blocks,
  SpaceToDepth: blocks,
}
