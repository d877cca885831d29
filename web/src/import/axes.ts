/** Which tensors are pictures: whatever windows slide over, and what is worked on element by element with them. */
import type { Op, Tensor } from './graph'
import { isElementwise } from './sharing'

const spatial = /conv|pool|resize|upsample|depth_?to_?space|space_?to_?depth|batch_?norm/i
const alongside = /^(concat|concatenation|pad|padv2|mirror_pad|quantizelinear|dequantizelinear|quantize|dequantize)$/i

/** Passes forward and back until nothing is learnt: few, for what is between two convolutions is short. */
const PASSES = 4

/** The tensors, those of four dimensions that are pictures with their axes. */
export function withAxes(tensors: readonly Tensor[], ops: readonly Op[], axes: string): Tensor[] {
  const pictures = new Set<number>()
  const may = (k: number) => tensors[k]?.shape?.length === 4 && !tensors[k]?.kind.constant
  const visit = ({ type, inputs, outputs }: Op) => {
    const all = [...inputs, ...outputs].filter(may)
    const joins = (isElementwise(type) || alongside.test(type)) && all.some((k) => pictures.has(k))
    if (spatial.test(type) || joins) for (const k of all) pictures.add(k)
  }
  for (let pass = 0, known = -1; pass < PASSES && known !== pictures.size; pass++) {
    known = pictures.size
    ops.forEach(visit)
    for (let k = ops.length; k-- > 0; ) visit(ops[k] as Op)
  }
  return tensors.map((tensor, k) => (pictures.has(k) ? { ...tensor, axes } : tensor))
}
