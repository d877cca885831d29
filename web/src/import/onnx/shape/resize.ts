/** Resize and Upsample, whose scales moved from an attribute to an input and were joined by sizes. */
import { type Call, list, type Results, type Rules, tensor } from './rule'

/** Exactly floor(size × scale) of the float32 that is written, as the official shape inference has it: 10 × 1.3 is 12, since 1.3 is a little less. */
function scaled(size: number, scale: number): number {
  return Math.floor(size * scale)
}

function byScales(call: Call, input: readonly number[], axes: readonly number[], scales: readonly number[]): number[] {
  if (scales.length !== axes.length || scales.some((scale) => !(scale > 0)))
    call.wrong(`the scales ${list(scales)} do not fit the shape ${list(input)}`)
  const out = [...input]
  axes.forEach((axis, k) => {
    out[axis] = scaled(input[axis] as number, (scales[k] as number) * region(call, axes, k))
  })
  return out
}

/** The part of the input that is resized. */
function region(call: Call, axes: readonly number[], k: number): number {
  if (call.text('coordinate_transformation_mode', '') !== 'tf_crop_and_resize') return 1
  const roi = call.values(1)
  return (roi[k + axes.length] as number) - (roi[k] as number)
}

function bySizes(call: Call, input: readonly number[], axes: readonly number[], sizes: readonly number[]): number[] {
  if (sizes.length !== axes.length || sizes.some((size) => size < 0))
    call.wrong(`the sizes ${list(sizes)} do not fit the shape ${list(input)}`)
  const out = [...input]
  const policy = call.text('keep_aspect_ratio_policy', 'stretch')
  const ratios = axes.map((axis, k) => (sizes[k] as number) / (input[axis] as number))
  const ratio = policy === 'not_larger' ? Math.min(...ratios) : Math.max(...ratios)
  axes.forEach((axis, k) => {
    out[axis] = policy === 'stretch' ? (sizes[k] as number) : Math.round(ratio * (input[axis] as number))
  })
  return out
}

function resize(call: Call): Results {
  const input = call.shape(0)
  const given = call.ints('axes')
  const axes = given && given.length > 0 ? call.axes(given, input.length) : input.map((_, i) => i)
  if (call.opset < 11) return [tensor(call.dtype(0), byScales(call, input, axes, call.values(1)))]
  // one of the two is omitted, or empty in older files
  const sizes = call.has(3) ? call.values(3) : []
  if (sizes.length > 0) return [tensor(call.dtype(0), bySizes(call, input, axes, sizes))]
  if (!call.has(2)) call.wrong('it has neither scales nor sizes')
  return [tensor(call.dtype(0), byScales(call, input, axes, call.values(2)))]
}

function upsample(call: Call): Results {
  const input = call.shape(0)
  const axes = input.map((_, i) => i)
  const stated = call.attribute('scales')?.floats
  if (stated) return [tensor(call.dtype(0), byScales(call, input, axes, stated))]
  if (call.has(1)) return [tensor(call.dtype(0), byScales(call, input, axes, call.values(1)))]
  // the first version
  const scales = [1, 1, call.float('height_scale', 1), call.float('width_scale', 1)]
  return [tensor(call.dtype(0), byScales(call, input, axes, scales))]
}

export const resizing: Rules = { Resize: resize, Upsample: upsample }
