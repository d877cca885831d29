/**
 * What can be done about a model's peak, worked out on the spot: the graph lowered in another way, ordered otherwise, made smaller, or some of
 * its operators taken through in parts. Each is lowered and solved by the exact solver in a worker of its own.
 */
import type { Client, PackedGraph, Problem } from '../../../../wasm/client/types'
import { graphOf, reordered } from '../../import/rewrite/graph'
import { canNarrow, narrowed } from '../../import/rewrite/narrow'
import { runsAround, type Split, splitGraph } from '../../import/rewrite/split'
import { packGraph } from '../../import/packed'
import type { Graph, Tensor } from '../../import/graph'
import { percent, thousands } from '../../base/format'
import { manifest } from '../../state/atoms'
import type { Change, Lever } from '../../state/model/levers'
import { planner } from '../../state/model/reorder_offer'
import { zoo } from '../../state/model/zoo'
import type { KnownHeight } from '../../state/solver/known_height'
import { peakOf } from '../../state/problem/peak'
import { isPacked } from '../../state/workbench_values'
import { knownHeight } from '../solver/known_height'
import { type OpenModel, within } from './open_model'
import { zooGraph } from './zoo_graph'

/** Milliseconds for the least height of one change, and for the order of operators that needs the least. */
export const PATIENCE = { height: 250, order: 1500 }
/** Peak tensors, largest first, that are tried to be kept from being whole, and runs around them of which more parts are tried. */
const SPLIT = { tensors: 3, best: 3 }
const MORE_PARTS = [3, 4, 6, 8]

type Options = Record<string, string>
type Wanted = Omit<Lever, 'peak'>

/** A worker beside the page's, and what it is asked about. */
class Bench {
  constructor(
    readonly client: Client,
    readonly open: OpenModel,
    readonly capacity: number,
    private readonly signal: AbortSignal,
  ) {}

  get packed(): PackedGraph | null {
    const { graph } = this.open
    return isPacked(graph) ? graph : null
  }

  /** null: it does not go, or nobody wants to know any more. */
  async lowered(graph: PackedGraph | string, lowering: Options): Promise<Problem | null> {
    if (this.signal.aborted) return null
    const answer = await this.client.openGraph(graph, lowering, this.open.profile)
    return answer.ok ? answer.problem : null
  }

  async graphOfChange(change: Change): Promise<[PackedGraph | string, Options] | null> {
    const { lowering, graph } = this.open
    if (change.kind === 'lowering') return [graph, change.lowering]
    if (change.kind === 'graph') return [change.graph, change.lowering]
    const from = zooOf(this.open)
    const made = from === null ? null : await zooGraph(from.id, change.options).catch(() => null)
    return made === null ? null : [made.graph, lowering]
  }

  /** The load that a change comes to; infinite where it does not go. */
  async load(change: Change): Promise<number> {
    const made = await this.graphOfChange(change)
    const problem = made === null ? null : await this.lowered(...made)
    return problem?.lowerBound ?? Number.POSITIVE_INFINITY
  }

  async lever(wanted: Wanted): Promise<Lever | null> {
    const made = await this.graphOfChange(wanted.change)
    const problem = made === null ? null : await this.lowered(...made)
    return problem === null ? null : { ...wanted, peak: await knownHeight(this.client, problem, PATIENCE.height) }
  }

  /** Of these, which get smaller as they come, the first that fits, or the last that goes. */
  async firstFit(all: readonly Wanted[]): Promise<Wanted | null> {
    let last: Wanted | null = null
    for (const wanted of all) {
      const load = await this.load(wanted.change)
      if (load !== Number.POSITIVE_INFINITY) last = wanted
      if (load <= this.capacity) break
    }
    return last
  }
}

const zooOf = ({ opened: { source } }: OpenModel) =>
  source.kind === 'model' && source.from.kind === 'zoo' ? source.from : null

// ---- the lowering

function inPlace({ open: { lowering } }: Bench): Wanted[] {
  if (lowering.inplace === 'true') return []
  const note = 'an output is written over an input that nobody else reads'
  return [
    {
      id: 'inplace',
      title: 'In place',
      note,
      change: { kind: 'lowering', lowering: { ...lowering, inplace: 'true' } },
    },
  ]
}

/** Constants that lie in the memory are loaded for their use only, or later than they are now. */
function streamed({ open: { lowering } }: Bench): Wanted[] {
  const now = lowering.constants ?? 'out'
  if (now === 'out') return []
  const from = now === 'streamed' ? Number(lowering.prefetch ?? 3) - 1 : 3
  return Array.from({ length: from + 1 }, (_, k): Wanted => {
    const ahead = from - k
    const title = `Constants streamed, ${thousands(ahead)} ${ahead === 1 ? 'operator' : 'operators'} ahead`
    const note = ahead === 0 ? 'each use waits for its load' : 'loaded while the operators before it run'
    const change = { ...lowering, constants: 'streamed', prefetch: String(ahead) }
    return { id: 'streamed', title, note, change: { kind: 'lowering', lowering: change } }
  })
}

/** The best of the lowering's orders and of the one that the solver of graphs finds. */
async function otherOrder(bench: Bench): Promise<Wanted | null> {
  const { client, open, packed } = bench
  const { lowering, graph } = open
  const choices = manifest.get()?.graphOptions.find(({ name }) => name === 'order')?.choices ?? []
  const all: Wanted[] = choices
    .filter((order) => order !== (lowering.order ?? 'file'))
    .map((order) => ({
      id: 'order',
      title: `Another schedule: ${order}`,
      note: 'the same operators in another order',
      change: { kind: 'lowering', lowering: { ...lowering, order } },
    }))
  const solver = planner(manifest.get())
  if (solver !== null && packed !== null && (await bench.lowered(graph, lowering)) !== null) {
    const config = {
      solver: solver.id,
      goal: 'height' as const,
      capacity: open.model.budgets.required,
      seed: 1,
      budget: 0,
      options: {},
    }
    const found = await within(client, config, PATIENCE.order).catch(() => null)
    const order = found?.plan?.order
    if (order !== undefined) {
      const made = packGraph(reordered(graphOf(packed), order))
      const title = `Another schedule, by ${solver.title}`
      const note = found?.stats.outcome === 'optimal' ? 'no order needs less' : 'the best order found in a moment'
      all.push({
        id: 'order',
        title,
        note,
        change: { kind: 'graph', graph: made, lowering: { ...lowering, order: 'file' } },
      })
    }
  }
  return leastLoad(bench, all)
}

async function leastLoad(bench: Bench, all: readonly Wanted[]): Promise<Wanted | null> {
  let best: Wanted | null = null
  let least = Number.POSITIVE_INFINITY
  for (const wanted of all) {
    const load = await bench.load(wanted.change)
    if (load >= least) continue
    least = load
    best = wanted
  }
  return best
}

// ---- networks of ours, by their parameters

/** Shares of a picture's edge or a text's length, and what the edge stays a multiple of: networks halve it five times. */
const SHARES = [7 / 8, 3 / 4, 5 / 8, 1 / 2, 3 / 8, 1 / 4]
const GRAIN = 32

async function smaller({ open }: Bench): Promise<Wanted[][]> {
  const from = zooOf(open)
  const part = from === null ? null : await zoo.get()
  const entry = from === null ? undefined : part?.find(from.id)
  if (from === null || part === null || entry === undefined) return []
  const now = part.optionsOf(entry, from.options)
  const change = (options: Options): Change => ({ kind: 'zoo', options: { ...from.options, ...options } })
  const { size = entry.size, batch = entry.batch, bytes = 1 } = now
  const tokens = entry.unit === 'tokens'
  const sizes = SHARES.map((share) => Math.max(GRAIN, Math.round((size * share) / GRAIN) * GRAIN))
  const batches = Array.from({ length: Math.floor(Math.log2(batch)) }, (_, k) => Math.floor(batch / 2 ** (k + 1)))
  return [
    batches.map((n) => ({
      id: 'batch',
      title: `Batch ${thousands(n)} instead of ${thousands(batch)}`,
      note: 'more runs for the same inputs',
      change: change({ batch: String(n) }),
    })),
    [...new Set(sizes)]
      .filter((n) => n < size)
      .map((n) => ({
        id: 'size',
        title: tokens
          ? `${thousands(n)} tokens instead of ${thousands(size)}`
          : `Input ${n} × ${n} instead of ${size} × ${size}`,
        note: 'the network sees less',
        change: change({ size: String(n) }),
      })),
    bytes === 1
      ? []
      : [
          {
            id: 'int8',
            title: `int8 instead of ${bytes} bytes an element`,
            note: QUANTISED,
            change: change({ bytes: '1' }),
          },
        ],
  ]
}

const QUANTISED = 'the network has to be quantised'

function asInt8({ open: { lowering } }: Bench, graph: Graph | null): Wanted[] {
  if (graph === null || !canNarrow(graph)) return []
  const made = packGraph(narrowed(graph))
  return [
    {
      id: 'int8',
      title: 'int8 instead of floating point',
      note: QUANTISED,
      change: { kind: 'graph', graph: made, lowering },
    },
  ]
}

// ---- operators in parts

const AXES: Readonly<Record<string, string>> = { H: 'rows', W: 'columns', C: 'channels', D: 'frames' }

const alongOf = ({ axes }: Tensor, dimension: number) => AXES[axes?.[dimension] ?? ''] ?? `dimension ${dimension}`

const IN_WORDS: Readonly<Record<number, string>> = { 2: 'two', 3: 'three', 4: 'four', 6: 'six', 8: 'eight' }

/** What a run of operators in parts comes to. Its parts are the same bytes as the whole: so aliases count. */
function splitLever(graph: Graph, lowering: Options, split: Split): Wanted | null {
  const result = splitGraph(graph, split)
  if (result === null) return null
  const { run, dimension, parts } = split
  const [first, last] = [graph.ops[run[0] ?? -1], graph.ops[run.at(-1) ?? -1]]
  const out = graph.tensors[last?.outputs[0] ?? -1]
  if (first === undefined || last === undefined || out === undefined) return null
  const names = run.length === 2 ? `${first.id} and ${last.id}` : `${first.id} to ${last.id}`
  const { alias: _, ...others } = lowering
  return {
    id: parts === 2 ? 'split' : 'split more',
    title: `Split ${names} in ${IN_WORDS[parts] ?? parts}, by ${alongOf(out, dimension)}`,
    note: result.again === 0 ? 'nothing is computed twice' : `${percent(result.again)} more to compute: the halo`,
    change: { kind: 'graph', graph: packGraph(result.graph), lowering: others },
  }
}

/** In two, and, where that is too little, in as many parts as are needed. */
async function inParts(bench: Bench, graph: Graph | null): Promise<Wanted[]> {
  const peak = peakOf(bench.open.opened.problem)
  if (graph === null || peak === null) return []
  const { lowering, model } = bench.open
  const large = new Set(peak.buffers.slice(0, SPLIT.tensors))
  const ids = new Map(graph.tensors.map(({ id }, k) => [id, k]))
  const tensors = model.tensors.ids.flatMap((id, k) =>
    large.has(model.tensors.buffer[k] ?? -1) ? [ids.get(id) ?? -1] : [],
  )
  const splits = new Map<string, Split>()
  for (const tensor of tensors)
    for (const { run, dimensions } of runsAround(graph, tensor))
      for (const dimension of dimensions) splits.set(`${run.join()} ${dimension}`, { run, dimension, parts: 2 })
  const tried: { split: Split; wanted: Wanted; load: number }[] = []
  for (const split of splits.values()) {
    const wanted = splitLever(graph, lowering, split)
    if (wanted !== null) tried.push({ split, wanted, load: await bench.load(wanted.change) })
  }
  tried.sort((x, y) => x.load - y.load || x.split.run.length - y.split.run.length)
  const best = tried[0]
  if (best === undefined || best.load <= bench.capacity) return best === undefined ? [] : [best.wanted]
  const more: Wanted[] = []
  for (const parts of MORE_PARTS)
    for (const { split } of tried.slice(0, SPLIT.best)) {
      const wanted = splitLever(graph, lowering, { ...split, parts })
      if (wanted !== null) more.push(wanted)
    }
  const fitting = await firstOrLeast(bench, more)
  return fitting === null ? [best.wanted] : [best.wanted, fitting]
}

/** The first that fits, or, if none does, the one whose load is least. */
async function firstOrLeast(bench: Bench, all: readonly Wanted[]): Promise<Wanted | null> {
  let best: Wanted | null = null
  let least = Number.POSITIVE_INFINITY
  for (const wanted of all) {
    const load = await bench.load(wanted.change)
    if (load < least) {
      best = wanted
      least = load
    }
    if (load <= bench.capacity) return wanted
  }
  return best
}

// ---- all of them

const TEXT_ONLY = 'Operators are split and narrowed of imported models and of networks; this graph came as text.'

export interface Found {
  base: KnownHeight | null
  found: Lever[]
  left: string
}

/** Takes a second or two. What does not lower the peak is left out. */
export async function findLevers(
  client: Client,
  open: OpenModel,
  capacity: number,
  signal: AbortSignal,
): Promise<Found> {
  const bench = new Bench(client, open, capacity, signal)
  const { packed } = bench
  const graph = packed === null ? null : graphOf(packed)
  const problem = await bench.lowered(open.graph, open.lowering)
  const base = problem === null ? null : await knownHeight(client, problem, PATIENCE.height)
  if (base === null) return { base, found: [], left: '' }
  const parameters = await smaller(bench)
  const wanted = [...inPlace(bench), await bench.firstFit(streamed(bench)), await otherOrder(bench)]
  for (const list of parameters) wanted.push(await bench.firstFit(list))
  if (zooOf(open) === null) wanted.push(...asInt8(bench, graph))
  wanted.push(...(await inParts(bench, graph)))
  const found: Lever[] = []
  for (const one of wanted) {
    const lever = one && (await bench.lever(one))
    if (lever && lever.peak.bytes < base.bytes) found.push(lever)
  }
  found.sort((x, y) => x.peak.bytes - y.peak.bytes)
  return { base, found, left: graph === null ? TEXT_ONLY : '' }
}
