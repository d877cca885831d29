/**
 * What the step shown says, as geometry in problem space: the candidate, the ghosts and the proof. Every number comes from the
 * events; nothing is worked out again here, so the canvas can only show what the core said.
 */
import { spotOf } from '../../../../wasm/client/events'
import type { EventOf, Frame, Problem, SearchEvent } from '../../../../wasm/client/types'
import type { Scene } from '../scene'

/** A buffer shown at an offset where it need not be placed. */
export interface Tile {
  buffer: number
  offset: number
}

export interface SectionProof {
  kind: 'section'
  section: number
  lower: number
  upper: number
  floor: number
  rest: number
  /** bytes above what the search may not exceed, null if that is not known */
  over: number | null
}
export interface FixedProof {
  kind: 'fixed'
  /** the pinned buffer */
  buffer: number
  /** offset the buffer would need, and the one it is fixed at */
  need: number
  fixed: number
}
/** A buffer has no position left. */
export interface DomainProof {
  kind: 'domain'
  buffer: number
  /** the least offset that is left for it, and the greatest: below the least one, or below zero */
  least: number
  most: number
}
export interface CanonicalProof {
  kind: 'canonical'
  /** nothing may be placed below */
  last: number
}
export interface FitProof {
  kind: 'dominance' | 'hatless' | 'other'
  /** the buffer that proves it, at the offset it has or could have; null if the event names none */
  tile: Tile | null
  bound: number
  rule: string
}
export interface GapProof {
  kind: 'gap'
  buffer: number
  offset: number
  room: number
  need: number
  blocker: number
}
export interface RowProof {
  kind: 'row'
  row: number
  next: number
}
/** A section's floor is left idle up to the next one. */
export interface WasteProof {
  kind: 'waste'
  section: number
  lower: number
  upper: number
  floor: number
  to: number
}
export type Proof =
  | SectionProof
  | FixedProof
  | DomainProof
  | CanonicalProof
  | FitProof
  | GapProof
  | RowProof
  | WasteProof

/** The section that the search asks next: who sits on its floor? */
export interface Question {
  section: number
  lower: number
  upper: number
  floor: number
}

/** A least offset that a rule raised. */
export interface Rise {
  buffer: number
  from: number
  to: number
}

export interface StepView {
  /** what is tried now; asked: it was not (or not for good) placed there */
  candidate: (Tile & { asked: boolean }) | null
  proof: Proof | null
  /** buffers taken back by this step */
  ghosts: Tile[]
  /** buffers named by the proof */
  culprits: number[]
  /** buffers that cannot be packed together from where each may begin */
  conflict: number[]
  /** candidates moved up because they failed elsewhere */
  promoted: number[]
  /** buffers that change places in the order */
  swapped: number[]
  question: Question | null
  rises: Rise[]
  /** height of a plan completed by this step, or -1 */
  incumbent: number
}

/** O(events of the step + their lists). */
export function readStep(scene: Scene): StepView {
  const view: StepView = {
    candidate: null,
    proof: null,
    ghosts: [],
    culprits: [],
    conflict: [],
    promoted: [],
    swapped: [],
    question: null,
    rises: [],
    incumbent: -1,
  }
  const { frame, problem } = scene
  if (!frame) return view
  for (const ghost of frame.undone) {
    if (ghost.buffer < problem.count && ghost.offset >= 0) view.ghosts.push(ghost)
  }
  for (const event of scene.now) readEvent(view, event, scene, frame)
  return view
}

/** What a step is about is drawn whatever its kind; a kind of its own has its proof besides. */
function readEvent(view: StepView, event: SearchEvent, scene: Scene, frame: Frame): void {
  const { problem } = scene
  const spot = spotOf(event)
  if (spot !== null && spot.buffer < problem.count && spot.offset >= 0)
    view.candidate = { buffer: spot.buffer, offset: spot.offset, asked: spot.role === 'tries' }
  switch (event.kind) {
    case 'eject':
      view.culprits = inProblem(event.list, problem)
      break
    case 'reject':
      view.proof = rejection(event, scene)
      // the buffer without a position is drawn by the proof itself
      if (view.proof?.kind !== 'domain') view.culprits = inProblem(event.list, problem)
      break
    case 'skip':
      view.proof = passedOver(event, scene, frame)
      break
    case 'no-fit': {
      const { buffer, offset, blocker, need, room } = event
      view.proof = { kind: 'gap', buffer, offset, blocker, need, room }
      view.culprits = inProblem([blocker], problem)
      break
    }
    case 'collide':
      view.culprits = inProblem([event.other], problem)
      break
    case 'consider':
    case 'repack':
    case 'leave-out': {
      // it lies in one memory or the other
      const { buffer } = event
      if (buffer < problem.count) view.candidate = { buffer, offset: frame.offset[buffer] as number, asked: false }
      if (event.kind === 'repack') view.swapped = inProblem(event.list, problem)
      break
    }
    case 'swap':
    case 'swap-back':
      view.swapped = inProblem([event.buffer, event.other], problem)
      break
    case 'bottleneck':
      // where the swap was kept it need not end highest any more
      if ((frame.offset[event.buffer] ?? -1) + (problem.size[event.buffer] ?? 0) === event.top)
        view.culprits = [event.buffer]
      view.swapped.push(...inProblem([event.second, event.partner], problem))
      break
    case 'advance':
      view.proof = { kind: 'row', row: event.row, next: event.next }
      break
    case 'incumbent':
      view.incumbent = event.height
      break
    case 'waste': {
      const { section, floor, to } = event
      const at = spanOf(problem, section)
      if (at) view.proof = { kind: 'waste', section, ...at, floor, to }
      break
    }
    case 'choose': {
      const at = spanOf(problem, event.section)
      if (at) view.question = { section: event.section, ...at, floor: event.floor }
      break
    }
    case 'raise':
      if (event.buffer < problem.count && event.offset >= 0)
        view.rises.push({ buffer: event.buffer, from: event.from, to: event.offset })
      break
    case 'conflict':
      view.conflict = inProblem(event.list, problem)
      break
    case 'culprits':
      view.culprits.push(...inProblem(event.list, problem))
      break
    case 'promote':
      view.promoted = inProblem(event.list, problem)
      break
  }
}

function spanOf(problem: Problem, section: number): { lower: number; upper: number } | null {
  const { sections } = problem
  if (!(section >= 0 && section < sections.count)) return null
  return { lower: sections.lower[section] as number, upper: sections.upper[section] as number }
}

function inProblem(list: Iterable<number>, problem: Problem): number[] {
  return [...list].filter((buffer) => buffer < problem.count)
}

function rejection(event: EventOf<'reject'>, scene: Scene): Proof | null {
  const { buffer, section, floor, rest } = event
  const at = spanOf(scene.problem, section)
  if (!at) {
    const rule = scene.manifest.rules[event.rule]?.id
    if (!(buffer < scene.problem.count)) return null
    if (rule === 'unsatisfiable' || rule === 'forward')
      return { kind: 'domain', buffer: event.list[0] ?? buffer, least: floor, most: rest }
    if (rule !== 'fixed') return null
    // Either the buffer tried is the pinned one, or it pushes up a pinned one, which the list names.
    const held = [...event.list].find((k) => (scene.problem.fixed[k] ?? -1) >= 0) ?? buffer
    return { kind: 'fixed', buffer: held, need: floor, fixed: rest }
  }
  return {
    kind: 'section',
    section,
    ...at,
    floor,
    rest,
    over: scene.limit === null ? null : floor + rest - scene.limit,
  }
}

function passedOver(event: EventOf<'skip'>, scene: Scene, frame: Frame): Proof {
  const { witness, bound } = event
  const rule = scene.manifest.rules[event.rule]?.id ?? 'none'
  if (rule === 'canonical') return { kind: 'canonical', last: bound }
  const tile = witness < scene.problem.count ? tileOf(witness, bound, rule, scene.problem, frame) : null
  return { kind: rule === 'dominance' || rule === 'hatless' ? rule : 'other', tile, bound, rule }
}

/** Where the proving buffer stands: where it is placed, else where it could be, else hanging from the bound. */
function tileOf(buffer: number, bound: number, rule: string, problem: Problem, frame: Frame): Tile | null {
  const placed = frame.offset[buffer] as number
  if (placed >= 0) return { buffer, offset: placed }
  const least = frame.minOffset?.[buffer] ?? -1
  if (rule !== 'dominance' && bound >= 0) return { buffer, offset: bound }
  if (least >= 0) return { buffer, offset: least }
  const hanging = bound - (problem.size[buffer] as number)
  return hanging >= 0 ? { buffer, offset: hanging } : null
}

/** Bracket ⌊ ⌋: the least offset still allowed to an unplaced buffer, over its lifespan. */
export interface Bracket {
  buffer: number
  offset: number
  /** named by the proof */
  relevant: boolean
  /** moved up because it failed elsewhere */
  promoted: boolean
}

/** Up to this many unplaced buffers all have their bracket. */
export const BRACKET_LIMIT = 60
/** Beyond: the proof's, and so many of the next. */
export const BRACKET_NEXT = 12

/** Brackets of the unplaced buffers, lowest first, the proof's last (on top). O(n). */
export function brackets(scene: Scene, step: StepView): Bracket[] {
  const { frame, problem } = scene
  const least = frame?.minOffset
  if (!frame || !least) return []
  const named = new Set([...step.culprits, ...step.conflict, ...step.promoted])
  const candidate = step.candidate?.buffer ?? -1
  const relevant: Bracket[] = []
  let others: Bracket[] = []
  let count = 0
  for (let i = 0; i < problem.count; i++) {
    if ((frame.offset[i] as number) >= 0 || i === candidate || !((least[i] as number) >= 0)) continue
    count++
    const offset = least[i] as number
    const bracket = { buffer: i, offset, relevant: named.has(i), promoted: step.promoted.includes(i) }
    if (bracket.relevant) relevant.push(bracket)
    else others.push(bracket)
    // so that a million of them are not kept to be thrown away
    if (others.length > 2 * BRACKET_LIMIT) others = lowest(others)
  }
  if (count > BRACKET_LIMIT) others = lowest(others)
  return [...others, ...relevant]
}

function lowest(list: Bracket[]): Bracket[] {
  return list.sort((a, b) => a.offset - b.offset || a.buffer - b.buffer).slice(0, BRACKET_NEXT)
}
