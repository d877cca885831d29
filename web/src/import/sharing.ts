import type { Op, Tensor } from './graph'

/**
 * Which outputs of an operator may take over the memory of an input, by the operator's name alone. The names are those of TFLite (ADD,
 * LEAKY_RELU) and of ONNX (Add, LeakyRelu); they are compared without case and underscores, because the two agree but for that.
 *
 * What depends on the rest of the graph (is there another reader, is it kept for the caller) is for whoever lowers it to buffers. Here is
 * what the operator and its tensors decide.
 */

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter((name) => name !== ''))
}

/** The first output has the bytes of the first input, seen in another shape. Dropout does nothing when a model only runs. */
const aliases = names(`
  RESHAPE SQUEEZE UNSQUEEZE EXPANDDIMS FLATTEN IDENTITY BITCAST DROPOUT STABLEHLORESHAPE
`)

function plain(type: string): string {
  return type.replaceAll('_', '').toUpperCase()
}

/** Whether the first output of such an operator is its first input in another shape, if they have as many bytes. */
export function isAlias(type: string): boolean {
  return aliases.has(plain(type))
}

/** Each element of the output depends on the elements at the same place of the inputs, and on constants. */
const elementwise = names(`
  RELU RELU6 RELUN1TO1 RELU0TO1 LEAKYRELU PRELU THRESHOLDEDRELU ELU SELU CELU GELU MISH SWISH HARDSWISH
  LOGISTIC SIGMOID HARDSIGMOID TANH SOFTPLUS SOFTSIGN ERF CLIP SHRINK
  ABS NEG SIGN CEIL FLOOR ROUND SQUARE SQRT RSQRT RECIPROCAL EXP LOG
  SIN COS TAN ASIN ACOS ATAN SINH COSH ASINH ACOSH ATANH
  LOGICALNOT NOT BITWISENOT ZEROSLIKE FAKEQUANT QUANTIZE BATCHNORMALIZATION
  ADD SUB MUL DIV POW MOD FLOORDIV FLOORMOD MAXIMUM MINIMUM MAX MIN SQUAREDDIFFERENCE ATAN2 ADDN
  LOGICALAND LOGICALOR AND OR XOR BITWISEAND BITWISEOR BITWISEXOR BITSHIFT RIGHTSHIFT SELECT SELECTV2
  STABLEHLOADD STABLEHLOSUBTRACT STABLEHLOMULTIPLY STABLEHLODIVIDE STABLEHLOMAXIMUM STABLEHLOMINIMUM STABLEHLOPOWER
  STABLEHLOREMAINDER STABLEHLOABS STABLEHLOAND STABLEHLOOR STABLEHLOCOSINE STABLEHLOEXPONENTIAL STABLEHLOFLOOR
  STABLEHLOLOG STABLEHLOLOGISTIC STABLEHLONEGATE STABLEHLORSQRT STABLEHLOTANH STABLEHLOCBRT STABLEHLOCLAMP
  STABLEHLOSELECT STABLEHLOSHIFTLEFT
`)

/** Whether the name alone says that each element depends on those at its place. */
export function isElementwise(type: string): boolean {
  return elementwise.has(plain(type))
}

/**
 * Elementwise in ONNX, while TFLite gives the name to something else: its SUM and MEAN reduce, its WHERE lists indices. They are told apart
 * by their inputs: ONNX's Where has three, and its Sum and Mean are of tensors, not of a tensor and axes, which are integers.
 */
function worksEach(name: string, inputs: readonly Tensor[]): boolean {
  if (elementwise.has(name)) return true
  if (name === 'WHERE') return inputs.length === 3
  if (name !== 'SUM' && name !== 'MEAN') return false
  return inputs.every((input) => /^b?float/.test(input.dtype ?? ''))
}

function elements(tensor: Tensor): number | null {
  return tensor.shape ? tensor.shape.reduce((product, side) => product * side, 1) : null
}

/**
 * Same type and as many elements. With operands that broadcasting would not enlarge, that means that each element lies at the same place
 * in both: a shape may differ by sides of 1 only.
 */
function fits(output: Tensor, input: Tensor): boolean {
  return (
    output.dtype !== undefined &&
    output.dtype === input.dtype &&
    output.bytes === input.bytes &&
    elements(output) === elements(input)
  )
}

/**
 * The pairs [output, input] of an operator, as Op has them. inputs and outputs are indices of tensors, an omitted input left out. Of several
 * possible inputs all are named, the first the one to be tried first. Constants and variables are never overwritten.
 */
export function sharing(
  type: string,
  inputs: readonly number[],
  outputs: readonly number[],
  tensors: readonly Tensor[],
): Pick<Op, 'inplace' | 'alias'> {
  const name = plain(type)
  const [first] = inputs
  const [output] = outputs
  const made = output === undefined ? undefined : tensors[output]
  if (first === undefined || output === undefined || !made) return {}
  if (aliases.has(name)) {
    const from = tensors[first]
    return from && from.bytes === made.bytes ? { alias: [[output, first]] } : {}
  }
  const read = inputs.flatMap((input) => tensors[input] ?? [])
  if (outputs.length !== 1 || !worksEach(name, read)) return {}
  const pairs = [...new Set(inputs)].flatMap((input): [number, number][] => {
    const from = tensors[input]
    const free = from && input !== output && !from.kind.constant && !from.kind.variable
    return free && fits(made, from) ? [[output, input]] : []
  })
  return pairs.length > 0 ? { inplace: pairs } : {}
}
