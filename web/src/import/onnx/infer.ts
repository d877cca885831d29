/** Goes through the nodes in order and learns the shape, type and, of small integers, the values of every tensor. */
import { CannotRun, Refusal } from '../refusal'
import { decisive } from './choices'
import { type Context, type InferInner, type Inner, runControl } from './control'
import { elements, isNumber } from './dtypes'
import {
  type Attribute,
  type Declared,
  MOST_DIMS,
  type OnnxFunction,
  type OnnxGraph,
  type OnnxNode,
  type Weights,
} from './model'
import { ordered, subgraphs, titleOf } from './order'
import type { Program, Step, Value } from './program'
import { readsOf } from './reads'
import { Call, type Known, type Results, tensor, Unknown } from './shape/rule'
import { ruleOf } from './shape/rules'
import { keyOf, Scope, type State, sizeOf, typeName } from './state'

/** Thrown in a rule where a question is not answered. */
class Pending extends Unknown {}

/** Other values each time they run. */
const random = new Set([
  'RandomNormal',
  'RandomUniform',
  'RandomNormalLike',
  'RandomUniformLike',
  'Multinomial',
  'Bernoulli',
])

export function inferModel(state: State, graph: OnnxGraph, opsets: ReadonlyMap<string, number>): Program {
  const scope = new Scope('', opsets)
  const stored = new Set(graph.initializers.map(({ name }) => name))
  const deciding = decisive(graph)
  const inputs = graph.inputs
    .filter(({ name }) => !stored.has(name))
    .map((declared) => {
      const value = declaredInput(state, scope, declared)
      tell(state, value, deciding.has(declared.name))
      return value
    })
  // whatever follows depends on them
  if ([...state.questions.values()].some((question) => !question.optional)) return { inputs, outputs: [], steps: [] }
  return inferGraph(state, graph, scope, inputs)
}

/** The values of an input, where they are told. */
function tell(state: State, value: Value, decides: boolean): void {
  if (!value.shape || !isNumber(value.dtype)) return
  const text = `“${value.name}” decides which branch of an If runs: what is its value? Left empty, both branches are planned for.`
  const values = state.valuesOf(value.name, elements(value.shape), decides ? text : undefined)
  if (values) value.values = values
}

function declaredInput(state: State, scope: Scope, declared: Declared): Value {
  const value: Value = { name: scope.prefix + declared.name, dtype: declared.dtype, input: true }
  if (declared.dims) {
    const shape = state.bind(declared.dims, value.name, true)
    if (shape) value.shape = shape
    else value.pending = true
  }
  scope.set(declared.name, value)
  const why = declared.other
    ? `it is ${declared.other}`
    : declared.dims
      ? `its type is ${typeName(value.dtype)}`
      : 'it has no shape'
  size(state, value, `The input “${value.name}” has no known size: ${why}. How many bytes does it take?`)
  return value
}

/** Sets the bytes of a value, by its shape or by asking. */
function size(state: State, value: Value, question: string): void {
  if (value.pending) return
  const bytes = sizeOf(value) ?? state.bytesOf(value.name, question)
  if (bytes !== undefined) value.bytes = bytes
}

function stored(scope: Scope, weights: Weights): Value {
  const value: Value = {
    name: scope.prefix + weights.name,
    ...tensor(weights.dtype, weights.shape, weights.values),
    constant: true,
  }
  value.bytes = sizeOf(value) ?? weights.stringBytes
  return value
}

/** The graph with these values for its inputs, which the scope knows already. */
function inferGraph(state: State, graph: OnnxGraph, scope: Scope, inputs: Value[]): Program {
  for (const weights of graph.initializers) if (weights.name) scope.set(weights.name, stored(scope, weights))
  for (const info of [...graph.outputs, ...graph.infos]) scope.infos.set(info.name, info)
  const steps: Step[] = []
  runNodes(state, graph.nodes, scope, steps)
  const outputs = graph.outputs.map(({ name }) => {
    const value = scope.find(name)
    if (!value) throw new Refusal(`The output “${scope.prefix}${name}” is made by no node.`)
    return value
  })
  return { inputs, outputs, steps }
}

function runNodes(state: State, nodes: readonly OnnxNode[], scope: Scope, steps: Step[]): void {
  const order = ordered(nodes)
  if (order.moved) state.count('order')
  for (const node of order.nodes) {
    state.step(node.inputs.length + node.outputs.length)
    const inputs = node.inputs.map((name) => {
      if (name === '') return undefined
      const value = scope.find(name)
      if (!value) throw new Refusal(`${titleOf(node)}: nothing makes its input “${name}”.`)
      return value
    })
    for (const name of node.outputs)
      if (name !== '' && scope.owns(name)) throw new Refusal(`${titleOf(node)}: its output “${name}” exists already.`)
    const local = state.functions.get(keyOf(node.domain, node.type, node.overload))
    if (local) callFunction(state, local, node, inputs, scope, steps)
    else runNode(state, node, inputs, scope, steps)
  }
}

/** The body's nodes take the call's place. */
function callFunction(
  state: State,
  local: OnnxFunction,
  node: OnnxNode,
  inputs: readonly (Value | undefined)[],
  scope: Scope,
  steps: Step[],
): void {
  const attributes = new Map<string, Attribute>()
  for (const attribute of local.attributes) attributes.set(attribute.name, attribute)
  for (const attribute of node.attributes.values()) {
    const actual = scope.attribute(attribute)
    if (actual) attributes.set(attribute.name, actual)
  }
  const inner = new Scope(`${scope.prefix}${node.name || node.outputs[0] || node.type}/`, local.opsets, attributes)
  local.inputs.forEach((name, i) => {
    const value = inputs[i]
    if (value) inner.set(name, value)
  })
  // an omitted input is omitted wherever the body reads it
  const absent = new Set(local.inputs.filter((_, i) => !inputs[i]))
  const nodes =
    absent.size === 0
      ? local.nodes
      : local.nodes.map((one) => ({ ...one, inputs: one.inputs.map((name) => (absent.has(name) ? '' : name)) }))
  for (const info of local.infos) inner.infos.set(info.name, info)
  state.count('function')
  state.deeper(titleOf(node), () => runNodes(state, nodes, inner, steps))
  node.outputs.forEach((name, i) => {
    if (name === '') return
    const value = inner.find(local.outputs[i] ?? '')
    if (!value) throw new Refusal(`${titleOf(node)}: the function “${local.name}” does not make its output ${i}.`)
    scope.set(name, value)
  })
}

/** What is learnt of a node's outputs; where that is nothing, why. */
interface Learnt {
  results: Results
  why: string
  /** an answer is waited for */
  pending: boolean
  /** takes the node's place */
  instead?: Program
}

function apply(rule: () => Results): Learnt {
  try {
    return { results: rule(), why: 'the operator does not say', pending: false }
  } catch (error) {
    if (error instanceof Unknown) return { results: [], why: error.message, pending: error instanceof Pending }
    throw error
  }
}

function callOf(state: State, node: OnnxNode, inputs: readonly (Value | undefined)[], scope: Scope): Call {
  const ask = (output: number, axis: number, text: string): number => {
    const about = `${scope.prefix}${node.outputs[output] ?? ''}`
    const answer = state.dimOf(`${about}[${axis}]`, `${titleOf(node)} makes “${about}”: ${text}?`)
    if (answer === undefined) throw new Pending('it waits for an answer')
    return answer
  }
  const attribute = (name: string): Attribute | undefined => scope.attribute(node.attributes.get(name))
  return new Call(node, scope.opsets.get('') ?? 1, inputs, attribute, ask)
}

function learn(state: State, node: OnnxNode, call: Call, step: Step, scope: Scope): Learnt {
  if (subgraphs(node).length > 0) {
    const infer: InferInner = (graph, title, known) => inferInner(state, graph, scope, `${step.name}/${title}`, known)
    const context: Context = { state, call, step, infer }
    const learnt = apply(() => runControl(context))
    return context.instead ? { ...learnt, instead: context.instead } : learnt
  }
  const rule = ruleOf(node.domain, node.type)
  if (rule) return apply(() => rule(call))
  const name = node.domain ? `${node.domain}.${node.type}` : node.type
  return { results: [], why: `the operator ${name} is not known`, pending: false }
}

function runNode(
  state: State,
  node: OnnxNode,
  inputs: readonly (Value | undefined)[],
  scope: Scope,
  steps: Step[],
): void {
  const step: Step = {
    name: scope.prefix + (node.name || node.outputs.find((output) => output) || node.type),
    type: node.type,
    standard: node.domain === '',
    inputs: inputs.filter((input) => input !== undefined),
    outputs: [],
    workspace: 0,
    fixed: subgraphs(node).length > 0 || random.has(node.type),
  }
  const call = callOf(state, node, inputs, scope)
  const { results, why, pending, instead } = learn(state, node, call, step, scope)
  if (instead) {
    steps.push(...instead.steps)
    const own = new Set(instead.steps.flatMap((inner) => inner.outputs))
    node.outputs.forEach((output, i) => {
      const value = instead.outputs[i] as Value
      // by the name that it has outside, and the first of several
      if (own.delete(value)) value.name = scope.prefix + output
      if (output !== '') scope.set(output, value)
    })
    return
  }
  const waits = pending || step.inputs.some((input) => input.pending)
  node.outputs.forEach((output, i) => {
    if (output === '') return
    const value = settle(state, scope, node, output, results[i], why, waits)
    scope.set(output, value)
    step.outputs.push(value)
  })
  noteReads(step, inputs, call)
  // a constant is no work
  if (node.type === 'Constant' && step.standard) for (const value of step.outputs) value.constant = true
  else steps.push(step)
}

/** Keeps what the step needs of each input, unless it needs two things of one. */
function noteReads(step: Step, inputs: readonly (Value | undefined)[], call: Call): void {
  const [output] = step.outputs
  const reads = output?.shape && !step.fixed ? readsOf(call, output.shape) : undefined
  if (!reads) return
  const kept = new Map<Value, readonly string[]>()
  for (const [k, value] of inputs.entries()) {
    const entries = reads[k]
    if (!value || !entries) continue
    const known = kept.get(value)
    if (known && known.join() !== entries.join()) return
    kept.set(value, entries)
  }
  step.reads = kept
}

/** Rules take the numbers of the file as they are. */
function possible(node: OnnxNode, value: Value, shape: readonly number[]): void {
  if (shape.length <= MOST_DIMS && shape.every((dim) => Number.isSafeInteger(dim) && dim >= 0)) return
  const text = shape.length > MOST_DIMS ? `${shape.length} dimensions` : `the shape [${shape.join(', ')}]`
  throw new CannotRun(`${titleOf(node)}: its output “${value.name}” would have ${text}.`)
}

/** An output: as the rule has it, else as the file declares it, else as the user answers. */
function settle(
  state: State,
  scope: Scope,
  node: OnnxNode,
  output: string,
  known: Known | undefined,
  why: string,
  pending: boolean,
): Value {
  const info = scope.infos.get(output)
  const value: Value = { name: scope.prefix + output, dtype: known?.dtype || info?.dtype || 0 }
  if (known?.shape) {
    possible(node, value, known.shape)
    value.shape = known.shape
    if (known.values) value.values = known.values
    const { shape } = known
    const differs =
      info?.dims &&
      (info.dims.length !== shape.length || info.dims.some((dim, i) => typeof dim === 'number' && dim !== shape[i]))
    if (differs) state.count('declared')
  } else if (info?.dims && !pending) {
    const shape = state.bind(info.dims, value.name)
    if (shape) value.shape = shape
    else value.pending = true
  } else if (pending) value.pending = true
  const reason = info?.other ? `it is ${info.other}` : value.shape ? `its type is ${typeName(value.dtype)}` : why
  const text = `${titleOf(node)}: the size of its output “${value.name}” is not known, because ${reason}. How many bytes does it take?`
  size(state, value, text)
  return value
}

/** A subgraph, with what is known of its inputs. */
function inferInner(
  state: State,
  graph: OnnxGraph,
  outer: Scope,
  name: string,
  known: readonly (Known | undefined)[],
): Inner {
  const scope = new Scope(`${name}/`, outer.opsets, outer.attributes, outer)
  const inputs = graph.inputs.map((declared, i): Value => {
    const given = known[i]
    if (!given?.shape) return declaredInput(state, scope, given?.dtype ? { ...declared, dtype: given.dtype } : declared)
    const value: Value = {
      name: scope.prefix + declared.name,
      dtype: given.dtype || declared.dtype,
      shape: given.shape,
    }
    scope.set(declared.name, value)
    size(state, value, `The input “${value.name}” has a type of no fixed size. How many bytes does it take?`)
    return value
  })
  const program = state.deeper(name, () => inferGraph(state, graph, scope, inputs))
  const outside = scope.captured
  const constants = program.steps.flatMap((step) =>
    step.inputs.filter((value) => value.constant && !outside.has(value)),
  )
  return { program, reads: [...outside, ...new Set(constants)], owns: (value) => !outside.has(value) }
}
