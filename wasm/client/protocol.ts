import { PackedNames } from './names'
import type {
  ReopenResult,
  ClientError,
  Condition,
  ExplainConfig,
  ExplainProgress,
  Explanation,
  FindKind,
  Frame,
  GraphModel,
  Manifest,
  OpenGraphResult,
  OpenProgress,
  OpenResult,
  Options,
  Overview,
  PackedGraph,
  Plan,
  Problem,
  ProfileSpec,
  ProgramModel,
  Progress,
  RunRequest,
  RunResult,
  SelectConfig,
  Selection,
  Situation,
  Sought,
  Text,
  TreePath,
} from './types'

/** Raised with every change of a message, so that a page never talks to a worker that was cached from another version. */
export const PROTOCOL = 14

/**
 * From the page to the worker. Each has one reply that carries its id, or an 'error' with that id; 'cancel' has none of its own: the
 * run and the explanation under way then end, which replies to the requests that started them.
 */
export type Request =
  /** only as the first of all, no reply: begin with the lean module */
  | { type: 'lean' }
  /** replies 'pong' at once, whatever else waits: messages are read */
  | { type: 'ping'; id: number }
  /** replies 'complete' once a full module is there */
  | { type: 'complete'; id: number }
  /** replies 'manifest' */
  | { type: 'manifest'; id: number }
  /** no reply: the module of this solver is fetched ahead of its run */
  | { type: 'prefetch'; solver: string }
  /** replies 'opened', of a blob after any number of 'opening'; if the problem is well, a run and an explanation under way are cancelled first */
  | { type: 'open'; id: number; csv: Text; profile: ProfileSpec | null }
  /** gives up the 'open' with the id `open` if it waits or still reads a blob: that 'open' replies ok: false without errors; no reply of its own */
  | { type: 'leave'; open: number }
  /** replies 'graph'; otherwise like 'open' */
  | {
      type: 'openGraph'
      id: number
      graph: string | PackedGraph
      options: Options
      profile: ProfileSpec | null
    }
  /** opens what is already open for another profile and, if it is a graph, with other options; replies 'reopened', otherwise like 'open' */
  | { type: 'reopen'; id: number; options: Options; profile: ProfileSpec | null }
  /** replies 'program' */
  | { type: 'program'; id: number; capacity: number; model: ProgramModel; most: number }
  /** replies 'program' */
  | { type: 'packing'; id: number; capacity: number; most: number }
  /** replies 'tiled' */
  | { type: 'tile'; id: number; capacity: number; options: Options }
  /** replies 'selected' */
  | { type: 'select'; id: number; config: SelectConfig }
  /** replies 'generated' */
  | { type: 'generate'; id: number; kind: string; n: number; seed: number }
  /** replies 'ended', after any number of 'progress'; a run and an explanation under way are cancelled first */
  | { type: 'run'; id: number; config: RunRequest }
  /** replies like 'run' */
  | { type: 'resume'; id: number; budget: number }
  /** replies 'explained', after any number of 'explaining'; an explanation under way is cancelled first, a run goes on */
  | ({ type: 'explain'; id: number } & ExplainConfig)
  /** no reply */
  | { type: 'cancel' }
  /** replies 'frame', with null if a newer 'seek' came before its turn */
  | { type: 'seek'; id: number; step: number; before: number; after: number }
  /** replies 'found', with 0 if a newer 'find' or 'seek' came before it was done */
  | { type: 'find'; id: number; from: number; forward: boolean; kind: FindKind }
  /** replies 'sought', with null if a newer 'scan' or 'find', a 'cancel', a run or a problem came before it was done; seeks leave it alone */
  | { type: 'scan'; id: number; from: number; forward: boolean; conditions: readonly Condition[]; budget: number }
  /** replies 'path', with null if a newer 'path' or a run came before it was done */
  | { type: 'path'; id: number; step: number; levels: number; most: number; limit: number }
  /** replies 'digest' */
  | { type: 'digest'; id: number; step: number }
  /** replies 'exported' */
  | { type: 'export'; id: number; offsets: Float64Array<ArrayBuffer> | null }

/** From a page's worker beside its replies: the name of a lock that it holds as long as it lives. */
export interface Alive {
  type: 'alive'
  lock: string
}

/** A request before it has its number. */
export type Question = Request extends infer R ? (R extends { id: number } ? Omit<R, 'id'> : never) : never

/** 'silent' is what the page finds itself. */
export type ErrorReason = ClientError['reason']

/** A frame on its way: a situation that is that of the frame before does not cross again. */
export interface SentFrame extends Omit<Frame, 'situation'> {
  situation?: Pick<Situation, 'revision' | 'frontier'> & { known: Pick<Situation, 'problem' | 'order'> | null }
}
/** The same of the progress of a run. */
export type SentProgress = Omit<Progress, 'frame'> & { frame: SentFrame | null }

/** From the worker to the page. */
export type Reply =
  /** once, before anything else */
  | { type: 'ready'; protocol: number }
  | { type: 'pong'; id: number }
  | { type: 'complete'; id: number }
  | { type: 'manifest'; id: number; manifest: Manifest }
  | { type: 'opening'; id: number; progress: OpenProgress }
  | { type: 'opened'; id: number; result: OpenResult }
  | { type: 'graph'; id: number; result: OpenGraphResult }
  | { type: 'reopened'; id: number; result: ReopenResult }
  | { type: 'program'; id: number; text: string | null }
  | { type: 'tiled'; id: number; csv: Text }
  | { type: 'selected'; id: number; selection: Selection }
  | { type: 'generated'; id: number; csv: Text; capacity: number }
  | { type: 'progress'; id: number; progress: SentProgress }
  | { type: 'ended'; id: number; result: RunResult }
  | { type: 'explaining'; id: number; progress: ExplainProgress }
  | { type: 'explained'; id: number; explanation: Explanation }
  | { type: 'frame'; id: number; frame: SentFrame | null }
  | { type: 'found'; id: number; step: number }
  | { type: 'sought'; id: number; sought: Sought | null }
  | { type: 'path'; id: number; path: TreePath | null }
  | { type: 'digest'; id: number; digest: string }
  | { type: 'exported'; id: number; csv: Text }
  /** the request could not be done; the worker is well */
  | { type: 'error'; id: number; reason: ErrorReason; message: string }
  /** the worker is of no more use and answers nothing from now on */
  | { type: 'broken'; reason: ErrorReason; message: string }

function overviewBuffers(overview: Overview): ArrayBuffer[] {
  const { minDepth, maxDepth, lastDepth, maxUndone, backtracks, major, rules, placed } = overview
  return [minDepth, maxDepth, lastDepth, maxUndone, backtracks, major, placed, ...rules].map((array) => array.buffer)
}

function planBuffers(offsets: Float64Array<ArrayBuffer> | null): ArrayBuffer[] {
  return offsets ? [offsets.buffer] : []
}

/** What a request takes with it: a copy of a million numbers would hold up the page. */
export function handedOver(request: Request): ArrayBuffer[] {
  if (request.type === 'export') return planBuffers(request.offsets)
  return request.type === 'openGraph' && typeof request.graph !== 'string' ? packedBuffers(request.graph) : []
}

function packedBuffers({ numbers, words, text }: PackedGraph): ArrayBuffer[] {
  return [numbers.buffer, words.buffer, text.buffer]
}

function frameBuffers(frame: SentFrame | null): ArrayBuffer[] {
  if (!frame) return []
  const { offset, minOffset, level, stack, tried, candidates, phases } = frame
  return [offset, level, stack, ...[minOffset, tried, candidates, phases].filter((array) => array !== null)].map(
    (array) => array.buffer,
  )
}

function problemBuffers(problem: Problem): ArrayBuffer[] {
  const { ids, lower, upper, size, alignment, fixed, hint, bank, sections } = problem
  const chunks = problem.tasks?.chunks
  const arrays = [
    ...(ids instanceof PackedNames ? [ids.bytes, ids.start] : []),
    lower,
    upper,
    size,
    alignment,
    fixed,
    hint,
    bank,
    sections.lower,
    sections.upper,
    sections.load,
    sections.live,
    ...(chunks ? [chunks.task, chunks.buffer, chunks.writes, chunks.from, chunks.to] : []),
  ]
  return arrays.map((array) => array.buffer)
}

function graphBuffers(model: GraphModel | null): ArrayBuffer[] {
  if (model === null) return []
  const { tensors, ops } = model
  const { row, inputs, inputStart, outputs, outputStart, workspace } = ops
  const arrays = [tensors.bytes, tensors.buffer, tensors.producer]
  return [...arrays, row, inputs, inputStart, outputs, outputStart, workspace].map((array) => array.buffer)
}

function stayBuffers(plan: Plan | null): ArrayBuffer[] {
  if (plan === null) return []
  const { item, lower, upper, offset, outside } = plan.stays
  return [plan.order, item, lower, upper, offset, outside].map((array) => array.buffer)
}

/** The buffers that a reply hands over instead of copying them. */
export function transferables(reply: Reply): ArrayBuffer[] {
  switch (reply.type) {
    case 'opened':
      return reply.result.ok ? problemBuffers(reply.result.problem) : []
    case 'graph':
    case 'reopened':
      return reply.result.ok ? [...problemBuffers(reply.result.problem), ...graphBuffers(reply.result.model)] : []
    case 'progress':
      return [
        ...overviewBuffers(reply.progress.overview),
        ...frameBuffers(reply.progress.frame),
        ...planBuffers(reply.progress.incumbent),
      ]
    case 'ended':
      return [
        ...overviewBuffers(reply.result.overview),
        ...planBuffers(reply.result.best),
        ...stayBuffers(reply.result.plan ?? null),
      ]
    case 'frame':
      return frameBuffers(reply.frame)
    default:
      return []
  }
}
