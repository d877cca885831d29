/**
 * Networks in the QDQ form: each operator works on floats between DequantizeLinear and QuantizeLinear, and stands for its kernel on integers
 * (ONNX Runtime, "ONNX quantization representation format"; its execution providers call the three a node unit). Here the kernel takes their
 * place: it reads and writes the integers, and no float in between takes memory.
 */
import { elements, nameOf } from './dtypes'
import { type Program, type Report, readers, renameRead, type Step, type Value } from './program'
import { sizeOf } from './state'

const DEQUANTIZE = 'DequantizeLinear'
const QUANTIZE = 'QuantizeLinear'

/** Kernels that take integers and give floats (MatMulIntegerToFloat, QGemm), or numbers that are no data. */
const open = new Set(['MatMul', 'Gemm', 'ArgMax', 'ArgMin'])
/** They need the floats: what they give depends on more than integers and their scale. */
const never = new Set([DEQUANTIZE, QUANTIZE, 'Cast', 'CastLike'])
/** Another order or shape of the same elements. */
const moves = new Set(['Transpose', 'Reshape', 'Squeeze', 'Unsqueeze', 'Flatten', 'Identity'])

export function isQuantised({ steps }: Program): boolean {
  return steps.some((step) => step.type === DEQUANTIZE)
}

function isFloat(value: Value): boolean {
  return /^b?float(16|32|64)$/.test(nameOf(value.dtype) ?? '')
}

/** Integers with what makes numbers of them. */
interface Stored {
  data: Value
  /** scale and zero point */
  parameters: Value[]
}

/**
 * The readers of dequantised constants read the constants, also through a change of shape; what stays is what DequantizeLinear read. Their
 * parameters come last, so that an operator's inputs keep their places until then: to be added by the function that is returned, once the
 * other simplifications are done.
 */
export function storedWeights(program: Program, report: Report): () => void {
  const instead = new Map<Value, Stored>()
  const parameters = new Map<Value, Value[]>()
  program.steps = program.steps.filter((step) => {
    const [from, ...others] = step.inputs
    const [to] = step.outputs
    const constant = step.inputs.every((value) => value.constant || instead.has(value))
    const known = from && instead.get(from)
    if (from && to && constant && !to.output) {
      if (step.type === DEQUANTIZE) {
        instead.set(to, { data: from, parameters: others })
        report('weights')
        return false
      }
      if (known && moves.has(step.type) && to.shape && elements(to.shape) === elements(known.data.shape ?? [])) {
        instead.set(to, { data: moved(known.data, to), parameters: known.parameters })
        return false
      }
    }
    step.inputs = step.inputs.map((value) => {
      const stored = instead.get(value)
      if (!stored) return value
      parameters.set(stored.data, stored.parameters)
      return stored.data
    })
    return true
  })
  return () => {
    for (const step of program.steps)
      step.inputs = [...new Set([...step.inputs, ...step.inputs.flatMap((value) => parameters.get(value) ?? [])])]
  }
}

/** The same integers under the name and in the shape of what was made of them. */
function moved(data: Value, { name, shape }: Value): Value {
  const made: Value = { name, dtype: data.dtype, constant: true }
  if (shape) made.shape = shape
  const bytes = sizeOf(made) ?? data.bytes
  if (bytes !== undefined) made.bytes = bytes
  return made
}

/** Each operator between DequantizeLinear and QuantizeLinear becomes one on integers. */
export function integerKernels(program: Program, report: Report): void {
  const makers = new Map<Value, Step>()
  for (const step of program.steps) for (const value of step.outputs) makers.set(value, step)
  const read = readers(program.steps)
  const gone = new Set<Step>()
  const dequantised = (value: Value): Step | undefined => {
    const maker = makers.get(value)
    return maker?.type === DEQUANTIZE ? maker : undefined
  }
  for (const step of program.steps) {
    if (step.fixed || never.has(step.type)) continue
    const data = step.inputs.filter((value) => isFloat(value) && !value.constant)
    if (data.length === 0 || !data.every(dequantised)) continue
    const after = step.outputs.map((value) => quantiser(value, read))
    const whole = step.outputs.every(
      (value, i) => after[i] !== undefined || !(isFloat(value) && (value.output || read.has(value))),
    )
    if (!whole && !open.has(step.type)) continue
    for (const value of data) renameRead(step, value, dequantised(value)?.inputs[0] ?? value)
    step.inputs = step.inputs.flatMap((value) => dequantised(value)?.inputs ?? [value])
    for (const [i, quantise] of after.entries()) {
      const [to] = quantise?.outputs ?? []
      if (!quantise || !to) continue
      gone.add(quantise)
      step.inputs.push(...quantise.inputs.slice(1))
      step.outputs[i] = to
    }
    report('integer')
  }
  program.steps = program.steps.filter((step) => !gone.has(step))
  drop(program, report)
}

/** The one that reads a value; undefined where anything else needs it too. */
function quantiser(value: Value, read: ReadonlyMap<Value, Step[]>): Step | undefined {
  const [only, ...more] = read.get(value) ?? []
  const fits = only?.type === QUANTIZE && only.inputs[0] === value && more.length === 0 && !value.output
  return fits ? only : undefined
}

/** DequantizeLinear that nobody reads any more; the others are counted. */
function drop(program: Program, report: Report): void {
  const read = readers(program.steps)
  program.steps = program.steps.filter((step) => {
    if (step.type !== DEQUANTIZE) return true
    const needed = step.outputs.some((value) => value.output || read.has(value))
    if (needed) report('float')
    return needed
  })
}
