/**
 * What a link or a file may hold, checked once on the way in: past that everything is typed. Unknown keys are dropped, wrong values make
 * the whole thing invalid.
 */
import type { Goal } from '../../../../wasm/client/types'
import type { Viewport } from '../../layout/scene'
import { type Profile, parseProfile } from '../profile/profile'
import { type Noted, parseNoted, parseRange, parseStops, type Range, type Stop } from '../marks/marks'
import { InvalidInput, NAME_LIMIT, optionValues, parseViewport, record, text, whole } from './validation'

/** A model from a file travels with its graph as CSV, one of ours by its id and parameters. Both are lowered again. */
export type SharedSource =
  | { kind: 'example'; file: string }
  | { kind: 'text'; name: string; text: string }
  | { kind: 'graph'; name: string; text: string; format: string; lowering: Record<string, string> }
  | { kind: 'zoo'; id: string; options: Record<string, string>; lowering: Record<string, string> }

/** A digest over the search up to a step, cut to its first 8 hex digits. */
export interface Checkpoint {
  step: number
  digest: string
}

/** How it is looked at: nothing here changes a search, and what this version does not have of it is passed over. */
export interface SharedView {
  /** null: everything */
  viewport: Viewport | null
  tab: string
  /** '': by the number of buffers */
  colour: string
  /** buffers by index */
  pinned: number[]
}

/** All that is needed to see the same step of the same search again, and to know that it is the same. */
export interface Shared {
  source: SharedSource
  /** the memory that the problem is placed in */
  profile: Profile | null
  solver: string
  goal: Goal
  options: Record<string, string>
  capacity: number
  seed: number
  /** steps, 0: none */
  budget: number
  step: number
  /** 16 hex digits, over the steps up to `step` */
  digest: string
  /** steps taken in all, and whether the search had ended there */
  steps: number
  ended: boolean
  /** 16 hex digits, over all steps */
  finalDigest: string
  /** earlier steps in rising order, to narrow a difference down */
  checkpoints: Checkpoint[]
  /** null: as the page is, all of the canvas */
  view: SharedView | null
  /** marked steps of this search, in rising order */
  marks: Noted[]
  /** what playing stops at */
  stops: Stop[]
  range: Range | null
}

const LIMITS = { name: 255, checkpoints: 64, pinned: 64 }

const GOALS: readonly Goal[] = ['fit', 'height', 'traffic']

/** Not given: to fit, as all were before there were goals. */
export function goal(value: unknown): Goal {
  const found = GOALS.find((one) => one === value)
  if (found === undefined && value !== undefined) throw new InvalidInput('the goal is none')
  return found ?? 'fit'
}

function hex(value: unknown, field: string, digits: number): string {
  if (typeof value !== 'string' || value.length !== digits || !/^[0-9a-f]*$/.test(value)) {
    throw new InvalidInput(`${field} is not ${digits} hexadecimal digits`)
  }
  return value
}

function source(value: unknown, maxText: number): SharedSource {
  const from = record(value)
  if (from.kind === 'example') {
    const file = text(from.file, 'the example', LIMITS.name)
    if (!/^[\w.-]+$/.test(file)) throw new InvalidInput('the example has no valid name')
    return { kind: 'example', file }
  }
  if (from.kind === 'zoo') {
    const id = text(from.id, 'the network', NAME_LIMIT)
    return { kind: 'zoo', id, options: optionValues(from.options), lowering: optionValues(from.lowering) }
  }
  const isText = from.kind === 'text'
  if (!isText && from.kind !== 'graph') throw new InvalidInput('the problem is neither a text nor an example')
  const named = { name: text(from.name, 'the name', LIMITS.name), text: text(from.text, 'the problem', maxText) }
  if (isText) return { kind: 'text', ...named }
  const format = text(from.format, 'the format', NAME_LIMIT)
  return { kind: 'graph', ...named, format, lowering: optionValues(from.lowering) }
}

function checkpoints(value: unknown): Checkpoint[] {
  if (!Array.isArray(value) || value.length > LIMITS.checkpoints)
    throw new InvalidInput('the checkpoints are not a short list')
  let last = 0
  return value.map((entry) => {
    const { step, digest } = record(entry)
    const at = whole(step, 'a checkpoint')
    if (at < last) throw new InvalidInput('the checkpoints are not in order')
    last = at
    return { step: at, digest: hex(digest, 'a checkpoint', 8) }
  })
}

function view(value: unknown): SharedView {
  const from = record(value)
  if (!Array.isArray(from.pinned) || from.pinned.length > LIMITS.pinned)
    throw new InvalidInput('the pinned buffers are not a short list')
  return {
    viewport: parseViewport(from.viewport),
    tab: text(from.tab, 'the tab', NAME_LIMIT),
    colour: text(from.colour, 'the colouring', NAME_LIMIT),
    pinned: from.pinned.map((buffer) => whole(buffer, 'a pinned buffer')),
  }
}

/** Throws InvalidInput naming the first thing that is wrong. maxText: characters of a problem. */
export function parseShared(value: unknown, maxText = 2 ** 28): Shared {
  const from = record(value)
  const shared: Shared = {
    source: source(from.source, maxText),
    profile: from.profile === null || from.profile === undefined ? null : parseProfile(from.profile),
    solver: text(from.solver, 'the solver', NAME_LIMIT),
    goal: goal(from.goal),
    options: optionValues(from.options),
    capacity: whole(from.capacity, 'the capacity'),
    seed: whole(from.seed, 'the seed'),
    budget: whole(from.budget, 'the budget'),
    step: whole(from.step, 'the step'),
    digest: hex(from.digest, 'the digest', 16),
    steps: whole(from.steps, 'the number of steps'),
    ended: from.ended === true,
    finalDigest: hex(from.finalDigest, 'the last digest', 16),
    checkpoints: checkpoints(from.checkpoints),
    view: from.view === null || from.view === undefined ? null : view(from.view),
    marks: parseNoted(from.marks),
    stops: parseStops(from.stops),
    range: parseRange(from.range),
  }
  if (shared.step > shared.steps) throw new InvalidInput('the step lies behind the last step')
  return shared
}
