import { nameOf } from '../onnx/dtypes'
import { KEPT } from '../onnx/model'
import { type Known, type Results, tensor, Unknown } from '../onnx/shape/rule'
import type { FileOp, FileSubgraph, FileTensor, TfliteFile } from './file'
import { TfliteCall } from './shape/call'
import { ruleOfTflite } from './shape/rules'

const numbers = new Map(Array.from({ length: 27 }, (_, dtype) => [nameOf(dtype), dtype]))

/** As the rules number types; 0: one that they do not compute in. */
function typeOf({ dtype }: FileTensor): number {
  return numbers.get(dtype) ?? 0
}

function isOpen({ shape, signature }: FileTensor): boolean {
  return shape.includes(-1) || (signature?.includes(-1) ?? false)
}

/**
 * Where a file leaves sides open, the shapes in it are those of the converter's own run, mostly with 1 for each open side. What the tensors have at the
 * sides that a person asks for follows from operator to operator, as LiteRT does it when its input is resized (Prepare() of its kernels).
 */
export class Inference {
  /** false: the shapes in the file are complete, and hold */
  readonly needed: boolean
  readonly #file: TfliteFile

  constructor(file: TfliteFile, subgraphs: readonly FileSubgraph[]) {
    this.#file = file
    this.needed = subgraphs.some(({ tensors }) => tensors.some(isOpen))
  }

  /** What is known of a tensor of this shape; data: of a constant, whose values may be what a shape is computed in. */
  of(tensorOf: FileTensor, shape: readonly number[], data: boolean): Known {
    const dtype = typeOf(tensorOf)
    const values = data ? this.#file.integers(tensorOf.buffer, tensorOf.dtype, KEPT) : null
    return values && values.length === shape.reduce((count, side) => count * side, 1)
      ? tensor(dtype, shape, values)
      : { dtype, shape }
  }

  /** One per output; of what cannot be known why. Throws Refusal where the operator cannot run on such inputs. */
  outputs(
    subgraph: number,
    index: number,
    op: FileOp,
    inputs: readonly (Known | undefined)[],
  ): { results: Results; why: string } {
    const rule = ruleOfTflite(op.type)
    if (!rule) return { results: [], why: `how ${op.type} makes it is not known here` }
    const place = `subgraph ${subgraph}, operator ${index}`
    try {
      const results = rule(
        new TfliteCall(place, op.type, inputs, op.outputs.length, this.#file.options(subgraph, index)),
      )
      const wrong = results.find((made) => made?.shape?.some((side) => !Number.isSafeInteger(side) || side < 0))
      return wrong
        ? { results: [], why: `${op.type} cannot make it of these` }
        : { results, why: `${op.type} does not say` }
    } catch (error) {
      if (error instanceof Unknown) return { results: [], why: error.message }
      throw error
    }
  }
}
