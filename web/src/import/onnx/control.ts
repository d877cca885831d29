/**
 * If, Loop and Scan. The operator is one step; what its subgraph needs at its fullest is the step's workspace, and what the subgraph takes
 * from around it is read by the step.
 */
import { CannotRun } from '../refusal'
import { BOOL, elements } from './dtypes'
import { simplify } from './fuse'
import type { OnnxGraph } from './model'
import { titleOf } from './order'
import { peak, type Program, type Step, type Value } from './program'
import { type Call, int64, type Known, list, type Results, type Shape, scalar, Unknown } from './shape/rule'
import type { State } from './state'

/** A subgraph, inferred. */
export interface Inner {
  program: Program
  /** values of the graphs around, and constants of its own */
  reads: Value[]
  owns: (value: Value) => boolean
}

export type InferInner = (graph: OnnxGraph, title: string, known: readonly (Known | undefined)[]) => Inner

export interface Context {
  state: State
  call: Call
  step: Step
  infer: InferInner
  /** what takes the operator's place: the only branch that runs */
  instead?: Program
}

export function runControl(context: Context): Results {
  const { call } = context
  if (call.node.domain === '') {
    if (call.type === 'If') return branch(context)
    if (call.type === 'Loop') return loop(context)
    if (call.type === 'Scan' && call.opset >= 9) return scan(context)
  }
  throw new Unknown(`the operator ${call.type} with a subgraph is not understood`)
}

function body(call: Call, name: string): OnnxGraph {
  return call.attribute(name)?.graph ?? call.wrong(`${name} is missing`)
}

/** The step reads what the subgraph reads, and has room for the rest of it. */
function enter({ state, step }: Context, inner: Inner, outputsApart: boolean): void {
  const { program } = inner
  for (const value of program.outputs) value.output = true
  simplify(program, state.answers, () => {})
  for (const value of program.outputs) value.output = false
  const given = new Set<Value>(outputsApart ? [] : program.outputs)
  step.workspace = Math.max(
    step.workspace,
    peak(program, (value) => inner.owns(value) && !given.has(value)),
  )
  step.inputs = [...new Set([...step.inputs, ...inner.reads])]
}

/** The outputs of the branch are those of the step. Of two branches the larger counts; one that cannot run is left out. */
function branch(context: Context): Results {
  const { call } = context
  const chosen = call.known(0)?.[0]
  const names = chosen === undefined ? ['then_branch', 'else_branch'] : [chosen ? 'then_branch' : 'else_branch']
  const made = runnable(context, names)
  const [only, other] = made
  if (only && !other) {
    context.instead = only.program
    return []
  }
  context.state.count('undecided')
  for (const inner of made) enter(context, inner, false)
  return call.node.outputs.map((_, i): Known | undefined => {
    const all = made.map(({ program }) => program.outputs[i] as Value)
    const [first, second] = all
    if (!first?.shape || !second?.shape) return undefined
    if (list(first.shape) === list(second.shape)) return { dtype: first.dtype, shape: first.shape }
    context.state.count('branches')
    const larger = elements(second.shape) > elements(first.shape) ? second : first
    return { dtype: larger.dtype, shape: larger.shape as Shape }
  })
}

/** The branches of these names whose operators can do with what they are given. */
function runnable({ call, state, infer }: Context, names: readonly string[]): Inner[] {
  const made: Inner[] = []
  const reasons: [string, CannotRun][] = []
  for (const name of names) {
    const graph = body(call, name)
    const inner = state.attempt(() => infer(graph, name, []))
    if (inner instanceof CannotRun) reasons.push([name, inner])
    else if (inner.program.outputs.length === call.outputs) made.push(inner)
    else call.wrong(`${name} has ${inner.program.outputs.length} outputs, the operator ${call.outputs}`)
  }
  const [first] = reasons
  if (first && made.length === 0) throw first[1]
  for (const [name, { message }] of reasons)
    state.remarks.push(`${titleOf(call.node)}: its ${name} cannot run at these sizes, and was left out. ${message}`)
  return made
}

/** As it is at every turn: without values. */
function turning(value: Known): Known {
  return value.shape ? { dtype: value.dtype, shape: value.shape } : { dtype: value.dtype }
}

/** A state must keep its shape from turn to turn. */
function kept(before: Known, after: Value | undefined, name: string): Known {
  if (!before.shape || !after?.shape || list(before.shape) !== list(after.shape))
    throw new Unknown(`the shape of “${name}” changes from turn to turn or is not known`)
  return before
}

function loop(context: Context): Results {
  const { call } = context
  const graph = body(call, 'body')
  const states = call.inputs - 2
  const before = Array.from({ length: states }, (_, i) => turning(call.at(i + 2)))
  const inner = context.infer(graph, 'body', [int64([]), scalar(BOOL), ...before])
  enter(context, inner, true)
  const after = inner.program.outputs
  if (after.length !== 1 + call.outputs && after.length < 1 + states) call.wrong(`its body has ${after.length} outputs`)
  const results: Results = before.map((state, i) =>
    attempt(() => kept(state, after[i + 1], call.node.inputs[i + 2] ?? '')),
  )
  if (call.outputs <= states) return results
  // what is collected has one entry a turn
  const turns = call.known(0)?.[0]
  const most = turns !== undefined && turns < Number.MAX_SAFE_INTEGER ? Math.max(0, turns) : undefined
  for (let i = states; i < call.outputs; i++) {
    const each = after[i + 1]
    const count = most ?? call.ask(0, 'how many turns does the loop make', i)
    results.push(each?.shape && { dtype: each.dtype, shape: [count, ...each.shape] })
  }
  if (most !== undefined && call.has(1)) context.state.count('turns')
  return results
}

/** undefined where the rule cannot say. */
function attempt(rule: () => Known): Known | undefined {
  try {
    return rule()
  } catch (error) {
    if (error instanceof Unknown) return undefined
    throw error
  }
}

function scan(context: Context): Results {
  const { call } = context
  const graph = body(call, 'body')
  const scanned = call.int('num_scan_inputs', 0)
  const states = call.inputs - scanned
  if (scanned < 1 || states < 0) call.wrong(`num_scan_inputs is ${scanned} of ${call.inputs} inputs`)
  const axes = call.ints('scan_input_axes') ?? []
  let turns = 0
  const slices = Array.from({ length: scanned }, (_, i): Known => {
    const shape = call.shape(states + i)
    const axis = call.axis(axes[i] ?? 0, shape.length)
    turns = shape[axis] as number
    return { dtype: call.dtype(states + i), shape: shape.filter((_dim, k) => k !== axis) }
  })
  const before = Array.from({ length: states }, (_, i) => turning(call.at(i)))
  const inner = context.infer(graph, 'body', [...before, ...slices])
  enter(context, inner, true)
  const after = inner.program.outputs
  const outAxes = call.ints('scan_output_axes') ?? []
  return call.node.outputs.map((_, i): Known | undefined => {
    const each = after[i]
    if (i < states) return attempt(() => kept(before[i] as Known, each, call.node.inputs[i] ?? ''))
    if (!each?.shape) return undefined
    const axis = call.axis(outAxes[i - states] ?? 0, each.shape.length + 1)
    return { dtype: each.dtype, shape: [...each.shape.slice(0, axis), turns, ...each.shape.slice(axis)] }
  })
}
