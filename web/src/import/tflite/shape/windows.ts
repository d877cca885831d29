/** Convolutions and pooling, which have their channels last: the rules of Prepare() in LiteRT's conv.cc, depthwise_conv.cc, pooling.cc, … */
import type { Results } from '../../onnx/shape/rule'
import type { TfliteCall, TfliteRules } from './call'

/** Padding: SAME is 0, VALID is 1. */
const VALID = 1

/** Places of a window along one side (ComputeOutSize of LiteRT's padding.h). */
function places(call: TfliteCall, size: number, kernel: number, stride: number, dilation = 1): number {
  if (stride < 1 || dilation < 1) call.wrong(`its stride is ${stride} and its dilation ${dilation}`)
  const extent = (kernel - 1) * dilation + 1
  const out = call.byte(0) === VALID ? Math.floor((size + stride - extent) / stride) : Math.ceil(size / stride)
  if (out < 1) call.wrong(`its window spans ${extent}, but the input only has ${size}`)
  return out
}

/** slots: of the strides of height and width, then of their dilations. */
function conv(call: TfliteCall, channels: number, slots: readonly [number, number, number, number]): Results {
  const [n, h, w] = call.rank(0, 4, 4) as [number, number, number]
  const [, kh, kw] = call.rank(1, 4, 4) as [number, number, number]
  const [strideHigh, strideWide, dilationHigh, dilationWide] = slots
  const out = (size: number, kernel: number, stride: number, dilation: number) =>
    places(call, size, kernel, call.int(stride), call.int(dilation, 1))
  return call.of([n, out(h, kh, strideHigh, dilationHigh), out(w, kw, strideWide, dilationWide), channels])
}

function pool(call: TfliteCall): Results {
  const [n, h, w, c] = call.rank(0, 4, 4) as [number, number, number, number]
  return call.of([n, places(call, h, call.int(4), call.int(2)), places(call, w, call.int(3), call.int(1)), c])
}

function conv3d(call: TfliteCall): Results {
  const [n, d, h, w] = call.rank(0, 5, 5) as [number, number, number, number]
  const [kd, kh, kw, , channels] = call.rank(1, 5, 5) as [number, number, number, number, number]
  const out = (size: number, kernel: number, stride: number, dilation: number) =>
    places(call, size, kernel, call.int(stride), call.int(dilation, 1))
  return call.of([n, out(d, kd, 1, 5), out(h, kh, 3, 7), out(w, kw, 2, 6), channels])
}

export const windows: TfliteRules = {
  CONV_2D: (call) => conv(call, call.rank(1, 4, 4)[0] as number, [2, 1, 5, 4]),
  DEPTHWISE_CONV_2D: (call) => conv(call, call.rank(1, 4, 4)[3] as number, [2, 1, 6, 5]),
  CONV_3D: conv3d,
  AVERAGE_POOL_2D: pool,
  MAX_POOL_2D: pool,
  L2_POOL_2D: pool,
  // the first input says it
  TRANSPOSE_CONV: (call) => call.of(call.values(0)),
  CONV_3D_TRANSPOSE: (call) => call.of(call.values(0)),
}
