/**
 * What every compiler does before it plans memory, so that the tensors here are those that will exist: constants are computed beforehand,
 * operators that do nothing or that nobody reads go, a bias and batch normalisation become part of the weights, an activation part of the
 * operator before it.
 */
import type { ImportAnswers, Switch } from '../imported'
import { type Program, type Report, readers, renameRead, type Step, type Value } from './program'
import { integerKernels, isQuantised, storedWeights } from './quantised'

/** Told of each change by a word of notes.ts. */
export function simplify(program: Program, { fold, fuse, qdq }: Pick<ImportAnswers, Switch>, report: Report): void {
  const integers = qdq && isQuantised(program)
  if (fold) {
    // first, so that a constant under several names is one
    idle(program, report)
    constants(program, integers, report)
    unread(program, report)
  }
  const parameters = integers ? storedWeights(program, report) : undefined
  if (fuse) {
    biases(program, report)
    normalisations(program, report)
    activations(program, report)
  }
  if (!integers) return
  integerKernels(program, report)
  parameters?.()
}

/** What has known values or constant inputs only is computed beforehand, its result a constant. integers: weights stay quantised. */
function constants(program: Program, integers: boolean, report: Report): void {
  program.steps = program.steps.filter((step) => {
    if (integers && step.type === 'DequantizeLinear') return true
    const known = step.outputs.every((value) => value.values)
    const given = step.inputs.length > 0 && step.inputs.every((value) => value.constant)
    if (step.fixed || !(known || given) || step.outputs.some((value) => value.output || value.bytes === undefined))
      return true
    for (const value of step.outputs) value.constant = true
    report('constant')
    return false
  })
}

/** Identity, and Dropout when the model only runs, are left out: their readers read what they read. */
function idle(program: Program, report: Report): void {
  const instead = new Map<Value, Value>()
  const steps: Step[] = []
  const source = (value: Value): Value => instead.get(value) ?? value
  for (const step of program.steps) {
    for (const value of step.inputs) renameRead(step, value, source(value))
    step.inputs = step.inputs.map(source)
    const [from] = step.inputs
    const [to, mask] = step.outputs
    const training = step.inputs[2]?.values?.[0] !== 0 && step.inputs[2] !== undefined
    const nothing = step.standard && (step.type === 'Identity' || (step.type === 'Dropout' && !mask && !training))
    // a value that is handed out stays one of its own
    if (!nothing || !from || !to || to.output || from.bytes !== to.bytes) {
      steps.push(step)
      continue
    }
    instead.set(to, from)
    report('idle')
  }
  program.steps = steps
}

/** From the end, so that what only they read goes as well. */
function unread(program: Program, report: Report): void {
  const read = new Set<Value>(program.outputs)
  const steps: Step[] = []
  for (const step of [...program.steps].reverse()) {
    if (!step.outputs.some((value) => read.has(value) || value.output)) {
      report('unread')
      continue
    }
    for (const value of step.inputs) read.add(value)
    steps.push(step)
  }
  program.steps = steps.reverse()
}

const producers = new Set(['Conv', 'ConvTranspose', 'Gemm'])
const activated = new Set([...producers, 'MatMul', 'Add', 'Sum', 'BatchNormalization'])
const activation = new Set(
  'Relu Clip LeakyRelu PRelu ThresholdedRelu Elu Selu Celu Sigmoid HardSigmoid HardSwish Tanh Softplus Softsign Gelu Mish Swish'.split(
    ' ',
  ),
)

/**
 * Lets a step of some types take the output of the one step that reads its own: fits decides by the two and by the reader's other inputs,
 * which are constants and become inputs of the step that stays.
 */
function absorb(
  program: Program,
  fits: (first: Step, second: Step) => boolean,
  keep: (first: Step, second: Step) => Value[],
): number {
  const read = readers(program.steps)
  const maker = new Map<Value, Step>()
  const gone = new Set<Step>()
  for (const second of program.steps) {
    const from = second.inputs.find((value) => !value.constant)
    const [to] = second.outputs
    const first = from && maker.get(from)
    for (const value of second.outputs) maker.set(value, second)
    if (!first || !to || !from || !second.standard || !first.standard) continue
    const alone = read.get(from)?.length === 1 && !from.output && first.outputs.length === 1
    const others = second.inputs.filter((value) => value !== from)
    if (!alone || from.bytes !== to.bytes || from.dtype !== to.dtype || !others.every((value) => value.constant))
      continue
    if (!fits(first, second)) continue
    first.inputs = [...first.inputs, ...keep(first, second)]
    first.outputs = [to]
    if (String(from.shape) !== String(to.shape)) delete first.reads
    maker.set(to, first)
    gone.add(second)
  }
  program.steps = program.steps.filter((step) => !gone.has(step))
  return gone.size
}

const biased = new Set([...producers, 'MatMul'])

/** An addition of one number a channel (of a convolution) or a column (of a product) is the bias of what has none. */
function biases(program: Program, report: Report): void {
  const perChannel = (bias: Value | undefined, to: Value | undefined, channel: number): boolean => {
    const rank = to?.shape?.length ?? 0
    const own = bias?.shape ?? []
    return own.every((dim, i) => dim === 1 || rank - own.length + i === channel)
  }
  const fits = (first: Step, second: Step): boolean => {
    if (second.type !== 'Add' || !biased.has(first.type) || first.inputs.length !== 2) return false
    const [to] = second.outputs
    const channel = first.type.startsWith('Conv') ? 1 : (to?.shape?.length ?? 0) - 1
    const bias = second.inputs.find((value) => value.constant)
    return first.inputs[1]?.constant === true && perChannel(bias, to, channel)
  }
  const count = absorb(program, fits, (_first, second) => second.inputs.filter((value) => value.constant))
  for (let i = 0; i < count; i++) report('bias')
}

/** Scale and shift become part of weights and bias; an operator without a bias gets one. */
function normalisations(program: Program, report: Report): void {
  const read = readers(program.steps)
  const fits = (first: Step, second: Step): boolean =>
    second.type === 'BatchNormalization' &&
    second.inputs[0] === first.outputs[0] &&
    producers.has(first.type) &&
    first.inputs[1]?.constant === true &&
    // statistics that nobody reads are those of training
    second.outputs.slice(1).every((value) => !value.output && !read.has(value))
  const bias = (first: Step, second: Step): Value[] => (first.inputs.length < 3 ? second.inputs.slice(2, 3) : [])
  const count = absorb(program, fits, bias)
  for (let i = 0; i < count; i++) report('normalisation')
}

/** One activation an operator. */
function activations(program: Program, report: Report): void {
  const done = new Set<Step>()
  const fits = (first: Step, second: Step): boolean => {
    const plain = second.inputs[0] === first.outputs[0]
    if (!plain || !activated.has(first.type) || !activation.has(second.type) || done.has(first)) return false
    done.add(first)
    return true
  }
  const count = absorb(program, fits, (_first, second) => second.inputs.slice(1))
  for (let i = 0; i < count; i++) report('activation')
}
