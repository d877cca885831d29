/** Convolutions and pooling: windows that slide over the spatial dimensions. */
import { INT32, INT64 } from '../dtypes'
import { type Call, list, type Results, type Rule, type Rules, type Shape, tensor } from './rule'

interface Sliding {
  kernel: readonly number[]
  strides: readonly number[]
  dilations: readonly number[]
  /** begins of all axes, then ends */
  pads: readonly number[]
  auto: string
}

function along(call: Call, name: string, count: number, otherwise: number): readonly number[] {
  const values = call.ints(name)
  if (!values || values.length === 0) return new Array(count).fill(otherwise)
  if (values.length !== count) call.wrong(`${name} has ${values.length} numbers, but there are ${count} to set`)
  if (name !== 'pads' && name !== 'output_padding' && values.some((value) => value < 1))
    call.wrong(`${name} is ${list(values)}, but should be positive`)
  return values
}

function slidingOf(call: Call, kernel: readonly number[]): Sliding {
  const rank = kernel.length
  return {
    kernel,
    strides: along(call, 'strides', rank, 1),
    dilations: along(call, 'dilations', rank, 1),
    pads: along(call, 'pads', 2 * rank, 0),
    auto: call.text('auto_pad', 'NOTSET'),
  }
}

/** Places of a window along one axis, ceil: the last one may stick out of the padded input as long as it begins within input or left pad. */
function placed(call: Call, size: number, axis: number, w: Sliding, ceil: boolean): number {
  const stride = w.strides[axis] as number
  if (w.auto === 'SAME_UPPER' || w.auto === 'SAME_LOWER') return Math.ceil(size / stride)
  const rank = w.kernel.length
  const begin = w.auto === 'VALID' ? 0 : (w.pads[axis] as number)
  const end = w.auto === 'VALID' ? 0 : (w.pads[axis + rank] as number)
  const extent = ((w.kernel[axis] as number) - 1) * (w.dilations[axis] as number) + 1
  const room = size + begin + end - extent
  // nothing in, nothing out
  if (size === 0) return 0
  if (room < 0)
    call.wrong(
      `its window spans ${extent} along spatial axis ${axis}, but the padded input only has ${size + begin + end}`,
    )
  const places = (ceil ? Math.ceil(room / stride) : Math.floor(room / stride)) + 1
  return ceil && (places - 1) * stride >= size + begin ? places - 1 : places
}

function spatial(call: Call, sizes: Shape, w: Sliding, ceil = false): number[] {
  return sizes.map((size, axis) => placed(call, size, axis, w, ceil))
}

function kernelOf(call: Call, weight: Shape): readonly number[] {
  const kernel = weight.slice(2)
  const stated = call.ints('kernel_shape')
  if (stated && stated.length > 0 && list(stated) !== list(kernel))
    call.wrong(`kernel_shape is ${list(stated)}, but the weight has the shape ${list(weight)}`)
  if (kernel.some((size) => size < 1)) call.wrong(`the weight has the empty shape ${list(weight)}`)
  return kernel
}

/** Of an input [N, C, …] and a weight [M, C / group, …] at these places. */
function convolved(call: Call, x: number, w: number): number[] {
  const input = call.rank(x, 3)
  const weight = call.rank(w, input.length, input.length)
  const group = call.int('group', 1)
  const [batch, channels] = input as [number, number]
  const [out, within] = weight as [number, number]
  if (group < 1) call.wrong(`group is ${group}, but should be positive`)
  if (within * group !== channels)
    call.wrong(
      `the weight has ${within * group} input channels${group > 1 ? ` in ${group} groups` : ''}, its input ${channels}`,
    )
  if (out % group) call.wrong(`${out} output channels do not divide into ${group} groups`)
  return [batch, out, ...spatial(call, input.slice(2), slidingOf(call, kernelOf(call, weight)))]
}

const conv: Rule = (call) => {
  const shape = convolved(call, 0, 1)
  if (call.has(2) && call.at(2).shape && (call.shape(2).length !== 1 || call.shape(2)[0] !== shape[1]))
    call.wrong(`the bias has the shape ${list(call.shape(2))}, but there are ${shape[1]} output channels`)
  return [tensor(call.dtype(0), shape)]
}

function transposed(call: Call): Results {
  const input = call.rank(0, 3)
  const weight = call.rank(1, input.length, input.length)
  if (weight[0] !== input[1]) call.wrong(`the weight has ${weight[0]} input channels, its input ${input[1]}`)
  const sizes = input.slice(2)
  const w = slidingOf(call, kernelOf(call, weight))
  const lead = [input[0] as number, (weight[1] as number) * call.int('group', 1)]
  const stated = call.ints('output_shape')
  if (stated && stated.length > 0) {
    // some exporters write batch and channels too
    const out = stated.slice(-sizes.length)
    if (stated.length < sizes.length || out.some((dim) => dim < 0)) call.wrong(`output_shape is ${list(stated)}`)
    return [tensor(call.dtype(0), [...lead, ...out])]
  }
  const more = along(call, 'output_padding', sizes.length, 0)
  const out = sizes.map((size, i) => {
    const stride = w.strides[i] as number
    const extent = ((w.kernel[i] as number) - 1) * (w.dilations[i] as number) + 1
    const all = stride * (size - 1) + (more[i] as number) + extent
    // padded until size × stride are left; where there are fewer already, nothing is added
    if (w.auto.startsWith('SAME')) return Math.min(all, size * stride)
    return w.auto === 'VALID' ? all : all - (w.pads[i] as number) - (w.pads[i + sizes.length] as number)
  })
  if (out.some((dim) => dim < 0)) call.wrong(`its pads leave nothing: ${list(out)}`)
  return [tensor(call.dtype(0), [...lead, ...out])]
}

function windowed(call: Call): Sliding {
  const kernel = call.ints('kernel_shape')
  const rank = call.rank(0, 3).length - 2
  if (!kernel) call.wrong('kernel_shape is missing')
  if (kernel.length !== rank) call.wrong(`kernel_shape has ${kernel.length} numbers for ${rank} spatial dimensions`)
  return slidingOf(call, along(call, 'kernel_shape', rank, 1))
}

function pool(call: Call): Results {
  const input = call.shape(0)
  const w = windowed(call)
  const shape = [...input.slice(0, 2), ...spatial(call, input.slice(2), w, call.int('ceil_mode', 0) === 1)]
  return [tensor(call.dtype(0), shape), ...(call.outputs > 1 ? [tensor(INT64, shape)] : [])]
}

/** NHWC, as some contrib operators have it. */
const channelsLast: Rule = (call) => {
  const input = call.rank(0, 3)
  const kernel = call.ints('kernel_shape') ?? []
  if (kernel.length !== input.length - 2) call.wrong(`kernel_shape has ${kernel.length} numbers`)
  const w = slidingOf(call, along(call, 'kernel_shape', kernel.length, 1))
  const sizes = spatial(call, input.slice(1, -1), w, call.int('ceil_mode', 0) === 1)
  return [tensor(call.dtype(0), [input[0] as number, ...sizes, input[input.length - 1] as number])]
}

const quantizedPool: Rule = (call) => (call.int('channels_last', 0) === 1 ? channelsLast(call) : pool(call))

function whole(call: Call): Results {
  const input = call.rank(0, 2)
  if (call.int('channels_last', 0) === 1)
    return [
      tensor(
        call.dtype(0),
        input.map((dim, i) => (i === 0 || i === input.length - 1 ? dim : 1)),
      ),
    ]
  return [
    tensor(
      call.dtype(0),
      input.map((dim, i) => (i < 2 ? dim : 1)),
    ),
  ]
}

function unpool(call: Call): Results {
  const input = call.shape(0)
  if (call.has(2)) return [tensor(call.dtype(0), call.values(2))]
  const w = windowed(call)
  const rank = w.kernel.length
  const sizes = input.slice(2).map((size, i) => {
    const pads = (w.pads[i] as number) + (w.pads[i + rank] as number)
    return (size - 1) * (w.strides[i] as number) + (w.kernel[i] as number) - pads
  })
  return [tensor(call.dtype(0), [...input.slice(0, 2), ...sizes])]
}

/** Regions of interest, each resampled to one size. */
function regions(call: Call): Results {
  const [, channels] = call.rank(0, 4, 4) as [number, number]
  const [count] = call.rank(1, 2, 2) as [number]
  const pooled = call.ints('pooled_shape') ?? [call.int('output_height', 1), call.int('output_width', 1)]
  return [tensor(call.dtype(0), [count, channels, ...pooled])]
}

function column(call: Call): Results {
  const [batch, rows] = call.rank(0, 3, 3) as [number, number]
  const image = call.values(1)
  const block = call.values(2).reduce((a, b) => a * b, 1)
  if (block < 1 || rows % block) call.wrong(`${rows} rows do not divide into blocks of ${block}`)
  return [tensor(call.dtype(0), [batch, rows / block, ...image])]
}

function deformed(call: Call): Results {
  return [tensor(call.dtype(0), convolved(call, 0, 1))]
}

export const convolutions: Rules = {
  Conv: conv,
  FusedConv: conv,
  ConvInteger: (call) => [tensor(INT32, convolved(call, 0, 1))],
  QLinearConv: (call) => [tensor(call.dtype(7), convolved(call, 0, 3))],
  DeformConv: deformed,
  ConvTranspose: transposed,
  MaxPool: pool,
  AveragePool: pool,
  LpPool: pool,
  QLinearAveragePool: quantizedPool,
  NhwcMaxPool: channelsLast,
  GlobalAveragePool: whole,
  GlobalMaxPool: whole,
  GlobalLpPool: whole,
  QLinearGlobalAveragePool: whole,
  MaxUnpool: unpool,
  MaxRoiPool: regions,
  RoiAlign: regions,
  Col2Im: column,
}
