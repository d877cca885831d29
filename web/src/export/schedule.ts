/** A graph's plan to take home: the order of its operators as JSON and as a graph CSV, and every stay of every tensor as CSV. */
import type { GraphModel, Plan, Problem, RunConfig, RunStats } from '../../../wasm/client/types'
import { orderNames, transfersOf } from '../state/model/transfers'

const FORMAT = 'arenascope-schedule'
const VERSION = 1

export interface Scheduled {
  name: string
  /** as it was lowered, in its own order */
  problem: Problem
  model: GraphModel
  plan: Plan
  config: RunConfig
  stats: RunStats
}

/** By name: operators as they run, and what is copied out or back before which of them. */
export function orderAndMoves(plan: Plan, model: GraphModel) {
  const moves = transfersOf(plan, model).map(({ kind, time, tensor, bytes }) => ({
    before: time,
    what: kind,
    tensor: model.tensors.ids[tensor],
    bytes,
  }))
  return { schedule: orderNames(plan, model), moves }
}

/** Operators in order, with what moves before each of them; no clock and no machine is in it. */
export function scheduleJson({ name, problem, model, plan, config, stats }: Scheduled): string {
  const { schedule, moves } = orderAndMoves(plan, model)
  const sum = (of: 'spill' | 'fetch') => moves.reduce((sum, { what, bytes }) => sum + (what === of ? bytes : 0), 0)
  const [spilled, fetched] = [sum('spill'), sum('fetch')]
  const made = {
    format: FORMAT,
    version: VERSION,
    problem: { name, digest: problem.digest, operators: model.ops.count },
    run: {
      solver: config.solver,
      goal: config.goal ?? 'fit',
      options: config.options,
      capacity: config.capacity,
      seed: config.seed,
      outcome: stats.outcome,
      steps: stats.steps,
      digest: stats.digest,
    },
    height: stats.height,
    traffic: spilled + fetched,
    spilled,
    fetched,
    bound: stats.lowerBound,
    schedule,
    moves,
  }
  return `${JSON.stringify(made, null, 2)}\n`
}

const OPERATOR = /^\s*"?op"?\s*,/

/** The graph CSV with its operators in the order of the plan; all other lines stay where they are. */
export function reorderedGraph(text: string, { order }: Plan): string {
  const lines = text.split('\n')
  const operators = lines.filter((line) => OPERATOR.test(line))
  if (operators.length !== order.length)
    throw new Error('The graph has lines that go on in the next: it cannot be reordered as text.')
  let next = 0
  // the last line of a file may lack its end, and need not be the last any more
  const plain = (line: string) => line.replace(/\r$/, '')
  return lines
    .map((line) => (OPERATOR.test(line) ? plain(operators[order[next++] as number] as string) : line))
    .join('\n')
}

const cell = (text: string): string => (/[,"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** As the command writes it: what runs when, then a row for each stay; turn: which of its tensor's stays in that pool it is. */
export function* staysCsv({ problem, model, plan }: Scheduled): Generator<string> {
  const { tensors } = model
  const { stays } = plan
  yield 'tensor,turn,pool,lower,upper,size,offset\n'
  const names = orderNames(plan, model)
  for (const [time, name] of names.entries()) yield `${cell(name)},${time},run,${time},${time + 1},0,\n`
  const workspaces = new Map<number, number>()
  const ids = new Map<number, string>()
  for (let k = 0; k < model.ops.count; k++) {
    workspaces.set(model.ops.row[k] as number, model.ops.workspace[k] as number)
    ids.set(model.ops.row[k] as number, model.ops.ids[k] as string)
  }
  const of = (item: number) => {
    const row = item - tensors.count
    const buffer = row < 0 ? (tensors.buffer[item] as number) : (workspaces.get(row) ?? -1)
    const name = row < 0 ? (tensors.ids[item] as string) : `${ids.get(row) ?? ''}:workspace`
    return { name, size: buffer < 0 ? 0 : (problem.size[buffer] as number) }
  }
  const before = new Map<string, number[]>()
  for (let k = 0; k < stays.count; k++) {
    const key = `${stays.item[k]} ${stays.outside[k]}`
    before.set(key, [...(before.get(key) ?? []), stays.lower[k] as number])
  }
  for (let k = 0; k < stays.count; k++) {
    const { name, size } = of(stays.item[k] as number)
    const outside = stays.outside[k] === 1
    const turn = (before.get(`${stays.item[k]} ${stays.outside[k]}`) ?? []).filter(
      (at) => at < (stays.lower[k] as number),
    ).length
    const span = `${stays.lower[k]},${stays.upper[k]}`
    yield `${cell(name)},${turn},${outside ? 'outside' : 'arena'},${span},${size},${outside ? '' : stays.offset[k]}\n`
  }
}
